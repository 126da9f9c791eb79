import { rangeBar, rangeBarHeight } from '../../charts/bars.js';
import { cpuChart, fleetChart, fleetHeight, memoryChart } from '../../charts/fleet.js';
import { estimatedInstances, estimatedRows, launchedNumbers } from '../../charts/instances.js';
import { Canvas } from '../../look/drawing.js';
import { drawBasis } from '../../look/basis-marks.js';
import { figure, markName } from '../../look/figure.js';
import { count, inputValue, money, span, unknown } from '../../look/numbers.js';
import { print } from '../../look/palette.js';
import type { Input, PictureService } from '../../../src/study/types.js';
import { stageWords } from '../../../src/text/stage.js';
import { shadedPhase, shortPath, type ReportContext } from '../context.js';
import { column, styles } from '../flow.js';
import { measureKind } from '../how-to-measure.js';
import { bold, clean, faint, markOnly, say } from '../rich.js';
import { drawTable, type Cell } from '../table.js';
import { valueGroups } from '../value-groups.js';
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
    for (const service of report.run.system.services) if (service.cpus !== null || service.memoryLimitBytes !== null) estimates(report, service);
    throttling(report);
    costTable(report);
  });
};

const barWidth = 116;

const register = (report: ReportContext): void => {
  const { flow, study, words, prose } = report;
  const guesses = study.inputs.filter(({ basis, range }) => basis === 'assumed' || (basis === 'default' && range));
  flow.h2(words.title.register, '', 90);
  if (guesses.length === 0) return flow.paragraph(prose('sections', 'registerNone'));
  flow.paragraph(prose('sections', 'registerNote'), styles.small);
  flow.space(4);
  const ranged = [...guesses].sort((a, b) => Number(b.range !== undefined) - Number(a.range !== undefined));
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
    rows: ranged.map((input) => registerRow(report, input)),
  });
  flow.space(10);
};

const registerRow = ({ words, prose, lang, study }: ReportContext, input: Input): Cell[] => [
  `${markOnly(input.basis)}${bold(clean(shortPath(input.path)))}${spreadText(input, words.drawn)}`,
  valueCell(input, lang) ?? `${bold(inputText(input, lang))} ${faint(words.noRange)}`,
  clean(input.why ?? input.from ?? '') || faint(input.basis === 'default' ? markName('default', lang) : words.unexplained),
  prose('measure', measureKind(input, study.scenario.text)),
];

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
  valueGroups(flow, filled);
  flow.space(10);
};

const estimates = (report: ReportContext, service: PictureService): void => {
  const { flow, run, study, words, prose, lang } = report;
  const { durationMs } = run;
  const { tickMs } = study.scenario;
  const shaded = shadedPhase(report);
  const common = { run, service: service.name, durationMs, tickMs, lang, shaded };
  flow.h2(`${markOnly('estimated')}${words.title.estimates}`, prose('sections', 'estimates', { service: clean(service.name) }), 12 + fleetHeight + 60);
  const { cpu, memory } = stageWords[lang];
  const panels = [
    ...(service.cpus !== null ? [{ title: `≈ ${cpu}`, draw: cpuChart }] : []),
    ...(service.memoryLimitBytes !== null ? [{ title: `≈ ${memory}`, draw: memoryChart }] : []),
    ...(service.autoscale ? [{ title: `≈ ${stageWords[lang].autoscaler}`, draw: fleetChart }] : []),
  ];
  const width = (column.width - 2 * 12) / 3;
  const parts = panels.flatMap(({ title, draw }, index) => {
    const head = new Canvas(width, 12, { fill: print.text, size: 8 });
    drawBasis(head, 'estimated', 4, 5.2, 7, print.text, 0.75);
    head.text(11, 8, title, { weight: 700 });
    const x = index * (width + 12);
    return [{ drawing: head.drawing(), x, y: 0 }, { drawing: draw({ ...common, width }), x, y: 12 }];
  });
  flow.figure(parts, { width: column.width, height: 12 + fleetHeight, alt: `${words.title.estimates}: ${clean(service.name)}, ${panels.map(({ title }) => title).join(', ')}` });
  flow.space(8);
  const numbers = launchedNumbers(run, service.name);
  for (let from = 0; from < numbers.length; ) {
    // As many rows as the page still takes, so that a tall picture does not leave half a page free.
    const fitting = estimatedRows(flow.left);
    const rows = numbers.slice(from, from + (fitting < 2 ? 6 : Math.min(6, fitting)));
    from += rows.length;
    flow.drawing(estimatedInstances({ ...common, numbers: rows, width: column.width, times: from >= numbers.length }), `${words.title.estimatedInstances}: ${clean(service.name)} ${rows.map((number) => `#${number}`).join(', ')}`);
  }
  flow.space(10);
};

const costTable = ({ flow, run, words, prose, lang }: ReportContext): void => {
  const { services, currency, amount } = run.cost;
  flow.h2(`${markOnly('estimated')}${words.title.costTable}`, '', 60);
  flow.paragraph(prose('sections', 'costNote'), styles.small);
  flow.space(4);
  const paid = (value: number | null): string => bold(say(value === null || currency === null ? unknown[lang] : money(value, currency), 'estimated'));
  const seconds = (value: number): string => say(span(Math.round(value) * 1000, lang), 'estimated');
  drawTable(flow, {
    title: words.title.costTable,
    empty: words.nothing,
    columns: [{ title: words.head.service, width: 120, weight: 600 }, { title: words.head.machine, width: 96 }, { title: words.head.billed, width: 95 }, { title: words.head.extra, width: 95 }, { title: words.head.amount, width: 95 }],
    rows: [
      ...Object.entries(services).map(([name, service]) => [clean(name), clean(service.machine), seconds(service.billedS), seconds(service.extraS), paid(service.amount)]),
      ...(Object.keys(services).length > 1 ? [[words.wholeRun, '', '', '', paid(amount)]] : []),
    ],
  });
};
