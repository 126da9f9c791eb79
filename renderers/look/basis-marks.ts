import type { Canvas, Hatch } from './drawing.js';
import type { Mark } from './figure.js';

/**
 * Draws the mark of a basis, `size` high, centred on (x, y); no line thinner than `finest` (1.2 px survive video; print can have less).
 * Squares are inputs, circles outputs; filled is known, hatched or dashed a guess; a counted figure is a ring, so that it never looks like a measured one; a setting is a key.
 */
export const drawBasis = (canvas: Canvas, basis: Mark, x: number, y: number, size: number, color: string, finest = 1.2): void => {
  const r = size / 2;
  const strokeWidth = Math.max(finest, size / 10);
  const inner = { x: x - r + strokeWidth / 2, y: y - r + strokeWidth / 2, side: size - strokeWidth };
  const square = (paint: { fill?: string | Hatch; dash?: readonly number[] }): void => canvas.rect(inner.x, inner.y, inner.side, inner.side, { stroke: color, strokeWidth, ...paint });
  switch (basis) {
    case 'measured':
      return canvas.rect(x - r, y - r, size, size, { fill: color });
    case 'spec':
      square({});
      return canvas.rect(x - r * 0.45, y - r * 0.45, size * 0.45, size * 0.45, { fill: color });
    case 'chosen':
      return key(canvas, x, y, size, color);
    case 'assumed':
      return square({ fill: stripes(color, size, finest) });
    case 'default':
      return square({ dash: [size / 5, size / 7] });
    case 'counted':
      return canvas.circle(x, y, r - size / 9, { stroke: color, strokeWidth: size / 4.5 });
    case 'estimated':
      return canvas.circle(x, y, r - strokeWidth / 2, { fill: stripes(color, size, finest), stroke: color, strokeWidth });
  }
};

const stripes = (color: string, size: number, finest: number): Hatch => ({ color, ground: null, period: Math.max(finest * 3.3, size / 3.2), stripe: Math.max(finest * 1.25, size / 8.5) });

/** A key: bow, shaft and two teeth. */
const key = (canvas: Canvas, x: number, y: number, size: number, color: string): void => {
  const u = size / 16;
  canvas.circle(x - 4.2 * u, y, 3.2 * u, { stroke: color, strokeWidth: 2 * u });
  canvas.line(x - u, y, x + 8 * u, y, { stroke: color, strokeWidth: 2 * u });
  canvas.line(x + 4 * u, y, x + 4 * u, y + 3.6 * u, { stroke: color, strokeWidth: 2 * u });
  canvas.line(x + 7 * u, y, x + 7 * u, y + 4.6 * u, { stroke: color, strokeWidth: 2 * u });
};
