import type { Canvas } from '../../look/drawing.js';
import { clock, count } from '../../look/numbers.js';
import type { Palette } from '../../look/palette.js';
import { textWidth } from '../../look/text-width.js';
import { fitted } from '../fit.js';
import { changePlace, sideOfChange } from './change-text.js';
import type { CompareMoment, SideMoment } from './compare-scene.js';
import { goodPerS } from './header.js';

/** The letter of a side, ink on a light square: no colour of the stage means a side. */
export const drawBadge = (canvas: Canvas, letter: string, x: number, y: number, size: number, palette: Palette): void => {
  canvas.rect(x, y, size, size, { fill: palette.text, radius: 5 });
  canvas.text(x + size / 2, y + size * 0.73, letter, { size: Math.round(size * 0.66), weight: 800, fill: palette.bg, anchor: 'middle' });
};

const rateRoom = 240;

/** Who the side is, what is set otherwise there, and its good requests a second. */
export const drawPanelHead = (canvas: Canvas, side: SideMoment, compare: CompareMoment): void => {
  const { palette, words, scene } = compare;
  const { panel, head } = scene.places.sides[side.index];
  canvas.rect(panel.x, panel.y, panel.width, panel.height, { fill: palette.s1, stroke: palette.line, radius: 12 });
  drawBadge(canvas, side.side.letter, panel.x + 16, head.title - 24, 34, palette);
  const x = panel.x + 62;
  const room = panel.width - 62 - rateRoom - 16;
  canvas.text(x, head.title, fitted(side.side.name, head.size, 700, room), { size: head.size, weight: 700, room: room + 2 });
  const line = side.ended ? words.ended(clock(side.moment.scene.run.durationMs)) : settingsLine(side.index, compare);
  canvas.text(x, head.line, fitted(line, 17, side.ended ? 600 : 400, room), { size: 17, weight: side.ended ? 600 : 400, fill: side.ended ? palette.refusedText : palette.text2, room: room + 2 });
  const perS = goodPerS(side);
  canvas.runs(panel.x + panel.width - 16, head.title + 6, [{ text: perS >= 10 || perS === 0 ? count(perS) : String(perS), size: head.rate, weight: 700, fill: side.ended ? palette.text3 : palette.goodText }, { text: words.perSGood, size: 20, fill: palette.text2 }], { anchor: 'end', room: rateRoom });
};

/** What is not the same on all sides, as it is here: the same inputs in the same order on each. */
export const settingsLine = (index: number, { scene: { comparison }, lang, words }: Pick<CompareMoment, 'scene' | 'lang' | 'words'>): string => {
  const { changes, relation, sides } = comparison;
  if (changes.length === 0) return words.unchanged;
  // Of two systems that have little in common, what it is says more than what is not the same.
  if (relation === 'scenarios' && changes.length > listedChanges) return sides[index].title[lang];
  const own = relation === 'variants' && changes.length > 3 ? changes.filter(({ values }) => index === 0 || values[index].text !== values[0].text) : changes;
  if (own.length === 0) return words.unchanged;
  let last = '';
  const shown = own.slice(0, shownChanges).map((change) => {
    const { place, at } = changePlace(change);
    const before = place === '' || place === last ? '' : `${place} `;
    last = place;
    return `${`${before}${at}`.trim()}: ${sideOfChange(change, index, lang)}`;
  });
  return [...shown, ...(own.length > shownChanges ? [words.moreChanges(own.length - shownChanges)] : [])].join(' · ');
};
const shownChanges = 3;
const listedChanges = 6;

/** The mark of something that is set otherwise than on the first side: its new value, ink on a light chip. Gives where it ends. */
export const drawChangedChip = (canvas: Canvas, x: number, y: number, text: string, room: number, palette: Palette): number => {
  const shown = fitted(text, 16, 600, room - 16);
  const width = textWidth(shown, 16, 600) + 16;
  canvas.rect(x, y, width, 22, { fill: palette.text, radius: 4 });
  canvas.text(x + 8, y + 16.5, shown, { size: 16, weight: 600, fill: palette.bg, room: room - 16 });
  return x + width;
};
