/** What the runs of a study mean: verdicts and claims, what broke first, and what was tried beside the runs that are shown. */
import type { Metric, Text, Unit } from '../scenario/model.js';
import type { Input } from './types.js';

/** The same figure elsewhere, which a factor such as `<= 2x` is told of: in another phase (null = the one that is judged), in another variant, or both. */
export interface Compared {
  readonly phase: string | null;
  readonly variant: string;
}

export interface FirstToBreak {
  readonly objective: string;
  readonly phase: string | null;
  /** First tick whose trailing 10 s violate the objective. */
  readonly tMs: number;
  /** `order-api.1 cpu`, `box cpu` (`service` is a host: no instance), `mysql.companion lock` (`service` is the lock with its holder), or null: none saturated. */
  readonly resource: { readonly service: string; readonly instance: number | null; readonly what: 'cpu' | 'slots' | 'pool' | 'memory' | 'lock'; readonly sinceMs: number } | null;
  readonly evidence: Readonly<Record<string, number>>;
}

/**
 * How sure a verdict is. `firm`: both ends of every range, all of them at their worst together, and all seeds agree. `hinges`: one of those turns it.
 * `untested`: it rests on a guess that was not moved, or could not be, for want of a range.
 */
export type Sureness = 'firm' | 'hinges' | 'untested';

export interface Verdict {
  readonly objective: string;
  /** Null = the whole run. */
  readonly phase: string | null;
  readonly variant: string;
  readonly of: string;
  readonly metric: Metric;
  readonly target: string;
  readonly unit: Unit;
  /** Null = no sample: unknown. */
  readonly actual: number | null;
  /** Null when unknown. */
  readonly met: boolean | null;
  /** Whether the file expects it to hold there. */
  readonly expected: boolean;
  /** What `actual`, a factor, compares with; null for a bound of its own. */
  readonly vs: Compared | null;
  /** The generator could not make the load that the phase asks for, so the verdict says nothing about the system (a warning `dropped` tells the share). */
  readonly blind: boolean;
  readonly basis: 'counted' | 'estimated';
  readonly sure: Sureness;
  /** Paths of the guesses that reach it. */
  readonly restsOn: readonly string[];
  /** The nearest value of one guess that alone turns the verdict; `tested` has all of them. */
  readonly flipsAt?: PathValue;
  /** What moving the guesses did; null where that was not tried. */
  readonly tested: TestedVerdict | null;
  /** Null when one seed ran. Then `actual` is the median over the seeds, and `met` is judged by it. */
  readonly seeds: JudgedSeeds | null;
}

/** A value in the base unit of its path. */
export interface PathValue {
  readonly path: string;
  readonly value: number;
}

/** A figure over several seeds: median and 95 % interval of the median (null below six seeds: no interval of two of them reaches 95 %), and the extremes. */
export interface SeedFigure {
  readonly median: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly min: number | null;
  readonly max: number | null;
  /** Seeds under which it is known. */
  readonly known: number;
}
export interface JudgedSeeds extends SeedFigure {
  readonly of: number;
  /** Seeds under which the objective is met. */
  readonly met: number;
}

/** How a verdict stood against its ranged guesses, under the same seed and arrivals. */
export interface TestedVerdict {
  /** The verdict that was tested: under the first seed, as written. It may be another one than the median's. */
  readonly met: boolean | null;
  /** Ranged guesses that move the figure, what it is at both ends (null = unknown there), and the largest difference; largest first. */
  readonly moves: readonly { readonly path: string; readonly low: number | null; readonly high: number | null; readonly swing: number }[];
  /**
   * Guesses of which one end alone turns the verdict: a value at which it has turned, found by narrowing, and the last one before it at which it had not (`holdsAt`); the nearest
   * to what is written first, as a share of the way to the end.
   */
  readonly flips: readonly (PathValue & { readonly holdsAt: number; readonly end: 'low' | 'high' })[];
  /**
   * All guesses that reach it at once, each at the end that speaks most against the verdict (one that moves it at neither end: the end that slows its requests); null when one
   * alone turns it, or none speaks against it.
   */
  readonly corner: { readonly values: readonly PathValue[]; readonly actual: number | null; readonly met: boolean | null } | null;
  /** Where it turns on the straight way to the corner, when no guess turns it alone; empty otherwise. */
  readonly together: readonly PathValue[];
  /** Guesses at whose ends nothing could be judged. */
  readonly unknownAt: readonly string[];
}

/** Which figure of a run: the metric of a traffic, service, link, host or lock, in a phase (null = the whole run). With `vs` it is a factor. */
export interface FigureName {
  readonly variant: string;
  readonly of: string;
  readonly metric: Metric;
  readonly over: 'good' | 'valid' | 'bad';
  readonly phase: string | null;
  readonly vs: Compared | null;
  readonly unit: Unit;
}

/** What the scenario comes to under several seeds. */
export interface SeedSpread {
  /** The first is the one that film, charts and tables show. */
  readonly seeds: readonly number[];
  /** What every traffic comes to in every phase of every variant, and what every service costs. */
  readonly figures: readonly (FigureName & SeedFigure)[];
  /** What broke first, by variant, and under how many seeds; the most frequent first. */
  readonly firstToBreak: Readonly<Record<string, readonly (BrokenFirst & { readonly seeds: number })[]>>;
}

/** An objective and the resource behind it, as `FirstToBreak` names them; all null where nothing broke. */
export interface BrokenFirst {
  readonly objective: string | null;
  readonly service: string | null;
  readonly what: NonNullable<FirstToBreak['resource']>['what'] | null;
}

/** Every ranged guess of one variant at both of its ends, one at a time, under the same seed and arrivals. */
export interface Sensitivity {
  /** The guesses that were moved, as this variant has them. */
  readonly guesses: readonly Input[];
  /** Points that were simulated for it. */
  readonly runs: number;
  /** What each list of figures below holds, in this order: objectives first, then what every traffic comes to and every service costs. */
  readonly figures: readonly FigureName[];
  readonly written: readonly (number | null)[];
  readonly ends: readonly (PathValue & { readonly end: 'low' | 'high'; readonly figures: readonly (number | null)[]; readonly firstToBreak: BrokenFirst })[];
  /** Other points that were run on the way to a flip, by path. */
  readonly between: readonly (PathValue & { readonly figures: readonly (number | null)[] })[];
}

/** One value moved over a range, everything else as written. */
export interface Sweep {
  readonly variant: string;
  readonly path: string;
  readonly unit: Unit;
  readonly currency?: string;
  /** As the file has it; null when it has none. */
  readonly written: number | null;
  readonly values: readonly number[];
  readonly figures: readonly FigureName[];
  /** By value, then by figure. */
  readonly at: readonly (readonly (number | null)[])[];
  /** By figure: the value at which its curve bends most; null where it is straight. */
  readonly knees: readonly (number | null)[];
}

export interface ClaimResult {
  readonly claim: string;
  readonly variant: string;
  readonly phase: string | null;
  readonly says: Text | null;
  readonly from: string | null;
  readonly target: string;
  readonly unit: Unit | null;
  /** What `actual`, a factor, compares with; null for anything else. */
  readonly vs: Compared | null;
  readonly actual: number | null;
  /** For an order of events: when each first happened. */
  readonly order?: readonly { readonly event: string; readonly tMs: number | null }[];
  readonly held: boolean;
  /** Whether the file expects it to hold (`breaks`). */
  readonly expected: boolean;
  /** Under how many seeds it held; null when one seed ran. Then `actual` is the median and `held` is judged by it; an order of events is held when most seeds say so. */
  readonly seeds: { readonly of: number; readonly held: number } | null;
}
