import type { Structure } from '../structure.js';
import { layering } from './layering.js';
import { untangled, type Strand } from './order.js';
import type { Card } from './plan.js';

/** What stands in a column: a card, or a link that only passes it. */
export interface Item {
  /** Unlike all others, in whatever column. */
  readonly key: string;
  /** Of the card, or `caller.callee`. */
  readonly name: string;
  readonly isPass: boolean;
}

/** Cards by column, from traffic to the deepest callee; within a column so that few ribbons cross. */
export const columnsOf = (cards: readonly Card[], structure: Structure, isTooHigh: (column: readonly Card[]) => boolean): Card[][] => arranged(cards, structure, { isTooHigh, isFull: isTooHigh, columnsMost: columnsCalm }).columns;

/** The same, and where in each column the links that pass it run. */
export const arranged = (cards: readonly Card[], structure: Structure, heights: Heights): { readonly columns: Card[][]; readonly items: readonly (readonly Item[])[] } => {
  const layers = layering(structure);
  const last = Math.max(0, ...layers.values());
  const columns = relieved(Array.from({ length: last + 1 }, (_, layer) => cards.filter(({ name }) => layers.get(name) === layer)).filter((column) => column.length > 0), structure, heights);
  const items = untangled(withPasses(columns, structure), strandsOf(columns, structure));
  const byName = new Map(cards.map((card) => [card.name, card]));
  return { columns: items.map((column) => column.flatMap(({ name, isPass }) => (isPass ? [] : [byName.get(name)!]))), items };
};

const columnByName = (columns: readonly (readonly Card[])[]): ReadonlyMap<string, number> => new Map(columns.flatMap((column, index) => column.map(({ name }) => [name, index] as const)));

const withPasses = (columns: readonly (readonly Card[])[], { links }: Structure): Item[][] =>
  columns.map((column, index) => [...column.map(({ name }) => ({ key: name, name, isPass: false })), ...passesOf(columns, index, links).map((name) => ({ key: passKey(name, index), name, isPass: true }))]);

export const passKey = (link: string, column: number): string => `${link} ${column}`;

/** Every link as steps from one column to the next. */
export const strandsOf = (columns: readonly (readonly Card[])[], { links }: Structure): readonly Strand[] => {
  const columnOf = columnByName(columns);
  return links.flatMap(({ caller, callee }) => {
    const [a, b] = [columnOf.get(caller), columnOf.get(callee)];
    if (a === undefined || b === undefined || a === b) return [];
    const [left, right, first, last] = a < b ? [caller, callee, a, b] : [callee, caller, b, a];
    return Array.from({ length: last - first }, (_, i) => ({ link: `${caller}.${callee}`, column: first + i, left: i === 0 ? left : passKey(`${caller}.${callee}`, first + i), right: first + i + 1 === last ? right : passKey(`${caller}.${callee}`, first + i + 1) }));
  });
};

/** Links that run from left of a column to right of it. */
const passesOf = (columns: readonly (readonly Card[])[], index: number, links: Structure['links']): string[] => {
  const columnOf = columnByName(columns);
  return links.flatMap(({ caller, callee }) => {
    const [from, to] = [columnOf.get(caller), columnOf.get(callee)];
    return from !== undefined && to !== undefined && Math.min(from, to) < index && index < Math.max(from, to) ? [`${caller}.${callee}`] : [];
  });
};

/** Columns up to which others are added for what is too high to be told well. */
const columnsCalm = 6;

/** How a column may be too high: to tell all that its cards could; to have a line for each. */
export interface Heights {
  readonly isTooHigh: (column: readonly Card[], passes: readonly string[]) => boolean;
  readonly isFull: (column: readonly Card[], passes: readonly string[]) => boolean;
  /** Columns up to which others are added for what could not be told at all. */
  readonly columnsMost: number;
}

/** Of a column that is too high, those that call nobody move to the right: stores first, as what lies deepest; then those whose callees lie further right even so. */
const relieved = (columns: readonly (readonly Card[])[], { links }: Structure, { isTooHigh, isFull, columnsMost }: Heights): Card[][] => {
  const result = columns.map((column) => [...column]);
  const callees = (card: Card): readonly string[] => links.flatMap(({ caller, callee }) => (caller === card.name ? [callee] : []));
  // What it calls lies further right anyway, or left of it: its calls go back.
  const mayMove = (card: Card, index: number, columnOf: ReadonlyMap<string, number>): boolean => card.service !== null && card.service.beside === null && callees(card).every((callee) => columnOf.get(callee)! > index + 1 || columnOf.get(callee)! < index);
  const weight = ({ service }: Card): number => (service && ['store', 'cache', 'external'].includes(service.kind) ? 0 : 1);
  for (let index = 1; index < result.length; index++) {
    for (;;) {
      const passes = passesOf(result, index, links);
      const isLast = index === result.length - 1;
      const isHigh = isFull(result[index], passes) ? !isLast || result.length < columnsMost : isTooHigh(result[index], passes) && (!isLast || result.length < Math.min(columnsCalm, columns.length + 2));
      const leaves = result[index].filter((card) => mayMove(card, index, columnByName(result))).toSorted((a, b) => callees(a).length - callees(b).length || weight(a) - weight(b));
      if (!isHigh || leaves.length === 0 || result[index].length < 2) break;
      result[index] = result[index].filter((card) => card !== leaves[0]);
      result[index + 1] = [...(result[index + 1] ?? []), leaves[0]];
    }
  }
  return result;
};
