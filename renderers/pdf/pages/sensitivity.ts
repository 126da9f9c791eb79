import { flipCurve } from '../../charts/curves.js';
import { tornado, type TornadoEnd } from '../../charts/tornado.js';
import { figure } from '../../look/figure.js';
import { axisUnit, condition, count, inputValue, nearInput, percent, resultValue, unknown } from '../../look/numbers.js';
import { flipFigure, shortPath } from '../../look/sureness.js';
import { brokenFirst, isSameFirst } from '../../../src/study/broken-first.js';
import type { BrokenFirst, Input, Lang, Sensitivity, Unit, Verdict } from '../../../src/study/types.js';
import { undatedBreaks } from '../../../src/study/undated-break.js';
import { chartWords } from '../../../src/text/report-charts.js';
import { trialWords } from '../../../src/text/report-trials.js';
import { counted, type ReportContext } from '../context.js';
import { column, styles } from '../flow.js';
import { guessPlace } from '../places.js';
import { bold, clean, linkTo, markOnly, plainText, say } from '../rich.js';
import { drawTable, type Cell } from '../table.js';
import { everySwing } from './every-swing.js';
import { verdictName, verdictsOf } from './objectives.js';

/** Objectives with a chart of their own, and its bars; what does not fit stands in the table of every swing. */
const mostCharts = 6;
const mostBars = 8;
const mostCurves = 3;

/** What moving the guesses did: to each objective, where verdicts turn, and to what breaks first. */
export const sensitivityPage = (report: ReportContext, own: Sensitivity): void => {
  const { flow, lang, prose } = report;
  const words = trialWords[lang];
  flow.h1(words.title.sensitivity);
  flow.band('guessed', report.words.band.guessed, () => {
    const guesses = new Set(own.ends.map(({ path }) => path)).size;
    flow.paragraph(prose('sensitivity', 'sensitivity', { guesses: counted(count(guesses)), one: guesses === 1, points: counted(count(own.runs)) }), styles.lead);
    flow.space(8);
    const moved = verdictsOf(report).filter(({ tested }, index) => (tested?.moves.length ?? 0) > 0 && own.written[index] !== null).toSorted(byInterest);
    for (const verdict of moved.slice(0, mostCharts)) swings(report, own, verdict);
    if (moved.length > mostCharts || moved.some(({ tested }) => tested!.moves.length > mostBars)) everySwing(report, moved);
    unmoved(report);
    turning(report, own);
    whatBreaksFirst(report, own);
  });
};

/** Those that a guess turns first, then those that only all together turn, then by the order of the file. */
const byInterest = (a: Verdict, b: Verdict): number => interest(b) - interest(a);
const interest = ({ tested }: Verdict): number => (tested!.flips.length > 0 ? 2 : tested!.together.length > 0 ? 1 : 0);

const inputOf = ({ study }: ReportContext, path: string): Input => study.inputs.find((input) => input.path === path)!;
const valueText = ({ unit, currency }: Input, value: number, lang: Lang): string => inputValue(value, unit, lang, currency);

/** A tornado: the figure at both ends of every range that moves it. */
const swings = (report: ReportContext, own: Sensitivity, verdict: Verdict): void => {
  const { flow, lang, prose, words } = report;
  // Of the seed that the ends ran under: the verdict's own figure may be the median over several.
  const written = own.written[verdictsOf(report).indexOf(verdict)];
  const writtenText = resultValue(written, verdict.unit, lang);
  const { met, moves, flips, corner } = verdict.tested!;
  const rows = moves.slice(0, mostBars).map(({ path, low, high }) => {
    const input = inputOf(report, path);
    const [from, to] = input.range!;
    const end = (value: number | null, at: number): TornadoEnd => ({ value, text: value === null ? unknown[lang] : `${figure(resultValue(value, verdict.unit, lang), 'assumed').text} ${at === input.value ? '' : chartWords[lang].at(valueText(input, at, lang))}`.trim() });
    return { label: clean(shortPath(path)), mark: input.basis, low: end(low, from), high: end(high, to) };
  });
  const goal = goalOf(report, verdict);
  const drawing = tornado(rows, {
    width: column.width,
    written: { value: written!, text: writtenText },
    goal: goal && { value: goal.value, text: `${words.goal} ${goal.text}` },
    tick: ticksOf([...moves.slice(0, mostBars).flatMap(({ low, high }) => [low, high]), goal?.value ?? null, written], verdict.unit, lang),
    bounds: [0, verdict.unit === 'share' ? 1 : Infinity],
  });
  flow.h2(verdictName(verdict, report), `${words.goal} ${say(clean(condition(verdict.target)), 'chosen')}; ${say(writtenText, verdict.basis)} ${asWritten(report)}`, drawing.height + 30);
  const aside = rows.filter(({ low, high }) => isAside([low.value, high.value], written!, (value) => resultValue(value, verdict.unit, lang))).length;
  const alone = [...new Set(flips.map(({ path }) => clean(shortPath(path))))];
  const sentence = prose('sensitivity', 'tornado', {
    none: alone.length === 0,
    one: alone.length === 1,
    names: alone.join(', '),
    ...(corner && corner.values.length > 1 ? { corner: say(resultValue(corner.actual, verdict.unit, lang), verdict.basis), kept: met === true, turns: corner.met !== null && corner.met !== met } : {}),
    aside: aside > 0 ? counted(count(aside)) : undefined,
    asideOne: aside === 1,
    left: moves.length > mostBars ? counted(count(moves.length - mostBars)) : undefined,
    leftOne: moves.length === mostBars + 1,
  });
  flow.drawing(drawing, `${plainText(verdictName(verdict, report))}: ${rows.map(({ label, low, high }) => `${label} ${low.text}, ${high.text}`).join('; ')}`);
  flow.paragraph(sentence, styles.note);
  flow.space(8);
};

/** `as written`, with the seed where the verdicts are of several. */
const asWritten = ({ study, lang }: ReportContext): string => trialWords[lang].asWritten(study.spread ? study.scenario.seed : null);

/** Whether a figure at both ends differs from what is written to the same side, as far as it is printed. */
const isAside = (ends: readonly (number | null)[], written: number, print: (value: number) => string): boolean =>
  ends.every((end) => end !== null && print(end) !== print(written)) && new Set(ends.map((end) => end! > written)).size === 1;

/** The bound of an objective that has one side; null for a window. */
export const goalOf = ({ run }: ReportContext, verdict: Verdict): { readonly value: number; readonly text: string; readonly keptBelow: boolean } | null => {
  const objective = run.system.objectives.find(({ name }) => name === verdict.objective);
  const value = objective?.low ?? objective?.high ?? null;
  if (!objective || value === null || (objective.low !== null && objective.high !== null)) return null;
  return { value, text: clean(condition(verdict.target)), keptBelow: objective.low === null };
};

/** Labels of an axis that holds these values: shares with as many decimals as tell its ticks apart. */
export const ticksOf = (values: readonly (number | null)[], unit: Unit, lang: Lang): ((value: number) => string) => {
  const known = values.filter((value) => value !== null);
  const extent = Math.max(...known) - Math.min(...known);
  const decimals = extent > 0.05 || extent === 0 ? 0 : extent > 0.005 ? 1 : extent > 0.0005 ? 2 : 3;
  if (unit === 'share') return (value) => (decimals === 0 ? percent(value) : `${(value * 100).toFixed(decimals)}%`);
  return (value) => (value === 0 ? '0' : resultValue(value, unit, lang));
};

const unmoved = (report: ReportContext): void => {
  const still = verdictsOf(report).filter(({ tested }) => tested?.moves.length === 0);
  if (still.length === 0) return;
  report.flow.paragraph(report.prose('sensitivity', 'unmoved', { names: still.map((verdict) => verdictName(verdict, report)).join(', ') }), styles.note);
  report.flow.space(8);
};

/** Of each guess that turns a verdict alone, the figure between both of its ends, through every point that was run. */
const turning = (report: ReportContext, own: Sensitivity): void => {
  const { flow, lang, words } = report;
  const found = verdictsOf(report).flatMap((verdict, index) => [...new Map((verdict.tested?.flips ?? []).map((flip) => [flip.path, flip])).values()].flatMap((flip) => {
    const goal = goalOf(report, verdict);
    return goal ? [{ verdict, index, flip, goal }] : [];
  }));
  if (found.length === 0) return;
  for (const [nth, { verdict, index, flip, goal }] of found.slice(0, mostCurves).entries()) {
    const input = inputOf(report, flip.path);
    const points = [...own.ends, ...own.between].filter(({ path }) => path === flip.path).map(({ value, figures }) => ({ input: value, value: figures[index] }));
    const all = [...points, { input: input.value!, value: own.written[index] }].toSorted((a, b) => a.input - b.input);
    const per = axisUnit(input.unit, Math.max(...all.map((point) => point.input)));
    const at = flipFigure(flip, report.study.inputs, lang);
    const drawing = flipCurve({
      width: column.width,
      points: all.map(({ input: x, value }) => ({ input: x / per, value })),
      input: { label: clean(shortPath(flip.path)), tick: (value) => (value === 0 ? '0' : nearInput(value * per, input.unit, lang, input.currency)) },
      figure: { label: plainText(verdictName(verdict, report)), tick: ticksOf([...all.map(({ value }) => value), goal.value], verdict.unit, lang) },
      goal: { value: goal.value, text: goal.text, keptBelow: goal.keptBelow },
      written: { input: input.value! / per, value: own.written[index], text: `${resultValue(own.written[index], verdict.unit, lang)} ${asWritten(report)}` },
      flip: { input: flip.value / per, text: chartWords[lang].flips(at.text) },
      words: { kept: words.kept, broken: words.broken },
    });
    if (nth === 0) flow.h2(`${markOnly(verdict.basis)}${trialWords[lang].title.turning}`);
    flow.drawing(drawing, `${plainText(verdictName(verdict, report))}, ${clean(shortPath(flip.path))}: ${all.map(({ input: x, value }) => `${nearInput(x, input.unit, lang, input.currency)}: ${resultValue(value, verdict.unit, lang)}`).join(', ')}`);
    flow.space(8);
  }
};

/** The objective that breaks first and, as its cause, the resource that was full. */
export const brokenText = ({ objective, service, what }: BrokenFirst, { words, lang }: Pick<ReportContext, 'words' | 'lang'>): string => {
  if (objective === null) return trialWords[lang].nothingBreaks;
  return service === null || what === null ? `${clean(objective)}, ${trialWords[lang].nothingSaturated}` : trialWords[lang].because(clean(objective), clean(service), words.resource[what]);
};

const whatBreaksFirst = (report: ReportContext, { ends }: Sensitivity): void => {
  const { flow, run, lang, words, prose } = report;
  const { title, head } = trialWords[lang];
  const first = brokenFirst(run.firstToBreak);
  const others = ends.filter(({ firstToBreak }) => !isSameFirst(firstToBreak, first));
  if (ends.length === 0 || run.system.objectives.length === 0) return;
  flow.h2(title.firstToBreak);
  flow.paragraph(prose('sensitivity', others.length === 0 ? 'firstSame' : 'firstDiffers', { ends: counted(count(ends.length)), same: counted(count(ends.length - others.length)), nothing: first.objective === null, undated: undatedBreaks(report.study, run.variant).length > 0, what: bold(brokenText(first, report)) }), styles.body);
  if (others.length === 0) return;
  flow.space(4);
  drawTable(flow, {
    title: title.firstToBreak,
    empty: words.nothing,
    size: 7.6,
    columns: [{ title: words.head.input, width: 190, weight: 600 }, { title: head.end, width: 90 }, { title: head.breaksFirst, width: 221 }],
    rows: others.map(({ path, value, firstToBreak }): Cell[] => {
      const input = inputOf(report, path);
      return [linkTo(guessPlace(path), clean(shortPath(path))), say(valueText(input, value, lang), input.basis), brokenText(firstToBreak, report)];
    }),
  });
  flow.space(8);
};
