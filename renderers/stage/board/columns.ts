import type { Structure } from '../structure.js';
import type { Card } from './plan.js';

/** Cards by column, from traffic to the deepest callee; within a column so that few ribbons cross. */
export const columnsOf = (cards: readonly Card[], structure: Structure, isTooHigh: (column: readonly Card[]) => boolean): Card[][] => {
  const last = Math.max(0, ...structure.layers.values());
  const columns = Array.from({ length: last + 1 }, (_, layer) => cards.filter(({ name }) => structure.layers.get(name) === layer)).filter((column) => column.length > 0);
  return untangled(relieved(columns, structure, isTooHigh), structure);
};

/** Of a column that is too high, those that call nobody move to the right: stores first, as what lies deepest. One column more at most. */
const relieved = (columns: Card[][], { links }: Structure, isTooHigh: (column: readonly Card[]) => boolean): Card[][] => {
  const result = columns.map((column) => [...column]);
  const isLeaf = (card: Card): boolean => card.service !== null && card.service.beside === null && !links.some(({ caller }) => caller === card.name);
  const weight = ({ service }: Card): number => (service && ['store', 'cache', 'external'].includes(service.kind) ? 0 : 1);
  for (let index = 1; index < result.length && index <= columns.length; index++) {
    while (isTooHigh(result[index])) {
      const leaves = result[index].filter(isLeaf).toSorted((a, b) => weight(a) - weight(b));
      if (leaves.length === 0 || index === columns.length || result[index].length < 2) break;
      result[index] = result[index].filter((card) => card !== leaves[0]);
      result[index + 1] = [...(result[index + 1] ?? []), leaves[0]];
    }
  }
  return result;
};

/** Sweeps until which the order of a column has settled. */
const sweeps = 6;

/** Each column in the order of the mean place of those that it is linked with, to and fro; of equals the one that was before stays before. */
const untangled = (columns: Card[][], { links }: Structure): Card[][] => {
  const pairs = links.map(({ caller, callee }) => [caller, callee] as const);
  let best = columns;
  let ordered = columns;
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const forward = sweep % 2 === 0;
    const indexes = ordered.map((_, i) => i);
    for (const index of forward ? indexes : indexes.toReversed()) {
      const places = placesOf(ordered);
      const wish = new Map(ordered[index].map(({ name }, i) => [name, meanPlace(neighbours(name, pairs, forward), places) ?? places.get(name)! + i * 1e-6]));
      ordered = ordered.map((column, i) => (i === index ? column.toSorted((a, b) => wish.get(a.name)! - wish.get(b.name)!) : column));
    }
    if (crossings(ordered, pairs) < crossings(best, pairs)) best = ordered;
  }
  return best;
};

type Pairs = readonly (readonly [string, string])[];

const neighbours = (name: string, pairs: Pairs, callers: boolean): readonly string[] => pairs.flatMap(([caller, callee]) => (callers ? (callee === name ? [caller] : []) : caller === name ? [callee] : []));

/** Height of each card in its column, 0..1. */
const placesOf = (columns: readonly (readonly Card[])[]): ReadonlyMap<string, number> => new Map(columns.flatMap((column) => column.map(({ name }, i) => [name, (i + 0.5) / column.length] as const)));

const meanPlace = (names: readonly string[], places: ReadonlyMap<string, number>): number | null => {
  const known = names.flatMap((name) => places.get(name) ?? []);
  return known.length === 0 ? null : known.reduce((a, b) => a + b, 0) / known.length;
};

/** Pairs of links that cross when drawn straight. */
const crossings = (columns: readonly (readonly Card[])[], pairs: Pairs): number => {
  const places = placesOf(columns);
  const columnOf = new Map(columns.flatMap((column, i) => column.map(({ name }) => [name, i] as const)));
  const lines = pairs.flatMap(([caller, callee]) => {
    const [x1, x2, y1, y2] = [columnOf.get(caller), columnOf.get(callee), places.get(caller), places.get(callee)];
    return x1 === undefined || x2 === undefined || x1 >= x2 ? [] : [{ x1, x2, y1: y1!, y2: y2! }];
  });
  const at = (line: (typeof lines)[number], x: number): number => line.y1 + ((line.y2 - line.y1) * (x - line.x1)) / (line.x2 - line.x1);
  let count = 0;
  lines.forEach((a, i) => {
    for (const b of lines.slice(i + 1)) {
      const [from, to] = [Math.max(a.x1, b.x1), Math.min(a.x2, b.x2)];
      if (from < to && (at(a, from) - at(b, from)) * (at(a, to) - at(b, to)) < 0) count++;
    }
  });
  return count;
};
