import type { Autoscale, Service } from '../../src/scenario/model.js';
import type { Instance } from './instance.js';
import type { World } from './world.js';
import { nsOf } from './words.js';

/** One of the fleet over the window. `use` null: no sample. */
interface Seen {
  readonly use: number | null;
  readonly request: number;
  readonly isBooting: boolean;
  readonly isWarming: boolean;
  /** Its machine is there, but no process runs on it. */
  readonly isIdleMachine: boolean;
}
type Rule = (fleet: readonly Seen[], nowNs: number) => number;

/** At every k × `every`: the mean of its metric over `window`, against the target (rules 38 to 41). */
export class Autoscaler {
  private readonly rule: Rule;
  private readonly outs: { readonly atNs: number; readonly count: number }[] = [];
  /** What had been used by then, for decisions that are still to come, and at the last start of each process. */
  private readonly windows: { readonly atNs: number; readonly used: ReadonlyMap<Instance, number> }[] = [];
  private readonly usedAtStart = new Map<Instance, number>();
  private round = 1;
  private opened = 0;

  constructor(private readonly world: World, private readonly service: Service, private readonly setting: Autoscale) {
    this.rule = setting.rule === 'hpa' ? hpa(setting, service.instances.value, this.outs) : ec2(setting, this.outs);
    world.fleet.onStart.push((instance) => void (this.all.includes(instance) && this.usedAtStart.set(instance, this.usedBy(instance))));
    world.agenda.at(nsOf(setting.every.value), () => this.decide());
    this.openWindows();
  }

  private openWindows(): void {
    const { agenda } = this.world;
    const nextNs = (): number => (this.opened + 1) * nsOf(this.setting.every.value) - nsOf(this.setting.window.value);
    while (nextNs() <= agenda.now) {
      this.opened++;
      this.windows.push({ atNs: agenda.now, used: new Map(this.all.map((instance) => [instance, this.usedBy(instance)])) });
    }
    agenda.at(nextNs(), () => this.openWindows());
  }

  private decide(): void {
    const { agenda: { now }, fleet } = this.world;
    const { min, max, boot, drain, every } = this.setting;
    const window = this.windows.shift()!;
    const present = fleet.present(this.service.name);
    const free = fleet.free(this.service.name);
    const wish = this.rule(present.map((instance) => this.look(instance, window)), now);
    const count = Math.min(max.value, Math.max(min.value, wish), present.length + free.length);
    if (count > present.length) {
      this.outs.push({ atNs: now, count: count - present.length });
      for (const instance of free.slice(0, count - present.length)) fleet.launch(instance, nsOf(boot.value));
    }
    const newestFirst = present.toSorted((a, b) => b.orderedNs - a.orderedNs || b.ordinal - a.ordinal);
    for (const instance of newestFirst.slice(0, Math.max(0, present.length - count))) fleet.drain(instance, nsOf(drain.value));
    this.round++;
    this.world.agenda.at(this.round * nsOf(every.value), () => this.decide());
  }

  /** With sidecars that count too: those of the pod together; a dead one among them, and the pod has no sample. */
  private look(instance: Instance, window: { readonly atNs: number; readonly used: ReadonlyMap<Instance, number> }): Seen {
    const { now } = this.world.agenda;
    const { metric, target } = this.setting;
    const counted = this.countedIn(instance);
    const uses = counted.map((container) => this.useOf(container, window));
    const requests = counted.map(({ service }) => ({ cpu: service.cpuRequest.value, slots: service.slots.value, queue: target.value })[metric]);
    const add = (sum: number, one: number | null): number => sum + one!;
    return {
      use: uses.includes(null) ? null : uses.reduce(add, 0),
      request: requests.reduce(add, 0),
      isBooting: instance.life === 'booting',
      isWarming: instance.serves && now - instance.upSinceNs < nsOf(instance.service.warmUp.for.value),
      isIdleMachine: instance.life === 'down' && !instance.isSilent,
    };
  }

  /** Mean over the window, or since it came up where that is later; null: nothing runs there, or has only just begun (rule 38). */
  private useOf(instance: Instance, { atNs, used }: { readonly atNs: number; readonly used: ReadonlyMap<Instance, number> }): number | null {
    const { now } = this.world.agenda;
    const fromNs = Math.max(atNs, instance.upSinceNs);
    if (!instance.serves || fromNs >= now) return null;
    return (this.usedBy(instance) - Math.max(used.get(instance)!, this.usedAtStart.get(instance) ?? 0)) / (now - fromNs);
  }

  private countedIn(instance: Instance): Instance[] {
    return [instance, ...instance.sidecars.filter(({ name }) => this.setting.metric === 'cpu' && this.setting.with.includes(name))];
  }

  private usedBy({ container, slots, waiting }: Instance): number {
    return { cpu: container.usedNsNow, slots: slots.integral, queue: waiting.integral }[this.setting.metric];
  }

  private get all(): Instance[] {
    return this.world.instances.filter(({ name }) => name === this.service.name).flatMap((instance) => this.countedIn(instance));
  }
}

const sum = (fleet: readonly Seen[], of: (one: Seen) => number): number => fleet.reduce((total, one) => total + of(one), 0);
const isNear = (ratio: number): boolean => ratio >= 0.9 && ratio <= 1.1;

/**
 * Kubernetes: replicas × ratio, rounded up, nothing within 10 %. Dead ones count as idle when scaling out and as at their target when scaling in, booting ones
 * as idle when scaling out; a decision does not turn against its first direction. Then the highest of the last `inWindow` for in, 4 or 100 % in 15 s for out.
 */
const hpa = ({ metric, target, inWindow, outCooldown }: Autoscale, atStart: number, outs: readonly { readonly atNs: number; readonly count: number }[]): Rule => {
  let recommendations = [{ atNs: 0, count: atStart }];
  const isLength = metric === 'queue';
  const goal = isLength ? 100 : target.value * 100;
  // Shares in whole percent; lengths in thousandths.
  const percentOf = (fleet: readonly Seen[]): number | null => {
    const use = sum(fleet, (one) => one.use ?? 0);
    const request = sum(fleet, (one) => one.request);
    if (fleet.length === 0 || request === 0) return null;
    return isLength ? ((Math.trunc((use * 1000) / fleet.length) / 1000) * 100) / fleet[0].request : Math.trunc((use * 100) / request);
  };
  const recommended = (fleet: readonly Seen[]): number => {
    const measured = fleet.filter(({ isBooting, use }) => !isBooting && use !== null);
    const missing = fleet.filter(({ isBooting, use }) => !isBooting && use === null);
    const booting = fleet.filter(({ isBooting }) => isBooting);
    const percent = percentOf(measured);
    if (percent === null) return fleet.length;
    const isOut = percent / goal > 1;
    if (missing.length === 0 && (booting.length === 0 || !isOut)) return isNear(percent / goal) ? fleet.length : Math.ceil((percent / goal) * measured.length);
    const filled = [...measured, ...missing.map((one) => ({ ...one, use: isOut ? 0 : (one.request * Math.max(100, goal)) / 100 })), ...(isOut ? booting.map((one) => ({ ...one, use: 0 })) : [])];
    const ratio = percentOf(filled)! / goal;
    if (isNear(ratio) || ratio > 1 !== isOut) return fleet.length;
    return Math[isOut ? 'max' : 'min'](fleet.length, Math.ceil(ratio * filled.length));
  };
  return (fleet, nowNs) => {
    const count = recommended(fleet);
    recommendations = [...recommendations.filter(({ atNs }) => atNs > nowNs - nsOf(inWindow.value)), { atNs: nowNs, count }];
    if (count <= fleet.length) return Math.min(fleet.length, Math.max(...recommendations.map((one) => one.count)));
    if (nowNs - (outs.at(-1)?.atNs ?? -Infinity) < nsOf(outCooldown.value)) return fleet.length;
    const before = fleet.length - outs.filter(({ atNs }) => nowNs - atNs < 15e9).reduce((total, one) => total + one.count, 0);
    return Math.min(count, Math.max(fleet.length, before + 4, before * 2));
  };
};

/** EC2: three points above the target for out, by the newest; fifteen (or `inWindow`) below 90 % of it for in, by the highest, and only when nobody warms up. */
const ec2 = ({ metric, target, inWindow, every, outCooldown }: Autoscale, outs: readonly { readonly atNs: number }[]): Rule => {
  const quietCount = Math.max(15, Math.ceil(inWindow.value / every.value));
  let points: (number | null)[] = [];
  return (fleet, nowNs) => {
    const measured = fleet.filter(({ use, isWarming, isIdleMachine }) => isIdleMachine || (use !== null && !isWarming));
    const use = sum(measured, (one) => one.use ?? 0);
    const point = measured.length === 0 ? null : metric === 'queue' ? use / measured.length : use / sum(measured, ({ request }) => request);
    points = [...points, point].slice(-quietCount);
    // 4.000000000000001 is 4.
    const needed = (level: number): number => Math.ceil(Math.round(((measured.length * level) / target.value) * 1e9) / 1e9);
    const lastAll = (count: number, is: (level: number) => boolean): boolean => points.length >= count && points.slice(-count).every((level) => level !== null && is(level));
    if (lastAll(3, (level) => level > target.value)) {
      const count = Math.max(fleet.length, needed(points.at(-1)!));
      return count > fleet.length && nowNs - (outs.at(-1)?.atNs ?? -Infinity) < nsOf(outCooldown.value) ? fleet.length : count;
    }
    if (!lastAll(quietCount, (level) => level < target.value * 0.9) || fleet.some(({ isBooting, isWarming }) => isBooting || isWarming)) return fleet.length;
    const count = Math.min(fleet.length, needed(Math.max(...points.map((level) => level!))) + fleet.length - measured.length);
    if (count < fleet.length) points = [];
    return count;
  };
};
