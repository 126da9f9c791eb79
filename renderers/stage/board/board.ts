import type { Canvas } from '../../look/drawing.js';
import { drawRibbons as drawRibbonsDown } from '../portrait/board-ribbons.js';
import type { Moment } from '../scene.js';
import { drawCard } from './card.js';
import { drawFaultsOn } from './chips.js';
import { drawHosts, drawRoomNames, drawRooms } from './hosts.js';
import { drawKey } from './key.js';
import type { Board } from './place.js';
import { drawDeadEnds, drawRibbons } from './ribbons.js';

/** The system as a board of cards: rooms, ribbons over them, cards over both, and what is done to them on top. */
export const drawBoard = (canvas: Canvas, board: Board, moment: Moment): void => {
  drawRooms(canvas, board, moment);
  (moment.scene.frame.calls === 'down' ? drawRibbonsDown : drawRibbons)(canvas, board, moment);
  drawRoomNames(canvas, board, moment);
  for (const card of board.cards) drawCard(canvas, card, moment);
  if (moment.scene.frame.calls === 'across') drawDeadEnds(canvas, board, moment);
  drawHosts(canvas, board, moment);
  for (const { name, box } of board.cards) drawFaultsOn(canvas, name, box, moment);
  for (const { host, box } of board.hosts) drawFaultsOn(canvas, host.name, box, moment);
  if (board.key) drawKey(canvas, board.key, moment);
};
