import type { ClaimResult, Metric } from './types.js';

/** An objective is seen to break over this much of the past (rule 52); also the window of the `trailing` columns. */
export const trailingMs = 10_000;

const decidedByFormula: ReadonlySet<Metric> = new Set(['cpu', 'memory', 'ooms', 'launches', 'cost']);

/** How a metric is known: the engine counted it, or a formula made it. */
export const basisOfMetric = (metric: Metric): 'counted' | 'estimated' => (decidedByFormula.has(metric) ? 'estimated' : 'counted');

/** Whether a claim ended as the file says. A figure that nobody knows tells nothing: neither that a claim holds nor that it does not. */
export const isAsTold = ({ held, expected, actual, order }: ClaimResult): boolean => held === expected && (actual !== null || order !== undefined);
