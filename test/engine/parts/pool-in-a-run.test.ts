import { describe, expect, it } from 'vitest';
import type { SimulatedRun } from '../../../src/study/types.js';
import { scenario, simulated } from '../../support/simulated.js';

/** Ten requests a second for 10 s, each 5 ms at the callee. */
const over = (pool: string, instances = 1, faults = ''): SimulatedRun =>
  simulated(
    scenario(`
      duration: 10s
      services:
        lb: { kind: balancer, to: { svc: { pool: { ${pool} } } } }
        svc: { instances: ${instances}, recovery: { by: restart, after: 1s }, handlers: { job: [{ wait: { assumed: 5ms, cv: 0 } }] } }
      ${faults}
      traffic:
        jobs: { to: lb, send: job, open: { rate: 10/s, arrivals: even } }
    `),
  );
const handshake = 'handshake: { time: { assumed: 20ms, cv: 0 } }';

describe('connections in a run', () => {
  it('are opened once each and kept, and only the first request pays the handshake', () => {
    const run = over(`max: 10, ${handshake}`);
    expect(run.links['lb.svc'].pool).toMatchObject({ opened: 1 });
    expect(run.traffic.jobs.latencyMs).toMatchObject({ p50: 5, max: 25 });
  });
  it('are opened for every request with `reuse: 1`, which pays each time', () => {
    const run = over(`max: 10, reuse: 1, ${handshake}`);
    expect(run.links['lb.svc'].pool).toMatchObject({ opened: 100 });
    expect(run.traffic.jobs.latencyMs!.mean).toBeCloseTo(25, 6);
  });
  it('are opened for a quarter of the requests with `reuse: 4`', () => {
    const run = over(`max: 10, reuse: 4, ${handshake}`);
    expect(run.links['lb.svc'].pool).toMatchObject({ opened: 25 });
    expect(run.traffic.jobs.latencyMs!.mean).toBeCloseTo(10, 6);
  });
  it('go from target to target when there is but one for two of them', () => {
    const run = over(`max: 1, ${handshake}`, 2);
    expect(run.links['lb.svc'].pool).toMatchObject({ opened: 100, inUse: { max: 1 } });
    expect(over(`max: 2, ${handshake}`, 2).links['lb.svc'].pool).toMatchObject({ opened: 2 });
  });
  it('are opened anew when the process at their other end has come back', () => {
    const run = over(`max: 10, ${handshake}`, 1, 'faults: { kill: { at: 5050ms, target: svc.1, crash: true } }');
    expect(run.links['lb.svc'].pool).toMatchObject({ opened: 2 });
    expect(run.traffic.jobs.failed['svc: connection refused']).toBe(10);
    expect(run.traffic.jobs.latencyMs).toMatchObject({ max: 25 });
  });
});
