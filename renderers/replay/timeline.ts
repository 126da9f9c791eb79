import { numberAt } from '../../src/study/columns.js';
import { splitSubject } from '../../src/study/events.js';
import type { Column, Lang } from '../../src/study/types.js';
import { replayWords } from '../../src/text/replay.js';
import { stageWords, type DisplayState } from '../../src/text/stage.js';
import { highest, keptTicks } from '../charts/sampling.js';
import { stepArea, stepLine, xOf, yScale, type TimeAxis } from '../charts/time-plot.js';
import { Canvas, type Drawing } from '../look/drawing.js';
import { drawGlyph } from '../look/glyphs.js';
import { bytes, cores, count } from '../look/numbers.js';
import { themes, type Palette, type Theme } from '../look/palette.js';
import { displayState, healthColors, healthGlyph } from '../stage/display-state.js';
import type { Scene } from '../stage/scene.js';

/** Width of the drawing, px, and where the time axis lies in it. */
export const timelineWidth = 320;
export const timelineAxis = { left: 1, width: timelineWidth - 2 } as const;

interface Row {
  readonly label: string;
  readonly most: number;
  readonly mostText: string;
  readonly mean: Column;
  readonly high: Column;
  readonly isEstimated: boolean;
}

const label = 18;
const plot = 27;
const gap = 7;
const band = 18;

/** One instance over the whole run: its state as a band, then its levels; counted ones solid, estimated ones hatched under a dashed line. */
export const timelineOf = (scene: Scene, name: string, lang: Lang, theme: Theme): Drawing => {
  const palette = themes[theme];
  const rows = rowsOf(scene, name, lang);
  const canvas = new Canvas(timelineWidth, label + band + gap + rows.length * (label + plot + gap), { fill: palette.text2, size: 13 });
  const { run, tickMs } = scene;
  const axis: TimeAxis = { ...timelineAxis, durationMs: run.durationMs, tickMs, count: run.ticks.count };
  for (const phase of scene.phases) canvas.rect(xOf(axis, phase.fromMs), 0, xOf(axis, phase.toMs) - xOf(axis, phase.fromMs), canvas.height, { fill: palette.s2 });
  canvas.text(axis.left, 13, replayWords[lang].state, { weight: 600 });
  drawStates(canvas, axis, scene, name, label, palette);
  rows.forEach((row, index) => drawRow(canvas, axis, row, label + band + gap + index * (label + plot + gap), palette));
  return canvas.drawing();
};

const rowsOf = (scene: Scene, name: string, lang: Lang): readonly Row[] => {
  const { service, instance: number } = splitSubject(name);
  const { run } = scene;
  const instance = run.ticks.services[service].instances[number! - 1];
  const picture = run.system.services.find((one) => one.name === service)!;
  const words = replayWords[lang];
  const row = (key: 'slots' | 'queue' | 'cpu' | 'memory', levels: { readonly mean: Column; readonly max: Column }, limit: number | null, text: (value: number) => string): Row => {
    const peak = highest(levels.max, run.ticks.count);
    const isEstimated = key === 'cpu' || key === 'memory';
    return { label: words.figure[key], most: limit ?? peak, mostText: limit === null ? `${isEstimated ? '≈' : ''}${text(peak)}` : stageWords[lang].of(text(limit)), mean: levels.mean, high: levels.max, isEstimated };
  };
  const rows = [
    row('slots', instance.slots, picture.slots, count),
    row('queue', instance.queue, picture.queueLimit, count),
    // Of CPU the mean of a tick is told: for a moment every request has a whole core.
    row('cpu', { mean: instance.cpuCores.mean, max: instance.cpuCores.mean }, picture.cpus, cores),
    row('memory', instance.memoryBytes, picture.memoryLimitBytes, bytes),
  ];
  return rows.filter(({ high }) => highest(high, run.ticks.count) > 0);
};

const drawRow = (canvas: Canvas, axis: TimeAxis, row: Row, top: number, palette: Palette): void => {
  const bottom = top + label + plot;
  const y = yScale(top + label, bottom, row.most);
  const kept = keptTicks([row.mean, row.high], axis.count, Math.floor(axis.width));
  canvas.text(axis.left, top + 13, row.label, { weight: 600 });
  canvas.text(axis.left + axis.width, top + 13, row.mostText, { fill: palette.text3, anchor: 'end' });
  canvas.line(axis.left, top + label, axis.left + axis.width, top + label, { stroke: palette.line, strokeWidth: 1 });
  if (row.isEstimated) {
    canvas.path(stepArea(axis, kept, 0, row.mean, y), { fill: { color: palette.hatch, ground: palette.hatchBg, period: 6, stripe: 2 } });
    canvas.path(stepLine(axis, kept, whereAny(row.high, axis.count), y), { stroke: palette.text, strokeWidth: 1.2, dash: [5, 2.5] });
  } else {
    canvas.path(stepArea(axis, kept, 0, row.high, y), { fill: palette.s3 });
    canvas.path(stepArea(axis, kept, 0, row.mean, y), { fill: palette.goodArea });
  }
  canvas.line(axis.left, bottom, axis.left + axis.width, bottom, { stroke: palette.line2, strokeWidth: 1 });
};

/** Nothing where there is nothing: an instance that is not there has no level. */
const whereAny = (column: Column, count: number): Column => Array.from({ length: count }, (_, tick) => numberAt(column, tick) || null);

/** Each stretch of a state in its colour, with its sign where there is room; the sign of a kill comes first. */
const drawStates = (canvas: Canvas, axis: TimeAxis, scene: Scene, name: string, top: number, palette: Palette): void => {
  const stretches = stretchesOf(scene, name, axis);
  for (const { state, left, right } of stretches) {
    const { fill } = healthColors(palette, state);
    // One that is off is an outline, as on the stage.
    if (state === 'off') canvas.line(left, top + band - 0.5, right, top + band - 0.5, { stroke: palette.line2, strokeWidth: 1 });
    else canvas.rect(left, top + band - 5, Math.max(1, right - left), 5, { fill });
  }
  const taken: number[] = [];
  for (const { state, left, right } of [...stretches.filter(isKill), ...stretches.filter((one) => !isKill(one) && one.state !== 'off' && one.right - one.left >= sign)]) {
    const x = Math.min(timelineWidth - sign / 2, Math.max(sign / 2, isKill({ state }) ? (left + right) / 2 : left + sign / 2));
    if (taken.some((other) => Math.abs(other - x) < sign)) continue;
    taken.push(x);
    drawGlyph(canvas, healthGlyph(state), x, top + 6, 12, { color: healthColors(palette, state).fill, cut: palette.s1, progress: 0.5 });
  }
};
const sign = 14;
const isKill = ({ state }: { readonly state: DisplayState }): boolean => state === 'killed' || state === 'crashed';

const stretchesOf = (scene: Scene, name: string, axis: TimeAxis): readonly { readonly state: DisplayState; readonly left: number; readonly right: number }[] => {
  const { service, instance } = splitSubject(name);
  const states = Array.from({ length: axis.count }, (_, tick) => displayState(scene, service, instance! - 1, tick));
  const stretches: { state: DisplayState; left: number; right: number }[] = [];
  for (let from = 0, to = 0; from < states.length; from = to) {
    for (to = from; to < states.length && states[to] === states[from]; ) to++;
    stretches.push({ state: states[from], left: xOf(axis, from * axis.tickMs), right: xOf(axis, Math.min(axis.durationMs, to * axis.tickMs)) });
  }
  return stretches;
};
