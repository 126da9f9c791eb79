import type { Item } from './columns.js';

/** A step of a link from a column to the next one, by the keys of its ends. */
export interface Strand {
  /** `caller.callee`. */
  readonly link: string;
  /** Left one of the two columns. */
  readonly column: number;
  readonly left: string;
  readonly right: string;
}

type Columns = readonly (readonly Item[])[];

/** Sweeps to and fro until which the order has settled. */
const sweeps = 16;

/**
 * Columns in an order with few crossings: each in the order of the mean place of its neighbours on one side, by turns (barycentre sweeps of Sugiyama, Tagawa and Toda 1981), and after each sweep neighbours change
 * places where that takes crossings away. Of equals, the one that was before stays before.
 */
export const untangled = (columns: Columns, strands: readonly Strand[]): Columns => {
  const by = neighboursOf(strands);
  let ordered = columns;
  let best = { columns, cost: costOf(columns, strands) };
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const isForward = sweep % 2 === 0;
    const indexes = ordered.map((_, i) => i);
    for (const index of isForward ? indexes : indexes.toReversed()) {
      const places = placesOf(ordered);
      const wishes = new Map(ordered[index].map(({ key }) => [key, meanOf((isForward ? by.left : by.right).get(key) ?? [], places) ?? places.get(key)!] as const));
      ordered = ordered.map((column, i) => (i === index ? column.toSorted((a, b) => wishes.get(a.key)! - wishes.get(b.key)!) : column));
    }
    ordered = exchanged(ordered, by);
    const cost = costOf(ordered, strands);
    if (cost < best.cost) best = { columns: ordered, cost };
  }
  return best.columns;
};

interface Neighbours {
  readonly left: ReadonlyMap<string, readonly string[]>;
  readonly right: ReadonlyMap<string, readonly string[]>;
}

const neighboursOf = (strands: readonly Strand[]): Neighbours => {
  const [left, right] = [new Map<string, string[]>(), new Map<string, string[]>()];
  const add = (map: Map<string, string[]>, key: string, other: string): void => void map.set(key, [...(map.get(key) ?? []), other]);
  for (const strand of strands) {
    add(right, strand.left, strand.right);
    add(left, strand.right, strand.left);
  }
  return { left, right };
};

/** Height of each item in its column, 0..1. */
const placesOf = (columns: Columns): ReadonlyMap<string, number> => new Map(columns.flatMap((column) => column.map(({ key }, i) => [key, (i + 0.5) / column.length] as const)));

const meanOf = (keys: readonly string[], places: ReadonlyMap<string, number>): number | null => (keys.length === 0 ? null : keys.reduce((sum, key) => sum + places.get(key)!, 0) / keys.length);

/** Two that stand above each other change places where fewer ribbons cross then. */
const exchanged = (columns: Columns, by: Neighbours): Columns => {
  const result = columns.map((column) => [...column]);
  for (let again = true, round = 0; again && round < 8; round++) {
    again = false;
    result.forEach((column, index) => {
      const [before, after] = [indexOf(result[index - 1]), indexOf(result[index + 1])];
      for (let i = 0; i + 1 < column.length; i++) {
        const [a, b] = [column[i].key, column[i + 1].key];
        const now = crossed(by.left.get(a), by.left.get(b), before) + crossed(by.right.get(a), by.right.get(b), after);
        const then = crossed(by.left.get(b), by.left.get(a), before) + crossed(by.right.get(b), by.right.get(a), after);
        if (then >= now) continue;
        [column[i], column[i + 1]] = [column[i + 1], column[i]];
        again = true;
      }
    });
  }
  return result;
};

const indexOf = (column: readonly Item[] | undefined): ReadonlyMap<string, number> => new Map((column ?? []).map(({ key }, i) => [key, i]));

/** Crossings of the strands of one item with those of the item below it. */
const crossed = (upper: readonly string[] = [], lower: readonly string[] = [], at: ReadonlyMap<string, number>): number =>
  upper.reduce((sum, a) => sum + lower.reduce((part, b) => part + Number(at.get(a)! > at.get(b)!), 0), 0);

/** Crossings first; of as many, the shorter ways. */
const costOf = (columns: Columns, strands: readonly Strand[]): number => {
  let crossings = 0;
  let length = 0;
  const indexes = columns.map(indexOf);
  columns.forEach((column, index) => {
    const here = strands.filter((strand) => strand.column === index).map(({ left, right }) => [indexes[index].get(left)!, indexes[index + 1].get(right)!] as const);
    const height = (i: number, of: number): number => (i + 0.5) / of;
    here.forEach(([l1, r1], i) => {
      length += Math.abs(height(l1, column.length) - height(r1, columns[index + 1].length));
      for (const [l2, r2] of here.slice(i + 1)) if ((l1 - l2) * (r1 - r2) < 0) crossings++;
    });
  });
  return crossings + length * 0.01;
};
