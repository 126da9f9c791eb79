import type { Input, Study, Verdict } from '../../../src/study/types.js';
import { inputsOf } from '../../../src/study/inputs.js';
import { isGuess } from '../../look/figure.js';
import { settlingFirst } from '../../look/settling.js';

/** A guess that can turn a verdict, and what is known of how much it matters. */
export interface Guess {
  readonly input: Input;
  /** Where it turns a verdict, in the input's unit; null while no sensitivity run has found one. */
  readonly flipsAt: number | null;
  /** Verdicts of the variant that rest on it: of those that are broken, and of all. */
  readonly broken: number;
  readonly all: number;
}

export interface Guesses {
  /** Those that matter most, first. */
  readonly first: readonly Guess[];
  /** Of so many that the verdicts rest on. */
  readonly of: number;
  /** Whether their order was found by moving them; by reach and width of range otherwise. */
  readonly isTested: boolean;
}

/** The guesses that matter most to a variant's verdicts, at most `most`. What the variant sets itself is not among them: its value there is another. */
export const guessesOf = (study: Pick<Study, 'inputs' | 'runs' | 'verdicts' | 'sensitivity'>, variant: string, most = 3): Guesses => {
  const { runs, verdicts } = study;
  const inputs = inputsOf(study, variant);
  const own = verdicts.filter((verdict) => verdict.variant === variant);
  const { overrides } = runs[variant];
  const isOverridden = ({ path }: Input): boolean => overrides.some((override) => `${path}.`.startsWith(`${override.path}.`) || `${override.path}.`.startsWith(`${path}.`));
  const guesses = inputs.filter((input) => isGuess(input.basis) && !isOverridden(input)).flatMap((input) => guessOf(input, own) ?? []);
  const isTested = own.some(({ tested }) => tested !== null);
  // Those that were moved stand as the report has them.
  const tried = isTested ? settlingFirst({ inputs, verdicts, firstToBreak: null }, variant, undefined, inputs.length).map(({ input }) => input) : [];
  const place = ({ input }: Guess): number => (tried.includes(input) ? tried.indexOf(input) : tried.length);
  return { first: guesses.toSorted((a, b) => place(a) - place(b) || byWeight(a, b)).slice(0, most), of: guesses.length, isTested };
};

const guessOf = (input: Input, verdicts: readonly Verdict[]): Guess | null => {
  const reached = verdicts.filter(({ restsOn }) => restsOn.includes(input.path));
  if (reached.length === 0) return null;
  const flip = reached.flatMap(({ tested }) => tested?.flips ?? []).find(({ path }) => path === input.path);
  return { input, flipsAt: flip?.value ?? null, broken: reached.filter(({ met }) => met === false).length, all: reached.length };
};

/** The order of guesses that nobody moved: what somebody assumed before what the tool filled in, then by reach, then by the width of the range. */
const byWeight = (a: Guess, b: Guess): number =>
  Number(a.input.basis === 'default') - Number(b.input.basis === 'default') ||
  Number(b.input.range !== undefined) - Number(a.input.range !== undefined) ||
  b.broken - a.broken ||
  b.all - a.all ||
  widthOf(b.input) - widthOf(a.input);

/** Length of the range as a multiple of the value, or of the range's middle where the value is 0. */
const widthOf = ({ value, range }: Input): number => {
  if (!range) return 0;
  const base = value || (range[0] + range[1]) / 2;
  return base === 0 ? 0 : Math.abs((range[1] - range[0]) / base);
};
