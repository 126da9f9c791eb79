import { describe, expect, it } from 'vitest';
import { desiredReplicas, thousandths, type Observed } from '../../../src/engine/control/hpa.js';
import { failsOpen } from '../../../src/engine/parts/link.js';

/** [usage, request, ready] in millicores; usage null = no sample. */
type Pod = readonly [number | null, number, boolean];
const fleet = (pods: readonly Pod[]): Observed[] => pods.map(([usage, request, ready]) => ({ usage, request, ready }));
const times = (n: number, pod: Pod): Pod[] => Array.from({ length: n }, () => pod);

describe('the HPA rule for one resource', () => {
  it.each<[string, string, number, Pod[], number, number]>([
    ['missing far below', 'shrinks although one sample is missing', 4, [...times(3, [10, 100, true]), [null, 100, true]], 50, 3],
    ['turned direction', 'does nothing when the booting ones turn the direction', 4, [...times(2, [200, 200, true]), ...times(2, [null, 200, false])], 60, 4],
    ['booting unseen', 'leaves those that boot out of the mean: 55 % is near enough to 60 %', 3, [...times(2, [55, 100, true]), [null, 100, false]], 60, 3],
    ['all boot', 'does nothing while all of them boot', 3, times(3, [null, 100, false]), 50, 3],
    ['no sample', 'does nothing without any sample', 3, times(3, [null, 100, true]), 50, 3],
  ])('%s: %s', (_id, _, current, pods, target, desired) => {
    expect(desiredReplicas(current, fleet(pods), target).desired).toBe(desired);
  });
  it('stays when those that boot bring the mean of all to 105 % of the target, though twenty-one would be asked for', () => {
    expect(desiredReplicas(20, fleet([...times(10, [126, 100, true]), ...times(10, [null, 100, false])]), 60).desired).toBe(20);
  });
  it('tells the mean of those with a sample, and nothing without any', () => {
    expect(desiredReplicas(4, fleet([...times(3, [10, 100, true]), [null, 100, true]]), 50).utilisationPercent).toBe(10);
    expect(desiredReplicas(3, fleet(times(3, [null, 100, true])), 50).utilisationPercent).toBe(null);
  });
});

describe('the HPA rule for a length per pod', () => {
  const queues = (lengths: readonly (number | null)[], target: number): Observed[] => lengths.map((usage) => ({ usage, request: target, ready: true }));
  it.each<[string, number[], number, number]>([
    ['grows in proportion', [12, 18], 5, 6],
    ['is not truncated to whole percent of the target: 1.1004 is inside, 1.101 outside', [2201, 2201], 2001, 2],
    ['is truncated to thousandths', [0.0011, 0.0019], 0.001, 2],
    ['rests inside the tolerance', [5.5, 5.5], 5, 2],
    ['acts outside of it', [5.6, 5.6], 5, 3],
    ['shrinks', [1, 1, 1, 1], 10, 1],
  ])('%s', (_, lengths, target, desired) => {
    expect(desiredReplicas(lengths.length, queues(lengths, target), 100, thousandths).desired).toBe(desired);
  });
  it('takes one without a sample for one right on the target when scaling in', () => {
    expect(desiredReplicas(3, queues([1, 1, null], 10), 100, thousandths).desired).toBe(2);
  });
  it('does nothing without any sample', () => {
    expect(desiredReplicas(3, queues([null, null, null], 10), 100, thousandths)).toEqual({ desired: 3, utilisationPercent: null });
  });
});

describe('fail-open', () => {
  it('by a share: fewer than half of 10', () => {
    expect([4, 5].map((healthy) => failsOpen(healthy, 10, 0.5, true))).toEqual([true, false]);
  });
});
