import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Histogram } from '../../../src/engine/record/histogram.js';

const of = (values: readonly number[]): Histogram => {
  const histogram = new Histogram();
  for (const value of values) histogram.add(value);
  return histogram;
};

describe('the latency histogram', () => {
  it('gives nearest-rank percentiles within 1 %, exact mean and exact maximum', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2 ** 45 }), { minLength: 1, maxLength: 300 }), fc.constantFrom(0.5, 0.9, 0.95, 0.99, 0.999), (values, share) => {
        const sorted = values.toSorted((a, b) => a - b);
        const exact = sorted[Math.ceil(share * sorted.length - 1e-9) - 1];
        const found = of(values).percentileNs(share)!;
        expect(Math.abs(found - exact)).toBeLessThanOrEqual(0.01 * exact);
        const summary = of(values).summary()!;
        expect(summary.max).toBeCloseTo(sorted.at(-1)! / 1e6, -Math.floor(Math.log10(sorted.at(-1)! / 1e6 + 1e-9)) + 4);
        expect(summary.count).toBe(values.length);
      }),
    );
  });

  it('knows nothing of an empty set: null, never 0', () => {
    expect(new Histogram().summary()).toBeNull();
    expect(new Histogram().percentileNs(0.5)).toBeNull();
  });

  it('merged and taken apart again is what it was', () => {
    const [a, b] = [of([1e6, 2e6, 3e6]), of([5e9, 7])];
    a.merge(b);
    expect(a.count).toBe(5);
    expect(a.percentileNs(0.99)! / 5e9).toBeCloseTo(1, 2);
    a.subtract(b);
    expect(a.count).toBe(3);
    expect(a.percentileNs(1)! / 3e6).toBeCloseTo(1, 2);
  });

  it('cleared it is empty', () => {
    const histogram = of([1, 2, 3]);
    histogram.clear();
    expect(histogram.summary()).toBeNull();
    histogram.add(4e6);
    expect(histogram.summary()).toMatchObject({ count: 1, p50: 4, max: 4, mean: 4 });
  });
});
