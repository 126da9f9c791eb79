import { count } from '../../look/numbers.js';
import type { Verdict } from '../../../src/study/types.js';
import { shortPath, type ReportContext } from '../context.js';
import { styles } from '../flow.js';
import { measureKind } from '../how-to-measure.js';
import { widestGuesses } from '../measure-first.js';
import { clean } from '../rich.js';
import { drawTable } from '../table.js';
import { goalText, metText, restsOnText, resultText, surenessCell } from '../verdict-words.js';
import { inputText, rangeText } from './known.js';

/** What each objective asked and got, how sure that is, and what to measure to be surer. */
export const objectives = (report: ReportContext): void => {
  const { flow, study, words, prose, lang } = report;
  const { head } = words;
  const verdicts = verdictsOf(report);
  const alike = soundAlike(verdicts);
  flow.h2(words.title.objectives);
  drawTable(flow, {
    title: words.title.objectives,
    empty: words.nothing,
    columns: [
      { title: head.phase, width: alike ? 110 : 48, weight: 600 },
      { title: head.objective, width: alike ? 130 : 82 },
      { title: head.result, width: alike ? 90 : 62 },
      { title: head.verdict, width: alike ? 80 : 54 },
      { title: head.howSure, width: alike ? 91 : 64 },
      ...(alike ? [] : [{ title: head.why, width: 191 }]),
    ],
    rows: verdicts.map((verdict) => [
      clean(verdict.phase ?? words.wholeRun),
      goalText(verdict.metric, verdict.target, lang),
      resultText(verdict, lang),
      metText(verdict.met, lang),
      surenessCell(verdict, study.inputs, lang),
      ...(alike ? [] : [restsOnText(verdict, lang)]),
    ]),
  });
  if (alike) flow.paragraph(prose('verdict', 'soundAlike', { all: words.allOf(verdicts.length), one: verdicts.length === 1, untested: alike.sure === 'untested', rests: alike.restsOn.length > 0, guesses: count(alike.restsOn.length), single: alike.restsOn.length === 1 }), styles.note);
  measureFirst(report);
};

/** Of the variant that the pages are about. */
export const verdictsOf = ({ study, run }: ReportContext): Verdict[] => study.verdicts.filter(({ variant }) => variant === run.variant);

/** The verdict that stands for all: equally firm or untested, on as many of the same guesses. Null when rows differ, or each hinges on its own value. */
export const soundAlike = (verdicts: readonly Verdict[]): Verdict | null => {
  const [first, ...others] = verdicts;
  if (!first || first.sure === 'hinges') return null;
  return others.every(({ sure, restsOn }) => sure === first.sure && restsOn.join(' ') === first.restsOn.join(' ')) ? first : null;
};

const measureFirst = ({ flow, study, words, prose, lang }: ReportContext): void => {
  const inputs = widestGuesses(study);
  if (inputs.length === 0) return;
  flow.space(2);
  flow.h3(words.title.measureFirst);
  for (const input of inputs) {
    const { path, range } = input;
    flow.paragraph(prose('verdict', 'measureFirst', { name: clean(shortPath(path)), value: inputText(input, lang), range: range ? rangeText(input, lang) : undefined, how: prose('measure', measureKind(input, study.scenario.text)) }), styles.note);
  }
};
