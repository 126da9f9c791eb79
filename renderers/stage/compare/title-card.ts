import type { Canvas, Drawing } from '../../look/drawing.js';
import { textWidth } from '../../look/text-width.js';
import { balanced, fitted } from '../fit.js';
import { changePlace, sideOfChange, termsLine } from './change-text.js';
import { compareCanvas } from './compare-frame.js';
import { compareMomentOf, type Compared, type CompareMoment, type CompareOptions } from './compare-scene.js';
import { titleOf } from './header.js';
import { drawBadge } from './panel-head.js';

const left = 112;
const right = 1808;

/** What is compared, in what the sides differ, and the question; nothing of how it ends. */
export const compareTitleCard = (compared: Compared, options: Pick<CompareOptions, 'lang' | 'theme'>): Drawing => {
  const compare = compareMomentOf(compared, 0, options);
  const { palette, words, lang } = compare;
  const { comparison } = compared;
  const canvas = compareCanvas(compare);
  canvas.text(left, 120, words.compared, { size: 26, weight: 600, fill: palette.text3 });
  const title = titleOf(compare);
  const size = [84, 68, 54].find((px) => balanced(title, px, 800, right - left).length <= 2 && balanced(title, px, 800, right - left).every((line) => !line.endsWith('…'))) ?? 54;
  const lines = balanced(title, size, 800, right - left).slice(0, 2);
  lines.forEach((line, i) => canvas.text(left - 3, 224 + i * size * 1.12, fitted(line, size, 800, right - left), { size, weight: 800, room: right - left + 4 }));
  let y = 224 + (lines.length - 1) * size * 1.12 + 64;
  canvas.text(left, y, fitted(termsLine(comparison, lang), 28, 400, right - left), { size: 28, fill: palette.text2, room: right - left });
  if (comparison.arrivals === 'different') {
    y += 40;
    canvas.text(left, y, words.oneRunEach, { size: 24, weight: 600, fill: palette.refusedText, room: right - left });
  }
  drawSides(canvas, Math.max(y + 110, 500), compare);
  canvas.text(left, 1000, fitted(words.question(comparison.changes.length, comparison.relation), 44, 700, right - left), { size: 44, weight: 700, room: right - left });
  return canvas.drawing();
};

/** A column for each side, a row for each input that is not the same on all. */
const drawSides = (canvas: Canvas, top: number, { scene: { comparison }, palette, words, lang }: CompareMoment): void => {
  const { changes } = comparison;
  // A few changes can be read from afar.
  const isFew = changes.length <= 3 && comparison.sides.length <= 2;
  const [size, pitch, names] = isFew ? [30, 74, 34] : [22, 52, 26];
  const first = isFew ? 620 : 420;
  const width = (right - left - first) / comparison.sides.length;
  const x = (side: number): number => left + first + side * width;
  comparison.sides.forEach(({ letter, name }, side) => {
    drawBadge(canvas, letter, x(side), top - names * 1.22, Math.round(names * 1.5), palette);
    canvas.text(x(side) + names * 1.9, top, fitted(name, names, 700, width - names * 2.2), { size: names, weight: 700, room: width - names * 2.2 + 1 });
  });
  canvas.text(left, top, words.whatChanges, { size: 22, fill: palette.text3, room: first - 20 });
  let y = top + 28;
  canvas.line(left, y, right, y, { stroke: palette.line2, strokeWidth: 2 });
  const most = Math.floor((930 - y) / pitch);
  const shown = changes.length > most ? changes.slice(0, most - 1) : changes;
  for (const change of shown) {
    y += pitch;
    const base = y - pitch * 0.28;
    const { place, at } = changePlace(change);
    canvas.text(left, base, fitted(`${place === '' ? '' : `${place}  `}${at}`, size, 400, first - 24), { size, fill: palette.text2, room: first - 23 });
    const texts = change.values.map((_, side) => sideOfChange(change, side, lang));
    texts.forEach((text, side) => {
      const isNew = text !== texts[0];
      const weight = isNew ? 700 : 400;
      const value = fitted(text, size, weight, width - 44);
      if (isNew) canvas.rect(x(side) - 10, base - size * 1.12, textWidth(value, size, weight) + 20, size * 1.55, { fill: palette.text, radius: 6 });
      canvas.text(x(side), base, value, { size, weight, fill: isNew ? palette.bg : palette.text, room: width - 43 });
    });
    canvas.line(left, y, right, y, { stroke: palette.line, strokeWidth: 1.2 });
  }
  if (changes.length === 0) canvas.text(left + first, y + 46, words.unchanged, { size: 22, fill: palette.text2 });
  if (shown.length < changes.length) canvas.text(left, y + 36, words.moreChanges(changes.length - shown.length), { size: 22, fill: palette.text2 });
};
