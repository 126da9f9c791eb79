import { describe, expect, it } from 'vitest';
import { belief } from '../../../src/engine/parts/link.js';
import type { SimulatedRun } from '../../../src/study/types.js';
import { cells, eventsOf, scenario, simulated, total } from '../../support/simulated.js';

/** Ten requests a second over `instances`, of which one answers with errors from 5 s on. */
const ailing = (link: string, instances: number, more = ''): SimulatedRun =>
  simulated(
    scenario(`
      duration: 120s
      services:
        lb: { kind: balancer, to: { svc: { ${link} } } }
        svc: { instances: ${instances}, handlers: { job: [{ wait: { assumed: 5ms, cv: 0 } }] }${more} }
      faults:
        ill: { at: 5s, for: 20s, target: svc.1, errors: 100% }
      traffic:
        jobs: { to: lb, send: job, open: { rate: 10/s, arrivals: even } }
    `),
  );

describe('outlier ejection in a run', () => {
  it('loses five requests, then the instance is out until the first sweep after 30 s', () => {
    const run = ailing('outlier: {}', 10);
    expect(run.traffic.jobs.failed).toEqual({ 'svc: error': 5 });
    const [ejected] = eventsOf(run, 'ejected');
    // Its turn comes each second, at 5, 6, 7, 8 and 9 s.
    expect(ejected).toMatchObject({ tMs: 9000, subject: 'svc.1', cause: 'outlier', data: { link: 'lb.svc', bad: 5, inRotation: 9 } });
    expect(eventsOf(run, 'ready')).toMatchObject([{ tMs: 40_000, subject: 'svc.1', cause: 'time' }]);
    const { targets } = run.ticks.links['lb.svc'];
    expect(total(cells(run, targets[0].sent).slice(10, 40))).toBe(0);
    expect(cells(run, targets[0].belief).slice(8, 41)).toEqual([belief.in, ...Array<number>(31).fill(belief.ejected), belief.in]);
    expect(run.links['lb.svc'].ejections).toBe(1);
    expect(run.warnings).toEqual([]);
  });
  it('ejects nobody of nine, and says in the study that it never can', () => {
    const run = ailing('outlier: {}', 9);
    expect(eventsOf(run, 'ejected')).toEqual([]);
    expect(run.traffic.jobs.failed['svc: error']).toBeGreaterThan(20);
    expect(run.warnings).toMatchObject([{ kind: 'outlier-never', subject: 'lb.svc' }]);
  });
  it('learns nothing from the calls of a caller that dies', () => {
    const run = simulated(
      scenario(`
        duration: 30s
        services:
          lb: { recovery: { by: restart, after: 1s }, to: { svc: { outlier: { maxEjected: 100% }, breaker: { minimum: 5 } } } }
          svc: { handlers: { job: [{ wait: { assumed: 5s, cv: 0 } }] } }
        faults:
          kill: { at: 4s, target: lb.1, crash: true }
        traffic:
          jobs: { to: lb, send: job, open: { rate: 10/s, arrivals: even } }
      `),
    );
    expect(run.links['lb.svc'].failed['lb: killed']).toBe(40);
    expect([...eventsOf(run, 'ejected'), ...eventsOf(run, 'breaker-open')]).toEqual([]);
  });
});
