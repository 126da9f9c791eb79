import { afterAll, describe, expect, it } from 'vitest';
import { cutFor, stretchesOf, type Stretch } from './batches.js';
import { bias, type Found, insideShare, keep, mean, notNarrow, off } from './found.js';
import { studentT } from './student-t.js';

export interface Figure {
  /** A percentile ends with `p50`, `p95`, `p99`. */
  readonly name: string;
  readonly expected: number;
  readonly read: (stretch: Stretch) => number;
  /** Its interval is wider than half of the tolerance: it only has to lie in it. */
  readonly wide?: boolean;
}

/** A case that is simulated and measured. */
export interface Measured {
  readonly id: string;
  readonly tolerance: number;
  /** The scenario without its head (duration, tick, phases), of each run. */
  readonly system: string | ((run: number) => string);
  /** Requests of all batches together, and how many come in a second. */
  readonly requests: number;
  readonly perS: number;
  /** In how many runs: one is no longer than a week. */
  readonly runs?: number;
  /** Where it must be longer than a batch. */
  readonly warmUpS?: number;
  /** Time after the last batch in which what arrived in it can end; one tick when left out. */
  readonly tailS?: number;
  readonly figures: readonly Figure[];
}

/**
 * All batches together give the figure, the spread of the batches its 99 % interval, by Student's t: batch means (Law, Simulation Modeling and Analysis, ch. 9),
 * and for percentiles batch quantiles. The figures of one case come from the same run and are correlated; cases have seeds of their own and are independent.
 */
export const measure = (family: string, { id, tolerance, system, requests, perS, runs = 1, warmUpS = 0, tailS = 0, figures }: Measured): Found[] => {
  const cut = cutFor(requests / runs, perS, { batches: Math.max(1, 20 / runs), warmUpS, tailS });
  const parts = Array.from({ length: runs }, (_, i) => stretchesOf(cut, typeof system === 'string' ? system : system(i), seedOf(id) + i));
  // Who is still inside at the end is in no latency: the tail must be long enough for all.
  expect(parts.flatMap(({ all }) => Object.values(all.run.phases['all'].traffic)).map(({ inFlight }) => inFlight)).toEqual(Array(runs).fill(0));
  return figures.map(({ name, expected, read, wide = false }) => {
    const values = parts.flatMap(({ batches }) => batches.map((batch) => read(batch)));
    const own = mean(values);
    const spread = Math.sqrt(values.reduce((sum, value) => sum + (value - own) ** 2, 0) / (values.length - 1));
    const halfWidth = (studentT(0.99, values.length - 1) * spread) / Math.sqrt(values.length);
    return { family, id, figure: name, tolerance, expected, found: mean(parts.map(({ all }) => read(all))), halfWidth, resolution: /p\d\d$/.test(name) ? halfBucket : halfDigit, wide };
  });
};

/** A percentile is the mean of its bucket of a histogram, 128 of them an octave: up to half of its width away, 0.39 %. */
const halfBucket = 1 / 256;
/** Columns of ticks keep four digits. */
const halfDigit = 5e-5;

/** A seed for each case, so that no two share their draws. */
const seedOf = (id: string): number => {
  let hash = 7;
  for (let i = 0; i < id.length; i++) hash = (hash * 31 + id.charCodeAt(i)) % 1_000_003;
  return hash;
};

/** The tests of a family: each case is as near as it says and as sure as half of that; all together cover the truth and are not to one side. */
export const familyOf = (family: string, cases: readonly Measured[]): void => {
  describe(family, () => {
    const rows: Found[] = [];
    for (const one of cases) {
      it(one.id, () => {
        const found = measure(family, one);
        rows.push(...found);
        const sure = found.filter(({ wide }) => !wide);
        expect(sure.filter(notNarrow).map(({ figure, halfWidth, expected }) => `${figure}: ± ${halfWidth / expected}`)).toEqual([]);
        expect(sure.filter((row) => Math.abs(off(row)) > row.tolerance).map((row) => `${row.figure}: ${off(row)} off`)).toEqual([]);
      });
    }
    it('all cases: the truth is in the 99 % interval of at least 90 % of the figures, and their mean relative error is at most 0.3 %', () => {
      expect(new Set(rows.map(({ id }) => id)).size).toBe(cases.length);
      expect(insideShare(rows)).toBeGreaterThanOrEqual(0.9);
      expect(Math.abs(bias(rows))).toBeLessThanOrEqual(0.003);
    });
    afterAll(() => keep(family, rows));
  });
};
