import { ticks as niceTicks } from 'd3';
import type { Canvas } from '../look/drawing.js';
import { latency, perSecond } from '../look/numbers.js';
import { textWidth } from '../look/text-width.js';
import { followedObjectives, goalText, isDrawnAt, trailingAt } from './objectives.js';
import type { Moment, Scene } from './scene.js';
import { drawMarks } from './strip-marks.js';
import { latencyOf, plotOf, type Plot, type StripPlace } from './strip-plot.js';

/** The run's past up to `tick` (inclusive): outcomes stacked, the objective as a row, latency as a line, events, phases. Axes are those of the whole run. */
export const drawStrip = (canvas: Canvas, place: StripPlace, tick: number, moment: Moment, playhead: boolean): void => {
  const { scene } = moment;
  const x = (ms: number): number => place.left + ((place.right - place.left) * ms) / scene.run.durationMs;
  const strip: Strip = { canvas, place, tick, moment, x, plot: plotOf(scene, place) };
  drawPhases(strip);
  drawAreas(strip);
  drawObjectiveRow(strip);
  drawLatency(strip);
  if (playhead) canvas.line(x((tick + 1) * scene.tickMs), place.marks - 12, x((tick + 1) * scene.tickMs), place.latencyBottom + 2, { stroke: moment.palette.text, strokeWidth: 3 });
  drawMarks(canvas, place, tick, moment, x);
};

interface Strip {
  readonly canvas: Canvas;
  readonly place: StripPlace;
  readonly tick: number;
  readonly moment: Moment;
  readonly x: (ms: number) => number;
  readonly plot: Plot;
}

const drawPhases = ({ canvas, place, moment, x, plot }: Strip): void => {
  const { palette, scene } = moment;
  for (const { fromMs, toMs } of scene.phases) {
    // Two phases without time between them are still two.
    const gap = scene.phases.some((other) => other.fromMs === toMs) ? 3 : 0;
    canvas.rect(x(fromMs), place.marks - 12, x(toMs) - x(fromMs) - gap, place.latencyBottom - place.marks + 12, { fill: palette.s1 });
  }
  const { labels, end } = plot.phases;
  for (const { left, at, name } of labels) canvas.runs(left, place.axis, [{ text: `${at} `, fill: palette.text3 }, { text: name, fill: palette.text2, weight: 600 }], { size: place.size });
  if (end !== null) canvas.text(place.right, place.axis, end, { size: place.size, fill: palette.text3, anchor: 'end' });
};

const drawAreas = ({ canvas, place, tick, moment, plot }: Strip): void => {
  const { palette } = moment;
  const { mostPerS, yOfRate: y } = plot;
  const lines = niceTicks(0, mostPerS, 3).filter((value) => value > 0 && y(value) > place.top - 4);
  for (const [index, value] of lines.entries()) {
    canvas.line(place.left, y(value), place.right, y(value), { stroke: palette.line, strokeWidth: 1.2 });
    canvas.text(place.left - 10, y(value) + 6, axisRate(value, index === lines.length - 1), { size: place.size, fill: palette.text3, anchor: 'end', room: place.left - 44 });
  }
  canvas.line(place.left, place.bottom, place.right, place.bottom, { stroke: palette.line2, strokeWidth: 1.5 });
  plot.areas.draw(canvas, tick, palette);
};

/** Round numbers without decimals; the unit stands on the uppermost. */
const axisRate = (value: number, uppermost: boolean): string => perSecond(value).replace('.0k', 'k').replace('/s', uppermost ? '/s' : '');

/** Thin where the objective was kept in that tick, solid where it was broken. */
const drawObjectiveRow = ({ canvas, place, tick, moment, x, plot }: Strip): void => {
  const { palette, scene, words } = moment;
  const followed = followedObjectives(scene).find(({ kind }) => kind === 'share');
  if (!followed || !plot.missed) return;
  const y = place.objective;
  canvas.text(place.left - 10, y + 12, words.metricRow(words.outcome.good, goalText(followed)), { size: place.size, fill: palette.text3, anchor: 'end', room: place.left - 44 });
  canvas.line(place.left, y + 6, x((tick + 1) * scene.tickMs), y + 6, { stroke: palette.goodArea, strokeWidth: 2.5 });
  canvas.path(plot.missed(tick), { fill: palette.failed });
};

const drawLatency = ({ canvas, place, tick, moment, x, plot }: Strip): void => {
  const { palette, scene, words } = moment;
  const drawn = latencyOf(scene);
  const followed = followedObjectives(scene).find(({ kind }) => kind === 'latency');
  const { yOfLatency: y } = plot;
  const labelY = followed ? Math.max(place.objective + 12 + place.size + 4, y(followed.goal) + 6) : place.latencyBottom;
  if (followed) canvas.line(place.left, y(followed.goal), place.right, y(followed.goal), { stroke: palette.text2, strokeWidth: 1.5 });
  canvas.text(place.left - 10, labelY, followed ? words.metricRow(followed.objective.metric, goalText(followed)) : nowText(scene, drawn, tick), { size: place.size, fill: palette.text3, anchor: 'end', room: place.left - 44 });
  canvas.path(plot.latency(tick), { stroke: palette.text, strokeWidth: 2, round: true });
  const ms = nowOf(scene, drawn, tick);
  if (ms !== null && ms > plot.mostMs) drawBeyond(canvas, place, x((tick + 1) * scene.tickMs), latency(ms), moment);
};

/** How high the line really is where it leaves its place, beside its end. */
const drawBeyond = (canvas: Canvas, place: StripPlace, playhead: number, text: string, { palette }: Moment): void => {
  const width = textWidth(text, place.size, 600) + 16;
  const left = playhead + 8 + width < place.right ? playhead + 8 : playhead - 8 - width;
  const base = place.latencyTop + place.size * 0.8;
  canvas.rect(left - 3, place.latencyTop - 3, width + 6, place.size + 5, { fill: palette.bg, radius: 3 });
  canvas.path(`M${left} ${base}h10l-5 -10Z`, { fill: palette.text });
  canvas.text(left + 15, base, text, { size: place.size, weight: 600 });
};

/** Null where hardly any request was good. */
const nowOf = (scene: Scene, drawn: ReturnType<typeof latencyOf>, tick: number): number | null => (isDrawnAt(scene, drawn.of, tick) ? trailingAt(scene, drawn, tick) : null);

/** Without a goal on the stage nothing else tells how high the line is. */
const nowText = (scene: Scene, drawn: ReturnType<typeof latencyOf>, tick: number): string => {
  const ms = nowOf(scene, drawn, tick);
  return ms === null ? drawn.metric : `${drawn.metric} ${latency(ms)}`;
};
