import { at } from '../../src/study/columns.js';
import { beganAtMs } from '../../src/study/events.js';
import { beliefs, breakerStates, instanceStates, type Column, type LevelColumns, type Run, type Study, type Ticks } from '../../src/study/types.js';

/**
 * One row a variant and tick, one column a series of the study; empty = no sample, or nothing of that name in the variant.
 * Units stand in the names; `fromS` is the start of the tick in seconds.
 */
export const ticksCsv = (study: Study): string => {
  const tables = Object.values(study.runs).map((run) => ({ run, series: seriesOf(run.ticks) }));
  const names = [...new Set(tables.flatMap(({ series }) => [...series.keys()]))];
  const rows = tables.flatMap(({ run, series }) =>
    Array.from({ length: run.ticks.count }, (_, tick) => [run.variant, tick, (tick * study.scenario.tickMs) / 1000, ...names.map((name) => series.get(name)?.(tick) ?? '')]),
  );
  return csv([['variant', 'tick', 'fromS', ...names], ...rows]);
};

/** One row an event, of all variants. `beganS` is the time that everything else says; a saturation is noticed some ticks later, at `noticedS`. */
export const eventsCsv = (study: Study): string =>
  csv([
    ['variant', 'beganS', 'noticedS', 'kind', 'subject', 'cause', 'basis', 'data'],
    ...Object.values(study.runs).flatMap((run: Run) =>
      run.eventLog.map((event) => [
        ...[run.variant, seconds(beganAtMs(event)), seconds(event.tMs), event.kind, event.subject, event.cause, event.basis],
        Object.entries(event.data).map(([name, value]) => `${name}=${value}`).join('; '),
      ]),
    ),
  ]);

/** To the microsecond. */
const seconds = (ms: number): number => Math.round(ms * 1000) / 1e6;

type Cell = string | number;

/** Rows as RFC 4180 has them, with line feeds. A text that a spreadsheet would run as a formula gets an apostrophe before it. */
export const csv = (rows: readonly (readonly Cell[])[]): string => rows.map((row) => `${row.map(cell).join(',')}\n`).join('');

const cell = (value: Cell): string => {
  if (typeof value === 'number') return String(value);
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
};

type Series = Map<string, (tick: number) => Cell>;

const seriesOf = (ticks: Ticks): Series => {
  const series: Series = new Map();
  for (const [name, { trailing, deliveries, ...columns }] of Object.entries(ticks.traffic)) {
    addAll(series, `traffic.${name}`, columns);
    if (deliveries) addAll(series, `traffic.${name}.deliveries`, deliveries);
    addAll(series, `traffic.${name}.trailing`, trailing);
  }
  for (const [name, { desired, instances }] of Object.entries(ticks.services)) {
    addAll(series, `services.${name}`, { desired });
    instances.forEach(({ state, ...columns }, i) => {
      addCodes(series, `services.${name}.${i + 1}.state`, state, instanceStates);
      addAll(series, `services.${name}.${i + 1}`, columns);
    });
  }
  for (const [name, { targets, callers, breaker, ...columns }] of Object.entries(ticks.links)) {
    addAll(series, `links.${name}`, columns);
    addCodes(series, `links.${name}.breaker`, breaker, breakerStates);
    targets.forEach(({ belief, ...target }, i) => {
      addCodes(series, `links.${name}.target.${i + 1}.belief`, belief, beliefs);
      addAll(series, `links.${name}.target.${i + 1}`, target);
    });
    callers.forEach((caller, i) => addAll(series, `links.${name}.caller.${i + 1}`, { ...caller }));
  }
  for (const [name, columns] of Object.entries(ticks.hosts)) addAll(series, `hosts.${name}`, columns);
  for (const [name, columns] of Object.entries(ticks.locks)) addAll(series, `locks.${name}`, columns);
  return series;
};

const addAll = (series: Series, prefix: string, columns: Readonly<Record<string, Column | LevelColumns | null>>): void => {
  for (const [name, column] of Object.entries(columns)) {
    if (column === null) continue;
    if (typeof column === 'number' || Array.isArray(column)) series.set(`${prefix}.${name}`, (tick) => at(column as Column, tick) ?? '');
    else addAll(series, `${prefix}.${name}`, { ...(column as LevelColumns) });
  }
};

const addCodes = (series: Series, name: string, column: Column, words: readonly string[]): void => {
  series.set(name, (tick) => words[at(column, tick) ?? -1] ?? '');
};
