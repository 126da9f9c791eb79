import { outcome } from '../kernel/calls.js';
import type { EventQueue } from '../kernel/event-queue.js';
import type { LinkPlan } from '../plan/plan.js';

/** Codes into the study's `breakerStates`. */
export const breakerState = { closed: 0, open: 1, halfOpen: 2 } as const;
export type BreakerState = 0 | 1 | 2;

export interface BreakerListener {
  /** `share` of calls that were bad: of the window, or of the probes. */
  opened(share: number): void;
  closed(): void;
}

const buckets = 10;

/**
 * A circuit breaker of one caller instance over one link. Closed, it counts ends over a sliding window; once at least `minimum` are there and a share of
 * `errors` or more was bad (refused or failed), it opens and lets nothing through for `open`. Then, half-open, it lets `probes` calls through: all good closes
 * it, a bad one opens it again. What was let through earlier and ends half-open counts like a probe, as in resilience4j
 * (CircuitBreaker docs); what ends while it is open counts for nothing.
 *
 * The window has ten buckets of a tenth each, the running one included: what is counted is the last 0.9 to 1.0 windows.
 */
export class Breaker {
  private current: BreakerState = breakerState.closed;
  private openUntilNs = 0;
  /** Calls that may still be let through half-open, and good ends that are still wanted. */
  private probesLeft = 0;
  private goodWanted = 0;
  private readonly total = new Float64Array(buckets);
  private readonly bad = new Float64Array(buckets);
  private windowTotal = 0;
  private windowBad = 0;
  /** Number of the running bucket, from the start of the run. */
  private bucket = 0;

  constructor(private readonly queue: EventQueue, private readonly plan: NonNullable<LinkPlan['breaker']>, private readonly listener: BreakerListener) {}

  get state(): BreakerState {
    return this.current === breakerState.open && this.queue.now >= this.openUntilNs ? breakerState.halfOpen : this.current;
  }

  /** Whether an attempt may be made now. To be asked once an attempt: half-open it counts the one that it lets through. */
  allows(): boolean {
    if (this.current === breakerState.closed) return true;
    if (this.state === breakerState.open) return false;
    if (this.current === breakerState.open) this.beHalfOpen();
    if (this.probesLeft === 0) return false;
    this.probesLeft--;
    return true;
  }

  /** An attempt that was let through has ended. */
  learn(end: number): void {
    if (this.current === breakerState.open) return;
    const isBad = end === outcome.refused || end === outcome.failed;
    if (this.current === breakerState.closed) return this.count(isBad);
    if (isBad) this.open(1 / (this.plan.probes - this.goodWanted + 1));
    else if (--this.goodWanted === 0) {
      this.reset();
      this.listener.closed();
    }
  }

  /** The caller's process is gone: the next one begins closed. */
  reset(): void {
    this.current = breakerState.closed;
    this.clearWindow();
  }

  private count(isBad: boolean): void {
    const { plan } = this;
    this.advance();
    const at = this.bucket % buckets;
    this.total[at]++;
    this.windowTotal++;
    if (isBad) {
      this.bad[at]++;
      this.windowBad++;
    }
    const share = this.windowBad / this.windowTotal;
    if (this.windowTotal >= plan.minimum && this.windowBad > 0 && share >= plan.errors) this.open(share);
  }

  /** Drops the buckets that the window has left behind. */
  private advance(): void {
    const now = Math.floor((this.queue.now * buckets) / this.plan.windowNs);
    if (now - this.bucket >= buckets) this.clearWindow();
    for (let bucket = Math.max(this.bucket + 1, now - buckets + 1); bucket <= now; bucket++) {
      const at = bucket % buckets;
      this.windowTotal -= this.total[at];
      this.windowBad -= this.bad[at];
      this.total[at] = 0;
      this.bad[at] = 0;
    }
    this.bucket = now;
  }

  private open(share: number): void {
    this.current = breakerState.open;
    this.openUntilNs = this.queue.now + this.plan.openNs;
    this.clearWindow();
    this.listener.opened(share);
  }

  /** The time of being open is over; seen when somebody asks. */
  private beHalfOpen(): void {
    this.current = breakerState.halfOpen;
    this.probesLeft = this.plan.probes;
    this.goodWanted = this.plan.probes;
  }

  private clearWindow(): void {
    this.total.fill(0);
    this.bad.fill(0);
    this.windowTotal = 0;
    this.windowBad = 0;
  }
}
