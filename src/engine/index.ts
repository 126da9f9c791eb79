import type { System } from '../scenario/model.js';
import type { SimulatedRun } from '../study/types.js';
import { pictureOf } from './picture.js';
import { Simulation } from './simulation.js';

export { unsupported } from './supported.js';

/**
 * Simulates one variant request by request. Pure: the same system and seed give the same run, everywhere.
 * Throws when a law of the simulation is violated. Ask `unsupported` first.
 */
export const simulate = (system: System, { seed = system.seed }: { readonly seed?: number } = {}): SimulatedRun => {
  const simulation = new Simulation(system, seed);
  simulation.run();
  const { plan, probers, queue, requests, recorder } = simulation;
  return {
    variant: system.variant,
    overrides: system.overrides,
    events: queue.processed,
    requests,
    system: pictureOf(system, plan, probers.map((prober) => prober?.firstNs ?? null)),
    ...recorder.result(),
  };
};
