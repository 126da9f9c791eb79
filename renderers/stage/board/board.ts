import type { Canvas } from '../../look/drawing.js';
import { drawGlyph } from '../../look/glyphs.js';
import type { Moment } from '../scene.js';
import { drawCard } from './card.js';
import { drawRibbons as drawRibbonsDown } from '../portrait/board-ribbons.js';
import { drawFaultsOn } from './chips.js';
import { drawHosts, drawRooms } from './hosts.js';
import type { Board } from './place.js';
import { metrics } from './plan.js';
import { drawRibbons } from './ribbons.js';

/** The system as a board of cards: rooms, ribbons over them, cards over both, and what is done to them on top. */
export const drawBoard = (canvas: Canvas, board: Board, moment: Moment): void => {
  drawRooms(canvas, board, moment);
  (moment.scene.frame.calls === 'down' ? drawRibbonsDown : drawRibbons)(canvas, board, moment);
  for (const card of board.cards) drawCard(canvas, card, moment);
  drawHosts(canvas, board, moment);
  for (const { name, box } of board.cards) drawFaultsOn(canvas, name, box, moment);
  for (const { host, box } of board.hosts) drawFaultsOn(canvas, host.name, box, moment);
  if (moment.scene.frame.calls === 'across') drawKey(canvas, board, moment);
};

/** How a cell is read, under the sources where there is room. */
const drawKey = (canvas: Canvas, board: Board, { scene: { frame }, palette, board: words, words: stage }: Moment): void => {
  if (!board.cards.some(({ form }) => form === 'cells')) return;
  const first = board.cards.filter(({ column }) => column === 0);
  const x = frame.margin;
  const y = Math.max(...first.map(({ box }) => box.y + box.height)) + 60;
  const room = board.columns[0].right - x + 90;
  if (y + metrics.cell.height + 8 > frame.stage.bottom - (board.hosts.length > 0 ? 80 : 0)) return;
  canvas.text(x, y - 12, words.oneCell, { size: 16, fill: palette.text3, room });
  canvas.rect(x, y, metrics.cell.width, metrics.cell.height, { fill: palette.s2, stroke: palette.refused, strokeWidth: 2, radius: 5 });
  canvas.text(x + 7, y + 20, '7', { size: 16, weight: 700 });
  drawGlyph(canvas, 'saturated', x + 40, y + 15, 18, { color: palette.refused, cut: palette.s2 });
  canvas.rect(x + 7, y + 27, 40, 9, { fill: palette.refused, radius: 2 });
  canvas.rect(x + 7, y + 40, 24, 9, { fill: { color: palette.hatch, ground: palette.hatchBg, period: 5, stripe: 2.1 }, radius: 2 });
  [words.cellNumber, words.cellSlots, `≈ ${stage.cpu}`].forEach((text, i) => canvas.text(x + 68, y + 15 + i * 19, text, { size: 16, fill: palette.text2, room: room - 68 }));
};
