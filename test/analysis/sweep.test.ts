import { describe, expect, it } from 'vitest';
import { sweepOf, sweepValues } from '../../src/analysis/index.js';
import { kneeOf } from '../../src/analysis/sweep.js';
import type { Value } from '../../src/scenario/model.js';
import type { FigureName } from '../../src/study/types.js';
import { readingAs } from '../support/fake-model.js';

describe('values of a sweep', () => {
  it('are evenly spaced, both ends included, in either direction', () => {
    expect(sweepValues(200, 900, 8, false)).toEqual([200, 300, 400, 500, 600, 700, 800, 900]);
    expect(sweepValues(3, 1, 5, false)).toEqual([3, 2.5, 2, 1.5, 1]);
    expect(sweepValues(0.1, 0.4, 4, false)).toEqual([0.1, 0.2, 0.3, 0.4]);
  });

  it('are whole for a count, each once', () => {
    expect(sweepValues(1, 4, 8, true)).toEqual([1, 2, 3, 4]);
    expect(sweepValues(10, 1, 4, true)).toEqual([10, 7, 4, 1]);
    expect(sweepValues(5, 40, 3, true)).toEqual([5, 23, 40]);
  });
});

const range = Array.from({ length: 11 }, (_, i) => i * 10);
/** Goodput of a system that carries 60. */
const hinge = range.map((load) => Math.min(load, 60));

describe('the knee of a curve', () => {
  it('is where a hinge bends, whichever way it is swept', () => {
    expect(kneeOf(range, hinge)).toBe(60);
    expect(kneeOf(range.toReversed(), hinge.toReversed())).toBe(60);
    expect(kneeOf(range, hinge.map((y) => -1_000 * y))).toBe(60);
  });

  it('is where a latency takes off', () => {
    expect(kneeOf(range, range.map((load) => (load <= 70 ? 10 : 10 + (load - 70) * 100)))).toBe(70);
  });

  it('is where it turns back', () => {
    expect(kneeOf(range, range.map((load) => 50 - Math.abs(load - 50)))).toBe(50);
  });

  it.each([
    ['a line', range.map((x) => 3 * x + 7)],
    ['a flat curve', range.map(() => 4)],
    ['noise that goes up and down', range.map((_, i) => [5, 9, 4, 8, 9.5, 3][i % 6])],
    ['a curve that hardly bends', range.map((x) => x + 0.0008 * x * (100 - x))],
    ['three known points', [0, null, null, null, 60, null, null, null, null, null, 60]],
    ['nothing known', range.map(() => null)],
  ])('is not in %s', (_, figures) => {
    expect(kneeOf(range, figures)).toBeNull();
  });

  it('is looked for among what is known', () => {
    expect(kneeOf(range, hinge.map((y, i) => (i === 2 || i === 10 ? null : y)))).toBe(60);
    expect(kneeOf(range, hinge.map((y, i) => (i === 6 ? null : y)))).toBe(50);
  });
});

describe('a sweep', () => {
  const input: Value = { path: 'values.load', value: 30, unit: '/s', basis: 'chosen', setting: false };
  const names = (['rate', 'p95'] as const).map((metric): FigureName => ({ variant: 'base', of: 'users', metric, over: 'good', phase: null, vs: null, unit: metric === 'rate' ? '/s' : 'ms' }));
  const readings = range.map((load) => new Map([['base', readingAs('base', names, ({ metric }) => (metric === 'rate' ? Math.min(load, 60) : load > 90 ? null : 5))]]));

  it('has every figure at every value, and the knee of each', () => {
    const sweep = sweepOf('base', { input, values: range }, names, readings);
    expect(sweep).toMatchObject({ variant: 'base', path: 'values.load', unit: '/s', written: 30, values: range, figures: names, knees: [60, null] });
    expect(sweep.at[3]).toEqual([30, 5]);
    expect(sweep.at[10]).toEqual([60, null]);
    expect('currency' in sweep).toBe(false);
  });

  it('of what the file leaves out or does not limit has no written value', () => {
    expect(sweepOf('base', { input: { ...input, value: Infinity }, values: range }, names, readings).written).toBeNull();
    expect(sweepOf('base', { input: { ...input, value: NaN, currency: 'USD' }, values: range }, names, readings)).toMatchObject({ written: null, currency: 'USD' });
  });
});
