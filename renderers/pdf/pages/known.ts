import { inputMarks, markName } from '../../look/figure.js';
import { inputValue } from '../../look/numbers.js';
import type { Input, Lang } from '../../../src/study/types.js';
import { shortPath, type ReportContext } from '../context.js';
import { styles } from '../flow.js';
import { bold, clean, faint, say } from '../rich.js';
import { drawTable } from '../table.js';

/** Inputs that somebody can vouch for, by basis. */
export const knownPage = (report: ReportContext): void => {
  const { flow, study, words, prose, lang } = report;
  flow.h1(words.title.known);
  flow.band('known', words.band.known, () => {
    flow.paragraph(prose('sections', 'known', { guessed: words.title.guessed }), styles.lead);
    flow.space(8);
    const known = inputMarks.filter((mark) => mark !== 'assumed' && mark !== 'default');
    if (study.inputs.every(({ basis }) => !known.some((mark) => mark === basis))) return flow.paragraph(prose('sections', 'knownNone'));
    for (const mark of known) {
      const inputs = study.inputs.filter(({ basis }) => basis === mark);
      const title = markName(mark, lang);
      flow.h2(title, '', 40);
      drawTable(flow, {
        title,
        empty: words.nothing,
        columns: [
          { title: words.head.input, width: 190 },
          { title: words.head.value, width: 80 },
          { title: words.head.range, width: 88 },
          { title: words.head.source, width: 143 },
        ],
        rows: inputs.map((input) => [clean(shortPath(input.path)), bold(inputText(input, lang)), rangeText(input, lang) || faint(words.none), clean(input.from ?? input.why ?? '') || faint(words.none)]),
      });
      flow.space(8);
    }
  });
};

/** An input's value with its mark. */
export const inputText = ({ value, unit, basis, currency }: Input, lang: Lang): string => say(inputValue(value, unit, lang, currency), basis);

/** Both ends of an input's range, or nothing. The ends share the mark of the value beside them. */
export const rangeText = ({ range, unit, currency }: Input, lang: Lang): string => (range ? range.map((end) => inputValue(end, unit, lang, currency)).join(' – ') : '');
