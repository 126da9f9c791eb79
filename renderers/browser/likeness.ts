/**
 * Peak signal-to-noise ratio in dB of 8 bit samples; Infinity when they are the same.
 * 10 · log₁₀(255² / mean square of differences).
 */
export const psnr = (a: Uint8Array, b: Uint8Array): number => {
  let sum = 0;
  for (let index = 0; index < a.length; index++) {
    const difference = a[index] - b[index];
    sum += difference * difference;
  }
  return 10 * Math.log10((255 * 255 * a.length) / sum);
};
