import type { Lang } from '../study/types.js';

/** Words of the report that are about the report: where something stands in it, and where a link leads. */
interface FormWords {
  readonly contents: string;
  /** A page that is referred to inside a sentence. */
  readonly page: (page: number) => string;
  /** Said of a link to those who cannot see where it leads. */
  readonly leadsTo: (text: string, page: number) => string;
  /** What a table holds, for those who hear it. */
  readonly table: (rows: number, columns: readonly string[]) => string;
}

const en: FormWords = {
  contents: 'Contents',
  page: (page) => `page ${page}`,
  leadsTo: (text, page) => `${text}, to page ${page}`,
  table: (rows, columns) => `${rows} ${rows === 1 ? 'row' : 'rows'} of ${columns.join(', ')}`,
};

const ko: FormWords = {
  contents: '차례',
  page: (page) => `${page}쪽`,
  leadsTo: (text, page) => `${text}, ${page}쪽으로 이동`,
  table: (rows, columns) => `${rows}행, 열: ${columns.join(', ')}`,
};

export const formWords: Readonly<Record<Lang, FormWords>> = { en, ko };
