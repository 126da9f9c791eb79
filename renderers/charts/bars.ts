import { scaleLinear } from 'd3';
import { Canvas, coordinate, type Drawing } from '../look/drawing.js';
import { count } from '../look/numbers.js';
import { print } from '../look/palette.js';
import { shorten } from '../look/shorten.js';
import { textWidth } from '../look/text-width.js';
import type { Lang } from '../../src/study/types.js';
import { reportWords } from '../../src/text/report.js';
import { thinHatch } from './time-plot.js';

export interface OutcomeParts {
  readonly good: number;
  readonly declined: number;
  readonly refused: number;
  readonly failed: number;
}

const colors = { good: print.goodArea, declined: print.trunk, refused: print.refusedArea, failed: print.failed } as const;

/** One bar of everything that was asked, cut by how it ended. Names stand inside where they fit, else above. */
export const outcomeBar = (parts: OutcomeParts, width: number, lang: Lang): Drawing => {
  const canvas = new Canvas(width, 31, { fill: print.text, size: 8 });
  const total = parts.good + parts.declined + parts.refused + parts.failed;
  if (total === 0) return canvas.drawing();
  let x = 0;
  let above = width;
  const outside: { text: string; x: number }[] = [];
  for (const name of ['good', 'declined', 'refused', 'failed'] as const) {
    const length = (parts[name] / total) * width;
    if (parts[name] === 0) continue;
    const text = `${reportWords[lang].head[name]} ${count(parts[name])}`;
    canvas.rect(x, 12, Math.max(0.8, length - 0.7), 18, { fill: colors[name] });
    if (textWidth(text, 8, 700) + 8 <= length) canvas.text(x + 4, 23.8, text, { weight: 700, fill: name === 'failed' ? print.bg : print.text });
    else outside.push({ text, x: x + length });
    x += length;
  }
  for (const { text, x: end } of outside.reverse()) {
    const right = Math.min(above, Math.max(end, textWidth(text, 8, 700)));
    canvas.text(right, 8, text, { weight: 700, anchor: 'end' });
    above = right - textWidth(text, 8, 700) - 10;
  }
  return canvas.drawing();
};

export interface BarRow {
  readonly label: string;
  /** Null = no sample. */
  readonly value: number | null;
  readonly text: string;
}

export interface ValueAxis {
  /** End of the axis; null = where the largest value or the goal needs it. */
  readonly most: number | null;
  readonly tick: (value: number) => string;
  readonly goal: number | null;
  readonly goalText: string;
  readonly width: number;
}

/** One value of each variant as solid bars on one axis from 0, with the goal as a line. */
export const valueBars = (rows: readonly BarRow[], { most, tick, goal, goalText, width }: ValueAxis): Drawing => {
  const labels = Math.min(150, Math.max(60, ...rows.map(({ label }) => textWidth(label, 8, 600) + 10)));
  const plot = width - labels - Math.max(44, ...rows.map(({ text }) => textWidth(text, 7.5, 600) + 8));
  const rowHeight = 16;
  const goalHeight = goal === null ? 0 : 10;
  const canvas = new Canvas(width, goalHeight + rows.length * rowHeight + 14, { fill: print.text, size: 8 });
  const bottom = goalHeight + rows.length * rowHeight + 2;
  const scale = scaleLinear([0, most ?? Math.max(goal ?? 0, ...rows.map(({ value }) => value ?? 0), 1e-9)], [labels, labels + plot]);
  const x = (value: number): number => scale(value);
  for (const value of scale.ticks(4)) {
    canvas.line(x(value), goalHeight, x(value), bottom, { stroke: print.line, strokeWidth: 0.5 });
    canvas.text(x(value), bottom + 9, value === 0 ? '0' : tick(value), { size: 7, fill: print.text3, anchor: 'middle' });
  }
  rows.forEach((row, index) => {
    const top = goalHeight + index * rowHeight + 2;
    canvas.text(0, top + 8.8, shorten(row.label, labels - 8, 8, 600), { weight: 600 });
    canvas.rect(x(0), top, x(row.value ?? 0) - x(0), 11, { fill: print.goodArea });
  });
  if (goal !== null) {
    canvas.line(x(goal), goalHeight - 2, x(goal), bottom, { stroke: print.failed, strokeWidth: 1.4 });
    canvas.text(Math.min(width, x(goal) + textWidth(goalText, 7, 700) / 2), 6, goalText, { size: 7, weight: 700, fill: print.failedText, anchor: 'end' });
  }
  // Over the line of the goal, on paper of their own.
  rows.forEach(({ value, text }, index) => {
    const [left, top] = [x(value ?? 0) + 4, goalHeight + index * rowHeight + 2];
    if (goal !== null && x(goal) > left - 2 && x(goal) < left + textWidth(text, 7.5, 600) + 2) canvas.rect(left - 2, top, textWidth(text, 7.5, 600) + 4, 11, { fill: print.bg });
    canvas.text(left, top + 8.6, text, { size: 7.5, weight: 600 });
  });
  return canvas.drawing();
};

export interface RangeTexts {
  readonly low: string;
  readonly value: string;
  readonly high: string;
}

/** Where a guess turns a verdict, as a tick on its range; what lies beyond it is not hatched. */
export interface RangeFlip {
  readonly value: number;
  readonly end: 'low' | 'high';
  readonly text: string;
}

/** Height of a range bar: its texts take one line, or two where the value stands too near an end, and one more above where a verdict turns. */
export const rangeBarHeight = (width: number, value: number, range: readonly [number, number], texts: RangeTexts, flips: readonly RangeFlip[] = []): number =>
  (fits(placeRange(width, value, range, texts), texts) ? 21 : 30) + (flips.length > 0 ? flipHeight : 0);
const flipHeight = 9;

/** A guess on its range: hatched from end to end, the value as a diamond, and what all three are. */
export const rangeBar = (canvas: Canvas, left: number, above: number, width: number, value: number, range: readonly [number, number], texts: RangeTexts, flips: readonly RangeFlip[] = []): void => {
  const place = placeRange(width, value, range, texts);
  const top = above + (flips.length > 0 ? flipHeight : 0);
  const [x, y] = [left + place.x, top + 5];
  canvas.rect(left, y - 2.5, width, 5, { fill: thinHatch, stroke: print.text2, strokeWidth: 0.6 });
  for (const end of ['low', 'high'] as const) {
    const own = flips.filter((flip) => flip.end === end);
    if (own.length === 0) continue;
    const at = own.map((flip) => left + placeRange(width, flip.value, range, texts).x);
    const nearest = end === 'high' ? Math.min(...at) : Math.max(...at);
    const [from, to] = end === 'high' ? [nearest, left + width] : [left, nearest];
    canvas.rect(from, y - 2.5, to - from, 5, { fill: print.bg, stroke: print.text2, strokeWidth: 0.6 });
    for (const tick of at) canvas.line(tick, y - 5, tick, y + 4, { stroke: print.text, strokeWidth: 1.6 });
    const { text } = own[at.indexOf(nearest)];
    canvas.text(Math.min(left + width - textWidth(text, 6.5, 700) / 2, Math.max(left + textWidth(text, 6.5, 700) / 2, nearest)), top - 1.5, text, { size: 6.5, weight: 700, anchor: 'middle' });
  }
  canvas.path(`M${coordinate(x - 3.4)} ${coordinate(y)}L${coordinate(x)} ${coordinate(y - 4.4)}L${coordinate(x + 3.4)} ${coordinate(y)}L${coordinate(x)} ${coordinate(y + 4.4)}Z`, { fill: print.text, stroke: print.bg, strokeWidth: 0.8 });
  canvas.text(left + place.middle, top + 18, texts.value, { size: 7.5, weight: 700, anchor: 'middle' });
  const endsAt = fits(place, texts) ? top + 18 : top + 27;
  canvas.text(left, endsAt, texts.low, { size: 7, fill: print.text2 });
  canvas.text(left + width, endsAt, texts.high, { size: 7, fill: print.text2, anchor: 'end' });
};

interface RangePlace {
  readonly x: number;
  /** Of the value's text. */
  readonly middle: number;
  /** Room on both sides of it. */
  readonly before: number;
  readonly after: number;
}

const placeRange = (width: number, value: number, [low, high]: readonly [number, number], texts: RangeTexts): RangePlace => {
  const x = width * (high > low ? Math.min(1, Math.max(0, (value - low) / (high - low))) : 0.5);
  const half = textWidth(texts.value, 7.5, 700) / 2;
  const middle = Math.min(width - half, Math.max(half, x));
  return { x, middle, before: middle - half - 4, after: width - middle - half - 4 };
};

const fits = ({ before, after }: RangePlace, { low, high }: RangeTexts): boolean => textWidth(low, 7) <= before && textWidth(high, 7) <= after;
