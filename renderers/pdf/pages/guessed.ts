import { rangeBar, rangeBarHeight } from '../../charts/bars.js';
import { figure, markName } from '../../look/figure.js';
import { count, inputValue } from '../../look/numbers.js';
import type { Input } from '../../../src/study/types.js';
import { shortPath, type ReportContext } from '../context.js';
import { styles } from '../flow.js';
import { measureKind } from '../how-to-measure.js';
import { guessPlace } from '../places.js';
import { bold, clean, faint, markOnly } from '../rich.js';
import { drawTable, type Cell } from '../table.js';
import { valueGroups } from '../value-groups.js';
import { costTable } from './cost.js';
import { estimates } from './estimates.js';
import { hosts, throttling } from './hosts.js';
import { inputText } from './known.js';

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

const barWidth = 116;

const register = (report: ReportContext): void => {
  const { flow, study, words, prose } = report;
  const guesses = study.inputs.filter(({ basis, range }) => basis === 'assumed' || (basis === 'default' && range));
  flow.anchor('register');
  flow.h2(words.title.register, '', 90);
  if (guesses.length === 0) return flow.paragraph(prose('sections', 'registerNone'));
  flow.paragraph(prose('sections', 'registerNote'), styles.small);
  flow.space(4);
  const ranged = [...guesses].sort((a, b) => Number(b.range !== undefined) - Number(a.range !== undefined));
  const rows = alike(ranged, report);
  drawTable(flow, {
    title: words.title.register,
    empty: words.nothing,
    size: 7.6,
    columns: [
      { title: words.head.input, width: 128 },
      { title: `${words.head.value}, ${words.head.range}`, width: barWidth + 14 },
      { title: words.head.reason, width: 103 },
      { title: words.head.measure, width: 140 },
    ],
    places: rows.map((inputs) => inputs.map(({ path }) => guessPlace(path))),
    rows: rows.map((inputs) => registerRow(report, inputs)),
  });
  flow.space(10);
};

/** What the tool filled in alike for several places is one row. */
const alike = (inputs: readonly Input[], { study }: ReportContext): (readonly [Input, ...Input[]])[] => {
  const groups = new Map<string, [Input, ...Input[]]>();
  for (const input of inputs) {
    const { path, basis, value, range, unit } = input;
    const key = basis === 'default' ? [value, range?.join(' '), unit, measureKind(input, study.scenario.text)].join(' ') : path;
    const group = groups.get(key);
    if (group) group.push(input);
    else groups.set(key, [input]);
  }
  return [...groups.values()];
};

const registerRow = ({ words, prose, lang, study }: ReportContext, inputs: readonly [Input, ...Input[]]): Cell[] => {
  const [input] = inputs;
  return [
    `${markOnly(input.basis)}${bold(inputs.map(({ path }) => clean(shortPath(path))).join(', '))}${spreadText(input, words.drawn)}`,
    valueCell(input, lang) ?? `${bold(inputText(input, lang))} ${faint(words.noRange)}`,
    clean(input.why ?? input.from ?? '') || faint(input.basis === 'default' ? markName('default', lang) : words.unexplained),
    prose('measure', measureKind(input, study.scenario.text)),
  ];
};

/** A drawn value is a mean: how single requests spread around it belongs to the guess. */
const spreadText = ({ spread }: Input, words: { readonly cv: string; readonly lognormal: string; readonly quantiles: string }): string => {
  if (!spread) return '';
  return ` ${faint(spread.kind === 'quantiles' ? words.quantiles : `${words.cv} ${spread.cv}${spread.kind === 'lognormal' ? `, ${words.lognormal}` : ''}`)}`;
};

const valueCell = (input: Input, lang: ReportContext['lang']): Cell | null => {
  const { value, range, unit, currency } = input;
  if (value === null || !range) return null;
  const text = (end: number): string => inputValue(end, unit, lang, currency);
  const texts = { low: text(range[0]), value: figure(text(value), input.basis).text, high: text(range[1]) };
  return {
    height: rangeBarHeight(barWidth, value, range, texts) + 2,
    words: `${texts.value} (${texts.low} – ${texts.high})`,
    draw: (canvas, x, y) => rangeBar(canvas, x, y + 1, barWidth, value, range, texts),
  };
};

const defaults = ({ flow, study, words, prose }: ReportContext): void => {
  const filled = study.inputs.filter(({ basis, range }) => basis === 'default' && !range);
  if (filled.length === 0) return;
  flow.h2(`${markOnly('default')}${words.title.defaults}`, '', 60);
  flow.paragraph(prose('sections', 'defaultsNote', { count: count(filled.length) }), styles.small);
  flow.space(4);
  for (const { path } of filled) flow.anchor(guessPlace(path));
  valueGroups(flow, filled);
  flow.space(10);
};
