import type { Box } from '../frame.js';
import { nameOf, type Structure } from '../structure.js';
import { hostStrips, type Area } from './area.js';
import { arranged } from './columns.js';
import { foldedRoutes, foldGaps } from './fold-routes.js';
import { cutDown, heightOf, widthsOf, type Card } from './plan.js';
import type { Board, PlacedCard } from './place.js';
import { lineHeight as lineHeightOf, stackGap } from './sizes.js';
import { widestOf } from './routes.js';

const linesMost = 8;
/** Ribbons between so many parts are thin. */
const ribbonMost = 14;

/**
 * Calls that are too deep for one line of columns, in lines that run to and fro as one ploughs: each begins where the one above it ends. Columns stand in a grid, so that links which skip some of them run in the
 * gaps between.
 */
export const foldedBoard = (all: readonly Card[], structure: Structure, area: Area): Board => {
  const { columns: drafts } = arranged(all, structure, { isTooHigh: () => false, isFull: (column) => lineHeightOf(column) + (foldGaps.stack - stackGap.lines) * column.length > lineHeight(2, area), columnsMost: 30 });
  const hidden: string[] = [];
  const sources = shrunk(all.filter(({ traffic }) => traffic !== null), sourceWidth, area.sourceBottom - area.top, hidden);
  const grid = { ...area, left: area.left + (sources.length > 0 ? sourceWidth + sourceGap : 0) };
  const deep = drafts.map((column) => column.filter(({ traffic }) => traffic === null)).filter((column) => column.length > 0);
  const services = deep.slice(0, perMost(grid) * linesMost);
  // The deepest are named in words.
  hidden.push(...deep.slice(services.length).flat().map(({ name }) => name));
  const lines = linesFor(services, grid);
  const per = Math.ceil(services.length / lines);
  const slot = slotOf(per, grid);
  const height = lineHeight(lines, grid);
  const cards: PlacedCard[] = [];
  const columns: { left: number; right: number; boxes: Box[] }[] = [];
  const place = (column: readonly Card[], left: number, width: number, top: number, room: number): void => {
    const total = column.reduce((sum, card) => sum + heightOf(card), 0) + foldGaps.stack * (column.length - 1);
    let y = top + (room - total) / 2;
    const boxes = column.map((card) => {
      const box = { x: Math.round(left), y: Math.round(y), width: Math.floor(width), height: heightOf(card) };
      y += heightOf(card) + foldGaps.stack;
      return box;
    });
    cards.push(...column.map((card, i) => ({ ...card, box: boxes[i], column: columns.length })));
    columns.push({ left: Math.round(left), right: Math.round(left) + Math.floor(width), boxes });
  };
  // What asks stands before the first line where it is little, else beside all of them.
  const isLow = sources.reduce((sum, card) => sum + heightOf(card) + foldGaps.stack, 0) <= height;
  place(sources, area.left, sourceWidth, area.top, isLow ? height : area.sourceBottom - area.top);
  services.forEach((draft, index) => {
    const line = Math.floor(index / per);
    const at = line % 2 === 0 ? index % per : per - 1 - (index % per);
    place(shrunk(draft, slot, height, hidden), grid.left + foldGaps.side + at * (slot + foldGaps.beside), slot, grid.top + line * (height + foldGaps.line), height);
  });
  const widest = Math.max(1, ...structure.links.map((link) => widestOf(nameOf(link), structure)));
  const ribbonShare = Math.min(1, ribbonMost / widest);
  return { cards, columns, hosts: hostStrips(structure, columns, area), routes: foldedRoutes(cards, structure, { per, slot, height, area: grid, ribbonShare }), hidden, ribbonShare };
};

const sourceWidth = 168;
const sourceGap = 22;

/** A card that is narrower says nothing. */
const narrowest = 150;
/** Most columns in a line. */
const perMost = ({ left, right }: Area): number => Math.floor((right - left - 2 * foldGaps.side + foldGaps.beside) / (narrowest + foldGaps.beside));
const slotOf = (per: number, { left, right }: Area): number => (right - left - 2 * foldGaps.side - (per - 1) * foldGaps.beside) / per;
const lineHeight = (lines: number, { top, bottom }: Area): number => (bottom - top - (lines - 1) * foldGaps.line) / lines;

/** The fewest lines in which every card has a place; where there are none, those in which most have. */
const linesFor = (drafts: readonly (readonly Card[])[], area: Area): number => {
  let best = { lines: 2, hidden: Infinity };
  for (let lines = 2; lines <= linesMost && best.hidden > 0; lines++) {
    const hidden: string[] = [];
    const slot = slotOf(Math.ceil(drafts.length / lines), area);
    if (slot < narrowest) continue;
    for (const draft of drafts) shrunk(draft, slot, lineHeight(lines, area), hidden);
    if (hidden.length < best.hidden) best = { lines, hidden: hidden.length };
  }
  return best.lines;
};

/** Cards of a column cut down until they stand above each other in its height and are as narrow as it is. */
const shrunk = (draft: readonly Card[], width: number, height: number, hidden: string[]): readonly Card[] => {
  let column = draft.map((card) => narrowed(card, width));
  const total = (): number => column.reduce((sum, card) => sum + heightOf(card), 0) + foldGaps.stack * (column.length - 1);
  while (total() > height && column.length > 0) {
    const order = column.map((card, index) => ({ index, height: heightOf(card), next: cutDown(card) })).filter(({ next }) => next !== null);
    if (order.length === 0) {
      hidden.push(column.at(-1)!.name);
      column = column.slice(0, -1);
      continue;
    }
    const { index, next } = order.reduce((a, b) => (b.height > a.height ? b : a));
    column = column.map((card, i) => (i === index ? narrowed(next!, width) : card));
  }
  return column;
};

const narrowed = (card: Card, width: number): Card => {
  if (widthsOf(card).least <= width || card.size === 'line') return card;
  if (card.form === 'lanes') return narrowed({ ...card, form: 'cells' }, width);
  const fewer = card.form === 'cells' && card.across > 2 ? { ...card, across: card.across - 1 } : null;
  if (fewer && widthsOf({ ...card, narrowness: 2 }).least > width) return narrowed(fewer, width);
  if (card.form === 'rows' && card.narrowness === 0 && card.rows.length > 0) return narrowed({ ...card, narrowness: 1 }, width);
  if (card.narrowness < 2) return narrowed({ ...card, narrowness: 2, rows: card.form === 'rows' ? card.rows.filter(({ kind }) => kind === 'slots' || kind === 'cpu') : card.rows }, width);
  if (card.rotation) return narrowed({ ...card, rotation: null }, width);
  return card.traffic ? card : { ...card, size: 'line', form: 'rows', rows: [], rotation: null };
};
