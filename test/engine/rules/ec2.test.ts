import { describe, expect, it } from 'vitest';
import { targetTracking } from '../../../src/engine/control/ec2.js';

const times = (n: number, point: number | null): (number | null)[] => Array.from({ length: n }, () => point);
const all = (capacity: number): { capacity: number; measured: number; warming: number } => ({ capacity, measured: capacity, warming: 0 });

describe('target tracking, out', () => {
  it('waits for the third point above the target', () => {
    expect(targetTracking(times(2, 0.9), all(4), 0.6)).toBe(4);
    expect(targetTracking(times(3, 0.9), all(4), 0.6)).toBe(6);
  });
  it('looks at the last three, whatever came before', () => {
    expect(targetTracking([...times(12, 0.3), null, ...times(3, 0.9)], all(4), 0.6)).toBe(6);
  });
  it('begins to count anew after one that is not', () => {
    expect(targetTracking([0.9, 0.9, 0.6, 0.9, 0.9], all(4), 0.6)).toBe(4);
    expect(targetTracking([0.9, 0.9, null, 0.9, 0.9], all(4), 0.6)).toBe(4);
  });
  it('goes in proportion, by the newest point, rounded up', () => {
    expect(targetTracking([0.9, 0.9, 0.61], all(4), 0.6)).toBe(5);
    expect(targetTracking([0.61, 0.61, 0.9], all(5), 0.6)).toBe(8);
  });
  it('does not take noise of the arithmetic for a machine', () => {
    expect((3 * 0.8) / 0.6).toBeGreaterThan(4);
    expect(targetTracking(times(3, 0.8), all(3), 0.6)).toBe(4);
  });
  it('counts those that warm up as capacity, but not in the metric', () => {
    // Two at 90 % need three; one is coming already.
    expect(targetTracking(times(3, 0.9), { capacity: 3, measured: 2, warming: 1 }, 0.6)).toBe(3);
    // Two at 150 % need five; one is coming.
    expect(targetTracking(times(3, 1.5), { capacity: 3, measured: 2, warming: 1 }, 0.6)).toBe(5);
  });
});

describe('target tracking, in', () => {
  it('waits for the fifteenth point below 90 % of the target', () => {
    expect(targetTracking(times(14, 0.3), all(4), 0.6)).toBe(4);
    expect(targetTracking(times(15, 0.3), all(4), 0.6)).toBe(2);
    expect(targetTracking(times(15, 0.54), all(40), 0.6)).toBe(40);
  });
  it('waits longer where more points are asked for', () => {
    expect(targetTracking(times(19, 0.3), all(4), 0.6, 20)).toBe(4);
    expect(targetTracking(times(20, 0.3), all(4), 0.6, 20)).toBe(2);
  });
  it('takes away fewer than in proportion', () => {
    expect(targetTracking(times(15, 0.4), all(4), 0.6)).toBe(3);
  });
  it('goes by the highest of the points', () => {
    expect(targetTracking([0.45, ...times(14, 0.1)], all(8), 0.6)).toBe(6);
  });
  it('takes nothing away while some warm up', () => {
    expect(targetTracking(times(15, 0.3), { capacity: 4, measured: 3, warming: 1 }, 0.6)).toBe(4);
  });
  it('keeps those of which nothing is known', () => {
    expect(targetTracking(times(15, 0.3), { capacity: 5, measured: 4, warming: 0 }, 0.6)).toBe(3);
  });
});
