import type { PictureHost } from '../../../src/study/types.js';
import { columnsOf } from '../board/columns.js';
import type { Board, PlacedCard } from '../board/place.js';
import { cardsOf, widthsOf, type Card } from '../board/plan.js';
import { routesOf, widestOf, type EndRoom, type Route } from '../board/routes.js';
import { alongCalls, type Box, type Frame } from '../frame.js';
import { turned } from '../ribbon.js';
import { nameOf, type Structure } from '../structure.js';
import { fittedLayers, gaps, heightOf, heightOfLine, linesOf, type Layers } from './board-plan.js';

const hostStrip = { height: 58, gap: 14 } as const;
/** The edge of a pod lies below its cards. */
const podEdge = 14;
/** Above a card there is room for the sign of a fault. */
const chipRoom = 14;
/** Most that gaps between lines grow by where there is room. */
const gapMore = 60;
/** Nothing is drawn nearer to the edge of the picture. */
const edge = 6;
/** Beside a rate or a note at the end of a ribbon. */
const endRoom: EndRoom = { label: 56, notes: (count) => (count === 0 ? 0 : 104) };

/** The board with calls from top to bottom: layers are lines of cards, wrapped where they are too wide; strips of shared machines at the foot. */
export const boardRows = (structure: Structure, frame: Frame): Board => {
  const hidden: string[] = [];
  const { hosts } = structure;
  const top = frame.stage.top + chipRoom;
  const bottom = frame.stage.bottom - hosts.length * (hostStrip.height + hostStrip.gap) - (structure.services.some(({ beside: pod }) => pod !== null) ? podEdge : 0);
  const ordered: Layers = columnsOf(cardsOf(structure).map((card) => (card.traffic ? { ...card, size: 'middle' as const } : card)), structure, () => false);
  const width = (layer: number): number => frame.right - frame.margin - passing(ordered, structure, layer);
  const layers = fittedLayers(ordered, { height: bottom - top, width }, hidden);
  const lines = layers.flatMap((layer, index) => linesOf(layer, width(index)).map((cards, i) => ({ cards, height: heightOfLine(cards), gap: i > 0 ? gaps.line : index > 0 ? gaps.layer : 0 })));
  const free = bottom - top - lines.reduce((sum, { height, gap }) => sum + height + gap, 0);
  const more = Math.min(gapMore, free / Math.max(1, lines.length - 1));
  // Machines lie under what runs on them, so the lines stand down on their strips.
  let y = top + (hosts.length > 0 ? free - more * (lines.length - 1) : (free - more * (lines.length - 1)) / 2);
  const cards: PlacedCard[] = [];
  const columns: { left: number; right: number; boxes: Box[] }[] = [];
  lines.forEach((line, index) => {
    y += line.gap + (index === 0 ? 0 : more);
    const boxes = beside(line.cards, Math.round(y), passersOf(lines, index, structure), frame);
    cards.push(...line.cards.map((card, i) => ({ ...card, box: boxes[i], column: index })));
    columns.push({ left: Math.round(y), right: Math.round(y) + line.height, boxes: boxes.map((box) => alongCalls(frame, box)) });
    y += line.height;
  });
  return { cards, columns, hosts: hostStrips(hosts, frame), routes: routesDown(cards, columns, structure, frame), hidden };
};

/** Widths of the links that pass a line. */
const passersOf = (lines: readonly { readonly cards: readonly Card[] }[], index: number, structure: Structure): readonly number[] => {
  const lineOf = (name: string): number => lines.findIndex(({ cards }) => cards.some((card) => card.name === name));
  return structure.links.flatMap((link) => {
    const [from, to] = [lineOf(link.caller), lineOf(link.callee)];
    return from >= 0 && to >= 0 && Math.min(from, to) < index && Math.max(from, to) > index ? [widestOf(nameOf(link), structure)] : [];
  });
};
/** Between a ribbon that passes and a card, or another one. */
const channelGap = 9;

/** Cards of a line grow to what they wish, then to what they can use, and stand around the middle; between them and beside them there is room for what passes. */
const beside = (cards: readonly Card[], y: number, passers: readonly number[], frame: Frame): Box[] => {
  const channel = passers.length === 0 ? 0 : Math.max(...passers) + 2 * channelGap + Math.floor((passers.length - 1) / (cards.length + 1)) * (Math.max(...passers) + channelGap);
  const all = cards.map((card) => ({ ...widthsOf(card), most: Math.max(widthsOf(card).most, mostUseful(card)) }));
  const between = Math.max(gaps.beside, channel);
  // Beside the line lies the margin as well.
  const room = frame.right - frame.margin - between * (cards.length - 1) - 2 * Math.max(0, channel - frame.margin + edge);
  const sum = (pick: (of: (typeof all)[number]) => number): number => all.reduce((total, one) => total + pick(one), 0);
  const part = (free: number, wanted: number): number => (wanted > 0 ? Math.max(0, Math.min(1, free / wanted)) : 0);
  const toWish = part(room - sum(({ least }) => least), sum(({ least, wish }) => wish - least));
  const toMost = toWish < 1 ? 0 : part(room - sum(({ wish }) => wish), sum(({ wish, most }) => most - wish));
  const widths = all.map(({ least, wish, most }) => Math.floor(least + (wish - least) * toWish + (most - wish) * toMost));
  const free = frame.right - frame.margin - widths.reduce((a, b) => a + b, 0);
  // Where more passes than there is room for, cards stay inside all the same.
  const gap = cards.length === 1 ? 0 : Math.min(free / (cards.length - 1), Math.max(between, (free - 2 * Math.max(0, channel - frame.margin + edge)) / cards.length));
  let x = frame.margin + (free - gap * (cards.length - 1)) / 2;
  return cards.map((card, i) => {
    const box = { x: Math.round(x), y, width: widths[i], height: heightOf(card) };
    x += widths[i] + gap;
    return box;
  });
};

/** Bars and lanes are read better when they are long; a line has more width than a column. */
const mostUseful = ({ form, rows, traffic }: Card): number => (traffic ? 320 : form === 'lanes' ? 640 : form === 'rows' && rows.length > 0 ? 480 : 0);

/** Width that the links which only pass a layer need. */
const passing = (layers: Layers, structure: Structure, index: number): number => {
  const layerOf = (name: string): number => layers.findIndex((layer) => layer.some((card) => card.name === name));
  return structure.links.reduce((sum, link) => {
    const [from, to] = [layerOf(link.caller), layerOf(link.callee)];
    return from >= 0 && to >= 0 && Math.min(from, to) < index && Math.max(from, to) > index ? sum + Math.min(20, widestOf(nameOf(link), structure)) + 8 : sum;
  }, 0);
};

const hostStrips = (hosts: readonly PictureHost[], frame: Frame): Board['hosts'] =>
  hosts.map((host, i) => ({ host, box: { x: frame.margin, y: frame.stage.bottom - (hosts.length - i) * hostStrip.height - (hosts.length - 1 - i) * hostStrip.gap, width: frame.right - frame.margin, height: hostStrip.height } }));

/** Ways are found as if calls ran across, and turned. */
const routesDown = (cards: readonly PlacedCard[], columns: Board['columns'], structure: Structure, frame: Frame): ReadonlyMap<string, Route> => {
  const across = cards.map((card) => ({ ...card, box: alongCalls(frame, card.box) }));
  const routes = routesOf(across, columns, structure, { top: edge, bottom: frame.width - edge }, endRoom);
  return new Map([...routes].map(([name, route]) => [name, { ...route, points: route.points.map(turned), start: turned(route.start), end: turned(route.end) }]));
};
