import { poolsChart, tellingPools } from '../../charts/pools.js';
import type { StateRow } from '../../charts/state-rows.js';
import { stateTimeline, timelineHeight, timelineRows } from '../../charts/state-timeline.js';
import { count } from '../../look/numbers.js';
import { chartWords } from '../../../src/text/report-charts.js';
import { shadedPhase, type ReportContext } from '../context.js';
import { column, styles } from '../flow.js';
import { clean, markOnly } from '../rich.js';
import { lettersOf } from '../key-moments.js';

/** What a picture of a page takes. */
const mostHeight = 560;

/** What every instance was over the run, and what the balancer believed. Nothing when all were healthy all the time. */
export const states = (report: ReportContext): void => {
  const { flow, run, study, prose, lang } = report;
  const { tickMs } = study.scenario;
  const { rows, leftOut } = report.remember('state rows', () => timelineRows(run, tickMs, column.width));
  if (rows.length === 0) return;
  const events = lettersOf(report);
  const parts = partsOf(rows, leftOut, events.length > 0);
  const believes = rows.some(({ belief }) => belief !== null);
  flow.h2(`${markOnly('estimated')}${chartWords[lang].title.states}`, prose('charts', 'states', { believes }));
  for (const [index, part] of parts.entries()) {
    flow.drawing(report.remember(`states ${index}`, () => stateTimeline({ run, rows: part, leftOut, durationMs: run.durationMs, tickMs, width: column.width, lang, events })), prose('charts', 'statesAlt', { services: [...new Set(part.map(({ service }) => clean(service)))].join(', ') }));
    flow.space(4);
  }
  flow.paragraph(prose('charts', 'statesNote', { believes, left: Object.keys(leftOut).length > 0 }), styles.small);
  flow.space(10);
};

/** Rows cut where a page ends. */
const partsOf = (rows: readonly StateRow[], leftOut: Readonly<Record<string, number>>, hasEvents: boolean): StateRow[][] => {
  const parts: StateRow[][] = [[]];
  for (const row of rows) {
    if (timelineHeight([...parts.at(-1)!, row], leftOut, hasEvents) > mostHeight) parts.push([]);
    parts.at(-1)!.push(row);
  }
  return parts;
};

const mostPools = 6;

/** Connections of each caller over time, where somebody waited or most were in use. */
export const pools = (report: ReportContext): void => {
  const { flow, run, study, prose, lang } = report;
  const telling = report.remember('pools', () => tellingPools(run));
  if (telling.length === 0) return;
  const drawing = report.remember('pools drawn', () => poolsChart({ run, pools: telling.slice(0, mostPools), durationMs: run.durationMs, tickMs: study.scenario.tickMs, width: column.width, lang, shaded: shadedPhase(report), events: lettersOf(report) }));
  const rest = telling.length - mostPools;
  flow.space(8);
  flow.h2(`${markOnly('counted')}${chartWords[lang].title.pools}`, prose('charts', 'pools', { rest: rest > 0 ? count(rest) : undefined }));
  flow.drawing(drawing, prose('charts', 'poolsAlt'));
  flow.space(10);
};
