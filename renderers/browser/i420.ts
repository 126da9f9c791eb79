/** Bytes of a picture in 8-bit 4:2:0: a luma sample a pixel, two chroma samples a block of 2 × 2. */
export const i420Bytes = (width: number, height: number): number => (width * height * 3) / 2;

/**
 * Pixels of four bytes to 4:2:0 in BT.709 of television range (ITU-R BT.709-6, 8 bit: luma 16 to 235, chroma 16 to 240), chroma from the mean of each block.
 * `pixels` starts at a multiple of four bytes of its buffer; its fourth byte does not count. Width and height are even. Factors are 15 bit fixed point.
 * Knows nothing around it: the same text runs here and in the worker of a page.
 */
export function toI420(pixels: Uint8Array | Uint8ClampedArray, order: 'RGB' | 'BGR', planes: Uint8Array, width: number, height: number): void {
  const words = new Int32Array(pixels.buffer, pixels.byteOffset, width * height);
  const redFirst = order === 'RGB';
  // Factors of the first and of the third byte; of the second one they are 20127, -11094 and -13072.
  const firstY = redFirst ? 5983 : 2032;
  const thirdY = redFirst ? 2032 : 5983;
  const firstU = redFirst ? -3298 : 14392;
  const thirdU = redFirst ? 14392 : -3298;
  const firstV = redFirst ? 14392 : -1320;
  const thirdV = redFirst ? -1320 : 14392;
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
          knownY = (firstY * first + 20127 * second + thirdY * third + 540672) >> 15;
          knownU = (firstU * first - 11094 * second + thirdU * third + 4210688) >> 15;
          knownV = (firstV * first - 13072 * second + thirdV * third + 4210688) >> 15;
        }
        planes[upper] = knownY;
        planes[upper + 1] = knownY;
        planes[lower] = knownY;
        planes[lower + 1] = knownY;
        planes[atU++] = knownU;
        planes[atV++] = knownV;
        continue;
      }
      planes[upper] = (firstY * (a & 255) + 20127 * ((a >> 8) & 255) + thirdY * ((a >> 16) & 255) + 540672) >> 15;
      planes[upper + 1] = (firstY * (b & 255) + 20127 * ((b >> 8) & 255) + thirdY * ((b >> 16) & 255) + 540672) >> 15;
      planes[lower] = (firstY * (c & 255) + 20127 * ((c >> 8) & 255) + thirdY * ((c >> 16) & 255) + 540672) >> 15;
      planes[lower + 1] = (firstY * (d & 255) + 20127 * ((d >> 8) & 255) + thirdY * ((d >> 16) & 255) + 540672) >> 15;
      const first = (a & 255) + (b & 255) + (c & 255) + (d & 255);
      const second = ((a >> 8) & 255) + ((b >> 8) & 255) + ((c >> 8) & 255) + ((d >> 8) & 255);
      const third = ((a >> 16) & 255) + ((b >> 16) & 255) + ((c >> 16) & 255) + ((d >> 16) & 255);
      planes[atU++] = (firstU * first - 11094 * second + thirdU * third + 16842752) >> 17;
      planes[atV++] = (firstV * first - 13072 * second + thirdV * third + 16842752) >> 17;
    }
  }
}
