import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Reel } from '../../renderers/video/reel.js';

const cellPx = 8;
const numberBits = 16;
const checkBits = 8;
const cells = numberBits + checkBits;

/** The reel with the number of each shot as a row of black and white cells in its upper left corner, behind it a check: read back by `marksIn`. */
export const marked = <R extends Reel>(reel: R): R => ({ ...reel, shots: reel.shots.map((shot, index) => ({ ...shot, svg: () => withMark(shot.svg(), index, reel.width) })) });

/** The number of the shot that each frame of a film shows; null where no mark can be read. */
export const marksIn = async (ffmpeg: string, video: string): Promise<(number | null)[]> => {
  const args = ['-v', 'error', '-i', video, '-vf', `crop=${cells * cellPx}:${cellPx}:0:0,format=gray`, '-vsync', 'passthrough', '-f', 'rawvideo', '-'];
  const { stdout } = await promisify(execFile)(ffmpeg, args, { encoding: 'buffer', maxBuffer: 2 ** 28 });
  const frameBytes = cells * cellPx * cellPx;
  return Array.from({ length: stdout.length / frameBytes }, (_, frame) => markIn(stdout.subarray(frame * frameBytes, (frame + 1) * frameBytes)));
};

/** What `marksIn` finds in a film of the reel that has every frame once, in its place. */
export const marksOf = (reel: Reel): number[] => reel.shots.flatMap(({ frames }, index) => Array.from({ length: frames }, () => index));

/** In pixels of the film, whatever units the drawing has. */
const withMark = (svg: string, index: number, widthPx: number): string => {
  const unitsPerPx = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1] ?? widthPx) / widthPx;
  const cell = cellPx * unitsPerPx;
  const rects = bitsOf(index).map((bit, at) => `<rect x="${at * cell}" y="0" width="${cell}" height="${cell}" fill="${bit ? '#ffffff' : '#000000'}"/>`);
  return svg.replace(/<\/svg>\s*$/, `<g shape-rendering="crispEdges">${rects.join('')}</g></svg>`);
};

const bitsOf = (index: number): boolean[] => [...(index.toString(2).padStart(numberBits, '0') + checkOf(index).toString(2).padStart(checkBits, '0'))].map((bit) => bit === '1');

/** Never all black or all white with its number, so that a plain picture has no mark. */
const checkOf = (index: number): number => ((index * 167) ^ (index >> 8) ^ 0xa5) & 0xff;

const markIn = (gray: Buffer): number | null => {
  const bit = (at: number): string => (gray[(cellPx / 2) * cells * cellPx + at * cellPx + cellPx / 2] > 126 ? '1' : '0');
  const bits = Array.from({ length: cells }, (_, at) => bit(at)).join('');
  const index = Number.parseInt(bits.slice(0, numberBits), 2);
  return checkOf(index) === Number.parseInt(bits.slice(numberBits), 2) ? index : null;
};
