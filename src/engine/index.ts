import type { System } from '../scenario/model.js';
import type { SimulatedRun } from '../study/types.js';
import { pictureOf } from './picture.js';
import { Simulation } from './simulation.js';

export { workPerSlice } from './simulation.js';
export { pointsOf } from './traffic/profile-points.js';

export interface RunOptions {
  readonly seed?: number;
  /** Calls that this process has memory for, at once; a run that wants more, or more than its bound, ends with an error. */
  readonly mostCalls?: number;
}

/**
 * Simulates one variant request by request, in slices of some hundred milliseconds of work: yields how much is done, 0 to 1, and returns the run.
 * Pure: the same system and seed give the same run, everywhere. Throws when a law of the simulation is violated, and when users ask again in no time (rule 46).
 */
export function* simulating(system: System, { seed = system.seed, mostCalls = Infinity }: RunOptions = {}): Generator<number, SimulatedRun> {
  const simulation = new Simulation(system, seed, mostCalls);
  yield* simulation.run();
  const { plan, probers, queue, sources, recorder } = simulation;
  return {
    variant: system.variant,
    overrides: system.overrides,
    events: queue.processed,
    requests: sources.requests,
    system: pictureOf(system, plan, probers.map((prober) => prober?.firstNs ?? null)),
    ...recorder.result(),
  };
}

/** As `simulating`, at once. */
export const simulate = (system: System, options?: RunOptions): SimulatedRun => {
  const slices = simulating(system, options);
  for (;;) {
    const slice = slices.next();
    if (slice.done) return slice.value;
  }
};
