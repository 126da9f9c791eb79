import { coordinate, type Canvas } from '../look/drawing.js';
import { print } from '../look/palette.js';
import type { Lang, Run } from '../../src/study/types.js';
import { xOf, type TimeAxis } from './time-plot.js';

/** What a chart of a traffic over the whole run is made from. */
export interface TrafficChart {
  readonly run: Run;
  readonly traffic: string;
  readonly durationMs: number;
  readonly tickMs: number;
  readonly width: number;
  readonly lang: Lang;
  /** Moments with a letter, explained beside the chart. */
  readonly events: readonly EventMark[];
}

/** A moment with the letter that it has on the first page. */
export interface EventMark {
  readonly letter: string;
  readonly tMs: number;
}

/** A line where each event happened, a lettered disc above it; letters that would cover each other move apart, and a slanted line leads back. */
export const drawEventDiscs = (canvas: Canvas, axis: TimeAxis, events: readonly EventMark[], bottom: number): void => {
  const exact = events.map(({ tMs }) => xOf(axis, tMs));
  const places = placed(exact, exact.map(() => 12), 2, axis.left, axis.left + axis.width);
  events.forEach(({ letter }, index) => {
    const [x, place] = [exact[index], places[index]];
    canvas.path(`M${coordinate(place)} 13L${coordinate(x)} 24L${coordinate(x)} ${coordinate(bottom)}`, { stroke: print.text, strokeWidth: 0.5 });
    canvas.circle(place, 8, 5.5, { fill: print.text });
    canvas.text(place, 10.5, letter, { size: 7, weight: 700, fill: print.bg, anchor: 'middle' });
  });
};

/** In a small plot: a thin line where each event happened, as far as lines can be told apart. */
export const drawEventLines = (canvas: Canvas, axis: TimeAxis, events: readonly EventMark[], top: number, bottom: number): void => {
  let last = -Infinity;
  for (const { tMs } of events) {
    const x = xOf(axis, tMs);
    if (x - last < 1.5) continue;
    canvas.line(x, top, x, bottom, { stroke: print.line2, strokeWidth: 0.25 });
    last = x;
  }
};

/** Places for labels of these sizes around their wanted middles: in order, `gap` apart, inside of the range. */
export const placed = (wanted: readonly number[], sizes: readonly number[], gap: number, from: number, to: number): number[] => {
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a] - wanted[b] || a - b);
  const starts = order.map((i) => wanted[i] - sizes[i] / 2);
  for (let k = 0; k < order.length; k++) starts[k] = Math.max(starts[k], k === 0 ? from : starts[k - 1] + sizes[order[k - 1]] + gap);
  for (let k = order.length - 1; k >= 0; k--) starts[k] = Math.min(starts[k], (k === order.length - 1 ? to : starts[k + 1] - gap) - sizes[order[k]]);
  const middles: number[] = [];
  order.forEach((i, k) => (middles[i] = starts[k] + sizes[i] / 2));
  return middles;
};
