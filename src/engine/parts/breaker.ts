import * as outcome from '../kernel/outcome.js';
import type { EventQueue } from '../kernel/event-queue.js';
import type { LinkPlan } from '../plan/plan.js';
import { SlidingWindow } from './sliding-window.js';
import { zero } from '../kernel/zero.js';

/** Codes into the study's `breakerStates`. */
export const breakerState = { closed: 0, open: 1, halfOpen: 2 } as const;
export type BreakerState = 0 | 1 | 2;

export interface BreakerListener {
  /** `share` of calls that were bad: of the window, or of the probes. */
  opened(share: number): void;
  closed(): void;
}

/**
 * A circuit breaker of one caller instance over one link. Closed, it counts ends over a sliding window; once at least `minimum` are there and a share of
 * `errors` or more was bad (refused or failed), it opens and lets nothing through for `open`. Then, half-open, it lets `probes` calls through: all good closes
 * it, a bad one opens it again. What was let through earlier and ends half-open counts like a probe, as in resilience4j
 * (CircuitBreaker docs); what ends while it is open counts for nothing. Probes without a verdict after another `open` are given up, and as many
 * others let through: an attempt that is taken back before it is sent has no end.
 */
export class Breaker {
  private current: BreakerState = breakerState.closed;
  private openUntilNs = zero;
  private halfOpenNs = zero;
  /** Calls that may still be let through half-open, and good ends that are still wanted. */
  private probesLeft = 0;
  private goodWanted = 0;
  /** Ends first, bad ones among them second. */
  private readonly window: SlidingWindow;

  constructor(private readonly queue: EventQueue, private readonly plan: NonNullable<LinkPlan['breaker']>, private readonly listener: BreakerListener) {
    this.window = new SlidingWindow(queue, plan.windowNs);
  }

  get state(): BreakerState {
    return this.current === breakerState.open && this.queue.now >= this.openUntilNs ? breakerState.halfOpen : this.current;
  }

  /** Whether an attempt may be made now. To be asked once an attempt: half-open it counts the one that it lets through. */
  allows(): boolean {
    if (this.current === breakerState.closed) return true;
    if (this.state === breakerState.open) return false;
    const isGivenUp = this.current === breakerState.halfOpen && this.queue.now >= this.halfOpenNs + this.plan.openNs;
    if (this.current === breakerState.open || isGivenUp) this.beHalfOpen();
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
    this.window.clear();
  }

  private count(isBad: boolean): void {
    const { plan, window } = this;
    window.addFirst();
    if (isBad) window.addSecond();
    const ends = window.firstCount;
    const share = window.secondCount / ends;
    if (ends >= plan.minimum && share > 0 && share >= plan.errors) this.open(share);
  }

  private open(share: number): void {
    this.current = breakerState.open;
    this.openUntilNs = this.queue.now + this.plan.openNs;
    this.listener.opened(share);
  }

  /** The time of being open is over; seen when somebody asks. */
  private beHalfOpen(): void {
    this.current = breakerState.halfOpen;
    this.halfOpenNs = this.queue.now;
    this.probesLeft = this.plan.probes;
    this.goodWanted = this.plan.probes;
  }
}
