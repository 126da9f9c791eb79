import { expect, test } from 'vitest';
import { drawBasis } from '../../renderers/look/basis-marks.js';
import { countdown } from '../../renderers/look/clock.js';
import { Canvas, type Shape } from '../../renderers/look/drawing.js';
import { marks } from '../../renderers/look/figure.js';
import { drawGlyph, type Glyph } from '../../renderers/look/glyphs.js';

const drawn = (draw: (canvas: Canvas) => void): readonly Shape[] => {
  const canvas = new Canvas(100, 100, { fill: '#000', size: 16 });
  draw(canvas);
  return canvas.drawing().shapes;
};
const health: readonly Glyph[] = ['healthy', 'warming', 'saturated', 'killed', 'restarting', 'ejected', 'booting', 'draining', 'off'];

test('every health state and every basis has a sign of its own', () => {
  const signs = [...health.map((glyph) => drawn((canvas) => drawGlyph(canvas, glyph, 50, 50, 24, { color: '#fff', cut: '#000' }))), ...marks.map((mark) => drawn((canvas) => drawBasis(canvas, mark, 50, 50, 24, '#fff')))];
  expect(new Set(signs.map((shapes) => JSON.stringify(shapes))).size).toBe(signs.length);
});

test('inputs are squares or a key, outputs circles, and only guesses are hatched or dashed', () => {
  for (const mark of marks) {
    const shapes = drawn((canvas) => drawBasis(canvas, mark, 50, 50, 24, '#fff'));
    const guess = shapes.some((shape) => 'fill' in shape && typeof shape.fill === 'object') || shapes.some((shape) => 'dash' in shape);
    expect(guess, mark).toBe(['assumed', 'default', 'estimated'].includes(mark));
    expect(shapes[0].kind, mark).toBe(['counted', 'estimated', 'chosen'].includes(mark) ? 'circle' : 'rect');
  }
});

test('a counted figure is a ring, a measured one is filled', () => {
  expect(drawn((canvas) => drawBasis(canvas, 'counted', 50, 50, 24, '#fff'))[0]).not.toHaveProperty('fill');
  expect(drawn((canvas) => drawBasis(canvas, 'measured', 50, 50, 24, '#fff'))[0]).toMatchObject({ fill: '#fff' });
});

test('glyphs scale with their size around their centre', () => {
  expect(drawn((canvas) => drawGlyph(canvas, 'kept', 0, 0, 24, { color: '#fff', cut: '#000' }))[0]).toMatchObject({ d: 'M-8 0.5L-2.4 6.4L8.4 -6.4' });
  expect(drawn((canvas) => drawGlyph(canvas, 'kept', 10, 20, 48, { color: '#fff', cut: '#000' }))[0]).toMatchObject({ d: 'M-6 21L5.2 32.8L26.8 7.2', strokeWidth: 7.6 });
});

test('time that is left is rounded up', () => {
  expect([countdown(176_000, 'en'), countdown(10_200, 'en'), countdown(11_000, 'ko'), countdown(0, 'en')]).toEqual(['2:56', '11\u00A0s', '11초', '0\u00A0s']);
});
