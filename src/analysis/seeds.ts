import type { BrokenFirst, FigureName, SeedFigure, SeedSpread } from '../study/types.js';
import { knownIn, type Reading } from './figures.js';

/** What the figures come to over seeds, and what broke first. */
export const spreadOf = (seeds: readonly number[], names: readonly FigureName[], readings: readonly ReadonlyMap<string, Reading>[]): SeedSpread => ({
  seeds,
  figures: names.map((name) => ({ ...name, ...seedFigureOf(readings.map((own) => knownIn(own, name))) })),
  firstToBreak: Object.fromEntries([...readings[0].keys()].map((variant) => [variant, countBroken(readings.map((own) => own.get(variant)!.firstToBreak))])),
});

/** A figure over seeds; unknown where most seeds do not know it. */
export const seedFigureOf = (values: readonly (number | null)[]): SeedFigure => {
  const known = values.filter((value) => value !== null).toSorted((a, b) => a - b);
  if (known.length * 2 <= values.length) return { median: null, low: null, high: null, min: known[0] ?? null, max: known.at(-1) ?? null, known: known.length };
  const [low, high] = medianInterval(known) ?? [null, null];
  return { median: medianOf(known), low, high, min: known[0], max: known.at(-1)!, known: known.length };
};

/** Of ascending values. */
const medianOf = (sorted: readonly number[]): number => (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;

const confidence = 0.95;

/**
 * The 95 % interval of the median of ascending values, without an assumption about their distribution: between two order statistics, interpolated to the level
 * (Hettmansperger & Sheather 1986; Nyblom 1992). Null below six values, whose whole range holds the median less often than that.
 */
export const medianInterval = (sorted: readonly number[]): readonly [number, number] | null => {
  const n = sorted.length;
  const chances = binomialHalf(n);
  const coverage = (d: number): number => 1 - 2 * chances.slice(0, d).reduce((sum, chance) => sum + chance, 0);
  if (n < 2 || coverage(1) < confidence) return null;
  let d = 1;
  while (d + 1 <= n / 2 && coverage(d + 1) >= confidence) d++;
  const beyond = (coverage(d) - confidence) / (coverage(d) - coverage(d + 1));
  const weight = ((n - d) * beyond) / (d + (n - 2 * d) * beyond);
  const between = (one: number, other: number): number => one + (other - one) * weight;
  return [between(sorted[d - 1], sorted[d]), between(sorted[n - d], sorted[n - d - 1])];
};

/** Chances of 0 … n heads in n throws. */
const binomialHalf = (n: number): number[] => {
  const chances = [2 ** -n];
  for (let k = 1; k <= n; k++) chances.push((chances[k - 1] * (n - k + 1)) / k);
  return chances;
};

/** Whether more than half of them say so. */
export const most = (held: readonly boolean[]): boolean => held.filter(Boolean).length * 2 > held.length;

const countBroken = (all: readonly BrokenFirst[]): (BrokenFirst & { readonly seeds: number })[] => {
  const counts = new Map<string, BrokenFirst & { readonly seeds: number }>();
  for (const { objective, service, what } of all) {
    const key = `${objective} ${service} ${what}`;
    counts.set(key, { objective, service, what, seeds: (counts.get(key)?.seeds ?? 0) + 1 });
  }
  return [...counts.values()].toSorted((a, b) => b.seeds - a.seeds);
};
