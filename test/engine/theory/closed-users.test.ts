import { describe, expect, it } from 'vitest';
import { scenario, simulated } from '../../support/simulated.js';

/**
 * Closed users at one station with c servers, the machine repairman M/M/c//N: N users who think (mean Z) and ask (mean S of service), both exponential.
 * X per second; R, percentiles in seconds; U a share of each server; L requests at the station. Sized so that each figure's spread is well inside its tolerance.
 */
const cases = [
  { id: 'closed-N1-Z1.0-S0.02-c1', n: 1, z: 1, s: 0.02, c: 1, x: 0.9803921568627451, r: 0.02, u: 0.0196078431372549, l: 0.0196078431372549, p95: 0.059914645471079817, p99: 0.09210340371976194, requests: 120_000 },
  { id: 'closed-N10-Z1.0-S0.02-c1', n: 10, z: 1, s: 0.02, c: 1, x: 9.76417516826454, r: 0.024152048449718164, u: 0.1952835033652908, l: 0.23582483173546018, p95: 0.07218166763721663, p99: 0.11057022470988762, requests: 150_000 },
  { id: 'closed-N50-Z1.0-S0.02-c1', n: 50, z: 1, s: 0.02, c: 1, x: 44.76062722482239, r: 0.11705315809944844, u: 0.8952125444964478, l: 5.239372775177611, p95: 0.2983583975015503, p99: 0.40403361285576683, requests: 400_000 },
  { id: 'closed-N100-Z1.0-S0.02-c1', n: 100, z: 1, s: 0.02, c: 1, x: 49.9999999918484, r: 1.0000000003260636, u: 0.999999999836968, l: 50.000000008151574, p95: 1.339942688957686, p99: 1.4944512298422368, requests: 100_000 },
  { id: 'closed-N200-Z1.0-S0.02-c1', n: 200, z: 1, s: 0.02, c: 1, x: 50, r: 3, u: 1, l: 150, p95: 3.4763246783080914, p99: 3.687244983740371, requests: 100_000 },
  { id: 'closed-N50-Z0.0001-S0.02-c1', n: 50, z: 0.0001, s: 0.02, c: 1, x: 50, r: 0.9999, u: 1, l: 49.995, p95: 1.2433211340400412, p99: 1.3579672317102671, requests: 100_000 },
  { id: 'closed-N100-Z0.5-S0.1-c10', n: 100, z: 0.5, s: 0.1, c: 10, x: 99.99999821599829, r: 0.5000000178400168, u: 0.9999999821599829, l: 50.00000089200079, p95: 0.7474008918638316, p99: null, requests: 100_000 },
  { id: 'closed-N300-Z2.0-S0.05-c4', n: 300, z: 2, s: 0.05, c: 4, x: 80, r: 1.75, u: 1, l: 140, p95: 2.1210650273835334, p99: null, requests: 100_000 },
] as const;
const tolerance = 0.02;

const off = (measured: number, expected: number): number => Math.abs(measured / expected - 1);

/** Runs of about so many requests; the first tenth is left out of the latencies. */
const runOf = ({ n, z, s, c, x, requests }: (typeof cases)[number], think = 'cv: 1') => {
  const tickS = Math.ceil(requests / x / 3000);
  const seconds = Math.round(requests / x / tickS) * tickS;
  const from = Math.round(seconds / 10);
  const run = simulated(scenario(`
    duration: ${seconds}s
    tick: ${tickS}s
    phases: { settled: [${from}s, ${seconds}s] }
    services:
      station: { slots: ${c}, cpus: ${c}, handlers: { work: [{ cpu: { assumed: ${s * 1000}ms, cv: 1 } }] } }
    traffic:
      users: { to: station, send: work, closed: { users: ${n}, think: { assumed: ${z * 1000}ms, ${think} } } }
  `));
  return { ...run.phases.settled.traffic.users, perS: run.phases.settled.traffic.users.good / (seconds - from), station: run.services.station };
};

describe('closed users at one station: exact mean value analysis', () => {
  it.each(cases)('$id', (oracle) => {
    const { perS, latencyMs, station } = runOf(oracle);
    expect(off(perS, oracle.x)).toBeLessThan(tolerance);
    expect(off(latencyMs!.mean / 1000, oracle.r)).toBeLessThan(tolerance);
    expect(off(latencyMs!.p95 / 1000, oracle.p95)).toBeLessThan(tolerance);
    if (oracle.p99 !== null) expect(off(latencyMs!.p99 / 1000, oracle.p99)).toBeLessThan(tolerance);
    expect(off(station.cpuCores.mean / oracle.c, oracle.u)).toBeLessThan(tolerance);
    expect(off(station.slots.mean + station.queue.mean, oracle.l)).toBeLessThan(tolerance);
  });
  it('mean response and throughput are insensitive to how thinking is distributed (closed-N50-Z1.0-S0.02-c1, constant)', () => {
    const oracle = cases[2];
    const { perS, latencyMs } = runOf(oracle, 'cv: 0');
    expect(off(perS, oracle.x)).toBeLessThan(tolerance);
    expect(off(latencyMs!.mean / 1000, oracle.r)).toBeLessThan(tolerance);
  });
});

describe('the closed law X = N / (R + Z)', () => {
  it('holds for every stair within a third of a percent, below the knee and above it', () => {
    // Knee at N* = (Z + S) / S = 51 users.
    const run = simulated(scenario(`
      duration: 3600s
      tick: 10s
      services:
        station: { slots: 1, cpus: 1, handlers: { work: [{ cpu: { assumed: 20ms, cv: 1 } }] } }
      traffic:
        users: { to: station, send: work, closed: { users: { stairs: [10, 50, 100], each: 1000s, gap: 100s, warmUp: 200s }, think: 1s } }
    `));
    const stairs = Object.entries(run.phases);
    expect(stairs.map(([name]) => name)).toEqual(['users-10', 'users-50', 'users-100']);
    stairs.forEach(([, { traffic, fromMs, toMs }], i) => {
      const { offered, latencyMs } = traffic.users;
      const perS = offered / ((toMs - fromMs) / 1000);
      expect(off(perS, [10, 50, 100][i] / (1 + latencyMs!.mean / 1000))).toBeLessThan(0.0033);
    });
  });
});
