import { print } from '../../look/palette.js';
import { shorten } from '../../look/shorten.js';
import { textWidth } from '../../look/text-width.js';
import { formWords } from '../../../src/text/report-form.js';
import type { Element, Ink } from '../book.js';
import { column, type Flow } from '../flow.js';
import { drawn } from '../line-ink.js';
import { headingPlace } from '../outline.js';

interface Entry {
  readonly level: 1 | 2;
  readonly title: string;
  readonly place: string;
  readonly page: number;
}

const gap = 22;
const width = (column.width - gap) / 2;
const lineHeight = 11.4;
const indent = 10;
const headHeight = 20;
const size = 8;

/** The report's parts and their pages, each a link, in two columns. What the laying before this one found: nothing when there was none. */
export const contents = (flow: Flow): void => {
  let entries = entriesOf(flow);
  if (entries.length === 0) return;
  // It follows the first page, and stands under its overhang where it has one.
  if (flow.page === 0) flow.turn();
  flow.space(24);
  flow.need(headHeight + 6 * lineHeight);
  flow.anchor('contents');
  flow.add('H2', [{ page: flow.page, shapes: drawn((canvas) => canvas.text(column.left, flow.y + 11, formWords[flow.lang].contents, { size: 11, weight: 700 })) }]);
  flow.y += headHeight;
  const list: Element = { tag: 'TOC', children: [] };
  flow.append(list);
  while (entries.length > 0) {
    const fitting = Math.max(1, Math.floor(flow.left / lineHeight));
    const rows = Math.min(fitting, balanced(entries));
    drawColumns(flow, list, entries.slice(0, 2 * rows), rows);
    entries = entries.slice(2 * rows);
    if (entries.length > 0) flow.turn();
  }
};

/** Headings that are repeated in a part, such as one for each service, stand once. */
const entriesOf = ({ before }: Flow): Entry[] => {
  const entries: Entry[] = [];
  let seen = new Set<string>();
  before.headings.forEach(({ level, title, page }, index) => {
    if (level === 1) seen = new Set();
    if (seen.has(title)) return;
    seen.add(title);
    entries.push({ level, title, place: headingPlace(index), page });
  });
  return entries;
};

/** Rows of the left column: half of all, and no part's title alone at its foot. */
const balanced = (entries: readonly Entry[]): number => {
  const half = Math.ceil(entries.length / 2);
  return half > 1 && entries[half - 1].level === 1 ? half + 1 : half;
};

const drawColumns = (flow: Flow, list: Element, entries: readonly Entry[], rows: number): void => {
  let part = list;
  entries.forEach((entry, index) => {
    const x = column.left + Math.floor(index / rows) * (width + gap);
    const item = entryElement(flow, entry, x, flow.y + (index % rows) * lineHeight);
    if (entry.level === 1) {
      list.children.push(item);
      part = { tag: 'TOC', children: [] };
      item.children.push(part);
    } else part.children.push(item);
  });
  flow.y += rows * lineHeight;
};

const entryElement = (flow: Flow, { level, title, place, page }: Entry, columnX: number, y: number): Element => {
  const [x, right, baseline, weight] = [columnX + (level === 2 ? indent : 0), columnX + width, y + 8.2, level === 1 ? 700 : 400] as const;
  const number = String(page + 1);
  const numberWidth = textWidth(number, size, weight);
  const words = shorten(title, right - x - numberWidth - 16, size, weight);
  const ink: Ink = {
    page: flow.page,
    shapes: drawn((canvas) => {
      canvas.text(x, baseline, `${words} `, { size, weight });
      canvas.text(right, baseline, number, { size, weight, anchor: 'end' });
    }),
  };
  const [from, to] = [x + textWidth(words, size, weight) + 5, right - numberWidth - 5];
  if (to > from) flow.artifact((canvas) => canvas.line(from, baseline - 0.2, to, baseline - 0.2, { stroke: print.line2, strokeWidth: 0.6, dash: [0.6, 2.4] }));
  return { tag: 'TOCI', children: [{ tag: 'Link', link: { to: place, areas: [{ page: flow.page, box: { x, y, width: right - x, height: lineHeight } }] }, children: [ink] }] };
};
