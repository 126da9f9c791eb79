import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { i420Bytes, toI420 } from '../../renderers/browser/i420.js';
import { i420MemoryBytes, i420Module, simdConverter, type Assembly } from '../../renderers/browser/i420-simd.js';
import { likenessOf } from '../../renderers/browser/likeness.js';
import { decodePng } from '../../renderers/browser/png.js';

/** ITU-R BT.709-6, items 3.2 to 3.5, for 8 bit. */
const bt709 = ([red, green, blue]: readonly number[]): number[] => {
  const luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return [16 + (219 * luma) / 255, 128 + (224 * (blue - luma)) / 1.8556 / 255, 128 + (224 * (red - luma)) / 1.5748 / 255];
};

const colours = [[0, 0, 0], [255, 255, 255], [255, 0, 0], [0, 255, 0], [0, 0, 255], [12, 17, 23], [243, 246, 248], [255, 97, 124], [45, 191, 163]];

/** Pixels of a picture, a colour each, in the bytes' order. */
const pixelsOf = (pixels: readonly (readonly number[])[], order: 'RGB' | 'BGR', fourth = 255): Uint8Array =>
  Uint8Array.from(pixels.flatMap(([red, green, blue]) => (order === 'RGB' ? [red, green, blue, fourth] : [blue, green, red, fourth])));

describe('toI420', () => {
  test.each(['RGB', 'BGR'] as const)('gives each colour the samples of BT.709 in television range, from bytes in the order %s', (order) => {
    for (const colour of colours) {
      const planes = new Uint8Array(i420Bytes(4, 2));
      toI420(pixelsOf(Array.from({ length: 8 }, () => colour), order, 0), order, planes, 4, 2);
      const [y, u, v] = bt709(colour).map(Math.round);
      for (const [index, sample] of [...planes].entries()) expect(Math.abs(sample - [y, y, y, y, y, y, y, y, u, u, v, v][index])).toBeLessThanOrEqual(1);
    }
  });

  test.each(['RGB', 'BGR'] as const)('gives a block of many colours the luma of each and the mean of their chroma, from bytes in the order %s', (order) => {
    const pixels = Array.from({ length: 6 * 4 }, (_, index) => colours[(index * 5) % colours.length]);
    const planes = new Uint8Array(i420Bytes(6, 4));
    toI420(pixelsOf(pixels, order), order, planes, 6, 4);
    pixels.forEach((colour, index) => expect(Math.abs(planes[index] - bt709(colour)[0])).toBeLessThanOrEqual(1));
    for (let block = 0; block < 6; block++) {
      const [x, y] = [(block % 3) * 2, Math.floor(block / 3) * 2];
      const four = [0, 1, 6, 7].map((offset) => bt709(pixels[y * 6 + x + offset]));
      for (const plane of [1, 2]) expect(Math.abs(planes[24 + (plane - 1) * 6 + block] - four.reduce((sum, samples) => sum + samples[plane], 0) / 4)).toBeLessThanOrEqual(1);
    }
  });
});

describe('simdConverter', () => {
  test.each([
    ['RGB', 8, 2],
    ['BGR', 8, 2],
    ['RGB', 1080, 62],
    ['BGR', 104, 40],
  ] as const)('gives the samples of toI420, to the bit, from bytes in the order %s at %d × %d', (order, width, height) => {
    const converter = simdConverter(i420Module(i420MemoryBytes(width, height)), (globalThis as unknown as { WebAssembly: Assembly }).WebAssembly, width, height);
    let state = 88;
    const next = (): number => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648);
    // Every corner of the cube first, then noise with what is like around it.
    converter.pixels.forEach((_, index, all) => (all[index] = index < 256 ? ((index >> 2) >> (index & 3)) & 1 ? 255 : 0 : next() % 7 === 0 ? next() >> 8 : all[index - 4]));
    const planes = new Uint8Array(i420Bytes(width, height));
    toI420(converter.pixels, order, planes, width, height);
    converter.convert(order);
    expect(Buffer.compare(converter.planes, planes)).toBe(0);
    expect(new Set(planes).size).toBeGreaterThan(3);
  });
});

describe('likenessOf', () => {
  const [width, height] = [64, 32];
  const grey = (): Uint8Array => new Uint8Array(i420Bytes(width, height)).fill(100);

  test('is without end for the same picture', () => expect(likenessOf(grey(), grey(), width, height)).toEqual({ wholeDb: Infinity, worstBlockDb: Infinity }));

  test('counts every sample once: all off by one is 48 dB, as a whole and in each block', () => {
    const { wholeDb, worstBlockDb } = likenessOf(grey(), grey().map((sample) => sample + 1), width, height);
    expect([wholeDb.toFixed(2), worstBlockDb.toFixed(2)]).toEqual(['48.13', '48.13']);
  });

  test('sees in its block what the whole does not show, and wrong colour in the whole', () => {
    const wrong = grey();
    for (let y = 16; y < 24; y++) wrong.fill(255, y * width + 20, y * width + 23);
    const digit = likenessOf(grey(), wrong, width, height);
    expect(digit.worstBlockDb).toBeLessThan(15);
    expect(digit.wholeDb - digit.worstBlockDb).toBeGreaterThan(10);
    const colour = likenessOf(grey(), grey().fill(140, width * height), width, height);
    expect(colour.wholeDb).toBeLessThan(25);
    expect(colour.worstBlockDb).toBe(Infinity);
  });
});

describe('decodePng', () => {
  const chunk = (type: string, data: Buffer): Buffer => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(data.length);
    head.write(type, 4, 'latin1');
    // No reader here looks at the check sum.
    return Buffer.concat([head, data, Buffer.alloc(4)]);
  };
  const png = (width: number, height: number, colourType: number, rows: Buffer): Buffer => {
    const header = Buffer.alloc(13);
    header.writeUInt32BE(width);
    header.writeUInt32BE(height, 4);
    header.set([8, colourType, 0, 0, 0], 8);
    const data = deflateSync(rows);
    return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IHDR', header), chunk('IDAT', data.subarray(0, 5)), chunk('tEXt', Buffer.from('a\0b')), chunk('IDAT', data.subarray(5)), chunk('IEND', Buffer.alloc(0))]);
  };

  test.each([
    ['RGB', 2, 3],
    ['RGBA', 6, 4],
  ] as const)('undoes each filter, first row and first pixel included, for %s', (_, colourType, channels) => {
    const [width, height] = [5, 10];
    const sample = (x: number, y: number, channel: number): number => (x * 37 + y * 91 + channel * 53 + x * y * 7) % 256;
    const rows = Buffer.alloc(height * (1 + width * channels));
    for (let y = 0; y < height; y++) {
      const filter = y % 5;
      const start = y * (1 + width * channels);
      rows[start] = filter;
      for (let x = 0; x < width; x++) {
        for (let channel = 0; channel < channels; channel++) {
          const at = (dx: number, dy: number): number => (x + dx < 0 || y + dy < 0 ? 0 : sample(x + dx, y + dy, channel));
          const [left, up, corner] = [at(-1, 0), at(0, -1), at(-1, -1)];
          const nearest = [left, up, corner].sort((a, b) => Math.abs(left + up - corner - a) - Math.abs(left + up - corner - b))[0];
          const predicted = [0, left, up, Math.floor((left + up) / 2), nearest][filter];
          rows[start + 1 + x * channels + channel] = (sample(x, y, channel) - predicted) & 255;
        }
      }
    }
    const decoded = decodePng(png(width, height, colourType, rows));
    expect([decoded.width, decoded.height]).toEqual([width, height]);
    for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) expect([...decoded.rgbx.subarray((y * width + x) * 4, (y * width + x) * 4 + 3)]).toEqual([0, 1, 2].map((channel) => sample(x, y, channel)));
  });

  test('refuses other kinds', () => expect(() => decodePng(png(1, 1, 0, Buffer.from([0, 7])))).toThrow('Expected a PNG of 8 bit RGB or RGBA'));
});
