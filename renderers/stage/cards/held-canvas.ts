import type { Canvas } from '../../look/drawing.js';
import { drawGlyph } from '../../look/glyphs.js';
import { textWidth } from '../../look/text-width.js';
import type { Moment } from '../scene.js';
import { newCanvas } from '../stage.js';

const edge = { landscape: 112, portrait: 44 } as const;
const size = 18;

/** The ground of a card for which the film stands still, and that it does. */
export const heldCanvas = (moment: Moment): Canvas => {
  const { palette, words, scene: { frame } } = moment;
  const canvas = newCanvas(moment);
  const right = frame.width - edge[frame.name];
  canvas.text(right, 50, words.held, { size, fill: palette.text3, anchor: 'end' });
  drawGlyph(canvas, 'pause', right - textWidth(words.held, size) - 16, 44, 14, { color: palette.text3, cut: palette.bg });
  return canvas;
};
