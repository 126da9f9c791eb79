import { isGuess } from './figure.js';
import type { Input, Study, TestedVerdict, Verdict } from '../../src/study/types.js';

/** A guess, and what measuring it would settle. */
export interface Settling {
  readonly input: Input;
  /** Verdicts that it alone turns, and where. */
  readonly turns: readonly { readonly verdict: Verdict; readonly value: number; readonly holdsAt: number }[];
  /** The verdict whose figure it moves most, relative to what else moves that figure; null where nothing was tried. */
  readonly most: (TestedVerdict['moves'][number] & { readonly verdict: Verdict }) | null;
}

/**
 * The guesses to measure first, at most `most`: those that turn most verdicts of a variant, then those that move a figure most. Where nothing was tried, those that reach
 * the first broken objective, the widest range relative to its value first; what somebody assumed for this system goes before what the tool filled in, and what must be
 * measured before settings, which one looks up.
 */
export const settlingFirst = (study: Pick<Study, 'inputs' | 'verdicts' | 'firstToBreak'>, variant: string, isCalledFor: (input: Input) => boolean = () => true, most = 3): Settling[] => {
  const verdicts = study.verdicts.filter((verdict) => verdict.variant === variant);
  if (!verdicts.some(({ tested }) => tested !== null)) return widestGuesses(study, isCalledFor, most).map((input) => ({ input, turns: [], most: null }));
  return study.inputs
    .flatMap((input) => settlingOf(input, verdicts) ?? [])
    .filter((settling) => settling.turns.length > 0 || weightOf(settling) >= leastWeight)
    .toSorted((a, b) => b.turns.length - a.turns.length || weightOf(b) - weightOf(a))
    .slice(0, most);
};

/** What moves no figure by more than this share of what another guess moves it by settles nothing. */
const leastWeight = 0.05;

/** What measuring a guess would settle; null when it moves nothing. */
export const settlingOf = (input: Input, verdicts: readonly Verdict[]): Settling | null => {
  const turns = verdicts.flatMap((verdict) => (verdict.tested?.flips ?? []).flatMap(({ path, value, holdsAt }) => (path === input.path ? [{ verdict, value, holdsAt }] : [])));
  const moves = verdicts.flatMap((verdict) => (verdict.tested?.moves ?? []).flatMap((move) => (move.path === input.path ? [{ ...move, verdict }] : [])));
  const most = moves.toSorted((a, b) => relativeSwing(b) - relativeSwing(a))[0];
  return most ? { input, turns: oncePerVerdict(turns), most } : null;
};

const oncePerVerdict = (turns: Settling['turns']): Settling['turns'] => turns.filter(({ verdict }, index) => turns.findIndex((other) => other.verdict === verdict) === index);

/** The swing of a figure as a share of the largest that any guess gives it; none where it is too small to be seen in print. */
const relativeSwing = ({ swing, verdict: { tested, unit, actual } }: { readonly swing: number; readonly verdict: Verdict }): number =>
  swing < leastSwing * (unit === 'share' ? 1 : Math.abs(actual ?? 0)) ? 0 : swing / (tested?.moves[0]?.swing ?? swing);
const leastSwing = 0.001;

const weightOf = ({ most }: Settling): number => (most ? relativeSwing(most) : 0);

const widestGuesses = ({ inputs, verdicts, firstToBreak }: Pick<Study, 'inputs' | 'verdicts' | 'firstToBreak'>, isCalledFor: (input: Input) => boolean, most: number): Input[] => {
  if (!firstToBreak) return [];
  const reached = new Set(verdicts.filter(({ objective, phase }) => objective === firstToBreak.objective && phase === firstToBreak.phase).flatMap(({ restsOn }) => restsOn));
  return inputs
    .filter((input) => isGuess(input.basis) && input.range !== undefined && reached.has(input.path) && isCalledFor(input))
    .toSorted((a, b) => Number(a.basis === 'default') - Number(b.basis === 'default') || Number(a.setting) - Number(b.setting) || relativeRange(b) - relativeRange(a))
    .slice(0, most);
};

/** Length of the range as a multiple of the value, or of the range's middle where the value is 0. */
const relativeRange = ({ value, range }: Input): number => {
  if (!range) return 0;
  const base = value || (range[0] + range[1]) / 2;
  return base === 0 ? 0 : Math.abs((range[1] - range[0]) / base);
};
