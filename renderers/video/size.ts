import { exitCodes, FaultreelError } from '../../src/errors.js';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The flag that asks for a size, as messages name it. */
export const sizeFlag = '--size';
const smallest: Size = { width: 320, height: 180 };
const largest: Size = { width: 3840, height: 2160 };

/**
 * Reads `1920x1080`. Both sides are even: the film's colour is stored for blocks of two by two pixels.
 *
 * @throws FaultreelError with exit code 2.
 */
export const parseSize = (text: string): Size => {
  const match = /^(\d{1,6})[x×](\d{1,6})$/i.exec(text.trim());
  if (!match) throw usage(`Expected ${sizeFlag} as width x height in pixels, found ${JSON.stringify(text)}`, `For example ${sizeFlag} 1920x1080.`);
  const size = { width: Number(match[1]), height: Number(match[2]) };
  const near = { width: nearest(size.width, smallest.width, largest.width), height: nearest(size.height, smallest.height, largest.height) };
  const fix = `Nearest: ${sizeFlag} ${sizeText(near)}.`;
  if (!isWithin(size)) throw usage(`Expected ${sizeFlag} from ${sizeText(smallest)} to ${sizeText(largest)}, found ${sizeText(size)}`, fix);
  if (size.width % 2 !== 0 || size.height % 2 !== 0) throw usage(`Expected ${sizeFlag} with even sides, found ${sizeText(size)}: H.264 stores colour for every second pixel`, fix);
  return size;
};

export const sizeText = ({ width, height }: Size): string => `${width}x${height}`;

const isWithin = ({ width, height }: Size): boolean => width >= smallest.width && height >= smallest.height && width <= largest.width && height <= largest.height;

const nearest = (side: number, low: number, high: number): number => Math.min(high, Math.max(low, Math.round(side / 2) * 2));

const usage = (message: string, hint: string): FaultreelError => new FaultreelError(exitCodes.usage, { message, hint });
