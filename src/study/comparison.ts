/**
 * What several runs have in common and in what they differ: the figures of a comparison, without its pictures. `faultreel compare --json` prints this.
 * Arrays named `by…` or `values` have one element a side, in the order of the sides. Units live in names, as in the study.
 */
import type { FirstToBreak, Metric, PictureObjective, Study, Text, Unit } from './types.js';

export const letters = ['A', 'B', 'C', 'D'] as const;
export type Letter = (typeof letters)[number];

/** One run of a study, as a side of a comparison. */
export interface Side {
  readonly letter: Letter;
  readonly study: Study;
  readonly variant: string;
  /** What sentences call it: the variant, or the scenario where scenarios are compared. */
  readonly name: string;
}

export interface Comparison {
  readonly schema: 'faultreel-comparison/1';
  /** Variants of one scenario, or runs of several. */
  readonly relation: 'variants' | 'scenarios';
  readonly sides: readonly ComparedSide[];
  readonly tickMs: number;
  /** Of the longest side. */
  readonly durationMs: number;
  /** `same`: the same requests arrive in every tick; `script`: the same seed and script of load, but who waits for answers comes back when they come; `different`: neither. */
  readonly arrivals: 'same' | 'script' | 'different';
  readonly changes: readonly Change[];
  readonly objectives: readonly ObjectiveDifference[];
  readonly traffic: readonly TrafficDifference[];
  readonly events: readonly EventDifference[];
}

export interface ComparedSide {
  readonly letter: Letter;
  readonly name: string;
  readonly scenario: string;
  readonly title: Text;
  readonly variant: string;
  readonly sha256: string;
  readonly seed: number;
  readonly durationMs: number;
  readonly firstToBreak: FirstToBreak | null;
}

/** An input that is not the same on all sides. */
export interface Change {
  readonly path: string;
  /** A whole service, traffic, host or fault that some sides have and others have not. */
  readonly isWhole: boolean;
  readonly values: readonly ChangedValue[];
  /** What of the picture it touches; empty where nothing that is drawn has it. */
  readonly touches: readonly Touched[];
}
/** As it is written (`≈` before a guess), or null where the file says nothing: then the default, where one is known. */
export interface ChangedValue {
  readonly text: string | null;
  readonly filledIn: { readonly value: number | string | null; readonly unit: Unit | null; readonly currency?: string } | null;
}
export interface Touched {
  readonly kind: 'service' | 'link' | 'traffic' | 'host';
  /** A link as `caller.callee`. */
  readonly name: string;
  /** The input's path within it. */
  readonly at: string;
}

/** An objective that every side has, in a phase (null = the whole run). */
export interface ObjectiveDifference {
  readonly objective: string;
  readonly phase: string | null;
  readonly of: string;
  readonly metric: Metric;
  readonly unit: Unit;
  /** As written, by side. */
  readonly targets: readonly string[];
  readonly better: 'more' | 'less' | 'neither';
  readonly op: PictureObjective['op'];
  /** Null = no sample. */
  readonly values: readonly (number | null)[];
  readonly met: readonly (boolean | null)[];
  readonly basis: 'counted' | 'estimated';
  /** A factor of the same metric elsewhere. */
  readonly isFactor: boolean;
}

/** How the requests that arrived in a phase (null = the whole run) ended; of one traffic, or of all (null). Null for a side without them. */
export interface TrafficDifference {
  readonly phase: string | null;
  readonly traffic: string | null;
  readonly sides: readonly (Ends | null)[];
}
export interface Ends {
  readonly offered: number;
  readonly good: number;
  readonly declined: number;
  readonly refused: number;
  readonly failed: number;
  readonly inFlight: number;
  /** Good of good, refused and failed; null when none ended. */
  readonly goodShare: number | null;
}

/** A kind of event that some sides have and others have not. */
export interface EventDifference {
  readonly kind: string;
  /** A service, a link, a lock or a fault. */
  readonly subject: string;
  readonly counts: readonly number[];
  readonly firstMs: readonly (number | null)[];
}
