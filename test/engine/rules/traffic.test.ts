import { describe, expect, it } from 'vitest';
import { cells, scenario, simulated, total } from '../../support/simulated.js';
import type { SimulatedRun } from '../../../src/study/types.js';

/** `jobs` at this rate to a service that answers at once; ticks of 100 ms. */
const offeredBy = (open: string, { duration = '10s', tick = '100ms', more = '', phases = '' } = {}): SimulatedRun =>
  simulated(
    scenario(`
      duration: ${duration}
      tick: ${tick}
      services:
        svc: { handlers: { job: [{ wait: { assumed: 0ms, cv: 0 } }] } }
      traffic:
        jobs: { to: svc, send: job, ${more} open: { ${open} } }
      ${phases}
    `),
  );
const offeredPerTick = (run: SimulatedRun): number[] => cells(run, run.ticks.traffic.jobs.offered);

describe('rule 44: `even` has its first arrival at 0', () => {
  it('then one after another at equal distance', () => {
    expect(offeredPerTick(offeredBy('rate: 5/s, arrivals: even', { duration: '2s' }))).toEqual([1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0]);
  });
  it('counts from `start`, and makes none at `stop`', () => {
    const perTick = offeredPerTick(offeredBy('rate: 10/s, arrivals: even', { duration: '1s', more: 'start: 200ms, stop: 500ms,' }));
    expect(perTick).toEqual([0, 0, 1, 1, 1, 0, 0, 0, 0, 0]);
  });
  it('makes exactly rate × time requests', () => {
    expect(offeredBy('rate: 137/s, arrivals: even', { duration: '20s', more: 'stop: 10s,' }).traffic.jobs.offered).toBe(1370);
  });
});

describe("rule 44: a ramped rate is drawn by inverting its integral", () => {
  it('puts the k-th even arrival of a ramp from 0 where the integral is k: t = √(2k)', () => {
    // Rate 1/s per second: N(t) = t²/2; to 10 s there are 50 of them, k = 0 to 49.
    const perTick = offeredPerTick(offeredBy('rate: [[0s, 0/s], [10s, 10/s]], arrivals: even'));
    const expected = Array<number>(100).fill(0);
    for (let k = 0; k < 50; k++) expected[Math.floor(Math.sqrt(2 * k) * 10)]++;
    expect(perTick).toEqual(expected);
  });
  it('likewise downwards', () => {
    // Rate 10 − t: N(t) = 10t − t²/2, so t = 10 − √(100 − 2k).
    const perTick = offeredPerTick(offeredBy('rate: [[0s, 10/s], [10s, 0/s]], arrivals: even'));
    const expected = Array<number>(100).fill(0);
    for (let k = 0; k < 50; k++) expected[Math.floor((10 - Math.sqrt(100 - 2 * k)) * 10 + 1e-9)]++;
    expect(perTick).toEqual(expected);
  });
  it('is level before the first and after the last point', () => {
    const perTick = offeredPerTick(offeredBy('rate: [[2s, 10/s], [3s, 20/s]], arrivals: even', { duration: '5s', tick: '1s' }));
    expect(perTick).toEqual([10, 10, 15, 20, 20]);
  });
  it('is not late after a jump from 0: the first even arrival comes with it', () => {
    expect(offeredPerTick(offeredBy('rate: [[0s, 0/s], [5s, 0/s], [5s, 10/s], [10s, 10/s]], arrivals: even')).slice(48, 54)).toEqual([0, 0, 1, 1, 1, 1]);
  });
  it('nor with Poisson arrivals: 1,000/s from 5 s on bring about 100 in the first 100 ms and none before', () => {
    const perTick = offeredPerTick(offeredBy('rate: [[0s, 0/s], [5s, 0/s], [5s, 1000/s], [10s, 1000/s]], arrivals: poisson'));
    expect(total(perTick.slice(0, 50))).toBe(0);
    // Poisson(100): four standard deviations are 40.
    expect(Math.abs(perTick[50] - 100)).toBeLessThan(40);
  });
  it('has Poisson counts whose mean and variance are the integral, in every part of the ramp', () => {
    const run = offeredBy('rate: [[0s, 0/s], [100s, 1000/s]], arrivals: poisson', { duration: '100s', tick: '1s' });
    const perTick = offeredPerTick(run);
    // 50,000 expected: standard deviation 224. Standardised counts of the 99 later ticks: mean square 1 ± 4 × √(2/99).
    expect(Math.abs(run.traffic.jobs.offered - 50_000)).toBeLessThan(4 * Math.sqrt(50_000));
    const squares = perTick.slice(1).map((count, i) => (count - 10 * (i + 1.5)) ** 2 / (10 * (i + 1.5)));
    expect(Math.abs(total(squares) / 99 - 1)).toBeLessThan(4 * Math.sqrt(2 / 99));
  });
});

describe('stairs make a step of each value, a phase of each step, and nothing in the gaps', () => {
  const stairs = 'rate: { stairs: [10/s, 20/s, 10/s], each: 2s, gap: 1s, warmUp: 1s }, arrivals: even';
  it('warms up at the first step and is silent in the gaps and at the end', () => {
    expect(offeredPerTick(offeredBy(stairs, { tick: '1s', duration: '11s' }))).toEqual([10, 10, 10, 0, 20, 20, 0, 10, 10, 0, 0]);
  });
  it('judges neither warm-up nor gaps', () => {
    const { phases } = offeredBy(stairs, { tick: '1s', duration: '11s' });
    expect(Object.entries(phases).map(([name, { fromMs, toMs, traffic }]) => [name, fromMs, toMs, traffic.jobs.offered])).toEqual([
      ['jobs-10', 1000, 3000, 20],
      ['jobs-20', 4000, 6000, 40],
      ['jobs-10-2', 7000, 9000, 20],
    ]);
  });
  it('begin at the start of the traffic, with their phases', () => {
    const run = offeredBy('rate: { stairs: [10/s, 20/s], each: 2s }, arrivals: even', { tick: '1s', duration: '8s', more: 'start: 3s,' });
    expect(offeredPerTick(run)).toEqual([0, 0, 0, 10, 10, 20, 20, 0]);
    expect(Object.values(run.phases).map(({ traffic }) => traffic.jobs.offered)).toEqual([20, 40]);
    expect(run.system.traffic[0].scripted.map(({ atMs }) => atMs)).toEqual([0, 3000, 3000, 5000, 5000, 7000, 7000, 8000]);
  });
});

describe('a mix of requests', () => {
  it('is drawn by weight', () => {
    const run = simulated(scenario(`
      duration: 10s
      services:
        svc: { handlers: { read: [{ wait: { assumed: 1ms, cv: 0 } }], write: [{ decline: no }] } }
      traffic:
        jobs: { to: svc, send: { read: 3, write: 1 }, open: { rate: 400/s, arrivals: even } }
    `));
    // Binomial(4000, 3/4): standard deviation 27.4.
    expect(Math.abs(run.traffic.jobs.good - 3000)).toBeLessThan(110);
    expect(run.traffic.jobs.good + run.traffic.jobs.declined['svc: no']).toBe(4000);
  });
});
