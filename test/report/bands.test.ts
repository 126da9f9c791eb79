import { describe, expect, it } from 'vitest';
import { Canvas, type Shape } from '../../renderers/look/drawing.js';
import { print } from '../../renderers/look/palette.js';
import { drawBand, type BandKind } from '../../renderers/pdf/band.js';
import { markShapes } from '../../renderers/pdf/marks.js';
import { marks } from '../../renderers/look/figure.js';

/** A drawing with one ink: where it is, and whether it is filled, striped, dashed or outlined. */
const oneInk = (shapes: readonly Shape[]): string =>
  JSON.stringify(shapes.map((shape) => {
    if (shape.kind === 'text' || shape.kind === 'group') return shape.kind;
    const { fill, stroke, ...rest } = shape;
    const ink = (color: string | undefined): string | undefined => (color === undefined || color === print.bg ? color : 'ink');
    return { ...rest, fill: typeof fill === 'object' ? ['stripes', fill.period] : ink(fill), stroke: ink(stroke) };
  }));

describe('with one ink', () => {
  const kinds: readonly BandKind[] = ['measured', 'stated', 'counted', 'guessed'];
  const bandOf = (kind: BandKind): readonly Shape[] => {
    const canvas = new Canvas(60, 200, { fill: print.text, size: 7 });
    drawBand(canvas, kind, 'BAND', 10, 190);
    return canvas.drawing().shapes;
  };

  it('the four bands of a page differ from each other, and only that of guesses is striped', () => {
    const bands = kinds.map((kind) => oneInk(bandOf(kind)));
    expect(new Set(bands).size).toBe(kinds.length);
    expect(kinds.filter((_, i) => bands[i].includes('stripes'))).toEqual(['guessed']);
  });

  it.each([4.5, 5, 7])('the marks differ from each other at %d pt, the smallest of print', (size) => {
    expect(new Set(marks.map((mark) => oneInk(markShapes(mark, 10, 10, size)))).size).toBe(marks.length);
  });
});
