import type { Comparison, Ends, ObjectiveDifference } from '../../../src/study/comparison.js';
import type { Lang } from '../../../src/study/types.js';
import { compareWords, type ClosingWords } from '../../../src/text/compare.js';
import { differenceText, distanceText, isPrintedDifferently } from '../../look/difference.js';
import { count, resultValue, share } from '../../look/numbers.js';

/** The one sentence that a comparison ends with, made from its figures; with a second one where chance may be part of it. */
export const closingSentence = (comparison: Comparison, lang: Lang): string => {
  const words = compareWords[lang].closing;
  const sentence = mainSentence(comparison, lang, words);
  const differs = sentence !== words.none;
  return comparison.arrivals === 'different' && differs ? `${sentence} ${words.chance}` : sentence;
};

const mainSentence = (comparison: Comparison, lang: Lang, words: ClosingWords): string => {
  const known = comparison.objectives.filter(({ values }) => values.every((value) => value !== null));
  const row = tellingMost(known);
  if (row) return comparison.sides.length === 2 ? ofTwo(row, comparison, lang, words) : ofSeveral(row, comparison, lang, words);
  return known.length > 0 ? withoutDifference(comparison, words) : withoutObjective(comparison, lang, words);
};

/** Where one keeps what another breaks; then where they are furthest apart. Null when all are printed the same. */
const tellingMost = (rows: readonly ObjectiveDifference[]): ObjectiveDifference | null => {
  const differing = rows.filter(({ values, unit }) => values.some((value) => isPrintedDifferently(value, values[0], unit)));
  return differing.toSorted((a, b) => Number(isSplit(b)) - Number(isSplit(a)) || apartness(b) - apartness(a))[0] ?? null;
};

const isSplit = ({ met }: ObjectiveDifference): boolean => met.includes(true) && met.includes(false);

/** Of shares the difference, of other units the share that the smaller is less. */
const apartness = ({ values, unit }: ObjectiveDifference): number => {
  const [low, high] = [Math.min(...(values as number[])), Math.max(...(values as number[]))];
  return unit === 'share' ? high - low : high === 0 ? 0 : ((high - low) / Math.abs(high)) * 0.1;
};

/** Index of the side that is better; of the larger where neither direction is. */
const bestOf = ({ values, better }: ObjectiveDifference): number => {
  const sorted = values.map((value, side) => ({ value: value as number, side })).toSorted((a, b) => (better === 'less' ? a.value - b.value : b.value - a.value) || a.side - b.side);
  return sorted[0].side;
};
const worstOf = (row: ObjectiveDifference): number => {
  const { values, better } = row;
  const sorted = values.map((value, side) => ({ value: value as number, side })).toSorted((a, b) => (better === 'less' ? b.value - a.value : a.value - b.value) || a.side - b.side);
  return sorted[0].side;
};

const whoseOf = ({ of }: ObjectiveDifference, { traffic }: Comparison): string | null => (traffic.some((row) => row.traffic !== null) ? of : null);

const ofTwo = (row: ObjectiveDifference, comparison: Comparison, lang: Lang, words: ClosingWords): string => {
  const { sides } = comparison;
  const winner = bestOf(row);
  const loser = 1 - winner;
  const common = { phase: row.phase, whose: whoseOf(row, comparison), kept: keptOf(row, comparison, words), also: alsoOf(row, winner, comparison, words) };
  if (row.metric === 'good' && row.unit === 'share') {
    const [more, less] = [row.values[winner]!, row.values[loser]!];
    return words.good({ ...common, winner: sides[winner].name, loser: sides[loser].name, points: distanceText(less, more, 'share', lang), more: share(more), less: share(less) });
  }
  return words.metric({ ...common, metric: metricName(row, words), results: [winner, loser].map((side) => [sides[side].name, valueText(row, side, lang)] as const) });
};

const ofSeveral = (row: ObjectiveDifference, comparison: Comparison, lang: Lang, words: ClosingWords): string => {
  const [best, worst] = [bestOf(row), worstOf(row)];
  const named = (side: number): readonly [string, string] => [comparison.sides[side].name, valueText(row, side, lang)];
  return words.several({ metric: metricName(row, words), phase: row.phase, whose: whoseOf(row, comparison), best: named(best), worst: named(worst), apart: distanceText(row.values[best]!, row.values[worst]!, row.unit, lang), kept: keptOf(row, comparison, words) });
};

const metricName = ({ metric }: ObjectiveDifference, { goodMetric }: ClosingWords): string => (metric === 'good' ? goodMetric : metric);

const valueText = ({ values, unit, basis }: ObjectiveDifference, side: number, lang: Lang): string => `${basis === 'estimated' ? '≈' : ''}${resultValue(values[side], unit, lang)}`;

const keptOf = ({ met }: ObjectiveDifference, { sides }: Comparison, words: ClosingWords): string => (met.includes(null) ? '' : words.kept(sides.filter((_, i) => met[i] === true).map(({ name }) => name), sides.length));

/** Failures, else refusals, where the two differ in them: of the same requests. */
const alsoOf = (row: ObjectiveDifference, winner: number, { traffic }: Comparison, words: ClosingWords): string => {
  const ends = traffic.find((one) => one.phase === row.phase && one.traffic === row.of) ?? traffic.find((one) => one.phase === row.phase && one.traffic === null);
  const [own, other] = [ends?.sides[winner], ends?.sides[1 - winner]];
  if (!own || !other) return '';
  const key = own.failed !== other.failed ? 'failed' : 'refused';
  return own[key] === other[key] ? '' : words.also(key, count(Math.abs(own[key] - other[key])), own[key] < other[key]);
};

/** Objectives alike; of two sides it is still said if one loses fewer requests. */
const withoutDifference = ({ sides, traffic }: Comparison, words: ClosingWords): string => {
  const ends = traffic.find(({ phase, traffic: name }) => phase === null && name === null)?.sides;
  if (sides.length !== 2 || !ends?.every((one): one is Ends => one !== null)) return words.none;
  const key = ends[0].failed !== ends[1].failed ? 'failed' : 'refused';
  if (ends[0][key] === ends[1][key]) return words.none;
  const winner = ends[0][key] < ends[1][key] ? 0 : 1;
  return words.noneButEnds(sides[winner].name, sides[1 - winner].name, count(Math.abs(ends[0][key] - ends[1][key])), key);
};

const withoutObjective = ({ sides, traffic, objectives }: Comparison, lang: Lang, words: ClosingWords): string => {
  const ends = traffic.find(({ phase, traffic: name }) => phase === null && name === null)?.sides ?? [];
  return (objectives.length > 0 ? words.withoutJudged : words.withoutObjective)(sides.map(({ name }, i) => [name, resultValue(ends[i]?.goodShare ?? null, 'share', lang)] as const));
};

/** What a side has more than the first, as it is printed; null for the first, and where one is unknown. */
export const differenceFromFirst = ({ values, unit }: Pick<ObjectiveDifference, 'values' | 'unit'>, side: number, lang: Lang): string | null => {
  const [from, to] = [values[0], values[side]];
  return side === 0 || from === null || to === null ? null : differenceText(from, to, unit, lang);
};
