import type { PictureLink } from '../../../src/study/types.js';
import type { Box } from '../frame.js';
import type { Point, Sample } from '../ribbon.js';
import { nameOf, type Structure } from '../structure.js';
import type { PlacedCard } from './place.js';

/** The way of a link: the same in every frame, with room for the widest that it ever is. */
export interface Route {
  readonly link: PictureLink;
  /** From left to right, whichever way the calls go. */
  readonly points: readonly Point[];
  /** Its centre line, where that is more than bends between the points. */
  readonly middle?: readonly Sample[];
  /** Its calls go from right to left: to a part that calls back. */
  readonly isBack: boolean;
  /** The rate can be written above its end, and notes below. */
  readonly hasLabels: boolean;
  /** px between its end and what is written before it; the edge of a room that it enters is not written over. */
  readonly wordsInset?: number;
  /** What its caller believes of its targets is noted on it: its card has no list of it. */
  readonly tellsBelief?: boolean;
  /** Where its calls leave and arrive. */
  readonly start: Point;
  readonly end: Point;
}

const widestRibbon = 38;
const ribbonLeast = 3;

/** The widest that a link ever is, px: the widest of all has 38. */
export const widestOf = (name: string, { peaks }: Structure): number => {
  const most = Math.max(1, ...[...peaks.links.values()].map(({ asked }) => asked));
  return Math.max(ribbonLeast, (widestRibbon * (peaks.links.get(name)?.sent ?? 0)) / most);
};

/** Room that is kept beside the end of a link, across it: for its rate before it, for so many notes after it. */
export interface EndRoom {
  readonly label: number;
  readonly notes: (count: number) => number;
}
/** Lines of words above and below a ribbon that arrives level. */
const besideLevel: EndRoom = { label: 23, notes: (count) => count * 20 };

type Columns = readonly { readonly left: number; readonly right: number; readonly boxes: readonly Box[] }[];
interface Draft {
  readonly link: PictureLink;
  readonly name: string;
  readonly width: number;
  /** Left and right end. */
  readonly left: PlacedCard;
  readonly right: PlacedCard;
  readonly isBack: boolean;
}

export const routesOf = (cards: readonly PlacedCard[], columns: Columns, structure: Structure, area: { readonly top: number; readonly bottom: number }, endRoom: EndRoom = besideLevel): ReadonlyMap<string, Route> => {
  const byName = new Map(cards.map((card) => [card.name, card]));
  const drafts = structure.links.flatMap((link): Draft[] => {
    const [caller, callee] = [byName.get(link.caller), byName.get(link.callee)];
    if (!caller || !callee || caller.column === callee.column) return [];
    const isBack = caller.column > callee.column;
    return [{ link, name: nameOf(link), width: widestOf(nameOf(link), structure), left: isBack ? callee : caller, right: isBack ? caller : callee, isBack }];
  });
  const channels = channelsOf(drafts, columns, area);
  const leftPorts = portsOf(drafts, 'left', channels, structure, endRoom);
  const rightPorts = portsOf(drafts, 'right', channels, structure, endRoom);
  const alone = (draft: Draft, side: 'left' | 'right'): boolean => drafts.filter((other) => other[side] === draft[side]).length === 1;
  return new Map(
    drafts.map((draft) => {
      let [from, to] = [leftPorts.get(draft.name)!, rightPorts.get(draft.name)!];
      // A link that is the only one at its edge runs straight where it can.
      const wantedStart = channels.get(draft.name)?.[0]?.y ?? to.y;
      if (alone(draft, 'left') && isWithin(wantedStart, draft.left.box)) from = { ...from, y: wantedStart };
      else if (alone(draft, 'right')) {
        const wantedEnd = channels.get(draft.name)?.at(-1)?.y ?? from.y;
        if (isWithin(wantedEnd, draft.right.box)) to = { ...to, y: wantedEnd };
      }
      const first = { x: draft.left.box.x + draft.left.box.width, y: from.y };
      const last = { x: draft.right.box.x, y: to.y };
      const points = [first, ...(channels.get(draft.name) ?? []), last];
      return [draft.name, { link: draft.link, points, isBack: draft.isBack, hasLabels: draft.isBack ? from.hasLabels : to.hasLabels, start: draft.isBack ? last : first, end: draft.isBack ? first : last }];
    }),
  );
};

const isWithin = (y: number, box: Box): boolean => y >= box.y + 24 && y <= box.y + box.height - 24;
const byName = (a: Draft, b: Draft): number => (a.name < b.name ? -1 : 1);
const middleOf = ({ y, height }: Box): number => y + height / 2;
const channelGap = 8;

/** Through each column between, the free height nearest to the straight way; thickest links first, each takes its height away from the others. */
const channelsOf = (drafts: readonly Draft[], columns: Columns, area: { readonly top: number; readonly bottom: number }): ReadonlyMap<string, readonly Point[]> => {
  const free = columns.map(({ boxes }) => {
    const sorted = boxes.toSorted((a, b) => a.y - b.y);
    const edges = [area.top, ...sorted.flatMap(({ y, height }) => [y - channelGap, y + height + channelGap]), area.bottom];
    return Array.from({ length: edges.length / 2 }, (_, i) => ({ from: edges[2 * i], to: edges[2 * i + 1] })).filter(({ from, to }) => to > from);
  });
  const found = new Map<string, readonly Point[]>();
  for (const { name, left, right, width } of drafts.toSorted((a, b) => b.width - a.width || byName(a, b))) {
    const points: Point[] = [];
    let y = middleOf(left.box);
    for (let index = left.column + 1; index < right.column; index++) {
      const column = columns[index];
      const straight = y + (middleOf(right.box) - y) / (right.column - index + 1);
      y = takeNearest(free[index], straight, width);
      points.push({ x: column.left - 6, y }, { x: column.right + 6, y });
    }
    found.set(name, points);
  }
  return found;
};

const takeNearest = (free: { from: number; to: number }[], wish: number, width: number): number => {
  const half = width / 2;
  let best = -1;
  let bestY = wish;
  free.forEach(({ from, to }, index) => {
    if (to - from < width) return;
    const y = Math.min(to - half, Math.max(from + half, wish));
    if (best < 0 || Math.abs(y - wish) < Math.abs(bestY - wish)) [best, bestY] = [index, y];
  });
  if (best < 0) {
    // Nowhere is room enough: the middle of the highest gap.
    const highest = free.reduce((a, b) => (b.to - b.from > a.to - a.from ? b : a), { from: wish, to: wish });
    return (highest.from + highest.to) / 2;
  }
  const { from, to } = free[best];
  free.splice(best, 1, { from, to: bestY - half - channelGap }, { from: bestY + half + channelGap, to });
  return bestY;
};

interface Port {
  readonly y: number;
  readonly hasLabels: boolean;
}
const portGap = 6;

/** Where links meet the right edge of what is left of them, or the left edge of what is right: in the order of where they come from, each with its own height. */
const portsOf = (drafts: readonly Draft[], side: 'left' | 'right', channels: ReadonlyMap<string, readonly Point[]>, structure: Structure, endRoom: EndRoom): ReadonlyMap<string, Port> => {
  const ports = new Map<string, Port>();
  const byCard = new Map<PlacedCard, Draft[]>();
  for (const draft of drafts) byCard.set(draft[side], [...(byCard.get(draft[side]) ?? []), draft]);
  for (const [card, list] of byCard) {
    const towards = (draft: Draft): number => {
      const via = channels.get(draft.name) ?? [];
      return (side === 'left' ? via[0]?.y : via.at(-1)?.y) ?? middleOf(draft[side === 'left' ? 'right' : 'left'].box);
    };
    const ordered = list.toSorted((a, b) => towards(a) - towards(b) || byName(a, b));
    // Labels stand where calls arrive.
    const needs = (withLabels: boolean) => ordered.map((draft) => needOf(draft, structure, withLabels && draft.isBack === (side === 'left') ? endRoom : null));
    const room = card.box.height - 20;
    const heightOf = (list: readonly { up: number; down: number }[]): number => list.reduce((sum, { up, down }) => sum + up + down, 0) + portGap * (list.length - 1);
    const labelled = needs(true);
    const hasLabels = heightOf(labelled) <= room;
    const all = hasLabels ? labelled : needs(false);
    const total = heightOf(all);
    const squeeze = Math.min(1, room / total);
    let y = middleOf(card.box) - (total * squeeze) / 2;
    ordered.forEach((draft, i) => {
      ports.set(draft.name, { y: y + all[i].up * squeeze, hasLabels });
      y += (all[i].up + all[i].down + portGap) * squeeze;
    });
  }
  return ports;
};

const needOf = ({ name, width, link }: Draft, structure: Structure, labels: EndRoom | null): { up: number; down: number } => {
  return { up: width / 2 + (labels && hasRate(link, structure) ? labels.label : 0), down: width / 2 + (labels ? labels.notes(noteCount(name, structure)) : 0) };
};

/** The rate of a link is written where its callee's own rate does not say it. */
export const hasRate = (link: PictureLink, { links }: Structure): boolean => link.callerKind === 'service' && links.filter(({ callee }) => callee === link.callee).length > 1;

/** Lines that a link may ever need below it: retries, connections opened, a fault. */
export const noteCount = (name: string, { peaks, links }: Structure): number => {
  const peak = peaks.links.get(name);
  const link = links.find((candidate) => nameOf(candidate) === name);
  return Number((peak?.retries ?? 0) > 0) + Number((peak?.opened ?? 0) > 0 && opensAgain(link)) + Number(peak?.isHit ?? false) + Number(link?.breaker != null);
};

/** Connections are worth a word where they are closed again or take time to open. */
export const opensAgain = (link: PictureLink | undefined): boolean => link?.pool != null && (link.pool.reuse !== null || link.pool.handshakeMs > 0);
