import type { EventQueue } from '../kernel/event-queue.js';
import { SlidingWindow } from './sliding-window.js';

/** As long as Finagle's budget remembers (RetryBudget, `ttl`): calls of a quiet hour do not pay for the retries of an incident. */
const windowNs = 10e9;

/**
 * Keeps the retries of one caller instance over one link, or of one step in one instance, within a share of the first tries, both over the last 10 s. There is
 * no floor: of few calls none may be retried.
 */
export class RetryBudget {
  /** Calls first, retries second. */
  private readonly window: SlidingWindow;

  constructor(queue: EventQueue) {
    this.window = new SlidingWindow(queue, windowNs);
  }

  called(): void {
    this.window.addFirst();
  }

  /** True: there may be one more retry, and it is counted. */
  spend(share: number): boolean {
    const isWithin = (this.window.secondCount + 1) / this.window.firstCount <= share;
    if (isWithin) this.window.addSecond();
    return isWithin;
  }

  reset(): void {
    this.window.clear();
  }
}
