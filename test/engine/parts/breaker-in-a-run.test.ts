import { describe, expect, it } from 'vitest';
import { breakerStates } from '../../../src/study/types.js';
import { cells, eventsOf, scenario, simulated } from '../../support/simulated.js';

describe('a breaker in a run', () => {
  // Errors from 5 s to 12 s; half of at least 10 opens it for 4 s, one probe closes it.
  const run = simulated(
    scenario(`
      duration: 30s
      services:
        lb: { kind: balancer, to: { svc: { breaker: { errors: 50%, window: 2s, minimum: 10, open: 4s, probes: 1 } } } }
        svc: { handlers: { job: [{ wait: { assumed: 5ms, cv: 0 } }] } }
      faults:
        ill: { at: 5s, for: 7s, target: svc, errors: 100% }
      traffic:
        jobs: { to: lb, send: job, open: { rate: 10/s, arrivals: even } }
    `),
  );
  it('opens when half of the last window was bad, again after a bad probe, and closes after a good one', () => {
    const [first, second, ...others] = eventsOf(run, 'breaker-open');
    // The window of 2 s has 19 or 20 ends in it: the tenth bad one comes at 5.9 s at the latest.
    expect(first).toMatchObject({ subject: 'lb.svc', cause: 'errors' });
    expect(first.tMs).toBeGreaterThanOrEqual(5800);
    expect(first.tMs).toBeLessThanOrEqual(5900);
    expect(first.data.share).toBeGreaterThanOrEqual(0.5);
    expect(second).toMatchObject({ tMs: Math.ceil((first.tMs + 4000) / 100) * 100, data: { share: 1 } });
    expect(others).toEqual([]);
    expect(eventsOf(run, 'breaker-closed').map(({ tMs }) => tMs)).toEqual([second.tMs + 4000 + 5]);
  });
  it('refuses what it does not let through, and sends none of it to the callee', () => {
    const refused = run.traffic.jobs.refused['svc: breaker open'];
    expect(refused).toBeGreaterThan(70);
    expect(run.links['lb.svc'].refused['svc: breaker open']).toBe(refused);
    expect(run.services.svc.instances[0].arrived).toBe(run.traffic.jobs.offered - refused);
  });
  it('shows its state in the ticks', () => {
    const states = cells(run, run.ticks.links['lb.svc'].breaker).map((code) => breakerStates[code]);
    expect([states[4], states[5], states[8], states[12], states[14]]).toEqual(['closed', 'open', 'open', 'open', 'closed']);
  });
});
