import type { Change, ChangedValue, Comparison } from '../../../src/study/comparison.js';
import type { Lang } from '../../../src/study/types.js';
import { compareWords } from '../../../src/text/compare.js';
import { condition, inputValue } from '../../look/numbers.js';

/** An input's value on one side, in the scenario's own words; a default as the tool fills it in. */
export const changedValue = ({ text, filledIn }: ChangedValue, lang: Lang): string => {
  if (text !== null) return condition(text);
  if (filledIn === null) return compareWords[lang].notSet;
  const { value, unit, currency } = filledIn;
  return unit === null || typeof value === 'string' ? String(value) : inputValue(value, unit, lang, currency);
};

/** What a side has of a change: its value, or that it has the part at all. */
export const sideOfChange = ({ isWhole, values }: Change, side: number, lang: Lang): string => (isWhole ? compareWords[lang][values[side].text === null ? 'hasNot' : 'has'] : changedValue(values[side], lang));

/** `health.path: dedicated`. */
export const changeLine = (at: string, value: ChangedValue, lang: Lang): string => `${at === '' ? '' : `${at}: `}${changedValue(value, lang)}`;

/** Where an input belongs, as people say it: `alb → order-api`, `order-api`; and its path there. */
export const changePlace = ({ path, touches }: Change): { readonly place: string; readonly at: string } => {
  const [first] = touches;
  // A named value is known by its name.
  if (path.startsWith('values.')) return { place: '', at: path.slice('values.'.length) };
  if (!first) return { place: '', at: path };
  return { place: first.kind === 'link' ? first.name.replace('.', ' → ') : first.name, at: first.at };
};

/** What the comparison is made of, in one line: `two variants · same seed 1017 · same arrivals · one change`. */
export const termsLine = ({ relation, sides, arrivals, changes }: Comparison, lang: Lang): string => {
  const words = compareWords[lang];
  const seeds = new Set(sides.map(({ seed }) => seed));
  return [relation === 'variants' ? words.variants(sides.length) : words.scenarios(sides.length), words.seed(seeds.size === 1 ? [...seeds][0] : null), words.arrivals[arrivals], words.changes(changes.length)].join(' · ');
};
