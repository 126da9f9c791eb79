import { describe, expect, it } from 'vitest';
import { scenario, simulated } from '../../support/simulated.js';

/**
 * Stations whose customers wait, are turned away, or give up, against theory. Rates per second, times in seconds. Tolerances are those that the figures
 * themselves suggest, or three standard errors of so many requests where those are larger: near saturation a mean settles slowly.
 */
const off = (measured: number, expected: number): number => Math.abs(measured / expected - 1);

/** A station of `c` servers, exponential, whose queue has this limit and patience; load over this link. Rates per second. */
const station = ({ lambda, mu, c, queue = '', link = 'svc', requests }: { lambda: number; mu: number; c: number; queue?: string; link?: string; requests: number }): ReturnType<typeof simulated> => {
  const seconds = Math.ceil(requests / lambda / 100) * 100;
  return simulated(scenario(`
    duration: ${seconds}s
    tick: ${seconds / 100}s
    services:
      svc: { slots: ${c}, ${queue} handlers: { job: [{ wait: { assumed: ${1000 / mu}ms, cv: 1 } }] } }
    traffic:
      load: { to: ${link}, send: job, open: { rate: ${lambda}/s, arrivals: poisson } }
  `));
};

interface Leaving { readonly id: string; readonly lambda: number; readonly mu: number; readonly c: number; readonly tauMs: number; readonly gone: number; readonly x: number; readonly rho: number; readonly served: number; readonly requests: number; readonly servedTolerance?: number }

describe('customers who leave after a fixed wait: M/M/c+D', () => {
  it.each<Leaving>([
    { id: 'mmcD-c1-lam80-tau0.05', lambda: 80, mu: 100, c: 1, tauMs: 50, gone: 0.0769866713017613, x: 73.8410662958591, rho: 0.7384106629585909, served: 0.014977607936494724, requests: 300_000 },
    { id: 'mmcD-c1-lam120-tau0.05', lambda: 120, mu: 100, c: 1, tauMs: 50, gone: 0.22385542187739943, x: 93.13734937471207, rho: 0.9313734937471208, served: 0.026525923721149407, requests: 400_000 },
    { id: 'mmcD-c1-lam100-tau0.1', lambda: 100, mu: 100, c: 1, tauMs: 100, gone: 0.08333333333333334, x: 91.66666666666666, rho: 0.9166666666666665, served: 0.04545454545454547, requests: 600_000 },
    { id: 'mmcD-c10-lam120-tau0.25', lambda: 120, mu: 10, c: 10, tauMs: 250, gone: 0.1671712748310568, x: 99.93944702027319, rho: 0.999394470202732, served: 0.2010651981227995, requests: 400_000 },
    { id: 'mmcD-c10-lam95-tau0.25', lambda: 95, mu: 10, c: 10, tauMs: 250, gone: 0.015254515780690071, x: 93.55082100083445, rho: 0.9355082100083445, served: 0.07685572169165956, requests: 600_000, servedTolerance: 0.04 },
  ])('$id', ({ lambda, mu, c, tauMs, gone, x, rho, served, requests, servedTolerance = 0.02 }) => {
    const run = station({ lambda, mu, c, queue: `queue: { patience: ${tauMs}ms },`, requests });
    const { load } = run.traffic;
    const seconds = Math.ceil(requests / lambda / 100) * 100;
    const share = (load.refused['svc: patience'] ?? 0) / load.offered;
    // The share that leaves is correlated from one busy spell to the next: three standard errors of a count whose clumps are some ten long.
    expect(Math.abs(share - gone)).toBeLessThan(Math.max(0.02 * gone, 3 * Math.sqrt((10 * gone * (1 - gone)) / load.offered)));
    expect(off(load.good / seconds, x)).toBeLessThan(0.02);
    expect(off(run.services.svc.slots.mean / c, rho)).toBeLessThan(0.02);
    expect(off(load.latencyMs!.mean / 1000 - 1 / mu, served)).toBeLessThan(servedTolerance);
  });
  it('mmcD-c10-lam120-tau30.0: a long patience only makes the same refusals late', () => {
    const run = station({ lambda: 120, mu: 10, c: 10, queue: 'queue: { patience: 30s },', requests: 600_000 });
    // The queue fills for about half a minute at first.
    const { load } = run.traffic;
    expect(Math.abs((load.refused['svc: patience'] ?? 0) / load.offered - 0.16666666666666663)).toBeLessThan(0.02 / 6 + 0.005);
    expect(off(load.latencyMs!.mean / 1000 - 0.1, 29.949999999999996)).toBeLessThan(0.02);
  });
});

describe('a station of many servers and no end of room: M/M/c', () => {
  it.each([
    { id: 'mmc-c2-rho0.8', lambda: 160, mu: 100, c: 2, lq: 2.8444444444444454, w: 0.027777777777777783, p50: 0.020400314459260636, p95: 0.07910684252012049, p99: 0.1193737023600426, requests: 600_000, tolerance: 0.03 },
    { id: 'mmc-c4-rho0.9', lambda: 36, mu: 10, c: 4, lq: 7.089779378658266, w: 0.2969383160738407, p50: 0.22545036930267612, p95: 0.8165524818411675, p99: 1.2193167436199093, requests: 600_000, tolerance: 0.1 },
    { id: 'mmc-c10-rho0.8', lambda: 160, mu: 20, c: 10, lq: 1.6367206031857744, w: 0.06022950376991109, p50: 0.04560723053034888, p95: 0.16641373392800618, p99: 0.24730556638057308, requests: 600_000, tolerance: 0.03 },
    { id: 'mmc-c10-rho0.9', lambda: 180, mu: 20, c: 10, lq: 6.018583716969275, w: 0.08343657620538486, p50: 0.06645459342889157, p95: 0.2180433283890165, p99: 0.3124938349427007, requests: 600_000, tolerance: 0.1 },
  ])('$id', ({ lambda, mu, c, lq, w, p50, p95, p99, requests, tolerance }) => {
    const run = station({ lambda, mu, c, requests });
    const { latencyMs } = run.traffic.load;
    expect(off(latencyMs!.mean / 1000, w)).toBeLessThan(tolerance);
    expect(off(latencyMs!.p50 / 1000, p50)).toBeLessThan(tolerance);
    expect(off(latencyMs!.p95 / 1000, p95)).toBeLessThan(tolerance);
    expect(off(latencyMs!.p99 / 1000, p99)).toBeLessThan(tolerance);
    // The length of a queue is the slowest to settle.
    expect(off(run.services.svc.queue.mean, lq)).toBeLessThan(2 * tolerance);
  });
});

describe('a queue with so much room and no more: M/M/c/K', () => {
  it.each([
    { id: 'mmck-c10-K10-lam8', lambda: 8, mu: 1, c: 10, k: 10, block: 0.12166106425295148, x: 7.026711485976389, l: 7.026711485976389, w: 1, requests: 400_000 },
    { id: 'mmck-c4-K20-lam3.2', lambda: 3.2, mu: 1, c: 4, k: 20, block: 0.003403324554410168, x: 3.1891093614258876, l: 5.3214376384255555, w: 1.6686281451465432, requests: 600_000 },
    { id: 'mmck-c1-K10-lam200', lambda: 200, mu: 100, c: 1, k: 10, block: 0.5002442598925249, x: 99.95114802149503, l: 9.00537371763556, w: 0.09009775171065476, requests: 400_000 },
    { id: 'mmck-c1-K10-lam100', lambda: 100, mu: 100, c: 1, k: 10, block: 0.09090909090909091, x: 90.9090909090909, l: 5, w: 0.055, requests: 600_000 },
    { id: 'mmck-c200-K300-lam2400', lambda: 2400, mu: 10, c: 200, k: 300, block: 0.1666666668518097, x: 1999.9999995556566, l: 295.000000121468, w: 0.14750000009350434, requests: 600_000 },
  ])('$id', ({ lambda, mu, c, k, block, x, l, w, requests }) => {
    const run = station({ lambda, mu, c, queue: `queue: { limit: ${k - c} },`, requests });
    const { load } = run.traffic;
    const seconds = Math.ceil(requests / lambda / 100) * 100;
    const share = (load.refused['svc: queue full'] ?? 0) / load.offered;
    expect(Math.abs(share - block)).toBeLessThan(Math.max(0.02 * block, 3 * Math.sqrt((k * block) / load.offered)));
    expect(off(load.good / seconds, x)).toBeLessThan(0.02);
    expect(off(run.services.svc.slots.mean + run.services.svc.queue.mean, l)).toBeLessThan(0.02);
    expect(off(load.latencyMs!.mean / 1000, w)).toBeLessThan(0.02);
  });
});

describe('callers who give up', () => {
  it.each([
    { id: 'mm1-zombie-lam80-tau0.05', lambda: 80, tauMs: 50, success: 0.6321205588285577, goodput: 50.56964470628461, rho: 0.8, requests: 400_000, tolerance: 0.02 },
    { id: 'mm1-zombie-lam95-tau0.1', lambda: 95, tauMs: 100, success: 0.3934693402873666, goodput: 37.379587327299824, rho: 0.95, requests: 800_000, tolerance: 0.08 },
  ])('$id: the server, which knows nothing of it, works for nobody', ({ lambda, tauMs, success, goodput, rho, requests, tolerance }) => {
    const run = station({ lambda, mu: 100, c: 1, link: `{ svc: { timeout: ${tauMs}ms } }`, requests });
    const { load } = run.traffic;
    expect(off(load.good / load.offered, success)).toBeLessThan(tolerance);
    expect(off((load.good / load.offered) * lambda, goodput)).toBeLessThan(tolerance);
    expect(off(run.services.svc.slots.mean, rho)).toBeLessThan(0.02);
  });
  it.each([
    { id: 'mm1-abort-lam80-tau0.05', lambda: 80, tauMs: 50, success: 0.8957400330687281, rho: 0.7165920264549824, requests: 400_000 },
    { id: 'mm1-abort-lam100-tau0.1', lambda: 100, tauMs: 100, success: 0.9090909090909091, rho: 0.9090909090909091, requests: 400_000 },
    { id: 'mm1-abort-lam150-tau0.1', lambda: 150, tauMs: 100, success: 0.6651625888468928, rho: 0.9977438832703394, requests: 400_000 },
  ])('$id: with `cancel` the server stops', ({ lambda, tauMs, success, rho, requests }) => {
    const run = station({ lambda, mu: 100, c: 1, link: `{ svc: { timeout: ${tauMs}ms, cancel: true } }`, requests });
    const { load } = run.traffic;
    expect(off(load.good / load.offered, success)).toBeLessThan(0.01);
    expect(off(run.services.svc.slots.mean, rho)).toBeLessThan(0.01);
  });
  it.each([
    { id: 'mm1k-zombie-K200', k: 200, success: 0, goodput: 0, error: 0 },
    { id: 'mm1k-zombie-K50', k: 50, success: 0.66666666247983, goodput: 99.9999993719745, error: 0 },
    { id: 'mm1k-zombie-K100', k: 100, success: 0.39256799733297537, goodput: 58.885199599946304, error: 0.033 },
  ])('$id: a queue longer than the timeout times the rate of service serves only the dead', ({ k, success, goodput, error }) => {
    const run = station({ lambda: 150, mu: 100, c: 1, queue: `queue: { limit: ${k - 1} },`, link: '{ svc: { timeout: 1s } }', requests: 300_000 });
    const { load } = run.traffic;
    const seconds = Math.ceil(300_000 / 150 / 100) * 100;
    // What is served in the four seconds in which the queue first fills is all that is good with K = 200: at most 400 of 300,000.
    // With K = 100 about half are in time, all of a hundred neighbours or none: three standard errors.
    const most = Math.max(0.03 * success, error) + 400 / 300_000;
    expect(Math.abs(load.good / load.offered - success)).toBeLessThan(most);
    expect(Math.abs(load.good / seconds - goodput)).toBeLessThan(most * 150);
    expect(off((load.refused['svc: queue full'] ?? 0) / load.offered, 1 / 3)).toBeLessThan(0.03);
    expect(off(run.services.svc.slots.mean, 1)).toBeLessThan(0.01);
  });
});
