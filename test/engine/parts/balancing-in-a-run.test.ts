import { describe, expect, it } from 'vitest';
import { cells, scenario, simulated, total } from '../../support/simulated.js';

describe('balancing in a run', () => {
  it('hash: each row stays with its instance', () => {
    const run = simulated(
      scenario(`
        duration: 60s
        services:
          lb: { kind: balancer, to: { svc: { policy: hash } } }
          svc: { instances: 3, handlers: { job: [{ wait: { assumed: 5ms, cv: 0 } }] } }
        traffic:
          jobs: { to: lb, send: job, keys: { count: 4, hot: 1, share: 25% }, open: { rate: 100/s } }
      `),
    );
    // Four rows over three instances cannot be even: thirds would be 2,000 each.
    const arrived = run.services.svc.instances.map(({ arrived }) => arrived);
    expect(total(arrived)).toBe(run.traffic.jobs.offered);
    const quarters = arrived.map((count) => (4 * count) / run.traffic.jobs.offered);
    for (const share of quarters) expect(Math.abs(share - Math.round(share))).toBeLessThan(0.12);
  });
  it('slow start: a newcomer gets a tenth at first and a full share in the end', () => {
    const run = simulated(
      scenario(`
        duration: 120s
        machines: { box: { cpus: 1, memory: 1GiB } }
        services:
          lb: { kind: balancer, to: { svc: { policy: random, slowStart: 60s } } }
          svc:
            machine: box
            instances: 1
            autoscale: { min: 1, max: 2, target: 20%, every: 10s, window: 10s, boot: 5s }
            handlers: { job: [{ cpu: { assumed: 4ms, cv: 0 } }] }
        traffic:
          jobs: { to: lb, send: job, open: { rate: 100/s, arrivals: even } }
      `),
    );
    const sent = cells(run, run.ticks.links['lb.svc'].targets[1].sent);
    const begins = sent.findIndex((count) => count > 0);
    const shareOf = (from: number): number => total(sent.slice(begins + from, begins + from + 5)) / 500;
    expect(shareOf(1)).toBeGreaterThan(0.05);
    expect(shareOf(1)).toBeLessThan(0.14);
    expect(shareOf(30)).toBeGreaterThan(0.28);
    expect(shareOf(30)).toBeLessThan(0.4);
    expect(shareOf(70)).toBeGreaterThan(0.43);
  });
  it('retry budget: an outage makes no more tries than the calls and their share', () => {
    const run = simulated(
      scenario(`
        duration: 60s
        services:
          lb: { kind: balancer, to: { svc: { retries: { max: 3, budget: 20% } } } }
          svc: { handlers: { job: [{ fail: bug }] } }
        traffic:
          jobs: { to: lb, send: job, open: { rate: 100/s, arrivals: even } }
      `),
    );
    const { sent, retries } = run.links['lb.svc'];
    expect(sent).toBe(6000 + retries);
    expect(retries / 6000).toBeLessThanOrEqual(0.2);
    expect(retries / 6000).toBeGreaterThan(0.19);
  });
});
