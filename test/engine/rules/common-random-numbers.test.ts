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
  it.each(['wait', 'cpu'])('draws two steps of one request, `%s`, apart', (verb) => {
    const run = simulated(
      scenario(`
        duration: 20s
        services:
          svc: { handlers: { twice: [{ ${verb}: 10ms }, { ${verb}: 10ms }] } }
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

describe('rule 54: what is added in one place changes no arrival and no draw elsewhere', () => {
  /** Two branches of a system that share nothing but the front: what is done to `left` must not be seen at `right`. */
  const pair = ({ left = '', link = '{}', steps = '{ wait: 20ms }', services = '', faults = '{}', handler = '{ call: left.work }' } = {}): SimulatedRun =>
    simulated(scenario(`
      duration: 30s
      tick: 100ms
      seed: 5
      services:
        ${services}
        front: { to: { left: ${link} }, handlers: { a: [${handler}], b: [{ wait: 3ms }, { parallel: [[{ call: right.work }], [{ wait: 9ms }]] }] } }
        left: { instances: 2, ${left} handlers: { work: [${steps}] } }
        right: { instances: 2, handlers: { work: [{ cpu: 5ms }, { wait: 20ms, chance: 50%, times: 3 }, { choose: [{ weight: 1, steps: [{ wait: 7ms }] }, { weight: 2, steps: [{ decline: no }] }] }] } }
      faults: ${faults}
      traffic:
        orders: { to: front, send: { a: 1, b: 1 }, keys: 40, stop: 28s, open: { rate: 80/s } }
        crowd: { to: right, send: work, stop: 28s, closed: { users: 5, think: 100ms } }
    `));
  const alone = pair();
  const right = (run: SimulatedRun) => ({
    service: run.services['right'],
    ticks: run.ticks.services['right'],
    links: [run.ticks.links['front.right'], run.ticks.links['crowd.right']],
    arrivals: [run.ticks.traffic['orders'].offered, run.traffic['crowd']],
  });

  it.each<[string, Parameters<typeof pair>[0]]>([
    ['slots and a queue', { left: 'slots: 1, queue: { limit: 3 },' }],
    ['a rate limit', { left: 'rateLimit: { rate: 10/s, burst: 2 },' }],
    ['retries after timeouts', { link: '{ timeout: 15ms, retries: { max: 3, backoff: 10ms, jitter: full } }' }],
    ['a pool with handshakes', { link: '{ pool: { max: 2, wait: 50ms, handshake: { time: { assumed: 5ms, cv: 1 } } } }' }],
    ['a breaker and outlier detection', { link: '{ timeout: 15ms, breaker: { errors: 20% }, outlier: { errors: 2, maxEjected: 50% } }' }],
    ['another policy', { link: '{ policy: two-choices }' }],
    ['another instance', { left: 'autoscale: { min: 2, max: 4, metric: queue, target: 1, boot: 1s }, slots: 1,' }],
    ['more steps', { steps: '{ wait: 20ms }, { cpu: 4ms, times: 3 }, { fail: bug, chance: 10%, orElse: [{ wait: 5ms }] }' }],
    ['a branch', { handler: '{ parallel: [[{ call: left.work }], [{ call: left.work }]] }' }],
    ['locks', { steps: '{ lock: row, wait: 100ms }, { wait: 20ms }' }],
    ['a crash', { faults: '{ bang: { at: 3s, target: left, crash: true } }' }],
    ['latency, loss and errors', { faults: '{ slow: { at: 3s, target: left, latency: { assumed: 30ms, cv: 1 } }, loss: { at: 5s, target: [front, left], loss: 20% }, errors: { at: 9s, target: left, errors: 20% } }' }],
    ['a freeze', { faults: '{ ice: { at: 3s, for: 2s, target: left, freeze: true } }' }],
    ['a deployment', { faults: '{ new: { at: 3s, target: left, deploy: { boot: 1s } } }' }],
    ['a sidecar', { services: 'mesh: { beside: left, to: { left: {} } }', handler: '{ call: mesh.work }' }],
  ])('%s', (_, what) => {
    const run = pair(what);
    expect(right(run)).toEqual(right(alone));
    expect(run.services['left']).not.toEqual(alone.services['left']);
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
