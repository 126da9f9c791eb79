/**
 * Target tracking of an EC2 Auto Scaling group, as pure functions. What the guide says (as-scaling-target-tracking): it adds in proportion, rounding up, and
 * takes away less than that, rounding down; instances that boot or warm up are capacity but in no metric; nothing is taken away while some still come.
 * Its alarms have three data points above the target for out and fifteen below a lower threshold for in, a minute each, as users see in CloudWatch; that is no
 * contract, and the lower threshold is seen at 70 % to 90 % of the target: here 90 %. Assumed, as nobody says it: out goes by the newest point,
 * in by the highest of those that call for it.
 */

export const outPoints = 3;
export const inPoints = 15;
export const inThreshold = 0.9;

export interface Group {
  /** All that are there or ordered. */
  readonly capacity: number;
  /** Those that the metric is of. */
  readonly measured: number;
  /** Those that boot or warm up. */
  readonly warming: number;
}

/**
 * Instances that the group should have. `points`: means of the metric over those measured, newest last, in the unit of `target`; null = no data.
 * `quietPoints`: how many must be below the lower threshold, where that is more than fifteen.
 */
export const targetTracking = (points: readonly (number | null)[], { capacity, measured, warming }: Group, target: number, quietPoints = inPoints): number => {
  const needed = (metric: number): number => Math.ceil(withoutNoise((measured * metric) / target));
  const loud = lastOf(points, outPoints, (point) => point > target);
  if (loud) return Math.max(capacity, needed(loud.at(-1)!));
  const quiet = lastOf(points, Math.max(inPoints, quietPoints), (point) => point < target * inThreshold);
  if (!quiet || warming > 0) return capacity;
  return Math.min(capacity, needed(Math.max(...quiet)) + (capacity - measured));
};

/** The last `count` points when all of them are there and as asked. */
const lastOf = (points: readonly (number | null)[], count: number, asked: (point: number) => boolean): number[] | null => {
  const last = points.slice(-count).filter((point) => point !== null);
  return points.length >= count && last.length === count && last.every(asked) ? last : null;
};

/** 4.000000000000001 is 4. */
const withoutNoise = (count: number): number => Math.round(count * 1e9) / 1e9;
