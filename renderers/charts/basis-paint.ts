import type { Canvas, Hatch, Paint } from '../look/drawing.js';
import type { Mark } from '../look/figure.js';
import { print } from '../look/palette.js';

/** Stripes of guesses: those that somebody wrote, those that the tool filled in, those that a formula made. */
const assumedHatch: Hatch = { color: print.text2, ground: print.bg, period: 3.4, stripe: 1.1 };
const defaultHatch: Hatch = { color: print.text2, ground: print.bg, period: 5.6, stripe: 0.7 };
const estimatedBarHatch: Hatch = { color: print.text2, ground: print.bg, period: 2.6, stripe: 0.8 };

/** A bar of a basis. Solid is known, hatched a guess; inside of each the bases differ by outline and core, as their marks do, so that none needs its colour. */
export const basisBar = (canvas: Canvas, mark: Mark, x: number, y: number, width: number, height: number): void => {
  const outline = (paint: Paint): void => canvas.rect(x, y, width, height, paint);
  switch (mark) {
    case 'measured':
      return outline({ fill: print.text2 });
    case 'spec':
      outline({ fill: print.bg, stroke: print.text2, strokeWidth: 0.8 });
      return canvas.rect(x + 1.8, y + 1.8, width - 3.6, height - 3.6, { fill: print.text2 });
    case 'chosen':
      return outline({ fill: print.bg, stroke: print.text2, strokeWidth: 1.2 });
    case 'assumed':
      return outline({ fill: assumedHatch, stroke: print.text, strokeWidth: 0.8 });
    case 'default':
      return outline({ fill: defaultHatch, stroke: print.text2, strokeWidth: 0.6, dash: [1.8, 1.4] });
    case 'estimated':
      return outline({ fill: estimatedBarHatch, stroke: print.text, strokeWidth: 1.5 });
    case 'counted':
      outline({ fill: print.goodArea });
      return canvas.rect(x, y + height / 2 - 0.6, width, 1.2, { fill: print.bg });
  }
};
