/** A share of the scenarios: the i-th of n machines that check at the same time. */
export interface Shard {
  /** 1-based. */
  readonly index: number;
  readonly of: number;
}

/**
 * The files of one shard. All shards of the same files and costs are a partition, with loads as even as taking the costliest first makes them.
 * @param costs of those whose cost is known; the others count as the middle one of these
 */
export const filesOfShard = (files: readonly string[], costs: ReadonlyMap<string, number>, { index, of }: Shard): readonly string[] => {
  const known = [...costs.values()].toSorted((a, b) => a - b);
  const costOf = (file: string): number => costs.get(file) ?? known[known.length >> 1] ?? 1;
  const loads = Array.from({ length: of }, () => 0);
  const shards = loads.map((): string[] => []);
  for (const file of files.toSorted((a, b) => costOf(b) - costOf(a) || (a < b ? -1 : 1))) {
    const lightest = loads.indexOf(Math.min(...loads));
    loads[lightest] += costOf(file);
    shards[lightest].push(file);
  }
  return shards[index - 1].toSorted();
};
