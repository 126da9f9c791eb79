import { describe, expect, it } from 'vitest';
import { desiredReplicas, scaleUpLimit, type Observed } from '../../../src/engine/control/hpa.js';
import { failsOpen } from '../../../src/engine/parts/link.js';

/** [usage, request, ready] in millicores; usage null = no sample. */
type Pod = readonly [number | null, number, boolean];
const fleet = (pods: readonly Pod[]): Observed[] => pods.map(([usage, request, ready]) => ({ usage, request, ready }));
const times = (n: number, pod: Pod): Pod[] => Array.from({ length: n }, () => pod);

describe('the HPA rule for one resource', () => {
  it.each<[string, number, Pod[], number, number]>([
    ['doubles at twice the target', 3, times(3, [100, 100, true]), 50, 6],
    ['does nothing at the upper edge of the tolerance', 10, times(10, [110, 100, true]), 100, 10],
    ['acts just outside of it', 10, times(10, [112, 100, true]), 100, 12],
    ['truncates the percentage: 110.67 % of 100 % is inside', 3, [[110, 100, true], [111, 100, true], [111, 100, true]], 100, 3],
    ['shrinks below the target', 10, times(10, [25, 100, true]), 50, 5],
    ['counts a missing sample as nothing when scaling out', 4, [...times(3, [100, 100, true]), [null, 100, true]], 50, 6],
    ['counts a missing sample as all of its request when scaling in', 4, [...times(3, [10, 100, true]), [null, 100, true]], 50, 3],
    ['counts booting ones as idle capacity when scaling out', 6, [...times(4, [100, 100, true]), ...times(2, [80, 100, false])], 50, 8],
    ['leaves booting ones out when scaling in', 6, [...times(4, [20, 100, true]), ...times(2, [80, 100, false])], 50, 2],
    ['does nothing when the booting ones turn the direction', 4, [...times(2, [200, 200, true]), ...times(2, [null, 200, false])], 60, 4],
    ['does nothing without any sample', 3, times(3, [null, 100, true]), 50, 3],
  ])('%s', (_, current, pods, target, desired) => {
    expect(desiredReplicas(current, fleet(pods), target).desired).toBe(desired);
  });

  it.each([[6000, 500, 60, 20], [3300, 1000, 80, 5]])('rests where %i millicores of use over requests of %i are %i %% of %i replicas', (use, request, target, replicas) => {
    expect(desiredReplicas(replicas, fleet(times(replicas, [use / replicas, request, true])), target).desired).toBe(replicas);
  });

  it('grows from 1 to 40 by the default policies: 5, 10, 20, 40', () => {
    const steps = [1];
    for (let i = 0; i < 6; i++) steps.push(Math.min(40, scaleUpLimit(steps.at(-1)!)));
    expect(steps.slice(1)).toEqual([5, 10, 20, 40, 40, 40]);
  });
});

describe('fail-open of an ALB', () => {
  it.each([[0, 10, 1, true], [1, 10, 1, false], [2, 10, 3, true], [9, 10, 1, false]])('%i healthy of %i, at least %i: %s', (healthy, registered, minimum, open) => {
    expect(failsOpen(healthy, registered, minimum, false)).toBe(open);
  });
  it('by a share: fewer than half of 10', () => {
    expect([4, 5].map((healthy) => failsOpen(healthy, 10, 0.5, true))).toEqual([true, false]);
  });
});
