import { rangeBar, rangeBarHeight, type RangeFlip } from '../../charts/bars.js';
import { figure, markName } from '../../look/figure.js';
import { count, inputValue, resultValue } from '../../look/numbers.js';
import { flipFigure, shortPath } from '../../look/sureness.js';
import type { Input } from '../../../src/study/types.js';
import { trialWords } from '../../../src/text/report-trials.js';
import { counted, type ReportContext } from '../context.js';
import { styles } from '../flow.js';
import { measureKind } from '../how-to-measure.js';
import { guessPlace } from '../places.js';
import { settlingOf } from '../../look/settling.js';
import { bold, clean, faint, inline, linkTo, markOnly, say } from '../rich.js';
import { drawTable, type Cell } from '../table.js';
import { valueGroups } from '../value-groups.js';
import { costTable } from './cost.js';
import { estimates } from './estimates.js';
import { hosts, throttling } from './hosts.js';
import { inputText } from './known.js';
import { verdictName, verdictsOf } from './objectives.js';

/** Guesses that went in, with how to replace each by a measurement; then what formulas made of them. */
export const guessedPage = (report: ReportContext): void => {
  const { flow, words, prose } = report;
  flow.h1(words.title.guessed);
  flow.band('guessed', words.band.guessed, () => {
    flow.paragraph(prose('sections', 'guessed'), styles.lead);
    flow.space(6);
    register(report);
    defaults(report);
    hosts(report);
    estimates(report);
    throttling(report);
    costTable(report);
  });
};

const barWidth = 98;

const register = (report: ReportContext): void => {
  const { flow, study, words, prose } = report;
  const guesses = study.inputs.filter(({ basis, range }) => basis === 'assumed' || (basis === 'default' && range));
  flow.anchor('register');
  flow.h2(words.title.register);
  if (guesses.length === 0) return flow.paragraph(prose('sections', 'registerNone'));
  flow.paragraph(prose('sensitivity', isTested(report) ? 'registerTested' : 'registerUntested', { seed: String(study.scenario.seed), page: flow.pageRef('sensitivity'), unranged: guesses.some(({ range }) => !range) }), styles.small);
  flow.space(4);
  const ranged = [...guesses].sort((a, b) => Number(b.range !== undefined) - Number(a.range !== undefined));
  const rows = alike(ranged, report);
  const told = new Map<string, string>();
  drawTable(flow, {
    title: words.title.register,
    empty: words.nothing,
    size: 7.6,
    columns: [
      { title: words.head.input, width: 103 },
      { title: `${words.head.value}, ${words.head.range}`, width: barWidth + 14 },
      { title: words.head.reason, width: 84 },
      { title: trialWords[report.lang].head.turns, width: 98 },
      { title: words.head.measure, width: 104 },
    ],
    places: rows.map((inputs) => inputs.map(({ path }) => guessPlace(path))),
    rows: rows.map((inputs) => registerRow(report, inputs, told)),
  });
  flow.space(10);
};

/** What the tool filled in alike for several places is one row. */
const alike = (inputs: readonly Input[], report: ReportContext): (readonly [Input, ...Input[]])[] => {
  const { study } = report;
  const groups = new Map<string, [Input, ...Input[]]>();
  for (const input of inputs) {
    const { path, basis, value, range, unit } = input;
    const key = basis === 'default' ? [value, range?.join(' '), unit, measureKind(input, study.scenario.text), turnsText(input, report)].join(' ') : path;
    const group = groups.get(key);
    if (group) group.push(input);
    else groups.set(key, [input]);
  }
  return [...groups.values()];
};

const registerRow = (report: ReportContext, inputs: readonly [Input, ...Input[]], told: Map<string, string>): Cell[] => {
  const { words, lang } = report;
  const [input] = inputs;
  return [
    `${markOnly(input.basis)}${bold(inputs.map(({ path }) => clean(shortPath(path))).join(', '))}${spreadText(input, words.drawn)}`,
    valueCell(input, report) ?? `${bold(inputText(input, lang))} ${faint(words.noRange)}`,
    clean(input.why ?? input.from ?? '') || faint(input.basis === 'default' ? markName('default', lang) : words.unexplained),
    turnsText(input, report),
    measureText(input, told, report),
  ];
};

/** How to measure it: said once of each kind, then by the name of the guess that stands above. */
const measureText = (input: Input, told: Map<string, string>, { study, prose, lang }: ReportContext): string => {
  const kind = measureKind(input, study.scenario.text);
  const before = told.get(kind);
  if (before === undefined) told.set(kind, input.path);
  return before === undefined ? prose('measure', kind) : faint(trialWords[lang].asFor(linkTo(guessPlace(before), clean(shortPath(before)))));
};

const isTested = ({ study, run }: ReportContext): boolean => study.sensitivity?.[run.variant] !== undefined;

/** What a guess does to the verdicts: those that it turns, and the one whose figure it moves most. */
const turnsText = (input: Input, report: ReportContext): string => {
  const { study, lang } = report;
  const words = trialWords[lang];
  if (!isTested(report)) return faint(words.notMoved);
  if (!input.range) return faint(words.noRange);
  const settling = settlingOf(input, verdictsOf(report));
  if (!settling?.most) return faint(words.movesNothing);
  const { verdict, low, high } = settling.most;
  const end = (value: number | null): string => say(resultValue(value, verdict.unit, lang), verdict.basis);
  const turned = settling.turns.map(({ verdict: own, value, holdsAt }) => bold(words.turns(verdictName(own, report), inline(flipFigure({ path: input.path, value, holdsAt }, study.inputs, lang)), value > (input.value ?? 0))));
  return linkTo('sensitivity', [...turned, words.moves(verdictName(verdict, report), end(low), end(high))].join('; '));
};

/** A drawn value is a mean: how single requests spread around it belongs to the guess. */
const spreadText = ({ spread }: Input, words: { readonly cv: string; readonly lognormal: string; readonly quantiles: string }): string => {
  if (!spread) return '';
  return ` ${faint(spread.kind === 'quantiles' ? words.quantiles : `${words.cv} ${spread.cv}${spread.kind === 'lognormal' ? `, ${words.lognormal}` : ''}`)}`;
};

const valueCell = (input: Input, report: ReportContext): Cell | null => {
  const { lang, study } = report;
  const { value, range, unit, currency } = input;
  if (value === null || !range) return null;
  const text = (end: number): string => inputValue(end, unit, lang, currency);
  const texts = { low: text(range[0]), value: figure(text(value), input.basis).text, high: text(range[1]) };
  const flips = verdictsOf(report).flatMap(({ tested }) => tested?.flips ?? []).filter(({ path }) => path === input.path)
    .map((flip): RangeFlip => ({ value: flip.value, end: flip.end, text: trialWords[lang].turnsAt(flipFigure(flip, study.inputs, lang).text) }));
  return {
    height: rangeBarHeight(barWidth, value, range, texts, flips) + 2,
    words: `${texts.value} (${texts.low} – ${texts.high})${flips.map(({ text }) => `, ${text}`).join('')}`,
    draw: (canvas, x, y) => rangeBar(canvas, x, y + 1, barWidth, value, range, texts, flips),
  };
};

const defaults = ({ flow, study, words, prose }: ReportContext): void => {
  const filled = study.inputs.filter(({ basis, range }) => basis === 'default' && !range);
  if (filled.length === 0) return;
  flow.h2(`${markOnly('default')}${words.title.defaults}`);
  flow.paragraph(prose('sections', 'defaultsNote', { count: counted(count(filled.length)) }), styles.small);
  flow.space(4);
  for (const { path } of filled) flow.anchor(guessPlace(path));
  valueGroups(flow, filled);
  flow.space(10);
};
