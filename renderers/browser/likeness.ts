import { i420Bytes } from './i420.js';

/** Peak signal-to-noise ratios in dB (10 · log₁₀(255² / mean square of differences)); Infinity where nothing differs. */
export interface Likeness {
  /** Of all samples: what shows that something large is wrong. */
  readonly wholeDb: number;
  /** Of the block of 16 × 16 luma samples that differs most: what shows that one digit is wrong. */
  readonly worstBlockDb: number;
}

/** How alike two pictures in 4:2:0 are. */
export const likenessOf = (a: Uint8Array, b: Uint8Array, width: number, height: number): Likeness => {
  const across = Math.ceil(width / blockSize);
  const blocks = new Float64Array(across * Math.ceil(height / blockSize));
  for (let y = 0; y < height; y++) {
    const row = Math.floor(y / blockSize) * across;
    for (let x = 0, at = y * width; x < width; x++, at++) {
      const difference = a[at] - b[at];
      if (difference !== 0) blocks[row + Math.floor(x / blockSize)] += difference * difference;
    }
  }
  let sum = blocks.reduce((total, block) => total + block, 0);
  for (let at = width * height; at < a.length; at++) sum += (a[at] - b[at]) ** 2;
  return { wholeDb: psnr(sum, i420Bytes(width, height)), worstBlockDb: psnr(blocks.reduce((worst, block) => Math.max(worst, block), 0), blockSize * blockSize) };
};
const blockSize = 16;

const psnr = (squares: number, samples: number): number => 10 * Math.log10((255 * 255 * samples) / squares);
