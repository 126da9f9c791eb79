import { open, type FileHandle } from 'node:fs/promises';

/**
 * Switches the film's subtitle track off until a viewer wants it: the pictures carry their captions already.
 * ffmpeg switches on the first track of each kind, whatever it is asked (`enable_tracks` of its movenc.c), so one bit is changed in the file that it wrote.
 */
export const switchSubtitlesOff = async (file: string): Promise<void> => {
  const handle = await open(file, 'r+');
  try {
    const movie = await movieOf(handle);
    if (!movie) return;
    for (const track of boxesIn(movie.bytes, 8, movie.bytes.length).filter(({ type }) => type === 'trak')) {
      const { header, kind } = trackOf(movie.bytes, track);
      if (kind !== 'sbtl' || header === null) continue;
      // Version, then three bytes of flags; the lowest bit is "enabled".
      const at = header + 8 + 3;
      await handle.write(Uint8Array.of(movie.bytes[at] & ~1), 0, 1, movie.at + at);
    }
  } finally {
    await handle.close();
  }
};

interface Box {
  readonly type: string;
  readonly at: number;
  readonly end: number;
}

/** The box that describes the tracks: whole, it is small. */
const movieOf = async (handle: FileHandle): Promise<{ readonly at: number; readonly bytes: Buffer } | null> => {
  const { size: fileSize } = await handle.stat();
  const head = Buffer.alloc(16);
  for (let at = 0; at + 16 <= fileSize; ) {
    await handle.read(head, 0, 16, at);
    const size = sizeOf(head, 0, fileSize - at);
    if (head.toString('latin1', 4, 8) === 'moov') {
      const bytes = Buffer.alloc(size);
      await handle.read(bytes, 0, size, at);
      return { at, bytes };
    }
    at += size;
  }
  return null;
};

/** 1 announces a size of 64 bits behind the type, 0 means "to the end". */
const sizeOf = (bytes: Buffer, at: number, rest: number): number => {
  const size = bytes.readUInt32BE(at);
  return size === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : size === 0 ? rest : size;
};

const boxesIn = (bytes: Buffer, from: number, to: number): Box[] => {
  const boxes: Box[] = [];
  for (let at = from; at + 8 <= to; ) {
    const end = at + Math.max(8, sizeOf(bytes, at, to - at));
    boxes.push({ type: bytes.toString('latin1', at + 4, at + 8), at, end });
    at = end;
  }
  return boxes;
};

/** Where a track's header is, and what its handler says it holds. */
const trackOf = (bytes: Buffer, track: Box): { readonly header: number | null; readonly kind: string } => {
  const parts = boxesIn(bytes, track.at + 8, track.end);
  const media = parts.find(({ type }) => type === 'mdia');
  const handler = media && boxesIn(bytes, media.at + 8, media.end).find(({ type }) => type === 'hdlr');
  return { header: parts.find(({ type }) => type === 'tkhd')?.at ?? null, kind: handler ? bytes.toString('latin1', handler.at + 16, handler.at + 20) : '' };
};
