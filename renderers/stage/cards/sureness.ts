import type { Verdict } from '../../../src/study/types.js';
import { cardWords } from '../../../src/text/cards.js';
import type { Canvas } from '../../look/drawing.js';
import { textWidth } from '../../look/text-width.js';
import type { Moment } from '../scene.js';

/** Firm is plain; what a guess could still turn is a hatched chip. */
export const drawSureness = (canvas: Canvas, sure: Verdict['sure'], x: number, y: number, { palette, lang }: Moment): void => {
  const text = cardWords[lang].sure[sure];
  if (sure === 'firm') {
    canvas.text(x, y, text, { size: 26, weight: 600 });
    return;
  }
  const width = textWidth(text, 24, 700) + 44;
  canvas.rect(x - 2, y - 27, width, 37, { fill: { color: palette.line2, ground: palette.bg, period: 9, stripe: 2 }, stroke: palette.text, strokeWidth: 2, radius: 6 });
  canvas.rect(x + 10, y - 21, width - 24, 26, { fill: palette.bg, radius: 3 });
  canvas.text(x - 2 + width / 2, y, text, { size: 24, weight: 700, anchor: 'middle', room: width - 26 });
};
