import { isGuess } from '../look/figure.js';
import type { Input, Study } from '../../src/study/types.js';

/**
 * The guesses to measure first, at most `most`: those that reach the first broken objective and were called for, the widest range relative to its value first.
 * What somebody assumed for this system goes before what the tool filled in, and what must be measured before settings, which one looks up; without a range there is
 * nothing to compare.
 */
export const widestGuesses = ({ inputs, verdicts, firstToBreak }: Pick<Study, 'inputs' | 'verdicts' | 'firstToBreak'>, isCalledFor: (input: Input) => boolean = () => true, most = 3): Input[] => {
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
