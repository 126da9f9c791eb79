import { describe, expect, it } from 'vitest';
import { guessBar } from '../../renderers/charts/guess-bar.js';
import { drawBasis } from '../../renderers/look/basis-marks.js';
import { Canvas } from '../../renderers/look/drawing.js';
import { marks } from '../../renderers/look/figure.js';
import { print } from '../../renderers/look/palette.js';
import { oneInk } from '../support/shapes.js';

const drawn = (draw: (canvas: Canvas) => void): string => {
  const canvas = new Canvas(60, 20, { fill: print.text, size: 8 });
  draw(canvas);
  return oneInk(canvas.drawing().shapes);
};

describe('with one ink', () => {
  it('marks of all bases differ from each other', () => {
    expect(new Set(marks.map((mark) => drawn((canvas) => void drawBasis(canvas, mark, 10, 10, 7, print.text, 0.75)))).size).toBe(marks.length);
  });

  it('bars of both kinds of guesses are hatched and differ from each other', () => {
    const bars = (['assumed', 'default'] as const).map((basis) => drawn((canvas) => guessBar(canvas, basis, 5, 4, 50, 12)));
    expect(bars.every((bar) => bar.includes('stripe'))).toBe(true);
    expect(bars[0].replace(/"period".*?}/, '')).not.toBe(bars[1].replace(/"period".*?}/, ''));
    expect(bars[0]).not.toBe(bars[1]);
  });
});
