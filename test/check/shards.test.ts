import fc from 'fast-check';
import { expect, it } from 'vitest';
import { filesOfShard } from '../../src/pipeline/shards.js';

const files = fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 40 });

it('shards of the same files and costs are a partition, whatever is known of the costs', () => {
  fc.assert(
    fc.property(files, fc.array(fc.nat(1000), { maxLength: 40 }), fc.integer({ min: 1, max: 6 }), (all, costs, of) => {
      const known = new Map(all.slice(0, costs.length).map((file, i) => [file, costs[i]]));
      const shards = Array.from({ length: of }, (_, i) => filesOfShard(all, known, { index: i + 1, of }));
      expect(shards.flat().toSorted()).toEqual(all.toSorted());
    }),
    { seed: 1 },
  );
});

it('no shard is heavier than the lightest by more than one scenario', () => {
  fc.assert(
    fc.property(files, fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 40, maxLength: 40 }), fc.integer({ min: 1, max: 6 }), (all, costs, of) => {
      const known = new Map(all.map((file, i) => [file, costs[i]]));
      const loads = Array.from({ length: of }, (_, i) => filesOfShard(all, known, { index: i + 1, of }).reduce((sum, file) => sum + known.get(file)!, 0));
      expect(Math.max(...loads) - Math.min(...loads)).toBeLessThanOrEqual(Math.max(0, ...known.values()));
    }),
    { seed: 2 },
  );
});

it('a scenario whose cost nobody recorded counts as the middle one', () => {
  const costs = new Map([['a', 100], ['b', 1], ['c', 100]]);
  expect([1, 2].map((index) => filesOfShard(['a', 'b', 'c', 'new'], costs, { index, of: 2 }))).toEqual([['a', 'new'], ['b', 'c']]);
});
