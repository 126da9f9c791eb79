/**
 * The decision rule of the Kubernetes Horizontal Pod Autoscaler for one resource metric, as pure functions.
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

/**
 * Replicas that one metric asks for. Utilisation is usage ÷ request over those counted, in whole percent, truncated.
 * Missing samples count as 0 when scaling out and as the target (at least 100 %) when scaling in; unready ones as 0 when scaling out and not at all when
 * scaling in; and a decision may not turn against its first direction.
 */
export const desiredReplicas = (current: number, fleet: readonly Observed[], targetPercent: number): { desired: number; utilisationPercent: number | null } => {
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

const utilisation = (counted: readonly Observed[]): number | null => {
  const request = counted.reduce((sum, one) => sum + one.request, 0);
  if (request === 0) return null;
  return Math.trunc((counted.reduce((sum, one) => sum + (one.usage ?? 0), 0) * 100) / request);
};

const withinTolerance = (ratio: number): boolean => ratio >= 1 - tolerance && ratio <= 1 + tolerance;
