import type { Check, System } from '../scenario/model.js';
import type { SimulatedRun } from '../study/types.js';
import { reachedBy } from './graph.js';

/**
 * Whether a phase says nothing about the system, because the generator could not make the load that the file asks for: of the traffic itself, and of all that its
 * requests reach. What was dropped is a figure of the generator, so it is always told.
 */
export const isBlind = (run: SimulatedRun, system: System, { of, metric }: Pick<Check, 'of' | 'metric'>, phase: string | null): boolean => {
  if (metric === 'dropped') return false;
  const short = run.warnings.filter((warning) => warning.kind === 'dropped' && warning.phase === phase);
  return short.some(({ subject }) => subject === of || reachedBy(system, subject, of!));
};
