import type { Canvas } from '../look/drawing.js';
import type { Mark } from '../look/figure.js';
import { print } from '../look/palette.js';
import type { Weight } from '../look/text-width.js';
import { reportWords } from '../../src/text/report.js';
import { formWords } from '../../src/text/report-form.js';
import type { Element, InkShape } from './book.js';
import { column, type Flow, styles } from './flow.js';
import { baselineOf, drawn, lineShapes } from './line-ink.js';
import { withLinks } from './linked-ink.js';
import { breakLines, markOnly, plainText, type Line, type TextStyle } from './rich.js';

export interface TableColumn {
  readonly title: string;
  /** Points; the widths of all columns add up to at most the text column. */
  readonly width: number;
  readonly align?: 'start' | 'end';
  readonly weight?: Weight;
  /** The basis of every figure in this column, said once in its head. */
  readonly mark?: Mark;
}

/** Markup, or a small picture with its words. */
export type Cell = string | { readonly height: number; readonly words: string; readonly draw: (canvas: Canvas, x: number, y: number, width: number) => void };

export interface Table {
  /** Said again, with "(continued)", where the table goes on. */
  readonly title: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly (readonly Cell[])[];
  /** What stands there instead of no rows. */
  readonly empty: string;
  readonly size?: number;
  /** Names of the places that the rows are, for links to lead to; see `Flow.anchor`. */
  readonly places?: readonly (readonly string[])[];
}

const gap = 10;
const padding = 4;

/**
 * A table with a head that is repeated on every page it goes on to. A row is never split: it moves to the next page whole.
 * A row that is taller than a page is cut at the page's end, with an ellipsis.
 */
export const drawTable = (flow: Flow, table: Table): void => {
  const style = styleOf(table);
  const laid = table.rows.map((cells) => layRow(table, cells, style, maximumRow(flow)));
  flow.need(headHeight + beginning(flow, laid));
  const body: Element = { tag: 'TBody', children: [] };
  const head: Element = { tag: 'THead', children: [drawHead(flow, table)] };
  flow.append({ tag: 'Table', title: plainText(table.title), summary: formWords[flow.lang].table(table.rows.length, table.columns.map(({ title }) => plainText(title))), children: [head, body] });
  if (laid.length === 0) body.children.push(emptyRow(flow, table, style));
  for (const [index, row] of laid.entries()) {
    if (flow.need(row.height)) repeatHead(flow, table);
    for (const name of table.places?.[index] ?? []) flow.anchor(name);
    body.children.push(drawRow(flow, table, row, style));
  }
  flow.space(4);
};

/** What of the rows stands right under the head: two of them, where they are not very tall. */
const beginning = (flow: Flow, [first, second]: readonly LaidRow[]): number => {
  const [one, two] = [first?.height ?? 16, second?.height ?? 0];
  return one + two < flow.height / 3 ? one + two : one;
};

/** Height of a table that stands on one page, its head included. */
export const tableHeight = (table: Table): number => headHeight + 4 + table.rows.reduce((sum, cells) => sum + layRow(table, cells, styleOf(table), Infinity).height, 0);

const styleOf = ({ size = 8 }: Table): TextStyle => ({ size, lineHeight: size * 1.26 });

const headHeight = 15;
const maximumRow = (flow: Flow): number => flow.height - 2 * headHeight - 12;

interface LaidRow {
  readonly height: number;
  readonly cells: readonly { readonly cell: Cell; readonly lines: readonly Line[] }[];
}

const layRow = (table: Table, cells: readonly Cell[], style: TextStyle, most: number): LaidRow => {
  const laid = cells.map((cell, index) => {
    const of = table.columns[index];
    return { cell, lines: typeof cell === 'string' ? breakLines(cell, of.width - (isLast(table, index) ? 0 : gap), { ...style, weight: of.weight ?? 400 }) : [] };
  });
  const lineHeight = style.lineHeight!;
  const tallest = Math.max(1, ...laid.map(({ lines }) => lines.length)) * lineHeight;
  const picture = Math.max(0, ...cells.map((cell) => (typeof cell === 'string' ? 0 : cell.height)));
  const height = Math.max(tallest, picture) + 2 * padding - 2;
  if (height <= most) return { height, cells: laid };
  const room = Math.floor((most - 2 * padding) / lineHeight);
  return { height: most, cells: laid.map(({ cell, lines }) => ({ cell, lines: lines.length > room ? [...lines.slice(0, room - 1), ellipsis] : lines })) };
};
const ellipsis: Line = { atoms: [{ text: '…', weight: 400, x: 0 }], width: 8 };

const isLast = (table: Table, index: number): boolean => index === table.columns.length - 1;

const lefts = (table: Table): number[] => {
  let x: number = column.left;
  return table.columns.map(({ width }) => {
    const left = x;
    x += width;
    return left;
  });
};

/** Where a line of this width begins in its column. */
const startOf = (table: Table, index: number, left: number, width: number): number => {
  const of = table.columns[index];
  return of.align === 'end' ? left + of.width - (isLast(table, index) ? 0 : gap) - width : left;
};

const drawHead = (flow: Flow, table: Table): Element => {
  const cells = headCells(flow, table);
  flow.y += headHeight;
  return { tag: 'TR', children: cells.map((shapes): Element => ({ tag: 'TH', scope: 'Column', children: withLinks([{ page: flow.page, shapes }]) })) };
};

const headCells = (flow: Flow, table: Table): InkShape[][] => {
  const at = lefts(table);
  const cells = table.columns.map(({ title, mark }, index) => {
    const line = breakLines(`${mark ? markOnly(mark) : ''}${title}`, 1000, styles.small)[0];
    return line ? lineShapes(line, startOf(table, index, at[index], line.width), flow.y + 8, styles.small) : [];
  });
  flow.rule(flow.y + 12, 'strong');
  return cells;
};

/** On a further page the head is furniture: a reader who hears the table has it already. */
const repeatHead = (flow: Flow, table: Table): void => {
  const { continued } = reportWords[flow.lang];
  flow.artifacts.push({ page: flow.page, shapes: drawn((canvas) => canvas.runs(column.left, flow.y + 8, [{ text: plainText(table.title), weight: 700 }, { text: ` ${continued}`, fill: print.text3 }], { size: 8 })) });
  flow.y += 16;
  flow.artifacts.push({ page: flow.page, shapes: headCells(flow, table).flat() });
  flow.y += headHeight;
};

const drawRow = (flow: Flow, table: Table, row: LaidRow, style: TextStyle): Element => {
  const at = lefts(table);
  const lineHeight = style.lineHeight!;
  const top = flow.y + padding - 1;
  const cells = row.cells.map(({ cell, lines }, index): Element => {
    const left = at[index];
    const shapes = typeof cell === 'string'
      ? lines.flatMap((line, k) => lineShapes(line, startOf(table, index, left, line.width), top + k * lineHeight + baselineOf(style.size, lineHeight), style))
      : drawn((canvas) => cell.draw(canvas, left, top, table.columns[index].width - (isLast(table, index) ? 0 : gap)));
    const ink = { page: flow.page, shapes };
    const children = typeof cell === 'string' ? withLinks([ink]) : [{ tag: 'Figure' as const, alt: plainText(cell.words), box: { x: left, y: top, width: table.columns[index].width, height: cell.height }, children: [ink] }];
    return { tag: index === 0 ? 'TH' : 'TD', ...(index === 0 ? { scope: 'Row' as const } : {}), children };
  });
  flow.y += row.height;
  flow.rule(flow.y);
  return { tag: 'TR', children: cells };
};

const emptyRow = (flow: Flow, table: Table, style: TextStyle): Element => {
  const line = breakLines(table.empty, column.width, style)[0];
  const shapes = line ? lineShapes(line, column.left, flow.y + padding + 7, { ...style, fill: print.text2 }) : [];
  flow.y += 17;
  flow.rule(flow.y);
  return { tag: 'TR', children: [{ tag: 'TD', children: [{ page: flow.page, shapes }] }] };
};
