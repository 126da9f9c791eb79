import { describe, expect, it } from 'vitest';
import { exp, ln } from '../../../src/engine/kernel/elementary.js';
import { block, encipher, pick, siteOf, uniform } from '../../../src/engine/kernel/keyed-draws.js';
import { sampler } from '../../../src/engine/kernel/sampler.js';

const hex = (word: number): string => (word >>> 0).toString(16).padStart(8, '0');

describe('own elementary functions', () => {
  it('agree with the language to 1e-15 over twenty orders of magnitude', () => {
    let [worstLn, worstExp] = [0, 0];
    for (let i = 0; i < 20_000; i++) {
      const x = 10 ** ((i % 200) / 10 - 10) * (1 + uniform(1, 2, 3, i));
      worstLn = Math.max(worstLn, Math.abs(ln(x) - Math.log(x)) / Math.max(1, Math.abs(Math.log(x))));
      const y = (uniform(1, 2, 4, i) - 0.5) * 200;
      worstExp = Math.max(worstExp, Math.abs(exp(y) / Math.exp(y) - 1));
    }
    expect(worstLn).toBeLessThanOrEqual(1e-15);
    expect(worstExp).toBeLessThanOrEqual(2e-14);
    expect(ln(1)).toBe(0);
    expect(exp(0)).toBe(1);
  });
});

describe('keyed draws', () => {
  // Known answers of Threefry-2x32 with 20 rounds, from the published test vectors of Random123.
  it.each([
    [[0, 0], [0, 0], '6b20015999ba4efe'],
    [[0xffffffff, 0xffffffff], [0xffffffff, 0xffffffff], '1cb996fcbb002be7'],
    [[0x13198a2e, 0x03707344], [0x243f6a88, 0x85a308d3], 'c4923a9c483df7a0'],
  ])('encipher as Threefry does: key %j, counter %j', ([k0, k1], [c0, c1], expected) => {
    encipher(k0 | 0, k1 | 0, c0 | 0, c1 | 0);
    expect(hex(block[0]) + hex(block[1])).toBe(expected);
  });

  it('are uniform, and neighbours in site, occurrence and key are not correlated', () => {
    const n = 100_000;
    const neighbours: ((i: number) => [number, number])[] = [(i) => [uniform(1, 2, i, 0), uniform(1, 2, i + 1, 0)], (i) => [uniform(1, 2, 7, i), uniform(1, 2, 7, i + 1)], (i) => [uniform(i, 2, 7, 0), uniform(i + 1, 2, 7, 0)]];
    for (const pair of neighbours) {
      let [sum, squares, products] = [0, 0, 0];
      for (let i = 0; i < n; i++) {
        const [a, b] = pair(i);
        sum += a;
        squares += a * a;
        products += (a - 0.5) * (b - 0.5);
      }
      // Five standard errors.
      expect(Math.abs(sum / n - 1 / 2)).toBeLessThan(5 * Math.sqrt(1 / 12 / n));
      expect(Math.abs(squares / n - 1 / 3)).toBeLessThan(5 * Math.sqrt(4 / 45 / n));
      expect(Math.abs(products / n)).toBeLessThan(5 / 12 / Math.sqrt(n));
    }
  });

  it('pick every one of n equally often', () => {
    const counts = [0, 0, 0, 0, 0];
    for (let i = 0; i < 50_000; i++) counts[pick(5, 3, 4, 5, i)]++;
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(5 * Math.sqrt(50_000 * 0.2 * 0.8));
  });

  it('have sites of their own for names that differ little', () => {
    const names = Array.from({ length: 1000 }, (_, i) => `services.a.handlers.b.${i}`);
    expect(new Set(names.map(siteOf)).size).toBe(1000);
  });
});

describe('samplers', () => {
  const n = 50_000;
  it.each([
    ['constant', { kind: 'gamma', cv: 0 }, 0],
    ['exponential', { kind: 'gamma', cv: 1 }, 1],
    ['gamma, narrow', { kind: 'gamma', cv: 0.5 }, 0.5],
    ['gamma, wide (shape below 1)', { kind: 'gamma', cv: 2 }, 2],
    ['lognormal', { kind: 'lognormal', cv: 0.8 }, 0.8],
  ] as const)('%s: mean and spread come out as stated', (_, spread, cv) => {
    const draws = sampler(40, spread, 9);
    let [sum, squares, smallest] = [0, 0, Infinity];
    for (let i = 0; i < n; i++) {
      const draw = draws.draw(5, 6, i);
      smallest = Math.min(smallest, draw);
      sum += draw;
      squares += draw * draw;
    }
    const mean = sum / n;
    expect(smallest).toBeGreaterThanOrEqual(0);
    expect(Math.abs(mean / 40 - 1)).toBeLessThanOrEqual((5 * cv) / Math.sqrt(n));
    expect(Math.abs(Math.sqrt(Math.max(0, squares / n - mean * mean)) / 40 - cv)).toBeLessThanOrEqual(0.02 * cv + 1e-7);
  });

  it('quantiles: the stated shares lie below the stated values, scaled to the stated mean', () => {
    const points = [[0.5, 10], [0.95, 40], [0.99, 100]] as const;
    const ownMean = (0.5 * 10) / 2 + (0.45 * 50) / 2 + (0.04 * 140) / 2 + 0.01 * 100;
    const draws = sampler(ownMean, { kind: 'quantiles', points }, 9);
    const values = Array.from({ length: n }, (_, i) => draws.draw(5, 6, i));
    for (const [share, value] of points) {
      const below = values.filter((one) => one <= value + 1e-9).length / n;
      if (share < 0.99) expect(Math.abs(below - share)).toBeLessThan(5 * Math.sqrt((share * (1 - share)) / n));
      else expect(below).toBe(1);
    }
    expect(values.reduce((sum, value) => sum + value, 0) / n).toBeCloseTo(ownMean, 0);
  });
});
