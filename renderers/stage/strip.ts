import { ticks as niceTicks } from 'd3';
import type { LoggedEvent } from '../../src/study/types.js';
import { coordinate, type Canvas } from '../look/drawing.js';
import { drawGlyph } from '../look/glyphs.js';
import { clock, latency, perSecond } from '../look/numbers.js';
import type { Palette } from '../look/palette.js';
import { textWidth } from '../look/text-width.js';
import { signOf } from './caption-events.js';
import { healthColors } from './display-state.js';
import { fitted } from './fit.js';
import { flowOf, type Moment, type Scene } from './scene.js';
import { followedObjectives, goalText, isDrawnAt, trailingAt } from './objectives.js';

/** Places of a strip; the frame's and the verdict card's differ. */
export interface StripPlace {
  readonly left: number;
  readonly right: number;
  /** Rows of event signs: kills, faults and scaling above, what balancers and breakers do below. */
  readonly marks: number;
  readonly marksBelow: number;
  readonly top: number;
  readonly bottom: number;
  readonly objective: number;
  readonly latencyTop: number;
  readonly latencyBottom: number;
  readonly axis: number;
  readonly size: number;
}

/** The run's past up to `tick` (inclusive): outcomes stacked, the objective as a row, latency as a line, events, phases. Axes are those of the whole run. */
export const drawStrip = (canvas: Canvas, place: StripPlace, tick: number, moment: Moment, playhead: boolean): void => {
  const { scene } = moment;
  const x = (ms: number): number => place.left + ((place.right - place.left) * ms) / scene.run.durationMs;
  const strip: Strip = { canvas, place, tick, moment, x, scale: scaleOf(scene) };
  drawPhases(strip);
  drawAreas(strip);
  drawObjectiveRow(strip);
  drawLatency(strip);
  if (playhead) canvas.line(x((tick + 1) * scene.tickMs), place.marks - 12, x((tick + 1) * scene.tickMs), place.latencyBottom + 2, { stroke: moment.palette.text, strokeWidth: 3 });
  drawMarks(strip);
};

interface Strip {
  readonly canvas: Canvas;
  readonly place: StripPlace;
  readonly tick: number;
  readonly moment: Moment;
  readonly x: (ms: number) => number;
  readonly scale: Scale;
}

/** Domains of the whole run: requests per second and latency. */
interface Scale {
  readonly mostPerS: number;
  readonly mostMs: number;
}

const scaleOf = (scene: Scene): Scale => {
  let scale = scales.get(scene);
  if (!scale) {
    const { run, tickMs } = scene;
    let mostPerS = 1;
    let mostMs = 1;
    const latency = followedObjectives(scene).find(({ kind }) => kind === 'latency');
    for (let tick = 0; tick < run.ticks.count; tick++) {
      const flow = flowOf(run, tick, tick);
      mostPerS = Math.max(mostPerS, (Math.max(flow.offered, flow.good + flow.declined + flow.refused + flow.failed) * 1000) / tickMs);
      mostMs = Math.max(mostMs, trailingAt(scene, latencyOf(scene), tick) ?? 0);
    }
    scale = { mostPerS: mostPerS * 1.1, mostMs: latency ? Math.min(Math.max(mostMs * 1.05, latency.goal * 1.25), latency.goal * 4) : mostMs * 1.05 };
    scales.set(scene, scale);
  }
  return scale;
};
const scales = new WeakMap<Scene, Scale>();

/** The latency that is drawn: the objective's, else the p95 of the first traffic. */
const latencyOf = (scene: Scene) => followedObjectives(scene).find(({ kind }) => kind === 'latency')?.objective ?? { of: Object.keys(scene.run.ticks.traffic)[0] ?? '', metric: 'p95' as const };

const drawPhases = ({ canvas, place, moment, x }: Strip): void => {
  const { palette, scene } = moment;
  let free = place.left;
  const end = clock(scene.run.durationMs);
  const last = place.right - textWidth(end, place.size) - 12;
  for (const { name, fromMs, toMs } of scene.phases) {
    const left = x(fromMs);
    // Two phases without time between them are still two.
    const gap = scene.phases.some((other) => other.fromMs === toMs) ? 3 : 0;
    canvas.rect(left, place.marks - 12, x(toMs) - left - gap, place.latencyBottom - place.marks + 12, { fill: palette.s1 });
    const at = clock(fromMs);
    // The name may stand beyond a short phase, up to the next one.
    const next = scene.phases.find((other) => other.fromMs >= toMs);
    const room = Math.min(last, next ? x(next.fromMs) - 12 : Infinity, Math.max(x(toMs) + 60, left + 220)) - left - textWidth(`${at} `, place.size) - 8;
    if (left < free || room < 30) continue;
    const label = fitted(name, place.size, 600, room);
    free = canvas.runs(left, place.axis, [{ text: `${at} `, fill: palette.text3 }, { text: label, fill: palette.text2, weight: 600 }], { size: place.size }) + 12;
  }
  canvas.text(place.right, place.axis, end, { size: place.size, fill: palette.text3, anchor: 'end' });
};

const drawAreas = ({ canvas, place, tick, moment, x, scale }: Strip): void => {
  const { palette, scene } = moment;
  const y = (perS: number): number => place.bottom - ((place.bottom - place.top) * Math.min(perS, scale.mostPerS)) / scale.mostPerS;
  const lines = niceTicks(0, scale.mostPerS, 3).filter((value) => value > 0 && y(value) > place.top - 4);
  for (const [index, value] of lines.entries()) {
    canvas.line(place.left, y(value), place.right, y(value), { stroke: palette.line, strokeWidth: 1.2 });
    canvas.text(place.left - 10, y(value) + 6, axisRate(value, index === lines.length - 1), { size: place.size, fill: palette.text3, anchor: 'end', room: place.left - 44 });
  }
  canvas.line(place.left, place.bottom, place.right, place.bottom, { stroke: palette.line2, strokeWidth: 1.5 });
  for (const { path, paint } of areaPaths(scene, tick, x, y, palette)) canvas.path(path, paint);
};

/** Round numbers without decimals; the unit stands on the uppermost. */
const axisRate = (value: number, uppermost: boolean): string => perSecond(value).replace('.0k', 'k').replace('/s', uppermost ? '/s' : '');

/** Steps, not smoothed: what is drawn is what was counted. */
const areaPaths = (scene: Scene, tick: number, x: (ms: number) => number, y: (perS: number) => number, palette: Palette) => {
  const { run, tickMs } = scene;
  const perS = 1000 / tickMs;
  const rows = Array.from({ length: tick + 1 }, (_, t) => flowOf(run, t, t));
  const steps = (level: (flow: (typeof rows)[number]) => number): string[] => {
    const points: string[] = [];
    let last = NaN;
    rows.forEach((flow, t) => {
      const height = y(level(flow) * perS);
      if (height === last) return;
      points.push(`${coordinate(x(t * tickMs))} ${coordinate(Number.isNaN(last) ? height : last)}`, `${coordinate(x(t * tickMs))} ${coordinate(height)}`);
      last = height;
    });
    points.push(`${coordinate(x((tick + 1) * tickMs))} ${coordinate(last)}`);
    return points;
  };
  const good = steps((flow) => flow.good);
  const valid = steps((flow) => flow.good + flow.declined);
  const refused = steps((flow) => flow.good + flow.declined + flow.refused);
  const failed = steps((flow) => flow.good + flow.declined + flow.refused + flow.failed);
  const offered = steps((flow) => flow.offered);
  const floor = [`${coordinate(x(0))} ${coordinate(y(0))}`, `${coordinate(x((tick + 1) * tickMs))} ${coordinate(y(0))}`];
  const area = (upper: readonly string[], lower: readonly string[]): string => `M${upper.join('L')}L${lower.toReversed().join('L')}Z`;
  type Level = (flow: (typeof rows)[number]) => number;
  const outline = (from: number, to: number, top: Level, bottom: Level): string => {
    const level = (t: number, pick: Level): string[] => [t, t + 1].map((edge) => `${coordinate(x(edge * tickMs))} ${coordinate(y(pick(rows[t]) * perS))}`);
    const ticks = Array.from({ length: to - from }, (_, k) => from + k);
    return area(ticks.flatMap((t) => level(t, top)), ticks.flatMap((t) => level(t, bottom)));
  };
  const validOf: Level = (flow) => flow.good + flow.declined;
  const failures = wideRuns(rows, ({ failed }) => failed > 0, x(tickMs) - x(0), outlinedFrom);
  return [
    { path: area(good, floor), paint: { fill: palette.goodArea } },
    // A valid no is neither good nor bad: an empty frame, as in the legend.
    ...wideRuns(rows, ({ declined }) => declined > 0, 1, 0).map(([from, to]) => ({ path: outline(from, to, validOf, (flow) => flow.good), paint: { fill: palette.s2, stroke: palette.good, strokeWidth: 1.2 } })),
    { path: area(refused, valid), paint: { fill: palette.refusedArea } },
    { path: area(failed, refused), paint: { fill: palette.failed } },
    ...failures.map(([from, to]) => ({ path: outline(from, to, (flow) => validOf(flow) + flow.refused + flow.failed, (flow) => validOf(flow) + flow.refused), paint: { stroke: palette.bg, strokeWidth: 1 } })),
    { path: `M${offered.join('L')}`, paint: { stroke: palette.offered, strokeWidth: 1.8 } },
  ];
};

/** Narrowest run of failures that keeps its colour beside an outline, px. */
const outlinedFrom = 4;

/** Stretches of ticks that have something and are wide enough, px: [from, to). */
const wideRuns = <Row>(rows: readonly Row[], has: (row: Row) => boolean, pxPerTick: number, least: number): readonly (readonly [number, number])[] => {
  const runs: (readonly [number, number])[] = [];
  for (let from = 0, to = 0; from < rows.length; from = to + 1) {
    for (to = from; to < rows.length && has(rows[to]); ) to++;
    if (to > from && (to - from) * pxPerTick >= least) runs.push([from, to]);
  }
  return runs;
};

/** Thin where the objective was kept in that tick, solid where it was broken. */
const drawObjectiveRow = ({ canvas, place, tick, moment, x }: Strip): void => {
  const { palette, scene, words } = moment;
  const followed = followedObjectives(scene).find(({ kind }) => kind === 'share');
  if (!followed) return;
  const y = place.objective;
  canvas.text(place.left - 10, y + 12, words.metricRow(words.outcome.good, goalText(followed)), { size: place.size, fill: palette.text3, anchor: 'end', room: place.left - 44 });
  canvas.line(place.left, y + 6, x((tick + 1) * scene.tickMs), y + 6, { stroke: palette.goodArea, strokeWidth: 2.5 });
  let from: number | null = null;
  for (let t = 0; t <= tick + 1; t++) {
    const flow = t <= tick ? flowOf(scene.run, t, t, followed.objective.of) : null;
    const broken = flow !== null && flow.good + flow.refused + flow.failed > 0 && flow.good / (flow.good + flow.refused + flow.failed) < followed.goal;
    if (broken && from === null) from = t;
    if (!broken && from !== null) {
      canvas.rect(x(from * scene.tickMs), y, Math.max(2, x(t * scene.tickMs) - x(from * scene.tickMs)), 12, { fill: palette.failed });
      from = null;
    }
  }
};

const drawLatency = ({ canvas, place, tick, moment, x, scale }: Strip): void => {
  const { palette, scene, words } = moment;
  const drawn = latencyOf(scene);
  const followed = followedObjectives(scene).find(({ kind }) => kind === 'latency');
  const y = (ms: number): number => place.latencyBottom - ((place.latencyBottom - place.latencyTop) * Math.min(ms, scale.mostMs)) / scale.mostMs;
  const labelY = followed ? Math.max(place.objective + 12 + place.size + 4, y(followed.goal) + 6) : place.latencyBottom;
  if (followed) canvas.line(place.left, y(followed.goal), place.right, y(followed.goal), { stroke: palette.text2, strokeWidth: 1.5 });
  canvas.text(place.left - 10, labelY, followed ? words.metricRow(followed.objective.metric, goalText(followed)) : nowText(scene, drawn, tick), { size: place.size, fill: palette.text3, anchor: 'end', room: place.left - 44 });
  let d = '';
  let pen = false;
  // Where hardly any request was good, a line would look as if all were fast.
  for (let t = 0; t <= tick; t++) {
    const ms = isDrawnAt(scene, drawn.of, t) ? trailingAt(scene, drawn, t) : null;
    if (ms !== null) d += `${pen ? 'L' : 'M'}${coordinate(x((t + 0.5) * scene.tickMs))} ${coordinate(y(ms))}`;
    pen = ms !== null;
  }
  if (d) canvas.path(d, { stroke: palette.text, strokeWidth: 2, round: true });
};

/** Without a goal on the stage nothing else tells how high the line is. */
const nowText = (scene: Scene, drawn: ReturnType<typeof latencyOf>, tick: number): string => {
  const ms = isDrawnAt(scene, drawn.of, tick) ? trailingAt(scene, drawn, tick) : null;
  return ms === null ? drawn.metric : `${drawn.metric} ${latency(ms)}`;
};

const upperMarks: readonly LoggedEvent['kind'][] = ['oom', 'crashed', 'fault', 'scale-out', 'scale-in', 'deployed', 'rolled-back'];
const lowerMarks: readonly LoggedEvent['kind'][] = ['ejected', 'breaker-open', 'lock-timeout'];
const markPitch = 21;

interface PlacedMark {
  readonly event: LoggedEvent;
  readonly x: number;
  count: number;
}

/** In the order in which things happen, so that a mark that was drawn stays: the same again beside it is counted, another one stands right of it. */
const drawMarks = (strip: Strip): void => {
  const { place, tick, moment, x } = strip;
  const { scene } = moment;
  for (const [kinds, y] of [[upperMarks, place.marks], [lowerMarks, place.marksBelow]] as const) {
    const placed: PlacedMark[] = [];
    for (const event of scene.run.eventLog) {
      if (!kinds.includes(event.kind) || Math.floor(event.tMs / scene.tickMs) > tick) continue;
      const last = placed.at(-1);
      const free = last ? last.x + markPitch + (last.count > 1 ? textWidth(`×${last.count}`, place.size, 600) + 2 : 0) : -Infinity;
      if (last && x(event.tMs) < free && signOf(event).glyph === signOf(last.event).glyph) last.count++;
      else placed.push({ event, x: Math.max(x(event.tMs), free), count: 1 });
    }
    for (const mark of placed) drawMark(strip, mark, y);
  }
};

const drawMark = ({ canvas, place, moment }: Strip, { event, x, count }: PlacedMark, y: number): void => {
  const { palette } = moment;
  const { glyph, tone } = signOf(event);
  const color = healthColors(palette, tone);
  canvas.circle(x, y, 10, { fill: palette.bg });
  drawGlyph(canvas, glyph, x, y, glyph === 'killed' ? 18 : 16, { color: color.fill, cut: palette.onFailed });
  if (count > 1) canvas.text(x + 11, y + place.size * 0.36, `×${count}`, { size: place.size, weight: 600, fill: color.text });
};
