import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keptTicks } from '../../renderers/charts/sampling.js';
import { stepLine, type TimeAxis } from '../../renderers/charts/time-plot.js';
import { at } from '../../src/study/columns.js';

/** Levels that a path of steps reaches. */
const levelsOf = (d: string): Set<number> => new Set([...d.matchAll(/[ML]([\d.-]+) ([\d.-]+)/g)].map(([, , y]) => Number(y)));

const column = fc.array(fc.option(fc.integer({ min: -500, max: 500 }), { nil: null, freq: 6 }), { minLength: 1, maxLength: 900 });

/** How every time chart samples: two places a point for curves, one for small panels. */
describe('a sampled curve', () => {
  it.each([1, 2])('reaches the highest and the lowest value of every place of the plot, %d places a point', (perPoint) => {
    fc.assert(fc.property(column, column, fc.integer({ min: 5, max: 60 }), (one, other, width) => {
      const count = one.length;
      const second = one.map((_, i) => other[i] ?? null);
      const axis: TimeAxis = { left: 0, width, durationMs: count * 1000, tickMs: 1000, count };
      const buckets = Math.floor(width * perPoint);
      const kept = keptTicks([one, second], count, buckets);
      for (const series of [one, second]) {
        for (let bucket = 0; bucket < buckets; bucket++) {
          const [from, to] = [Math.floor((bucket * count) / buckets), Math.floor(((bucket + 1) * count) / buckets)];
          const values = series.slice(from, to).filter((value) => value !== null);
          if (values.length === 0) continue;
          const own = kept.filter((tick) => tick >= from && tick < to).flatMap((tick) => at(series, tick) ?? []);
          expect([Math.min(...own), Math.max(...own)]).toEqual([Math.min(...values), Math.max(...values)]);
        }
        const levels = levelsOf(stepLine(axis, kept, series, (value) => value));
        const all = series.filter((value) => value !== null);
        if (all.length > 0) for (const extreme of [Math.min(...all), Math.max(...all)]) expect(levels).toContain(extreme);
        if (all.length < count) expect(kept.some((tick) => series[tick] === null)).toBe(true);
      }
    }), { seed: 20_261_130 });
  });
});
