import { describe, expect, it } from 'vitest';
import { cells, endOf, eventsOf, oneRequest, scenario, simulated } from '../../support/simulated.js';

const wait = (time: string): string => `{ wait: { assumed: ${time}, cv: 0 } }`;

/** `svc` handles `job` with these steps; each row has two units of `seat`. */
const svc = (job: string, traffic: string, { keys = '', handlers = '', faults = '', others = '', stock = '{ seat: 2 }', duration = '1s' } = {}): string =>
  scenario(`
    duration: ${duration}
    tick: 10ms
    services:
      svc: { ${keys} stock: ${stock}, handlers: { job: [${job}], ${handlers} } }
      ${others}
    ${faults === '' ? '' : `faults: ${faults}`}
    traffic:
      ${traffic}
  `);
/** Requests about row 0, named so, at these times. */
const sameRow = (times: Readonly<Record<string, number>>, to = 'svc', send = 'job'): string =>
  Object.entries(times).map(([name, atMs]) => oneRequest(name, atMs, to, send).replace('{ to:', '{ keys: 1, to:')).join('\n      ');
const ends = (run: ReturnType<typeof simulated>, ...names: string[]): unknown[] => names.map((name) => endOf(run, name));
const good = (afterMs: number): unknown => ({ end: 'good', afterMs });
/** A valid "no", whose latency nobody counts. */
const no = (reason: string): unknown => ({ end: `declined ${reason}`, afterMs: null });

describe('a lock is held by one request of each key, the others wait in order', () => {
  const locking = `{ lock: row, wait: 10s }, ${wait('20ms')}`;
  it('first come, first served', () => {
    expect(ends(simulated(svc(locking, sameRow({ a: 0, c: 2, b: 1 }))), 'a', 'b', 'c')).toEqual([good(20), good(39), good(58)]);
  });
  it('goes to who waits and not to the newcomer of that instant', () => {
    expect(ends(simulated(svc(locking, sameRow({ a: 0, b: 1, c: 20 }))), 'a', 'b', 'c')).toEqual([good(20), good(39), good(40)]);
  });
  it('requests without a key meet nobody', () => {
    const run = simulated(svc(locking, `${oneRequest('a', 0, 'svc')}\n      ${oneRequest('b', 0, 'svc')}`));
    expect(ends(run, 'a', 'b')).toEqual([good(20), good(20)]);
  });
  it('different rows do not meet', () => {
    const run = simulated(svc(locking, 'jobs: { to: svc, send: job, keys: { per: burst, count: 10 }, bursts: { sizes: [10], every: 1h } }'));
    expect(run.traffic.jobs.latencyMs).toMatchObject({ count: 10, max: 20 });
  });
  it('different locks do not meet', () => {
    const run = simulated(svc(locking, `${sameRow({ a: 0 })}\n      ${sameRow({ b: 0 }, 'svc', 'other')}`, { handlers: `other: [{ lock: table, wait: 10s }, ${wait('20ms')}]` }));
    expect(ends(run, 'a', 'b')).toEqual([good(20), good(20)]);
  });
  it('rule 47: the same key of two traffics is the same row', () => {
    const run = simulated(svc(locking, `x: { to: svc, send: job, keys: 1, bursts: { sizes: [2], every: 1h } }\n      y: { to: svc, send: job, keys: { count: 1, hot: 1, share: 50% }, bursts: { sizes: [2], every: 1h } }`));
    expect([run.traffic.x.latencyMs!.max, run.traffic.y.latencyMs!.max]).toEqual([40, 80]);
    expect(run.locks['svc.row']).toMatchObject({ taken: 4, waited: 3, timeouts: 0, waitMs: { count: 3, max: 60, mean: 40 }, waiting: { max: 3 } });
  });
  it('rule 47: also where the traffics have other numbers of keys', () => {
    const run = simulated(svc(locking, `few: { to: svc, send: job, keys: 3, bursts: { sizes: [300], every: 1h } }\n      many: { to: svc, send: job, keys: 3000, bursts: { sizes: [3000], every: 1h } }`, { duration: '30s' }).replace('tick: 10ms', 'tick: 1s'));
    // Rows 0, 1 and 2 of the many, about one request each, wait behind about a hundred of the few.
    expect(run.traffic.many.latencyMs!.max).toBeGreaterThan(1500);
  });
  it('with hot rows, the queue is where the heat is', () => {
    const run = simulated(svc(locking, 'jobs: { to: svc, send: job, keys: { count: 100000, hot: 1, share: 50% }, bursts: { sizes: [100], every: 1h } }', { duration: '10s' }));
    const { max } = run.traffic.jobs.latencyMs!;
    expect(max).toBeGreaterThan(35 * 20);
    expect(max).toBeLessThan(65 * 20);
  });
  it('with `per: burst` every burst has rows of its own', () => {
    // Six requests over two rows: three in a line on each; the next burst, while the first still waits, meets none of them.
    const run = simulated(svc(locking, 'jobs: { to: svc, send: job, keys: { per: burst, count: 2 }, bursts: { sizes: [6, 6], every: 10ms } }'));
    expect(run.traffic.jobs.latencyMs).toMatchObject({ count: 12, max: 60, mean: 40 });
  });
});

describe('a lock outside a transaction is held until the call ends', () => {
  it('through everything that comes after', () => {
    const run = simulated(svc(`{ lock: row, wait: 10s }, ${wait('5ms')}, ${wait('30ms')}`, sameRow({ a: 0, b: 0 })));
    expect(ends(run, 'a', 'b')).toEqual([good(35), good(70)]);
  });
  it('of the service that runs the steps, not of its caller', () => {
    const run = simulated(
      svc('{ lock: row, wait: 10s }', sameRow({ a: 0, b: 1 }, 'front'), { others: `front: { handlers: { job: [{ call: svc.job }, ${wait('50ms')}] } }` }),
    );
    expect(ends(run, 'a', 'b')).toEqual([good(50), good(50)]);
  });
  it('goes to the next one at a bad end, too', () => {
    const run = simulated(svc(`{ lock: row, wait: 10s }, ${wait('20ms')}, { fail: broken }`, sameRow({ a: 0, b: 0 })));
    expect(ends(run, 'a', 'b')).toEqual([{ end: 'failed svc: broken', afterMs: 20 }, { end: 'failed svc: broken', afterMs: 40 }]);
  });
  it('of a branch is held until the request ends, not the branch', () => {
    const run = simulated(svc(`{ parallel: [[{ lock: row, wait: 10s }], [${wait('30ms')}]] }, ${wait('10ms')}`, sameRow({ a: 0, b: 1 })));
    expect(ends(run, 'a', 'b')).toEqual([good(40), good(39 + 10)]);
  });
  it('keeps the slot of those that wait for it (rule 7)', () => {
    // b waits in the second slot, c for a slot until a is done, then behind b for the lock.
    const run = simulated(svc(`{ lock: row, wait: 10s }, ${wait('20ms')}`, sameRow({ a: 0, b: 0, c: 0 }), { keys: 'slots: 2,' }));
    expect(ends(run, 'a', 'b', 'c')).toEqual([good(20), good(40), good(60)]);
    expect(run.services.svc.instances[0]).toMatchObject({ slots: { mean: 0.1, max: 2 }, queue: { mean: 0.02, max: 1 } });
  });
  it('passes on past one that gives up at the very instant at which it gets it', () => {
    const run = simulated(svc(`{ lock: row, wait: 10s }, ${wait('100ms')}`, `${sameRow({ a: 0 })}\n      ${sameRow({ gone: 1 }, '{ svc: { timeout: 99ms, cancel: true } }')}\n      ${sameRow({ b: 2 })}`));
    expect(ends(run, 'a', 'gone', 'b')).toEqual([good(100), { end: 'failed svc: timeout', afterMs: 99 }, good(198)]);
    expect(run.locks['svc.row']).toMatchObject({ taken: 3, waited: 2, waiting: { max: 2 } });
  });
  it('is had already by who asks for it again', () => {
    expect(endOf(simulated(svc('{ lock: row, wait: 10s, times: 3 }', sameRow({ a: 0 }))), 'a')).toEqual(good(0));
  });
  it('passes on at the kill of the process that holds it', () => {
    // `svc.1` and `svc.2` share the lock of their service; the second one's request has it at the instant at which the first dies.
    const run = simulated(
      svc(`{ lock: row, wait: 10s }, ${wait('100ms')}`, sameRow({ a: 0, b: 1 }, 'front'), {
        keys: 'instances: 2,', others: 'front: { to: { svc: { } } }', faults: '{ kill: { at: 40ms, target: svc.1, crash: true } }',
      }),
    );
    expect(ends(run, 'a', 'b')).toEqual([{ end: 'failed svc: killed', afterMs: 40 }, good(39 + 100)]);
  });
  it('leaves the line when it is killed while it waits', () => {
    const run = simulated(
      svc(`{ lock: row, wait: 10s }, ${wait('100ms')}`, sameRow({ a: 0, b: 1, c: 2 }, 'front'), {
        keys: 'instances: 2,', others: 'front: { to: { svc: { } } }', faults: '{ kill: { at: 40ms, target: svc.2, crash: true } }',
      }),
    );
    expect(ends(run, 'a', 'b', 'c')).toEqual([good(100), { end: 'failed svc: killed', afterMs: 39 }, good(198)]);
  });
});

describe('a lock’s `wait`', () => {
  const holding = sameRow({ holder: 0 }, 'svc', 'holds');
  const handlers = `holds: [{ lock: row, wait: 1s }, ${wait('100ms')}]`;
  it('over without it: failed with the lock’s reason', () => {
    const run = simulated(svc('{ lock: row, wait: 30ms }', `${holding}\n      ${sameRow({ a: 10 })}`, { handlers }));
    expect(ends(run, 'holder', 'a')).toEqual([good(100), { end: 'failed svc: lock row', afterMs: 30 }]);
    expect(run.locks['svc.row']).toMatchObject({ taken: 1, waited: 1, timeouts: 1, waitMs: { count: 1, max: 30 } });
  });
  it('is told as an event, with how long it had waited', () => {
    const run = simulated(svc('{ lock: row, wait: 30ms }', `${holding}\n      ${sameRow({ a: 10 })}`, { handlers }));
    expect(eventsOf(run, 'lock-timeout')).toEqual([{ tMs: 40, kind: 'lock-timeout', subject: 'svc.row', cause: 'wait', basis: 'counted', data: { waitMs: 30, waiting: 0 } }]);
  });
  it('leaves the line: whoever comes behind is next', () => {
    const run = simulated(svc('{ lock: row, wait: 30ms }', `${holding}\n      ${sameRow({ a: 10, b: 80 })}`, { handlers }));
    expect(endOf(run, 'b')).toEqual(good(20));
  });
  it('begins again with every retry, at the end of the line', () => {
    const run = simulated(svc(`{ lock: row, wait: 30ms, retries: { max: 3 } }, ${wait('50ms')}`, `${holding}\n      ${sameRow({ a: 5, b: 20 })}`, { handlers }));
    // a waits 5–35, 35–65, 65–95, 95–; b 20–50, 50–80, 80–. At 100 b is first in line and holds it to 150; a is in line to 125.
    expect(ends(run, 'a', 'b')).toEqual([{ end: 'failed svc: lock row', afterMs: 120 }, good(80 + 50)]);
    expect(run.locks['svc.row']).toMatchObject({ taken: 2, timeouts: 1 });
    expect(eventsOf(run, 'lock-timeout')).toHaveLength(1);
  });
  it('pauses between the retries as they say', () => {
    const run = simulated(svc('{ lock: row, wait: 10ms, retries: { max: 2, backoff: 5ms } }', `${holding}\n      ${sameRow({ a: 0 })}`.replace('a: {', 'a: {'), { handlers }));
    expect(endOf(run, 'a')).toEqual({ end: 'failed svc: lock row', afterMs: 10 + 5 + 10 + 10 + 10 });
  });
  it('is tried again within a budget, a share of the first tries', () => {
    const run = simulated(svc('{ lock: row, wait: 1ms, retries: { max: 1, budget: 50% } }', `${holding}\n      ${sameRow({ a: 10, b: 20, c: 30, d: 40 })}`, { handlers }));
    // One in two: not the first, nor the third.
    expect(ends(run, 'a', 'b', 'c', 'd')).toEqual([1, 2, 1, 2].map((afterMs) => ({ end: 'failed svc: lock row', afterMs })));
  });
  it('with `key: fresh` its next try, and what comes after it, is about another row', () => {
    const job = (key: string): string => `{ take: seat }, { take: seat }, { lock: row, wait: 10ms, retries: { max: 1, key: ${key} } }, { take: seat }`;
    const endWith = (key: string): unknown => endOf(simulated(svc(job(key), `${holding}\n      ${sameRow({ a: 10 })}`, { handlers })), 'a');
    expect([endWith('same'), endWith('fresh')]).toEqual([{ end: 'failed svc: lock row', afterMs: 20 }, good(10)]);
  });
  it('fails at once with `wait: 0s`, unless it is free', () => {
    const run = simulated(svc('{ lock: row, wait: 0s }', `${holding}\n      ${sameRow({ a: 10, b: 200 })}`, { handlers }));
    expect(ends(run, 'a', 'b')).toEqual([{ end: 'failed svc: lock row', afterMs: 0 }, good(0)]);
  });
  it('may end in an `orElse`', () => {
    const run = simulated(svc(`{ lock: row, wait: 30ms, orElse: [{ decline: busy }] }`, `${holding}\n      ${sameRow({ a: 10 })}`, { handlers }));
    expect(endOf(run, 'a')).toEqual(no('svc: busy'));
  });
});

describe('`scope` of a lock', () => {
  const two = (scope: string): ReturnType<typeof simulated> =>
    simulated(svc(`{ lock: row, wait: 10s, scope: ${scope} }, ${wait('20ms')}`, sameRow({ a: 0, b: 0, c: 0, d: 0 }, 'front'), { keys: 'instances: 2,', others: 'front: { to: { svc: { } } }' }));
  it('instance: two processes both hold it', () => {
    const run = two('instance');
    expect(ends(run, 'a', 'b', 'c', 'd')).toEqual([good(20), good(20), good(40), good(40)]);
    expect(Math.max(...cells(run, run.ticks.locks['svc.row'].held.max))).toBe(2);
  });
  it('service, the default: they are one', () => {
    expect(ends(two('service'), 'a', 'b', 'c', 'd')).toEqual([good(20), good(40), good(60), good(80)]);
  });
  it('instance: the one that dies takes its locks with it', () => {
    const run = simulated(
      svc(`{ lock: row, wait: 10s, scope: instance }, ${wait('100ms')}`, sameRow({ a: 0, b: 60 }), { keys: 'recovery: { by: restart, after: 5ms },', faults: '{ kill: { at: 50ms, target: svc, crash: true } }' }),
    );
    expect(ends(run, 'a', 'b')).toEqual([{ end: 'failed svc: killed', afterMs: 50 }, good(100)]);
  });
});

describe('take and put', () => {
  it('9 of 50: nine of a burst find a seat, the others get a valid "no"', () => {
    const run = simulated(svc('{ take: seat }', 'burst: { to: svc, send: job, keys: { per: burst, count: 1 }, bursts: { sizes: [50, 50], every: 100ms } }', { stock: '{ seat: 9 }' }));
    expect(run.traffic.burst).toMatchObject({ offered: 100, good: 18, declined: { 'svc: no seat': 82 }, refused: {}, failed: {} });
  });
  it('9 of 50 under a lock in a transaction, one after another', () => {
    const run = simulated(
      svc(wait('0ms'), 'burst: { to: front, send: join, keys: { per: burst, count: 1 }, bursts: { sizes: [50], every: 1h } }', {
        stock: '{ seat: 9 }',
        others: `front: { handlers: { join: [{ transaction: svc, steps: [{ lock: row, wait: 10s }, { take: seat, orElse: [{ decline: full }] }, ${wait('2ms')}] }] }, to: { svc: { pool: { max: 10 } } } }`,
      }),
    );
    expect(run.traffic.burst).toMatchObject({ good: 9, declined: { 'front: full': 41 }, latencyMs: { max: 18 } });
  });
  it('each row has its own', () => {
    const run = simulated(svc('{ take: seat }', 'burst: { to: svc, send: job, keys: { per: burst, count: 5 }, bursts: { sizes: [50], every: 1h } }', { stock: '{ seat: 9 }' }));
    expect(run.traffic.burst).toMatchObject({ good: 45, declined: { 'svc: no seat': 5 } });
  });
  it('a request without a key always finds one', () => {
    const run = simulated(svc('{ take: seat }', 'burst: { to: svc, send: job, bursts: { sizes: [50], every: 1h } }', { stock: '{ seat: 1 }' }));
    expect(run.traffic.burst.good).toBe(50);
  });
  it('put makes room for as many', () => {
    const run = simulated(
      svc('{ take: seat }', `${sameRow({ a: 0, b: 1, c: 2 })}\n      ${sameRow({ more: 10 }, 'svc', 'adds')}\n      ${sameRow({ d: 20, e: 21, f: 22, g: 23 })}`, { handlers: 'adds: [{ put: seat, count: 3 }]' }),
    );
    expect(ends(run, 'a', 'b', 'c', 'more', 'd', 'e', 'f', 'g')).toEqual([
      good(0), good(0), no('svc: no seat'), good(0), good(0), good(0), good(0), no('svc: no seat'),
    ]);
  });
  it('takes several with `times`, or as many as there are', () => {
    const run = simulated(svc('{ take: seat, times: 3 }', sameRow({ a: 0, b: 1 }), { stock: '{ seat: 4 }' }));
    // Outside a transaction nothing is undone: b took the last one before it found none.
    expect(ends(run, 'a', 'b')).toEqual([good(0), no('svc: no seat')]);
    const after = simulated(svc('{ take: seat, times: 3 }', `${sameRow({ a: 0, b: 1 })}\n      ${sameRow({ c: 2 }, 'svc', 'one')}`, { stock: '{ seat: 4 }', handlers: 'one: [{ take: seat }]' }));
    expect(endOf(after, 'c')).toEqual(no('svc: no seat'));
  });
  it('rule 47: the same key of two traffics is the same stock', () => {
    const run = simulated(svc('{ take: seat }', 'x: { to: svc, send: job, keys: 1, bursts: { sizes: [2], every: 1h } }\n      y: { to: svc, send: job, keys: { count: 1, hot: 1, share: 100% }, bursts: { sizes: [2], every: 1h } }'));
    expect([run.traffic.x.good + run.traffic.y.good, run.traffic.x.good]).toEqual([2, 2]);
  });
  it('outlives the process that keeps it', () => {
    const run = simulated(svc('{ take: seat }', sameRow({ a: 0, b: 1, c: 100 }), { keys: 'recovery: { by: restart, after: 10ms },', faults: '{ kill: { at: 50ms, target: svc, crash: true } }' }));
    expect(endOf(run, 'c')).toEqual(no('svc: no seat'));
  });
});
