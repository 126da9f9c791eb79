import { describe, expect, it } from 'vitest';
import { CpuRig, ms } from '../parts/cpu-rig.js';

const periodNs = 100 * ms;

/** Runs one container under quota and tells, for each of the given periods, how long it was throttled. */
const throttledByPeriod = (rig: CpuRig, periods: number): number[] => {
  const totals: number[] = [];
  for (let period = 1; period <= periods; period++) rig.at(period * periodNs, () => totals.push(rig.containers[0].throttledNsAt(rig.queue.now)));
  rig.run(periods * periodNs + 1);
  return totals.map((total, i) => total - (totals[i - 1] ?? 0));
};

/** Wall time = (⌈C/Q⌉ − 1) P + C − (⌈C/Q⌉ − 1) Q for C seconds of CPU under a quota of Q in each period of P = 0.1 s (Linux, sched-bwc.rst). */
describe('CFS bandwidth control against its arithmetic, to the nanosecond', () => {
  it.each([
    { id: 'cfs-0.12-0.05', cpuS: 0.12, quotaS: 0.05, wallS: 0.22, throttledPeriods: 2, throttledS: 0.1 },
    { id: 'cfs-0.05-0.05', cpuS: 0.05, quotaS: 0.05, wallS: 0.05, throttledPeriods: 0, throttledS: 0 },
    { id: 'cfs-0.3-0.02', cpuS: 0.3, quotaS: 0.02, wallS: 1.42, throttledPeriods: 14, throttledS: 1.12 },
  ])('$id: one job of $cpuS CPU-s under $quotaS s in 0.1 s ends after $wallS s', ({ cpuS, quotaS, wallS, throttledPeriods, throttledS }) => {
    const rig = new CpuRig();
    rig.begin(rig.container({ capCores: quotaS * 10, throttle: 'cfs', pool: rig.pool(8) }), cpuS * 1e9);
    const throttled = throttledByPeriod(rig, 20);
    expect(rig.endsNs).toEqual([Math.round(wallS * 1e9)]);
    expect(throttled.filter((ns) => ns > 0)).toHaveLength(throttledPeriods);
    expect(throttled.reduce((sum, ns) => sum + ns)).toBe(Math.round(throttledS * 1e9));
  });

  it('cfs-8threads: eight jobs without end under two cores run 0.025 s of every period and stand still for 0.075 s', () => {
    const rig = new CpuRig();
    const container = rig.container({ capCores: 2, throttle: 'cfs', pool: rig.pool(8) });
    for (let i = 0; i < 8; i++) rig.begin(container, 1e15);
    const busy: number[] = [];
    for (let period = 0; period < 50; period++) for (const afterMs of [25, 26]) rig.at(period * periodNs + afterMs * ms, () => busy.push(container.busyNsAt(rig.queue.now)));
    expect(throttledByPeriod(rig, 50)).toEqual(Array(50).fill(75 * ms));
    expect(busy).toEqual(Array.from({ length: 100 }, (_, i) => (Math.floor(i / 2) + 1) * 200 * ms));
  });
});
