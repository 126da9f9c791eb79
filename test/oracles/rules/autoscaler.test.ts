import { describe, expect, it } from 'vitest';
import { desiredReplicas, scaleUpLimit, tolerance, type Observed } from '../../../src/engine/control/hpa.js';
import { restartBackoffNs } from '../../../src/engine/control/restart-backoff.js';
import { casesOf } from '../catalogue.js';

/** Use and request in millicores, and whether it is ready; use null = no sample. */
type Pod = readonly [number | null, number, boolean];
const fleet = (pods: readonly Pod[]): Observed[] => pods.map(([usage, request, ready]) => ({ usage, request, ready }));

interface Decision {
  readonly currentReplicas: number;
  readonly pods: readonly Pod[];
  readonly targetUtilization: number;
  readonly tolerance: number;
}

describe('the Kubernetes autoscaler', () => {
  it.each(casesOf<Decision>('hpa'))('$id', ({ given, expected }) => {
    expect(tolerance).toBe(given.tolerance);
    expect(desiredReplicas(given.currentReplicas, fleet(given.pods), given.targetUtilization).desired).toBe(expected['desiredReplicas']);
  });
  it.each(casesOf<Readonly<Record<string, number>>, { readonly idealReplicas: number; readonly restPoints: readonly number[] }>('hpaSteady'))('$id: where it comes to rest', ({ given, expected }) => {
    const { demandMillicores: demand, requestMillicores: request, targetUtilization: target } = given;
    const rests = (n: number): boolean => desiredReplicas(n, fleet(Array.from({ length: n }, (): Pod => [demand / n, request, true])), target).desired === n;
    expect(Array.from({ length: 200 }, (_, i) => i + 1).filter(rests)).toEqual(expected.restPoints);
    expect(Math.ceil((demand * 100) / (request * target))).toBe(expected.idealReplicas);
    expect(rests(expected.idealReplicas)).toBe(true);
  });
  it.each(casesOf<{ readonly start: number; readonly demandReplicas: number }, { readonly replicasAfterEachSync: readonly number[] }>('hpaRamp'))('$id', ({ given, expected }) => {
    const steps = [given.start];
    while (steps.length <= expected.replicasAfterEachSync.length) steps.push(Math.min(given.demandReplicas, scaleUpLimit(steps.at(-1)!)));
    expect(steps.slice(1)).toEqual(expected.replicasAfterEachSync);
  });
});

describe('the back-off of restarts', () => {
  it.each(casesOf<Readonly<Record<string, number>>, { readonly delays: readonly number[]; readonly cumulative: readonly number[] }>('crashloop'))('$id: nothing before the first restart, then doubling', ({ given, expected }) => {
    const delaysS = Array.from({ length: expected.delays.length + 1 }, (_, i) => restartBackoffNs(i + 1) / 1e9);
    expect(delaysS).toEqual([0, ...expected.delays]);
    expect([Math.max(...delaysS), delaysS[1], delaysS[2] / delaysS[1]]).toEqual([given['max'], given['initial'], given['factor']]);
    expect(delaysS.slice(1).map((_, i, all) => all.slice(0, i + 1).reduce((sum, delay) => sum + delay))).toEqual(expected.cumulative);
  });
});
