import { drawBasis } from '../look/basis-marks.js';
import { Canvas, type Shape } from '../look/drawing.js';
import type { Mark } from '../look/figure.js';
import { print } from '../look/palette.js';

/** The mark of a figure as it stands in print, centred at (x, y). */
export const markShapes = (mark: Mark, x: number, y: number, size: number): readonly Shape[] => {
  const canvas = new Canvas(size, size, { fill: print.text, size });
  // A small ring needs a finer line than its share of the size, or it reads as a dot.
  if (mark === 'counted' && size < 5.5) canvas.circle(x, y, size / 2 - 0.4, { stroke: print.text, strokeWidth: 0.8 });
  else drawBasis(canvas, mark, x, y, size, print.text, 0.75);
  return canvas.drawing().shapes;
};
