import type { PictureHost } from '../../../src/study/types.js';
import { frame, type Box } from '../frame.js';
import { nameOf, type Structure } from '../structure.js';
import { columnsOf } from './columns.js';
import { acrossOf, cardsOf, cutDown, heightOf, widthsOf, type Card } from './plan.js';
import { routesOf, widestOf, type Route } from './routes.js';

/** The board: every part of the system a card, in as many columns as the calls are deep. */
export interface Board {
  readonly cards: readonly PlacedCard[];
  readonly columns: readonly { readonly left: number; readonly right: number; readonly boxes: readonly Box[] }[];
  /** The strip of each machine that services share. */
  readonly hosts: readonly { readonly host: PictureHost; readonly box: Box }[];
  /** Ways of the links, by `caller.callee`. */
  readonly routes: ReadonlyMap<string, Route>;
  /** Names of what found no place. */
  readonly hidden: readonly string[];
}
export interface PlacedCard extends Card {
  readonly box: Box;
  readonly column: number;
}

/** Above a card there is room for the sign of a fault. */
const top = 142;
const hostStrip = { height: 58, gap: 16 } as const;
const stackGap = { most: 64, least: 30 } as const;
/** Between columns: wished for, and accepted step by step. */
const gapWish = 116;
const gapSteps = [92, 60, 36] as const;

export const boardOf = (structure: Structure): Board => {
  const hidden: string[] = [];
  const bottom = frame.stage.bottom - (structure.hosts.length > 0 ? hostStrip.height + hostStrip.gap : 0);
  const room = bottom - top;
  const { columns, gap } = fitted(columnsOf(cardsOf(structure), structure), structure, room, hidden);
  const { widths, gaps } = shared(columns, structure, gap);
  const cards: PlacedCard[] = [];
  const placed: { left: number; right: number; boxes: Box[] }[] = [];
  let x: number = frame.margin;
  columns.forEach((column, index) => {
    const boxes = stacked(column, x, widths[index], { top, bottom }, passing(columns, structure, index));
    cards.push(...column.map((card, i) => ({ ...card, box: boxes[i], column: index })));
    placed.push({ left: x, right: x + widths[index], boxes });
    x += widths[index] + (gaps[index] ?? 0);
  });
  return { cards, columns: placed, hosts: hostStrips(structure), routes: routesOf(cards, placed, structure, { top: frame.stage.top + 4, bottom: bottom + (structure.hosts.length > 0 ? 4 : 8) }), hidden };
};

const hostStrips = ({ hosts }: Structure): Board['hosts'] => {
  const width = (frame.right - frame.margin - (hosts.length - 1) * 16) / Math.max(1, hosts.length);
  return hosts.map((host, i) => ({ host, box: { x: frame.margin + i * (width + 16), y: frame.stage.bottom - hostStrip.height, width, height: hostStrip.height } }));
};

/** Cuts cards down until columns are low enough and all of them narrow enough; what is left over then is hidden. */
const fitted = (drafts: Card[][], structure: Structure, room: number, hidden: string[]): { columns: Card[][]; gap: number } => {
  let columns = drafts.map((column, index) => lowered(column, room - passing(drafts, structure, index), hidden));
  const fits = (gap: number): boolean => leastWidth(columns, structure) + gap * (columns.length - 1) <= frame.right - frame.margin;
  const narrow = (gap: number, form: Card['form']): boolean => {
    for (let next; !fits(gap) && (next = narrowed(columns, structure, form)); ) columns = next.map((column, index) => lowered(column, room - passing(next!, structure, index), hidden));
    return fits(gap);
  };
  for (;;) {
    // Lanes become cells before gaps shrink, cells stand in more rows before they shrink again.
    for (const [gap, form] of [[gapSteps[0], 'lanes'], [gapSteps[1], 'cells'], [gapSteps[2], 'cells']] as const) if (narrow(gap, form)) return { columns, gap };
    // Not even the narrowest form fits: the deepest callees are named in words.
    hidden.push(...columns.at(-1)!.map(({ name }) => name));
    columns = columns.slice(0, -1);
  }
};

const leastWidth = (columns: readonly Card[][], structure: Structure): number => columns.reduce((sum, column) => sum + columnWidths(column, structure).least, 0);

const columnWidths = (column: readonly Card[], structure: Structure): { least: number; wish: number } => {
  const all = column.map((card) => widthsOf(card, structure.links.filter(({ caller }) => caller === card.name).length > 1));
  return { least: Math.max(...all.map(({ least }) => least)), wish: Math.max(...all.map(({ wish }) => wish)) };
};

/** The widest column in a narrower form: cells for lanes, fewer cells side by side; null where nothing is left to narrow. */
const narrowed = (columns: readonly Card[][], structure: Structure, form: Card['form']): Card[][] | null => {
  const byWidth = columns.map((column, index) => ({ index, width: columnWidths(column, structure).least })).toSorted((a, b) => b.width - a.width || a.index - b.index);
  for (const { index } of byWidth) {
    const next = columns[index].map((card) => (card.form !== form ? card : form === 'lanes' ? { ...card, form: 'cells' as const } : card.across > 3 ? { ...card, across: card.across - 1 } : card));
    if (next.some((card, i) => card !== columns[index][i])) return columns.map((column, i) => (i === index ? next : column));
  }
  return null;
};

const lowered = (column: Card[], room: number, hidden: string[]): Card[] => {
  let cards = column.map((card) => (card.form === 'cells' ? { ...card, across: Math.min(card.across, acrossOf(card.service!.instancesMax)) } : card));
  while (stackHeight(cards) > room) {
    const order = cards.map((card, index) => ({ index, height: heightOf(card), next: cutDown(card) })).filter(({ next }) => next !== null);
    if (order.length === 0) {
      hidden.push(cards.at(-1)!.name);
      cards = cards.slice(0, -1);
      continue;
    }
    const tallest = order.reduce((a, b) => (b.height > a.height ? b : a));
    // Sources are of one size.
    cards = cards.map((card, index) => (index === tallest.index || (card.traffic && cards[tallest.index].traffic) ? (cutDown(card) ?? card) : card));
  }
  return cards;
};

const stackHeight = (cards: readonly Card[]): number => cards.reduce((sum, card) => sum + heightOf(card), 0) + gapLeast(cards) * (cards.length - 1);
const gapLeast = (cards: readonly Card[]): number => (cards.every(({ traffic }) => traffic) ? 12 : stackGap.least);

/** Height that the links which only pass a column need. */
const passing = (columns: readonly (readonly Card[])[], structure: Structure, index: number): number => {
  const columnOf = (name: string): number => columns.findIndex((column) => column.some((card) => card.name === name));
  return structure.links.reduce((sum, link) => {
    const [from, to] = [columnOf(link.caller), columnOf(link.callee)];
    return from >= 0 && to >= 0 && Math.min(from, to) < index && Math.max(from, to) > index ? sum + widestOf(nameOf(link), structure) + 12 : sum;
  }, 0);
};

/** First the gaps grow to what ribbons and labels need, then the cards to what they wish; the rest is shared equally between the gaps. */
const shared = (columns: readonly Card[][], structure: Structure, gap: number): { widths: number[]; gaps: number[] } => {
  const count = Math.max(1, columns.length - 1);
  const all = columns.map((column) => columnWidths(column, structure));
  let free = frame.right - frame.margin - all.reduce((sum, { least }) => sum + least, 0) - gap * (columns.length - 1);
  const more = columns.length > 1 ? Math.max(0, Math.min(gapWish - gap, free / count)) : 0;
  free -= more * (columns.length - 1);
  const wanted = all.reduce((sum, { least, wish }) => sum + wish - least, 0);
  const part = wanted > 0 ? Math.min(1, Math.max(0, free) / wanted) : 0;
  const widths = all.map(({ least, wish }) => Math.round(least + (wish - least) * part));
  const left = frame.right - frame.margin - widths.reduce((a, b) => a + b, 0);
  return { widths, gaps: Array.from({ length: columns.length - 1 }, () => left / count) };
};

/** Around the middle; where links pass and no gap is high enough, the stack moves up and leaves them the bottom. */
const stacked = (column: readonly Card[], x: number, width: number, area: { readonly top: number; readonly bottom: number }, channel: number): Box[] => {
  const heights = column.map(heightOf);
  const total = heights.reduce((a, b) => a + b, 0);
  const room = area.bottom - area.top;
  const gap = column.length < 2 ? 0 : Math.min(stackGap.most, (room - channel - total) / (column.length - 1));
  const free = room - total - gap * (column.length - 1);
  let y = channel > 0 && free / 2 < channel && gap < channel ? area.top : area.top + free / 2;
  return heights.map((height) => {
    const box = { x, y: Math.round(y), width, height };
    y += height + gap;
    return box;
  });
};
