import type { Drawing, Shape } from '../../renderers/look/drawing.js';
import { flat } from './shapes.js';

/**
 * What is wrong between the texts of a drawing and its other shapes: a text over a ribbon, a bar, a line or a sign that does not carry it, and a text with something drawn over it.
 * A text may stand in a box (a card, a cell, a chip) as long as all of it does. `within`: only texts in this band, y in px of the drawing.
 */
export const lintShapes = ({ shapes }: Pick<Drawing, 'shapes'>, within: { readonly top: number; readonly bottom: number } = { top: -Infinity, bottom: Infinity }): readonly string[] => {
  const all = flat(shapes).map(inked);
  return all.flatMap((text, index) => {
    if (text.kind !== 'text' || text.layer > 0 || text.box.y < within.top || text.box.y > within.bottom) return [];
    const near = (other: Inked): boolean => other.kind !== 'text' && overlap(other.box, text.box);
    const found = new Set<string>();
    for (let i = 0; i < all.length; i++) {
      if (i === index || !near(all[i])) continue;
      const fault = i < index ? under(all[i], text) : over(all[i], text);
      if (fault === null) continue;
      if (i < index && all.some((cover, k) => k > i && k < index && cover.isSolid && holds(cover.box, text.box))) continue;
      found.add(`${fault} (${all[i].kind} ${all[i].box.width.toFixed(0)} × ${all[i].box.height.toFixed(0)} at ${all[i].box.x.toFixed(0)}, ${all[i].box.y.toFixed(0)}): "${text.text}"`);
    }
    return [...found];
  });
};

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

type Inked =
  | { readonly kind: 'text'; readonly text: string; readonly layer: number; readonly box: Box; readonly isSolid: false }
  | { readonly kind: 'rect' | 'circle'; readonly box: Box; readonly radius: number; readonly isSolid: boolean; readonly isFilled: boolean }
  | { readonly kind: 'path'; readonly box: Box; readonly lines: readonly (readonly Point[])[]; readonly isFilled: boolean; readonly halfStroke: number; readonly isSolid: false };
type Text = Extract<Inked, { kind: 'text' }>;
interface Point {
  readonly x: number;
  readonly y: number;
}

/** Corners up to which a filled rectangle is a bar, which carries no words. */
const barRadius = 3;

const under = (shape: Inked, { box }: Text): string | null => {
  if (shape.kind === 'text') return null;
  if (shape.kind === 'path') return touches(shape, box) ? (shape.isFilled && Math.max(shape.box.width, shape.box.height) > largestSign ? 'over a ribbon' : shape.isFilled ? 'over a sign' : 'over a line') : null;
  if (!shape.isFilled) return null;
  if (shape.kind === 'circle') return holds(shape.box, box) ? null : 'over a sign';
  // The ground of a picture, of a band of it, of a box.
  if (holds(shape.box, box)) return shape.radius <= barRadius && shape.radius > 0 && shape.box.height < 40 ? 'on a bar' : null;
  return 'over a bar or half in a box';
};

const over = (shape: Inked, { box }: Text): string | null => {
  if (shape.kind === 'text') return null;
  if (shape.kind === 'path') return touches(shape, box) ? 'drawn over' : null;
  return shape.isFilled ? 'drawn over' : null;
};

/** px up to which a filled path is a sign. */
const largestSign = 40;


const inked = (shape: Shape): Inked => {
  switch (shape.kind) {
    case 'text': {
      const size = Math.max(...shape.runs.map((run) => run.size));
      const x = shape.anchor === 'end' ? shape.x - shape.width : shape.anchor === 'middle' ? shape.x - shape.width / 2 : shape.x;
      // The ink of capitals and figures.
      const box = shape.rotate ? { x: shape.x, y: shape.y, width: 0, height: 0 } : { x, y: shape.y - size * 0.71, width: shape.width, height: size * 0.71 };
      return { kind: 'text', text: shape.runs.map((run) => run.text).join(''), layer: shape.layer, box, isSolid: false };
    }
    case 'rect':
      return { kind: 'rect', box: shape, radius: shape.radius ?? 0, isFilled: shape.fill !== undefined, isSolid: typeof shape.fill === 'string' && shape.opacity === undefined };
    case 'circle':
      return { kind: 'circle', box: { x: shape.x - shape.r, y: shape.y - shape.r, width: 2 * shape.r, height: 2 * shape.r }, radius: shape.r, isFilled: shape.fill !== undefined, isSolid: typeof shape.fill === 'string' && shape.opacity === undefined };
    case 'path': {
      const lines = pointsOf(shape.d);
      const half = (shape.strokeWidth ?? (shape.stroke === undefined ? 0 : 1)) / 2;
      const points = lines.flat();
      const [left, top] = [Math.min(...points.map(({ x }) => x)) - half, Math.min(...points.map(({ y }) => y)) - half];
      return { kind: 'path', lines, box: { x: left, y: top, width: Math.max(...points.map(({ x }) => x)) + half - left, height: Math.max(...points.map(({ y }) => y)) + half - top }, isFilled: shape.fill !== undefined, halfStroke: half, isSolid: false };
    }
    case 'group':
      throw new Error('a group was flattened before');
  }
};

/** Corners of absolute path commands; an arc is taken for its chord. */
const pointsOf = (d: string): readonly (readonly Point[])[] => {
  const lines: Point[][] = [];
  for (const [, command, args] of d.matchAll(/([MLHVAZ])([^MLHVAZ]*)/g)) {
    const numbers = args.trim() === '' ? [] : args.trim().split(/[\s,]+/).map(Number);
    const line = lines.at(-1);
    const last = line?.at(-1);
    if (command === 'M') lines.push([{ x: numbers[0], y: numbers[1] }]);
    else if (command === 'L') for (let i = 0; i + 1 < numbers.length; i += 2) line!.push({ x: numbers[i], y: numbers[i + 1] });
    else if (command === 'H') line!.push({ x: numbers[0], y: last!.y });
    else if (command === 'V') line!.push({ x: last!.x, y: numbers[0] });
    else if (command === 'A') line!.push({ x: numbers[5], y: numbers[6] });
    else if (line && line.length > 0) line.push(line[0]);
  }
  return lines;
};

const least = 1;
const overlap = (a: Box, b: Box): boolean => Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x) > least && Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y) > least;
const holds = (box: Box, { x, y, width, height }: Box): boolean => x >= box.x - 0.5 && y >= box.y - 0.5 && x + width <= box.x + box.width + 0.5 && y + height <= box.y + box.height + 0.5;

/** Some edge of the path runs through the box, or the path is filled and the box lies in it. */
const touches = ({ lines, isFilled, halfStroke }: Extract<Inked, { kind: 'path' }>, box: Box): boolean => {
  const area = { x: box.x + least - halfStroke, y: box.y + least - halfStroke, width: box.width - 2 * least + 2 * halfStroke, height: box.height - 2 * least + 2 * halfStroke };
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  return lines.some((line) => line.some((point, i) => i > 0 && crosses(line[i - 1], point, area)) || (isFilled && inside(middle, line)));
};

/** Liang and Barsky: a part of the segment lies in the box. */
const crosses = (a: Point, b: Point, { x, y, width, height }: Box): boolean => {
  let [from, to] = [0, 1];
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  for (const [p, q] of [[-dx, a.x - x], [dx, x + width - a.x], [-dy, a.y - y], [dy, y + height - a.y]] as const) {
    if (p === 0) {
      if (q < 0) return false;
      continue;
    }
    const t = q / p;
    if (p < 0) from = Math.max(from, t);
    else to = Math.min(to, t);
    if (from > to) return false;
  }
  return true;
};

const inside = ({ x, y }: Point, polygon: readonly Point[]): boolean => polygon.reduce((odd, b, i) => {
  const a = polygon.at(i - 1)!;
  return a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x ? !odd : odd;
}, false);
