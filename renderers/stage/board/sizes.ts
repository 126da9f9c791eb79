import { acrossOf, cutDown, heightOf, lossOf, widened, widthsOf, type Card } from './plan.js';

/** What columns of cards have to fit in. */
export interface Room {
  readonly width: number;
  /** Of a column, beside what links need that pass it. */
  readonly heightOf: (column: number, cards: readonly Card[]) => number;
  /** Wished gaps before columns, the first one left out. */
  readonly gapWish: (column: number, cards: readonly (readonly Card[])[]) => number;
}

/** Between cards above each other: wished in a system with room, and the least; lines and bands of one line stand closer. */
export const stackGap = { most: 44, roomy: 30, least: 22, lines: 8, pods: 50 } as const;
/** Between columns where there is little room, step by step. */
export const gapSteps = [92, 64, 52, 40] as const;

/** A way to draw all cards, from the largest on. */
interface Step {
  readonly scale: number;
  readonly isRoomy: boolean;
  readonly isTall: boolean;
}
const steps: readonly Step[] = [
  ...[1.35, 1.22, 1.1, 1].map((scale) => ({ scale, isRoomy: true, isTall: true })),
  ...[1.35, 1.22, 1.1, 1].map((scale) => ({ scale, isRoomy: true, isTall: false })),
  ...[1.22, 1.1, 1].map((scale) => ({ scale, isRoomy: false, isTall: false })),
];

/** Cards in the largest way in which nothing has to be left out for it; else cut down until all of them fit. What is left over even then is hidden. */
export const sized = (drafts: Card[][], room: Room, hidden: string[]): { readonly columns: Card[][]; readonly gap: number } => {
  // Lanes tell more than cells, but not in a system that has no room for any of them.
  for (const all of [drafts, drafts.map((column) => column.map((card) => (card.form === 'lanes' ? { ...card, form: 'cells' as const } : card)))])
    for (const step of steps) {
      const columns = all.map((column, index) => fittingSources(column.map((card) => ({ ...card, ...step })), room.heightOf(index, column)));
      if (columns.every((column, index) => stackHeight(column, stackGap.roomy) <= room.heightOf(index, column) && isWhole(column)) && isWideEnough(columns, room)) return { columns, gap: gapSteps[0] };
    }
  for (const scale of [1.22, 1.1, 1]) {
    const columns = drafts.map((column, index) => besides(column.map((card) => ({ ...card, scale })), room.heightOf(index, column)));
    if (columns.every((column, index) => stackHeight(column, stackGap.least) <= room.heightOf(index, column)) && isWideEnough(columns, room)) return { columns, gap: gapSteps[0] };
  }
  return fitted(drafts, room, hidden);
};

/** Sources among services keep their size as far as they can; a column of nothing else shrinks before anything else does. */
const fittingSources = (column: Card[], height: number): Card[] => {
  if (!column.every(({ traffic }) => traffic)) return column;
  let cards = column;
  while (stackHeight(cards, stackGap.roomy) > height && cards.some((card) => cutDown(card) !== null)) cards = cards.map((card) => cutDown(card) ?? card);
  return cards;
};

/** Sources may be cut down as far as their shares are still told. */
const isWhole = (column: readonly Card[]): boolean => column.every(({ traffic, size }) => !traffic || size === 'full' || size === 'middle' || size === 'small' || column.length > 4);

/** A column that is too high, its levels beside its heads where that is possible. */
const besides = (column: Card[], height: number): Card[] => {
  const sources = fittingSources(column, height);
  if (stackHeight(sources, stackGap.least) <= height) return sources;
  const wide = column.map(widened);
  return wide.every((card) => card !== null) ? fittingSources(wide, height) : sources;
};

const isWideEnough = (columns: readonly (readonly Card[])[], room: Room): boolean => leastWidth(columns) + columns.slice(1).reduce((sum, _, i) => sum + room.gapWish(i + 1, columns), 0) <= room.width;

/** Cuts cards down until columns are low enough and all of them narrow enough. */
const fitted = (drafts: Card[][], room: Room, hidden: string[]): { columns: Card[][]; gap: number } => {
  const low = (all: Card[][]): Card[][] => all.map((column, index) => lowered(column, room.heightOf(index, column), hidden));
  let columns = low(drafts);
  const fits = (gap: number): boolean => leastWidth(columns) + gap * (columns.length - 1) <= room.width;
  const narrow = (gap: number, form: Narrowing): boolean => {
    for (let next; !fits(gap) && (next = narrowed(columns, form, room)); ) columns = low(next);
    return fits(gap);
  };
  for (;;) {
    // Lanes become cells before gaps shrink, cells stand in more rows before they shrink again.
    for (const [gap, form] of [[gapSteps[0], 'lanes'], [gapSteps[1], 'rows'], [gapSteps[2], 'rows'], [gapSteps[2], 'cells'], [gapSteps[3], 'rows'], [gapSteps[3], 'states'], [gapSteps[3], 'line'], [gapSteps[3], 'names']] as const) if (narrow(gap, form)) return { columns, gap };
    // Not even the narrowest form fits: the deepest callees are named in words.
    hidden.push(...columns.at(-1)!.map(({ name }) => name));
    columns = columns.slice(0, -1);
  }
};

export const leastWidth = (columns: readonly (readonly Card[])[]): number => columns.reduce((sum, column) => sum + columnWidths(column).least, 0);

export const columnWidths = (column: readonly Card[]): ReturnType<typeof widthsOf> => {
  const all = column.map(widthsOf);
  return { least: Math.max(0, ...all.map(({ least }) => least)), wish: Math.max(0, ...all.map(({ wish }) => wish)), most: Math.max(0, ...all.map(({ most }) => most)) };
};

/** The widest column in a narrower form: cells for lanes, fewer cells side by side; first one that is not too high for it; null where nothing is left to narrow. */
const narrowed = (columns: readonly Card[][], form: Narrowing, room: Room): Card[][] | null => {
  const byWidth = columns.map((column, index) => ({ index, width: columnWidths(column).least })).toSorted((a, b) => b.width - a.width || a.index - b.index);
  for (const mayBeHigh of [false, true])
    for (const { index } of byWidth) {
      const { least } = columnWidths(columns[index]);
      // Only what is as wide as its column makes it narrower.
      const next = columns[index].map((card) => (widthsOf(card).least >= least - 1 ? narrower(card, form) : card));
      if (!next.some((card, i) => card !== columns[index][i])) continue;
      if (mayBeHigh || stackHeight(next, stackGap.least) <= room.heightOf(index, next)) return columns.map((column, i) => (i === index ? next : column));
    }
  return null;
};

/** What is narrowed: cards of a form, cards to one line, long names. */
type Narrowing = Card['form'] | 'line' | 'names';

const narrower = (card: Card, form: Narrowing): Card => {
  if (form === 'names') return card.narrowness === 2 ? card : { ...card, narrowness: 2 };
  if (form === 'line') return card.traffic || card.size === 'line' ? card : { ...card, size: 'line', form: 'rows', rows: [], rotation: null, isWide: false };
  if (card.form !== form) return card;
  if (form === 'lanes') return { ...card, form: 'cells' };
  if (form === 'states') return { ...card, form: 'rows', rows: [], rotation: null };
  if (form === 'cells') return card.across > 3 ? { ...card, across: card.across - 1 } : card;
  if (card.traffic || card.narrowness === 2 || card.rows.length === 0) return card;
  return card.narrowness === 0 ? { ...card, narrowness: 1 } : { ...card, narrowness: 2, rows: card.rows.filter(({ kind }) => kind === 'slots' || kind === 'cpu') };
};

/** Height of a stack whose cards are cut down as far as their instances allow. */
export const lowestHeight = (column: readonly Card[]): number => stackHeight(column.map((card) => ({ ...card, rows: card.rows.slice(0, 1), rotation: null, hasNote: false, form: card.form === 'lanes' ? ('cells' as const) : card.form, ...(card.traffic ? { size: 'mini' as const } : { isWide: card.form === 'rows' }) })), stackGap.least);

/** Of a stack with a line for each card. */
export const lineHeight = (column: readonly Card[]): number => stackHeight(column.map((card) => ({ ...card, size: card.traffic ? ('mini' as const) : ('line' as const) })), stackGap.lines);

const lowered = (column: Card[], room: number, hidden: string[]): Card[] => {
  let cards = column.map((card) => (card.form === 'cells' ? { ...card, across: Math.min(card.across, acrossOf(card.service!.instancesMax)) } : card));
  while (stackHeight(cards, stackGap.least) > room && cards.length > 0) {
    const order = cards.map((card, index) => ({ index, height: heightOf(card), loss: lossOf(card) })).filter(({ loss }) => loss < Infinity);
    if (order.length === 0) {
      hidden.push(cards.at(-1)!.name);
      cards = cards.slice(0, -1);
      continue;
    }
    const next = order.reduce((a, b) => (b.loss < a.loss || (b.loss === a.loss && b.height > a.height) ? b : a));
    // Sources are of one size.
    cards = cards.map((card, index) => (index === next.index || (card.traffic && cards[next.index].traffic) ? (cutDown(card) ?? card) : card));
  }
  return cards;
};

/** Least height of cards above each other. */
export const stackHeight = (cards: readonly Card[], gap: number): number => cards.reduce((sum, card) => sum + heightOf(card), 0) + gapLeast(cards, gap) * Math.max(0, cards.length - 1);

export const gapLeast = (cards: readonly Card[], gap: number): number => {
  if (cards.some(({ isInPod }) => isInPod)) return Math.max(gap, stackGap.pods);
  if (cards.every(({ size, traffic, isWide }) => size === 'line' || size === 'mini' || (isWide && !traffic))) return stackGap.lines;
  return cards.every(({ traffic }) => traffic) ? Math.min(gap, 12) : gap;
};
