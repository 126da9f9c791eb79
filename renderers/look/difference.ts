import type { Lang, Unit } from '../../src/study/types.js';
import { count, latency, points, resultValue } from './numbers.js';

/** Shares as they are printed, in whole tenths of a percent: a reader who subtracts gets what we print. */
const printedTenths = (share: number): number => Math.floor(share * 1000 + 1e-9);

/** What `to` has more than `from`, with its sign, in the unit of an objective; shares in points. */
export const differenceText = (from: number, to: number, unit: Unit, lang: Lang): string => {
  if (unit === 'share') return points((printedTenths(to) - printedTenths(from)) / 1000, lang);
  const [one, other] = [resultValue(from, unit, lang), resultValue(to, unit, lang)];
  if (one === other) return resultValue(0, unit, lang);
  const size = Math.abs(to - from);
  return `${to > from ? '+' : minus}${unit === 'ms' ? latency(size) : resultValue(size, unit, lang)}`;
};

/** The same without its sign. */
export const distanceText = (from: number, to: number, unit: Unit, lang: Lang): string => differenceText(Math.min(from, to), Math.max(from, to), unit, lang).replace(/^\+/, '');

/** Whether the two are printed differently. */
export const isPrintedDifferently = (one: number | null, other: number | null, unit: Unit): boolean => (one === null || other === null ? one !== other : resultValue(one, unit, 'en') !== resultValue(other, unit, 'en'));

/** A rate with its sign: `+221/s`, `−3.4/s`, `0/s`. */
export const rateDifference = (perS: number): string => {
  const size = Math.abs(perS);
  const text = size >= 9.95 ? count(size) : String(Number(size.toFixed(1)));
  return `${text === '0' ? '' : perS < 0 ? minus : '+'}${text}/s`;
};

const minus = '\u2212';
