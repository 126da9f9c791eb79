import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CpuPool } from '../../../src/engine/parts/cpu-pool.js';
import { CpuReference } from './cpu-reference.js';
import { CpuRig, ms } from './cpu-rig.js';

/** Half of all times fall on a coarse grid, so that ends, quotas, periods and changes often coincide. */
const time = (maxMs: number): fc.Arbitrary<number> => fc.oneof(fc.integer({ min: 1, max: maxMs / 10 }).map((tens) => tens * 10 * ms), fc.integer({ min: 1, max: maxMs * ms }));
const share = fc.constantFrom(0, 0.25, 0.5, 0.9, 1);
const container = fc.record({ cap: fc.constantFrom(0.25, 0.5, 1, 1.7, 3, Infinity), weight: fc.constantFrom(0.5, 1, 3, Infinity), cfs: fc.boolean() });
const op = fc.record({
  atNs: time(900),
  which: fc.nat(3),
  what: fc.oneof(
    { weight: 8, arbitrary: fc.record({ verb: fc.constant('begin' as const), demandNs: time(120) }) },
    { weight: 2, arbitrary: fc.record({ verb: fc.constant('remove' as const), job: fc.nat(20) }) },
    { weight: 2, arbitrary: fc.record({ verb: fc.constant('steal' as const), share }) },
    { weight: 1, arbitrary: fc.record({ verb: fc.constant('steal pool' as const), share }) },
    { weight: 2, arbitrary: fc.record({ verb: fc.constant('freeze' as const), frozen: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ verb: fc.constant('clear' as const) }) },
  ),
});
const story = fc.record({
  poolCores: fc.constantFrom(1, 2, 3.5, null),
  containers: fc.array(container, { minLength: 1, maxLength: 4 }),
  ops: fc.array(op, { minLength: 5, maxLength: 40 }).map((ops) => ops.sort((a, b) => a.atNs - b.atNs)),
});
type Story = typeof story extends fc.Arbitrary<infer T> ? T : never;
type Op = Story['ops'][number];

/** The containers and their reference, told the same story. */
class Pair {
  readonly rig = new CpuRig();
  readonly pool: CpuPool | null;
  readonly reference: CpuReference;
  /** By job: its container, and whether it was stopped before its end. */
  private readonly places: number[] = [];
  private readonly isGone: boolean[] = [];

  constructor({ poolCores, containers }: Story) {
    this.pool = poolCores === null ? null : this.rig.pool(poolCores);
    for (const { cap, weight, cfs } of containers) this.rig.container({ capCores: cap, weight, throttle: cfs ? 'cfs' : 'smooth', pool: this.pool });
    this.reference = new CpuReference(containers, poolCores);
  }

  tell({ which, what }: Op): void {
    const i = which % this.rig.containers.length;
    const [part, told] = [this.rig.containers[i], this.reference.containers[i]];
    switch (what.verb) {
      case 'begin':
        told.jobs.push({ job: this.rig.begin(part, what.demandNs), leftNs: what.demandNs });
        return void this.places.push(i);
      case 'remove':
        return this.remove(what.job);
      case 'steal':
        part.setStolen(what.share);
        return this.reference.steal(told, what.share);
      case 'steal pool':
        this.pool?.setStolen(what.share);
        this.reference.poolStolen = what.share;
        return;
      case 'freeze':
        part.setFrozen(what.frozen);
        told.frozen = what.frozen;
        return;
      case 'clear':
        part.clear();
        for (const { job } of told.jobs) this.isGone[job] = true;
        told.jobs = [];
    }
  }

  private remove(job: number): void {
    if (job >= this.places.length || this.isGone[job] || this.rig.endsNs[job] !== undefined) return;
    this.isGone[job] = true;
    this.rig.remove(this.rig.containers[this.places[job]], job);
    const told = this.reference.containers[this.places[job]];
    told.jobs = told.jobs.filter((each) => each.job !== job);
  }

  /** What both must agree on, and the laws that hold at every time. */
  check(): void {
    const { now } = this.rig.queue;
    this.reference.goTo(now);
    let sumNs = 0;
    this.rig.containers.forEach((part, i) => {
      const busyNs = part.busyNsAt(now);
      near(busyNs, part.receivedNsAt(now), 1e-9 * Math.max(1, busyNs));
      near(busyNs, this.reference.containers[i].busyNs, 20);
      near(part.throttledNsAt(now), this.reference.containers[i].throttledNs, 20);
      sumNs += busyNs;
    });
    if (this.pool) near(this.pool.busyNsAt(now), sumNs, 1e-9 * Math.max(1, sumNs));
    this.places.forEach((_, job) => {
      const [own, told] = [this.rig.endsNs[job], this.reference.endsNs[job]];
      // One that is due at this very instant may have ended in one of the two only.
      if (own !== undefined && told !== undefined) near(own, told, 20);
      else if (own !== told) near(own ?? told, now, 20);
    });
  }
}

const near = (found: number, expected: number, within: number): void => {
  if (!(Math.abs(found - expected) <= within)) expect.fail(`found ${found}, expected ${expected} within ${within}`);
};

describe('containers on a pool do what a naive reference does that counts every job down', () => {
  it('whatever begins, stops, is stolen and freezes, with caps, weights and quotas; and CPU used = CPU received', () => {
    const run = (told: Story): void => {
      const pair = new Pair(told);
      for (const op of told.ops) {
        pair.rig.at(op.atNs, () => {
          pair.check();
          pair.tell(op);
        });
      }
      pair.rig.run(3000 * ms);
      pair.check();
    };
    fc.assert(fc.property(story, run), { seed: 20, numRuns: 300 });
  });

  it('lets jobs alone in containers of their own end as they do in one container that has all cores', () => {
    const demandNs = (job: number): number => ((job * 7) % 11) * ms + job + 1;
    const sojourns = (containers: number): number[] => {
      const rig = new CpuRig();
      const pool = rig.pool(2);
      const all = Array.from({ length: containers }, () => rig.container({ pool }));
      for (let job = 0; job < 60; job++) rig.at(job * 3 * ms, () => rig.begin(all[job % containers], demandNs(job)));
      return rig.run(3000 * ms).endsNs.map((endNs, job) => endNs - job * 3 * ms);
    };
    const [together, alone] = [sojourns(1), sojourns(60)];
    expect(together).toHaveLength(60);
    together.forEach((sojournNs, job) => near(alone[job], sojournNs, 5));
    // And they are not alone.
    expect(together.filter((sojournNs, job) => sojournNs > demandNs(job)).length).toBeGreaterThan(20);
  });
});
