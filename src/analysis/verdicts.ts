import type { Check, Objective } from '../scenario/model.js';
import type { PictureObjective, Verdict, SimulatedRun } from '../study/types.js';
import { isBlind } from './blind.js';
import { figureOf, type Judgeable } from './compare.js';
import { basisOfMetric } from '../study/judging.js';
import { holds } from './condition.js';
import { restsOn } from './rests-on.js';

/** One verdict an objective and phase. Without a sensitivity run, what rests on a guess is untested. */
export const verdictsOf = (own: Judgeable, all: readonly Judgeable[]): Verdict[] =>
  own.system.objectives.flatMap((objective) => phasesOf(objective, own.run).map((phase) => verdict(own, all, objective, phase)));

/** Phases that a check is judged in; null = the whole run. `each` = those that stairs made. */
export const phasesOf = (check: Check, run: SimulatedRun): readonly (string | null)[] => {
  if (check.in === 'run') return [null];
  if (check.in !== 'each') return check.in;
  return run.system.objectives.flatMap(({ name, in: phases }: PictureObjective) => (name === check.name && phases !== 'run' ? phases : []));
};

/** Whether the file expects the check to hold in the phase. */
export const isExpected = ({ breaks }: Pick<Check, 'breaks'>, phase: string | null): boolean =>
  typeof breaks === 'boolean' ? !breaks : phase === null || !breaks.includes(phase);

const verdict = (own: Judgeable, all: readonly Judgeable[], objective: Objective, phase: string | null): Verdict => {
  const { run, system } = own;
  const { of, metric, condition } = objective as Required<Pick<Objective, 'of' | 'metric' | 'condition'>>;
  const { actual, vs } = figureOf(objective, own, phase, all);
  const other = vs && all.find(({ run: { variant } }) => variant === vs.variant);
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
    vs,
    blind: isBlind(run, system, objective, phase) || (other ? isBlind(other.run, other.system, objective, vs.phase) : false),
    basis: basisOfMetric(metric),
    sure: guesses.length > 0 ? 'untested' : 'firm',
    restsOn: guesses,
  };
};
