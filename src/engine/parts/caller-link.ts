import { CallQueue } from '../kernel/calls.js';
import type { EventQueue } from '../kernel/event-queue.js';
import { rounded } from '../record/histogram.js';
import { makeBalancer, type Balancer } from './balancing.js';
import { Breaker, type BreakerListener } from './breaker.js';
import type { SharedLink } from './link.js';
import { OutlierDetector, type OutlierListener } from './outlier.js';
import { Pool } from './pool.js';
import { RetryBudget } from './retry-budget.js';
import { belief, Rotation } from './rotation.js';

/**
 * A link as one caller instance has it: its own outstanding calls, pool, breaker and ejections. Several instances do not see each other's (rule 27).
 * Every attempt is told with `sent` and later with `ended`, or else once with `endedOnTheSpot`.
 */
export class CallerLink {
  /** By target: calls sent and not yet ended. */
  readonly outstanding: Int32Array;
  readonly pool: Pool | null;
  readonly breaker: Breaker | null;
  readonly outlier: OutlierDetector | null;
  /** Requests in line for a connection. */
  readonly waiters = new CallQueue();
  /** Whom this caller may call now. */
  readonly rotation: Rotation;
  private readonly balancer: Balancer;
  private readonly retryBudget: RetryBudget | null;

  constructor(readonly shared: SharedLink, readonly callerOrdinal: number, queue: EventQueue) {
    const { plan } = shared;
    const targetCount = shared.beliefs.length;
    this.outstanding = new Int32Array(targetCount);
    this.pool = plan.pool ? new Pool(queue, plan.pool, targetCount) : null;
    this.breaker = plan.breaker ? new Breaker(queue, plan.breaker, this.breakerListener()) : null;
    this.outlier = plan.outlier ? new OutlierDetector(queue, plan.outlier, targetCount, this.outlierListener(), shared.sweepKind, callerOrdinal) : null;
    this.rotation = this.outlier ? new Rotation(targetCount, plan) : shared.rotation;
    this.retryBudget = plan.retries && plan.retries.budget !== Infinity ? new RetryBudget(queue) : null;
    this.balancer = makeBalancer(plan, this.outstanding, shared.slowStart);
    if (this.outlier) {
      shared.tellChanges(this);
      this.review();
    }
  }

  /**
   * Target of the next call, or −1: nobody to send to. A call that stays in the pod, or in its process, goes there whatever is believed of it.
   * `row`: what the call is about, −1 = something of its own.
   */
  choose(key0: number, key1: number, row: number): number {
    if (this.shared.plan.staysInPod) return this.callerOrdinal;
    return this.rotation.count === 0 ? -1 : this.balancer.choose(this.rotation, key0, key1, row);
  }

  /** A call begins: its first attempt, and perhaps others after it. */
  called(): void {
    this.retryBudget?.called();
  }

  /** Whether another attempt keeps within a share of the calls; if so it is counted. */
  mayRetry(share: number): boolean {
    return this.retryBudget === null || this.retryBudget.spend(share);
  }

  /** An attempt goes to the target. */
  sent(target: number): void {
    this.shared.countSent(this.callerOrdinal, target);
    this.outstanding[target]++;
  }

  /** The attempt has its end at this caller: answer, refusal or timeout. Outlier detection and breaker learn of it, unless it is the caller that is gone. */
  ended(target: number, end: number, reason: number): void {
    const { shared } = this;
    shared.countEnd(this.callerOrdinal, target, end, reason);
    this.outstanding[target]--;
    if (reason === shared.plan.reasons.callerGone) return;
    if (this.outlier && shared.beliefs[target] !== belief.absent) this.outlier.learn(target, end, this.rotation.registered);
    this.breaker?.learn(end);
  }

  /** An attempt has its end before it has a target: nobody healthy, no connection, cut off, or a breaker that is open, which does not learn of that. */
  endedOnTheSpot(end: number, reason: number): void {
    const { shared } = this;
    shared.countSent(this.callerOrdinal, -1);
    shared.countEnd(this.callerOrdinal, -1, end, reason);
    if (reason !== shared.plan.reasons.breakerOpen) this.breaker?.learn(end);
  }

  /**
   * The caller's process is gone: its connections closed and all that it had learned forgotten. Its calls have been abandoned one by one before (rule 16); what
   * is still outstanding are messages on their way.
   */
  reset(): void {
    this.waiters.clear();
    this.balancer.reset();
    this.pool?.reset();
    this.breaker?.reset();
    this.retryBudget?.reset();
    this.outlier?.reset();
    if (this.outlier) this.review();
  }

  /** Something else is believed of a target, for those that eject for themselves. */
  targetReviewed(target: number): void {
    if (this.shared.beliefs[target] === belief.absent) this.outlier!.forget(target);
    this.review();
  }

  private review(): void {
    this.rotation.review(this.shared.offered, this.outlier!.ejected);
  }

  private outlierListener(): OutlierListener {
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

  private breakerListener(): BreakerListener {
    const { plan, surroundings: { log } } = this.shared;
    return {
      opened: (share) => log.add('breaker-open', plan.name, 'errors', 'counted', { share: rounded(share) }),
      closed: () => log.add('breaker-closed', plan.name, 'probes', 'counted', {}),
    };
  }
}
