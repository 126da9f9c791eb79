import { describe, expect, it } from 'vitest';
import type { Container } from '../../../src/engine/parts/cpu.js';
import { CpuRig, ms } from './cpu-rig.js';

const cfs = (rig: CpuRig, capCores: number, poolCores: number | null = null): Container =>
  rig.container({ capCores, throttle: 'cfs', pool: poolCores === null ? null : rig.pool(poolCores) });

describe('throttle: cfs runs as fast as it can until cap × 100 ms are used up, then stands still until the next period', () => {
  it('stalls a burst although the mean is far below the cap: 4 jobs of 15 ms under half a core', () => {
    const rig = new CpuRig();
    const container = cfs(rig, 0.5, 8);
    for (let i = 0; i < 4; i++) rig.begin(container, 15 * ms);
    rig.run(1000 * ms);
    // 50 ms of CPU in 12.5 ms; the 10 ms left run at four cores from 100 ms on.
    expect(rig.endsNs).toEqual(Array(4).fill(102.5 * ms));
    expect(container.throttledNsAt(1000 * ms)).toBe(87.5 * ms);
    expect(container.tickMaxCores).toBe(4);
  });
  it('does not stall at all where `smooth` would have slowed down: 40 ms at once', () => {
    const end = (throttle: 'smooth' | 'cfs'): number => {
      const rig = new CpuRig();
      rig.begin(rig.container({ capCores: 0.5, throttle }), 40 * ms);
      return rig.run(1000 * ms).endsNs[0] / ms;
    };
    expect([end('cfs'), end('smooth')]).toEqual([40, 80]);
  });
  it('has periods at whole multiples of 100 ms of simulated time, not from the begin of the job on', () => {
    const rig = new CpuRig();
    const container = cfs(rig, 0.5);
    rig.at(70 * ms, () => rig.begin(container, 90 * ms));
    rig.run(1000 * ms);
    // 30 ms up to 100 ms, 50 ms up to 150 ms, the last 10 ms from 200 ms on.
    expect(rig.endsNs).toEqual([210 * ms]);
    expect(container.throttledNsAt(1000 * ms)).toBe(50 * ms);
  });
  it('remembers what was used before it was idle, in the same period only', () => {
    const rig = new CpuRig();
    const container = cfs(rig, 0.5);
    rig.at(0, () => rig.begin(container, 40 * ms));
    rig.at(60 * ms, () => rig.begin(container, 20 * ms));
    rig.at(300 * ms, () => rig.begin(container, 40 * ms));
    rig.run(1000 * ms);
    expect(rig.endsNs).toEqual([40 * ms, 110 * ms, 340 * ms]);
  });
  it('counts a job as done that ends just as the quota is used up, and lets the next one wait', () => {
    const rig = new CpuRig();
    const container = cfs(rig, 0.5);
    rig.onEnd = (job) => {
      if (job === 0) rig.begin(container, 5 * ms);
    };
    rig.begin(container, 50 * ms);
    rig.run(1000 * ms);
    expect(rig.endsNs).toEqual([50 * ms, 105 * ms]);
    expect(container.throttledNsAt(1000 * ms)).toBe(50 * ms);
  });
  it('finishes what is done at the instant at which the quota is used up, whatever else happens then', () => {
    const rig = new CpuRig();
    const container = cfs(rig, 0.5);
    rig.at(50 * ms, () => rig.begin(container, 1 * ms));
    rig.at(0, () => rig.begin(container, 50 * ms));
    rig.run(1000 * ms);
    expect(rig.endsNs).toEqual([50 * ms, 101 * ms]);
  });
  it('runs out later when its pool gives it less, and the pool has its cores while it stands still', () => {
    const rig = new CpuRig();
    const pool = rig.pool(1);
    const [own, other] = [rig.container({ pool, capCores: 0.3, throttle: 'cfs' }), rig.container({ pool })];
    rig.begin(own, 60 * ms);
    rig.begin(other, 200 * ms);
    rig.run(1000 * ms);
    // Half a core: 30 ms are used up at 60 ms, again at 160 ms, where it is done; the other one has had 30 + 40 + 30 by then.
    expect(rig.endsNs).toEqual([160 * ms, 260 * ms]);
    expect(own.throttledNsAt(1000 * ms)).toBe(40 * ms);
  });
  it('is not throttled by a cap that its jobs cannot reach, nor without a cap', () => {
    for (const capCores of [2, 4, Infinity]) {
      const rig = new CpuRig();
      const container = cfs(rig, capCores, 4);
      for (let i = 0; i < 2; i++) rig.begin(container, 950 * ms);
      rig.run(2000 * ms);
      expect(rig.endsNs).toEqual([950 * ms, 950 * ms]);
      expect(container.throttledNsAt(2000 * ms)).toBe(0);
    }
  });
  it('has the cap as its mean over many periods, with a quota that is no whole number of nanoseconds for each job', () => {
    const rig = new CpuRig();
    const container = cfs(rig, 0.7, 8);
    for (let i = 0; i < 3; i++) rig.begin(container, 1e15);
    rig.run(100_000 * ms);
    expect(container.busyNsAt(100_000 * ms) / (100_000 * ms)).toBeCloseTo(0.7, 7);
    expect(container.cores).toBe(0.7);
  });
  it('loses its share of the quota to `steal`, at once: what is used already counts', () => {
    const rig = new CpuRig();
    const container = cfs(rig, 0.5);
    rig.begin(container, 100 * ms);
    rig.at(30 * ms, () => container.setStolen(0.5));
    rig.at(120 * ms, () => container.setStolen(0));
    rig.run(1000 * ms);
    // 30 ms are more than 25 ms: it stops; from 100 ms on 50 ms, of which 20 ms under theft, and the last 20 ms from 200 ms on.
    expect(rig.endsNs).toEqual([220 * ms]);
  });
  it('goes on at once in the period in which what was stolen comes back', () => {
    const rig = new CpuRig();
    const container = cfs(rig, 0.5);
    container.setStolen(0.8);
    rig.begin(container, 50 * ms);
    rig.at(40 * ms, () => container.setStolen(0));
    rig.run(1000 * ms);
    expect(rig.endsNs).toEqual([80 * ms]);
  });
  it('counts a freeze not as throttled, and begins a new period with a whole quota after it', () => {
    const rig = new CpuRig();
    const container = cfs(rig, 0.5);
    rig.begin(container, 70 * ms);
    rig.at(60 * ms, () => container.setFrozen(true));
    rig.at(250 * ms, () => container.setFrozen(false));
    rig.run(1000 * ms);
    expect(rig.endsNs).toEqual([270 * ms]);
    expect(container.throttledNsAt(1000 * ms)).toBe(10 * ms);
  });
  it('has no timer while it is idle', () => {
    const rig = new CpuRig();
    const container = cfs(rig, 0.5);
    rig.begin(container, 70 * ms);
    rig.at(80 * ms, () => container.clear());
    rig.run(10_000 * ms);
    // The job's begin apart: used up at 50 ms, and the killing.
    expect(rig.queue.processed).toBe(2);
    expect(container.throttledNsAt(10_000 * ms)).toBe(30 * ms);
  });
});
