import type { Column } from '../../src/study/types.js';
import { at } from '../../src/study/columns.js';

/**
 * Ticks worth drawing when there are more than a plot has room for: of every bucket the first and the last one, and the lowest and the highest of each series.
 * What is drawn as steps between them still shows every extreme; a spike of one tick is never lost.
 */
export const keptTicks = (series: readonly Column[], count: number, buckets: number): number[] => {
  if (count <= buckets * 2) return Array.from({ length: count }, (_, tick) => tick);
  const kept = new Set<number>();
  for (let bucket = 0; bucket < buckets; bucket++) {
    const from = Math.floor((bucket * count) / buckets);
    const to = Math.floor(((bucket + 1) * count) / buckets);
    kept.add(from).add(to - 1);
    for (const column of series) for (const tick of extremes(column, from, to)) kept.add(tick);
  }
  return [...kept].sort((a, b) => a - b);
};

/** Ticks of a range with the lowest value, the highest, and the first without any. */
const extremes = (column: Column, from: number, to: number): number[] => {
  if (typeof column === 'number') return [];
  let low = -1;
  let high = -1;
  let none = -1;
  for (let tick = from; tick < to; tick++) {
    const value = at(column, tick);
    if (value === null) none = none < 0 ? tick : none;
    else {
      if (low < 0 || value < at(column, low)!) low = tick;
      if (high < 0 || value > at(column, high)!) high = tick;
    }
  }
  return [low, high, none].filter((tick) => tick >= 0);
};

/** Highest value of a column; 0 for one without any. */
export const highest = (column: Column, count: number): number => {
  let high = 0;
  for (let tick = 0; tick < (typeof column === 'number' ? 1 : count); tick++) high = Math.max(high, at(column, tick) ?? 0);
  return high;
};

/** Columns added tick by tick, times a factor. */
export const sumOf = (columns: readonly Column[], count: number, factor = 1): Column => {
  if (columns.every((column) => typeof column === 'number')) return (columns).reduce((sum, value) => sum + value, 0) * factor;
  return Array.from({ length: count }, (_, tick) => columns.reduce<number>((sum, column) => sum + (at(column, tick) ?? 0), 0) * factor);
};

/** Each tick as the mean of the samples in its group of `size` ticks; null where the group has none. */
export const meansOf = (column: Column, count: number, size: number): Column => {
  if (typeof column === 'number' || size <= 1) return column;
  return Array.from({ length: count }, (_, tick) => {
    const first = tick - (tick % size);
    const own = Array.from({ length: Math.min(size, count - first) }, (_unused, i) => at(column, first + i)).filter((value) => value !== null);
    return own.length === 0 ? null : own.reduce((sum, value) => sum + value, 0) / own.length;
  });
};
