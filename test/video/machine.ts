import { fileURLToPath } from 'node:url';
import type { Reel } from '../../renderers/video/reel.js';

/** A small real program of the fixtures. */
export const fixture = (name: string, extension = 'mjs'): string => fileURLToPath(new URL(`fixtures/${name}.${extension}`, import.meta.url));

export const plainSvg = (color: string, content = ''): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="180" viewBox="0 0 320 180" font-family="Pretendard"><rect width="320" height="180" fill="${color}"/>${content}</svg>`;

/** A reel of plain colours, each for as many frames as it says. */
export const colourReel = (shots: readonly (readonly [color: string, frames: number])[], over: Partial<Reel> = {}): Reel => ({
  width: 320,
  height: 180,
  fps: 30,
  title: 'Colours = signs; #1',
  lang: 'en',
  shots: shots.map(([color, frames]) => ({ frames, svg: () => plainSvg(color) })),
  chapters: [],
  captions: [],
  poster: 0,
  ...over,
});
