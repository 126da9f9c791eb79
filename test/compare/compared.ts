import type { Compared } from '../../renderers/stage/compare/compare-scene.js';
import { compareSides } from '../../src/analysis/differences.js';
import { letters, type Side } from '../../src/study/comparison.js';
import type { Run, Study } from '../../src/study/types.js';

/** Runs side by side: variants of one study, or each study's first. */
export const comparedOf = (...sides: readonly (readonly [study: Study, variant?: string])[]): Compared => {
  const isOne = new Set(sides.map(([study]) => study)).size === 1;
  const named = sides.map(([study, variant = Object.keys(study.runs)[0]], i): Side => ({ letter: letters[i], study, variant, name: isOne ? variant : study.scenario.name }));
  return { comparison: compareSides(named), sides: named };
};

/** All variants of a study. */
export const allOf = (study: Study): Compared => comparedOf(...Object.keys(study.runs).map((variant) => [study, variant] as const));

/** The same study with more variants: copies of its runs under other names. */
export const withCopies = (study: Study, names: readonly string[]): Study => {
  const runs = Object.values(study.runs);
  const copies = names.map((variant, i): Run => ({ ...runs[i % runs.length], variant }));
  return {
    ...study,
    runs: { ...study.runs, ...Object.fromEntries(copies.map((run) => [run.variant, run])) },
    verdicts: [...study.verdicts, ...names.flatMap((variant, i) => study.verdicts.filter((verdict) => verdict.variant === runs[i % runs.length].variant).map((verdict) => ({ ...verdict, variant })))],
  };
};
