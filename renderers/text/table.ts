import { cells, padEnd, padStart } from './plain.js';

export interface Column {
  readonly title: string;
  readonly align: 'left' | 'right';
  /** Width to keep although no cell needs it, in terminal cells. */
  readonly atLeast?: number;
}

/** Lines of a table, columns aligned by what a terminal shows. A row that is a text stands across all columns. */
export const tableLines = (columns: readonly Column[], rows: readonly (readonly string[] | string)[]): string[] => {
  const widths = columns.map(({ title, atLeast = 0 }, i) =>
    Math.max(atLeast, cells(title), ...rows.map((row) => (typeof row === 'string' ? 0 : cells(row[i] ?? '')))),
  );
  const line = (row: readonly string[]): string =>
    columns.map(({ align }, i) => (align === 'right' ? padStart : padEnd)(row[i] ?? '', widths[i] ?? 0)).join('  ').trimEnd();
  return [line(columns.map(({ title }) => title)), ...rows.map((row) => (typeof row === 'string' ? row : line(row)))];
};
