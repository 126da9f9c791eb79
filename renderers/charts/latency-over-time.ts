import { ticks as niceTicks } from 'd3';
import { Canvas, type Drawing } from '../look/drawing.js';
import { condition, latency } from '../look/numbers.js';
import { print } from '../look/palette.js';
import { textWidth } from '../look/text-width.js';
import { at } from '../../src/study/columns.js';
import type { Column, PictureObjective, Run } from '../../src/study/types.js';
import { chartWords } from '../../src/text/report-charts.js';
import { drawEventDiscs, placed, type TrafficChart } from './event-marks.js';
import { logDomain, logScale, logTicks, positiveRange } from './log-axis.js';
import { keptTicks } from './sampling.js';
import { drawPhaseLabels, drawPhases, mainPhases, stepLine, xOf, yScale, type TimeAxis } from './time-plot.js';

/** The thinner the line, the rarer what lies above it. */
const lines = { p50: 1.5, p95: 0.9, p99: 0.45 } as const;
type Percentile = keyof typeof lines;
const names = ['p50', 'p95', 'p99'] as const satisfies readonly Percentile[];

const gutter = 58;
const rightGutter = 22;
const plotHeight = 74;
/** A range wider than this is drawn logarithmically: below it the quiet time of a linear plot is still more than a line on the ground. */
const logFrom = 12;

/** Whether a traffic ever had a latency to show. */
export const hasLatencies = (run: Run, traffic: string): boolean => positiveRange(columnsOf(run, traffic), run.ticks.count) !== null;

/** p50, p95 and p99 of good requests over the trailing 10 s, with the objectives on them where they hold. A stretch without samples is a gap. */
export const latencyOverTime = ({ run, traffic, durationMs, tickMs, width, lang, events }: TrafficChart): Drawing => {
  const axis: TimeAxis = { left: gutter, width: width - gutter - rightGutter, durationMs, tickMs, count: run.ticks.count };
  const top = events.length > 0 ? 26 : 10;
  const bottom = top + plotHeight;
  const canvas = new Canvas(width, bottom + 14, { fill: print.text, size: 7 });
  const phases = mainPhases(Object.entries(run.phases).map(([name, phase]) => ({ name, ...phase })));
  drawPhases(canvas, axis, phases, events.length > 0 ? 8 : top, bottom);
  const columns = columnsOf(run, traffic);
  const goals = latencyGoals(run.system.objectives, traffic);
  const [low, high] = positiveRange(columns, axis.count) ?? [1, 1];
  const ends = [Math.min(low, ...goals.map((goal) => goal.high!)), Math.max(high, ...goals.map((goal) => goal.high!))] as const;
  const isLog = ends[1] / ends[0] > logFrom;
  const domain = logDomain(...ends);
  const y = isLog ? logScale(domain, [bottom, top]) : yScale(top, bottom, ends[1] * 1.08);
  const goalTexts = drawGoals(canvas, axis, goals, run, y, [top, bottom]);
  drawScale(canvas, axis, isLog ? logTicks(domain, 5) : niceTicks(0, ends[1] * 1.08, 4), y, goalTexts, bottom);
  canvas.text(axis.left + axis.width, top - 3, isLog ? chartWords[lang].logScale : chartWords[lang].linearScale, { size: 6.5, fill: print.text3, anchor: 'end' });
  drawEventDiscs(canvas, axis, events, bottom);
  const kept = keptTicks(columns, axis.count, Math.floor(axis.width * 2));
  names.forEach((name, index) => canvas.path(stepLine(axis, kept, columns[index], y), { stroke: print.text, strokeWidth: lines[name] }));
  drawNames(canvas, axis, columns, y, [top, bottom]);
  canvas.line(axis.left, bottom, axis.left + axis.width, bottom, { stroke: print.line2, strokeWidth: 0.6 });
  drawPhaseLabels(canvas, axis, phases, bottom + 10);
  return canvas.drawing();
};

const columnsOf = (run: Run, traffic: string): Column[] => names.map((name) => run.ticks.traffic[traffic].trailing[name]);

/** Objectives that are a bound on one of the three lines. */
export const latencyGoals = (objectives: readonly PictureObjective[], traffic: string): PictureObjective[] =>
  objectives.filter(({ of, metric, high, unit, vs }) => of === traffic && (names as readonly string[]).includes(metric) && unit === 'ms' && vs === null && high !== null && high > 0);

/** Bounds where they hold, named at the left; returns where their names stand. */
const drawGoals = (canvas: Canvas, axis: TimeAxis, goals: readonly PictureObjective[], run: Run, y: (value: number) => number, [top, bottom]: readonly [number, number]): number[] => {
  const places = placed(goals.map(({ high }) => y(high!)), goals.map(() => 7.5), 0.5, top - 2, bottom + 3);
  goals.forEach((goal, index) => {
    const level = y(goal.high!);
    const windows = goal.in === 'run' ? [[0, axis.durationMs]] : goal.in.flatMap((name) => (run.phases[name] ? [[run.phases[name].fromMs, run.phases[name].toMs]] : []));
    for (const [fromMs, toMs] of windows) canvas.line(xOf(axis, fromMs), level, xOf(axis, toMs), level, { stroke: print.failed, strokeWidth: 0.9 });
    canvas.line(axis.left - 3, level, axis.left, level, { stroke: print.failed, strokeWidth: 0.9 });
    canvas.text(axis.left - 4, places[index] + 2.5, `${goal.metric} ${condition(goal.condition)}`, { size: 6.5, weight: 700, fill: print.failedText, anchor: 'end' });
  });
  return places;
};

const drawScale = (canvas: Canvas, axis: TimeAxis, values: readonly number[], y: (value: number) => number, taken: readonly number[], bottom: number): void => {
  for (const value of values) {
    if (value > 0) canvas.line(axis.left, y(value), axis.left + axis.width, y(value), { stroke: print.line, strokeWidth: 0.5 });
    if (taken.some((place) => Math.abs(place - y(value)) < 7.5) || y(value) > bottom + 1) continue;
    canvas.text(axis.left - 4, y(value) + 2.5, value === 0 ? '0' : latency(value), { size: 6.5, fill: print.text3, anchor: 'end' });
  }
};

/** Each line is named beside its last sample. */
const drawNames = (canvas: Canvas, axis: TimeAxis, columns: readonly Column[], y: (value: number) => number, [top, bottom]: readonly [number, number]): void => {
  const last = columns.map((column) => {
    for (let tick = axis.count - 1; tick >= 0; tick--) if (at(column, tick) !== null) return { tick, value: at(column, tick)! };
    return null;
  });
  const shown = names.flatMap((name, index) => (last[index] ? [{ name, ...last[index] }] : []));
  const places = placed(shown.map(({ value }) => y(value)), shown.map(() => 7.5), 0, top - 3, bottom + 4);
  shown.forEach(({ name, tick }, index) => {
    const end = xOf(axis, Math.min(axis.durationMs, (tick + 1) * axis.tickMs));
    // Samples that end long before the run are named where they end.
    const x = end < axis.left + axis.width - textWidth(name, 7, 700) - 8 ? end + 3 : axis.left + axis.width + 3;
    canvas.text(x, places[index] + 2.5, name, { weight: 700 });
  });
};
