import { inputMarks, markName } from '../../look/figure.js';
import { inputValue } from '../../look/numbers.js';
import type { Input, Lang } from '../../../src/study/types.js';
import type { ReportWords } from '../../../src/text/report.js';
import { knownBand, type ReportContext } from '../context.js';
import { shortPath } from '../../look/sureness.js';
import { styles, type Flow } from '../flow.js';
import { bold, clean, faint, markOnly, say } from '../rich.js';
import { drawTable, type Cell } from '../table.js';

/** Inputs that somebody can vouch for, by basis. */
export const knownPage = (report: ReportContext): void => {
  const { flow, study, words, prose, lang } = report;
  flow.h1(words.title.known);
  const { kind, label } = knownBand(study.inputs, words);
  flow.band(kind, label, () => {
    flow.paragraph(prose('sections', 'known', { guessed: words.title.guessed }), styles.lead);
    flow.space(8);
    const known = inputMarks.filter((mark) => mark !== 'assumed' && mark !== 'default');
    if (study.inputs.every(({ basis }) => !known.some((mark) => mark === basis))) return flow.paragraph(prose('sections', 'knownNone'));
    for (const mark of known) {
      const inputs = study.inputs.filter(({ basis }) => basis === mark);
      const title = markName(mark, lang);
      flow.h2(title);
      if (inputs.length === 0) flow.paragraph(words.nothing, styles.note);
      const [explained, bare] = [inputs.filter(isExplained), inputs.filter((input) => !isExplained(input))];
      const ranged = explained.some(({ range }) => range);
      if (explained.length > 0) drawTable(flow, {
        title,
        empty: words.nothing,
        columns: [
          { title: words.head.input, width: 190 },
          { title: words.head.value, width: 80 },
          ...(ranged ? [{ title: words.head.range, width: 88 }] : []),
          { title: words.head.source, width: ranged ? 143 : 231 },
        ],
        rows: explained.map((input) => [clean(shortPath(input.path)), bold(inputText(input, lang)), ...(ranged ? [rangeText(input, lang) || faint(words.none)] : []), clean(input.from ?? input.why ?? '') || faint(words.none)]),
      });
      if (bare.length > 0) inputPairs(flow, words, title, bare);
      flow.space(8);
    }
  });
};

const isExplained = ({ range, from, why }: Input): boolean => range !== undefined || Boolean(from) || Boolean(why);

/** Inputs that say nothing but their value, two in a row. */
export const inputPairs = (flow: Flow, words: ReportWords, title: string, inputs: readonly Input[]): void => {
  const half = Math.ceil(inputs.length / 2);
  const cells = (input: Input | undefined): Cell[] => (input ? [clean(shortPath(input.path)), inputText(input, flow.lang)] : ['', '']);
  drawTable(flow, {
    title,
    empty: words.nothing,
    size: 7.2,
    columns: [{ title: words.head.input, width: 176 }, { title: words.head.value, width: 78 }, { title: words.head.input, width: 172 }, { title: words.head.value, width: 75 }],
    rows: inputs.slice(0, half).map((input, index) => [...cells(input), ...cells(inputs[half + index])]),
  });
};

/** An input's value with its mark. */
export const inputText = ({ value, unit, basis, currency }: Input, lang: Lang): string => say(inputValue(value, unit, lang, currency), basis);

/** Both ends of an input's range with their mark, or nothing. */
export const rangeText = ({ range, unit, basis, currency }: Input, lang: Lang): string => (range ? `${markOnly(basis)}${range.map((end) => inputValue(end, unit, lang, currency)).join(' – ')}` : '');
