import { ticks as niceTicks } from 'd3';
import type { Canvas } from '../../look/drawing.js';
import { count, latency, perSecond } from '../../look/numbers.js';
import { fitted } from '../fit.js';
import { growingPath, levelPen, slabPen, tenths, type Axis, type GrowingPath } from '../growing-path.js';
import { goalText, isDrawnAt, trailingAt, type FollowedObjective } from '../objectives.js';
import { flowOf, goodShare, type Scene } from '../scene.js';
import { areasOf, type Areas } from '../strip-areas.js';
import { linePath } from '../strip-latency.js';
import { drawMarks } from '../strip-marks.js';
import { phaseLabels } from '../strip-phases.js';
import { latencyOf } from '../strip-plot.js';
import { followedBy, type CompareMoment, type CompareScene, type SideMoment } from './compare-scene.js';
import type { SidePlace } from './places.js';

type Place = SidePlace['strip'];

/** A side's past, on axes that are the same on all sides: outcomes, the objective as a row, latency, instances that serve. Nothing that is still to come is drawn. */
export const drawSideStrip = (canvas: Canvas, side: SideMoment, compare: CompareMoment): void => {
  const place = compare.scene.places.sides[side.index].strip;
  const { palette } = compare;
  const { moment } = side;
  const { scene, tick } = moment;
  const x = (ms: number): number => place.left + ((place.right - place.left) * ms) / compare.scene.axes.durationMs;
  const shared = followedBy(compare, 'share')[side.index];
  const slow = followedBy(compare, 'latency')[side.index];
  const plot = plotOf(compare.scene, side.index);
  drawPhases(canvas, place, scene, compare, x);
  drawRates(canvas, place, compare);
  plot.areas.draw(canvas, tick, palette);
  if (shared) {
    canvas.text(place.left - 10, place.objective + 12, fitted(moment.words.metricRow(moment.words.outcome.good, goalText(shared)), 16, 400, gutter(place, compare)), { size: 16, fill: palette.text3, anchor: 'end', room: gutter(place, compare) + 1 });
    canvas.line(place.left, place.objective + 6, x((tick + 1) * scene.tickMs), place.objective + 6, { stroke: palette.goodArea, strokeWidth: 2.5 });
    canvas.path(plot.missed(shared)(tick), { fill: palette.failed });
  }
  drawLatency(canvas, place, slow, side, compare);
  drawServing(canvas, place, side, compare);
  const now = x(Math.min(compare.scene.comparison.durationMs, (compare.tick + 1) * scene.tickMs));
  canvas.line(now, place.marks - 10, now, place.servingBottom + 2, { stroke: palette.text, strokeWidth: 3 });
  drawMarks(canvas, place, tick, moment, x);
};

/** Room for what stands left of a strip. */
const gutter = (place: Place, { scene: { places } }: CompareMoment): number => place.left - 10 - (places.sides.find(({ strip }) => strip === place)?.panel.x ?? places.margin) - 4;

interface Plot {
  readonly areas: Areas;
  readonly latency: GrowingPath;
  readonly serving: GrowingPath;
  readonly missed: (followed: FollowedObjective) => GrowingPath;
}

const plotOf = (compare: CompareScene, index: number): Plot => {
  let all = plots.get(compare);
  if (!all) plots.set(compare, (all = compare.scenes.map((scene, i) => makePlot(compare, scene, i))));
  return all[index];
};
const plots = new WeakMap<CompareScene, readonly Plot[]>();

const makePlot = ({ axes, places, serving }: CompareScene, scene: Scene, index: number): Plot => {
  const place = places.sides[index].strip;
  const { run, tickMs } = scene;
  const perMs = (place.right - place.left) / axes.durationMs;
  const axis = { left: place.left, right: place.left + run.durationMs * perMs, pxPerTick: tickMs * perMs, count: run.ticks.count };
  const drawn = latencyOf(scene);
  const missed = new Map<string, GrowingPath>();
  const highest = (from: number, to: number): readonly number[] => [Array.from({ length: to - from + 1 }, (_, i) => from + i).reduce((best, tick) => (serving[index][tick] < serving[index][best] ? tick : best), from)];
  return {
    areas: areasOf(scene, axis, { top: place.top, bottom: place.bottom, mostInTick: (axes.mostPerS * tickMs) / 1000 }),
    latency: linePath(axis, (tick) => {
      const ms = isDrawnAt(scene, drawn.of, tick) ? trailingAt(scene, drawn, tick) : null;
      return ms === null ? null : yOfLatency(place, ms, axes.mostMs);
    }),
    serving: growingPath({ ...axis, extremes: highest }, levelPen((tick) => tenths(yOfServing(place, serving[index][tick], axes.mostServing)))),
    missed: (followed) => {
      const key = followed.objective.name;
      let path = missed.get(key);
      if (!path) missed.set(key, (path = missedPath(scene, axis, followed, place.objective)));
      return path;
    },
  };
};

const yOfLatency = (place: Place, ms: number, most: number): number => place.latencyBottom - ((place.latencyBottom - place.latencyTop) * Math.min(ms, most)) / most;
const yOfServing = (place: Place, value: number, most: number): number => place.servingBottom - ((place.servingBottom - place.servingTop) * value) / most;

/** Ticks in which the objective was missed, as a row. */
const missedPath = (scene: Scene, axis: Omit<Axis, 'extremes'>, { objective, goal }: FollowedObjective, y: number): GrowingPath => {
  const isMissed = (tick: number): boolean => {
    const share = goodShare(flowOf(scene.run, tick, tick, objective.of));
    return share !== null && share < goal;
  };
  const extremes = (from: number, to: number): readonly number[] => {
    for (let tick = from; tick <= to; tick++) if (isMissed(tick)) return [tick];
    return [from];
  };
  return growingPath({ ...axis, extremes }, slabPen((tick) => (isMissed(tick) ? [tenths(y), tenths(y + 12)] : null), 2));
};

const drawPhases = (canvas: Canvas, place: Place, scene: Scene, { palette, scene: { axes, sides } }: CompareMoment, x: (ms: number) => number): void => {
  // Within a panel the ground of a phase is that of a lane.
  const ground = sides.length > 2 ? palette.s2 : palette.s1;
  for (const { fromMs, toMs } of scene.phases) {
    const gap = scene.phases.some((other) => other.fromMs === toMs) ? 3 : 0;
    canvas.rect(x(fromMs), place.marks - 10, x(toMs) - x(fromMs) - gap, place.servingBottom - place.marks + 10, { fill: ground });
  }
  const { labels, end } = phaseLabels({ ...scene, run: { ...scene.run, durationMs: axes.durationMs } }, place);
  // Of a name that is cut to a letter or two, the time alone says more.
  for (const { left, at, name } of labels) canvas.runs(left, place.axis, [{ text: `${at} `, fill: palette.text3 }, { text: name.endsWith('…') && name.length < shortestCut ? '' : name, fill: palette.text2, weight: 600 }], { size: place.size });
  if (end !== null) canvas.text(place.right, place.axis, end, { size: place.size, fill: palette.text3, anchor: 'end' });
};

const shortestCut = 7;

const drawRates = (canvas: Canvas, place: Place, compare: CompareMoment): void => {
  const { palette, scene: { axes } } = compare;
  const y = (perS: number): number => place.bottom - ((place.bottom - place.top) * perS) / axes.mostPerS;
  const isLow = place.bottom - place.top < 100;
  const lines = niceTicks(0, axes.mostPerS, isLow ? 2 : 3).filter((value) => value > 0 && y(value) > place.top - 4);
  lines.forEach((value, i) => {
    canvas.line(place.left, y(value), place.right, y(value), { stroke: palette.line, strokeWidth: 1.2 });
    if (i > 0 && y(lines[i - 1]) - y(value) < 18 && i < lines.length - 1) return;
    canvas.text(place.left - 10, y(value) + 6, perSecond(value).replace('.0k', 'k').replace('/s', i === lines.length - 1 ? '/s' : ''), { size: 16, fill: palette.text3, anchor: 'end', room: 84 });
  });
  canvas.line(place.left, place.bottom, place.right, place.bottom, { stroke: palette.line2, strokeWidth: 1.5 });
};

const drawLatency = (canvas: Canvas, place: Place, followed: FollowedObjective | null, side: SideMoment, compare: CompareMoment): void => {
  const { palette, scene: { axes } } = compare;
  const { scene, tick, words } = side.moment;
  const drawn = latencyOf(scene);
  const ms = isDrawnAt(scene, drawn.of, tick) ? trailingAt(scene, drawn, tick) : null;
  const text = followed ? words.metricRow(followed.objective.metric, goalText(followed)) : ms === null ? drawn.metric : `${drawn.metric} ${latency(ms)}`;
  if (followed) canvas.line(place.left, yOfLatency(place, followed.goal, axes.mostMs), place.right, yOfLatency(place, followed.goal, axes.mostMs), { stroke: palette.text2, strokeWidth: 1.5 });
  canvas.text(place.left - 10, place.latencyTop + (place.latencyBottom - place.latencyTop) / 2 + 6, fitted(text, 16, 400, gutter(place, compare)), { size: 16, fill: palette.text3, anchor: 'end', room: gutter(place, compare) + 1 });
  canvas.line(place.left, place.latencyBottom, place.right, place.latencyBottom, { stroke: palette.line, strokeWidth: 1.2 });
  const path = plotOf(compare.scene, side.index).latency(tick);
  if (path) canvas.path(path, { stroke: palette.text, strokeWidth: 2, round: true });
};

const drawServing = (canvas: Canvas, place: Place, side: SideMoment, compare: CompareMoment): void => {
  const { palette, words, scene } = compare;
  canvas.line(place.left, place.servingBottom, place.right, place.servingBottom, { stroke: palette.line, strokeWidth: 1.2 });
  canvas.text(place.left - 10, place.servingTop + (place.servingBottom - place.servingTop) / 2 + 6, words.serving(count(scene.serving[side.index][side.moment.tick])), { size: 16, fill: palette.text3, anchor: 'end', room: gutter(place, compare) });
  canvas.path(plotOf(scene, side.index).serving(side.moment.tick), { stroke: palette.text, strokeWidth: 2 });
};
