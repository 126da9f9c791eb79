import { describe, expect, it } from 'vitest';
import { Canvas, type Shape } from '../../renderers/look/drawing.js';
import { print } from '../../renderers/look/palette.js';
import { drawBand, type BandKind } from '../../renderers/pdf/band.js';
import { markShapes } from '../../renderers/pdf/marks.js';
import { marks } from '../../renderers/look/figure.js';
import { oneInk } from '../support/shapes.js';

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
    expect(kinds.filter((_, i) => bands[i].includes('stripe'))).toEqual(['guessed']);
  });

  it.each([4.5, 5, 7])('the marks differ from each other at %d pt, the smallest of print', (size) => {
    expect(new Set(marks.map((mark) => oneInk(markShapes(mark, 10, 10, size)))).size).toBe(marks.length);
  });
});
