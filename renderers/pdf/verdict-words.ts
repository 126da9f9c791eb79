import { condition, resultValue } from '../look/numbers.js';
import { print } from '../look/palette.js';
import { intervalText, shortPath, whySure } from '../look/sureness.js';
import { textWidth } from '../look/text-width.js';
import type { Input, Lang, Verdict } from '../../src/study/types.js';
import { comparedText } from '../../src/text/compared.js';
import { reportWords } from '../../src/text/report.js';
import { surenessWords } from '../../src/text/sureness.js';
import { guessPlace } from './places.js';
import { bold, clean, faint, inline, judged, linkTo, say } from './rich.js';
import type { Cell } from './table.js';

/** `good ≥ 99.9%`, `p95 ≤ 2x of control`: what an objective asks. Its bound is chosen: marked in a sentence, by the head of its column in a table. */
export const goalText = ({ metric, target, vs, phase, variant }: Pick<Verdict, 'metric' | 'target' | 'vs' | 'phase' | 'variant'>, lang: Lang, marked = false): string => {
  const bound = condition(clean(target));
  return `${reportWords[lang].metric[metric] ?? metric} ${marked ? comparedText(say(bound, 'chosen'), vs && { ...vs, phase: vs.phase && clean(vs.phase), variant: clean(vs.variant) }, { phase, variant }, lang) : clean(comparedText(bound, vs, { phase, variant }, lang))}`;
};

/** The figure that is judged, and where several seeds ran, its 95 % interval, or its extremes where they are too few for one. */
export const resultText = ({ actual, unit, basis, seeds }: Pick<Verdict, 'actual' | 'unit' | 'basis' | 'seeds'>, lang: Lang): string => {
  const interval = seeds ? intervalText(seeds, unit, lang) : '';
  return `${bold(say(resultValue(actual, unit, lang), basis))}${interval === '' ? '' : ` ${faint(interval)}`}`;
};

export const metText = ({ met, blind }: Pick<Verdict, 'met' | 'blind'>, lang: Lang): string => {
  const words = reportWords[lang];
  if (blind) return bold(words.blind);
  return met === null ? words.none : judged(met, met ? words.kept : words.broken);
};

/** How sure a verdict is: firm in plain weight, anything else in a hatched chip, since it is a guess itself. */
export const surenessCell = ({ sure }: Verdict, lang: Lang): Cell => (sure === 'firm' ? bold(surenessWords[lang].sure.firm) : chip(surenessWords[lang].sure[sure]));

/** Why it is as sure as it is; guesses lead to their rows of the register. */
export const whyText = (verdict: Verdict, inputs: readonly Input[], lang: Lang): string => whySure(verdict, inputs, lang, { name: (path) => linkTo(guessPlace(path), clean(shortPath(path))), figure: inline });

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
