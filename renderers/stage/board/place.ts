import type { PictureHost } from '../../../src/study/types.js';
import type { Box, Frame } from '../frame.js';
import { nameOf, type Structure } from '../structure.js';
import { columnsOf } from './columns.js';
import { acrossOf, cardsOf, cutDown, heightOf, widthsOf, type Card } from './plan.js';
import { noteCount, routesOf, widestOf, type Route } from './routes.js';

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
const top = 140;
const hostStrip = { height: 58, gap: 16 } as const;
const stackGap = { most: 64, least: 22 } as const;
/** Between columns: wished for, and accepted step by step. */
const gapWishes = { plain: 116, withNotes: 176 } as const;
const gapSteps = [92, 60, 36] as const;

export const boardOf = (structure: Structure, frame: Frame): Board => {
  const hidden: string[] = [];
  const area = areaOf(structure, frame);
  const drafts = columnsOf(cardsOf(structure), structure, (column) => lowestHeight(column) > bottomOf(column, area) - top - channelReserve);
  const { columns, gap } = roomy(drafts, structure, area) ?? fitted(drafts, structure, area, hidden);
  const { widths, gaps } = shared(columns, structure, gap, area);
  const cards: PlacedCard[] = [];
  const placed: { left: number; right: number; boxes: Box[] }[] = [];
  let x: number = frame.margin;
  columns.forEach((column, index) => {
    const boxes = stacked(column, x, widths[index], { top, bottom: bottomOf(column, area) }, passing(columns, structure, index));
    cards.push(...column.map((card, i) => ({ ...card, box: boxes[i], column: index })));
    placed.push({ left: x, right: x + widths[index], boxes });
    x += widths[index] + (gaps[index] ?? 0);
  });
  return { cards, columns: placed, hosts: hostStrips(structure, placed[1]?.left ?? frame.margin, area), routes: routesOf(cards, placed, structure, { top: frame.stage.top + 4, bottom: area.bottom + 3 }), hidden };
};

/** Where cards may stand: above the strips of shared machines, and left of the edge of a room around them. */
interface Area {
  readonly frame: Frame;
  readonly bottom: number;
  /** Of a column of sources, which share no machine. */
  readonly sourceBottom: number;
  readonly right: number;
}

const areaOf = ({ hosts, services }: Structure, frame: Frame): Area => ({
  frame,
  bottom: frame.stage.bottom - (hosts.length > 0 ? hostStrip.height + hostStrip.gap : 0),
  sourceBottom: frame.stage.bottom,
  right: frame.right - (hosts.length > 0 || services.some(({ beside }) => beside !== null) ? roomEdge : 0),
});
/** Between a card and the edge of the room that it stands in. */
export const roomEdge = 14;

const bottomOf = (column: readonly Card[], { bottom, sourceBottom }: Area): number => (column.every(({ traffic }) => traffic) ? sourceBottom : bottom);

const hostStrips = ({ hosts }: Structure, firstLeft: number, { right, frame }: Area): Board['hosts'] => {
  const left = firstLeft - roomEdge;
  const width = (right + roomEdge - left - (hosts.length - 1) * 16) / Math.max(1, hosts.length);
  return hosts.map((host, i) => ({ host, box: { x: left + i * (width + 16), y: frame.stage.bottom - hostStrip.height, width, height: hostStrip.height } }));
};

/** The columns with room around everything, where nothing has to be cut down for it; else null. */
const roomy = (drafts: Card[][], structure: Structure, area: Area): { columns: Card[][]; gap: number } | null => withRoom(drafts, true, structure, area) ?? withRoom(drafts, false, structure, area);

const withRoom = (drafts: Card[][], isTall: boolean, structure: Structure, area: Area): { columns: Card[][]; gap: number } | null => {
  const columns = drafts.map((column) => column.map((card) => ({ ...card, isRoomy: true, isTall })));
  const fits = columns.every((column, index) => stackHeight(column) <= bottomOf(column, area) - top - passing(columns, structure, index) || column.every(({ traffic }) => traffic));
  if (!fits || leastWidth(columns) + columns.slice(1).reduce((sum, column) => sum + gapWish(column, structure), 0) > area.right - area.frame.margin) return null;
  return { columns: columns.map((column) => lowered(column, bottomOf(column, area) - top, [])), gap: gapSteps[0] };
};

/** Cuts cards down until columns are low enough and all of them narrow enough; what is left over then is hidden. */
const fitted = (drafts: Card[][], structure: Structure, area: Area, hidden: string[]): { columns: Card[][]; gap: number } => {
  const low = (all: Card[][]): Card[][] => all.map((column, index) => lowered(column, bottomOf(column, area) - top - passing(all, structure, index), hidden));
  let columns = low(drafts);
  const fits = (gap: number): boolean => leastWidth(columns) + gap * (columns.length - 1) <= area.right - area.frame.margin;
  const narrow = (gap: number, form: Card['form']): boolean => {
    for (let next; !fits(gap) && (next = narrowed(columns, form)); ) columns = low(next);
    return fits(gap);
  };
  for (;;) {
    // Lanes become cells before gaps shrink, cells stand in more rows before they shrink again.
    for (const [gap, form] of [[gapSteps[0], 'lanes'], [gapSteps[1], 'rows'], [gapSteps[1], 'cells'], [gapSteps[2], 'rows']] as const) if (narrow(gap, form)) return { columns, gap };
    // Not even the narrowest form fits: the deepest callees are named in words.
    hidden.push(...columns.at(-1)!.map(({ name }) => name));
    columns = columns.slice(0, -1);
  }
};

const leastWidth = (columns: readonly Card[][]): number => columns.reduce((sum, column) => sum + columnWidths(column).least, 0);

const columnWidths = (column: readonly Card[]): ReturnType<typeof widthsOf> => {
  const all = column.map(widthsOf);
  return { least: Math.max(...all.map(({ least }) => least)), wish: Math.max(...all.map(({ wish }) => wish)), most: Math.max(...all.map(({ most }) => most)) };
};

/** The widest column in a narrower form: cells for lanes, fewer cells side by side; null where nothing is left to narrow. */
const narrowed = (columns: readonly Card[][], form: Card['form']): Card[][] | null => {
  const byWidth = columns.map((column, index) => ({ index, width: columnWidths(column).least })).toSorted((a, b) => b.width - a.width || a.index - b.index);
  for (const { index } of byWidth) {
    const next = columns[index].map((card) => (card.form !== form ? card : form === 'lanes' ? { ...card, form: 'cells' as const } : form === 'rows' ? narrower(card) : card.across > 3 ? { ...card, across: card.across - 1 } : card));
    if (next.some((card, i) => card !== columns[index][i])) return columns.map((column, i) => (i === index ? next : column));
  }
  return null;
};

const narrower = (card: Card): Card => {
  if (card.traffic || card.narrowness === 2 || card.rows.length === 0) return card;
  return card.narrowness === 0 ? { ...card, narrowness: 1 } : { ...card, narrowness: 2, rows: card.rows.filter(({ kind }) => kind === 'slots' || kind === 'cpu') };
};

/** Height of a stack whose cards are cut down as far as their instances allow. */
const lowestHeight = (column: readonly Card[]): number => stackHeight(column.map((card) => ({ ...card, rows: card.rows.slice(0, 1), rotation: null, hasNote: false, form: card.form === 'lanes' ? ('cells' as const) : card.form, size: 'mini' as const })));
/** Kept for links that pass. */
const channelReserve = 20;

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
const gapLeast = (cards: readonly Card[]): number => (cards.every(({ traffic }) => traffic) ? (cards[0]?.size === 'mini' ? 6 : 12) : stackGap.least);

/** Height that the links which only pass a column need. */
const passing = (columns: readonly (readonly Card[])[], structure: Structure, index: number): number => {
  const columnOf = (name: string): number => columns.findIndex((column) => column.some((card) => card.name === name));
  return structure.links.reduce((sum, link) => {
    const [from, to] = [columnOf(link.caller), columnOf(link.callee)];
    return from >= 0 && to >= 0 && Math.min(from, to) < index && Math.max(from, to) > index ? sum + widestOf(nameOf(link), structure) + 12 : sum;
  }, 0);
};

/** Of the gap before a column: wider where something is written on links beside their rates. */
const gapWish = (column: readonly Card[], structure: Structure): number =>
  structure.links.some((link) => column.some(({ name }) => name === link.callee) && noteCount(nameOf(link), structure) > 0) ? gapWishes.withNotes : gapWishes.plain;

/** First the gaps grow to what ribbons and labels need, then the cards to what they wish, then to the most that they can use; the rest is shared equally between the gaps. */
const shared = (columns: readonly Card[][], structure: Structure, gap: number, area: Area): { widths: number[]; gaps: number[] } => {
  const count = Math.max(1, columns.length - 1);
  const all = columns.map(columnWidths);
  const free = area.right - area.frame.margin - all.reduce((sum, { least }) => sum + least, 0) - gap * (columns.length - 1);
  const more = columns.slice(1).map((column) => gapWish(column, structure) - gap);
  const gapPart = partOf(free, more);
  const left = free - gapPart * sum(more);
  const widthPart = partOf(left, all.map(({ least, wish }) => wish - least));
  const still = left - widthPart * sum(all.map(({ wish, least }) => wish - least));
  const mostPart = partOf(still, all.map(({ most, wish }) => most - wish));
  const widths = all.map(({ least, wish, most }) => Math.round(least + (wish - least) * widthPart + (most - wish) * mostPart));
  const gaps = more.map((wanted) => gap + gapPart * wanted);
  const rest = (area.right - area.frame.margin - sum(widths) - sum(gaps)) / count;
  return { widths, gaps: gaps.map((one) => one + rest) };
};

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
/** Share of what is wanted that there is room for. */
const partOf = (room: number, wanted: readonly number[]): number => (sum(wanted) > 0 ? Math.min(1, Math.max(0, room) / sum(wanted)) : 0);

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
