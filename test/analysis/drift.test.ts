import { describe, expect, it } from 'vitest';
import { chanceOfMean, chanceOfTurns } from '../../src/analysis/chance.js';
import { driftOf, isUnchanged } from '../../src/analysis/drift.js';
import { baselineSchemaId, readBaseline, writeBaseline, type Baseline } from '../../src/study/baseline.js';

/** A generator of fair draws, the same on every machine (mulberry32). */
const draws = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** Nearly normal: a sum of uniform draws. */
const noise = (draw: () => number): number => Array.from({ length: 12 }, draw).reduce((sum, one) => sum + one, -6);

const figure = { variant: 'base', of: 'orders', metric: 'p95', over: 'good', phase: null, vs: null, unit: 'ms' } as const;

const baseline = (values: Readonly<Record<string, readonly (number | null)[]>>, more: Partial<Baseline> = {}): Baseline => ({
  schema: baselineSchemaId,
  tool: { version: '0.1.0', build: 'a' },
  scenario: { name: 'shop', sha256: 'b', set: [] },
  seeds: Array.from({ length: Object.values(values)[0].length }, (_, i) => i + 1),
  events: 10,
  figures: Object.entries(values).map(([of, own]) => ({ ...figure, of, values: own })),
  verdicts: [],
  claims: [],
  firstToBreak: {},
  ...more,
});

const tenSeeds = (of: (i: number) => number): number[] => Array.from({ length: 10 }, (_, i) => of(i));

describe('the test of a mean', () => {
  it.each([
    [1, 12.706],
    [2, 4.303],
    [3, 3.182],
    [5, 2.571],
    [9, 2.262],
    [10, 2.228],
    [19, 2.093],
  ])('with %s degrees of freedom gives a twentieth at t = %s', (degrees, t) => {
    // So many values whose mean is t standard errors from 0.
    const spread = Array.from({ length: degrees + 1 }, (_, i) => i - degrees / 2);
    const deviation = Math.sqrt(spread.reduce((sum, one) => sum + one * one, 0) / degrees);
    const mean = (t * deviation) / Math.sqrt(degrees + 1);
    expect(chanceOfMean(spread.map((one) => one + mean))).toBeCloseTo(0.05, 4);
  });

  it('is sure of values that are all the same, and knows nothing of one', () => {
    expect(chanceOfMean([3, 3, 3])).toBe(0);
    expect(chanceOfMean([0, 0, 0])).toBe(1);
    expect(chanceOfMean([3])).toBe(1);
  });

  it('counts turns one way as heads of a coin', () => {
    expect(chanceOfTurns(10, 0)).toBeCloseTo(2 / 1024, 12);
    expect(chanceOfTurns(5, 1)).toBeCloseTo((2 * 7) / 64, 12);
    expect(chanceOfTurns(3, 3)).toBe(1);
    expect(chanceOfTurns(0, 0)).toBe(1);
  });
});

describe('what changed since a baseline', () => {
  it('is nothing between runs of the same system under other seeds, however many figures are looked at', () => {
    const draw = draws(7);
    const run = (): Baseline => baseline(Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`f${i}`, tenSeeds(() => 1000 + 100 * noise(draw))])));
    const comparisons = Array.from({ length: 200 }, () => driftOf(run(), { ...run(), seeds: tenSeeds((i) => 100 + i) }));
    // One in a hundred is what the rule allows.
    expect(comparisons.filter((drift) => drift.changed.length > 0).length).toBeLessThanOrEqual(4);
    expect(comparisons.every(({ noisy, changed }) => noisy + changed.length === 100)).toBe(true);
  });

  it('is found under the same seeds when it is smaller than what the seeds make of the figure, with an interval that holds it', () => {
    const draw = draws(3);
    const values = tenSeeds(() => 1000 + 100 * noise(draw));
    const moved = values.map((value) => value + 20 + 3 * noise(draw));
    const { changed } = driftOf(baseline({ orders: values, other: values }), baseline({ orders: moved, other: values }));
    expect(changed.map(({ figure: { of } }) => of)).toEqual(['orders']);
    const [low, high] = changed[0].change!;
    expect(low).toBeLessThan(20);
    expect(high).toBeGreaterThan(20);
    expect(low).toBeGreaterThan(10);
    expect(changed[0].after! - changed[0].before!).toBeGreaterThan(0);
  });

  it('is not told of a figure that moved under some seeds only', () => {
    const values = tenSeeds((i) => 100 + i);
    const moved = values.map((value, i) => (i < 4 ? value + 50 : value));
    expect(driftOf(baseline({ orders: values }), baseline({ orders: moved }))).toMatchObject({ changed: [], noisy: 1 });
  });

  it('is told of what became unknown, and of what is there on one side alone', () => {
    const values = tenSeeds((i) => 100 + i);
    const drift = driftOf(baseline({ orders: values, gone: values }), baseline({ orders: tenSeeds(() => 0).map(() => null), fresh: values }));
    expect(drift.changed).toMatchObject([{ before: 104.5, after: null, change: null }]);
    expect([drift.appeared, drift.gone]).toEqual([['base: fresh p95 good '], ['base: gone p95 good ']]);
    expect(isUnchanged(drift)).toBe(false);
  });

  it('is told of what became unknown under all seeds but one, not of one that wavers', () => {
    const known = (count: number): (number | null)[] => tenSeeds((i) => 100 + i).map((value, i) => (i < count ? value : null));
    expect(driftOf(baseline({ orders: known(9) }), baseline({ orders: known(0) })).changed).toMatchObject([{ after: null, change: null }]);
    expect(driftOf(baseline({ orders: known(6) }), baseline({ orders: known(5) })).changed).toEqual([]);
  });

  it('weighs a share by its rarer side, and tells nothing that is too small to act on', () => {
    const share = (...both: readonly [number, number]): readonly string[] => {
      const [before, after] = both.map((value) => ({ ...baseline({ orders: tenSeeds(() => value) }) })).map((one) => ({ ...one, figures: one.figures.map((own) => ({ ...own, metric: 'good', unit: 'share' }) as const) }));
      return driftOf(before, after).changed.map(({ figure: { of } }) => of);
    };
    expect(share(0.9999, 0.9991)).toEqual(['orders']);
    expect(share(0.565, 0.566)).toEqual([]);
    const [before, after] = [100, 100.1].map((value) => baseline({ orders: tenSeeds(() => value) }));
    expect(driftOf(before, after)).toMatchObject({ changed: [], noisy: 1 });
  });

  it('puts what moved most, as a share, first', () => {
    const values = tenSeeds((i) => 100 + i);
    const by = (factor: number): number[] => values.map((value) => value * factor);
    const { changed } = driftOf(baseline({ a: values, b: values, c: values }), baseline({ a: by(1.1), b: by(3), c: by(0.5) }));
    expect(changed.map(({ figure: { of } }) => of)).toEqual(['b', 'c', 'a']);
  });

  it('compares by seed where at least six are the same, however they are ordered', () => {
    const values = tenSeeds((i) => 100 * i);
    const before = baseline({ orders: values });
    const after = { ...baseline({ orders: values.toReversed() }), seeds: before.seeds.toReversed() };
    expect(driftOf(before, after)).toMatchObject({ changed: [], noisy: 0 });
  });

  const verdicts = (met: readonly boolean[]): Partial<Baseline> => ({ verdicts: [{ objective: 'fast', variant: 'base', phase: 'event', met }] });
  const values = { orders: tenSeeds((i) => i) };

  it('is a verdict that turned under most seeds, not one that wavers', () => {
    const kept = tenSeeds(() => 1).map(Boolean);
    const turn = (count: number): boolean[] => kept.map((_, i) => i >= count);
    expect(driftOf(baseline(values, verdicts(kept)), baseline(values, verdicts(turn(10)))).turned).toEqual([{ kind: 'objective', name: 'fast', variant: 'base', phase: 'event', before: 10, after: 0, of: 10, now: null }]);
    expect(driftOf(baseline(values, verdicts(turn(4))), baseline(values, verdicts(turn(6)))).turned).toEqual([]);
  });

  it('is another first to break when the seeds agree on it', () => {
    const broken = (first: (i: number) => string): Partial<Baseline> => ({ firstToBreak: { base: Array.from({ length: 10 }, (_, i) => first(i)) } });
    const { turned } = driftOf(baseline(values, broken(() => 'fast db pool')), baseline(values, broken((i) => (i < 8 ? 'fast api cpu' : 'fast db pool'))));
    expect(turned).toEqual([{ kind: 'first to break', name: 'fast db pool', variant: 'base', phase: null, before: 10, after: 2, of: 10, now: 'fast api cpu' }]);
    expect(driftOf(baseline(values, broken((i) => (i < 5 ? 'a' : 'b'))), baseline(values, broken((i) => (i < 6 ? 'b' : 'a')))).turned).toEqual([]);
  });
});

describe('a baseline file', () => {
  const whole = baseline({ orders: [1, 2, 3, 4, 5, null] });

  it('is read back as it was written, and written the same', () => {
    const text = writeBaseline(whole);
    expect(readBaseline(text, 'b.json')).toEqual(whole);
    expect(writeBaseline(readBaseline(text, 'b.json'))).toBe(text);
  });

  it.each([
    ['<<<<<<< HEAD\n{}', 'b.json is no baseline: it holds the marks of a merge conflict'],
    ['nope', 'b.json is no baseline: it is not JSON'],
    ['{"schema":"faultreel-baseline/9"}', 'b.json is no baseline of this version: expected "schema": "faultreel-baseline/1", found "faultreel-baseline/9"'],
    [writeBaseline(whole).replace('[1,2,3,4,5,null]', '[1,2]'), 'b.json is not a whole baseline: figures[0].values expected 6 values, one a seed, found 2'],
    [writeBaseline(baseline({ orders: [1] })), 'b.json is not a whole baseline: seeds expected at least 6, none of them twice'],
    [writeBaseline({ ...whole, seeds: [1, 2, 3, 4, 5, 6, 6] }), 'b.json is not a whole baseline: seeds expected at least 6, none of them twice'],
    [writeBaseline(whole).replace('"p95"', '"p96"'), 'b.json is not a whole baseline: figures[0].metric expected one of'],
  ])('that is broken is told so: %#', (text, message) => {
    expect(() => readBaseline(text, 'b.json')).toThrow(message);
  });
});
