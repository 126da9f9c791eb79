import { describe, expect, it } from 'vitest';
import { askedOf, type Readings } from '../../src/analysis/index.js';
import { claimsOf } from '../../src/analysis/claims.js';
import type { Judgeable } from '../../src/analysis/judgeable.js';
import { medianInterval, most, seedFigureOf, spreadOf } from '../../src/analysis/seeds.js';
import { verdictsOf } from '../../src/analysis/verdicts.js';
import { uniform } from '../../src/engine/kernel/keyed-draws.js';
import { parseScenario } from '../../src/scenario/index.js';
import type { BrokenFirst, ClaimResult, FigureName, SimulatedRun, Verdict } from '../../src/study/types.js';
import { readingAs } from '../support/fake-model.js';
import { scenario } from '../support/simulated.js';

const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1);

describe('the 95 % interval of a median', () => {
  // Weights by hand from the binomial of one half: n = 6 has 0.96875 between the extremes and 0.78125 inside them, so I = 0.1 and the weight is 5 I / (1 + 4 I) = 5/14.
  it.each([
    [6, 1 + 5 / 14],
    // 0.984375 and 0.875: I = 11/35, weight 6 I / (1 + 5 I) = 11/15.
    [7, 1 + 11 / 15],
    // 0.978515625 and 0.890625 at the second and third of ten: 8 I / (2 + 6 I) with I = 0.3244…
    [10, 2 + 0.657658],
    // 0.958610535 and 0.884681702 at the sixth and seventh of twenty: 14 I / (6 + 8 I) with I = 0.1165
    [20, 6 + 0.235234],
  ])('of 1 … %d begins at %d and ends as far from the other end', (n, low) => {
    const [from, to] = medianInterval(upTo(n))!;
    expect(from).toBeCloseTo(low, 5);
    expect(to).toBeCloseTo(n + 1 - low, 5);
  });

  it.each([0, 1, 2, 3, 4, 5])('cannot be had of %d values, whose whole range holds the median less often', (n) => {
    expect(medianInterval(upTo(n))).toBeNull();
  });

  it('never shrinks towards a value that is moved away, and lies within the extremes and around the median', () => {
    for (let trial = 0; trial < 200; trial++) {
      const n = 6 + (trial % 25);
      const values = drawn(n, trial).toSorted((a, b) => a - b);
      const [low, high] = medianInterval(values)!;
      expect(low).toBeGreaterThanOrEqual(values[0]);
      expect(high).toBeLessThanOrEqual(values.at(-1)!);
      expect(low).toBeLessThanOrEqual(seedFigureOf(values).median!);
      expect(high).toBeGreaterThanOrEqual(seedFigureOf(values).median!);
      for (const at of [0, n >> 1, n - 1]) {
        const [movedLow, movedHigh] = medianInterval(values.map((value, i) => (i === at ? value + 0.3 : value)).toSorted((a, b) => a - b))!;
        expect(movedLow).toBeGreaterThanOrEqual(low);
        expect(movedHigh).toBeGreaterThanOrEqual(high);
      }
    }
  });

  it.each([6, 7, 8, 10, 11, 15, 20, 30])('holds the median of a uniform distribution 93 to 97 times in 100 with %d values', (n) => {
    const times = 4_000;
    const held = Array.from({ length: times }, (_, trial) => medianInterval(drawn(n, 1_000 * n + trial).toSorted((a, b) => a - b))!).filter(([low, high]) => low <= 0.5 && high >= 0.5);
    expect(held.length / times).toBeGreaterThan(0.93);
    expect(held.length / times).toBeLessThan(0.97);
  });
});

/** Uniform numbers, the same each time. */
const drawn = (n: number, key: number): number[] => Array.from({ length: n }, (_, i) => uniform(key, 7, 11, i));

describe('a figure over seeds', () => {
  it('has its median, the interval, the extremes, and under how many seeds it is known', () => {
    expect(seedFigureOf([5, 3, 1])).toEqual({ median: 3, low: null, high: null, min: 1, max: 5, known: 3 });
    expect(seedFigureOf([4, 2, 1, 3])).toMatchObject({ median: 2.5 });
    expect(seedFigureOf([6, 5, 4, 3, 2, 1])).toEqual({ median: 3.5, low: expect.closeTo(19 / 14, 9) as number, high: expect.closeTo(7 - 19 / 14, 9) as number, min: 1, max: 6, known: 6 });
  });

  it('is of those that know it, and unknown unless most do', () => {
    expect(seedFigureOf([null, 4, 2, null, 3])).toEqual({ median: 3, low: null, high: null, min: 2, max: 4, known: 3 });
    expect(seedFigureOf([null, 4, 2, null])).toEqual({ median: null, low: null, high: null, min: 2, max: 4, known: 2 });
    expect(seedFigureOf([null, null])).toEqual({ median: null, low: null, high: null, min: null, max: null, known: 0 });
  });

  it('is told by most when more than half say so', () => {
    expect([most([true, false]), most([true, true, false]), most([]), most([false])]).toEqual([false, true, false, false]);
  });
});

const lines = `
duration: 60s
services: { api: { slots: 10, handlers: { ask: [{ wait: { measured: 10ms, from: a trace } }] } } }
traffic: { users: { to: { api: { latency: { measured: 0ms, from: a trace } } }, send: ask, open: { rate: { chosen: 10/s, why: so it is } } } }
objectives: { quick: { of: users, p95: "<= 100ms" } }
variants: { today: {}, other: { services.api.slots: 20 } }
claims:
  fast: { of: users, p95: "<= 100ms" }
  story: { order: [saturated api, crashed api] }`;

/** What a p95 of these values, one a seed, is judged to be; the other variant has 10 ms under every seed. */
const over = (values: readonly (number | null)[], more: { readonly broken?: readonly BrokenFirst[]; readonly orders?: readonly (readonly (number | null)[])[] } = {}): { readonly verdicts: readonly Verdict[]; readonly claims: readonly ClaimResult[]; readonly seeds: readonly Readings[] } => {
  const { variants } = parseScenario(scenario(lines), { file: 'test.yaml' });
  const all = variants.map((system): Judgeable => ({ system, run: { variant: system.variant } as SimulatedRun }));
  const seeds = values.map((value, nth): Readings =>
    new Map(variants.map((system) => {
      const reading = readingAs(system.variant, askedOf(system, variants), ({ metric, variant }) => (metric !== 'p95' ? 1 : variant === 'today' ? value : 10));
      return [system.variant, { ...reading, orders: { story: more.orders?.[nth] ?? [1, 2] }, firstToBreak: more.broken?.[nth] ?? reading.firstToBreak }];
    })),
  );
  return { verdicts: verdictsOf(all[0], seeds, null), claims: claimsOf(all, seeds), seeds };
};

describe('a verdict over seeds', () => {
  it('is judged by the median, and firm when all seeds agree', () => {
    expect(over([50, 70, 60]).verdicts[0]).toMatchObject({ actual: 60, met: true, sure: 'firm', seeds: { median: 60, of: 3, met: 3, known: 3, min: 50, max: 70 } });
    expect(over([150, 170, 160]).verdicts[0]).toMatchObject({ actual: 160, met: false, sure: 'firm', seeds: { of: 3, met: 0 } });
  });

  it('hinges when seeds disagree, whatever the first one says', () => {
    expect(over([150, 70, 60]).verdicts[0]).toMatchObject({ actual: 70, met: true, sure: 'hinges', seeds: { of: 3, met: 2 } });
    expect(over([50, 170, 160]).verdicts[0]).toMatchObject({ actual: 160, met: false, sure: 'hinges', seeds: { of: 3, met: 1 } });
  });

  it('is not firm when some seeds do not know it, which turns nothing', () => {
    expect(over([50, null, 60]).verdicts[0]).toMatchObject({ actual: 55, met: true, sure: 'untested', seeds: { of: 3, known: 2, met: 2 } });
    expect(over([50, null, null]).verdicts[0]).toMatchObject({ actual: null, met: null, sure: 'untested' });
  });

  it('has none of it under one seed', () => {
    expect(over([50]).verdicts[0]).toMatchObject({ actual: 50, met: true, sure: 'firm', seeds: null });
  });
});

describe('a claim over seeds', () => {
  it('is held when most seeds say so', () => {
    expect(over([150, 70, 60]).claims[0]).toMatchObject({ claim: 'fast', held: true, seeds: { of: 3, held: 2 } });
    expect(over([50, 70, 160, 170]).claims[0]).toMatchObject({ held: false, seeds: { of: 4, held: 2 } });
    expect(over([50]).claims[0]).toMatchObject({ held: true, seeds: null });
  });

  it('about an order as well, each seed having its own times', () => {
    expect(over([50, 50, 50], { orders: [[2, 1], [1, 2], [1, 2]] }).claims[1]).toMatchObject({ claim: 'story', held: true, seeds: { of: 3, held: 2 }, order: [{ tMs: 2 }, { tMs: 1 }] });
    expect(over([50, 50, 50], { orders: [[1, 2], [1, null], [null, null]] }).claims[1]).toMatchObject({ held: false, seeds: { of: 3, held: 1 } });
  });
});

describe('the spread over seeds', () => {
  const slow: BrokenFirst = { objective: 'quick', service: 'api', what: 'slots' };
  const none: BrokenFirst = { objective: null, service: null, what: null };
  const name = (variant: string, vs: FigureName['vs'] = null): FigureName => ({ variant, of: 'users', metric: 'p95', over: 'good', phase: null, vs, unit: 'ms' });

  it('has every figure, factors of the same seed included', () => {
    const { seeds } = over([20, 40, 30]);
    const { figures } = spreadOf([1, 2, 3], [name('today'), name('other'), name('today', { variant: 'other', phase: null })], seeds);
    expect(figures.map(({ median, min, max }) => [median, min, max])).toEqual([[30, 20, 40], [10, 10, 10], [3, 2, 4]]);
  });

  it('counts what broke first in each variant, the most frequent first', () => {
    const { firstToBreak } = spreadOf([1, 2, 3], [], over([1, 1, 1], { broken: [none, slow, slow] }).seeds);
    expect(firstToBreak['today']).toEqual([{ ...slow, seeds: 2 }, { ...none, seeds: 1 }]);
  });
});
