import type { Verdict } from '../../../src/study/types.js';
import { surenessWords } from '../../../src/text/sureness.js';
import type { Canvas } from '../../look/drawing.js';
import { textWidth } from '../../look/text-width.js';
import type { Moment } from '../scene.js';

/** Firm is plain; what a guess could still turn is a quiet hatched chip: nearly every verdict has one. */
export const drawSureness = (canvas: Canvas, sure: Verdict['sure'], x: number, y: number, { palette, lang }: Moment): void => {
  const text = surenessWords[lang].sure[sure];
  if (sure === 'firm') {
    canvas.text(x, y, text, { size: 26, weight: 600 });
    return;
  }
  const width = textWidth(text, 24, 500) + 44;
  canvas.rect(x - 2, y - 27, width, 37, { fill: { color: palette.line, ground: palette.bg, period: 9, stripe: 1.5 }, stroke: palette.line2, strokeWidth: 1.5, radius: 6 });
  canvas.rect(x + 10, y - 21, width - 24, 26, { fill: palette.bg, radius: 3 });
  canvas.text(x - 2 + width / 2, y, text, { size: 24, weight: 500, fill: palette.text2, anchor: 'middle', room: width - 26 });
};
