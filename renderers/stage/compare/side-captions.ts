import type { Canvas } from '../../look/drawing.js';
import { drawGlyph } from '../../look/glyphs.js';
import { textWidth } from '../../look/text-width.js';
import type { Caption } from '../caption.js';
import { captionsOf } from '../captions.js';
import { healthColors, isDown } from '../display-state.js';
import { fitted } from '../fit.js';
import type { Box } from '../frame.js';
import type { CompareMoment } from './compare-scene.js';

/** What just happened, by side; null of a side that has ended. */
export const captionsAt = ({ sides, lang }: Pick<CompareMoment, 'sides' | 'lang'>): readonly (Caption | null)[] => sides.map(({ moment, ended }) => (ended ? null : captionsOf(moment.scene, lang, moment.times)[moment.tick]));

/** The caption that all sides have, or null. */
export const commonCaption = (captions: readonly (Caption | null)[]): Caption | null => {
  const [first] = captions;
  return first && captions.every((one) => one?.lead === first.lead && one.rest === first.rest) ? first : null;
};

/** Each side's caption under its panel; what happens on all sides, once, across all. */
export const drawSideCaptions = (canvas: Canvas, compare: CompareMoment): void => {
  const captions = captionsAt(compare);
  const common = commonCaption(captions);
  const { sides } = compare.scene.places;
  if (common && sides.length === 2) {
    const first = sides[0].caption;
    const last = sides[1].caption;
    return drawCaption(canvas, { ...first, width: last.x + last.width - first.x }, common, compare, compare.words.same(2), 1);
  }
  captions.forEach((caption, i) => caption && drawCaption(canvas, sides[i].caption, caption, compare, common ? compare.words.same(sides.length) : '', sides[i].captionLines));
};

/** As many whole sentences as have room; of a first one that has none, its beginning. */
const sentences = (text: string, size: number, room: number): string => {
  const parts = text.split(/(?<=[.!?]) /);
  for (let keep = parts.length; keep > 0; keep--) {
    const shown = parts.slice(0, keep).join(' ');
    if (textWidth(shown, size, 400) <= room) return shown;
  }
  return fitted(text, size, 400, room);
};

const drawCaption = (canvas: Canvas, box: Box, { lead, rest, glyph, tone }: Caption, { palette }: CompareMoment, before: string, lines: 1 | 2): void => {
  const { x, y, width, height } = box;
  const color = healthColors(palette, tone).fill;
  const ground = height < 40 ? palette.s2 : palette.s1;
  canvas.rect(x, y, width, height, { fill: ground, radius: 8 });
  canvas.rect(x, y, 6, height, { fill: color, radius: 3 });
  const sign = Math.min(26, height - 12);
  drawGlyph(canvas, glyph, x + 32, y + height / 2, sign, { color, cut: tone === 'killed' || isDown(tone) ? palette.onFailed : ground, progress: 0.9 });
  const left = x + 56;
  const room = width - 72;
  const start = before === '' ? '' : `${before} `;
  if (lines === 2) {
    canvas.text(left, y + 27, fitted(lead, 22, 700, room), { size: 22, weight: 700, room: room + 1 });
    canvas.text(left, y + 52, sentences(rest, 19, room), { size: 19, fill: palette.text2, room: room + 1 });
    return;
  }
  const size = height < 40 ? 18 : 25;
  const startWidth = textWidth(start, size, 400);
  const bold = fitted(lead, size, 700, room - startWidth);
  const restRoom = room - startWidth - textWidth(`${bold} `, size, 700);
  canvas.runs(left, y + height / 2 + size * 0.36, [{ text: start, fill: palette.text2 }, { text: bold, weight: 700 }, { text: rest && restRoom > 160 ? ` ${sentences(rest, size, restRoom)}` : '', fill: palette.text2 }], { size, room: room + 2 });
};
