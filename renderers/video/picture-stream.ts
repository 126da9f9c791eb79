import type { PixelFormat } from '../browser/camera.js';

/**
 * A Matroska stream of pictures, each with the film frame from which it stands: how a picture that stays for many frames is handed over once.
 * A stream of bare pictures has no times, so each repetition would have to be read, and decoded, again.
 * Elements and their ids: RFC 9559; time stamps count film frames.
 */
export const streamHeader = ({ width, height, fps, format }: { readonly width: number; readonly height: number; readonly fps: number; readonly format: PixelFormat }): Buffer =>
  Buffer.concat([
    element('1a45dfa3', element('4286', uint(1)), element('42f7', uint(1)), element('42f2', uint(4)), element('42f3', uint(8)), element('4282', text('matroska')), element('4287', uint(4)), element('4285', uint(2))),
    id('18538067'),
    unknownSize,
    element('1549a966', element('2ad7b1', uint(Math.round(1e9 / fps))), element('4d80', text('faultreel')), element('5741', text('faultreel'))),
    element(
      '1654ae6b',
      element(
        'ae',
        element('d7', uint(1)),
        element('73c5', uint(1)),
        element('83', uint(1)),
        element('9c', uint(0)),
        element('86', text('V_MS/VFW/FOURCC')),
        element('63a2', bitmapHeader(width, height, format)),
        element('e0', element('b0', uint(width)), element('ba', uint(height)), ...(format === 'i420' ? [bt709] : [])),
      ),
    ),
  ]);

/** What precedes the `byteLength` bytes of a picture that stands from film frame `frame` on. The bytes themselves follow as they are, so that nobody has to copy them. */
export const pictureHead = (byteLength: number, frame: number): Buffer => {
  const time = element('e7', uint(frame));
  const block = Buffer.concat([id('a3'), size(keyBlock.length + byteLength), keyBlock]);
  return Buffer.concat([id('1f43b675'), size(time.length + block.length + byteLength), time, block]);
};

/** Track 1, at the cluster's own time, a key frame. */
const keyBlock = Buffer.from([0x81, 0, 0, 0x80]);
const unknownSize = Buffer.from('01ffffffffffffff', 'hex');

/** What the two formats are called in a BITMAPINFOHEADER. */
const bitmapKinds: Record<PixelFormat, { readonly fourCc: string; readonly bits: number }> = { png: { fourCc: 'MPNG', bits: 24 }, i420: { fourCc: 'I420', bits: 12 } };

const bitmapHeader = (width: number, height: number, format: PixelFormat): Buffer => {
  const { fourCc, bits } = bitmapKinds[format];
  const header = Buffer.alloc(40);
  header.writeUInt32LE(40, 0);
  header.writeInt32LE(width, 4);
  header.writeInt32LE(height, 8);
  header.writeUInt16LE(1, 12);
  header.writeUInt16LE(bits, 14);
  header.write(fourCc, 16, 'latin1');
  return header;
};

const element = (hexId: string, ...content: readonly Uint8Array[]): Buffer => Buffer.concat([id(hexId), size(content.reduce((sum, part) => sum + part.length, 0)), ...content]);

const size = (byteLength: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE((1n << 56n) | BigInt(byteLength));
  return bytes;
};

const id = (hex: string): Buffer => Buffer.from(hex, 'hex');
const text = (value: string): Buffer => Buffer.from(value, 'latin1');
const uint = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
};

/** Planes come in the film's own colours (BT.709, television range): said, so that no version of ffmpeg converts what it has to guess. */
const bt709 = element('55b0', element('55b1', uint(1)), element('55b9', uint(1)), element('55ba', uint(1)), element('55bb', uint(1)));
