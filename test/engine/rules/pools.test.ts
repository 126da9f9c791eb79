import { describe, expect, it } from 'vitest';
import { cells, endOf, oneRequest, requestsAt, scenario, simulated } from '../../support/simulated.js';

const wait = (time: string): string => `{ wait: { assumed: ${time}, cv: 0 } }`;

/** `api` calls `db`, 100 ms each, over this link. */
const overPool = (link: string, timesMs: readonly number[], more = ''): string =>
  scenario(`
    duration: 1s
    tick: 10ms
    services:
      api:
        ${more}
        handlers: { job: [{ call: db.read }] }
        to: { db: ${link} }
      db: { handlers: { read: [${wait('100ms')}] } }
    traffic:
      ${requestsAt(timesMs, 'api', 6)}
  `);

describe('rule 19: a timeout frees the place in the pool at once', () => {
  const run = simulated(overPool('{ timeout: 30ms, pool: { max: 1 } }', [0, 0, 40]));
  it('fails the first at its timeout and gives its place to the next', () => {
    expect(['r1', 'r2', 'r3'].map((name) => endOf(run, name))).toEqual([
      { end: 'failed db: timeout', afterMs: 30 },
      { end: 'failed db: timeout', afterMs: 60 },
      { end: 'failed db: timeout', afterMs: 50 },
    ]);
  });
  it('holds one place all the while, although the callee is still at work for the first', () => {
    expect(run.links['api.db'].pool?.inUse).toEqual({ mean: 0.09, max: 1 });
    expect(run.services.db.instances[0]).toMatchObject({ good: 3, slots: { mean: 0.3, max: 3 } });
  });
});

describe('rule 20: `timeout` starts when the request is sent, after the pool', () => {
  it('gives both their whole 120 ms, although the second has waited 100 ms for the connection', () => {
    const run = simulated(overPool('{ timeout: 120ms, pool: { max: 1 } }', [0, 0]));
    expect(['r1', 'r2'].map((name) => endOf(run, name))).toEqual([
      { end: 'good', afterMs: 100 },
      { end: 'good', afterMs: 200 },
    ]);
  });
  it('nor does it strike one that has waited longer than that', () => {
    const run = simulated(overPool('{ timeout: 120ms, pool: { max: 1 } }', [0, 0, 0]));
    expect(endOf(run, 'r3')).toEqual({ end: 'good', afterMs: 300 });
  });
  it('covers latency both ways and the queue there', () => {
    const inTime = simulated(overPool('{ timeout: 121ms, latency: 10ms }', [0]));
    expect(endOf(inTime, 'r1')).toEqual({ end: 'good', afterMs: 120 });
    const late = simulated(overPool('{ timeout: 119ms, latency: 10ms }', [0]));
    expect(endOf(late, 'r1')).toEqual({ end: 'failed db: timeout', afterMs: 119 });
  });
  it('times the link of a traffic likewise', () => {
    const run = simulated(overPool('{ }', [0]).replace('to: api', 'to: { api: { timeout: 60ms } }'));
    expect(endOf(run, 'r1')).toEqual({ end: 'failed api: timeout', afterMs: 60 });
    expect(run.services.api.instances[0]).toMatchObject({ good: 1 });
  });
});

describe('rule 21: waiting for a pool is FIFO over all requests of that instance; `pool full` and `pool wait` are refused', () => {
  it('serves in the order of asking, whatever asks', () => {
    const run = simulated(
      scenario(`
        duration: 1s
        services:
          api:
            handlers:
              slow: [${wait('10ms')}, { call: db.read }]
              quick: [{ call: db.read }]
            to: { db: { pool: { max: 1 } } }
          db: { handlers: { read: [${wait('100ms')}] } }
        traffic:
          ${oneRequest('first', 0, 'api', 'quick')}
          ${oneRequest('asks-at-11', 1, 'api', 'slow')}
          ${oneRequest('asks-at-12', 2, 'api', 'slow')}
          ${oneRequest('asks-at-5', 5, 'api', 'quick')}
      `),
    );
    const ends = Object.entries({ first: 0, 'asks-at-5': 5, 'asks-at-11': 1, 'asks-at-12': 2 }).map(([name, atMs]) => atMs + endOf(run, name).afterMs!);
    expect(ends).toEqual([100, 200, 300, 400]);
  });
  it('refuses who finds `pending` others waiting, at once', () => {
    const run = simulated(overPool('{ pool: { max: 1, pending: 1 } }', [0, 0, 20]));
    expect(['r1', 'r2', 'r3'].map((name) => endOf(run, name))).toEqual([
      { end: 'good', afterMs: 100 },
      { end: 'good', afterMs: 200 },
      { end: 'refused db: pool full', afterMs: 0 },
    ]);
    expect(run.links['api.db']).toMatchObject({ sent: 3, good: 2, refused: { 'db: pool full': 1 } });
    expect(run.services.db.instances[0].arrived).toBe(2);
  });
  it('lets nobody wait with `pending: 0`', () => {
    expect(endOf(simulated(overPool('{ pool: { max: 1, pending: 0 } }', [0, 20])), 'r2')).toEqual({ end: 'refused db: pool full', afterMs: 0 });
  });
  it('refuses who has waited `wait`, at that instant, and takes it out of the line', () => {
    const run = simulated(overPool('{ pool: { max: 1, wait: 60ms } }', [0, 10, 90]));
    expect(['r1', 'r2', 'r3'].map((name) => endOf(run, name))).toEqual([
      { end: 'good', afterMs: 100 },
      { end: 'refused db: pool wait', afterMs: 60 },
      { end: 'good', afterMs: 110 },
    ]);
    expect(cells(run, run.ticks.links['api.db'].callers[0].poolWaiting!.end).slice(0, 12)).toEqual([0, 1, 1, 1, 1, 1, 1, 0, 0, 1, 0, 0]);
  });
  it('keeps a pool of its own in each instance of the caller', () => {
    const run = simulated(
      scenario(`
        duration: 1s
        services:
          api:
            instances: 2
            handlers: { job: [{ call: db.read }] }
            to: { db: { pool: { max: 1 } } }
          db: { handlers: { read: [${wait('100ms')}] } }
        traffic:
          jobs: { to: api, send: job, stop: 4ms, open: { rate: 1000/s, arrivals: even } }
      `),
    );
    // Round robin: two each; the second of each waits for the first.
    expect(run.traffic.jobs.latencyMs).toMatchObject({ count: 4, mean: (100 + 100 + 198 + 198) / 4, max: 198 });
    expect(run.ticks.links['api.db'].callers.map(({ sent }) => cells(run, sent))).toEqual([[2], [2]]);
  });
});
