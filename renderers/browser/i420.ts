/** Bytes of a picture in 8-bit 4:2:0: a luma sample a pixel, two chroma samples a block of 2 × 2. */
export const i420Bytes = (width: number, height: number): number => (width * height * 3) / 2;

/**
 * Pixels of four bytes to 4:2:0 in BT.709 of television range (ITU-R BT.709-6, 8 bit: luma 16 to 235, chroma 16 to 240), chroma from the mean of each block.
 * `pixels` starts at a multiple of four bytes of its buffer; its fourth byte does not count. Width and height are even. Factors are 16 bit fixed point.
 * Knows nothing around it: the same text runs here and in the worker of a page.
 */
export function toI420(pixels: Uint8Array | Uint8ClampedArray, order: 'RGB' | 'BGR', planes: Uint8Array, width: number, height: number): void {
  const words = new Int32Array(pixels.buffer, pixels.byteOffset, width * height);
  const redFirst = order === 'RGB';
  // Factors of the first and of the third byte; of the second one they are 40254, -22189 and -26145.
  const firstY = redFirst ? 11966 : 4064;
  const thirdY = redFirst ? 4064 : 11966;
  const firstU = redFirst ? -6596 : 28784;
  const thirdU = redFirst ? 28784 : -6596;
  const firstV = redFirst ? 28784 : -2640;
  const thirdV = redFirst ? -2640 : 28784;
  let atU = width * height;
  let atV = atU + (width * height) / 4;
  // Most blocks have one colour, and the same one as the block before.
  let known = ~words[0];
  let knownY = 0;
  let knownU = 0;
  let knownV = 0;
  for (let y = 0; y < height; y += 2) {
    let upper = y * width;
    let lower = upper + width;
    for (const end = lower; upper < end; upper += 2, lower += 2) {
      const a = words[upper];
      const b = words[upper + 1];
      const c = words[lower];
      const d = words[lower + 1];
      if (a === b && a === c && a === d) {
        if (a !== known) {
          const first = a & 255;
          const second = (a >> 8) & 255;
          const third = (a >> 16) & 255;
          known = a;
          knownY = (firstY * first + 40254 * second + thirdY * third + 1081344) >> 16;
          knownU = (firstU * first - 22189 * second + thirdU * third + 8421376) >> 16;
          knownV = (firstV * first - 26145 * second + thirdV * third + 8421376) >> 16;
        }
        planes[upper] = knownY;
        planes[upper + 1] = knownY;
        planes[lower] = knownY;
        planes[lower + 1] = knownY;
        planes[atU++] = knownU;
        planes[atV++] = knownV;
        continue;
      }
      planes[upper] = (firstY * (a & 255) + 40254 * ((a >> 8) & 255) + thirdY * ((a >> 16) & 255) + 1081344) >> 16;
      planes[upper + 1] = (firstY * (b & 255) + 40254 * ((b >> 8) & 255) + thirdY * ((b >> 16) & 255) + 1081344) >> 16;
      planes[lower] = (firstY * (c & 255) + 40254 * ((c >> 8) & 255) + thirdY * ((c >> 16) & 255) + 1081344) >> 16;
      planes[lower + 1] = (firstY * (d & 255) + 40254 * ((d >> 8) & 255) + thirdY * ((d >> 16) & 255) + 1081344) >> 16;
      const first = (a & 255) + (b & 255) + (c & 255) + (d & 255);
      const second = ((a >> 8) & 255) + ((b >> 8) & 255) + ((c >> 8) & 255) + ((d >> 8) & 255);
      const third = ((a >> 16) & 255) + ((b >> 16) & 255) + ((c >> 16) & 255) + ((d >> 16) & 255);
      planes[atU++] = (firstU * first - 22189 * second + thirdU * third + 33685504) >> 18;
      planes[atV++] = (firstV * first - 26145 * second + thirdV * third + 33685504) >> 18;
    }
  }
}
