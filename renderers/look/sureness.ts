import type { Input, Lang, PathValue, SeedFigure, SeedSpread, Unit, Verdict } from '../../src/study/types.js';
import { surenessWords } from '../../src/text/sureness.js';
import { figure, type Figure } from './figure.js';
import { nbsp, nearInput, resultValue } from './numbers.js';

/** A path as people read it: without the name of the map it is in. */
export const shortPath = (path: string): string => path.replace(/^(values|services|traffic|machines)\./, '');

/** How a place writes what the sentence is made of: a name with its link, a figure with its mark. */
export interface Said {
  readonly name: (path: string) => string;
  readonly figure: (figure: Figure) => string;
}

/** Names in full, figures by their text: for terminal, Markdown and film. */
export const saidPlainly: Said = { name: shortPath, figure: ({ text }) => text };

/** Why a verdict is as sure as it is, in a sentence or two. */
export const whySure = (verdict: Verdict, inputs: readonly Input[], lang: Lang, said: Said = saidPlainly, most = 2): string => {
  const words = surenessWords[lang];
  const { tested, seeds, sure, met, restsOn, blind } = verdict;
  if (blind) return words.blind;
  const names = (paths: readonly string[]): string => paths.slice(0, most).map(said.name).join(', ');
  const sentences: string[] = [];
  if (seeds && met !== null && seeds.met !== (met ? seeds.known : 0)) sentences.push(words.seeds(seeds.met, seeds.of));
  // Guesses are moved under the first seed, whose verdict may be another one than the median's.
  const to = (tested ? tested.met : met) === true ? 'broken' : 'kept';
  if (tested && tested.met !== met && tested.flips.length + tested.together.length > 0) sentences.push(words.firstSeed);
  if (tested && tested.flips.length > 0) {
    const [first] = tested.flips;
    sentences.push(words.turns(to, said.name(first.path), said.figure(flipFigure(first, inputs, lang)), first.end === 'high'));
    const others = new Set(tested.flips.slice(1).map(({ path }) => path)).size - Number(tested.flips.slice(1).some(({ path }) => path === first.path));
    if (others > 0) sentences.push(words.alsoTurns(others));
  } else if (tested && tested.together.length > 0) sentences.push(words.together(to, tested.together.length));
  if (sentences.length > 0) return sentences.join(' ');
  if (sure === 'firm') {
    const worst = tested?.corner && tested.corner.values.length > 1 ? said.figure(figure(resultValue(tested.corner.actual, verdict.unit, lang), verdict.basis)) : null;
    return tested && tested.moves.length > 0 ? words.holds(tested.moves.length, worst) : words.unmoved(worst);
  }
  if (tested && tested.unknownAt.length > 0) return words.unknownAt(names(tested.unknownAt));
  const rangeOf = (path: string): Input['range'] => inputs.find((input) => input.path === path)?.range;
  const unranged = tested ? restsOn.filter((path) => rangeOf(path) === undefined) : restsOn;
  if (unranged.length === 0) return words.unmoved(null);
  return (tested ? words.noRange : words.notMoved)(unranged.length, names(unranged), unranged.length > most);
};

/** Where a guess turns a verdict, between the last value at which it had not and the first at which it has: as much a guess as what it replaces. */
export const flipFigure = ({ path, value, holdsAt = value }: PathValue & { readonly holdsAt?: number }, inputs: readonly Input[], lang: Lang): Figure => {
  const input = inputs.find((one) => one.path === path);
  const text = (one: number, digits: number): string => nearInput(one, input?.unit ?? 'count', lang, input?.currency, digits);
  // As many digits as tell it from what is written and from the value at which it has not turned.
  let digits = 3;
  while (digits < 9 && value !== holdsAt && (text(value, digits) === text(holdsAt, digits) || (input?.value !== null && input?.value !== undefined && input.value !== value && text(value, digits) === text(input.value, digits)))) digits++;
  const isWhole = input?.unit === 'count' && Math.abs(value - holdsAt) <= 1;
  return figure(value === holdsAt || isWhole ? text(value, digits) : betweenText(text(holdsAt, digits), text(value, digits)), input?.basis ?? 'assumed');
};

/** The 95 % interval of a figure over seeds, or its extremes where they are too few for one: `55.9–57.1%`, the unit once where it is the same. Empty where nothing is known, or as printed all seeds agree. */
export const intervalText = ({ low, high, min, max }: SeedFigure, unit: Unit, lang: Lang): string => {
  const [from, to] = low === null || high === null ? [min, max] : [low, high];
  if (from === null || to === null) return '';
  const texts = [resultValue(from, unit, lang), resultValue(to, unit, lang)] as const;
  return texts[0] === texts[1] ? '' : betweenText(...texts);
};

/** Two figures with a dash between, the unit once where it is the same. */
const betweenText = (from: string, to: string): string => {
  const [, number, unit] = /^([\d.,]+)(.*)$/.exec(from) ?? [];
  return number !== undefined && unit !== '' && to.endsWith(unit) && /^[\d.,]+$/.test(to.slice(0, -unit.length)) ? `${number}–${to}` : `${from}${nbsp}–${nbsp}${to}`;
};

/** Whether the seeds are too few for an interval: then the extremes are told. */
export const isFew = ({ figures }: Pick<SeedSpread, 'figures'>): boolean => figures.every(({ low }) => low === null);
