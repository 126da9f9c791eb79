import type { PhaseTotals, TrafficTotals, Warning } from '../../study/types.js';
import type { SharedLink } from '../parts/link.js';
import { neverEjects } from '../parts/outlier.js';
import { rounded } from './histogram.js';

/** What a reader must know before they trust a figure of the run. */
export const warningsOf = (links: readonly SharedLink[], traffic: Readonly<Record<string, TrafficTotals>>, phases: Readonly<Record<string, PhaseTotals>>): Warning[] => [
  ...dropped(traffic, null),
  ...Object.entries(phases).flatMap(([phase, totals]) => dropped(totals.traffic, phase)),
  ...links.flatMap(({ plan, beliefs }): Warning[] =>
    plan.outlier && neverEjects(plan.outlier, beliefs.length) ? [{ kind: 'outlier-never', subject: plan.name, phase: null, data: { targets: beliefs.length, maxEjected: plan.outlier.maxEjected } }] : [],
  ),
];

/** `share`: of the arrivals that the file asks for. */
const dropped = (traffic: Readonly<Record<string, TrafficTotals>>, phase: string | null): Warning[] =>
  Object.entries(traffic).flatMap(([subject, { offered, dropped: missing }]): Warning[] =>
    missing > 0 ? [{ kind: 'dropped', subject, phase, data: { dropped: missing, share: rounded(missing / (offered + missing)) } }] : [],
  );
