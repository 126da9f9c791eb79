import { nbsp, resultValue } from '../../look/numbers.js';
import type { Verdict } from '../../../src/study/types.js';
import { trialWords } from '../../../src/text/report-trials.js';
import type { ReportContext } from '../context.js';
import { shortPath } from '../../look/sureness.js';
import { guessPlace } from '../places.js';
import { bold, clean, faint, linkTo } from '../rich.js';
import { drawTable, type Cell } from '../table.js';
import { verdictName } from './objectives.js';

/** Objectives beside each other in one table. */
const perTable = 5;

/** What every guess does to every objective that any guess moves: the figure at the low and at the high end of its range. */
export const everySwing = (report: ReportContext, verdicts: readonly Verdict[]): void => {
  const { flow, words, lang, prose } = report;
  const { title } = trialWords[lang];
  const paths = report.study.inputs.map(({ path }) => path).filter((path) => verdicts.some(({ tested }) => tested!.moves.some((move) => move.path === path)));
  for (let from = 0; from < verdicts.length; from += perTable) {
    const shown = verdicts.slice(from, from + perTable);
    flow.h2(title.everySwing, from === 0 ? prose('sensitivity', 'everySwing') : '');
    drawTable(flow, {
      title: title.everySwing,
      empty: words.nothing,
      size: 7.2,
      columns: [{ title: words.head.input, width: 116, weight: 600 }, ...shown.map((verdict) => ({ title: verdictName(verdict, report), width: 77, mark: verdict.basis }))],
      rows: paths.map((path): Cell[] => [linkTo(guessPlace(path), clean(shortPath(path))), ...shown.map((verdict) => swingText(verdict, path, report))]),
    });
    flow.space(8);
  }
};

/** Bold where one end alone turns the verdict; nothing where the guess does not move it. */
const swingText = ({ tested, unit }: Verdict, path: string, { words, lang }: ReportContext): string => {
  const move = tested!.moves.find((one) => one.path === path);
  if (!move) return faint(words.none);
  const text = `${resultValue(move.low, unit, lang)}${nbsp}– ${resultValue(move.high, unit, lang)}`;
  return tested!.flips.some((flip) => flip.path === path) ? bold(text) : text;
};
