import { describe, expect, it } from 'vitest';
import { siteOf } from '../../../src/engine/kernel/keyed-draws.js';
import { sampler } from '../../../src/engine/kernel/sampler.js';
import { Level } from '../../../src/engine/record/level.js';
import { CpuRig } from '../parts/cpu-rig.js';

interface Load {
  readonly lambda: number;
  readonly cv: number;
  readonly cores: number;
  readonly jobs: number;
}

const meanS = 0.01;

/** Poisson arrivals to one container that has all cores of a pool; the first twentieth of the jobs is left out. Means in s. */
const measured = ({ lambda, cv, cores, jobs }: Load): { W: number; L: number; P0: number } => {
  const rig = new CpuRig();
  const { queue } = rig;
  const container = rig.container({ pool: rig.pool(cores) });
  const work = sampler(meanS * 1e9, { kind: 'gamma', cv }, siteOf('work'));
  const gap = sampler(1e9 / lambda, { kind: 'gamma', cv: 1 }, siteOf('gap'));
  const [present, empty] = [new Level(), new Level()];
  const bornNs = new Float64Array(jobs);
  const warmUp = jobs / 20;
  let sumNs = 0;
  let counted = 0;
  const change = (by: number): void => {
    present.add(by, queue.now);
    empty.set(present.value === 0 ? 1 : 0, queue.now);
  };
  rig.onEnd = (job) => {
    change(-1);
    if (job < warmUp) return;
    sumNs += queue.now - bornNs[job];
    counted++;
  };
  let [fromNs, presentNs, emptyNs] = [0, 0, 0];
  const arrive = queue.register((job) => {
    if (job === warmUp) [fromNs, presentNs, emptyNs] = [queue.now, present.integralAt(queue.now), empty.integralAt(queue.now)];
    change(1);
    bornNs[job] = queue.now;
    rig.begin(container, work.draw(1, job, 0));
    if (job + 1 < jobs) queue.at(queue.now + Math.round(gap.draw(1, job, 0)), arrive, job + 1);
  });
  queue.at(0, arrive, 0);
  // To the last arrival.
  while (bornNs[jobs - 1] === 0) queue.runUntil(queue.now + 1e9);
  const forNs = queue.now - fromNs;
  return { W: sumNs / counted / 1e9, L: (present.integralAt(queue.now) - presentNs) / forNs, P0: (empty.integralAt(queue.now) - emptyNs) / forNs };
};

/**
 * The symmetric queue with rate min(n, cores): the number of jobs has the law of M/M/c whatever the work (Kelly, Reversibility and Stochastic Networks;
 * Sakata et al. 1971 for one core). Each tolerance is 3 % or, where that is more, three standard errors of the run, found from its twentieths.
 */
describe('jobs that share cores, against theory', () => {
  it.each([
    { id: 'mg1ps-det-rho50', lambda: 50, cv: 0, cores: 1, W: 0.02, L: 1, P0: 0.5, jobs: 200_000, within: 0.03 },
    { id: 'mg1ps-exp-rho50', lambda: 50, cv: 1, cores: 1, W: 0.02, L: 1, P0: 0.5, jobs: 300_000, within: 0.03 },
    { id: 'mg1ps-gamma-rho50', lambda: 50, cv: 2, cores: 1, W: 0.02, L: 1, P0: 0.5, jobs: 400_000, within: 0.03 },
    { id: 'mg1ps-det-rho80', lambda: 80, cv: 0, cores: 1, W: 0.05, L: 4, P0: 0.2, jobs: 600_000, within: 0.03 },
    { id: 'mg1ps-exp-rho80', lambda: 80, cv: 1, cores: 1, W: 0.05, L: 4, P0: 0.2, jobs: 800_000, within: 0.03 },
    // Standard error 1.2 % at this length.
    { id: 'mg1ps-gamma-rho80', lambda: 80, cv: 2, cores: 1, W: 0.05, L: 4, P0: 0.2, jobs: 1_600_000, within: 0.036 },
    { id: 'mgc-ps-c2-exp', lambda: 160, cv: 1, cores: 2, W: 0.0277778, L: 4.44444, P0: 0.111111, jobs: 1_000_000, within: 0.03 },
    { id: 'mgc-ps-c2-det', lambda: 160, cv: 0, cores: 2, W: 0.0277778, L: 4.44444, P0: 0.111111, jobs: 600_000, within: 0.03 },
    // Standard error 1.7 %.
    { id: 'mgc-ps-c4-gamma', lambda: 360, cv: 2, cores: 4, W: 0.0296938, L: 10.6898, P0: 0.0112562, jobs: 2_000_000, within: 0.05 },
  ])('$id: mean sojourn $W s, $L jobs at a time, none for $P0 of the time, within $within', ({ lambda, cv, cores, jobs, within, ...expected }) => {
    const { W, L, P0 } = measured({ lambda, cv, cores, jobs });
    expect(Math.abs(W / expected.W - 1)).toBeLessThan(within);
    expect(Math.abs(L / expected.L - 1)).toBeLessThan(within);
    expect(Math.abs(P0 / expected.P0 - 1)).toBeLessThan(within);
  });
});
