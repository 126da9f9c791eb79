import { describe, expect, it } from 'vitest';
import { CpuRig, ms } from './cpu-rig.js';

/** Containers of one pool, each with so many jobs that never end; what each has. */
const shares = (cores: number, containers: readonly { jobs: number; weight?: number; cap?: number }[]): number[] => {
  const rig = new CpuRig();
  const pool = rig.pool(cores);
  for (const { weight = 1, cap = Infinity } of containers) rig.container({ pool, weight, capCores: cap });
  rig.containers.forEach((container, i) => {
    for (let job = 0; job < containers[i].jobs; job++) rig.begin(container, 1e15);
  });
  return rig.containers.map(({ busyCores }) => busyCores);
};

describe('a pool is shared max-min fairly by weight (rule 1)', () => {
  it('gives everybody what it wants when there is room for all', () => {
    expect(shares(8, [{ jobs: 3 }, { jobs: 4, weight: 9, cap: 2 }, { jobs: 0, weight: 50 }, { jobs: 3, cap: 0.5 }])).toEqual([3, 2, 0, 0.5]);
  });
  it('gives equals the same under contention, whoever has more jobs', () => {
    expect(shares(4, [{ jobs: 100 }, { jobs: 5 }])).toEqual([2, 2]);
  });
  it('gives in proportion to the weights', () => {
    expect(shares(4, [{ jobs: 100, weight: 3 }, { jobs: 100, weight: 1 }])).toEqual([3, 1]);
  });
  it('gives the idle no share', () => {
    expect(shares(4, [{ jobs: 100, weight: 1 }, { jobs: 0, weight: 1000 }])).toEqual([4, 0]);
  });
  it('gives what one cannot use to the rest in proportion to their weights: its jobs', () => {
    expect(shares(4, [{ jobs: 1, weight: 8 }, { jobs: 9, weight: 2 }, { jobs: 9, weight: 1 }])).toEqual([1, 2, 1]);
  });
  it('and its cap', () => {
    expect(shares(4, [{ jobs: 9, weight: 8, cap: 0.25 }, { jobs: 9, weight: 2 }, { jobs: 9, weight: 1 }])).toEqual([0.25, 2.5, 1.25]);
  });
  it('goes on until nobody has more than it can use: 1 of 6 frees the second of its cap, and that the third', () => {
    expect(shares(6, [{ jobs: 1, weight: 1 }, { jobs: 9, weight: 1, cap: 2.25 }, { jobs: 9, weight: 1 }])).toEqual([1, 2.25, 2.75]);
  });
  it('takes a weight without bound for all cores of the pool, so that several such are equals and outweigh the others', () => {
    expect(shares(4, [{ jobs: 9, weight: Infinity }, { jobs: 9, weight: Infinity }, { jobs: 9, weight: 2 }])).toEqual([1.6, 1.6, 0.8]);
  });
  it('never gives all together more than there is', () => {
    const given = shares(1, [0.1, 0.2, 0.3, 0.7, 0.9].map((weight) => ({ jobs: 3, weight, cap: weight })));
    expect(given.reduce((sum, cores) => sum + cores)).toBeCloseTo(1, 12);
  });
});

describe('a job that runs goes on at the new speed from the instant of the change', () => {
  it('when another container begins and ends: 30 ms and 10 ms at 10 ms on one core', () => {
    const rig = new CpuRig();
    const pool = rig.pool(1);
    const [long, short] = [rig.container({ pool }), rig.container({ pool })];
    rig.at(0, () => rig.begin(long, 30 * ms));
    rig.at(10 * ms, () => rig.begin(short, 10 * ms));
    rig.run(1000 * ms);
    expect(rig.endsNs).toEqual([40 * ms, 30 * ms]);
  });
  it('with weights 3 and 1, to the nearest nanosecond: 30 ms each on one core', () => {
    const rig = new CpuRig();
    const pool = rig.pool(1);
    const [heavy, light] = [rig.container({ pool, weight: 3 }), rig.container({ pool, weight: 1 })];
    rig.at(0, () => {
      rig.begin(heavy, 30 * ms + 1);
      rig.begin(light, 30 * ms);
    });
    rig.run(1000 * ms);
    // 30,000,001 ÷ ¾ = 40,000,001.3; by then the light one has had 10,000,000.3, and 19,999,999.75 more make 60,000,000.75.
    expect(rig.endsNs).toEqual([40_000_001, 60_000_001]);
  });
  it('when a job is taken out, or a process dies', () => {
    const rig = new CpuRig();
    const pool = rig.pool(1);
    const [own, other] = [rig.container({ pool }), rig.container({ pool })];
    rig.at(0, () => {
      rig.begin(own, 30 * ms);
      for (let i = 0; i < 3; i++) rig.begin(other, 500 * ms);
    });
    rig.at(20 * ms, () => rig.remove(other, 1));
    rig.at(30 * ms, () => other.clear());
    rig.run(1000 * ms);
    // Half a core up to 30 ms, then all of it.
    expect(rig.endsNs).toEqual([45 * ms]);
  });
});

describe('steal and freeze act on running jobs at once (rule 4)', () => {
  const endOf = (capCores: number, poolCores: number | null, jobs: number, change: (rig: CpuRig) => void): number => {
    const rig = new CpuRig();
    const container = rig.container({ capCores, pool: poolCores === null ? null : rig.pool(poolCores) });
    rig.at(0, () => {
      for (let i = 0; i < jobs; i++) rig.begin(container, 100 * ms);
    });
    change(rig);
    rig.run(10_000 * ms);
    expect(new Set(rig.endsNs).size).toBe(1);
    return rig.endsNs[0] / ms;
  };
  const stealing = (share: number) => (rig: CpuRig) => {
    rig.at(50 * ms, () => rig.containers[0].setStolen(share));
    rig.at(150 * ms, () => rig.containers[0].setStolen(0));
  };

  it.each([
    { what: 'the cap', cap: 1, pool: null, jobs: 1, endMs: 150 },
    { what: 'the cap below the pool', cap: 1, pool: 4, jobs: 1, endMs: 150 },
    { what: 'the cores of jobs below the cap', cap: 4, pool: null, jobs: 3, endMs: 150 },
    { what: 'the pool of one without a cap', cap: Infinity, pool: 2, jobs: 2, endMs: 150 },
    { what: 'the pool of one with a larger cap', cap: 9, pool: 2, jobs: 2, endMs: 150 },
    { what: "each job's core without cap and pool", cap: Infinity, pool: null, jobs: 7, endMs: 150 },
  ])('half stolen from 50 ms on, 100 ms for each job: $what', ({ cap, pool, jobs, endMs }) => {
    expect(endOf(cap, pool, jobs, stealing(0.5))).toBe(endMs);
  });
  it.each([null, 1])('all stolen: it stands still for the 100 ms (pool of %s)', (pool) => {
    expect(endOf(Infinity, pool, 1, stealing(1))).toBe(200);
  });
  it('all of the pool stolen, or half of it', () => {
    const of = (share: number): number => {
      const rig = new CpuRig();
      const pool = rig.pool(2);
      for (let i = 0; i < 2; i++) rig.begin(rig.container({ pool }), 100 * ms);
      rig.at(50 * ms, () => pool.setStolen(share));
      rig.at(150 * ms, () => pool.setStolen(0));
      rig.run(1000 * ms);
      expect(pool.cores).toBe(2);
      expect(rig.endsNs[1]).toBe(rig.endsNs[0]);
      return rig.endsNs[0] / ms;
    };
    expect([of(0), of(0.5), of(0.75), of(1)]).toEqual([100, 150, 175, 200]);
  });
  it('frozen: nothing runs, nothing is lost, and the other containers have its cores meanwhile', () => {
    const rig = new CpuRig();
    const pool = rig.pool(1);
    const [frozen, other] = [rig.container({ pool }), rig.container({ pool })];
    rig.begin(frozen, 100 * ms);
    rig.begin(other, 100 * ms);
    rig.at(40 * ms, () => frozen.setFrozen(true));
    rig.at(60 * ms, () => rig.begin(frozen, 10 * ms));
    rig.at(200 * ms, () => frozen.setFrozen(false));
    rig.run(1000 * ms);
    expect(rig.endsNs).toEqual([290 * ms, 120 * ms, 220 * ms]);
  });
});

describe('what a container may use now, and what it and its pool have used', () => {
  it('is its cap and what its pool would give it if it had jobs without end', () => {
    const rig = new CpuRig();
    const pool = rig.pool(4);
    const [own, other, capped] = [rig.container({ pool, weight: 3 }), rig.container({ pool, weight: 1 }), rig.container({ pool, capCores: 0.5 })];
    expect([own.cores, other.cores, capped.cores]).toEqual([4, 4, 0.5]);
    for (let i = 0; i < 9; i++) rig.begin(other, 1e15);
    expect([own.cores, other.cores, capped.cores]).toEqual([3, 4, 0.5]);
    own.setStolen(0.5);
    capped.setFrozen(true);
    expect([own.cores, other.cores, capped.cores]).toEqual([2, 4, 0]);
    expect(rig.container().cores).toBe(Infinity);
    expect(capped.capCores).toBe(0.5);
  });
  it('has its peaks by tick, for container and pool, and no peak that lasted no time when one job follows another', () => {
    const rig = new CpuRig();
    const pool = rig.pool(2);
    const [first, second] = [rig.container({ pool }), rig.container({ pool })];
    rig.onEnd = (job) => {
      if (job === 0) rig.begin(second, 10 * ms);
    };
    rig.begin(first, 10 * ms);
    rig.at(50 * ms, () => {
      for (let i = 0; i < 5; i++) rig.begin(first, 1 * ms);
    });
    const seen: number[][] = [];
    for (const timeNs of [40 * ms, 60 * ms]) {
      rig.at(timeNs, () => {
        seen.push([first.tickMaxCores, second.tickMaxCores, pool.tickMaxCores]);
        for (const part of [first, second, pool]) part.nextTick();
      });
    }
    rig.run(100 * ms);
    expect(seen).toEqual([[1, 1, 1], [2, 0, 2]]);
    expect([first.maxCores, second.maxCores, pool.maxCores, pool.busyCores]).toEqual([2, 1, 2, 0]);
    expect([first.busyNsAt(100 * ms), second.busyNsAt(100 * ms), pool.busyNsAt(100 * ms)]).toEqual([15 * ms, 10 * ms, 25 * ms]);
  });
  it('leaves the timer of a container alone when its share does not change', () => {
    const rig = new CpuRig();
    const pool = rig.pool(2);
    const [own, other] = [rig.container({ pool }), rig.container({ pool, weight: 3 })];
    const moved: number[] = [];
    const move = rig.queue.move.bind(rig.queue);
    rig.queue.move = (timer, timeNs) => {
      moved.push(timeNs);
      move(timer, timeNs);
    };
    rig.begin(own, 500 * ms);
    rig.begin(other, 10 * ms);
    rig.at(20 * ms, () => rig.begin(other, 10 * ms));
    rig.run(40 * ms);
    expect(moved).toEqual([]);
    for (let i = 0; i < 5; i++) rig.begin(other, 600 * ms);
    // 460 ms are left of it at half a core, whether two or five share the rest.
    expect(moved.filter((timeNs) => timeNs === 960 * ms)).toHaveLength(1);
    expect(moved).toHaveLength(1 + 4);
  });
});
