import type { Phase } from '../../scenario/model.js';
import { toNs } from '../plan/plan.js';

/** The run cut at the ends of all phases. */
export class PhaseCuts {
  /** Ascending, the first 0. */
  readonly startsNs: readonly number[];
  private current = 0;
  /** Start of the next segment. */
  private nextNs: number;

  constructor(phases: readonly Phase[], durationNs: number) {
    const cuts = phases.flatMap(({ fromMs, toMs }) => [toNs(fromMs), toNs(toMs)]).filter((ns) => ns > 0 && ns < durationNs);
    this.startsNs = [...new Set([0, ...cuts])].sort((a, b) => a - b);
    this.nextNs = this.startsNs[1] ?? Infinity;
  }

  /** Segment of a time; times must be asked in ascending order. */
  at(nowNs: number): number {
    if (nowNs >= this.nextNs) this.goOnTo(nowNs);
    return this.current;
  }

  private goOnTo(nowNs: number): void {
    while (nowNs >= this.nextNs) this.nextNs = this.startsNs[++this.current + 1] ?? Infinity;
  }

  segmentsOf({ fromMs, toMs }: Phase): number[] {
    return this.startsNs.flatMap((startNs, i) => (startNs >= toNs(fromMs) && startNs < toNs(toMs) ? [i] : []));
  }
}
