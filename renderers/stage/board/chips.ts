import { splitSubject } from '../../../src/study/events.js';
import type { Canvas } from '../../look/drawing.js';
import { drawGlyph } from '../../look/glyphs.js';
import { textWidth } from '../../look/text-width.js';
import { faultsAt, type ActiveFault } from '../faults.js';
import { fitted } from '../fit.js';
import type { Box } from '../frame.js';
import type { Moment } from '../scene.js';

/** A fault while it lasts: ink on a light ground, so that it is part of no health. */
export const drawChip = (canvas: Canvas, x: number, y: number, text: string, { palette }: Moment): void => {
  canvas.rect(x, y, chipWidth(text), chipHeight, { fill: palette.text, stroke: palette.bg, strokeWidth: 2, radius: 5 });
  drawGlyph(canvas, 'fault', x + 13, y + 11, 15, { color: palette.bg, cut: palette.text });
  canvas.text(x + 24, y + 16.5, text, { size: 16, weight: 600, fill: palette.bg });
};

const chipWidth = (text: string): number => textWidth(text, 16, 600) + 34;
const chipHeight = 22;

/** On the upper edge of what is hit, at its right: one fault in words, more with their number. */
export const drawFaultsOn = (canvas: Canvas, name: string, box: Box, moment: Moment): void => {
  for (const { x, y, text } of faultsTag(name, box, moment)) drawChip(canvas, x, y, text, moment);
};

/** What it says and where it is; none where nothing is hit, or a question asks by what. */
export const faultsTag = (name: string, box: Box, moment: Moment): readonly (Box & { readonly text: string })[] => {
  const { scene, tick, board } = moment;
  const hits = faultsAt(scene, tick).filter(({ target }) => target === name || (splitSubject(target).service === name && splitSubject(target).instance !== null));
  if (hits.length === 0 || moment.veil.has(hits[0].name)) return [];
  const room = box.width - 24 - 34;
  const text = fitted(board.faults(said(hits[0], name, moment), hits.length - 1), 16, 600, room);
  const width = chipWidth(text);
  return [{ text, x: box.x + box.width - 12 - width, y: box.y - 13, width, height: chipHeight }];
};

const said = ({ target, verb }: ActiveFault, name: string, { board }: Moment): string => {
  const { instance } = splitSubject(target);
  return target === name || instance === null ? board.fault[verb] : board.faultOf(instance, board.fault[verb]);
};
