/**
 * A Matroska stream of PNG pictures, each with the film frame from which it stands: how a picture that stays for many frames is handed over once.
 * A stream of bare pictures has no times, so each repetition would have to be decoded again.
 * Elements and their ids: RFC 9559; time stamps count film frames.
 */
export const streamHeader = ({ width, height, fps }: { readonly width: number; readonly height: number; readonly fps: number }): Buffer =>
  Buffer.concat([
    element('1a45dfa3', element('4286', uint(1)), element('42f7', uint(1)), element('42f2', uint(4)), element('42f3', uint(8)), element('4282', text('matroska')), element('4287', uint(4)), element('4285', uint(2))),
    id('18538067'),
    unknownSize,
    element('1549a966', element('2ad7b1', uint(Math.round(1e9 / fps))), element('4d80', text('faultreel')), element('5741', text('faultreel'))),
    element(
      '1654ae6b',
      element('ae', element('d7', uint(1)), element('73c5', uint(1)), element('83', uint(1)), element('9c', uint(0)), element('86', text('V_MS/VFW/FOURCC')), element('63a2', bitmapHeader(width, height)), element('e0', element('b0', uint(width)), element('ba', uint(height)))),
    ),
  ]);

/** One picture, from film frame `frame` on. */
export const streamPicture = (png: Uint8Array, frame: number): Buffer => element('1f43b675', element('e7', uint(frame)), element('a3', keyBlock, png));

/** Track 1, at the cluster's own time, a key frame. */
const keyBlock = Buffer.from([0x81, 0, 0, 0x80]);
const unknownSize = Buffer.from('01ffffffffffffff', 'hex');

/** BITMAPINFOHEADER of a 24 bit picture that is compressed as PNG. */
const bitmapHeader = (width: number, height: number): Buffer => {
  const header = Buffer.alloc(40);
  header.writeUInt32LE(40, 0);
  header.writeInt32LE(width, 4);
  header.writeInt32LE(height, 8);
  header.writeUInt16LE(1, 12);
  header.writeUInt16LE(24, 14);
  header.write('MPNG', 16, 'latin1');
  return header;
};

const element = (hexId: string, ...content: readonly Uint8Array[]): Buffer => {
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE((1n << 56n) | BigInt(content.reduce((sum, part) => sum + part.length, 0)));
  return Buffer.concat([id(hexId), size, ...content]);
};

const id = (hex: string): Buffer => Buffer.from(hex, 'hex');
const text = (value: string): Buffer => Buffer.from(value, 'latin1');
const uint = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
};
