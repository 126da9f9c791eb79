import { condition, count, inputValue, resultValue } from '../look/numbers.js';
import { print } from '../look/palette.js';
import { textWidth } from '../look/text-width.js';
import type { Input, Lang, Verdict } from '../../src/study/types.js';
import { comparedText } from '../../src/text/compared.js';
import { reportWords } from '../../src/text/report.js';
import { shortPath } from './context.js';
import { guessPlace } from './places.js';
import { bold, clean, judged, linkTo, say } from './rich.js';
import type { Cell } from './table.js';

/** `good ≥ 99.9%`, `p95 ≤ 2x of control`: what an objective asks, a target and so without a mark of its own. */
export const goalText = ({ metric, target, vs, phase, variant }: Pick<Verdict, 'metric' | 'target' | 'vs' | 'phase' | 'variant'>, lang: Lang): string =>
  `${reportWords[lang].metric[metric] ?? metric} ${clean(comparedText(condition(clean(target)), vs, { phase, variant }, lang))}`;

export const resultText = ({ actual, unit, basis }: Pick<Verdict, 'actual' | 'unit' | 'basis'>, lang: Lang): string => bold(say(resultValue(actual, unit, lang), basis));

export const metText = ({ met, blind }: Pick<Verdict, 'met' | 'blind'>, lang: Lang): string => {
  const words = reportWords[lang];
  if (blind) return bold(words.blind);
  return met === null ? words.none : judged(met, met ? words.kept : words.broken);
};

/** How sure a verdict is: firm in plain weight, untested in a hatched chip, since it is a guess itself. */
export const surenessCell = (verdict: Verdict, inputs: readonly Input[], lang: Lang): Cell => {
  const words = reportWords[lang];
  if (verdict.sure === 'firm') return bold(words.firm);
  if (verdict.sure === 'hinges' && verdict.flipsAt) {
    const { path, value } = verdict.flipsAt;
    const input = inputs.find((other) => other.path === path);
    return words.hinges(clean(shortPath(path)), say(inputValue(value, input?.unit ?? 'count', lang, input?.currency), 'estimated'));
  }
  return chip(words.untested);
};

const chip = (text: string): Cell => ({
  height: 10,
  words: text,
  draw: (canvas, x, y) => {
    const width = textWidth(text, 8, 700) + 8;
    canvas.rect(x, y - 0.5, width + 6, 11, { fill: { color: print.line2, ground: print.bg, period: 3, stripe: 0.8 }, stroke: print.text, strokeWidth: 0.8, radius: 2 });
    canvas.rect(x + 3, y + 0.9, width, 8.2, { fill: print.bg });
    canvas.text(x + 3 + width / 2, y + 7.9, text, { size: 8, weight: 700, anchor: 'middle' });
  },
});

/** What a verdict rests on: how many guesses, and the names of the first two; the register has all. */
export const restsOnText = ({ restsOn }: Verdict, lang: Lang): string => {
  const words = reportWords[lang];
  if (restsOn.length === 0) return words.restsOnNothing;
  return words.restsOn(count(restsOn.length), restsOn.slice(0, 2).map((path) => linkTo(guessPlace(path), clean(shortPath(path)))).join(', '), restsOn.length > 2);
};
