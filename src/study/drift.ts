import type { FigureName } from './types.js';

/** In what a run differs from its baseline, beyond what the seeds alone make of it. */
export interface Drift {
  /** Under so many seeds the two were compared. */
  readonly seeds: number;
  /** Those that moved most, as a share of what they were, first. */
  readonly changed: readonly ChangedFigure[];
  /** Figures and checks that only the run has, and that only the baseline has, in words. */
  readonly appeared: readonly string[];
  readonly gone: readonly string[];
  readonly turned: readonly Turned[];
  /** Figures that moved, but no further than other draws would move them. */
  readonly noisy: number;
}

export interface ChangedFigure {
  readonly figure: FigureName;
  /** Medians over the seeds; null = unknown. */
  readonly before: number | null;
  readonly after: number | null;
  /** 95 % interval of the median change; null where one of the sides is unknown. */
  readonly change: readonly [low: number, high: number] | null;
}

/** A verdict, a claim or the first to break that ended one way and ends another way now. */
export interface Turned {
  readonly kind: 'objective' | 'claim' | 'first to break';
  /** Of an objective or a claim; what broke first before. */
  readonly name: string;
  readonly variant: string;
  readonly phase: string | null;
  /** Under how many seeds it was met, held or broke first. */
  readonly before: number;
  readonly after: number;
  readonly of: number;
  /** What breaks first now; null for objectives and claims. */
  readonly now: string | null;
}
