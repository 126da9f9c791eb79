import { at, numberAt } from '../../src/study/columns.js';
import { beganAtMs, byBeginning } from '../../src/study/events.js';
import { beliefs, instanceStates, type Column, type Lang, type LoggedEvent, type Run, type Study, type Ticks } from '../../src/study/types.js';
import { eventSentence } from '../../src/text/events.js';
import { terminalWords, type TerminalWords } from '../../src/text/terminal.js';
import { bytes, clock, count, latency, nbsp, share, span } from '../look/numbers.js';
import { plain } from './plain.js';
import { summaryOf, type SummaryTable } from './summary.js';
import { tableLines, type Column as TableColumn } from './table.js';

export interface TerminalOptions {
  /** A run of the study. */
  readonly variant: string;
  readonly lang: Lang;
  /** Simulated time from row to row; a whole number of ticks is taken. */
  readonly everyMs: number;
}

/** The run as a terminal shows it: a row every so often with what happened in between, then what it comes to. Ends with a line feed. */
export const terminalText = (study: Study, { variant, lang, everyMs }: TerminalOptions): string => {
  const run = study.runs[variant];
  const words = terminalWords[lang];
  const { title, simulated, ...summary } = summaryOf(study, run, lang);
  const several = Object.keys(study.runs).length > 1;
  return [
    plain(title),
    `${several ? `${words.variant} ${variant}: ` : ''}${simulated}`,
    '',
    ...timeTable(run, lang, study.scenario.tickMs, everyMs),
    '',
    `${words.firstToBreak}: ${plain(summary.firstToBreak)}`,
    ...summary.warnings.map((line) => `${words.warning}: ${plain(line)}`),
    ...section(summary.totals),
    ...(summary.reasons.length > 0 ? ['', ...summary.reasons.map((line) => `  ${line}`)] : []),
    ...section(summary.objectives),
    ...(summary.sureness.length > 0 ? ['', ...summary.sureness.map((line) => `  ${plain(line)}`)] : []),
    ...(summary.measureFirst.length > 0 ? ['', `${words.measureFirst}:`, ...summary.measureFirst.map((line) => `  ${plain(line)}`)] : []),
    ...summary.sweeps.flatMap(section),
    ...section(summary.claims),
    '',
    ...summary.conservation.map((line) => `${words.conservation}: ${line}`),
    `${words.cost}: ${summary.cost}`,
    ...(summary.limits.length > 0 ? ['', `${words.limits}:`, ...summary.limits.map((limit) => `  ${plain(limit)}`)] : []),
    '',
    summary.basisNote,
    '',
  ]
    .join('\n')
    .replaceAll(nbsp, ' ');
};

const section = ({ title, columns, rows }: SummaryTable): string[] =>
  rows.length === 0 ? [] : ['', title, ...tableLines(columns, rows.map((row) => row.map(plain))).map((line) => `  ${line}`)];

/** A row stands at the end of its stretch; the events of the stretch stand above it, so that time only grows downwards. */
const timeTable = (run: Run, lang: Lang, tickMs: number, everyMs: number): string[] => {
  const words = terminalWords[lang];
  const names = Object.keys(run.traffic);
  const drops = names.some((name) => run.traffic[name].dropped > 0);
  const columns: TableColumn[] = [
    { title: words.time, align: 'right' },
    ...(names.length > 1 ? [{ title: words.traffic, align: 'left' } as const] : []),
    ...[words.offered, words.good, words.declined, words.refused, words.failed, words.inFlight, ...(drops ? [words.dropped] : []), words.p95].map((title) => ({ title, align: 'right' }) as const),
    { title: words.instances, align: 'left' },
  ];
  const ticksPerRow = Math.max(1, Math.round(everyMs / tickMs));
  const shown = servicesToShow(run);
  const log = byBeginning(run.eventLog);
  const rows: (string[] | string)[] = [];
  for (let from = 0; from < run.ticks.count; from += ticksPerRow) {
    const to = Math.min(from + ticksPerRow, run.ticks.count);
    const events = log.filter((event) => beganAtMs(event) >= from * tickMs && (beganAtMs(event) < to * tickMs || to === run.ticks.count));
    rows.push(...events.map((event) => eventLine(event, lang)));
    names.forEach((name, i) => {
      const cells = trafficCells(run.ticks.traffic[name], from, to, drops);
      const states = i === 0 ? shown.map((service) => statesText(run.ticks, service, to - 1, words)).join(' · ') : '';
      rows.push([i === 0 ? clock(Math.min(to * tickMs, run.durationMs)) : '', ...(names.length > 1 ? [name] : []), ...cells, states]);
    });
  }
  return tableLines(columns, rows);
};

const trafficCells = (columns: Ticks['traffic'][string], from: number, to: number, drops: boolean): string[] => {
  const over = (column: Column): string => {
    let total = 0;
    for (let tick = from; tick < to; tick++) total += numberAt(column, tick);
    return count(total);
  };
  const p95 = at(columns.trailing.p95, to - 1);
  return [...[columns.offered, columns.good, columns.declined, columns.refused, columns.failed].map(over), count(numberAt(columns.inFlight, to - 1)), ...(drops ? [over(columns.dropped)] : []), p95 === null ? '–' : latency(p95)];
};

const eventLine = (event: LoggedEvent, lang: Lang): string => {
  const { lead, rest } = eventSentence(event, lang, { subject: (name) => name, count, share, bytes, span: (ms) => span(ms, lang) });
  return `    ${clock(beganAtMs(event))}  ${plain(`${lead} ${rest}`.trim())}`;
};

/** Services whose instances can change; all of them where none can. */
const servicesToShow = ({ system, ticks }: Run): readonly string[] => {
  const names = Object.keys(ticks.services);
  const changing = system.services.filter(({ machine, instancesMax, autoscale }) => machine !== null || autoscale !== null || instancesMax > 1).map(({ name }) => name);
  return changing.length > 0 ? names.filter((name) => changing.includes(name)) : names;
};

const statesText = (ticks: Ticks, service: string, tick: number, words: TerminalWords): string => {
  const instances = ticks.services[service].instances.map(({ state }) => instanceStates[numberAt(state, tick)] ?? 'off');
  const counts = (['up', 'down', 'booting', 'draining'] as const).flatMap((state) => {
    const many = instances.filter((name) => name === state).length;
    return many > 0 || state === 'up' ? [`${many} ${words.states[state]}`] : [];
  });
  const out = outOfRotation(ticks, service, tick);
  return `${service} ${counts.join(', ')}${out > 0 ? `, ${words.out(out)}` : ''}`;
};

/** Instances that at least one link believes to be bad. */
const outOfRotation = (ticks: Ticks, service: string, tick: number): number => {
  const links = Object.entries(ticks.links).filter(([name]) => name.endsWith(`.${service}`)).map(([, link]) => link);
  return ticks.services[service].instances.filter((_, i) => links.some(({ targets }) => targets[i] !== undefined && ['out', 'ejected'].includes(beliefs[numberAt(targets[i].belief, tick)]))).length;
};
