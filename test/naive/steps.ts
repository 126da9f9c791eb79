import { siteOf } from '../../src/engine/kernel/keyed-draws.js';
import type { Step } from '../../src/scenario/model.js';
import type { Transaction } from './holdings.js';
import { Run, type Steps } from './run.js';
import type { World } from './world.js';
import { drawn, drawnNs, type End, good, keyUnder, nsOf, pickByWeight } from './words.js';

/** Branches have keys of their own. */
const branchSite = 0x6a09e667;
const hows = { decline: 'declined', refuse: 'refused', fail: 'failed' } as const;

/** Steps as the language describes them, one after another; the first bad end is the end of the list. */
export class Interpreter {
  constructor(private readonly world: World) {}

  /** `outer` tells apart the draws of repetitions of what is around the list; `around`: the transaction that it is in. */
  *list(run: Run, steps: readonly Step[], outer = 0, around: Transaction | null = null): Steps {
    for (const step of steps) {
      for (let i = 0; i < step.times.value; i++) {
        const end = yield* this.perhaps(run, step, outer * step.times.value + i, around);
        if (end.how !== 'good') return end;
      }
    }
    return good;
  }

  private *perhaps(run: Run, step: Step, occurrence: number, around: Transaction | null): Steps {
    if (step.chance.value < 1 && drawn(run.key, siteOf(`${step.path}.chance`), occurrence) >= step.chance.value) return good;
    const end = yield* this.step(run, step, occurrence, around);
    // In a transaction that has lost its connection nothing goes on.
    if (end.how === 'good' || !step.orElse || isLost(around)) return end;
    return yield* this.list(run, step.orElse, occurrence, around);
  }

  private *step(run: Run, step: Step, occurrence: number, around: Transaction | null): Steps {
    const { asking, holdings } = this.world;
    const site = siteOf(step.path);
    const holder = around?.link.callee ?? run.place.name;
    switch (step.verb) {
      case 'cpu':
        return yield* this.world.door.compute(run, this.ownTime(run, drawnNs(step.demand, step.path, run.key, occurrence)));
      case 'wait': {
        const ns = this.ownTime(run, drawnNs(step.time, step.path, run.key, occurrence));
        return ns === 0 ? good : yield* run.sleep(ns);
      }
      case 'call': {
        const { service, request = run.request } = step.target;
        return yield* asking.ask(run, run.place.links.get(service)!, request, site, occurrence, overOf(around, service), step.retries ?? null, `${step.path}.retries`);
      }
      case 'publish':
        this.world.messages.publish(run, run.place.links.get(step.target.service)!, step.target.request ?? run.request, keyUnder(run.key, site, occurrence));
        return good;
      case 'parallel':
        return yield* this.parallel(run, step.branches, site, occurrence, around);
      case 'choose':
        return yield* this.list(run, step.options[pickByWeight(step.options.map(({ weight }) => weight.value), run.key, site, occurrence)].steps, occurrence, around);
      case 'transaction':
        return yield* holdings.transaction(run, step, occurrence, around, (inner) => this.list(run, step.steps, occurrence, inner));
      case 'lock':
        return yield* holdings.lock(run, step, holder, around);
      case 'take':
        return holdings.take(run, holder, step.name, around);
      case 'put':
        return holdings.put(run, holder, step.name, step.count.value, around);
      case 'cache':
        return drawn(run.key, site, occurrence) < step.hit.value * this.filled(run, nsOf(step.fill.value)) ? good : yield* this.list(run, step.miss, occurrence, around);
      case 'decline':
      case 'refuse':
      case 'fail':
        return { how: hows[step.verb], why: `${run.place.name}: ${step.reason}` };
      case 'push':
        throw new Error('sockets are not simulated here');
    }
  }

  /** All at once, each as if it came anew at this instant; over with the last of them, with the first bad end there was. */
  private *parallel(run: Run, branches: readonly (readonly Step[])[], site: number, occurrence: number, around: Transaction | null): Steps {
    let first: End = good;
    const going: Run[] = [];
    const over = (branch: Run, end: End): void => {
      branch.isOver = true;
      this.world.holdings.releaseAll(branch);
      going.splice(going.indexOf(branch), 1);
      if (first.how === 'good') first = end;
      if (going.length === 0) run.goOn(first);
    };
    branches.forEach((steps, number) => {
      const branch = new Run(this.world.agenda, run.place, keyUnder(run.key, site + Math.imul(number + 1, branchSite), occurrence), run.row, run.request, run, null, over);
      branch.isBesideSlots = run.isBesideSlots;
      branch.steps = this.list(branch, steps, 0, around);
      going.push(branch);
    });
    for (const branch of going) branch.grant();
    run.undo = (why) => {
      for (const branch of [...going].reverse()) {
        branch.leave(why);
        this.world.holdings.releaseAll(branch);
        branch.isOver = true;
      }
    };
    return yield;
  }

  /** A drawn time of its own, longer while the process is slow; whole ns. */
  private ownTime({ place }: Run, ns: number): number {
    return Math.round(ns * (place.instance?.slowness ?? 1));
  }

  /** How full a cache of the process is (rule 13). */
  private filled({ place: { instance } }: Run, fillNs: number): number {
    return fillNs === 0 || !instance ? 1 : Math.min(1, (this.world.agenda.now - instance.upSinceNs) / fillNs);
  }
}

const isLost = (around: Transaction | null): boolean => around !== null && (around.isBroken || isLost(around.outer));

/** The innermost transaction with a service, over whose connection calls to it go. */
const overOf = (around: Transaction | null, service: string): Transaction | null => (around === null || around.link.callee === service ? around : overOf(around.outer, service));
