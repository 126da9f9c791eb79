import type { Phase } from '../../scenario/model.js';
import type { EventQueue } from '../kernel/event-queue.js';
import { Histogram } from './histogram.js';
import type { PhaseCuts } from './phase-cuts.js';

/** Times in ns that end in different phases: one histogram for each stretch of the run with the same set of phases, made when something falls into it. */
export class PhasedHistogram {
  private readonly segments: (Histogram | undefined)[] = [];

  constructor(private readonly queue: EventQueue, private readonly cuts: PhaseCuts) {}

  /** Something took this long and ends now. */
  add(timeNs: number): void {
    (this.segments[this.cuts.at(this.queue.now)] ??= new Histogram()).add(timeNs);
  }

  /** Of the whole run, or of one phase. */
  of(phase: Phase | null): Histogram {
    const chosen = phase === null ? this.segments : this.cuts.segmentsOf(phase).map((segment) => this.segments[segment]);
    const all = new Histogram();
    for (const histogram of chosen) if (histogram) all.merge(histogram);
    return all;
  }
}
