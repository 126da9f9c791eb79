import { describe, expect, it } from 'vitest';
import { CpuRig, ms } from '../../engine/parts/cpu-rig.js';
import { scenario, simulated } from '../../support/simulated.js';
import { casesOf } from '../catalogue.js';

const periodNs = 100 * ms;

/** For each of the first periods, how long the only container was throttled in it, ns. */
const throttledByPeriod = (rig: CpuRig, periods: number): number[] => {
  const totals: number[] = [];
  for (let period = 1; period <= periods; period++) rig.at(period * periodNs, () => totals.push(rig.containers[0].throttledNsAt(rig.queue.now)));
  rig.run(periods * periodNs + 1);
  return totals.map((total, i) => total - (totals[i - 1] ?? 0));
};
const cfs = casesOf('cfs');

describe('a CPU quota, to the nanosecond', () => {
  it.each(cfs.filter(({ given }) => given['cpuSeconds'] !== undefined))('$id', ({ given, expected }) => {
    const { cpuSeconds, quota, period } = given;
    expect(period * 1e9).toBe(periodNs);
    const rig = new CpuRig();
    rig.begin(rig.container({ capCores: quota / period, throttle: 'cfs', pool: rig.pool(8) }), cpuSeconds * 1e9);
    const throttled = throttledByPeriod(rig, 20);
    expect(rig.endsNs).toEqual([Math.round(expected['wall'] * 1e9)]);
    expect(throttled.filter((ns) => ns > 0)).toHaveLength(expected['throttledPeriods']);
    expect(throttled.reduce((sum, ns) => sum + ns)).toBe(Math.round(expected['throttledTime'] * 1e9));
  });
  it.each(cfs.filter(({ given }) => given['cpuSeconds'] === undefined))('$id: more threads than the quota has cores run and stand still in every period', ({ given, expected }) => {
    const { threads, quota, period } = given;
    const rig = new CpuRig();
    const container = rig.container({ capCores: quota / period, throttle: 'cfs', pool: rig.pool(threads) });
    for (let i = 0; i < threads; i++) rig.begin(container, 1e15);
    const runNs = expected['runPerPeriod'] * 1e9;
    const busy: number[] = [];
    for (let i = 0; i < 50; i++) for (const afterNs of [runNs, runNs + ms]) rig.at(i * periodNs + afterNs, () => busy.push(container.busyNsAt(rig.queue.now)));
    const throttled = throttledByPeriod(rig, 50);
    expect(throttled).toEqual(Array(50).fill(expected['throttledPerPeriod'] * 1e9));
    expect(throttled.filter((ns) => ns > 0).length / 50).toBe(expected['throttledPeriodRatio']);
    expect(busy).toEqual(Array.from({ length: 100 }, (_, i) => (Math.floor(i / 2) + 1) * Math.round(quota * 1e9)));
  });
});

describe('weights under contention', () => {
  // The kernel's weights are whole numbers made from the request. Here the request itself is the weight, so the parts of a core that two fight for
  // are as their requests, and the shares of the one follow from those of a whole core. The newer, curved form of the weight is not modelled.
  it.each(casesOf('cpuWeight'))('$id beside one of 1000m', ({ given, expected }) => {
    const run = simulated(scenario(`
      duration: 10s
      hosts: { vm: { cpus: 1, memory: 1GiB } }
      services:
        one: { host: vm, cpus: 1, cpuRequest: ${given['requestMillicores'] / 1000}, handlers: { job: [{ cpu: { assumed: 1h, cv: 0 } }] } }
        other: { host: vm, cpus: 1, cpuRequest: 1, handlers: { job: [{ cpu: { assumed: 1h, cv: 0 } }] } }
      traffic:
        jobs: { to: one, send: job, bursts: { sizes: [1], every: 1h } }
        more: { to: other, send: job, bursts: { sizes: [1], every: 1h } }
    `));
    const [one, other] = [run.services['one'].cpuCores.mean, run.services['other'].cpuCores.mean];
    expect(one + other).toBeCloseTo(1, 5);
    // Six digits are kept, so a share a little below a whole number is that number.
    const shares = Math.floor((one / other) * 1024 + 0.02);
    expect(shares).toBe(expected['shares']);
    expect(Math.floor(1 + ((shares - 2) * 9999) / 262142)).toBe(expected['weightLinear']);
  });
});
