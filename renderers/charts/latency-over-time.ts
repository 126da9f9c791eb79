import { ticks as niceTicks } from 'd3';
import { Canvas, coordinate, type Drawing } from '../look/drawing.js';
import { latency } from '../look/numbers.js';
import { print } from '../look/palette.js';
import { textWidth } from '../look/text-width.js';
import { at } from '../../src/study/columns.js';
import type { Column, PictureObjective, Run } from '../../src/study/types.js';
import { chartWords } from '../../src/text/report-charts.js';
import { drawEventDiscs, placed, type TrafficChart } from './event-marks.js';
import { goalLabels, type GoalLabel } from './goal-labels.js';
import { logDomain, logScale, logTicks, positiveRange } from './log-axis.js';
import { keptTicks } from './sampling.js';
import { drawPhaseLabels, drawPhases, mainPhases, stepLine, xOf, yScale, type TimeAxis } from './time-plot.js';

/** The thinner the line, the rarer what lies above it. */
const lines = { p50: 1.5, p95: 0.9, p99: 0.45 } as const;
type Percentile = keyof typeof lines;
const names = ['p50', 'p95', 'p99'] as const satisfies readonly Percentile[];

const leastGutter = 58;
const rightGutter = 22;
const plotHeight = 74;
const labelHeight = 7.5;
const labelGap = 0.5;
/** How far labels of goals may stand out above and below the plot. */
const over = { top: 2, bottom: 3 } as const;
/** From the label of a goal to the axis. */
const leader = 10;
/** A range wider than this is drawn logarithmically: below it the quiet time of a linear plot is still more than a line on the ground. */
const logFrom = 12;

/** Whether a traffic ever had a latency to show. */
export const hasLatencies = (run: Run, traffic: string): boolean => positiveRange(columnsOf(run, traffic), run.ticks.count) !== null;

/** How many objectives have a line in `latencyOverTime` and no name at it. */
export const goalsLeftOut = (run: Run, traffic: string): number => goalLabels(latencyGoals(run.system.objectives, traffic)).leftOut;

/** p50, p95 and p99 of good requests over the trailing 10 s, with the objectives on them where they hold. A stretch without samples is a gap. */
export const latencyOverTime = ({ run, traffic, durationMs, tickMs, width, lang, events }: TrafficChart): Drawing => {
  const goals = latencyGoals(run.system.objectives, traffic);
  const labels = goalLabels(goals).shown;
  const gutter = Math.max(leastGutter, ...labels.map(({ text }) => textWidth(text, 6.5, 700) + leader));
  const axis: TimeAxis = { left: gutter, width: width - gutter - rightGutter, durationMs, tickMs, count: run.ticks.count };
  const top = events.length > 0 ? 26 : 10;
  const bottom = top + plotHeight;
  const canvas = new Canvas(width, bottom + 14, { fill: print.text, size: 7 });
  const phases = mainPhases(Object.entries(run.phases).map(([name, phase]) => ({ name, ...phase })));
  drawPhases(canvas, axis, phases, events.length > 0 ? 8 : top, bottom);
  const columns = columnsOf(run, traffic);
  const [low, high] = positiveRange(columns, axis.count) ?? [1, 1];
  const ends = [Math.min(low, ...goals.map((goal) => goal.high!)), Math.max(high, ...goals.map((goal) => goal.high!))] as const;
  const isLog = ends[1] / ends[0] > logFrom;
  const domain = logDomain(...ends);
  const y = isLog ? logScale(domain, [bottom, top]) : yScale(top, bottom, ends[1] * 1.08);
  drawGoals(canvas, axis, goals, run, y);
  const taken = drawGoalLabels(canvas, axis, labels, y, [top, bottom]);
  drawScale(canvas, axis, isLog ? logTicks(domain, 5) : niceTicks(0, ends[1] * 1.08, 4), y, taken, bottom);
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

/** Bounds where they hold. */
const drawGoals = (canvas: Canvas, axis: TimeAxis, goals: readonly PictureObjective[], run: Run, y: (value: number) => number): void => {
  for (const goal of goals) {
    const level = y(goal.high!);
    const windows = goal.in === 'run' ? [[0, axis.durationMs]] : goal.in.flatMap((name) => (run.phases[name] ? [[run.phases[name].fromMs, run.phases[name].toMs]] : []));
    for (const [fromMs, toMs] of windows) canvas.line(xOf(axis, fromMs), level, xOf(axis, toMs), level, { stroke: print.failed, strokeWidth: 0.9 });
  }
};

/** Names of bounds at the left, moved apart where they are close, each with a line to its height; returns what they and their lines cover from top to bottom. */
const drawGoalLabels = (canvas: Canvas, { left }: TimeAxis, labels: readonly GoalLabel[], y: (value: number) => number, [top, bottom]: readonly [number, number]): (readonly [number, number])[] => {
  const places = placed(labels.map(({ level }) => y(level)), labels.map(() => labelHeight), labelGap, top - over.top, bottom + over.bottom);
  return labels.map(({ text, level }, index) => {
    const [place, height] = [places[index], y(level)];
    canvas.path(`M${coordinate(left - leader + 1)} ${coordinate(place)}L${coordinate(left - 3)} ${coordinate(height)}L${coordinate(left)} ${coordinate(height)}`, { stroke: print.failed, strokeWidth: 0.6 });
    canvas.text(left - leader, place + 2.5, text, { size: 6.5, weight: 700, fill: print.failedText, anchor: 'end' });
    return [Math.min(height, place - labelHeight / 2), Math.max(height, place + labelHeight / 2)];
  });
};

const drawScale = (canvas: Canvas, axis: TimeAxis, values: readonly number[], y: (value: number) => number, taken: readonly (readonly [number, number])[], bottom: number): void => {
  for (const value of values) {
    if (value > 0) canvas.line(axis.left, y(value), axis.left + axis.width, y(value), { stroke: print.line, strokeWidth: 0.5 });
    if (taken.some(([from, to]) => y(value) > from - labelHeight / 2 && y(value) < to + labelHeight / 2) || y(value) > bottom + 1) continue;
    canvas.text(axis.left - 4, y(value) + 2.5, value === 0 ? '0' : latency(value), { size: 6.5, fill: print.text3, anchor: 'end' });
  }
};

/** Each line is named beside its last sample. */
const drawNames = (canvas: Canvas, axis: TimeAxis, columns: readonly Column[], y: (value: number) => number, [top, bottom]: readonly [number, number]): void => {
  const last = columns.map((column) => {
    for (let tick = axis.count - 1; tick >= 0; tick--) if (at(column, tick) !== null) return { tick, value: at(column, tick)! };
    return null;
  });
  // From the highest, so that lines that end at one height are named in the order in which lines stand elsewhere.
  const shown = names.flatMap((name, index) => (last[index] ? [{ name, ...last[index] }] : [])).reverse();
  const places = placed(shown.map(({ value }) => y(value)), shown.map(() => labelHeight), 0, top - 3, bottom + 4);
  shown.forEach(({ name, tick }, index) => {
    const end = xOf(axis, Math.min(axis.durationMs, (tick + 1) * axis.tickMs));
    // Samples that end long before the run are named where they end.
    const x = end < axis.left + axis.width - textWidth(name, 7, 700) - 8 ? end + 3 : axis.left + axis.width + 3;
    canvas.text(x, places[index] + 2.5, name, { weight: 700 });
  });
};
