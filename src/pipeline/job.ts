import { readingOf, type Asked, type Reading } from '../analysis/index.js';
import { simulating } from '../engine/index.js';
import type { System } from '../scenario/model.js';
import type { SimulatedRun } from '../study/types.js';

/** One run to be simulated: all that it needs, as plain data that another thread can be sent. */
export interface Job {
  readonly system: System;
  readonly seed: number;
  readonly asked: readonly Asked[];
  /** The whole run is wanted, with its ticks and events, not only what it came to. */
  readonly wantsRun: boolean;
}

export interface JobResult {
  readonly reading: Reading;
  readonly run: SimulatedRun | null;
}

/** Does a job in slices of some hundred milliseconds; yields how much is done, 0 to 1. */
export function* doing({ system, seed, asked, wantsRun }: Job): Generator<number, JobResult> {
  const run = yield* simulating(system, { seed });
  return { reading: readingOf(run, system, asked), run: wantsRun ? run : null };
}
