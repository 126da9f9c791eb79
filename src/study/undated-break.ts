import type { Study, Verdict } from './types.js';

/** What a variant breaks where no first moment of a break is known: only shares and latencies are followed through time. Empty where one is known, and where nothing is broken. */
export const undatedBreaks = ({ runs, verdicts }: Pick<Study, 'runs' | 'verdicts'>, variant: string): readonly Verdict[] =>
  runs[variant].firstToBreak === null ? verdicts.filter((verdict) => verdict.variant === variant && verdict.met === false && !verdict.blind) : [];
