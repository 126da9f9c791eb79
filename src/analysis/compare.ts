import type { Check, System } from '../scenario/model.js';
import type { Compared, SimulatedRun } from '../study/types.js';
import { measure } from './measure.js';

/** A variant and its run. */
export interface Judgeable {
  readonly run: SimulatedRun;
  readonly system: System;
}

export interface Figure {
  /** The check's metric, or its factor against the same metric elsewhere; null = unknown. */
  readonly actual: number | null;
  /** Elsewhere; null for a bound of its own. */
  readonly vs: Compared | null;
}

/** What a check is judged by: its metric in a phase, or that as a factor of the same metric in another phase or variant (`vs`). */
export const figureOf = (check: Check, { run, system }: Judgeable, phase: string | null, all: readonly Judgeable[]): Figure => {
  const actual = measure(run, system, check, phase);
  const vs = comparedWith(check, run, phase);
  if (vs === null) return { actual, vs };
  const other = all.find(({ run: { variant } }) => variant === vs.variant);
  const base = other ? measure(other.run, other.system, check, vs.phase) : null;
  return { actual: actual === null || base === null || base === 0 ? null : actual / base, vs };
};

const comparedWith = ({ vs }: Check, { variant }: SimulatedRun, phase: string | null): Compared | null => (vs ? { phase: vs.in ?? phase, variant: vs.variant ?? variant } : null);

/** False when a check compares with a variant that did not run: then there is nothing to judge. */
export const canCompare = ({ vs }: Check, all: readonly Judgeable[]): boolean => vs?.variant === undefined || all.some(({ run: { variant } }) => variant === vs.variant);
