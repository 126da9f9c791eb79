import type { Canvas } from '../look/drawing.js';
import { drawGlyph } from '../look/glyphs.js';
import { textWidth } from '../look/text-width.js';
import { drawChip, drawFaultsOn } from './board/chips.js';
import { notesOf } from './board/ribbons.js';
import { fitted } from './fit.js';
import type { Box } from './frame.js';
import type { PictureLink } from '../../src/study/types.js';
import { poolText, poolUse } from './board/levels.js';
import type { Moment } from './scene.js';
import { nameOf } from './structure.js';

/** Where lanes are drawn: faults on what they hit, and what holds a link under the node at one of its ends. */
export const drawLaneNotes = (canvas: Canvas, moment: Moment): void => {
  const { nodes } = moment.scene.layout;
  drawLaneFaults(canvas, moment);
  for (const node of nodes) notesAt(node.name, moment).forEach((note, line) => drawNote(canvas, note, node.box, line, moment));
};

/** Faults on what they hit. */
export const drawLaneFaults = (canvas: Canvas, moment: Moment): void => {
  const { nodes, group } = moment.scene.layout;
  for (const { name, box } of nodes) drawFaultsOn(canvas, name, box, moment);
  if (group) drawFaultsOn(canvas, group.service.name, group.box, moment);
};

/** What holds the links of a node: those that it is called by, and those from it to the lanes, which have no room below them. Pools first: how far they are used, or `onlyShort`, where somebody waits. */
export const notesAt = (name: string, moment: Moment, onlyShort = false): ReturnType<typeof notesOf> => {
  const { scene, veil } = moment;
  const { group } = scene.layout;
  const links = scene.run.system.links.filter((link) => scene.run.ticks.links[nameOf(link)] && !veil.has(link.caller) && (link.callee === group?.service.name ? link.caller : link.callee) === name);
  return [...links.flatMap((link) => poolNote(link, onlyShort, moment)), ...links.flatMap((link) => notesOf(link, moment))];
};

const poolNote = (link: PictureLink, onlyShort: boolean, moment: Moment): ReturnType<typeof notesOf> => {
  const { palette, board } = moment;
  const use = poolUse(link, moment);
  const isShort = use.waiting > 0;
  if (use.max === null || (onlyShort && !isShort)) return [];
  return [{ text: board.poolHere(poolText(use, use.waiting, moment)), glyph: 'connection', fill: isShort ? palette.refusedText : palette.text2, color: isShort ? palette.refused : palette.text3, widest: board.poolHere(poolText({ ...use, used: use.max }, 0, moment)) }];
};

const drawNote = (canvas: Canvas, { text, glyph, fill, color, isFault, widest = text }: ReturnType<typeof notesOf>[number], box: Box, line: number, moment: Moment): void => {
  const y = box.y + box.height + 24 + line * 24;
  const shown = fitted(text, 16, 500, box.width - 34);
  if (isFault) return drawChip(canvas, box.x + box.width / 2 - (textWidth(shown, 16, 600) + 34) / 2, y - 16, shown, moment);
  const left = Math.max(box.x, box.x + (box.width - textWidth(fitted(widest, 16, 500, box.width - 34), 16, 500) - 22) / 2);
  drawGlyph(canvas, glyph, left + 8, y - 5, 15, { color, cut: moment.palette.bg });
  canvas.text(left + 22, y, shown, { size: 16, weight: 500, fill });
};
