import { describe, expect, it } from 'vitest';
import { endOf, oneRequest, requestsAt, scenario, simulated } from '../../support/simulated.js';

const wait = (time: string): string => `{ wait: { assumed: ${time}, cv: 0 } }`;

/** A service with this rate limit, that answers at once. */
const limited = (rateLimit: string, traffic: string, more = '', duration = '4s'): string =>
  scenario(`
    duration: ${duration}
    tick: 1s
    services:
      svc: { rateLimit: ${rateLimit}, ${more} handlers: { job: [${wait('0ms')}] } }
    traffic:
      ${traffic}
  `);
const burstOf = (size: number, to = 'svc'): string => `burst: { to: ${to}, send: job, bursts: { sizes: [${size}], every: 1h } }`;
const even = (rate: number, seconds: number): string => `load: { to: svc, send: job, stop: ${seconds}s, open: { rate: ${rate}/s, arrivals: even } }`;

describe('rateLimit: a bucket of tokens', () => {
  it('lets one in of those that come at once, as long as `burst` is left out', () => {
    const { burst } = simulated(limited('{ rate: 10/s }', burstOf(5))).traffic;
    expect([burst.good, burst.refused]).toEqual([1, { 'svc: rate limit': 4 }]);
  });
  it('lets `burst` in at once, and refuses the rest in no time', () => {
    const { burst } = simulated(limited('{ rate: 10/s, burst: 3 }', burstOf(5))).traffic;
    expect([burst.good, burst.refused]).toEqual([3, { 'svc: rate limit': 2 }]);
    expect(burst.badLatencyMs!.max).toBe(0);
  });
  it('has a token again each 1/rate, not sooner', () => {
    const run = simulated(limited('{ rate: 10/s, burst: 1 }', requestsAt([0, 99, 100, 199.9, 200.1], 'svc', 6)));
    // A refused one takes no token: 99 is too soon, 100 is not.
    expect(['r1', 'r2', 'r3', 'r4', 'r5'].map((name) => endOf(run, name).end)).toEqual(['good', 'refused svc: rate limit', 'good', 'refused svc: rate limit', 'good']);
  });
  it('fills up to `burst` while nobody comes, and no further', () => {
    const run = simulated(limited('{ rate: 10/s, burst: 2 }', `${burstOf(4)}\n      later: { to: svc, send: job, start: 150ms, bursts: { sizes: [4], every: 1h } }\n      much-later: { to: svc, send: job, start: 3s, bursts: { sizes: [4], every: 1h } }`));
    // Empty at 0; one and a half at 150 ms; full long before 3 s.
    expect([run.traffic.burst.good, run.traffic.later.good, run.traffic['much-later'].good]).toEqual([2, 1, 2]);
  });
  it('is asked before slots and queue: whom it refuses takes no room', () => {
    const run = simulated(limited('{ rate: 10/s, burst: 2 }', burstOf(5), 'slots: 1, queue: { limit: 1 },').replace(wait('0ms'), wait('10ms')));
    expect(run.traffic.burst.refused).toEqual({ 'svc: rate limit': 3 });
    expect(run.services.svc.instances[0]).toMatchObject({ arrived: 5, good: 2, refused: 3, queue: { max: 1 } });
  });
  it('takes a token of those that the queue refuses afterwards', () => {
    const run = simulated(
      limited('{ rate: 10/s, burst: 3 }', requestsAt([0, 0, 0, 0], 'svc', 6), 'slots: 1, queue: { limit: 0 },').replace(wait('0ms'), wait('10ms')),
    );
    expect(['r1', 'r2', 'r3', 'r4'].map((name) => endOf(run, name).end)).toEqual(['good', 'refused svc: queue full', 'refused svc: queue full', 'refused svc: rate limit']);
  });
  it('is never asked by a dead process', () => {
    const run = simulated(limited('{ rate: 1/s, burst: 1 }', requestsAt([200, 400], 'svc', 6)).replace('traffic:', 'faults:\n  kill: { at: 100ms, target: svc, crash: true }\ntraffic:'));
    expect(['r1', 'r2'].map((name) => endOf(run, name).end)).toEqual(['failed svc: connection refused', 'failed svc: connection refused']);
  });
});

describe('rateLimit with `scope`', () => {
  const spread = (scope: string): string => limited(`{ rate: 1/s, burst: 2, scope: ${scope} }`, burstOf(10), 'instances: 2,');
  it('instance: each process counts for itself, so two let twice as many in', () => {
    const run = simulated(spread('instance'));
    expect(run.traffic.burst.good).toBe(4);
    expect(run.services.svc.instances.map(({ good }) => good)).toEqual([2, 2]);
  });
  it('service: one counter for all', () => {
    const run = simulated(spread('service'));
    expect(run.traffic.burst.good).toBe(2);
    expect(run.services.svc.instances.map(({ refused }) => refused)).toEqual([4, 4]);
  });
  it('is instance when left out', () => {
    expect(simulated(spread('instance').replace(', scope: instance', '')).traffic.burst.good).toBe(4);
  });
});

describe('rule 32: probes bypass the rate limit', () => {
  const probed = (path: string): string => limited('{ rate: 1/s, burst: 1 }', requestsAt([100, 3000], `{ svc: { health: { path: ${path}, every: 100ms, timeout: 50ms, unhealthyAfter: 1, healthyAfter: 1 } } }`, 6));
  it.each(['shared', 'dedicated'])('%s: none is refused, and none takes a token', (path) => {
    const run = simulated(probed(path));
    expect(run.links['r1.svc'].probes).toMatchObject({ bad: 0 });
    expect(run.links['r1.svc'].probes.good).toBeGreaterThan(35);
    expect(['r1', 'r2'].map((name) => endOf(run, name).end)).toEqual(['good', 'good']);
  });
});

describe('rateLimit with `delay: true` holds instead of refusing', () => {
  it('holds each until its token comes, one after another', () => {
    const run = simulated(limited('{ rate: 10/s, burst: 3, delay: true }', requestsAt([0, 0, 0, 0, 0], 'svc', 6)));
    expect(['r1', 'r2', 'r3', 'r4', 'r5'].map((name) => endOf(run, name))).toEqual([
      { end: 'good', afterMs: 0 },
      { end: 'good', afterMs: 100 },
      { end: 'good', afterMs: 200 },
      { end: 'good', afterMs: 300 },
      { end: 'refused svc: rate limit', afterMs: 0 },
    ]);
  });
  it('holds nobody while they come slower than the rate', () => {
    expect(simulated(limited('{ rate: 10/s, burst: 3, delay: true }', even(10, 3))).traffic.load.latencyMs).toMatchObject({ count: 30, max: 0 });
  });
  it('keeps those that come too fast at the rate, in the order in which they came', () => {
    const run = simulated(limited('{ rate: 10/s, burst: 30, delay: true }', even(20, 1)));
    expect(run.traffic.load.latencyMs).toMatchObject({ count: 20, max: 950 });
  });
  it('asks for a slot after the hold', () => {
    const run = simulated(limited('{ rate: 10/s, burst: 1, delay: true }', requestsAt([0, 0], 'svc', 6), 'slots: 1, queue: { limit: 0 },').replace(wait('0ms'), wait('150ms')));
    expect(endOf(run, 'r2')).toEqual({ end: 'refused svc: queue full', afterMs: 100 });
  });
  it('counts the hold in the caller’s timeout, and who gave up passes the door all the same', () => {
    const run = simulated(limited('{ rate: 10/s, burst: 2, delay: true }', `${oneRequest('first', 0, 'svc')}\n      ${oneRequest('gone', 0, '{ svc: { timeout: 50ms } }')}`));
    expect(endOf(run, 'gone')).toEqual({ end: 'failed svc: timeout', afterMs: 50 });
    expect(run.services.svc.instances[0]).toMatchObject({ arrived: 2, good: 2 });
  });
  it('lets go of who has told that it gave up', () => {
    const run = simulated(limited('{ rate: 10/s, burst: 2, delay: true }', `${oneRequest('first', 0, 'svc')}\n      ${oneRequest('gone', 0, '{ svc: { timeout: 50ms, cancel: true } }')}`));
    expect(endOf(run, 'gone')).toEqual({ end: 'failed svc: timeout', afterMs: 50 });
    expect(run.services.svc.instances[0]).toMatchObject({ arrived: 2, good: 1, failed: 1 });
  });
  it('is inside the process while it is held: it takes memory, and dies with it', () => {
    const held = limited('{ rate: 1/s, burst: 2, delay: true }', requestsAt([0, 0, 0], '{ svc: { latency: 5ms } }', 6), 'memory: { base: 1000B, limit: 8000B, perRequest: 1000B }, recovery: { by: restart, after: 100ms },');
    const run = simulated(held.replace('traffic:', 'faults:\n  kill: { at: 500ms, target: svc, crash: true }\ntraffic:'));
    expect(endOf(run, 'r1')).toEqual({ end: 'good', afterMs: 10 });
    expect(['r2', 'r3'].map((name) => endOf(run, name))).toEqual([1, 2].map(() => ({ end: 'failed svc: killed', afterMs: 505 })));
    expect(run.services.svc.instances[0]).toMatchObject({ arrived: 3, good: 1, failed: 2, memoryBytes: { max: 3000 } });
  });
  it('counts anew in a new process', () => {
    const run = simulated(
      limited('{ rate: 1/10s, burst: 1 }', requestsAt([0, 100, 1000], 'svc', 6), 'recovery: { by: restart, after: 100ms },').replace('traffic:', 'faults:\n  kill: { at: 500ms, target: svc, crash: true }\ntraffic:'),
    );
    expect(['r1', 'r2', 'r3'].map((name) => endOf(run, name).end)).toEqual(['good', 'refused svc: rate limit', 'good']);
  });
});
