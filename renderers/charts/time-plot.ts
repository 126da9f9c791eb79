import { scaleLinear } from 'd3';
import { coordinate, type Canvas } from '../look/drawing.js';
import { clock } from '../look/numbers.js';
import { print } from '../look/palette.js';
import { textWidth } from '../look/text-width.js';
import type { Column } from '../../src/study/types.js';
import { at } from '../../src/study/columns.js';

/** A window of the run with a name. */
export interface Span {
  readonly name: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** The time axis that all plots of a run share: the whole run, always. */
export interface TimeAxis {
  readonly left: number;
  readonly width: number;
  readonly durationMs: number;
  readonly tickMs: number;
  readonly count: number;
}

export const xOf = ({ left, width, durationMs }: TimeAxis, ms: number): number => left + (width * ms) / durationMs;

/** Height on a plot, cut at its top. */
export const yScale = (top: number, bottom: number, maximum: number): ((value: number) => number) => scaleLinear([0, maximum > 0 ? maximum : 1], [bottom, top]).clamp(true);

/** Stripes for estimated areas: of large plots, and of thin bars. */
export const estimatedHatch = { color: print.line2, ground: print.bg, period: 3.4, stripe: 0.9 } as const;
export const thinHatch = { color: print.text2, ground: print.bg, period: 2.6, stripe: 0.8 } as const;
export const estimatedDash = [3.6, 1.6] as const;

/** Steps: every kept tick holds its value until the next one; a tick without a sample leaves a gap. */
export const stepLine = (axis: TimeAxis, kept: readonly number[], column: Column, y: (value: number) => number): string => {
  const parts: string[] = [];
  let pen = false;
  let last: number | null = null;
  for (const [tick, from, to] of steps(axis, kept)) {
    const value = at(column, tick);
    if (value === null) {
      pen = false;
      continue;
    }
    const level = y(value);
    if (!pen) parts.push(`M${coordinate(from)} ${coordinate(level)}`);
    else if (level !== last) parts.push(`L${coordinate(from)} ${coordinate(level)}`);
    parts.push(`L${coordinate(to)} ${coordinate(level)}`);
    [pen, last] = [true, level];
  }
  return parts.join('');
};

/** The area between two columns, in steps. Stretches without area are left out. */
export const stepArea = (axis: TimeAxis, kept: readonly number[], low: Column, high: Column, y: (value: number) => number): string => {
  const parts: string[] = [];
  let upper: string[] = [];
  let lower: string[] = [];
  const close = (): void => {
    if (upper.length > 0) parts.push(`M${upper.join('L')}L${lower.reverse().join('L')}Z`);
    [upper, lower] = [[], []];
  };
  for (const [tick, from, to] of steps(axis, kept)) {
    const [bottom, top] = [at(low, tick), at(high, tick)];
    if (bottom === null || top === null || top <= bottom) {
      close();
      continue;
    }
    upper.push(point(from, y(top)), point(to, y(top)));
    lower.push(point(from, y(bottom)), point(to, y(bottom)));
  }
  close();
  return parts.join('');
};

/** Bands of the main phases, behind everything; of phases that overlap, the longer one. */
export const drawPhases = (canvas: Canvas, axis: TimeAxis, phases: readonly Span[], top: number, bottom: number): void => {
  for (const phase of phases) canvas.rect(xOf(axis, phase.fromMs), top, xOf(axis, phase.toMs) - xOf(axis, phase.fromMs), bottom - top, { fill: print.s1 });
};

/** Phases that do not overlap, longest first, in order of time. */
export const mainPhases = (phases: readonly Span[]): Span[] => {
  const chosen: Span[] = [];
  for (const phase of [...phases].sort((a, b) => b.toMs - b.fromMs - (a.toMs - a.fromMs))) {
    if (chosen.every((other) => phase.toMs <= other.fromMs || phase.fromMs >= other.toMs)) chosen.push(phase);
  }
  return chosen.sort((a, b) => a.fromMs - b.fromMs);
};

/** Names of the phases under a plot with the time when each begins, and the end of the run. What would touch its neighbour moves along its band, and is left out where that ends. */
export const drawPhaseLabels = (canvas: Canvas, axis: TimeAxis, phases: readonly Span[], baseline: number): void => {
  const end = clock(axis.durationMs);
  let free = axis.left;
  const limit = axis.left + axis.width - textWidth(end, 7) - 8;
  for (const { name, fromMs, toMs } of phases) {
    const x = Math.max(free, xOf(axis, fromMs) + 3);
    const width = textWidth(`${clock(fromMs)}  ${name}`, 7, 700);
    if (x + width > Math.min(limit, Math.max(xOf(axis, toMs), xOf(axis, fromMs) + 3 + width))) continue;
    free = canvas.runs(x, baseline, [{ text: clock(fromMs), fill: print.text3 }, { text: `  ${name}`, weight: 700 }], { size: 7 }) + 6;
  }
  canvas.text(axis.left + axis.width, baseline, end, { size: 7, fill: print.text3, anchor: 'end' });
};

/** Times under a small plot: 0, where the given moments are, and the end. */
export const drawTimes = (canvas: Canvas, axis: TimeAxis, moments: readonly number[], baseline: number): void => {
  const style = { size: 6.5, fill: print.text3 };
  const right = axis.left + axis.width;
  let free = canvas.text(axis.left, baseline, '0', style) + 4;
  const limit = right - textWidth(clock(axis.durationMs), 6.5) - 4;
  for (const ms of moments) {
    const [x, half] = [xOf(axis, ms), textWidth(clock(ms), 6.5) / 2];
    if (x - half < free || x + half > limit) continue;
    free = canvas.text(x, baseline, clock(ms), { ...style, anchor: 'middle' }) + half + 4;
  }
  canvas.text(right, baseline, clock(axis.durationMs), { ...style, anchor: 'end' });
};

const point = (x: number, y: number): string => `${coordinate(x)} ${coordinate(y)}`;

const steps = function* (axis: TimeAxis, kept: readonly number[]): Generator<readonly [number, number, number]> {
  for (let i = 0; i < kept.length; i++) {
    const tick = kept[i];
    const next = kept[i + 1] ?? axis.count;
    yield [tick, xOf(axis, tick * axis.tickMs), xOf(axis, Math.min(axis.durationMs, next * axis.tickMs))];
  }
};
