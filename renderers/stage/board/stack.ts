/** What stands in a column, from above. */
export interface Standing {
  readonly key: string;
  readonly height: number;
  /** Least distance to what stands above it. */
  readonly gap: number;
}

/** Two that should stand level: the middle of `left` plus its shift, and that of `right` plus its shift. */
export interface Level {
  readonly left: string;
  readonly right: string;
  readonly leftShift: number;
  readonly rightShift: number;
  /** How much it matters. */
  readonly weight: number;
}

const sweeps = 14;

/**
 * Heights (y of the middle, by key) at which as many ribbons as possible run straight, the thickest first: each item goes where the weighted median of its neighbours asks for, as far as the order of its column and
 * the least distances let it. Everything then stands around the middle of `top` and `bottom`.
 */
export const stacked = (columns: readonly (readonly Standing[])[], levels: readonly Level[], areas: readonly { readonly top: number; readonly bottom: number }[]): ReadonlyMap<string, number> => {
  const middles = new Map<string, number>();
  columns.forEach((column, index) => set(middles, column, centred(column, areas[index])));
  const wishesOf = wishesBy(levels, middles);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const indexes = columns.map((_, i) => i);
    for (const index of sweep % 2 === 0 ? indexes : indexes.toReversed()) {
      const wishes = columns[index].map(({ key }) => ({ key, wish: wishesOf(key) }));
      set(middles, columns[index], settled(columns[index], wishes.map(({ key, wish }) => wish ?? { y: middles.get(key)!, weight: 0.01 }), areas[index]));
    }
  }
  return shifted(middles, columns, areas);
};

const set = (middles: Map<string, number>, column: readonly Standing[], ys: readonly number[]): void => column.forEach(({ key }, i) => middles.set(key, ys[i]));

const centred = (column: readonly Standing[], { top, bottom }: { readonly top: number; readonly bottom: number }): number[] => {
  let y = (top + bottom - column.reduce((sum, { height, gap }, i) => sum + height + (i === 0 ? 0 : gap), 0)) / 2;
  return column.map(({ height, gap }, i) => {
    y += i === 0 ? 0 : gap;
    y += height;
    return y - height / 2;
  });
};

interface Wish {
  readonly y: number;
  readonly weight: number;
}

const wishesBy = (levels: readonly Level[], middles: ReadonlyMap<string, number>): ((key: string) => Wish | null) => {
  const by = new Map<string, ((() => Wish))[]>();
  const add = (key: string, wish: () => Wish): void => void by.set(key, [...(by.get(key) ?? []), wish]);
  for (const { left, right, leftShift, rightShift, weight } of levels) {
    add(left, () => ({ y: middles.get(right)! + rightShift - leftShift, weight }));
    add(right, () => ({ y: middles.get(left)! + leftShift - rightShift, weight }));
  }
  return (key) => medianOf((by.get(key) ?? []).map((wish) => wish()));
};

const medianOf = (wishes: readonly Wish[]): Wish | null => {
  const sorted = wishes.toSorted((a, b) => a.y - b.y);
  const total = sorted.reduce((sum, { weight }) => sum + weight, 0);
  let sum = 0;
  for (const { y, weight } of sorted) {
    sum += weight;
    if (sum * 2 >= total) return { y, weight: total };
  }
  return null;
};

/** Nearest to the wishes with the least distances kept: weighted isotonic regression (pool adjacent violators), then kept within the area. */
const settled = (column: readonly Standing[], wishes: readonly Wish[], { top, bottom }: { readonly top: number; readonly bottom: number }): number[] => {
  let below = 0;
  const depths = column.map(({ height, gap }, i) => {
    below += i === 0 ? 0 : (column[i - 1].height + height) / 2 + gap;
    return below;
  });
  const pools: { y: number; weight: number; count: number }[] = [];
  wishes.forEach(({ y, weight }, i) => {
    pools.push({ y: y - depths[i], weight, count: 1 });
    while (pools.length > 1 && pools.at(-2)!.y > pools.at(-1)!.y) {
      const [a, b] = pools.splice(-2);
      pools.push({ y: (a.y * a.weight + b.y * b.weight) / (a.weight + b.weight), weight: a.weight + b.weight, count: a.count + b.count });
    }
  });
  const [least, most] = [top + (column[0]?.height ?? 0) / 2, bottom - (column.at(-1)?.height ?? 0) / 2 - below];
  return pools.flatMap(({ y, count }) => Array.from({ length: count }, () => Math.max(Math.min(least, most), Math.min(most, Math.max(least, y))))).map((y, i) => y + depths[i]);
};

/** All by as much, so that as much is free above as below, as far as the areas let it. */
const shifted = (middles: ReadonlyMap<string, number>, columns: readonly (readonly Standing[])[], areas: readonly { readonly top: number; readonly bottom: number }[]): ReadonlyMap<string, number> => {
  const free = columns.flatMap((column, i) => column.map(({ key, height }) => ({ above: middles.get(key)! - height / 2 - areas[i].top, below: areas[i].bottom - middles.get(key)! - height / 2 })));
  const [above, below] = [Math.min(...free.map((one) => one.above)), Math.min(...free.map((one) => one.below))];
  const shift = Math.round((below - above) / 2);
  return new Map([...middles].map(([key, y]) => [key, y + shift]));
};
