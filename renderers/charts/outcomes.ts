import { ticks as niceTicks } from 'd3';
import { Canvas, type Drawing } from '../look/drawing.js';
import { condition, perSecondInFull } from '../look/numbers.js';
import { print } from '../look/palette.js';
import { textWidth } from '../look/text-width.js';
import { numberAt } from '../../src/study/columns.js';
import type { Column, Lang, PictureObjective, Run } from '../../src/study/types.js';
import { reportWords } from '../../src/text/report.js';
import { drawEventDiscs, type TrafficChart } from './event-marks.js';
import { highest, keptTicks, sumOf } from './sampling.js';
import { drawPhaseLabels, drawPhases, mainPhases, stepArea, stepLine, xOf, yScale, type TimeAxis } from './time-plot.js';

export interface OutcomesChart extends TrafficChart {
  /** Of the areas; `usualPlotHeight` when left out. */
  readonly plotHeight?: number;
}

const gutter = 58;
const marksHeight = 18;
export const usualPlotHeight = 72;

/** What became of everything that was asked, over time; under it where the objectives held. All of it counted, so all of it solid. */
export const outcomesChart = (chart: OutcomesChart): Drawing => {
  const { run, traffic, width, lang, plotHeight = usualPlotHeight } = chart;
  const count = run.ticks.count;
  const axis: TimeAxis = { left: gutter, width: width - gutter, durationMs: chart.durationMs, tickMs: chart.tickMs, count };
  const rows = objectiveRows(run.system.objectives, traffic);
  const [top, bottom] = [marksHeight + 8, marksHeight + 8 + plotHeight];
  const rowsBottom = bottom + (rows.good ? 14 : 0) + (rows.latency ? 40 : 0) + 2;
  const canvas = new Canvas(width, rowsBottom + 12, { fill: print.text, size: 7 });
  const phases = mainPhases(Object.entries(run.phases).map(([name, phase]) => ({ name, ...phase })));
  drawPhases(canvas, axis, phases, 8, rowsBottom);
  const label = drawStack(canvas, axis, chart, top, bottom);
  drawEventDiscs(canvas, axis, chart.events, bottom);
  label();
  if (rows.good) drawGoodRow(canvas, axis, run.ticks.traffic[traffic], rows.good, bottom + 8, lang);
  if (rows.latency) drawLatencyRow(canvas, axis, run.ticks.traffic[traffic], rows.latency, bottom + (rows.good ? 18 : 6), lang);
  drawPhaseLabels(canvas, axis, phases, rowsBottom + 9);
  return canvas.drawing();
};

type TrafficColumns = Run['ticks']['traffic'][string];
const outcomes = ['good', 'declined', 'refused', 'failed'] as const;
const areaColors = { good: print.goodArea, declined: print.trunk, refused: print.refusedArea, failed: print.failed } as const;

/** Draws the areas; returns how to write their names, which stand above the lines of the events. */
const drawStack = (canvas: Canvas, axis: TimeAxis, { run, traffic, lang, events }: OutcomesChart, top: number, bottom: number): (() => void) => {
  const columns = run.ticks.traffic[traffic];
  const perS = 1000 / axis.tickMs;
  const offered = sumOf([columns.offered], axis.count, perS);
  const tops = outcomes.map((_, index) => sumOf(outcomes.slice(0, index + 1).map((name) => columns[name]), axis.count, perS));
  const maximum = Math.max(highest(offered, axis.count), highest(tops.at(-1)!, axis.count), 1) * 1.05;
  const y = yScale(top, bottom, maximum);
  const lines = niceTicks(0, maximum, 4).filter((value) => value > 0 && value <= maximum * 0.97);
  for (const value of lines) {
    canvas.line(axis.left, y(value), axis.left + axis.width, y(value), { stroke: print.line, strokeWidth: 0.5 });
    canvas.text(axis.left - 4, y(value) + 2.5, value === lines.at(-1) ? perSecondInFull(value) : perSecondInFull(value).replace('/s', ''), { fill: print.text3, anchor: 'end' });
  }
  const kept = keptTicks([offered, ...tops], axis.count, Math.floor(axis.width * 2));
  outcomes.forEach((name, index) => {
    canvas.path(stepArea(axis, kept, index === 0 ? 0 : tops[index - 1], tops[index], y), { fill: areaColors[name], ...(name === 'failed' ? { stroke: print.failed, strokeWidth: 0.3 } : {}) });
  });
  canvas.path(stepLine(axis, kept, offered, y), { stroke: print.text, strokeWidth: 0.6 });
  canvas.line(axis.left, bottom, axis.left + axis.width, bottom, { stroke: print.line2, strokeWidth: 0.6 });
  return () => labelAreas(canvas, axis, { tops, offered, y, lang, top, events: events.map(({ tMs }) => xOf(axis, tMs)) });
};

interface Stack {
  readonly tops: readonly Column[];
  readonly offered: Column;
  readonly y: (value: number) => number;
  readonly lang: Lang;
  readonly top: number;
  /** Where lines of events stand. */
  readonly events: readonly number[];
}

/** Names stand on their areas where there is room for them; else above the curve with a line that leads to the area, the narrowest area first. */
const labelAreas = (canvas: Canvas, axis: TimeAxis, stack: Stack): void => {
  const { tops, y, lang, events } = stack;
  const outside: { text: string; width: number; band: Band; middle: (tick: number) => number }[] = [];
  outcomes.forEach((name, index) => {
    const [low, high] = [index === 0 ? 0 : tops[index - 1], tops[index]];
    const text = reportWords[lang].head[name];
    const width = textWidth(text, 8, 700) + 4;
    const place = widest(axis, width, events, (tick) => ({ from: y(numberAt(high, tick)), to: y(numberAt(low, tick)) }));
    if (place && place.height >= 9) canvas.text(place.x, place.middle + 2.8, text, { size: 8, weight: 700, anchor: 'middle', fill: name === 'failed' ? print.bg : print.text });
    else outside.push({ text, width, band: heightsOf(axis, low, high), middle: (tick) => (y(numberAt(high, tick)) + y(numberAt(low, tick))) / 2 });
  });
  const taken: { from: number; to: number }[] = [];
  for (const { text, width, band, middle } of outside.filter((label) => label.band.most > 0).sort((a, b) => a.band.extent - b.band.extent)) {
    const spot = freeSpot(axis, width, band.centre, taken, stack);
    if (spot === null) continue;
    const from = band.centre < spot ? spot - 2 : spot + width;
    const target = nearestThick(axis, band, from);
    canvas.line(xOf(axis, (target + 0.5) * axis.tickMs), middle(target), from, stack.top + 7, { stroke: print.text, strokeWidth: 0.6 });
    canvas.text(spot, stack.top + 9.5, text, { size: 8, weight: 700 });
    taken.push({ from: spot - 8, to: spot + width + 8 });
  }
};

/** Where a band stays thickest over the width of a label. */
const widest = (axis: TimeAxis, width: number, events: readonly number[], band: (tick: number) => { from: number; to: number }): { x: number; middle: number; height: number } | null => {
  const span = Math.max(1, Math.ceil((width / axis.width) * axis.count));
  let best: { x: number; middle: number; height: number } | null = null;
  for (let first = 0; first + span <= axis.count; first += Math.max(1, Math.floor(span / 6))) {
    const [left, right] = [xOf(axis, first * axis.tickMs) - 3, xOf(axis, (first + span) * axis.tickMs) + 3];
    if (events.some((x) => x > left && x < right)) continue;
    let [from, to] = [-Infinity, Infinity];
    for (let tick = first; tick < first + span; tick++) {
      const edge = band(tick);
      from = Math.max(from, edge.from);
      to = Math.min(to, edge.to);
    }
    if (best === null || to - from > best.height) best = { x: xOf(axis, (first + span / 2) * axis.tickMs), middle: (from + to) / 2, height: to - from };
  }
  return best;
};

interface Band {
  readonly heights: readonly number[];
  readonly most: number;
  /** Ticks in which it is at least half as thick as it ever is. */
  readonly extent: number;
  /** Its middle, weighted by height. */
  readonly centre: number;
}

const heightsOf = (axis: TimeAxis, low: Column, high: Column): Band => {
  const heights = Array.from({ length: axis.count }, (_, tick) => numberAt(high, tick) - numberAt(low, tick));
  const total = heights.reduce((sum, height) => sum + height, 0);
  const moment = heights.reduce((sum, height, tick) => sum + height * (tick + 0.5), 0);
  const most = heights.reduce((high, height) => Math.max(high, height), 0);
  return { heights, most, extent: heights.filter((height) => height >= most / 2).length, centre: xOf(axis, (total > 0 ? moment / total : 0) * axis.tickMs) };
};

/** The tick nearest to x where a band is at least half as thick as it ever is. */
const nearestThick = (axis: TimeAxis, { heights, most }: Band, x: number): number => {
  let best = 0;
  const away = (tick: number): number => Math.abs(xOf(axis, (tick + 0.5) * axis.tickMs) - x);
  heights.forEach((height, tick) => {
    if (height >= most / 2 && (heights[best] < most / 2 || away(tick) < away(best))) best = tick;
  });
  return best;
};

/** Left end of the free room above the curve that is nearest to x. */
const freeSpot = (axis: TimeAxis, width: number, x: number, taken: readonly { readonly from: number; readonly to: number }[], { tops, offered, y, top, events }: Stack): number | null => {
  const roomAt = (tick: number): number => y(Math.max(numberAt(offered, tick), numberAt(tops.at(-1)!, tick))) - top;
  const span = Math.max(1, Math.ceil(((width + 8) / axis.width) * axis.count));
  let best: number | null = null;
  for (let first = 0; first + span <= axis.count; first += Math.max(1, Math.floor(span / 4))) {
    const left = xOf(axis, first * axis.tickMs) + 4;
    if (taken.some(({ from, to }) => left < to && left + width > from) || events.some((event) => event > left - 5 && event < left + width + 3)) continue;
    let free = true;
    for (let tick = first; tick < first + span && free; tick++) free = roomAt(tick) > 14;
    if (free && (best === null || Math.abs(left + width / 2 - x) < Math.abs(best + width / 2 - x))) best = left;
  }
  return best;
};

const percentiles = { p50: 'p50', p95: 'p95', p99: 'p99' } as const;
type Percentile = keyof typeof percentiles;

/** The objectives that can be drawn tick by tick: a share of good requests, and a percentile that ticks have. */
const objectiveRows = (objectives: readonly PictureObjective[], traffic: string): { good: PictureObjective | undefined; latency: PictureObjective | undefined } => {
  const own = objectives.filter(({ of }) => of === traffic);
  return {
    good: own.find(({ metric, low }) => metric === 'good' && low !== null),
    latency: own.find(({ metric, high }) => metric in percentiles && high !== null),
  };
};

const drawGoodRow = (canvas: Canvas, axis: TimeAxis, columns: TrafficColumns, objective: PictureObjective, top: number, lang: Lang): void => {
  canvas.text(axis.left - 4, top + 5.5, `${reportWords[lang].head.good} ${condition(objective.condition)}`, { fill: print.text3, anchor: 'end' });
  canvas.line(axis.left, top + 3, axis.left + axis.width, top + 3, { stroke: print.line2, strokeWidth: 0.8 });
  const broken = (tick: number): boolean => {
    const good = numberAt(columns.good, tick);
    const valid = good + numberAt(columns.refused, tick) + numberAt(columns.failed, tick);
    return valid > 0 && good / valid < objective.low!;
  };
  let widestRun = { x: 0, width: 0 };
  for (let tick = 0; tick < axis.count; tick++) {
    if (!broken(tick)) continue;
    const from = tick;
    while (tick < axis.count && broken(tick)) tick++;
    const x = xOf(axis, from * axis.tickMs);
    const width = xOf(axis, Math.min(axis.durationMs, tick * axis.tickMs)) - x;
    canvas.rect(x, top, width, 6.4, { fill: print.failed });
    if (width > widestRun.width) widestRun = { x, width };
  }
  if (widestRun.width > textWidth(reportWords[lang].broken, 6.5, 700) + 4) canvas.text(widestRun.x + widestRun.width / 2, top + 5.4, reportWords[lang].broken, { size: 6.5, weight: 700, fill: print.bg, anchor: 'middle' });
};

const drawLatencyRow = (canvas: Canvas, axis: TimeAxis, columns: TrafficColumns, objective: PictureObjective, top: number, lang: Lang): void => {
  const column = columns[objective.metric as Percentile];
  const bottom = top + 32;
  const goal = objective.high!;
  const y = yScale(top, bottom, Math.max(highest(column, axis.count), goal) * 1.08);
  canvas.line(axis.left, y(goal), axis.left + axis.width, y(goal), { stroke: print.text2, strokeWidth: 0.6 });
  canvas.text(axis.left - 4, Math.min(bottom, y(goal) + 2.5), `${objective.metric} ${condition(objective.condition)}`, { fill: print.text3, anchor: 'end' });
  const kept = keptTicks([column], axis.count, Math.floor(axis.width * 2));
  const line = stepLine(axis, kept, column, y);
  if (line) canvas.path(line, { stroke: print.text, strokeWidth: 0.9 });
  else canvas.text(axis.left + axis.width / 2, bottom - 8, reportWords[lang].noSamples, { fill: print.text3, anchor: 'middle' });
};
