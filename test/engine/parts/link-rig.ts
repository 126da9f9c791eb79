import { EventQueue } from '../../../src/engine/kernel/event-queue.js';
import { belief, CallerLink, SharedLink } from '../../../src/engine/parts/link.js';
import type { LinkPlan } from '../../../src/engine/plan/plan.js';
import { planOf } from '../../../src/engine/plan/planner.js';
import { EventLog } from '../../../src/engine/record/event-log.js';
import { PhaseCuts } from '../../../src/engine/record/phase-cuts.js';
import { PhasedHistogram } from '../../../src/engine/record/phased-histogram.js';
import { parseScenario } from '../../../src/scenario/index.js';
import { scenario } from '../../support/simulated.js';

export const second = 1e9;

export interface RigOptions {
  readonly targets?: number;
  readonly callers?: number;
  readonly staysInPod?: boolean;
}

/** The plan of a link as a file says it: `linkPlan('policy: hash, slowStart: 30s')`. */
export const linkPlan = (link: string): LinkPlan => {
  const { variants } = parseScenario(
    scenario(`
      duration: 1h
      services:
        lb: { to: { svc: { ${link} } } }
        svc: { handlers: { job: [{ wait: { assumed: 1ms } }] } }
      traffic:
        jobs: { to: lb, send: job, open: { rate: 1/s } }
    `),
    { file: 'test.yaml', set: [] },
  );
  return planOf(variants[0]).links.find(({ name }) => name === 'lb.svc')!;
};

/** A link by itself, with all its targets in from the start, and callers that ask and are answered when the test says so. */
export class LinkRig {
  readonly queue = new EventQueue();
  readonly log = new EventLog(this.queue);
  readonly shared: SharedLink;
  readonly callers: readonly CallerLink[];
  private asked = 0;

  constructor(link: string, { targets = 3, callers = 1, staysInPod = false }: RigOptions = {}) {
    const cuts = new PhaseCuts([], 3600 * second);
    this.shared = new SharedLink({ ...linkPlan(link), staysInPod }, targets, callers, 100, () => new PhasedHistogram(this.queue, cuts), { queue: this.queue, log: this.log, targetName: (target) => `svc.${target + 1}`, instances: [] });
    this.callers = Array.from({ length: callers }, (_, ordinal) => new CallerLink(this.shared, ordinal, this.queue));
    for (let target = 0; target < targets; target++) this.shared.believe(target, belief.in);
  }

  get caller(): CallerLink {
    return this.callers[0];
  }

  /** Handles what is due and sets the clock. */
  until(seconds: number): void {
    this.queue.runUntil(seconds * second);
  }

  /** Target of the next call, each with a key of its own. */
  choose(row = -1, caller = this.caller): number {
    const key = this.asked++;
    return caller.choose(key, 77, row);
  }

  /** Targets of the next calls. */
  chosen(count: number): number[] {
    return Array.from({ length: count }, () => this.choose());
  }

  /** How often each target is chosen by the next calls, none of which stays outstanding. */
  shares(calls: number, row: () => number = () => -1): number[] {
    const counts = Array<number>(this.shared.beliefs.length).fill(0);
    for (let i = 0; i < calls; i++) counts[this.choose(row())]++;
    return counts;
  }

  /** So many calls to the target end so, one after the other. */
  end(target: number, outcome: number, times = 1, caller = this.caller): void {
    for (let i = 0; i < times; i++) {
      caller.sent(target);
      caller.ended(target, outcome, -1);
    }
  }

  /** What has been logged, short: `10 ejected svc.1 outlier`. */
  get events(): string[] {
    return this.log.events.map(({ tMs, kind, subject, cause }) => `${tMs / 1000} ${kind} ${subject} ${cause}`);
  }
}
