import { describe, expect, it } from 'vitest';
import { scenario, simulated } from '../../support/simulated.js';

const off = (measured: number, expected: number): number => Math.abs(measured / expected - 1);

describe('closed users at one station', () => {
  it('respond and get through alike however their thinking is distributed: constant here, against exact mean value analysis', () => {
    // Fifty users who think 1 s, 20 ms of exponential service: X = 44.7606/s, R = 117.053 ms, within three standard errors of 400,000 requests.
    const run = simulated(scenario(`
      duration: 9000s
      tick: 3s
      phases: { settled: [900s, 9000s] }
      services:
        station: { slots: 1, cpus: 1, handlers: { work: [{ cpu: { assumed: 20ms, cv: 1 } }] } }
      traffic:
        users: { to: station, send: work, closed: { users: 50, think: 1s } }
    `));
    const { good, latencyMs } = run.phases.settled.traffic.users;
    expect(off(good / 8100, 44.76062722482239)).toBeLessThan(0.02);
    expect(off(latencyMs!.mean, 117.05315809944844)).toBeLessThan(0.02);
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
