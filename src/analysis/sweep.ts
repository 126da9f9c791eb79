import type { Value } from '../scenario/model.js';
import type { FigureName, Sweep } from '../study/types.js';
import { knownIn } from './figures.js';
import type { Readings } from './testing.js';

/** What to sweep: a value of the scenario, from one end to the other in evenly spaced steps, both ends included. */
export interface SweepPlan {
  readonly input: Value;
  readonly values: readonly number[];
}

/** Values of a sweep, ascending or descending as given; whole ones for a count, each once. */
export const sweepValues = (from: number, to: number, count: number, isWhole: boolean): number[] => {
  const values = Array.from({ length: count }, (_, i) => from + ((to - from) * i) / Math.max(1, count - 1));
  return [...new Set(values.map((value) => (isWhole ? Math.round(value) : Number(value.toPrecision(12)))))];
};

export const sweepOf = (variant: string, { input, values }: SweepPlan, names: readonly FigureName[], readings: readonly Readings[]): Sweep => {
  const at = readings.map((own) => names.map((name) => knownIn(own, name)));
  return {
    variant,
    path: input.path,
    unit: input.unit,
    ...(input.currency === undefined ? {} : { currency: input.currency }),
    written: Number.isFinite(input.value) ? input.value : null,
    values,
    figures: names,
    at,
    knees: names.map((_, figure) => kneeOf(values, at.map((row) => row[figure]))),
  };
};

/** A curve whose height is less than this share of its figures is told as flat. */
const leastHeight = 0.02;
/** A curve that bends by less than this share of its height is told as straight. */
const leastBend = 0.1;
/**
 * Where a curve bends most: the point farthest from the straight line between its ends, both axes scaled to 1 (the idea of Satopää et al., "Finding a Kneedle in a
 * Haystack", 2011). Null for fewer than four known points, for a flat curve, for one that turns back more than once (noise, or several things), and where the bend is slight.
 */
export const kneeOf = (values: readonly number[], figures: readonly (number | null)[]): number | null => {
  const points = values.flatMap((x, i) => (figures[i] === null ? [] : [{ x, y: figures[i] }]));
  const [first, last] = [points[0], points.at(-1)];
  if (points.length < 4 || !first || !last || first.x === last.x) return null;
  const ys = points.map(({ y }) => y);
  const height = Math.max(...ys) - Math.min(...ys);
  if (height <= leastHeight * Math.max(...ys.map(Math.abs)) || turnsBack(ys, leastBend * height) > 1) return null;
  const distances = points.map(({ x, y }) => Math.abs(y - first.y - ((last.y - first.y) * (x - first.x)) / (last.x - first.x)) / height);
  const farthest = distances.indexOf(Math.max(...distances));
  return distances[farthest] < leastBend ? null : points[farthest].x;
};

/** How often a curve turns back by more than `least`. */
const turnsBack = (ys: readonly number[], least: number): number => {
  let [turns, direction, extreme] = [0, 0, ys[0]];
  for (const y of ys) {
    if (direction === 0 ? Math.abs(y - extreme) <= least : (y - extreme) * direction > -least) {
      if (direction !== 0 && (y - extreme) * direction > 0) extreme = y;
      continue;
    }
    if (direction !== 0) turns++;
    direction = Math.sign(y - extreme);
    extreme = y;
  }
  return turns;
};
