import { drawBasis } from '../look/basis-marks.js';
import { Canvas, type Shape } from '../look/drawing.js';
import type { Mark } from '../look/figure.js';
import { print } from '../look/palette.js';

/** The mark of a figure as it stands in print, centred at (x, y). */
export const markShapes = (mark: Mark, x: number, y: number, size: number): readonly Shape[] => {
  const canvas = new Canvas(size, size, { fill: print.text, size });
  drawBasis(canvas, mark, x, y, size, print.text, 0.75);
  return canvas.drawing().shapes;
};
