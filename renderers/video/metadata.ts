import type { Reel } from './reel.js';

/** Title, comment and chapters as an ffmetadata file. */
export const metadataFile = ({ title, chapters }: Pick<Reel, 'title' | 'chapters'>, comment: string): string =>
  [
    ';FFMETADATA1',
    `title=${escaped(title)}`,
    `comment=${escaped(comment)}`,
    ...chapters.flatMap((chapter) => ['[CHAPTER]', 'TIMEBASE=1/1000', `START=${Math.round(chapter.fromMs)}`, `END=${Math.round(chapter.toMs)}`, `title=${escaped(chapter.title)}`]),
    '',
  ].join('\n');

const escaped = (value: string): string => value.replace(/[=;#\\\n]/g, (char) => `\\${char}`);
