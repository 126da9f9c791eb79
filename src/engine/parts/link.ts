import * as outcome from '../kernel/outcome.js';
import type { Call } from '../kernel/calls.js';
import type { EventQueue, Lane } from '../kernel/event-queue.js';
import type { LinkPlan } from '../plan/plan.js';
import type { EventLog } from '../record/event-log.js';
import type { PhasedHistogram } from '../record/phased-histogram.js';
import type { CallerLink } from './caller-link.js';
import { Effects } from './effects.js';
import type { Instance } from './instance.js';
import { EndCounts } from './end-counts.js';
import { belief, Rotation, type BeliefCode } from './rotation.js';
import { SlowStart } from './slow-start.js';

export { CallerLink } from './caller-link.js';
export { belief, failsOpen, type BeliefCode } from './rotation.js';

/** Where a link tells what happens on it. */
export interface LinkSurroundings {
  readonly queue: EventQueue;
  readonly log: EventLog;
  readonly targetName: (target: number) => string;
  /** Of the callee, by target. */
  readonly instances: readonly Instance[];
}

/**
 * What all instances of a caller share of a link: which targets are registered, what the one prober believes of them (rule 33), what a fault does to its
 * messages, and what is counted. Without a health check a link knows nothing of death (rule 58).
 */
export class SharedLink {
  /** By target: code of `belief`, as the prober has it. */
  readonly beliefs: Uint8Array;
  /** By target: what is believed, but absent for one that is kept back. */
  readonly offered: Uint8Array;
  /** Called with each end of a probe. */
  readonly probeListeners: ((target: number, isGood: boolean) => void)[] = [];
  /** Consecutive good or bad probes towards the next verdict. */
  readonly towards: Uint16Array;
  /** Whom a call may go to now, as far as probes tell. */
  readonly rotation: Rotation;
  readonly slowStart: SlowStart;
  readonly effects = new Effects();

  /** Of the callee, by target. */
  readonly instances: readonly Instance[];
  /** Timeouts of attempts and of probes that are under way; made when the first begins. */
  timeouts: Lane<Call> | null = null;
  probeTimeouts: Lane<Call> | null = null;
  /** Deadlines of calls over it, and its messages there and back. */
  deadlines: Lane<Call> | null = null;
  readonly lanes: [Lane<Call> | null, Lane<Call> | null] = [null, null];

  /** Attempts by target, and by caller: those without a target are only in the latter. */
  readonly targets: EndCounts;
  readonly callers: EndCounts;
  readonly totals = { probes: { sent: 0, good: 0, bad: 0 }, ejections: 0, retries: 0, opened: 0 };
  /** Of good attempts, ns, from being sent. */
  readonly latency: PhasedHistogram;
  /** Of all waits for a connection, ns. */
  readonly poolWait: PhasedHistogram;
  readonly reasons: Float64Array;
  /** Event in which a caller instance looks through its ejections; its argument is the caller's ordinal. */
  readonly sweepKind: number;

  /** By target: 1 = registered and probed, but without traffic. */
  readonly keptBack: Uint8Array;
  /** Caller instances that eject targets for themselves, by ordinal. */
  private readonly ejecting: CallerLink[] = [];

  constructor(readonly plan: LinkPlan, targetCount: number, callerCount: number, reasonCount: number, makeHistogram: () => PhasedHistogram, readonly surroundings: LinkSurroundings) {
    this.instances = surroundings.instances;
    this.beliefs = new Uint8Array(targetCount);
    this.offered = new Uint8Array(targetCount);
    this.keptBack = new Uint8Array(targetCount);
    this.towards = new Uint16Array(targetCount);
    this.rotation = new Rotation(targetCount, plan);
    this.slowStart = new SlowStart(surroundings.queue, targetCount, plan.slowStartNs);
    this.targets = new EndCounts(targetCount);
    this.callers = new EndCounts(callerCount);
    this.latency = makeHistogram();
    this.poolWait = makeHistogram();
    this.reasons = new Float64Array(reasonCount * 4);
    this.sweepKind = plan.outlier ? surroundings.queue.register((ordinal) => this.ejecting[ordinal].outlier!.sweep()) : -1;
  }

  /** Attempts so far, and those that have ended so. */
  get sent(): number {
    return this.callers.allSent;
  }
  ended(outcome: number): number {
    return this.callers.allEnded(outcome);
  }

  get availableCount(): number {
    return this.rotation.available;
  }

  /** True while any caller instance sends to everyone because too few are available. */
  get failingOpen(): boolean {
    return this.rotation.failingOpen || this.ejecting.some(({ rotation }) => rotation.failingOpen);
  }

  /** What the prober, or whoever registers targets, believes of a target from now on. */
  believe(target: number, code: BeliefCode): void {
    if (code === belief.in && this.beliefs[target] !== belief.in) this.slowStart.begin(target);
    this.beliefs[target] = code;
    this.towards[target] = 0;
    this.review(target);
  }

  /** Whether a target is registered and probed but gets no traffic, whatever is believed of it: the new fleet of a blue-green deployment before the move. */
  keepBack(target: number, isKept: boolean): void {
    const isReleased = !isKept && this.keptBack[target] === 1 && this.beliefs[target] === belief.in;
    this.keptBack[target] = isKept ? 1 : 0;
    if (isReleased) this.slowStart.begin(target);
    this.review(target);
    if (!isReleased || this.plan.health === null) return;
    const { log, targetName } = this.surroundings;
    log.add('ready', targetName(target), 'first probe', 'counted', { link: this.plan.name, good: 1, inRotation: this.availableCount });
  }

  /** A good probe of a target that is believed in. */
  probePassed(target: number): void {
    for (const { outlier } of this.ejecting) outlier!.probePassed(target);
  }

  /** Code into the study's `beliefs`: `ejected` when any caller instance has ejected it, else what the prober believes. */
  shownBelief(target: number): number {
    const isEjected = this.ejecting.some(({ outlier }) => outlier!.ejected[target] === 1);
    return isEjected ? belief.ejected : this.beliefs[target];
  }

  /** An attempt begins that is not the first of its call. */
  retried(): void {
    this.totals.retries++;
  }

  /** A connection has been opened. */
  opened(): void {
    this.totals.opened++;
  }

  countSent(caller: number, target: number): void {
    this.callers.sent(caller);
    if (target >= 0) this.targets.sent(target);
  }

  countEnd(caller: number, target: number, end: number, reason: number): void {
    this.callers.ended(caller, end);
    if (target >= 0) this.targets.ended(target, end);
    if (end !== outcome.good && reason >= 0) this.reasons[reason * 4 + end]++;
  }

  /** A caller instance that ejects targets for itself wants to know of every change. */
  tellChanges(caller: CallerLink): void {
    this.ejecting[caller.callerOrdinal] = caller;
  }

  private review(target: number): void {
    this.offered[target] = this.keptBack[target] === 1 ? belief.absent : this.beliefs[target];
    this.rotation.review(this.offered, null);
    for (const caller of this.ejecting) caller.targetReviewed(target);
  }
}
