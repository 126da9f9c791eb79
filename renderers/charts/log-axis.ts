import { scaleLog } from 'd3';
import type { Column } from '../../src/study/types.js';
import { at } from '../../src/study/columns.js';

/** A logarithmic scale over a domain of at least a decade around what is there, so that a constant value does not fill the plot. */
export const logScale = ([low, high]: readonly [number, number], [from, to]: readonly [number, number]): ((value: number) => number) => scaleLog([low, high], [from, to]).clamp(true);

/** A domain that holds both values with some room, and is at least `factor` wide. */
export const logDomain = (low: number, high: number, factor = 4): [number, number] => {
  const spread = Math.max(1, Math.sqrt(factor / (high / low)));
  return [(low / spread) / 1.06, high * spread * 1.06];
};

/** Round values on a logarithmic axis, no more than `most`: decades, then with 3, then 1, 2, 5. */
export const logTicks = ([low, high]: readonly [number, number], most: number): number[] => {
  for (const steps of [[1, 2, 5], [1, 3], [1]]) {
    const values = roundValues(low, high, steps);
    if (values.length <= most) return values;
  }
  const decades = roundValues(low, high, [1]);
  const every = Math.ceil(decades.length / most);
  return decades.filter((_, i) => i % every === 0);
};

const roundValues = (low: number, high: number, steps: readonly number[]): number[] => {
  const values: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
    for (const step of steps) {
      const value = Number(`${step}e${power}`);
      if (value >= low && value <= high) values.push(value);
    }
  }
  return values;
};

/** The least and the most of what columns hold above 0; null when they hold nothing. */
export const positiveRange = (columns: readonly Column[], count: number): [number, number] | null => {
  let range: [number, number] | null = null;
  for (const column of columns) {
    for (let tick = 0; tick < (typeof column === 'number' ? 1 : count); tick++) {
      const value = at(column, tick);
      if (value !== null && value > 0) range = range === null ? [value, value] : [Math.min(range[0], value), Math.max(range[1], value)];
    }
  }
  return range;
};
