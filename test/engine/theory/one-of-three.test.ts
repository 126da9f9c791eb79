import { describe, expect, it } from 'vitest';
import { scenario, simulated } from '../../support/simulated.js';

/** Three instances that carry 400/s each, offered 1,500/s; one is killed at 2 minutes and stays dead. */
const text = (health: string): string => `
duration: 5m
phases: { all: [20s, 2m], two: [2m30s, 5m] }
services:
  lb:
    kind: balancer
    to:
      api: { policy: least-outstanding${health} }
  api:
    instances: 3
    cpus: 2
    slots: 20
    queue: { limit: 30 }
    recovery: { by: none }
    handlers: { work: [{ cpu: { assumed: 5ms, cv: 0.5 } }] }
traffic:
  load: { to: lb, send: work, open: { rate: 1500/s } }
faults:
  kill: { at: 2m, target: api.2, crash: true }
`;
const withHealth = text(', health: { path: dedicated, every: 5s, timeout: 1s, unhealthyAfter: 2, healthyAfter: 2 }');

describe('killing one of three', () => {
  const run = simulated(scenario(withHealth));
  const killedAtMs = 120_000;

  it('leaves two thirds of the capacity, within 1.5 %', () => {
    const [all, two] = [run.phases['all'].traffic['load'].goodPerS, run.phases['two'].traffic['load'].goodPerS];
    expect(Math.abs(all / 1200 - 1)).toBeLessThan(0.01);
    expect(Math.abs(two / all - 2 / 3)).toBeLessThan(0.015 * (2 / 3));
  });

  it('fails its running and queued requests at that instant, and counts them to that kill', () => {
    const crash = run.eventLog.find(({ kind }) => kind === 'crashed')!;
    expect(crash).toMatchObject({ tMs: killedAtMs, subject: 'api.2', cause: 'kill', data: { lost: 50, running: 20, queued: 30 } });
    expect(run.traffic['load'].failed['api: killed']).toBe(50);
    const killed = run.ticks.services['api'].instances[1].failed as number[];
    expect(killed[120]).toBe(50);
    expect(killed.reduce((sum, count) => sum + count, 0)).toBe(50);
  });

  it('has what is sent to it refused by the dead process until the balancer takes it out', () => {
    const ejected = run.eventLog.find(({ kind }) => kind === 'ejected')!;
    expect(ejected).toMatchObject({ subject: 'api.2', cause: 'connection refused' });
    expect(ejected.tMs - killedAtMs).toBeLessThanOrEqual(10_000);
    const { failed, sent } = run.ticks.links['lb.api'].targets[1];
    const lastSent = (sent as number[]).findLastIndex((count) => count > 0);
    expect(lastSent).toBe(Math.floor(ejected.tMs / 1000));
    const refused = (failed as number[]).reduce((sum, count) => sum + count, 0) - 50;
    expect(run.traffic['load'].failed['api: connection refused']).toBe(refused);
    // It refuses at once, so it looks idle, and least-outstanding sends it nearly everything.
    expect((failed as number[])[121]).toBeGreaterThan(1000);
  });

  it('swallows the traffic for good when the link has no health check', () => {
    const blind = simulated(scenario(text("")));
    expect(blind.eventLog.filter(({ kind }) => kind === 'ejected')).toEqual([]);
    expect(blind.phases['two'].traffic['load'].failed['api: connection refused']).toBeGreaterThan(blind.phases['two'].traffic['load'].offered * 0.5);
  });
});
