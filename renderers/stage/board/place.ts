import type { PictureHost } from '../../../src/study/types.js';
import type { Box, Frame } from '../frame.js';
import { nameOf, type Structure } from '../structure.js';
import { areaOf, hostStrips, keyHeight, roomEdge, type Area } from './area.js';
import { arranged, strandsOf, type Item } from './columns.js';
import { foldedBoard } from './fold.js';
import { labelInset, linkWords, roomInsetOf, type LinkWords } from './link-words.js';
import type { Strand } from './order.js';
import { cardsOf, heightOf, type Card } from './plan.js';
import { portsOf, type PortsNeed } from './ports.js';
import { widestOf, type Route } from './routes.js';
import { columnWidths, gapLeast, lineHeight, lowestHeight, sized, stackGap, type Room } from './sizes.js';
import { stacked, type Standing } from './stack.js';
import { waysOf } from './ways.js';

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
  /** Ribbons are drawn so much narrower than in the whole film where cards could not hold their ends; 1 when left out. */
  readonly ribbonShare?: number;
  /** Where signs and cells are explained; absent where there are none. */
  readonly key?: Box;
}
export interface PlacedCard extends Card {
  readonly box: Box;
  readonly column: number;
}

export { roomEdge } from './area.js';

/** Beside a link that passes. */
const passGap = 14;
const passLeast = 7;

export const boardOf = (structure: Structure, frame: Frame): Board => {
  const cards = cardsOf(structure);
  const hasKey = cards.some(({ form }) => form === 'cells' || form === 'states');
  const drawn = [hasKey, true].map((key) => ({ key, board: unfolded(cards, structure, areaOf(structure, frame, key)) })).find(({ key, board }) => key || !needsKey(board))!;
  if (drawn.board.hidden.length === 0) return withKey(drawn.board, frame);
  const folded = foldedBoard(cards, structure, areaOf(structure, frame, true));
  return withKey(folded.hidden.length < drawn.board.hidden.length ? folded : drawn.board, frame);
};

/** A sign on a card of one line, or in a cell, has no word beside it: the key has. */
const needsKey = ({ cards }: Board): boolean => cards.some(({ form, size, service, hasNote }) => service !== null && (form === 'cells' || form === 'states' || size === 'line' || !hasNote));

const withKey = (board: Board, frame: Frame): Board =>
  needsKey(board) ? { ...board, key: { x: frame.margin, y: frame.stage.bottom - keyHeight, width: frame.right - frame.margin, height: keyHeight } } : board;

const unfolded = (all: readonly Card[], structure: Structure, area: Area): Board => {
  const hidden: string[] = [];
  const bottomOf = (column: readonly Card[]): number => (column.every(({ traffic }) => traffic) ? area.sourceBottom : area.bottom);
  const thin = (link: string): number => Math.min(12, Math.max(ribbonLeast, widestOf(link, structure)));
  const room = (column: readonly Card[], passes: number): number => bottomOf(column) - area.top - passes;
  const { columns: drafts, items: order } = arranged(all, structure, {
    isTooHigh: (column, passes) => lowestHeight(column) > room(column, total(passes.map((link) => thin(link) + passLeast))),
    isFull: (column, passes) => lineHeight(column) > room(column, passes.length * (ribbonLeast + passLeast)),
    columnsMost: 9,
  });
  const links = new Map(structure.links.map((link) => [nameOf(link), link]));
  // What a caller believes is written on its link where it has no list of it.
  const listers = new Set(all.filter(({ rotation }) => rotation !== null).map(({ name }) => name));
  const words = new Map(structure.links.map((link) => [nameOf(link), linkWords(link, structure, roomInsetOf(link, structure, roomEdge), !listers.has(link.caller))]));
  const share = passShare(order, drafts, structure, area);
  const passHeight = (link: string): number => Math.max(ribbonLeast, widestOf(link, structure) * share);
  const isStraight = (index: number): boolean => index > 0 && order[index].length === 1 && order[index - 1].length === 1;
  const limits: Room = {
    width: area.right - area.left,
    heightOf: (index, column) => room(column, total(order[index].map(({ name, isPass }) => (isPass ? passHeight(name) + passLeast : 0)))),
    gapWish: (index, columns) => gapBefore(columns[index], structure, words, isStraight(index)),
  };
  const { columns, gap } = sized(drafts, limits, hidden);
  const cards = new Map(columns.flat().map((card) => [card.name, card]));
  const isShown = (link: string): boolean => cards.has(links.get(link)!.caller) && cards.has(links.get(link)!.callee);
  const items = columns.map((_, index) => order[index].filter(({ name, isPass }) => (isPass ? isShown(name) : cards.has(name))));
  const strands = strandsOf(columns, structure);
  const columnOf = new Map(columns.flatMap((column, index) => column.map(({ name }) => [name, index] as const)));
  const isBack = (link: string): boolean => columnOf.get(links.get(link)!.caller)! > columnOf.get(links.get(link)!.callee)!;
  const ribbonShare = Math.min(share, endShare(columns, strands, structure));
  const widthOf = (link: string): number => Math.max(ribbonLeast, widestOf(link, structure) * ribbonShare);
  const need: PortsNeed = { columns: items, cards, strands, widthOf, wordsOf: (link) => words.get(link)!, isBack };
  const ports = portsOf(need);
  const areas = columns.map((column) => ({ top: area.top, bottom: bottomOf(column) }));
  const standing = items.map((column, index) => standingIn(column, columns[index], cards, widthOf, areas[index]));
  // A link keeps its height where it passes; between two cards the thickest is the straightest.
  const weightOf = ({ link, left, right }: Strand): number => widthOf(link) + (cards.has(left) && cards.has(right) ? 0 : 20);
  const middles = stacked(standing, strands.map((strand, i) => ({ left: strand.left, right: strand.right, leftShift: ports[i].left.shift, rightShift: ports[i].right.shift, weight: weightOf(strand) })), areas);
  const gapWishes = columns.slice(1).map((_, i) => limits.gapWish(i + 1, columns));
  const placed = across(columns, gapWishes, gap, area).map(({ left, right }, index) => ({
    left,
    right,
    boxes: columns[index].map((card) => ({ x: left, y: Math.round(middles.get(card.name)! - heightOf(card) / 2), width: right - left, height: heightOf(card) })),
  }));
  const ways = waysOf({ ...need, ports, middles, columns: placed });
  return {
    cards: columns.flatMap((column, index) => column.map((card, i) => ({ ...card, box: placed[index].boxes[i], column: index }))),
    columns: placed,
    hosts: hostStrips(structure, placed, area),
    routes: new Map([...ways].map(([name, way]) => [name, { link: links.get(name)!, points: [way.first, way.last], middle: way.middle, isBack: isBack(name), hasLabels: way.hasLabels, wordsInset: labelInset + roomInsetOf(links.get(name)!, structure, roomEdge), tellsBelief: !listers.has(links.get(name)!.caller), start: isBack(name) ? way.last : way.first, end: isBack(name) ? way.first : way.last }])),
    hidden,
    ribbonShare,
  };
};

const ribbonLeast = 3;
const total = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

/** Links that pass a column take no more than so much of its height, and leave each of its cards a line at least. */
const passMost = 0.36;

const passShare = (order: readonly (readonly Item[])[], columns: readonly (readonly Card[])[], structure: Structure, { top, bottom }: Area): number =>
  Math.min(
    1,
    ...order.map((column, index) => {
      const widths = column.flatMap(({ name, isPass }) => (isPass ? [widestOf(name, structure)] : []));
      const room = bottom - top - lineHeight(columns[index]) - widths.length * passLeast;
      return Math.max(0, Math.min((bottom - top) * passMost, room)) / Math.max(1, total(widths));
    }),
  );

/** Ribbons that end at one side of a card together are no higher than it; on a card of one line they overlap. */
const endShare = (columns: readonly (readonly Card[])[], strands: readonly Strand[], structure: Structure): number =>
  Math.min(
    1,
    ...columns.flat().filter(({ size }) => size !== 'line' && size !== 'mini').flatMap((card) =>
      (['left', 'right'] as const).map((side) => {
        const here = strands.filter((strand) => strand[side] === card.name);
        const sum = total(here.map(({ link }) => widestOf(link, structure)));
        return sum > 0 ? Math.max(0.25, (heightOf(card) - 24 - 6 * (here.length - 1)) / sum) : 1;
      }),
    ),
  );

/** Cards and passing links of a column with the distances that they keep. */
const standingIn = (items: readonly Item[], column: readonly Card[], cards: ReadonlyMap<string, Card>, widthOf: (link: string) => number, { top, bottom }: { readonly top: number; readonly bottom: number }): readonly Standing[] => {
  const heights = items.map(({ name, isPass }) => (isPass ? widthOf(name) : heightOf(cards.get(name)!)));
  const least = gapLeast(column, stackGap.least);
  const gaps = (cardGap: number): number[] =>
    items.map(({ isPass }, i) => {
      if (i === 0) return 0;
      if (isPass && items[i - 1].isPass) return passLeast;
      return isPass || items[i - 1].isPass ? Math.min(passGap, cardGap) : cardGap;
    });
  const free = bottom - top - total(heights);
  // As far apart as there is room for, up to what looks calm.
  let gap: number = least;
  while (gap + 2 <= Math.max(least, stackGap.most) && total(gaps(gap + 2)) <= free) gap += 2;
  const chosen = gaps(least === stackGap.lines ? Math.min(gap, 16) : gap);
  const squeeze = Math.min(1, free / Math.max(1, total(chosen)));
  return items.map(({ key }, i) => ({ key, height: heights[i], gap: chosen[i] * squeeze }));
};

/** Of the gap before a column: the bend, which a link between two that stand alone has not, and what is written before its end. */
const gapBefore = (column: readonly Card[], { links }: Structure, words: ReadonlyMap<string, LinkWords>, isStraight: boolean): number => {
  const wide = links.filter((link) => column.some(({ name }) => name === link.callee)).map((link) => words.get(nameOf(link))!).filter(({ hasRate, notes }) => hasRate || notes > 0).map(({ width }) => width);
  const widest = Math.max(0, ...wide);
  return isStraight ? Math.max(64, 24 + widest) : Math.max(100, 54 + widest);
};

/** Gaps grow no further than this while cards can still use the width, and no further than this at all. */
const gapMost = { first: 130, second: 200, last: 330 } as const;
/** Cards with bars are drawn so much wider than they wish before the stage is left empty at its sides. */
const widenMost = 1.5;

/** First the gaps grow to what ribbons and labels need, then the cards to what they wish, then both to the most that they make use of; what is left then is free at both sides. */
const across = (columns: readonly (readonly Card[])[], gapWishes: readonly number[], gap: number, { left, right }: Area): { readonly left: number; readonly right: number }[] => {
  const all = columns.map(columnWidths);
  const widths = all.map(({ least }) => least);
  const gaps = gapWishes.map((wish) => Math.min(wish, gap));
  const grow = (sizes: number[], to: readonly number[]): void => {
    const wanted = to.map((most, i) => Math.max(0, most - sizes[i]));
    const part = Math.min(1, Math.max(0, right - left - total(widths) - total(gaps)) / Math.max(1, total(wanted)));
    wanted.forEach((more, i) => (sizes[i] += more * part));
  };
  grow(gaps, gapWishes);
  grow(widths, all.map(({ wish }) => wish));
  grow(gaps, gaps.map(() => gapMost.first));
  grow(widths, all.map(({ most }) => most));
  grow(gaps, gaps.map(() => gapMost.second));
  grow(widths, columns.map((column, i) => (column.some(({ form, rows, traffic }) => !traffic && form === 'rows' && rows.length > 0) ? all[i].most * widenMost : widths[i])));
  grow(gaps, gaps.map(() => gapMost.last));
  let x = left + (right - left - total(widths) - total(gaps)) / 2;
  return widths.map((width, i) => {
    const from = Math.round(x);
    x += width + (gaps[i] ?? 0);
    return { left: from, right: from + Math.floor(width) };
  });
};
