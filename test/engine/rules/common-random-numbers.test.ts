import { describe, expect, it } from 'vitest';
import { cells, scenario, simulated, total } from '../../support/simulated.js';
import type { SimulatedRun } from '../../../src/study/types.js';

/** `orders` go over `lb` to `api`, which calls `db`; every time is drawn. All of it is over well before the end, so that nothing is cut off. */
const shop = ({ slots = 'unlimited', queue = 'unlimited', policy = 'random', services = '', traffic = '', before = '', api = '' } = {}): string =>
  scenario(`
    duration: 60s
    tick: 100ms
    seed: 7
    machines: { box: { cpus: 2, memory: 1GiB } }
    services:
      ${services}
      lb: { to: { api: { policy: ${policy}, latency: { assumed: 1ms, cv: 1 } } } }
      api:
        machine: box
        instances: 3
        slots: ${slots}
        queue: { limit: ${queue} }
        ${api}
        handlers: { order: [{ wait: 50ms }, { cpu: 4ms }, { call: db.insert }] }
      db: { handlers: { insert: [{ wait: { assumed: 30ms, cv: 2 } }] } }
    traffic:
      ${before}
      orders: { to: lb, send: order, stop: 40s, open: { rate: 60/s } }
      ${traffic}
  `);
const arrivals = (run: SimulatedRun): number[] => cells(run, run.ticks.traffic.orders.offered);
/** Drawn service time of all calls at `db` together, s: it has no limit of its own, so that they are never held up there. */
const databaseSeconds = (run: SimulatedRun): number => run.services.db.slots.mean * 60;

describe('rule 54: a draw is a function of seed, source, request number, step and occurrence, not "the next of a stream"', () => {
  const wide = simulated(shop());
  const narrow = simulated(shop({ slots: '2' }));

  it('changes what it should: two slots make orders wait', () => {
    expect(narrow.traffic.orders.latencyMs!.mean).toBeGreaterThan(1.3 * wide.traffic.orders.latencyMs!.mean);
    expect(narrow.traffic.orders).toMatchObject({ good: wide.traffic.orders.good, inFlight: 0 });
  });
  it("leaves every arrival in its place when another service's slots change", () => {
    expect(arrivals(narrow)).toEqual(arrivals(wide));
  });
  it('leaves every draw at the callee as it was, although its calls come in another order', () => {
    expect(narrow.links['api.db'].latencyMs).toEqual(wide.links['api.db'].latencyMs);
    expect(databaseSeconds(narrow)).toBe(databaseSeconds(wide));
    const order = (run: SimulatedRun): number[] => cells(run, run.ticks.services.db.instances[0].arrived);
    expect(order(narrow)).not.toEqual(order(wide));
  });
  it('sends every request to the same instance as before', () => {
    const sent = (run: SimulatedRun): number[][] => run.ticks.links['lb.api'].targets.map((target) => cells(run, target.sent));
    // The way to the balancer takes no time, so the choice is made in the tick of the arrival.
    expect(sent(narrow)).toEqual(sent(wide));
  });
  it('does not shift later requests when an earlier one is refused and draws no more', () => {
    const two = (queue: string): SimulatedRun =>
      simulated(
        scenario(`
          duration: 60s
          seed: 3
          services:
            front: { handlers: { a: [{ call: narrow.work }], b: [{ call: wide.work }] } }
            narrow: { slots: 1, queue: { limit: ${queue} }, handlers: { work: [{ wait: 60ms }] } }
            wide: { handlers: { work: [{ wait: 60ms }] } }
          traffic:
            orders: { to: front, send: { a: 1, b: 1 }, stop: 50s, open: { rate: 40/s } }
        `),
      );
    const [none, refusing] = [two('unlimited'), two('0')];
    expect(refusing.traffic.orders.refused['narrow: queue full']).toBeGreaterThan(100);
    expect(none.traffic.orders.refused).toEqual({});
    expect(refusing.links['front.wide']).toEqual(none.links['front.wide']);
    expect(refusing.ticks.links['front.wide']).toEqual(none.ticks.links['front.wide']);
  });
  it('draws two steps of one request, and two calls of one callee, apart', () => {
    const run = simulated(
      scenario(`
        duration: 20s
        services:
          svc: { handlers: { twice: [{ wait: 10ms }, { wait: 10ms }] } }
        traffic:
          jobs: { to: svc, send: twice, stop: 10s, open: { rate: 500/s } }
      `),
    );
    // Two independent exponentials: variance 2 × 10², so p99 = 66.4 ms; the same draw twice would have 92.1.
    expect(Math.abs(run.traffic.jobs.latencyMs!.p99 / 66.4 - 1)).toBeLessThan(0.12);
  });
});

describe('rule 54: what is added elsewhere changes nothing here', () => {
  const alone = simulated(shop());
  const more = simulated(
    shop({
      services: 'other: { machine: box, slots: 1, handlers: { job: [{ cpu: 9ms }] } }',
      before: 'early: { to: other, send: job, open: { rate: 30/s } }',
      traffic: 'late: { to: other, send: job, open: { rate: 30/s } }',
    }),
  );
  it('another service and two more traffics, before and after in the file', () => {
    expect(more.traffic.early.good).toBeGreaterThan(1000);
    expect(more.traffic.orders).toEqual(alone.traffic.orders);
    expect(more.ticks.traffic.orders).toEqual(alone.ticks.traffic.orders);
    for (const name of ['lb', 'api', 'db']) {
      expect(more.services[name]).toEqual(alone.services[name]);
      expect(more.ticks.services[name]).toEqual(alone.ticks.services[name]);
    }
    for (const name of Object.keys(alone.links)) expect(more.ticks.links[name]).toEqual(alone.ticks.links[name]);
  });
  it('a health check, whose probes draw from their own', () => {
    const probed = simulated(shop().replace('policy: random,', 'policy: random, health: { path: dedicated, every: 1s, timeout: 500ms, unhealthyAfter: 2, healthyAfter: 2 },'));
    expect(probed.links['lb.api'].probes.sent).toBe(180);
    expect(probed.traffic.orders).toEqual(alone.traffic.orders);
  });
  it('two traffics of the same kind do not have the same arrivals', () => {
    expect(cells(more, more.ticks.traffic.early.offered)).not.toEqual(cells(more, more.ticks.traffic.late.offered));
  });
});

describe('the seed', () => {
  const byTheFile = JSON.stringify(simulated(shop()));
  it('given twice gives the same run, byte for byte', () => {
    expect(JSON.stringify(simulated(shop()))).toBe(byTheFile);
  });
  it('is the one of the file unless another is given', () => {
    expect(JSON.stringify(simulated(shop(), { seed: 7 }))).toBe(byTheFile);
  });
  it('changes arrivals and draws', () => {
    const [one, other] = [simulated(shop(), { seed: 1 }), simulated(shop(), { seed: 2 })];
    expect(arrivals(one)).not.toEqual(arrivals(other));
    expect(databaseSeconds(one)).not.toBe(databaseSeconds(other));
    // Both are Poisson(2400): four standard deviations.
    for (const run of [one, other]) expect(Math.abs(total(arrivals(run)) - 2400)).toBeLessThan(4 * Math.sqrt(2400));
  });
});
