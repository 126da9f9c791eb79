import type { Objective } from '../scenario/model.js';
import { basisOfMetric } from '../study/judging.js';
import type { FigureName, TestedVerdict, Verdict } from '../study/types.js';
import { holds } from './condition.js';
import { figureIn, type Reading } from './figures.js';
import { comparedWith, phasesOf, isExpected, type Judgeable } from './judgeable.js';
import { guessesOf, isRanged, restsOn } from './rests-on.js';
import { most, seedFigureOf } from './seeds.js';

/** An objective in one phase of one variant. */
export interface Asking {
  readonly objective: Objective;
  readonly name: FigureName;
}

/** Every objective of a variant in every phase that it is judged in. */
export const askings = ({ run, system }: Judgeable): Asking[] =>
  system.objectives.flatMap((objective) =>
    phasesOf(objective, run).map((phase): Asking => {
      const { of, metric, over, condition } = objective as Required<Pick<Objective, 'of' | 'metric' | 'over' | 'condition'>>;
      return { objective, name: { variant: run.variant, of, metric, over, phase, vs: comparedWith(objective, run, phase), unit: condition.unit } };
    }),
  );

/**
 * One verdict an objective and phase.
 * @param seeds what every variant came to, by seed; the first is that of the runs
 * @param tested by asking, where ranged guesses were moved
 */
export const verdictsOf = (own: Judgeable, seeds: readonly ReadonlyMap<string, Reading>[], tested: readonly TestedVerdict[] | null): Verdict[] =>
  askings(own).map((asking, index) => verdict(own, asking, seeds, tested?.[index] ?? null));

const verdict = ({ run, system }: Judgeable, { objective, name }: Asking, seeds: readonly ReadonlyMap<string, Reading>[], tested: TestedVerdict | null): Verdict => {
  const condition = objective.condition!;
  const figures = seeds.map((readings) => figureIn(readings, name));
  // Under a seed whose load was not made nothing is known.
  const known = figures.map(({ value, blind }) => (blind ? null : value));
  const spread = seeds.length > 1 ? seedFigureOf(known) : null;
  const blind = most(figures.map((figure) => figure.blind));
  const actual = spread && !blind ? spread.median : figures[0].value;
  const met = seeds.length > 1 ? known.filter((value) => holds(condition, value) === true).length : 0;
  const guesses = restsOn(system, name.of);
  const unranged = guessesOf(system, guesses).flatMap((guess) => (isRanged(guess) ? [] : [guess.path]));
  // Where nothing can be judged as written, moving guesses has shown nothing.
  const shown = figures[0].value === null || figures[0].blind ? null : tested;
  const judged = { actual, met: holds(condition, actual), seeds: spread && { ...spread, of: seeds.length, met } };
  return {
    objective: objective.name,
    phase: name.phase,
    variant: run.variant,
    of: name.of,
    metric: name.metric,
    target: condition.text,
    unit: condition.unit,
    ...judged,
    expected: isExpected(objective, name.phase),
    vs: name.vs,
    blind,
    basis: basisOfMetric(name.metric),
    sure: blind ? 'untested' : surenessOf(judged, shown, unranged.length > 0, guesses.length > 0),
    restsOn: shown ? moving(shown, unranged) : guesses,
    ...(tested && tested.flips.length > 0 ? { flipsAt: { path: tested.flips[0].path, value: tested.flips[0].value } } : {}),
    tested,
  };
};

/** Wiring only excludes: what was moved and moved nothing is no ground to rest on. */
const moving = ({ moves, unknownAt }: TestedVerdict, unranged: readonly string[]): string[] => {
  const moved = moves.map(({ path }) => path);
  const unknown = unknownAt.filter((path) => !moved.includes(path));
  return [...moved, ...unknown, ...unranged];
};

const isUnknownSomewhere = ({ unknownAt, corner }: TestedVerdict): boolean => unknownAt.length > 0 || corner?.met === null;

const surenessOf = ({ met, seeds }: Pick<Verdict, 'met' | 'seeds'>, tested: TestedVerdict | null, restsOnUnranged: boolean, restsOnGuess: boolean): Verdict['sure'] => {
  // A median between two seeds may be kept though none of them is, and the other way round.
  if (seeds && met !== null && seeds.met !== (met ? seeds.known : 0)) return 'hinges';
  if (tested && (tested.flips.length > 0 || tested.together.length > 0)) return 'hinges';
  if (seeds && seeds.known < seeds.of) return 'untested';
  if (met === null) return restsOnGuess ? 'untested' : 'firm';
  if (restsOnUnranged || (tested ? isUnknownSomewhere(tested) : restsOnGuess)) return 'untested';
  return 'firm';
};
