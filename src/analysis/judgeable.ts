import type { Check, System } from '../scenario/model.js';
import type { Compared, PictureObjective, SimulatedRun } from '../study/types.js';

/** A variant and its run. */
export interface Judgeable {
  readonly run: SimulatedRun;
  readonly system: System;
}

/** Phases that a check is judged in; null = the whole run. `each` = those that stairs made. */
export const phasesOf = (check: Check, run: SimulatedRun): readonly (string | null)[] => {
  if (check.in === 'run') return [null];
  if (check.in !== 'each') return check.in;
  return run.system.objectives.flatMap(({ name, in: phases }: PictureObjective) => (name === check.name && phases !== 'run' ? phases : []));
};

/** Whether the file expects the check to hold in the phase. */
export const isExpected = ({ breaks }: Pick<Check, 'breaks'>, phase: string | null): boolean =>
  typeof breaks === 'boolean' ? !breaks : phase === null || !breaks.includes(phase);

/** What a check is compared with: the same metric in another phase, variant, or both; null = a bound of its own. */
export const comparedWith = ({ vs }: Check, { variant }: Pick<SimulatedRun, 'variant'>, phase: string | null): Compared | null => (vs ? { phase: vs.in ?? phase, variant: vs.variant ?? variant } : null);

/** False when a check compares with a variant that did not run: then there is nothing to judge. */
export const canCompare = ({ vs }: Check, all: readonly Judgeable[]): boolean => vs?.variant === undefined || all.some(({ run: { variant } }) => variant === vs.variant);
