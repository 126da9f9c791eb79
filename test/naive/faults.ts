import type { Fault } from '../../src/scenario/model.js';
import type { Effect, Effects } from './effects.js';
import type { Instance } from './instance.js';
import type { World } from './world.js';
import { nsOf, without } from './words.js';

/** Leaks grow in steps of this, or of a tick where that is shorter, ns. */
const coarsestStepNs = 100e6;

/** Everything that is done to the system (rules 42 and 43): from `at` to before `at + for`. */
export class Faults {
  private readonly thieves = new Map<Instance, number[]>();
  /** Bytes per second. */
  private readonly leaks = new Map<Instance, number>();
  private readonly stepNs: number;
  private leakedUntilNs = 0;
  private isStepDue = false;

  constructor(private readonly world: World, faults: readonly Fault[]) {
    const { agenda, system, instances } = world;
    this.stepNs = Math.min(nsOf(system.tickMs), coarsestStepNs);
    for (const instance of instances) this.leaks.set(instance, instance.service.memory.leakPerSecond.value);
    this.stepLater();
    for (const fault of faults) {
      const [begin, end] = this.deed(fault);
      agenda.at(nsOf(fault.atMs), begin);
      if (end && nsOf(fault.untilMs) < nsOf(system.durationMs)) agenda.at(nsOf(fault.untilMs), end);
    }
  }

  /** What begins and what ends it. */
  private deed(fault: Fault): readonly [() => void, (() => void)?] {
    const { what, target } = fault;
    const hit = this.world.instances.filter(({ name, ordinal }) => 'service' in target && name === target.service && (target.instance === undefined || ordinal === target.instance - 1));
    switch (what.verb) {
      case 'crash':
        return this.crash(fault, hit);
      case 'freeze':
        return this.freeze(hit);
      case 'hog':
        return this.hog(hit, what.amount.value);
      case 'steal':
        return [() => this.steal(hit, (shares) => shares.push(what.amount.value)), () => this.steal(hit, (shares) => without(shares, what.amount.value))];
      case 'leak':
        return [() => this.leak(hit, what.amount.value), () => this.leak(hit, -what.amount.value)];
      case 'deploy':
        throw new Error('deployments are not simulated here');
      case 'latency':
        return this.affect(fault, hit, { latency: { time: what.latency, site: `faults.${fault.name}.latency` } });
      case 'blackhole':
      case 'cut':
        return this.affect(fault, hit, { [what.verb]: true });
      default:
        return this.affect(fault, hit, { [what.verb]: what.amount.value });
    }
  }

  /** On instances, or on a link. When it is over, who can be reached again takes messages. */
  private affect({ target }: Fault, hit: readonly Instance[], effect: Effect): readonly [() => void, () => void] {
    const links = 'caller' in target ? this.world.links.filter(({ callerName, link }) => callerName === target.caller && link.callee === target.callee) : [];
    const all: readonly { readonly effects: Effects }[] = [...hit, ...links];
    return [
      () => all.forEach(({ effects }) => effects.begin(effect)),
      () => {
        for (const { effects } of all) effects.end(effect);
        for (const instance of hit) this.world.messages.openedAgain(instance);
      },
    ];
  }

  /** One instant; with `for` also who comes up before its end, and nobody comes back until then. */
  private crash({ hasEnd, untilMs }: Fault, hit: readonly Instance[]): readonly [() => void, (() => void)?] {
    const { fleet } = this.world;
    let goesOn = false;
    const crash = (instance: Instance): void => {
      if (hasEnd) fleet.keepDown(instance, nsOf(untilMs));
      if (instance.serves) fleet.die(instance);
    };
    if (hasEnd) fleet.onStart.push((instance) => void (goesOn && hit.includes(instance) && crash(instance)));
    const begin = (): void => {
      goesOn = true;
      hit.forEach(crash);
    };
    return hasEnd ? [begin, () => void (goesOn = false)] : [begin];
  }

  private freeze(hit: readonly Instance[]): readonly [() => void, () => void] {
    const effect: Effect = { freeze: true };
    return [
      () => {
        for (const { effects, container } of hit) {
          effects.begin(effect);
          container.freeze(true);
        }
      },
      () => {
        for (const instance of hit) {
          instance.effects.end(effect);
          if (instance.effects.isFrozen) continue;
          instance.container.freeze(false);
          if (instance.serves) this.world.door.thawed(instance);
        }
      },
    ];
  }

  /** Memory that is taken in every process that runs and in new instances; it dies with the process. */
  private hog(hit: readonly Instance[], bytes: number): readonly [() => void, () => void] {
    const { fleet, door } = this.world;
    const since = new Map<Instance, number>();
    let goesOn = false;
    const take = (instance: Instance): void => {
      since.set(instance, instance.upSinceNs);
      instance.hoggedBytes += bytes;
      door.checkMemory(instance);
    };
    fleet.onStart.push((instance, isNew) => void (goesOn && isNew && hit.includes(instance) && take(instance)));
    return [
      () => {
        goesOn = true;
        for (const instance of hit) if (instance.serves) take(instance);
      },
      () => {
        goesOn = false;
        for (const [instance, upSinceNs] of since) if (instance.serves && instance.upSinceNs === upSinceNs) instance.hoggedBytes = Math.max(0, instance.hoggedBytes - bytes);
      },
    ];
  }

  private steal(hit: readonly Instance[], change: (shares: number[]) => void): void {
    for (const instance of hit) {
      const shares = this.thieves.get(instance) ?? [];
      change(shares);
      this.thieves.set(instance, shares);
      instance.container.steal(Math.max(0, ...shares));
    }
  }

  private leak(hit: readonly Instance[], bytesPerS: number): void {
    this.grow();
    for (const instance of hit) this.leaks.set(instance, this.leaks.get(instance)! + bytesPerS);
    this.stepLater();
  }

  /** What has leaked since the last time, in each process since its start. */
  private grow(): void {
    const { now } = this.world.agenda;
    const fromNs = this.leakedUntilNs;
    this.leakedUntilNs = now;
    for (const [instance, bytesPerS] of this.leaks) {
      const ns = now - Math.max(fromNs, instance.upSinceNs);
      if (bytesPerS === 0 || !instance.serves || ns <= 0) continue;
      instance.leakedBytes += (bytesPerS * ns) / 1e9;
      this.world.door.checkMemory(instance);
    }
  }

  /** At whole multiples of the step, while anything leaks. */
  private stepLater(): void {
    const { agenda } = this.world;
    if (this.isStepDue || ![...this.leaks.values()].some((bytesPerS) => bytesPerS > 0)) return;
    this.isStepDue = true;
    agenda.at((Math.floor(agenda.now / this.stepNs) + 1) * this.stepNs, () => {
      this.isStepDue = false;
      this.grow();
      this.stepLater();
    });
  }
}
