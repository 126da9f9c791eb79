import { scaleLinear } from 'd3';
import { Canvas, type Drawing } from '../look/drawing.js';
import type { Mark } from '../look/figure.js';
import { print } from '../look/palette.js';
import { shorten } from '../look/shorten.js';
import { textWidth } from '../look/text-width.js';
import { guessBar } from './guess-bar.js';

/** What the figure is at one end of an input's range. */
export interface TornadoEnd {
  /** Null = unknown: no sample, or a load that was not made. */
  readonly value: number | null;
  /** The figure and the input's value there: `≈45.6% at 0.7`; of an unknown end what is to be said of it. */
  readonly text: string;
}
export interface TornadoRow {
  readonly label: string;
  /** Of the input, which is a guess: nothing else has a range that is tried. */
  readonly mark: Mark;
  readonly low: TornadoEnd;
  readonly high: TornadoEnd;
}
export interface TornadoAxis {
  readonly width: number;
  /** The figure with every input as written. */
  readonly written: { readonly value: number; readonly text: string };
  readonly goal: { readonly value: number; readonly text: string } | null;
  /** A value of the figure with its unit. */
  readonly tick: (value: number) => string;
  /** Ends beyond which the figure cannot be, such as 0 and 1 for a share. */
  readonly bounds?: readonly [number, number];
}

const rowHeight = 20;
const barHeight = 12;
const size = 7.5;

/**
 * How far each input moves a figure over its range: one bar a row between what it is at both ends. A thin line leads to the figure as written where both
 * ends lie to one side of it. Labels stand outside of their bar, or where a line is in the way at the next place on their side that is free.
 */
export const tornado = (rows: readonly TornadoRow[], { width, written, goal, tick, bounds }: TornadoAxis): Drawing => {
  const labels = Math.min(150, Math.max(60, ...rows.map(({ label }) => textWidth(label, 8, 600) + 12)));
  const head = 22;
  const bottom = head + rows.length * rowHeight + 2;
  const canvas = new Canvas(width, bottom + 13, { fill: print.text, size });
  const values = [written.value, ...(goal ? [goal.value] : []), ...rows.flatMap(({ low, high }) => [low.value, high.value].filter((value) => value !== null))];
  const room = Math.max(0, ...rows.flatMap(({ low, high }) => [low, high]).map(({ text }) => textWidth(text, size))) + 8;
  const [left, right] = [labels, width - 10];
  const x = axisOf(values, bounds ?? [-Infinity, Infinity], [left, right], room);
  for (const value of x.ticks(5)) {
    canvas.line(x(value), head, x(value), bottom, { stroke: print.line, strokeWidth: 0.5 });
    canvas.text(within(x(value), textWidth(tick(value), 7), left, width), bottom + 9, tick(value), { size: 7, fill: print.text3, anchor: 'middle' });
  }
  rows.forEach((row, index) => drawRow(canvas, row, head + index * rowHeight, { x, labels, left, right, written: x(written.value), goal: goal ? x(goal.value) : null }));
  canvas.line(x(written.value), head - 3, x(written.value), bottom, { stroke: print.text, strokeWidth: 1.4 });
  if (goal) canvas.line(x(goal.value), head - 3, x(goal.value), bottom, { stroke: print.failed, strokeWidth: 1.8 });
  drawHeads(canvas, x(written.value), written.text, goal && { at: x(goal.value), text: goal.text }, left, width);
  return canvas.drawing();
};

/** The axis spans all values, with room for a label at both sides; where a bound is in that room, the axis ends there and the room is beside it. */
const axisOf = (values: readonly number[], [least, most]: readonly [number, number], [left, right]: readonly [number, number], room: number): ReturnType<typeof scaleLinear<number, number>> => {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const around = high > low ? 0 : (Math.abs(high) || 1) / 2;
  const inset = Math.min(room, (right - left) * 0.3);
  const x = scaleLinear([low - around, high + around], [left + inset, right - inset]);
  const ends = [Math.max(least, x.invert(left)), Math.min(most, x.invert(right))];
  return scaleLinear(ends, ends.map(x));
};

interface Place {
  readonly x: (value: number) => number;
  readonly labels: number;
  readonly left: number;
  readonly right: number;
  readonly written: number;
  readonly goal: number | null;
}

const drawRow = (canvas: Canvas, { label, mark, low, high }: TornadoRow, top: number, { x, labels, left, right, written, goal }: Place): void => {
  canvas.text(0, top + rowHeight / 2 + 2.8, shorten(label, labels - 10, 8, 600), { size: 8, weight: 600 });
  // The lower figure stands at the left, whichever end of the input it is of; an unknown end takes the side that is free.
  const [before, after] = [low, high].map(({ text, value }) => ({ text, at: value === null ? written : x(value) })).toSorted((a, b) => a.at - b.at);
  const [from, to] = [before.at, after.at];
  const barTop = top + (rowHeight - barHeight) / 2;
  const nearest = Math.min(to, Math.max(from, written));
  if (nearest !== written) canvas.line(written, top + rowHeight / 2, nearest, top + rowHeight / 2, { stroke: print.text3, strokeWidth: 0.6 });
  if (to - from > 0.5) guessBar(canvas, mark === 'default' ? 'default' : 'assumed', from, barTop, to - from, barHeight);
  else canvas.rect(from - 1.5, barTop, 3, barHeight, { fill: print.text2 });
  const baseline = top + rowHeight / 2 + 2.6;
  const taken: (readonly [number, number])[] = [[written - 3, written + 3], ...(goal === null ? [] : [[goal - 3, goal + 3] as const])];
  for (const [{ text, at: edge }, side] of [[before, -1], [after, 1]] as const) {
    const at = freePlace(edge, side, textWidth(text, size), taken, left, right);
    const near = side < 0 ? at + textWidth(text, size) : at;
    // A label that stands beyond a line still belongs to its bar.
    if ((near - edge) * side > 12) canvas.line(edge, top + rowHeight / 2, near, top + rowHeight / 2, { stroke: print.line2, strokeWidth: 0.5 });
    canvas.rect(at - 1.5, baseline - 6.6, textWidth(text, size) + 3, 9, { fill: print.bg });
    canvas.text(at, baseline, text, { size });
    taken.push([at - 3, at + textWidth(text, size) + 3]);
  }
};

/** Left end of a label: beside its edge; where something is in the way, the nearest place that is free, on its own side of the bar as far as there is one. */
const freePlace = (edge: number, side: 1 | -1, width: number, taken: readonly (readonly [number, number])[], left: number, right: number): number => {
  const wanted = side < 0 ? edge - width - 4 : edge + 4;
  const isFree = (at: number): boolean => at >= left && at + width <= right + 10 && taken.every(([from, to]) => at + width <= from || at >= to);
  const isOwnSide = (at: number): boolean => (side < 0 ? at + width <= edge - 2 : at >= edge + 2);
  const free = [wanted, ...taken.flatMap(([from, to]) => [from - width, to]), left, right - width].filter(isFree);
  const own = free.filter(isOwnSide);
  const nearest = (places: readonly number[]): number => places.reduce((best, at) => (Math.abs(at - wanted) < Math.abs(best - wanted) ? at : best));
  return free.length === 0 ? Math.max(left, Math.min(right - width, wanted)) : nearest(own.length > 0 ? own : free);
};

const within = (middle: number, width: number, from: number, to: number): number => Math.min(to - width / 2, Math.max(from + width / 2, middle));

/** What the two vertical lines are: on one line, or one above the other where they would touch. */
const drawHeads = (canvas: Canvas, written: number, writtenText: string, goal: { readonly at: number; readonly text: string } | null, left: number, width: number): void => {
  const own = textWidth(writtenText, 7.5, 700);
  const at = within(written, own, left, width);
  canvas.text(at, 16, writtenText, { size: 7.5, weight: 700, anchor: 'middle' });
  if (!goal) return;
  const other = textWidth(goal.text, 7.5, 700);
  const middle = within(goal.at, other, left, width);
  const touches = Math.abs(middle - at) < (own + other) / 2 + 5 || Math.abs(written - middle) < other / 2 + 2;
  canvas.text(middle, touches ? 7 : 16, goal.text, { size: 7.5, weight: 700, fill: print.failedText, anchor: 'middle' });
};
