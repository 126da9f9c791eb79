import { inflateSync } from 'node:zlib';

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Four bytes a pixel: red, green, blue, and one that does not count. */
  readonly rgbx: Uint8Array;
}

/** Pixels of a PNG as browsers write them: 8 bit RGB or RGBA, not interlaced (PNG, third edition, section 9). */
export const decodePng = (png: Buffer): Pixels => {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  if (png[24] !== 8 || (png[25] !== 2 && png[25] !== 6) || png[28] !== 0) throw new Error(`Expected a PNG of 8 bit RGB or RGBA, found bit depth ${png[24]}, colour type ${png[25]}.`);
  const channels = png[25] === 6 ? 4 : 3;
  const rows = inflateSync(Buffer.concat(dataOf(png)));
  const stride = width * channels;
  const rgbx = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    const start = y * (stride + 1) + 1;
    unfilter(rows, start, stride, channels, y === 0);
    for (let x = 0, from = start, to = y * width * 4; x < width; x++, from += channels, to += 4) {
      rgbx[to] = rows[from];
      rgbx[to + 1] = rows[from + 1];
      rgbx[to + 2] = rows[from + 2];
    }
  }
  return { width, height, rgbx };
};

const dataOf = (png: Buffer): Buffer[] => {
  const data: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  return data;
};

/** In place; the row above is done. */
const unfilter = (rows: Buffer, start: number, stride: number, channels: number, first: boolean): void => {
  const filter = rows[start - 1];
  const above = start - stride - 1;
  for (let x = 0; x < stride; x++) {
    const left = x < channels ? 0 : rows[start + x - channels];
    const up = first ? 0 : rows[above + x];
    switch (filter) {
      case 1:
        rows[start + x] += left;
        break;
      case 2:
        rows[start + x] += up;
        break;
      case 3:
        rows[start + x] += (left + up) >> 1;
        break;
      case 4:
        rows[start + x] += paeth(left, up, first || x < channels ? 0 : rows[above + x - channels]);
        break;
    }
  }
};

const paeth = (left: number, up: number, corner: number): number => {
  const byLeft = Math.abs(up - corner);
  const byUp = Math.abs(left - corner);
  const byCorner = Math.abs(left + up - 2 * corner);
  return byLeft <= byUp && byLeft <= byCorner ? left : byUp <= byCorner ? up : corner;
};
