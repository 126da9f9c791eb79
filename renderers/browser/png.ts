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
  const stride = width * channels;
  // In one piece: by default it comes in pieces of 16 kB that are put together.
  const rows = inflateSync(Buffer.concat(dataOf(png)), { chunkSize: Math.max(64, (stride + 1) * height + 64) });
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

/** In place; the row above is done. A loop a filter: this is most of the time that a picture takes. */
const unfilter = (rows: Buffer, start: number, stride: number, channels: number, first: boolean): void => {
  const end = start + stride;
  const above = stride + 1;
  switch (rows[start - 1]) {
    case 1:
      for (let at = start + channels; at < end; at++) rows[at] += rows[at - channels];
      return;
    case 2:
      if (!first) for (let at = start; at < end; at++) rows[at] += rows[at - above];
      return;
    case 3:
      for (let at = start; at < end; at++) rows[at] += ((at < start + channels ? 0 : rows[at - channels]) + (first ? 0 : rows[at - above])) >> 1;
      return;
    case 4:
      for (let at = start; at < end; at++) {
        const left = at < start + channels ? 0 : rows[at - channels];
        const up = first ? 0 : rows[at - above];
        rows[at] += paeth(left, up, first || at < start + channels ? 0 : rows[at - above - channels]);
      }
      return;
  }
};

const paeth = (left: number, up: number, corner: number): number => {
  const byLeft = Math.abs(up - corner);
  const byUp = Math.abs(left - corner);
  const byCorner = Math.abs(left + up - 2 * corner);
  return byLeft <= byUp && byLeft <= byCorner ? left : byUp <= byCorner ? up : corner;
};
