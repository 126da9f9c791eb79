import { describe, expect, it } from 'vitest';
import { basisBar } from '../../renderers/charts/basis-paint.js';
import { drawBasis } from '../../renderers/look/basis-marks.js';
import { Canvas, type Shape } from '../../renderers/look/drawing.js';
import { marks, type Mark } from '../../renderers/look/figure.js';
import { print } from '../../renderers/look/palette.js';

/** A drawing as a printer of one ink sees it: paper or ink, with stripes, dashes and outlines, and no colour. */
const inkOf = (color: string | undefined): string => (color === undefined ? 'none' : color === print.bg ? 'paper' : 'ink');
const oneInk = (shapes: readonly Shape[]): string =>
  JSON.stringify(shapes.map((shape) => {
    if (shape.kind === 'group') return oneInk(shape.shapes);
    if (shape.kind === 'text') return shape.runs.map(({ text }) => text);
    const { fill, stroke, ...geometry } = shape;
    return { ...geometry, fill: typeof fill === 'object' ? { period: fill.period, stripe: fill.stripe } : inkOf(fill), stroke: inkOf(stroke) };
  }));

const drawn = (draw: (canvas: Canvas, mark: Mark) => void): string[] =>
  marks.map((mark) => {
    const canvas = new Canvas(60, 20, { fill: print.text, size: 8 });
    draw(canvas, mark);
    return oneInk(canvas.drawing().shapes);
  });

describe('with one ink', () => {
  it.each([
    ['marks', (canvas: Canvas, mark: Mark): void => void drawBasis(canvas, mark, 10, 10, 7, print.text, 0.75)],
    ['bars', (canvas: Canvas, mark: Mark): void => void basisBar(canvas, mark, 5, 4, 50, 12)],
  ])('%s of all bases differ from each other', (_, draw) => {
    expect(new Set(drawn(draw)).size).toBe(marks.length);
  });

  it('only guesses are hatched or dashed', () => {
    const isPatterned = drawn((canvas, mark) => basisBar(canvas, mark, 5, 4, 50, 12)).map((text) => text.includes('period') || text.includes('dash'));
    expect(marks.filter((_, i) => isPatterned[i])).toEqual(['assumed', 'default', 'estimated']);
  });
});
