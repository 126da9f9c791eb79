import { drawBasis } from '../../look/basis-marks.js';
import { inputMarks, markName } from '../../look/figure.js';
import { count } from '../../look/numbers.js';
import { print } from '../../look/palette.js';
import { textWidth } from '../../look/text-width.js';
import type { Input } from '../../../src/study/types.js';
import type { InkShape } from '../book.js';
import { counted, knownBand, type ReportContext } from '../context.js';
import { column, styles } from '../flow.js';
import { drawn, lineShapes } from '../line-ink.js';
import { inputGroups } from '../input-groups.js';
import { breakLines } from '../rich.js';

const pitch = 7;
const marksWidth = 220;

/** How many inputs of each basis there are, as marks: a reader sees at a glance how much of this is guessed. */
export const whatWentIn = (report: ReportContext): void => {
  const { flow, study, words, prose, lang } = report;
  const rows = inputMarks.map((mark) => ({ mark, inputs: study.inputs.filter(({ basis }) => basis === mark) }));
  const most = Math.max(...rows.map(({ inputs }) => inputs.length));
  const perLine = Math.floor(marksWidth / pitch);
  const per = [1, 2, 5, 10, 20, 50].find((size) => most / size <= perLine * 3) ?? 100;
  flow.h2(words.title.whatWentIn, prose('verdict', 'inputs', { count: counted(count(study.inputs.length)), each: per === 1, per }));
  for (const guessed of [false, true]) {
    flow.band(guessed ? 'guessed' : knownBand(study.inputs, words).kind, '', () => {
      for (const { mark, inputs } of rows.filter((row) => (row.mark === 'assumed' || row.mark === 'default') === guessed)) {
        const marks = Math.ceil(inputs.length / per);
        const lines = Math.max(1, Math.ceil(marks / perLine));
        const height = Math.max(11.5, lines * pitch + 2.5);
        flow.need(height);
        const top = flow.y;
        // The marks of the row are the mark of its figures.
        const shapes: InkShape[] = [{ kind: 'mark', mark, shapes: drawn((canvas) => {
          for (let i = 0; i < marks; i++) drawBasis(canvas, mark, column.left + 3.2 + (i % perLine) * pitch, top + 6 + Math.floor(i / perLine) * pitch, 5.6, print.text, 0.7);
        }) }, ...drawn((canvas) => {
          canvas.text(column.left + marksWidth + 24, top + 9, count(inputs.length), { size: 8.5, weight: 700, anchor: 'end' });
          canvas.text(column.left + marksWidth + 30, top + 9, markName(mark, lang), { size: 8.5, weight: 600 });
        })];
        const unexplained = inputs.filter(({ basis, why }) => basis === 'assumed' && !why).length;
        const note = unexplained > 0 ? prose('verdict', 'unexplained', { count: count(unexplained) }) : groupsText(inputs, report, column.width - marksWidth - 146);
        const line = breakLines(note, column.width - marksWidth - 144, styles.note)[0];
        flow.add('P', [{ page: flow.page, shapes: [...shapes, ...(line ? lineShapes(line, column.left + marksWidth + 144, top + 9, styles.note) : [])] }]);
        flow.y += height;
      }
    });
    flow.y += guessed ? 0 : 2;
  }
};

/** As many kinds of input as fit, the largest first, and how many more there are. */
const groupsText = (inputs: readonly Input[], { words, study }: ReportContext, width: number): string => {
  const groups = inputGroups(inputs, study.scenario.text);
  const say = (shown: number): string => [groups.slice(0, shown).map((group) => words.inputGroup[group]).join(', '), ...(shown < groups.length ? [words.andMore(groups.length - shown)] : [])].join(' ');
  let shown = groups.length;
  while (shown > 1 && textWidth(say(shown), styles.note.size) > width) shown--;
  return say(shown);
};
