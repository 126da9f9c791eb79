import type { Box } from '../frame.js';
import type { LevelPlace, LevelPlaces, ShownLevels } from '../lane-levels.js';
import { wordLines, wordPitch } from './lane-words.js';

/** Before a ribbon enters a lane: height of the lines that may stand beside it. */
export const besideHeight = 58;
/** Left of the lanes: the names of their levels. */
export const labelColumn = 98;
export const lanePad = 8;
/** From level to level. */
export const sectionPitch = { wish: 52, least: 37 } as const;
/** Of what stands in a lane, from its sides. */
export const inset = 5;
/** Height of glyph and number. */
export const identity = 38;

/** Height above the levels of a lane so wide. */
export const laneTop = (width: number): number => identity + wordLines(width - 2 * inset) * wordPitch + 6;

/** Where the levels of a lane are: values over bars, one under the other. */
export const levelPlaces = ({ x, y, width, height }: Box, shown: ShownLevels): LevelPlaces => {
  const sections = 2 + Number(shown.cpu) + Number(shown.memory);
  const top = y + laneTop(width);
  const pitch = (y + height - lanePad - top) / sections;
  const place = (row: number): LevelPlace => ({ value: top + row * pitch + 16, size: width > 130 ? 19 : 17, bar: { x: x + inset, y: top + row * pitch + 22, width: width - 2 * inset, height: Math.min(18, pitch - 26) } });
  return { slots: place(0), queue: place(1), cpu: place(2), memory: place(shown.cpu ? 3 : 2) };
};
