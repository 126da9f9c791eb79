import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Histogram } from '../../../src/engine/record/histogram.js';

const of = (values: readonly number[]): Histogram => {
  const histogram = new Histogram();
  for (const value of values) histogram.add(value);
  return histogram;
};
/** Whole nanoseconds, as the engine's time is. */
const latencies = fc.array(fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 2 ** 45 })), { maxLength: 200 });
const options = { numRuns: 300, seed: 20_261_130 };

describe('latency buckets', () => {
  it('count every latency once, in the bucket that it lies in, and hold no bucket without one', () => {
    fc.assert(fc.property(latencies, (values) => {
      const { fromMs, toMs, counts } = of(values).coarse();
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(values.length);
      counts.forEach((count, i) => expect(count).toBe(values.filter((ns) => ns / 1e6 >= fromMs[i] && ns / 1e6 < toMs[i]).length));
      expect(counts).not.toContain(0);
    }), options);
  });

  it('ascend, meet or leave a gap, and are eight an octave', () => {
    fc.assert(fc.property(latencies, (values) => {
      const { fromMs, toMs } = of(values).coarse();
      fromMs.forEach((from, i) => {
        expect(from).toBeGreaterThanOrEqual(i === 0 ? 0 : toMs[i - 1]);
        if (from > 0) expect((toMs[i] - from) / 2 ** Math.floor(Math.log2(from * 1e6)) * 1e6).toBeCloseTo(1 / 8, 9);
      });
    }), options);
  });

  it('of two histograms together are the sums of theirs: no edge cuts a bucket of the histogram', () => {
    fc.assert(fc.property(latencies, latencies, (one, other) => {
      const both = of(one);
      both.merge(of(other));
      expect(both.coarse()).toEqual(of([...one, ...other]).coarse());
    }), options);
  });

  it('hold nothing when nothing ended', () => {
    expect(new Histogram().coarse()).toEqual({ fromMs: [], toMs: [], counts: [] });
  });
});
