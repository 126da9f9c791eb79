import { curve, level, type Point, type Sample } from '../ribbon.js';
import type { LinkWords } from './link-words.js';
import type { Strand } from './order.js';
import type { Port } from './ports.js';

/** The way of a link from left to right: the same in every frame, with room for the widest that it ever is. */
export interface Way {
  readonly middle: readonly Sample[];
  readonly first: Point;
  readonly last: Point;
  /** What is written at its end has room. */
  readonly hasLabels: boolean;
}

export interface WaysNeed {
  readonly strands: readonly Strand[];
  readonly ports: readonly { readonly left: Port; readonly right: Port }[];
  readonly middles: ReadonlyMap<string, number>;
  readonly columns: readonly { readonly left: number; readonly right: number }[];
  readonly widthOf: (link: string) => number;
  readonly wordsOf: (link: string) => LinkWords;
  readonly isBack: (link: string) => boolean;
}

/** A strand in the gap between two columns. */
interface Crossing {
  readonly link: string;
  readonly from: Point;
  readonly to: Point;
  readonly width: number;
  /** What it may have written at its left or right end. */
  readonly words: { readonly left: number; readonly right: number };
}

/** Bends take at least so much of a gap; where words leave them less, words give way to signs. */
const bendLeast = 44;
const bendMost = 120;
/** Beside a card a ribbon runs level for so long. */
const levelLeast = 6;

export const waysOf = ({ strands, ports, middles, columns, widthOf, wordsOf, isBack }: WaysNeed): ReadonlyMap<string, Way> => {
  const parts = new Map<string, { readonly column: number; readonly line: readonly Sample[]; readonly hasLabels: boolean }[]>();
  columns.slice(1).forEach((right, column) => {
    const left = columns[column];
    const here = strands.flatMap((strand, i): Crossing[] => {
      if (strand.column !== column) return [];
      const words = wordsOf(strand.link);
      const wide = words.hasRate || words.notes > 0 ? words.width : 0;
      const [atLeft, atRight] = [ports[i].left.hasLabels && isBack(strand.link), ports[i].right.hasLabels && !isBack(strand.link)];
      return [{ link: strand.link, from: { x: left.right, y: middles.get(strand.left)! + ports[i].left.shift }, to: { x: right.left, y: middles.get(strand.right)! + ports[i].right.shift }, width: widthOf(strand.link), words: { left: atLeft ? wide : 0, right: atRight ? wide : 0 } }];
    });
    const gap = right.left - left.right;
    const inWords = { left: Math.max(levelLeast, ...here.map(({ words }) => words.left)), right: Math.max(levelLeast, ...here.map(({ words }) => words.right)) };
    const fits = gap - inWords.left - inWords.right >= (here.every(isLevel) ? 0 : bendLeast);
    const zone = fits ? { from: left.right + inWords.left, to: right.left - inWords.right } : { from: left.right + levelLeast, to: right.left - levelLeast };
    const bends = bendsIn(here, zone);
    here.forEach((crossing, i) => {
      const { from, to } = crossing;
      const line = isLevel(crossing) ? [level(from), level({ x: to.x, y: from.y })] : [level(from), ...curve({ x: bends[i].from, y: from.y }, { x: bends[i].to, y: to.y }), level(to)];
      parts.set(crossing.link, [...(parts.get(crossing.link) ?? []), { column, line, hasLabels: fits && (crossing.words.left > 0 || crossing.words.right > 0) }]);
    });
  });
  return new Map(
    [...parts].map(([link, list]) => {
      const middle = list.toSorted((a, b) => a.column - b.column).flatMap(({ line }) => line);
      return [link, { middle, first: middle[0], last: middle.at(-1)!, hasLabels: list.some(({ hasLabels }) => hasLabels) }];
    }),
  );
};

const isLevel = ({ from, to }: Crossing): boolean => Math.abs(from.y - to.y) < 0.5;

/** Where each strand bends. Those that go the same way and would run into each other bend one after the other: of what goes down the lowest first, of what goes up the highest first. */
const bendsIn = (here: readonly Crossing[], zone: { readonly from: number; readonly to: number }): readonly { readonly from: number; readonly to: number }[] => {
  const room = zone.to - zone.from;
  const starts = here.map(() => 0);
  let most = 0;
  for (const goesDown of [true, false]) {
    const order = here.map((_, i) => i).filter((i) => !isLevel(here[i]) && here[i].to.y > here[i].from.y === goesDown).toSorted((a, b) => (goesDown ? here[b].from.y - here[a].from.y : here[a].from.y - here[b].from.y));
    order.forEach((i, k) => {
      if (k === 0) return;
      const before = here[order[k - 1]];
      starts[i] = starts[order[k - 1]] + (meets(before, here[i]) ? (before.width + here[i].width) / 2 + 4 : 0);
    });
    most = Math.max(most, ...order.map((i) => starts[i]));
  }
  const bend = Math.max(Math.min(room, bendLeast), Math.min(bendMost, room - most));
  const squeeze = most > 0 ? Math.min(1, (room - bend) / most) : 0;
  const spare = Math.max(0, room - bend - most) / 2;
  return starts.map((start) => ({ from: zone.from + spare + start * squeeze, to: zone.from + spare + start * squeeze + bend }));
};

/** Heights that both pass while they bend. */
const meets = (a: Crossing, b: Crossing): boolean => {
  const [aTop, aBottom] = [Math.min(a.from.y, a.to.y) - a.width / 2, Math.max(a.from.y, a.to.y) + a.width / 2];
  const [bTop, bBottom] = [Math.min(b.from.y, b.to.y) - b.width / 2, Math.max(b.from.y, b.to.y) + b.width / 2];
  return aTop < bBottom && bTop < aBottom;
};
