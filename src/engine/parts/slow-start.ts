import { exp, ln } from '../kernel/elementary.js';
import type { EventQueue } from '../kernel/event-queue.js';

const leastWeight = 0.1;
const leastAgeNs = 1e9;

/**
 * Share of its full weight that a target has so long after it became available, both in ns: from 10 % up to 1, linearly with an aggression of 1, the only one
 * that the language knows. Envoy slow_start.rst: max(10 %, (max(age, 1 s) ÷ window) ^ (1 ÷ aggression)).
 */
export const slowStartWeight = (ageNs: number, windowNs: number, aggression = 1): number => {
  const share = Math.max(ageNs, leastAgeNs) / windowNs;
  if (share >= 1) return 1;
  return Math.max(leastWeight, aggression === 1 ? share : exp(ln(share) / aggression));
};

/** Weights of the targets of a link. All are 1, except those of targets that became available after the start of the run, for as long as their window lasts. */
export class SlowStart {
  private readonly sinceNs: Float64Array;
  private lastEndNs = -Infinity;

  constructor(private readonly queue: EventQueue, targetCount: number, private readonly windowNs: number) {
    this.sinceNs = new Float64Array(targetCount).fill(-Infinity);
  }

  /** The target is available from now on; what is there at the start of the run is warm. */
  begin(target: number): void {
    if (this.windowNs === 0 || this.queue.now === 0) return;
    this.sinceNs[target] = this.queue.now;
    this.lastEndNs = this.queue.now + this.windowNs;
  }

  get allEqual(): boolean {
    return this.queue.now >= this.lastEndNs;
  }

  weight(target: number): number {
    return slowStartWeight(this.queue.now - this.sinceNs[target], this.windowNs);
  }
}
