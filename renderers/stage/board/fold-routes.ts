import type { PictureLink } from '../../../src/study/types.js';
import { curve, level, type Point, type Sample } from '../ribbon.js';
import { nameOf, type Structure } from '../structure.js';
import type { Area } from './area.js';
import type { PlacedCard } from './place.js';
import type { Route } from './routes.js';

/** Between lines of cards, cards side by side, and beside the lines, where they turn. */
export const foldGaps = { line: 42, beside: 46, stack: 10, side: 30 } as const;

/** The grid of a folded board. */
export interface Grid {
  readonly per: number;
  readonly slot: number;
  readonly height: number;
  readonly area: Area;
  readonly ribbonShare: number;
}

interface End {
  readonly card: PlacedCard;
  readonly line: number;
  /** Which way calls run in its line: 1 to the right, −1 to the left. */
  readonly way: 1 | -1;
}
interface Draft {
  readonly link: PictureLink;
  readonly from: End;
  readonly to: End;
}

/** Between neighbours in a line they run as everywhere; from line to line they turn at the side; others run around, in the gaps between columns and between lines. */
export const foldedRoutes = (cards: readonly PlacedCard[], structure: Structure, grid: Grid): ReadonlyMap<string, Route> => {
  const byName = new Map(cards.map((card) => [card.name, card]));
  const endOf = (card: PlacedCard): End => {
    // The first column is of what asks.
    const line = Math.max(0, Math.floor((card.column - 1) / grid.per));
    return { card, line, way: line % 2 === 0 ? 1 : -1 };
  };
  const drafts = structure.links.flatMap((link): Draft[] => {
    const [caller, callee] = [byName.get(link.caller), byName.get(link.callee)];
    return caller && callee && caller !== callee ? [{ link, from: endOf(caller), to: endOf(callee) }] : [];
  });
  const ports = portsOf(drafts);
  const around = drafts.filter((draft) => !isNext(draft));
  return new Map(
    drafts.map((draft) => {
      const { link, from, to } = draft;
      const start = { x: sideOf(from, from.way), y: ports.start.get(draft)! };
      const end = { x: sideOf(to, -to.way as 1 | -1), y: ports.end.get(draft)! };
      const middle = !isNext(draft) ? rounded(pathAround(draft, start, end, around, grid), 12) : from.line === to.line ? straight(start, end) : rounded(turn(start, { ...end, x: start.x }, from.way), 20);
      return [nameOf(link), { link, points: [start, end], middle, isBack: from.way < 0 && to.way < 0 && isNext(draft) && from.line === to.line, hasLabels: false, tellsBelief: from.card.rotation === null, start, end: from.line === to.line || !isNext(draft) ? end : { ...end, x: start.x } }];
    }),
  );
};

const isNext = ({ from, to }: Draft): boolean => to.card.column === from.card.column + 1;
const sideOf = ({ card: { box } }: End, way: 1 | -1): number => (way > 0 ? box.x + box.width : box.x);

/** From left to right, whichever way the calls go. */
const straight = (start: Point, end: Point): readonly Sample[] => {
  const [left, right] = start.x < end.x ? [start, end] : [end, start];
  return Math.abs(left.y - right.y) < 0.5 ? [level(left), level({ ...right, y: left.y })] : [level(left), ...curve({ ...left, x: left.x + 4 }, { ...right, x: right.x - 4 }), level(right)];
};

/** Out at the side of a line and in again at the side of the next one. */
const turn = (start: Point, end: Point, way: 1 | -1): readonly Point[] => {
  const x = start.x + way * (foldGaps.side - 4);
  return [start, { x, y: start.y }, { x, y: end.y }, end];
};

/** Into the gap after the caller, along the gap between two lines, and in the gap before the callee to it. */
const pathAround = (draft: Draft, start: Point, end: Point, around: readonly Draft[], { height, area }: Grid): readonly Point[] => {
  const { from, to } = draft;
  const track = (all: readonly Draft[], room: number): number => {
    const pitch = Math.min(8, room / Math.max(1, all.length));
    return (all.indexOf(draft) - (all.length - 1) / 2) * pitch;
  };
  const gapOf = (x: number, way: 1 | -1): number => x + way * (foldGaps.beside / 2);
  const corridor = Math.min(from.line, to.line) + (from.line === to.line && from.line > 0 ? -1 : 0);
  const y = area.top + (corridor + 1) * height + corridor * foldGaps.line + foldGaps.line / 2 + track(around, foldGaps.line - 12);
  const out = gapOf(start.x, from.way) + track(around, foldGaps.beside - 18);
  const back = gapOf(end.x, -to.way as 1 | -1) + track(around, foldGaps.beside - 18);
  return [start, { x: out, y: start.y }, { x: out, y }, { x: back, y }, { x: back, y: end.y }, end];
};

/** Heights of the ends: in the order of where the other end is; those of neighbours in the middle of the card. */
const portsOf = (drafts: readonly Draft[]): { readonly start: ReadonlyMap<Draft, number>; readonly end: ReadonlyMap<Draft, number> } => {
  const start = new Map<Draft, number>();
  const end = new Map<Draft, number>();
  const spread = (side: 'from' | 'to', ports: Map<Draft, number>): void => {
    const other = side === 'from' ? 'to' : 'from';
    for (const card of new Set(drafts.map((draft) => draft[side].card))) {
      const here = drafts.filter((draft) => draft[side].card === card).toSorted((a, b) => a[other].card.box.y - b[other].card.box.y || a[other].card.column - b[other].card.column);
      const pitch = Math.min(16, (card.box.height - 12) / here.length);
      here.forEach((draft, i) => ports.set(draft, card.box.y + card.box.height / 2 + (i - (here.length - 1) / 2) * pitch));
    }
  };
  spread('from', start);
  spread('to', end);
  return { start, end };
};

/** A line of straight pieces with rounded corners. */
const rounded = (points: readonly Point[], most: number): readonly Sample[] => {
  const line: Sample[] = [];
  points.forEach((point, i) => {
    const [before, after] = [points[i - 1], points[i + 1]];
    if (!before || !after) {
      line.push({ ...point, ...across(before ?? point, before ? point : after) });
      return;
    }
    const radius = Math.min(most, distance(before, point) / 2, distance(point, after) / 2);
    const [into, out] = [towards(point, before, radius), towards(point, after, radius)];
    for (let k = 0; k <= 6; k++) {
      const [t, u] = [k / 6, 1 - k / 6];
      const at = { x: u * u * into.x + 2 * u * t * point.x + t * t * out.x, y: u * u * into.y + 2 * u * t * point.y + t * t * out.y };
      const [dx, dy] = [u * (point.x - into.x) + t * (out.x - point.x), u * (point.y - into.y) + t * (out.y - point.y)];
      const length = Math.sqrt(dx * dx + dy * dy) || 1;
      line.push({ ...at, nx: dy / length, ny: -dx / length });
    }
  });
  return line;
};

const distance = (a: Point, b: Point): number => Math.abs(a.x - b.x) + Math.abs(a.y - b.y);
const towards = (from: Point, to: Point, by: number): Point => {
  const length = distance(from, to) || 1;
  return { x: from.x + ((to.x - from.x) * by) / length, y: from.y + ((to.y - from.y) * by) / length };
};
const across = (from: Point, to: Point): { readonly nx: number; readonly ny: number } => {
  const length = distance(from, to) || 1;
  return { nx: (to.y - from.y) / length, ny: -(to.x - from.x) / length };
};
