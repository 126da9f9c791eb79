import { describe, expect, it } from 'vitest';
import { desiredReplicas, scaleUpLimit, thousandths, tolerance, type Observed } from '../../../src/engine/control/hpa.js';
import { failsOpen } from '../../../src/engine/parts/link.js';

/** [usage, request, ready] in millicores; usage null = no sample. */
type Pod = readonly [number | null, number, boolean];
const fleet = (pods: readonly Pod[]): Observed[] => pods.map(([usage, request, ready]) => ({ usage, request, ready }));
const times = (n: number, pod: Pod): Pod[] => Array.from({ length: n }, () => pod);

describe('the HPA rule for one resource', () => {
  it.each<[string, string, number, Pod[], number, number]>([
    ['hpa-double', 'doubles at twice the target', 4, times(4, [100, 100, true]), 50, 8],
    ['hpa-tolerance-hi', 'does nothing at the upper edge of the tolerance', 4, times(4, [55, 100, true]), 50, 4],
    ['hpa-tolerance-out', 'acts just outside of it', 4, times(4, [56, 100, true]), 50, 5],
    ['hpa-down', 'shrinks below the target', 10, times(10, [20, 100, true]), 50, 4],
    ['hpa-truncate', 'truncates the percentage: 110.67 % of 100 % is inside', 3, [[110, 100, true], [111, 100, true], [111, 100, true]], 100, 3],
    ['hpa-missing-down', 'counts a missing sample as all of its request when scaling in', 4, [...times(3, [40, 100, true]), [null, 100, true]], 50, 4],
    ['hpa-missing-up', 'counts a missing sample as nothing when scaling out', 4, [...times(3, [100, 100, true]), [null, 100, true]], 50, 6],
    ['hpa-unready-up', 'counts booting ones as idle capacity when scaling out', 6, [...times(4, [100, 100, true]), ...times(2, [80, 100, false])], 50, 8],
    ['hpa-unready-down', 'leaves booting ones out when scaling in', 6, [...times(4, [20, 100, true]), ...times(2, [90, 100, false])], 50, 2],
    ['missing far below', 'shrinks although one sample is missing', 4, [...times(3, [10, 100, true]), [null, 100, true]], 50, 3],
    ['turned direction', 'does nothing when the booting ones turn the direction', 4, [...times(2, [200, 200, true]), ...times(2, [null, 200, false])], 60, 4],
    ['no sample', 'does nothing without any sample', 3, times(3, [null, 100, true]), 50, 3],
  ])('%s: %s', (_id, _, current, pods, target, desired) => {
    expect(desiredReplicas(current, fleet(pods), target).desired).toBe(desired);
  });

  it.each<[string, number, number, number, number, number[]]>([
    ['hpa-steady-6000m-500m-60', 6000, 500, 60, 20, [18, 19, 20, 21, 22]],
    ['hpa-steady-3300m-1000m-80', 3300, 1000, 80, 5, [4, 5]],
    ['hpa-steady-9100m-250m-70', 9100, 250, 70, 52, [47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57]],
  ])('%s: has so many rest points, and which one it finds depends on where it comes from', (_id, use, request, target, ideal, restPoints) => {
    const rests = (n: number): boolean => desiredReplicas(n, fleet(times(n, [use / n, request, true])), target).desired === n;
    expect(Array.from({ length: 100 }, (_, i) => i + 1).filter(rests)).toEqual(restPoints);
    expect(Math.ceil((use * 100) / (request * target))).toBe(ideal);
    expect(tolerance).toBe(0.1);
  });

  it('hpa-ramp: grows from 1 to 40 by the default policies: 5, 10, 20, 40', () => {
    const steps = [1];
    for (let i = 0; i < 6; i++) steps.push(Math.min(40, scaleUpLimit(steps.at(-1)!)));
    expect(steps.slice(1)).toEqual([5, 10, 20, 40, 40, 40]);
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
});

describe('fail-open of an ALB', () => {
  it.each([[0, 10, 1, true], [1, 10, 1, false], [2, 10, 3, true], [9, 10, 1, false]])('%i healthy of %i, at least %i: %s', (healthy, registered, minimum, open) => {
    expect(failsOpen(healthy, registered, minimum, false)).toBe(open);
  });
  it('by a share: fewer than half of 10', () => {
    expect([4, 5].map((healthy) => failsOpen(healthy, 10, 0.5, true))).toEqual([true, false]);
  });
});
