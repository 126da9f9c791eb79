import type { Canvas } from '../look/drawing.js';
import { print } from '../look/palette.js';
import { textWidth } from '../look/text-width.js';

/** What a part of the report holds: known inputs of which some were measured, or none; what the run counted; or guesses. */
export type BandKind = 'measured' | 'stated' | 'counted' | 'guessed';

const x = 28;
const width = 9;

/** The band on the outer margin: filled, open, a double rule, or hatched, with its name turned by 90°. Told apart without colour. */
export const drawBand = (canvas: Canvas, kind: BandKind, label: string, from: number, to: number): void => {
  const height = to - from;
  if (kind === 'measured') canvas.rect(x, from, width, height, { fill: print.text });
  if (kind === 'stated') canvas.rect(x + 0.4, from + 0.4, width - 0.8, height - 0.8, { stroke: print.text, strokeWidth: 0.8 });
  if (kind === 'counted') {
    canvas.rect(x + 0.6, from + 0.6, width - 1.2, height - 1.2, { stroke: print.text, strokeWidth: 1.2 });
    canvas.line(x + width / 2, from, x + width / 2, to, { stroke: print.text, strokeWidth: 1.6 });
  }
  if (kind === 'guessed') canvas.rect(x + 0.4, from + 0.4, width - 0.8, height - 0.8, { fill: { color: print.text, ground: print.bg, period: 3.4, stripe: 1.1 }, stroke: print.text, strokeWidth: 0.8 });
  if (label && textWidth(label, 7, 700) <= height) canvas.text(x - 5, from, label, { size: 7, weight: 700, anchor: 'end', rotate: -90 });
};
