import type { Verdict } from '../../src/study/types.js';
import type { ReportContext } from './context.js';

/** Names of places of the report, for `Flow.anchor` and `linkTo`. Sections have theirs in `report.ts`. */

/** Where a guess stands in the register, or among what the tool filled in. */
export const guessPlace = (path: string): string => `guess ${path}`;

/** The row of a phase in the table of a traffic; null for the whole run. */
export const phasePlace = (traffic: string, phase: string | null): string => `phase ${traffic} ${phase ?? ''}`;

/** Where the result of an objective is counted or estimated: its row of the phases, else its part of the report. */
export const resultPlace = ({ flow }: Pick<ReportContext, 'flow'>, { of, phase, metric, basis }: Pick<Verdict, 'of' | 'phase' | 'metric' | 'basis'>): string => {
  const row = phasePlace(of, phase);
  if (metric === 'cost') return 'guessed';
  if (flow.has(row) && basis === 'counted') return row;
  return basis === 'estimated' ? 'guessed' : 'counted';
};
