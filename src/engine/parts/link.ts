import { CallQueue, outcome, type CallPool } from '../kernel/calls.js';
import type { EventQueue } from '../kernel/event-queue.js';
import type { LinkPlan } from '../plan/plan.js';
import type { EventLog } from '../record/event-log.js';
import { rounded } from '../record/histogram.js';
import type { PhasedHistogram } from '../record/phased-histogram.js';
import { makeBalancer, type Balancer } from './balancing.js';
import { Breaker } from './breaker.js';
import { Effects } from './effects.js';
import { EndCounts } from './end-counts.js';
import { OutlierDetector } from './outlier.js';
import { Pool } from './pool.js';
import { belief, Rotation, type BeliefCode } from './rotation.js';
import { SlowStart } from './slow-start.js';

export { belief, failsOpen, type BeliefCode } from './rotation.js';

/** Where a link tells what happens on it. */
export interface LinkSurroundings {
  readonly queue: EventQueue;
  readonly log: EventLog;
  readonly targetName: (target: number) => string;
}

/**
 * What all instances of a caller share of a link: which targets are registered, what the one prober believes of them (rule 33), what a fault does to its
 * messages, and what is counted. Without a health check a link knows nothing of death (rule 58).
 */
export class SharedLink {
  /** By target: code of `belief`, as the prober has it. */
  readonly beliefs: Uint8Array;
  /** Consecutive good or bad probes towards the next verdict. */
  readonly towards: Uint16Array;
  /** Whom a call may go to now, as far as probes tell. */
  readonly rotation: Rotation;
  readonly slowStart: SlowStart;
  readonly effects = new Effects();

  readonly targets: EndCounts;
  readonly callers: EndCounts;
  readonly totals = { sent: 0, ended: [0, 0, 0, 0] as [number, number, number, number], probes: { sent: 0, good: 0, bad: 0 }, ejections: 0, retries: 0, opened: 0 };
  /** Attempts after the first of their call, and connections opened, in the running tick. */
  tickRetries = 0;
  tickOpened = 0;
  /** Of good attempts, ns, from being sent. */
  readonly latency: PhasedHistogram;
  /** Of all waits for a connection, ns. */
  readonly poolWait: PhasedHistogram;
  readonly reasons: Float64Array;
  /** Event in which a caller instance looks through its ejections; its argument is the caller's ordinal. */
  readonly sweepKind: number;

  /** Caller instances that eject targets for themselves, by ordinal. */
  private readonly ejecting: CallerLink[] = [];

  constructor(readonly plan: LinkPlan, targetCount: number, callerCount: number, reasonCount: number, makeHistogram: () => PhasedHistogram, readonly surroundings: LinkSurroundings) {
    this.beliefs = new Uint8Array(targetCount);
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
    this.rotation.review(this.beliefs, null);
    for (const caller of this.ejecting) caller.targetReviewed(target);
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

  countRetry(): void {
    this.totals.retries++;
    this.tickRetries++;
  }

  countOpened(): void {
    this.totals.opened++;
    this.tickOpened++;
  }

  countSent(caller: number, target: number): void {
    this.totals.sent++;
    this.callers.sent(caller);
    if (target >= 0) this.targets.sent(target);
  }

  countEnd(caller: number, target: number, end: number, reason: number): void {
    this.totals.ended[end]++;
    this.callers.ended(caller, end);
    if (target >= 0) this.targets.ended(target, end);
    if (end !== outcome.good && reason >= 0) this.reasons[reason * 4 + end]++;
  }

  /** A caller instance that ejects targets for itself wants to know of every change. */
  tellChanges(caller: CallerLink): void {
    this.ejecting[caller.callerOrdinal] = caller;
  }
}

/**
 * A link as one caller instance has it: its own outstanding calls, pool, breaker and ejections. Several instances do not see each other's (rule 27).
 * Every attempt is told once with `sent` and once with `ended`, also one that is refused before it has a target.
 */
export class CallerLink {
  /** By target: calls sent and not yet ended. */
  readonly outstanding: Int32Array;
  readonly pool: Pool | null;
  readonly breaker: Breaker | null;
  readonly outlier: OutlierDetector | null;
  /** Requests in line for a connection. */
  readonly waiters: CallQueue;
  /** Whom this caller may call now. */
  readonly rotation: Rotation;
  private readonly balancer: Balancer;

  constructor(readonly shared: SharedLink, readonly callerOrdinal: number, calls: CallPool, queue: EventQueue) {
    const { plan } = shared;
    const targetCount = shared.beliefs.length;
    this.outstanding = new Int32Array(targetCount);
    this.waiters = new CallQueue(calls);
    this.pool = plan.pool ? new Pool(queue, plan.pool, targetCount, () => shared.countOpened()) : null;
    this.breaker = plan.breaker ? new Breaker(queue, plan.breaker, this.breakerListener()) : null;
    this.outlier = plan.outlier ? new OutlierDetector(queue, plan.outlier, targetCount, this.outlierListener(), shared.sweepKind, callerOrdinal) : null;
    this.rotation = this.outlier ? new Rotation(targetCount, plan) : shared.rotation;
    this.balancer = makeBalancer(plan, this.outstanding, shared.slowStart);
    if (this.outlier) {
      shared.tellChanges(this);
      this.review();
    }
  }

  /**
   * Target of the next call, or −1: nobody to send to. Between a sidecar and its pod it is the one in the same pod, whatever is believed of it.
   * `row`: what the call is about, −1 = something of its own.
   */
  choose(key0: number, key1: number, row: number): number {
    if (this.shared.plan.staysInPod) return this.callerOrdinal;
    return this.rotation.count === 0 ? -1 : this.balancer.choose(this.rotation, key0, key1, row);
  }

  /** An attempt goes to the target; −1: it is refused on the spot, and has none. */
  sent(target: number): void {
    this.shared.countSent(this.callerOrdinal, target);
    if (target >= 0) this.outstanding[target]++;
  }

  /** The attempt has its end at this caller: answer, refusal or timeout. Outlier detection and breaker learn of it. */
  ended(target: number, end: number, reason: number): void {
    const { shared } = this;
    this.countEnd(target, end, reason);
    if (this.outlier && target >= 0 && shared.beliefs[target] !== belief.absent) this.outlier.learn(target, end, this.rotation.registered);
    if (this.breaker && reason !== shared.plan.reasons.breakerOpen) this.breaker.learn(end);
  }

  /** The caller's process dies while the attempt is under way: it counts as failed, but nobody learns from it. */
  lost(target: number, reason: number): void {
    this.countEnd(target, outcome.failed, reason);
  }

  /** The caller's process is gone: its connections closed, its calls nobody's (rule 16), and all that it had learned forgotten. */
  reset(): void {
    this.outstanding.fill(0);
    this.waiters.clear();
    this.balancer.reset();
    this.pool?.reset();
    this.breaker?.reset();
    this.outlier?.reset();
    if (this.outlier) this.review();
  }

  /** Something else is believed of a target, for those that eject for themselves. */
  targetReviewed(target: number): void {
    if (this.shared.beliefs[target] === belief.absent) this.outlier!.forget(target);
    this.review();
  }

  private countEnd(target: number, end: number, reason: number): void {
    this.shared.countEnd(this.callerOrdinal, target, end, reason);
    if (target >= 0) this.outstanding[target]--;
  }

  private review(): void {
    this.rotation.review(this.shared.beliefs, this.outlier!.ejected);
  }

  private outlierListener(): { ejected(target: number, bad: number): void; returned(target: number, cause: string): void } {
    const { shared, shared: { plan, surroundings: { log, targetName } } } = this;
    return {
      ejected: (target, bad) => {
        this.review();
        shared.totals.ejections++;
        log.add('ejected', targetName(target), 'outlier', 'counted', { link: plan.name, bad, inRotation: this.rotation.available });
      },
      returned: (target, cause) => {
        this.review();
        log.add('ready', targetName(target), cause, 'counted', { link: plan.name, good: cause === 'probes' ? 1 : 0, inRotation: this.rotation.available });
      },
    };
  }

  private breakerListener(): { opened(share: number): void; closed(): void } {
    const { plan, surroundings: { log } } = this.shared;
    return {
      opened: (share) => log.add('breaker-open', plan.name, 'errors', 'counted', { share: rounded(share) }),
      closed: () => log.add('breaker-closed', plan.name, 'probes', 'counted', {}),
    };
  }
}
