import { describe, expect, it } from 'vitest';
import { restartBackoffNs } from '../../../src/engine/control/restart-backoff.js';

describe("the kubelet's back-off of restarts", () => {
  const delaysS = Array.from({ length: 8 }, (_, i) => restartBackoffNs(i + 1) / 1e9);
  it('crashloop: adds nothing before the first restart, then 10, 20, 40, 80, 160 s, and at most 300 s', () => {
    expect(delaysS).toEqual([0, 10, 20, 40, 80, 160, 300, 300]);
  });
  it('crashloop: adds up to 10, 30, 70, 150, 310, 610, 910 s', () => {
    let sum = 0;
    expect(delaysS.slice(1).map((delay) => (sum += delay))).toEqual([10, 30, 70, 150, 310, 610, 910]);
  });
  it('stays at 300 s however often it dies', () => {
    expect(restartBackoffNs(1_000)).toBe(300e9);
  });
});
