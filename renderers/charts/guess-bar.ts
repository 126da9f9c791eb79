import type { Canvas, Paint } from '../look/drawing.js';
import { print } from '../look/palette.js';

/** Of what somebody wrote, and of what the tool filled in. */
const paints: Readonly<Record<'assumed' | 'default', Paint>> = {
  assumed: { fill: { color: print.text2, ground: print.bg, period: 3.4, stripe: 1.1 }, stroke: print.text, strokeWidth: 0.8 },
  default: { fill: { color: print.text2, ground: print.bg, period: 5.6, stripe: 0.7 }, stroke: print.text2, strokeWidth: 0.6, dash: [1.8, 1.4] },
};

/** A bar of a guess, hatched; a default differs by its stripes and its outline, as its mark does, so that neither needs its colour. */
export const guessBar = (canvas: Canvas, basis: keyof typeof paints, x: number, y: number, width: number, height: number): void => canvas.rect(x, y, width, height, paints[basis]);
