import { fewestSeeds, type Baseline } from '../study/baseline.js';
import type { ChangedFigure, Drift, Turned } from '../study/drift.js';
import type { Unit } from '../study/types.js';
import { nameOf } from './baseline.js';
import { medianInterval } from './seeds.js';
import { chanceOfMean, chanceOfTurns } from './chance.js';

/** Figures of a scenario that did not change are told to have changed in at most one comparison of a hundred. */
const falseAlarms = 0.01;
/** A check turned when chance alone would turn it so one-sidedly in at most one of twenty; all of six seeds are enough. */
const chanceTurn = 0.05;

/**
 * What changed since a baseline. Runs under the same seeds share their arrivals and draws, so that they are compared seed by seed; runs under other seeds are compared in their order,
 * and differ by chance alone. A figure has changed when 0 lies outside of the 95 % interval of its median change, and when Student's paired test tells its mean from 0 at a level
 * divided by the number of figures that differ at all (Bonferroni): hundreds of figures are looked at, and some would always seem to have moved.
 */
export const driftOf = (before: Baseline, after: Baseline): Drift => {
  const pairs = pairsOf(before.seeds, after.seeds);
  const figures = matched(before.figures, after.figures, nameOf);
  const differing = figures.both.filter(([old, now]) => pairs.some(([i, j]) => old.values[i] !== now.values[j]));
  const changed = differing.flatMap(([old, now]) => changedFigure(old, now, pairs, falseAlarms / differing.length) ?? []);
  const verdicts = matched(before.verdicts, after.verdicts, ({ objective, variant, phase }) => `objective ${objective}${placeText(variant, phase)}`);
  const claims = matched(before.claims, after.claims, ({ claim, variant, phase }) => `claim ${claim}${placeText(variant, phase)}`);
  return {
    seeds: pairs.length,
    changed: changed.toSorted((a, b) => shareOf(b) - shareOf(a)),
    appeared: [figures, verdicts, claims].flatMap(({ appeared }) => appeared),
    gone: [figures, verdicts, claims].flatMap(({ gone }) => gone),
    turned: [
      ...verdicts.both.flatMap(([old, now]) => turned({ kind: 'objective', name: now.objective, variant: now.variant, phase: now.phase, now: null }, old.met, now.met, pairs)),
      ...claims.both.flatMap(([old, now]) => turned({ kind: 'claim', name: now.claim, variant: now.variant, phase: now.phase, now: null }, old.held, now.held, pairs)),
      ...Object.keys(after.firstToBreak).flatMap((variant) => (Object.hasOwn(before.firstToBreak, variant) ? brokenDifferently(variant, before.firstToBreak[variant], after.firstToBreak[variant], pairs) : [])),
    ],
    noisy: differing.length - changed.length,
  };
};

export const isUnchanged = ({ changed, appeared, gone, turned: all }: Drift): boolean => changed.length + appeared.length + gone.length + all.length === 0;

type Pair = readonly [before: number, after: number];

/** Positions of the same seed on both sides; of the same place in the list where the seeds are others. */
const pairsOf = (before: readonly number[], after: readonly number[]): readonly Pair[] => {
  const same = before.flatMap((seed, i): Pair[] => (after.includes(seed) ? [[i, after.indexOf(seed)]] : []));
  return same.length >= fewestSeeds ? same : before.slice(0, after.length).map((_, i) => [i, i]);
};

const matched = <One>(before: readonly One[], after: readonly One[], name: (one: One) => string): { readonly both: readonly (readonly [One, One])[]; readonly appeared: readonly string[]; readonly gone: readonly string[] } => {
  const [old, now] = [before, after].map((all) => new Map(all.map((one) => [name(one), one])));
  return {
    both: [...now].flatMap(([key, one]) => (old.has(key) ? [[old.get(key)!, one] as const] : [])),
    appeared: [...now.keys()].filter((key) => !old.has(key)),
    gone: [...old.keys()].filter((key) => !now.has(key)),
  };
};

const placeText = (variant: string, phase: string | null): string => ` of ${variant}${phase === null ? '' : ` in ${phase}`}`;

type Figure = Baseline['figures'][number];

/** Null where it did not change, or nobody can tell. */
const changedFigure = (old: Figure, { values, ...figure }: Figure, pairs: readonly Pair[], level: number): ChangedFigure | null => {
  const known = pairs.flatMap(([i, j]) => (old.values[i] === null || values[j] === null ? [] : [[old.values[i], values[j]] as const]));
  const sides = { figure, before: medianOf(pairs.map(([i]) => old.values[i])), after: medianOf(pairs.map(([, j]) => values[j])) };
  const lost = pairs.filter(([i, j]) => old.values[i] !== null && values[j] === null).length;
  const won = pairs.filter(([i, j]) => old.values[i] === null && values[j] !== null).length;
  if ((sides.before === null) !== (sides.after === null)) return chanceOfTurns(lost, won) <= chanceTurn ? { ...sides, change: null } : null;
  const differences = known.map(([was, is]) => is - was).toSorted((a, b) => a - b);
  const change = medianInterval(differences);
  if (change === null || (change[0] <= 0 && change[1] >= 0) || chanceOfMean(differences) > level || !isWorthTelling(sides.before, sides.after, figure.unit)) return null;
  return { ...sides, change };
};

/** Two thousandths of a figure, and of a share a hundredth of its rarer side: 0.01% that fail and 0.02% are twice as many, 56.5% and 56.6% the same. */
const isWorthTelling = (before: number | null, after: number | null, unit: Unit): boolean => {
  if (before === null || after === null) return true;
  const sizeOf = (value: number): number => (unit === 'share' ? Math.min(value, 1 - value) : Math.abs(value));
  return Math.abs(after - before) >= (unit === 'share' ? 0.01 : 0.002) * Math.max(sizeOf(before), sizeOf(after));
};

/** Of those that are known, when they are most. */
const medianOf = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null).toSorted((a, b) => a - b);
  return known.length * 2 <= values.length ? null : (known[(known.length - 1) >> 1] + known[known.length >> 1]) / 2;
};

const shareOf = ({ before, after }: ChangedFigure): number => (before === null || after === null || before === 0 ? Infinity : Math.abs(after / before - 1));

/** A check that ends otherwise under more seeds than chance explains. */
const turned = (what: Omit<Turned, 'before' | 'after' | 'of'>, old: readonly (boolean | null)[], now: readonly (boolean | null)[], pairs: readonly Pair[]): Turned[] => {
  const up = pairs.filter(([i, j]) => old[i] !== true && now[j] === true).length;
  const down = pairs.filter(([i, j]) => old[i] === true && now[j] !== true).length;
  const [before, after] = [pairs.filter(([i]) => old[i] === true).length, pairs.filter(([, j]) => now[j] === true).length];
  const ends = before * 2 > pairs.length !== after * 2 > pairs.length;
  return ends && chanceOfTurns(up, down) <= chanceTurn ? [{ ...what, before, after, of: pairs.length }] : [];
};

const brokenDifferently = (variant: string, old: readonly string[], now: readonly string[], pairs: readonly Pair[]): Turned[] => {
  const [was, is] = [mostFrequent(pairs.map(([i]) => old[i])), mostFrequent(pairs.map(([, j]) => now[j]))];
  const what = { kind: 'first to break', name: was || nothing, variant, phase: null, now: is || nothing } as const;
  return was === is ? [] : turned(what, old.map((one) => one === was), now.map((one) => one === was), pairs);
};

const nothing = 'nothing';

const mostFrequent = (all: readonly string[]): string => {
  const times = (one: string): number => all.filter((other) => other === one).length;
  return all.reduce((best, one) => (times(one) > times(best) ? one : best));
};
