import path from 'node:path';

export interface TarFile {
  readonly name: string;
  readonly content: Uint8Array;
}

/**
 * Plain files of a ustar archive; folders and links are passed over.
 * Throws on a name that would leave the folder that it is unpacked into.
 */
export const tarFiles = (archive: Buffer): TarFile[] => {
  const files: TarFile[] = [];
  let offset = 0;
  while (offset + blockBytes <= archive.length && archive[offset] !== 0) {
    const header = archive.subarray(offset, offset + blockBytes);
    const size = Number.parseInt(field(header, 124, 12), 8) || 0;
    const name = [field(header, 345, 155), field(header, 0, 100)].filter((part) => part !== '').join('/');
    const kind = field(header, 156, 1);
    offset += blockBytes;
    if (kind === '' || kind === '0') files.push({ name: inside(name), content: archive.subarray(offset, offset + size) });
    offset += Math.ceil(size / blockBytes) * blockBytes;
  }
  return files;
};
const blockBytes = 512;

const field = (header: Buffer, from: number, length: number): string => header.toString('latin1', from, from + length).replace(/\0[^]*$/, '').trim();

const inside = (name: string): string => {
  const normal = path.posix.normalize(name);
  if (normal.startsWith('/') || normal.split('/').includes('..')) throw new Error(`An archive names a file outside of it: ${name}`);
  return normal;
};
