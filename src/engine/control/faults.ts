import type { Fault } from '../../scenario/model.js';
import type { EventQueue } from '../kernel/event-queue.js';
import { samplerOf } from '../kernel/sampler.js';
import type { Effect, Effects } from '../parts/effects.js';
import type { Instance } from '../parts/instance.js';
import type { SharedLink } from '../parts/link.js';
import { toNs, type Plan } from '../plan/plan.js';
import type { EventLog } from '../record/event-log.js';
import { Deployments } from './deployments.js';
import type { Fleet } from './fleet.js';
import type { FlowDoor } from './flow-door.js';
import { Hog } from './hog.js';
import { Leaks } from './leaks.js';
import { Steals } from './steals.js';

/** What faults work with. */
export interface FaultContext {
  readonly queue: EventQueue;
  readonly plan: Plan;
  readonly fleet: Fleet;
  readonly flow: FlowDoor;
  readonly log: EventLog;
  readonly links: readonly SharedLink[];
}

/** What one fault does when it begins, and when it is over. `done` is for one that ends by itself: it tells so. */
interface Deed {
  begin(done: () => void): void;
  end?(): void;
}

/**
 * Schedules all faults of a run, and the leaks that services have of their own. A fault hits from `at` (inclusive) to `at + for` (exclusive); faults on one target
 * overlap (rule 42). One on a service hits all its places, so also instances that come up later.
 */
export const scheduleFaults = (faults: readonly Fault[], context: FaultContext): void => {
  const { queue, log, plan, fleet, flow } = context;
  const tools = { steals: new Steals(), leaks: new Leaks(queue, flow, fleet.instances, plan.tickNs), deployments: new Deployments(context) };
  const deeds = faults.map((fault) => deedOf(fault, context, tools));
  const ended = (index: number): void => log.add('fault-end', faults[index].name, faults[index].what.verb, 'counted', { target: targetName(faults[index]) });
  const beginKind = queue.register((index) => {
    log.add('fault', faults[index].name, faults[index].what.verb, 'counted', { target: targetName(faults[index]) });
    deeds[index].begin(() => ended(index));
  });
  const endKind = queue.register((index) => {
    deeds[index].end!();
    ended(index);
  });
  faults.forEach(({ atMs, untilMs }, index) => {
    queue.at(toNs(atMs), beginKind, index);
    if (deeds[index].end && toNs(untilMs) < plan.durationNs) queue.at(toNs(untilMs), endKind, index);
  });
};

interface Tools {
  readonly steals: Steals;
  readonly leaks: Leaks;
  readonly deployments: Deployments;
}

const deedOf = (fault: Fault, context: FaultContext, { steals, leaks, deployments }: Tools): Deed => {
  const { fleet, flow, queue } = context;
  const { what } = fault;
  if ('caller' in fault.target) return affecting(linksOf(fault, context), effectOf(fault));
  const hit = instancesOf(fault, fleet.instances);
  switch (what.verb) {
    case 'crash':
      return crashing(fault, hit, fleet);
    case 'steal':
      return { begin: () => steals.begin(hit, what.amount.value), end: () => steals.end(hit, what.amount.value) };
    case 'freeze':
      return freezing(hit, flow);
    case 'leak':
      return { begin: () => leaks.change(hit, what.amount.value), end: () => leaks.change(hit, -what.amount.value) };
    case 'hog':
      return new Hog(queue, fleet, flow, hit, what.amount.value);
    case 'deploy':
      return { begin: (done) => deployments.begin(hit[0].service, what, done) };
    default:
      return affecting(hit, effectOf(fault), () => hit.forEach((instance) => flow.openedAgain(instance)));
  }
};

const effectOf = ({ name, what }: Fault): Effect => {
  switch (what.verb) {
    case 'slow':
    case 'errors':
    case 'loss':
      return { [what.verb]: what.amount.value };
    case 'latency':
      return { latency: samplerOf(what.latency, `faults.${name}.latency`, 1e6) };
    case 'blackhole':
    case 'cut':
      return { [what.verb]: true };
    default:
      throw new TypeError(`fault ${name}: no effect on messages`);
  }
};

const affecting = (targets: readonly { readonly effects: Effects }[], effect: Effect, after = (): void => {}): Deed => ({
  begin: () => targets.forEach(({ effects }) => effects.begin(effect)),
  end: () => {
    for (const { effects } of targets) effects.end(effect);
    after();
  },
});

/** At one instant; with a `for` also who comes up before its end, and nobody comes back until then. */
const crashing = ({ name, untilMs, hasEnd }: Fault, hit: readonly Instance[], fleet: Fleet): Deed => {
  let goesOn = false;
  const crash = (instance: Instance): void => {
    if (hasEnd) fleet.keepDown(instance, toNs(untilMs));
    fleet.crash(instance, name);
  };
  if (hasEnd) fleet.listen({ started: (instance) => void (goesOn && hit.includes(instance) && crash(instance)) });
  return {
    begin: () => {
      goesOn = true;
      hit.forEach(crash);
    },
    ...(hasEnd && { end: () => void (goesOn = false) }),
  };
};

/** Nothing moves in the process: neither computing nor waiting, nor is anything answered. */
const freezing = (hit: readonly Instance[], flow: FlowDoor): Deed => {
  const effect: Effect = { freeze: true };
  return {
    begin: () => {
      for (const { effects, container } of hit) {
        effects.begin(effect);
        container.setFrozen(true);
      }
    },
    end: () => {
      for (const instance of hit) {
        instance.effects.end(effect);
        if (instance.effects.isFrozen) continue;
        instance.container.setFrozen(false);
        if (instance.serves) flow.thawed(instance);
      }
    },
  };
};

const instancesOf = ({ target }: Fault, instances: readonly Instance[]): Instance[] =>
  'service' in target ? instances.filter(({ service, ordinal }) => service.name === target.service && (target.instance === undefined || ordinal === target.instance - 1)) : [];

const linksOf = ({ target }: Fault, { links, plan }: FaultContext): SharedLink[] =>
  'caller' in target ? links.filter(({ plan: link }) => link.callerName === target.caller && plan.services[link.callee].name === target.callee) : [];

/** As written; a link with an arrow. */
const targetName = ({ target }: Fault): string => ('caller' in target ? `${target.caller} → ${target.callee}` : target.instance === undefined ? target.service : `${target.service}.${target.instance}`);
