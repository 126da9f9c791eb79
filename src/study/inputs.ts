import type { Input, Study } from './types.js';

/** The inputs of a study as a variant has them, as far as it was tested: a variant may have guesses that the reference has not, or other values and ranges of them. */
export const inputsOf = ({ inputs, sensitivity }: Pick<Study, 'inputs' | 'sensitivity'>, variant: string): readonly Input[] => {
  const own = new Map((sensitivity?.[variant]?.guesses ?? []).map((guess) => [guess.path, guess]));
  const more = [...own.values()].filter(({ path }) => inputs.every((input) => input.path !== path));
  return [...inputs.map((input) => own.get(input.path) ?? input), ...more];
};
