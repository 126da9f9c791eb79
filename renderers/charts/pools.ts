import { Canvas, type Drawing } from '../look/drawing.js';
import { count } from '../look/numbers.js';
import { print } from '../look/palette.js';
import { shorten } from '../look/shorten.js';
import type { Lang, LevelColumns, Run } from '../../src/study/types.js';
import { chartWords } from '../../src/text/report-charts.js';
import { reportWords } from '../../src/text/report.js';
import { stageWords } from '../../src/text/stage.js';
import { drawEventLines, type EventMark } from './event-marks.js';
import { drawLife, drawNumber } from './instances.js';
import { highest, keptTicks } from './sampling.js';
import { drawTimes, stepArea, stepLine, xOf, yScale, type Span, type TimeAxis } from './time-plot.js';

export interface PoolsChart {
  readonly run: Run;
  readonly pools: readonly PoolRow[];
  readonly durationMs: number;
  readonly tickMs: number;
  readonly width: number;
  readonly lang: Lang;
  readonly shaded: Span | null;
  readonly events: readonly EventMark[];
}

/** The pool that one caller instance has towards a service. */
export interface PoolRow {
  readonly caller: string;
  /** 1-based; null for a traffic. */
  readonly number: number | null;
  readonly callee: string;
  readonly max: number | null;
  readonly inUse: LevelColumns;
  readonly waiting: LevelColumns;
}

const label = 120;
const gap = 12;
const headHeight = 14;
const rowHeight = 30;

/** Pools that say something: somebody waited, or most of a bounded one was in use. Those with most waiting first. */
export const tellingPools = (run: Run): PoolRow[] => {
  const n = run.ticks.count;
  const rows = run.system.links.filter(({ pool }) => pool !== null).flatMap(({ caller, callerKind, callee, pool }): PoolRow[] =>
    (run.ticks.links[`${caller}.${callee}`]?.callers ?? []).flatMap(({ poolInUse, poolWaiting }, index) =>
      poolInUse && poolWaiting ? [{ caller, number: callerKind === 'traffic' ? null : index + 1, callee, max: pool!.max, inUse: poolInUse, waiting: poolWaiting }] : [],
    ),
  );
  const telling = rows.filter(({ max, inUse, waiting }) => highest(waiting.max, n) > 0 || (max !== null && highest(inUse.max, n) >= max / 2));
  return telling.sort((a, b) => highest(b.waiting.max, n) - highest(a.waiting.max, n) || highest(b.inUse.max, n) - highest(a.inUse.max, n));
};

/** Connections in use of those that a caller may have, and who waits for one: the mean as an area, the most of a tick as a thin line. All counted, so all solid. */
export const poolsChart = (chart: PoolsChart): Drawing => {
  const { run, pools, width, lang, shaded } = chart;
  const n = run.ticks.count;
  const canvas = new Canvas(width, headHeight + pools.length * rowHeight + 8, { fill: print.text, size: 7 });
  const panel = (width - label - gap) / 2;
  const most = Math.max(1, ...pools.map(({ waiting }) => highest(waiting.max, n)));
  [chartWords[lang].inUse, chartWords[lang].waiting].forEach((title, columnIndex) => {
    const left = label + columnIndex * (panel + gap);
    const axis: TimeAxis = { left, width: panel, durationMs: chart.durationMs, tickMs: chart.tickMs, count: n };
    canvas.text(left, 8, title, { weight: 700, size: 8 });
    pools.forEach((pool, row) => {
      const top = headHeight + row * rowHeight + 1;
      if (columnIndex === 0) drawName(canvas, pool, top, lang);
      const maximum = columnIndex === 0 ? (pool.max ?? Math.max(1, highest(pool.inUse.max, n))) : most;
      drawLevels(canvas, axis, chart, pool, columnIndex === 0 ? pool.inUse : pool.waiting, { top, bottom: top + rowHeight - 8, maximum });
    });
    drawTimes(canvas, axis, shaded ? [shaded.fromMs, shaded.toMs] : [], headHeight + pools.length * rowHeight + 4);
  });
  return canvas.drawing();
};

const drawName = (canvas: Canvas, { caller, number, callee, max }: PoolRow, top: number, lang: Lang): void => {
  canvas.text(0, top + 8, shorten(number === null ? caller : `${caller} #${number}`, label - 8, 8, 700), { size: 8, weight: 700 });
  const limit = max === null ? '' : `, ${stageWords[lang].of(count(max))}`;
  canvas.text(0, top + 17.5, `${shorten(`→ ${callee}`, label - 40, 7)}${limit}`, { fill: print.text3 });
};

const drawLevels = (canvas: Canvas, axis: TimeAxis, { run, shaded, events, lang }: PoolsChart, { caller, number }: PoolRow, { mean, max }: LevelColumns, { top, bottom, maximum }: { top: number; bottom: number; maximum: number }): void => {
  const y = yScale(top, bottom, maximum);
  if (shaded) canvas.rect(xOf(axis, shaded.fromMs), top, xOf(axis, shaded.toMs) - xOf(axis, shaded.fromMs), bottom - top, { fill: print.s1 });
  canvas.line(axis.left, top, axis.left + axis.width, top, { stroke: print.line, strokeWidth: 0.4 });
  const kept = keptTicks([mean, max], axis.count, Math.floor(axis.width));
  canvas.path(stepArea(axis, kept, 0, mean, y), { fill: print.goodArea, stroke: print.goodArea, strokeWidth: 0.35 });
  canvas.path(stepLine(axis, kept, max, y), { stroke: print.line2, strokeWidth: 0.25 });
  drawEventLines(canvas, axis, events, top, bottom);
  const instance = number === null ? undefined : run.ticks.services[caller]?.instances[number - 1];
  if (instance) drawLife(canvas, axis, instance, bottom);
  const high = highest(max, axis.count);
  if (high > 0) drawNumber(canvas, axis.left + axis.width, top, reportWords[lang].most(count(high)));
};
