import { coordinate, type Canvas } from '../look/drawing.js';

export interface Band {
  readonly width: number;
  readonly fill: string;
}
export interface Point {
  readonly x: number;
  readonly y: number;
}

const bandLeast = 2.4;
const bandGap = 1.4;
const samples = 22;
/** The bend lies in so many px; the rest runs straight, so that labels sit on a horizontal. */
export const bendLength = 84;

/** Which way calls run: from left to right, or from top to bottom. */
export type Axis = 'across' | 'down';

/**
 * A ribbon of stacked bands through points, in the direction of its axis at each of them, of constant width across its own direction. The first band is the uppermost one where
 * calls run across, the leftmost where they run down. Between two points it bends within `bend` after the first.
 */
export const drawRibbon = (canvas: Canvas, points: readonly Point[], bands: readonly Band[], bend = bendLength, axis: Axis = 'across'): void =>
  drawBands(canvas, axis === 'across' ? centreLine(points, bend) : centreLine(points.map(turned), bend).map((sample) => ({ ...turned(sample), nx: sample.ny, ny: sample.nx })), bands);

/** A ribbon of stacked bands along a centre line, the first one where its normals point to. */
export const drawBands = (canvas: Canvas, middle: readonly Sample[], bands: readonly Band[]): void => {
  const seen = bands.filter((band) => band.width > 0);
  const wide = seen.length > 1 ? seen.map((band) => ({ ...band, width: Math.max(band.width, bandLeast) })) : seen;
  const total = wide.reduce((sum, band) => sum + band.width, 0);
  const gap = wide.length > 1 && total > 5 ? bandGap : 0;
  let offset = total / 2;
  for (const band of wide) {
    const side = (shift: number): string[] => middle.map(({ x, y, nx, ny }) => `${coordinate(x + nx * shift)} ${coordinate(y + ny * shift)}`);
    canvas.path(`M${side(offset).join('L')}L${side(offset - Math.max(1, band.width - gap)).reverse().join('L')}Z`, { fill: band.fill });
    offset -= band.width;
  }
};

/** The same point with the axes exchanged. */
export const turned = ({ x, y }: Point): Point => ({ x: y, y: x });

/** A point of a centre line and the direction across it, of length 1. */
export interface Sample extends Point {
  readonly nx: number;
  readonly ny: number;
}

const centreLine = (points: readonly Point[], bend: number): readonly Sample[] => {
  const line: Sample[] = [];
  for (let i = 0; i + 1 < points.length; i++) {
    const from = points[i];
    const to = points[i + 1];
    if (Math.abs(from.y - to.y) < 0.01) line.push(level(from), level(to));
    else {
      const end = Math.min(to.x, from.x + bend);
      line.push(...curve(from, { x: end, y: to.y }));
      if (end < to.x) line.push(level(to));
    }
  }
  return line;
};

export const level = (point: Point): Sample => ({ ...point, nx: 0, ny: -1 });

/** A cubic that leaves and arrives level. */
export const curve = (from: Point, to: Point): readonly Sample[] =>
  Array.from({ length: samples + 1 }, (_, k) => {
    const t = k / samples;
    const u = 1 - t;
    const half = (to.x - from.x) / 2;
    const rise = to.y - from.y;
    const x = from.x + 3 * u * u * t * half + 3 * u * t * t * half + t * t * t * (to.x - from.x);
    const y = from.y + rise * (3 * u * t * t + t * t * t);
    const dx = 3 * half * (u * u + t * t) ;
    const dy = 6 * u * t * rise;
    const length = Math.sqrt(dx * dx + dy * dy) || 1;
    return { x, y, nx: dy / length, ny: -dx / length };
  });
