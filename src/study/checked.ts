import type { Drift } from './drift.js';
import type { Compared, Metric, Text, Unit } from './types.js';

export const checkedSchemaId = 'faultreel-check/1';

/** What `faultreel check --json` prints. */
export interface Checked {
  readonly schema: typeof checkedSchemaId;
  readonly tool: { readonly name: 'faultreel'; readonly version: string };
  readonly passed: boolean;
  readonly seeds: number;
  /** In the order in which they were checked. */
  readonly scenarios: readonly CheckedScenario[];
  /** Files that were found and not checked, by reason. */
  readonly leftOut: { readonly unchanged: readonly string[]; readonly otherShard: readonly string[] };
  /** Baselines of scenarios that are not there any more. */
  readonly orphans: readonly string[];
}

export interface CheckedScenario {
  readonly file: string;
  readonly passed: boolean;
  /** Why it was checked: it was asked for, its file or its baseline differs, this tool does, or it has no baseline yet. */
  readonly because: 'asked' | 'file' | 'baseline' | 'tool' | 'new';
  /** `invalid`: it could not be simulated, for the reasons in `problems`. */
  readonly status: 'passed' | 'failed' | 'invalid';
  /** The folder of its results, as `faultreel run` names it; null where the file is invalid. */
  readonly name: string | null;
  readonly title: Text | null;
  readonly problems: readonly { readonly message: string; readonly hint: string | null; readonly line: number | null; readonly column: number | null }[];
  /** Every objective and every claim, in every phase and variant that it is judged in. */
  readonly goals: readonly CheckedGoal[];
  /** `absent`: no baseline was asked for; `missing`: it was, and there is none for this scenario. */
  readonly baseline: 'absent' | 'missing' | 'unchanged' | 'changed' | 'written';
  /** Null without a baseline. */
  readonly drift: Drift | null;
  /** Nothing was simulated: the same was simulated before. */
  readonly cached: boolean;
}

export interface CheckedGoal {
  readonly kind: 'objective' | 'claim';
  readonly name: string;
  readonly variant: string;
  readonly phase: string | null;
  readonly of: string | null;
  readonly metric: Metric | null;
  readonly target: string;
  readonly vs: Compared | null;
  readonly unit: Unit | null;
  /** Median over the seeds; null = unknown, or an order of events. */
  readonly actual: number | null;
  readonly basis: 'counted' | 'estimated';
  /** Met, or held; null where nobody can tell. */
  readonly met: boolean | null;
  /** Whether the file tells that it is met. */
  readonly expected: boolean;
  /** It ended as the file tells. What is told to hold and has no sample did not; where the load was not made, nothing is said against the system. */
  readonly asTold: boolean;
  /** The generator could not make the load that is asked for: nobody can judge. */
  readonly blind: boolean;
  /** Under how many seeds it is met; null when one seed ran. */
  readonly seeds: { readonly of: number; readonly met: number } | null;
  readonly says: Text | null;
  /** Where it stands in the scenario, 1-based. */
  readonly line: number;
  readonly column: number;
}

export const surprisesIn = ({ goals }: Pick<CheckedScenario, 'goals'>): readonly CheckedGoal[] => goals.filter(({ asTold }) => !asTold);
