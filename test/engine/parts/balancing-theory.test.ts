import { describe, expect, it } from 'vitest';
import { ln } from '../../../src/engine/kernel/elementary.js';
import { uniform } from '../../../src/engine/kernel/keyed-draws.js';
import { LinkRig } from './link-rig.js';

interface Measured {
  /** Response times, s: mean, median, 95th and 99th percentile. */
  readonly mean: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** Mean by server. */
  readonly means: readonly number[];
}

/** Poisson arrivals over single servers with exponential service and a line each: when one is free is all that must be known of it. */
const measured = (policy: string, arrivalsPerS: number, ratesPerS: readonly number[], calls: number): Measured => {
  const rig = new LinkRig(`policy: ${policy}`, { targets: ratesPerS.length });
  const freeAt = ratesPerS.map(() => 0);
  const sums = ratesPerS.map(() => 0);
  const counts = ratesPerS.map(() => 0);
  const times = new Float64Array(calls);
  let now = 0;
  for (let call = 0; call < calls; call++) {
    now -= ln(uniform(11, call, 1, 0)) / arrivalsPerS;
    const server = rig.choose();
    freeAt[server] = Math.max(freeAt[server], now) - ln(uniform(11, call, 2, 0)) / ratesPerS[server];
    times[call] = freeAt[server] - now;
    sums[server] += times[call];
    counts[server]++;
  }
  times.sort();
  const at = (share: number): number => times[Math.ceil(share * calls) - 1];
  return { mean: times.reduce((sum, time) => sum + time, 0) / calls, p50: at(0.5), p95: at(0.95), p99: at(0.99), means: sums.map((sum, server) => sum / counts[server]) };
};

const times = (n: number, rate: number): number[] => Array<number>(n).fill(rate);
const within = (share: number, found: number, expected: number): void => {
  if (Math.abs(found / expected - 1) > share) expect.fail(`expected ${expected} ± ${share * 100} %, found ${found}`);
};

describe('policies against queueing theory, utilisation 0.8', () => {
  it.each([
    { id: 'rr-n2', n: 2, mean: 0.03843979766989902, p50: 0.02664443737618526, p95: 0.11515534246860196, p99: 0.17702181018483346 },
    { id: 'rr-n4', n: 4, mean: 0.03267383610319296, p50: 0.022647777373005946, p95: 0.09788206531514868, p99: 0.1504685758842855 },
    { id: 'rr-n10', n: 10, mean: 0.02922269180299851, p50: 0.02025562643162064, p95: 0.08754336095436427, p99: 0.1345754690454873 },
  ])('$id: round robin makes each server E_n/M/1', ({ n, mean, p50, p95, p99 }) => {
    const found = measured('round-robin', 80 * n, times(n, 100), 1_000_000);
    within(0.02, found.mean, mean);
    within(0.02, found.p50, p50);
    within(0.02, found.p95, p95);
    within(0.03, found.p99, p99);
  });
  it.each([{ id: 'random-n2', n: 2 }, { id: 'random-n4', n: 4 }, { id: 'random-n10', n: 10 }])('$id: random makes each server M/M/1', ({ n }) => {
    const found = measured('random', 80 * n, times(n, 100), 3_000_000);
    within(0.03, found.mean, 0.05);
    within(0.03, found.p95, 0.1497866136776995);
    within(0.03, found.p99, 0.23025850929940456);
  });
  it('rr-n10-one-slow: round robin over ten, one of them at 70 % of the speed', () => {
    const { mean, p95, p99, means } = measured('round-robin', 600, [...times(9, 100), 70], 1_000_000);
    within(0.02, mean, 0.019943233900038507);
    within(0.02, p95, 0.06298604411163902);
    within(0.03, p99, 0.13320403159556674);
    within(0.02, means.slice(0, 9).reduce((sum, fast) => sum + fast, 0) / 9, 0.01578584552448104);
    within(0.04, means[9], 0.057359729280055734);
  });
  it('two-choices by what is outstanding is far better than random, and joining the least loaded better still', () => {
    // Here what is outstanding must be known: calls that have ended by now are taken away before each choice.
    const mean = (policy: string): number => {
      const rig = new LinkRig(`policy: ${policy}`, { targets: 10 });
      const ends = Array.from({ length: 10 }, (): number[] => []);
      let now = 0;
      let sum = 0;
      for (let call = 0; call < 100_000; call++) {
        now -= ln(uniform(12, call, 1, 0)) / 800;
        ends.forEach((line, server) => {
          while (line.length > 0 && line[0] <= now) line.shift();
          rig.caller.outstanding[server] = line.length;
        });
        const line = ends[rig.choose()];
        line.push(Math.max(line.at(-1) ?? 0, now) - ln(uniform(12, call, 2, 0)) / 100);
        sum += line.at(-1)! - now;
      }
      return sum / 100_000;
    };
    const [random, two, least] = ['random', 'two-choices', 'least-outstanding'].map(mean);
    within(0.1, random, 0.05);
    // The supermarket model at 0.8 says 2.0 service times for endless servers; ten are a little worse.
    expect(two).toBeGreaterThan(0.019);
    expect(two).toBeLessThan(0.024);
    expect(least).toBeLessThan(two * 0.85);
  });
});
