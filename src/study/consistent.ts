import type { Study } from './types.js';

/** What a schema cannot say: lists that belong together are as long as each other, and what is named is there. The first that is not so, or null. */
export const inconsistency = (study: Study): { readonly path: string; readonly message: string } | null => {
  const variants = Object.keys(study.runs);
  const guessed = (variant: string): ReadonlySet<string> => new Set(study.sensitivity?.[variant]?.guesses.map(({ path }) => path));
  const problems: (readonly [path: string, isWrong: boolean, message: string])[] = [
    ...variants.flatMap((variant) => (study.spread ? [[`spread.firstToBreak.${variant}`, !study.spread.firstToBreak[variant]?.length, 'is missing'] as const] : [])),
    ...Object.entries(study.sensitivity ?? {}).flatMap(([variant, { figures, written, ends, between }]) => [
      [`sensitivity.${variant}`, !variants.includes(variant), 'is of no run'] as const,
      [`sensitivity.${variant}.written`, written.length !== figures.length, `has ${written.length} figures of ${figures.length}`] as const,
      [`sensitivity.${variant}.figures`, figures.length < study.verdicts.filter((verdict) => verdict.variant === variant).length, 'has not every verdict'] as const,
      ...[...ends, ...between].map((point, i) => [`sensitivity.${variant} point ${i + 1}`, point.figures.length !== figures.length, `has ${point.figures.length} figures of ${figures.length}`] as const),
    ]),
    ...study.sweeps.flatMap(({ variant, figures, values, at, knees }, i) => [
      [`sweeps[${i}].variant`, !variants.includes(variant), 'is of no run'] as const,
      [`sweeps[${i}].at`, at.length !== values.length || at.some((row) => row.length !== figures.length), 'has not a figure for each value'] as const,
      [`sweeps[${i}].knees`, knees.length !== figures.length, `has ${knees.length} of ${figures.length}`] as const,
    ]),
    ...study.verdicts.flatMap(({ variant, tested }, i) => [
      [`verdicts[${i}].variant`, !variants.includes(variant), 'is of no run'] as const,
      [`verdicts[${i}].tested`, tested !== null && study.sensitivity?.[variant] === undefined, 'is of no sensitivity'] as const,
      ...[...(tested?.moves ?? []), ...(tested?.flips ?? [])].map(({ path }) => [`verdicts[${i}].tested`, !guessed(variant).has(path), `names ${path}, which was not moved`] as const),
    ]),
  ];
  const found = problems.find(([, isWrong]) => isWrong);
  return found ? { path: found[0], message: found[2] } : null;
};
