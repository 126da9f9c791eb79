import type { Check, Objective, System } from '../scenario/model.js';
import type { PictureObjective, Verdict, SimulatedRun } from '../study/types.js';
import { holds } from './condition.js';
import { basisOf, measure } from './measure.js';
import { restsOn } from './rests-on.js';

/** One verdict an objective and phase. Without a sensitivity run, what rests on a guess is untested. */
export const verdictsOf = (run: SimulatedRun, system: System): Verdict[] =>
  system.objectives.flatMap((objective) => phasesOf(objective, run).map((phase) => verdict(run, system, objective, phase)));

/** Phases that a check is judged in; null = the whole run. `each` = those that stairs made. */
export const phasesOf = (check: Check, run: SimulatedRun): readonly (string | null)[] => {
  if (check.in === 'run') return [null];
  if (check.in !== 'each') return check.in;
  return run.system.objectives.flatMap(({ name, in: phases }: PictureObjective) => (name === check.name && phases !== 'run' ? phases : []));
};

/** Whether the file expects the check to hold in the phase. */
export const isExpected = ({ breaks }: Pick<Check, 'breaks'>, phase: string | null): boolean =>
  typeof breaks === 'boolean' ? !breaks : phase === null || !breaks.includes(phase);

const verdict = (run: SimulatedRun, system: System, objective: Objective, phase: string | null): Verdict => {
  const { of, metric, condition } = objective as Required<Pick<Objective, 'of' | 'metric' | 'condition'>>;
  const actual = measure(run, system, objective, phase);
  const guesses = restsOn(system, of);
  return {
    objective: objective.name,
    phase,
    variant: run.variant,
    of,
    metric,
    target: condition.text,
    unit: condition.unit,
    actual,
    met: holds(condition, actual),
    expected: isExpected(objective, phase),
    basis: basisOf(metric),
    sure: guesses.length > 0 ? 'untested' : 'firm',
    restsOn: guesses,
  };
};
