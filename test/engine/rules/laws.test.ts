import { describe, expect, it } from 'vitest';
import { cells, scenario, simulated, total } from '../../support/simulated.js';

const text = scenario(`
  duration: 10s
  tick: 1s
  machines: { box: { cpus: 1, memory: 1GiB } }
  services:
    lb: { to: { api: { policy: least-outstanding, latency: 2ms, timeout: 250ms, health: { every: 1s, timeout: 300ms, unhealthyAfter: 2, healthyAfter: 2 } } } }
    api:
      machine: box
      instances: 2
      slots: 8
      queue: { limit: 30, patience: 300ms }
      memory: { base: 100MiB, perRequest: 10MiB, leakPerRequest: 300KiB, limit: 700MiB }
      recovery: { by: restart, after: 2s }
      handlers: { order: [{ wait: 30ms }, { cpu: 9ms }, { call: db.insert }] }
      to: { db: { pool: { max: 2, wait: 40ms }, timeout: 200ms } }
    db: { slots: 10, handlers: { insert: [{ wait: 30ms }] } }
  faults:
    kill: { at: 5s, target: api.1, crash: true }
  traffic:
    orders: { to: { lb: { timeout: 1s } }, send: order, open: { rate: 230/s } }
`);

describe("rule 56: Little's law, the utilisation law and flow balance hold, and conservation is an equality of integers", () => {
  const run = simulated(text);

  it('holds in a run in which everything happens', () => {
    const reasons = [...Object.keys(run.traffic.orders.refused), ...Object.keys(run.traffic.orders.failed)];
    expect(reasons).toEqual(expect.arrayContaining(['api: queue full', 'db: pool wait', 'api: killed', 'api: timeout']));
    expect(run.services.api.ooms).toBeGreaterThan(0);
  });
  it('balances the flow at every traffic, link and instance', () => {
    const { offered, good, refused, failed, inFlight } = run.traffic.orders;
    expect(offered).toBe(good + total(Object.values(refused)) + total(Object.values(failed)) + inFlight);
    for (const link of Object.values(run.links)) {
      expect(link.sent).toBe(link.good + link.declined + total(Object.values(link.refused)) + total(Object.values(link.failed)) + link.inFlight);
    }
    for (const instance of Object.values(run.services).flatMap(({ instances }) => instances)) {
      expect(instance.arrived).toBeGreaterThanOrEqual(instance.good + instance.declined + instance.refused + instance.failed);
    }
    expect(run.links['orders.lb'].sent).toBe(offered);
  });
  it("shows Little's law from outside: mean in flight × time = sum of latencies, cut at the end of the run", () => {
    const exact = simulated(scenario(`
      duration: 10s
      services:
        svc: { slots: 3, handlers: { job: [{ wait: { assumed: 40ms, cv: 0 } }] } }
      traffic:
        jobs: { to: svc, send: job, open: { rate: 60/s, arrivals: even } }
    `));
    const { slots, queue } = exact.services.svc.instances[0];
    // 600 requests of 40 ms, the last two of them cut: they came 16.667 and 33.333 ms before the end.
    expect((slots.mean + queue.mean) * 10).toBeCloseTo(598 * 0.04 + 1 / 60 + 2 / 60, 4);
  });
  it('shows the utilisation law from outside: cores = completions × demand', () => {
    const exact = simulated(scenario(`
      duration: 10s
      machines: { box: { cpus: 2, memory: 1GiB } }
      services:
        svc: { machine: box, handlers: { job: [{ cpu: { assumed: 7ms, cv: 0 } }] } }
      traffic:
        jobs: { to: svc, send: job, stop: 9s, open: { rate: 200/s, arrivals: even } }
    `));
    expect(exact.services.svc.cpuCores.mean).toBe((1800 * 0.007) / 10);
    expect(total(cells(exact, exact.ticks.services.svc.instances[0].cpuCores.mean))).toBeCloseTo(12.6, 3);
  });
});
