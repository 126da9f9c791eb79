import type { EventQueue } from '../kernel/event-queue.js';

const buckets = 10;

/**
 * How often two kinds of things happened lately. The window has ten buckets of a tenth each, the running one included: what counts is the last 0.9 to 1.0
 * windows. Sums are kept, so asking costs nothing and nothing is allocated.
 */
export class SlidingWindow {
  private readonly first = new Float64Array(buckets);
  private readonly second = new Float64Array(buckets);
  private firstSum = 0;
  private secondSum = 0;
  /** Number of the running bucket, from the start of the run. */
  private bucket = 0;

  constructor(private readonly queue: EventQueue, private readonly windowNs: number) {}

  addFirst(): void {
    this.advance();
    this.first[this.bucket % buckets]++;
    this.firstSum++;
  }

  addSecond(): void {
    this.advance();
    this.second[this.bucket % buckets]++;
    this.secondSum++;
  }

  get firstCount(): number {
    this.advance();
    return this.firstSum;
  }

  get secondCount(): number {
    this.advance();
    return this.secondSum;
  }

  clear(): void {
    this.first.fill(0);
    this.second.fill(0);
    this.firstSum = 0;
    this.secondSum = 0;
  }

  /** Drops the buckets that the window has left behind. */
  private advance(): void {
    const running = Math.floor((this.queue.now * buckets) / this.windowNs);
    if (running === this.bucket) return;
    for (let bucket = Math.max(this.bucket + 1, running - buckets + 1); bucket <= running; bucket++) {
      const at = bucket % buckets;
      this.firstSum -= this.first[at];
      this.secondSum -= this.second[at];
      this.first[at] = 0;
      this.second[at] = 0;
    }
    this.bucket = running;
  }
}
