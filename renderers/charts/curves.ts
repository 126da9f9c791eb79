import { scaleLinear } from 'd3';
import { Canvas, coordinate, type Drawing } from '../look/drawing.js';
import { drawGlyph } from '../look/glyphs.js';
import { print } from '../look/palette.js';
import { shorten } from '../look/shorten.js';
import { textWidth } from '../look/text-width.js';
import { placed } from './event-marks.js';
import { estimatedDash } from './time-plot.js';

export interface CurvePoint {
  readonly input: number;
  /** Null = no sample: a gap. */
  readonly value: number | null;
}
export interface ValueAxisText {
  readonly tick: (value: number) => string;
}
export interface FlipCurve {
  readonly width: number;
  readonly points: readonly CurvePoint[];
  readonly input: ValueAxisText & { readonly label: string };
  readonly figure: ValueAxisText & { readonly label: string };
  /** Which side of the bound keeps the objective. */
  readonly goal: { readonly value: number; readonly text: string; readonly keptBelow: boolean };
  readonly written: { readonly input: number; readonly value: number | null; readonly text: string };
  /** Where the verdict changes; null when it does not. */
  readonly flip: { readonly input: number; readonly text: string } | null;
  readonly words: { readonly kept: string; readonly broken: string };
}

const gutter = 62;
const plotHeight = 84;

/** A figure against one input: dashed, since the input is a guess, with every point that was run; the goal, where the verdict is kept and where broken, the value as written and the flip. */
export const flipCurve = ({ width, points, input, figure, goal, written, flip, words }: FlipCurve): Drawing => {
  const [left, right, top] = [gutter, width - 8, 22];
  const bottom = top + plotHeight;
  const canvas = new Canvas(width, bottom + 24, { fill: print.text, size: 7 });
  const inputs = [...points.map((point) => point.input), written.input];
  const values = [goal.value, ...(written.value === null ? [] : [written.value]), ...points.flatMap(({ value }) => (value === null ? [] : [value]))];
  const x = scaleLinear([Math.min(...inputs), Math.max(...inputs)], [left, right]);
  const y = heights(values, top, bottom);
  drawBands(canvas, { points, goal, flip, words, x, left, right, top, bottom });
  drawAxes(canvas, { x, y, left, right, bottom, input: input.tick, figure: figure.tick, taken: [y(goal.value)] });
  canvas.text(0, 8, figure.label, { size: 8, weight: 700 });
  canvas.text(right, bottom + 20, input.label, { size: 7, fill: print.text2, anchor: 'end' });
  canvas.line(left, y(goal.value), right, y(goal.value), { stroke: print.failed, strokeWidth: 1.4 });
  canvas.text(left - 4, y(goal.value) + 2.5, shorten(goal.text, gutter - 4, 7, 700), { weight: 700, fill: print.failedText, anchor: 'end' });
  canvas.path(polyline(points, x, y), { stroke: print.text, strokeWidth: 1.2, dash: estimatedDash });
  for (const point of points) if (point.value !== null) canvas.circle(x(point.input), y(point.value), 1.6, { fill: print.text });
  const labels: CurveLabel[] = [];
  if (written.value !== null) {
    diamond(canvas, x(written.input), y(written.value));
    labels.push({ text: written.text, x: x(written.input), y: y(written.value) });
  }
  if (flip) {
    canvas.circle(x(flip.input), y(goal.value), 3.4, { fill: print.bg, stroke: print.text, strokeWidth: 1.4 });
    labels.push({ text: flip.text, x: x(flip.input), y: y(goal.value) });
  }
  drawLabels(canvas, labels, { left, right, top, bottom, points, x, y, goal: y(goal.value) });
  return canvas.drawing();
};

export interface SweepPanel {
  readonly title: string;
  readonly tick: (value: number) => string;
  readonly points: readonly CurvePoint[];
  readonly goal: { readonly value: number; readonly text: string } | null;
  /** Where the figure begins to turn; null when it does not. */
  readonly knee: { readonly input: number; readonly text: string } | null;
  /** Estimated figures are dashed. */
  readonly isEstimated: boolean;
}
export interface SweepCurve {
  readonly width: number;
  readonly panels: readonly SweepPanel[];
  readonly input: ValueAxisText & { readonly label: string };
  /** The value in the file; left out where the sweep does not reach it. */
  readonly written: { readonly input: number; readonly text: string } | null;
}

/** Several figures against the swept value, one panel each over the same axis: points as they were run, joined by straight lines. */
export const sweepCurve = ({ width, panels, input, written }: SweepCurve): Drawing => {
  const perRow = Math.min(3, Math.max(1, panels.length));
  const gap = 12;
  const panelWidth = (width - (perRow - 1) * gap) / perRow;
  const panelHeight = 30 + 66 + 26;
  const canvas = new Canvas(width, Math.ceil(panels.length / perRow) * panelHeight, { fill: print.text, size: 7 });
  const inputs = panels.flatMap(({ points }) => points.map((point) => point.input));
  const domain = [Math.min(...inputs), Math.max(...inputs)] as const;
  panels.forEach((panel, index) => {
    const origin = { left: (index % perRow) * (panelWidth + gap), top: Math.floor(index / perRow) * panelHeight };
    drawSweep(canvas, panel, { ...origin, width: panelWidth, domain, input, written: written && written.input >= domain[0] && written.input <= domain[1] ? written : null });
  });
  return canvas.drawing();
};

interface SweepPlace {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly domain: readonly [number, number];
  readonly input: SweepCurve['input'];
  readonly written: SweepCurve['written'];
}

const drawSweep = (canvas: Canvas, { title, tick, points, goal, knee, isEstimated }: SweepPanel, { left: outer, top: above, width, domain, input, written }: SweepPlace): void => {
  const [left, right, top, bottom] = [outer + 40, outer + width - 6, above + 32, above + 32 + 62];
  const known = points.flatMap(({ value }) => (value === null ? [] : [value]));
  const x = scaleLinear([...domain], [left, right]);
  const y = heights([...known, ...(goal ? [goal.value] : [])], top, bottom);
  canvas.text(outer, above + 8, shorten(title, width, 8, 700), { size: 8, weight: 700 });
  drawAxes(canvas, { x, y, left, right, bottom, input: input.tick, figure: tick, taken: [] });
  canvas.text(right, bottom + 18, shorten(input.label, right - outer, 6.5), { size: 6.5, fill: print.text2, anchor: 'end' });
  if (goal) {
    canvas.line(left, y(goal.value), right, y(goal.value), { stroke: print.failed, strokeWidth: 1.2 });
    canvas.text(right, above + 18, goal.text, { size: 6.8, weight: 700, fill: print.failedText, anchor: 'end' });
  }
  const marks = [...(written ? [{ ...written, dashless: true }] : []), ...(knee ? [{ ...knee, dashless: false }] : [])];
  for (const mark of marks) canvas.line(x(mark.input), top, x(mark.input), bottom, { stroke: mark.dashless ? print.line2 : print.text, strokeWidth: mark.dashless ? 0.5 : 0.9 });
  canvas.path(polyline(points, x, y), { stroke: print.text, strokeWidth: 1.1, ...(isEstimated ? { dash: estimatedDash } : {}) });
  for (const point of points) if (point.value !== null) canvas.circle(x(point.input), y(point.value), 1.7, isEstimated ? { fill: print.bg, stroke: print.text, strokeWidth: 0.8 } : { fill: print.text });
  const writtenAt = written && points.find((point) => point.input === written.input)?.value;
  if (written && typeof writtenAt === 'number') diamond(canvas, x(written.input), y(writtenAt));
  const places = placed(marks.map((mark) => x(mark.input)), marks.map(({ text }) => textWidth(text, 6.8, 600)), 5, outer, outer + width);
  // Names of the vertical lines stand above the plot, in a row of their own.
  marks.forEach(({ text }, index) => canvas.text(places[index], above + 27, text, { size: 6.8, weight: 600, anchor: 'middle' }));
};

/** The scale of a figure: from 0, unless nothing is near it. */
const heights = (values: readonly number[], top: number, bottom: number): ReturnType<typeof scaleLinear<number, number>> => {
  const [low, high] = [Math.min(...values, Infinity), Math.max(...values, -Infinity)];
  if (!Number.isFinite(low)) return scaleLinear([0, 1], [bottom, top]);
  const from = low >= 0 && low <= high * 0.6 ? 0 : low - (high - low || Math.abs(high) || 1) * 0.15;
  return scaleLinear([from, high + (high - from || 1) * 0.08], [bottom, top]);
};

interface Axes {
  readonly x: ReturnType<typeof scaleLinear<number, number>>;
  readonly y: ReturnType<typeof scaleLinear<number, number>>;
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly input: (value: number) => string;
  readonly figure: (value: number) => string;
  readonly taken: readonly number[];
}

const drawAxes = (canvas: Canvas, { x, y, left, right, bottom, input, figure, taken }: Axes): void => {
  for (const value of y.ticks(4)) {
    canvas.line(left, y(value), right, y(value), { stroke: print.line, strokeWidth: 0.5 });
    if (taken.every((place) => Math.abs(place - y(value)) > 8)) canvas.text(left - 4, y(value) + 2.4, figure(value), { size: 6.5, fill: print.text3, anchor: 'end' });
  }
  canvas.line(left, bottom, right, bottom, { stroke: print.line2, strokeWidth: 0.6 });
  let free = -Infinity;
  for (const value of x.ticks(Math.max(2, Math.floor((right - left) / 45)))) {
    const [text, half] = [input(value), textWidth(input(value), 6.5) / 2];
    const at = Math.min(right + 6 - half, Math.max(left - 4 + half, x(value)));
    if (at - half < free) continue;
    canvas.text(at, bottom + 9, text, { size: 6.5, fill: print.text3, anchor: 'middle' });
    free = at + half + 5;
  }
};

/** Straight lines between neighbours; an unknown point leaves a gap. */
const polyline = (points: readonly CurvePoint[], x: (value: number) => number, y: (value: number) => number): string => {
  let pen = false;
  return [...points].sort((a, b) => a.input - b.input).map(({ input, value }) => {
    if (value === null) return ((pen = false), '');
    const command = pen ? 'L' : 'M';
    pen = true;
    return `${command}${coordinate(x(input))} ${coordinate(y(value))}`;
  }).join('');
};

interface Bands extends Pick<FlipCurve, 'points' | 'goal' | 'flip' | 'words'> {
  readonly x: (value: number) => number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The side of the flip on which the objective is kept has a ground; both sides are named above the plot, as far as they are wide enough. */
const drawBands = (canvas: Canvas, { points, goal, flip, words, x, left, right, top, bottom }: Bands): void => {
  const known = [...points].sort((a, b) => a.input - b.input).filter((point) => point.value !== null);
  const first = known[0]?.value ?? null;
  if (first === null) return;
  const keeps = (value: number): boolean => (goal.keptBelow ? value <= goal.value : value >= goal.value);
  const at = flip ? x(flip.input) : right;
  const sides = flip ? [{ from: left, to: at, kept: keeps(first) }, { from: at, to: right, kept: !keeps(first) }] : [{ from: left, to: right, kept: keeps(first) }];
  for (const { from, to, kept } of sides) {
    if (kept) canvas.rect(from, top, to - from, bottom - top, { fill: print.s3 });
    const word = kept ? words.kept : words.broken;
    const width = textWidth(word, 7.5, 700) + 11;
    if (to - from < width) continue;
    drawGlyph(canvas, kept ? 'kept' : 'broken', from + 5, top - 6, 6.5, { color: kept ? print.goodText : print.failedText, cut: print.bg });
    canvas.text(from + 10.5, top - 3.5, word, { size: 7.5, weight: 700, fill: kept ? print.goodText : print.failedText });
  }
};

const diamond = (canvas: Canvas, x: number, y: number): void =>
  canvas.path(`M${coordinate(x - 4)} ${coordinate(y)}L${coordinate(x)} ${coordinate(y - 5)}L${coordinate(x + 4)} ${coordinate(y)}L${coordinate(x)} ${coordinate(y + 5)}Z`, { fill: print.text, stroke: print.bg, strokeWidth: 0.9 });

interface CurveLabel {
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

/** Each label beside its mark, where it covers neither the curve nor the goal nor another label, as far as there is such a place. */
const drawLabels = (canvas: Canvas, labels: readonly CurveLabel[], plot: { left: number; right: number; top: number; bottom: number; points: readonly CurvePoint[]; x: (value: number) => number; y: (value: number) => number; goal: number }): void => {
  const curve = curveAt(plot.points, plot.x, plot.y);
  const taken: { from: number; to: number; top: number; bottom: number }[] = [{ from: plot.left, to: plot.right, top: plot.goal - 1, bottom: plot.goal + 1 }, ...labels.map(({ x, y }) => ({ from: x - 5, to: x + 5, top: y - 5.5, bottom: y + 5.5 }))];
  for (const { text, x, y } of labels) {
    const width = textWidth(text, 7.5, 700);
    const boxes = [14, -8, 22, -16, 30, -24].flatMap((down) => [7, -width - 7, -width / 2].map((along) => ({ from: x + along, to: x + along + width, top: y + down - 6.5, bottom: y + down + 2 })));
    const cost = (box: (typeof boxes)[number]): number => {
      const outside = box.from < plot.left || box.to > plot.right || box.top < plot.top || box.bottom > plot.bottom ? 100 : 0;
      const covers = taken.filter((other) => box.from < other.to && box.to > other.from && box.top < other.bottom && box.bottom > other.top).length * 40;
      return outside + covers + curve.filter((point) => point.x > box.from - 1 && point.x < box.to + 1 && point.y > box.top - 1 && point.y < box.bottom + 1).length;
    };
    const best = boxes.reduce((least, box) => (cost(box) < cost(least) ? box : least));
    canvas.text(best.from, best.bottom - 2, text, { size: 7.5, weight: 700 });
    taken.push(best);
  }
};

/** Places on a curve, close to each other. */
const curveAt = (points: readonly CurvePoint[], x: (value: number) => number, y: (value: number) => number): { x: number; y: number }[] => {
  const sorted = [...points].sort((a, b) => a.input - b.input);
  return sorted.slice(1).flatMap((to, i) => {
    const from = sorted[i];
    if (from.value === null || to.value === null) return [];
    const [a, b] = [{ x: x(from.input), y: y(from.value) }, { x: x(to.input), y: y(to.value) }];
    return Array.from({ length: 24 }, (_, k) => ({ x: a.x + ((b.x - a.x) * k) / 23, y: a.y + ((b.y - a.y) * k) / 23 }));
  });
};
