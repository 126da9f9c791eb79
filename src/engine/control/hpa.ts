/**
 * The decision rule of the Kubernetes Horizontal Pod Autoscaler for one metric, as pure functions.
 * Source: kubernetes pkg/controller/podautoscaler (replica_calculator.go, metrics/utilization.go, horizontal.go) and its v2 defaults.
 */

/** Tolerance around the target inside which nothing is done (config/v1alpha1/defaults.go); both ends are inside. */
export const tolerance = 0.1;

/** One instance of the fleet as the autoscaler sees it. `usage` null: no sample (its process is dead). Same unit for usage and request. */
export interface Observed {
  readonly usage: number | null;
  readonly request: number;
  /** False while it boots: capacity without a metric. */
  readonly ready: boolean;
}

/** Mean use of some, in percent of what they ask for; null: it cannot be said. */
export type Utilisation = (counted: readonly Observed[]) => number | null;

/** Of a resource: sum of use ÷ sum of requests, in whole percent, truncated (metrics/utilization.go, GetResourceUtilizationRatio). */
export const hundredthsOfRequest: Utilisation = (counted) => {
  const request = sum(counted, (one) => one.request);
  return request === 0 ? null : Math.trunc((sum(counted, ({ usage }) => usage ?? 0) * 100) / request);
};

/** Of a metric with an average value as target, which is each one's request: the mean truncated to thousandths (GetMetricUsageRatio counts in milli-units). */
export const thousandths: Utilisation = (counted) => {
  if (counted.length === 0) return null;
  const mean = Math.trunc((sum(counted, ({ usage }) => usage ?? 0) * 1000) / counted.length) / 1000;
  return (mean * 100) / counted[0].request;
};

/**
 * Replicas that one metric asks for. Utilisation is that of those counted, for a resource in whole percent, truncated.
 * Missing samples count as 0 when scaling out and as the target (at least 100 %) when scaling in; unready ones as 0 when scaling out and not at all when
 * scaling in; and a decision may not turn against its first direction.
 */
export const desiredReplicas = (
  current: number,
  fleet: readonly Observed[],
  targetPercent: number,
  utilisation: Utilisation = hundredthsOfRequest,
): { readonly desired: number; readonly utilisationPercent: number | null } => {
  const counted = fleet.filter(({ ready, usage }) => ready && usage !== null);
  const missing = fleet.filter(({ ready, usage }) => ready && usage === null);
  const unready = fleet.filter(({ ready }) => !ready);
  const utilisationPercent = utilisation(counted);
  if (utilisationPercent === null) return { desired: current, utilisationPercent };
  const ratio = utilisationPercent / targetPercent;
  const isOut = ratio > 1;
  if (missing.length === 0 && !(unready.length > 0 && isOut)) {
    return { desired: withinTolerance(ratio) ? current : Math.ceil(ratio * counted.length), utilisationPercent };
  }
  const filled = missing.map(({ request }) => ({ request, ready: true, usage: isOut ? 0 : (request * Math.max(100, targetPercent)) / 100 }));
  const idle = isOut ? unready.map(({ request }) => ({ request, ready: true, usage: 0 })) : [];
  const all = [...counted, ...filled, ...idle];
  const corrected = utilisation(all)! / targetPercent;
  if (withinTolerance(corrected) || corrected > 1 !== isOut) return { desired: current, utilisationPercent };
  const desired = Math.ceil(corrected * all.length);
  return { desired: isOut ? Math.max(current, desired) : Math.min(current, desired), utilisationPercent };
};

/** The most that one 15 s period may add by the default scale-up policies: 4 pods or 100 %, whichever is more. */
export const scaleUpLimit = (atPeriodStart: number): number => Math.max(atPeriodStart + 4, atPeriodStart * 2);

const sum = (of: readonly Observed[], what: (one: Observed) => number): number => of.reduce((total, one) => total + what(one), 0);

const withinTolerance = (ratio: number): boolean => ratio >= 1 - tolerance && ratio <= 1 + tolerance;
