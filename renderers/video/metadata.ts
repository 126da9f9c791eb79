import type { Reel } from './reel.js';

/** Title and chapters as an ffmetadata file. */
export const metadataFile = ({ title, chapters }: Pick<Reel, 'title' | 'chapters'>): string =>
  [
    ';FFMETADATA1',
    `title=${escaped(title)}`,
    ...chapters.flatMap((chapter) => ['[CHAPTER]', 'TIMEBASE=1/1000', `START=${Math.round(chapter.fromMs)}`, `END=${Math.round(chapter.toMs)}`, `title=${escaped(chapter.title)}`]),
    '',
  ].join('\n');

const escaped = (value: string): string => value.replace(/[=;#\\\n]/g, (char) => `\\${char}`);
