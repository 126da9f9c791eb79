import { describe, expect, it } from 'vitest';
import { cells, endOf, latenciesOf, oneRequest, requestsAt, scenario, simulated } from '../../support/simulated.js';

const wait = (time: string): string => `{ wait: { assumed: ${time}, cv: 0 } }`;

/** `api` handles `job` with these steps and has this link to `db`, where `read` takes 20 ms, `slow` 100 ms, and each row has two units of `seat`. */
const overDb = (job: string, traffic: string, { link = '{ pool: { max: 1 } }', more = '', handlers = '', faults = '', duration = '1s', api = '', dbKeys = '' } = {}): string =>
  scenario(`
    duration: ${duration}
    tick: 10ms
    services:
      api:
        ${api}
        handlers:
          job: [${job}]
          plain: [{ call: db.read }]
          ${handlers}
        to: { db: ${link}, cache: { pool: { max: 5 } } }
      db: { stock: { seat: 2 }, ${dbKeys} handlers: { read: [${wait('20ms')}], slow: [${wait('100ms')}], no: [{ decline: full }], bad: [{ fail: broken }] } }
      cache: { handlers: { get: [${wait('1ms')}] } }
      ${more}
    ${faults === '' ? '' : `faults: ${faults}`}
    traffic:
      ${traffic}
  `);
const transaction = (steps: string, service = 'db'): string => `{ transaction: ${service}, steps: [${steps}] }`;
/** Requests about the one row there is, at these times. */
const sameRow = (timesMs: readonly number[], send = 'job', prefix = 'r', to = 'api'): string =>
  timesMs.map((atMs, i) => oneRequest(`${prefix}${i + 1}`, atMs, to, send).replace('{ to:', '{ keys: 1, to:')).join('\n      ');
const endsOf = (run: ReturnType<typeof simulated>, ...names: string[]): unknown[] => names.map((name) => endOf(run, name));

describe('a transaction holds one connection of the pool throughout', () => {
  it('keeps it between its calls, while others wait', () => {
    const run = simulated(overDb(transaction(`{ call: db.read }, ${wait('30ms')}, { call: db.read }`), `${oneRequest('tx', 0, 'api')}\n      ${oneRequest('plain', 1, 'api', 'plain')}`));
    expect(endsOf(run, 'tx', 'plain')).toEqual([{ end: 'good', afterMs: 70 }, { end: 'good', afterMs: 69 + 20 }]);
    expect(run.links['api.db']).toMatchObject({ sent: 3, good: 3, pool: { inUse: { max: 1, mean: 0.09 }, waitMs: { count: 1, max: 69 } } });
  });
  it('takes it from the first step on, though that is not a call', () => {
    const run = simulated(overDb(transaction(wait('30ms')), `${oneRequest('tx', 0, 'api')}\n      ${oneRequest('plain', 1, 'api', 'plain')}`));
    expect(endsOf(run, 'tx', 'plain')).toEqual([{ end: 'good', afterMs: 30 }, { end: 'good', afterMs: 29 + 20 }]);
  });
  it('waits in the one line of the pool, first come first served', () => {
    const run = simulated(overDb(transaction('{ call: db.read }, { call: db.read }'), `${oneRequest('a', 0, 'api')}\n      ${oneRequest('b', 1, 'api', 'plain')}\n      ${oneRequest('c', 2, 'api')}\n      ${oneRequest('d', 3, 'api', 'plain')}`));
    expect(['a', 'b', 'c', 'd'].map((name, i) => i + endOf(run, name).afterMs!)).toEqual([40, 60, 100, 120]);
  });
  it('is refused as any call is: pool full, pool wait', () => {
    const full = simulated(overDb(transaction('{ call: db.read }'), requestsAt([0, 1], 'api', 6), { link: '{ pool: { max: 1, pending: 0 } }' }));
    expect(endOf(full, 'r2')).toEqual({ end: 'refused db: pool full', afterMs: 0 });
    const late = simulated(overDb(transaction('{ call: db.slow }'), requestsAt([0, 1], 'api', 6), { link: '{ pool: { max: 1, wait: 40ms } }' }));
    expect(endOf(late, 'r2')).toEqual({ end: 'refused db: pool wait', afterMs: 40 });
  });
  it('stays with one instance', () => {
    const run = simulated(overDb(transaction('{ call: db.read, times: 3 }'), requestsAt([0], 'api', 6), { dbKeys: 'instances: 3,' }));
    expect(run.services.db.instances.map(({ good }) => good)).toEqual([3, 0, 0]);
  });
  it('needs no pool', () => {
    const run = simulated(overDb(transaction('{ call: db.read, times: 2 }'), requestsAt([0, 0], 'api', 6), { link: '{ }' }));
    expect(latenciesOf(run)).toEqual([40, 40]);
  });
  it('pays the handshake once, before its first step', () => {
    const run = simulated(overDb(transaction('{ call: db.read, times: 2 }'), requestsAt([0, 100], 'api', 6), { link: '{ pool: { max: 1, handshake: { time: 7ms } } }' }));
    expect(latenciesOf(run)).toEqual([47, 40]);
    expect(run.links['api.db'].pool).toMatchObject({ opened: 1 });
  });
  it('wears its connection out by one use, however many calls it makes', () => {
    const run = simulated(overDb(transaction('{ call: db.read, times: 2 }'), requestsAt([0, 100, 200], 'api', 6), { link: '{ pool: { max: 1, reuse: 2, handshake: { time: 7ms } } }' }));
    expect(latenciesOf(run)).toEqual([47, 40, 47]);
  });
});

describe('a transaction inside another one takes a second connection', () => {
  const nested = transaction(`{ call: db.read }, ${transaction('{ call: db.read }')}`);
  it('holds both at once', () => {
    const run = simulated(overDb(nested, requestsAt([0], 'api', 6), { link: '{ pool: { max: 2 } }' }));
    expect(endOf(run, 'r1')).toEqual({ end: 'good', afterMs: 40 });
    expect(run.links['api.db'].pool!.inUse).toEqual({ max: 2, mean: 0.06 });
  });
  it('waits for itself where there is one connection, until the wait is over', () => {
    const run = simulated(overDb(nested, requestsAt([0], 'api', 6), { link: '{ pool: { max: 1, wait: 50ms } }' }));
    expect(endOf(run, 'r1')).toEqual({ end: 'refused db: pool wait', afterMs: 70 });
    expect(run.links['api.db'].pool!.inUse.mean).toBeCloseTo(0.07, 9);
  });
  it('meets the locks of the outer one as a stranger would', () => {
    const run = simulated(overDb(transaction(`{ lock: row, wait: 30ms }, ${transaction('{ lock: row, wait: 30ms }')}`), sameRow([0]), { link: '{ pool: { max: 2 } }' }));
    expect(endOf(run, 'r1')).toEqual({ end: 'failed db: lock row', afterMs: 30 });
  });
  it('of another service leaves the calls to the first on the first one’s connection', () => {
    const run = simulated(overDb(transaction(transaction('{ call: db.read }, { call: cache.get }', 'cache')), requestsAt([0], 'api', 6), { link: '{ pool: { max: 1, wait: 50ms } }' }));
    expect(endOf(run, 'r1')).toEqual({ end: 'good', afterMs: 21 });
    expect(run.links['api.db'].pool!.inUse).toEqual({ max: 1, mean: 0.021 });
  });
});

describe('a transaction that does not end well undoes its takes and puts; one that does makes them final', () => {
  const journey = (second: string): string => `${sameRow([0])}\n      ${sameRow([100, 110, 120], 'last', 's')}${second}`;
  const taking = '[{ transaction: db, steps: [{ take: seat }] }]';
  it('gives back what it took', () => {
    const run = simulated(overDb(transaction('{ take: seat }, { call: db.bad }'), journey(''), { handlers: `last: ${taking}` }));
    expect(endsOf(run, 'r1', 's1', 's2', 's3')).toMatchObject([{ end: 'failed db: broken' }, { end: 'good' }, { end: 'good' }, { end: 'declined db: no seat' }]);
  });
  it('gives back after a valid "no" too', () => {
    const run = simulated(overDb(transaction('{ take: seat }, { call: db.no }'), journey(''), { handlers: `last: ${taking}` }));
    expect(endsOf(run, 'r1', 's2', 's3')).toMatchObject([{ end: 'declined db: full' }, { end: 'good' }, { end: 'declined db: no seat' }]);
  });
  it('keeps what it took when it ends well, though the request fails later', () => {
    const run = simulated(overDb(`${transaction('{ take: seat }')}, { fail: late }`, journey(''), { handlers: `last: ${taking}` }));
    expect(endsOf(run, 'r1', 's1', 's2')).toMatchObject([{ end: 'failed api: late' }, { end: 'good' }, { end: 'declined db: no seat' }]);
  });
  it('undoes what it put', () => {
    const run = simulated(overDb(transaction('{ put: seat, count: 5 }, { fail: broken }'), journey(''), { handlers: `last: ${taking}` }));
    expect(endsOf(run, 's2', 's3')).toMatchObject([{ end: 'good' }, { end: 'declined db: no seat' }]);
  });
  it('has what it put for good when it ends well', () => {
    const run = simulated(overDb(transaction('{ put: seat }'), journey(''), { handlers: `last: ${taking}` }));
    expect(endsOf(run, 's1', 's2', 's3')).toMatchObject([{ end: 'good' }, { end: 'good' }, { end: 'good' }]);
  });
  it('goes on after a step inside that has its `orElse`, and is final', () => {
    const run = simulated(overDb(transaction('{ take: seat }, { call: db.bad, orElse: [] }'.replace('[]', `[${wait('0ms')}]`)), journey(''), { handlers: `last: ${taking}` }));
    expect(endsOf(run, 'r1', 's1', 's2')).toMatchObject([{ end: 'good' }, { end: 'good' }, { end: 'declined db: no seat' }]);
  });
  it('is rolled back on the way to an `orElse` around it', () => {
    const run = simulated(overDb(`{ transaction: db, steps: [{ take: seat }, { call: db.bad }], orElse: [${wait('5ms')}] }`, journey(''), { handlers: `last: ${taking}` }));
    expect(endsOf(run, 'r1', 's2', 's3')).toMatchObject([{ end: 'good', afterMs: 5 }, { end: 'good' }, { end: 'declined db: no seat' }]);
  });
  it('undoes the inner and not the outer one where only the inner one ends badly', () => {
    const run = simulated(
      overDb(transaction('{ take: seat }, { transaction: db, steps: [{ take: seat }, { fail: x }], orElse: [{ wait: 1ms }] }'), journey(''), { link: '{ pool: { max: 2 } }', handlers: `last: ${taking}` }),
    );
    expect(endsOf(run, 'r1', 's1', 's2')).toMatchObject([{ end: 'good' }, { end: 'good' }, { end: 'declined db: no seat' }]);
  });
  it('frees its connection at its end, good or bad', () => {
    const run = simulated(overDb(transaction('{ call: db.bad }'), requestsAt([0, 1], 'api', 6)));
    expect(endsOf(run, 'r1', 'r2')).toMatchObject([{ end: 'failed db: broken', afterMs: 0 }, { end: 'failed db: broken', afterMs: 0 }]);
    expect(run.links['api.db'].pool!.inUse.mean).toBe(0);
  });
});

describe('branches inside a transaction belong to it', () => {
  it('go over its connection', () => {
    const run = simulated(overDb(transaction('{ parallel: [[{ call: db.read }], [{ call: db.slow }]] }'), requestsAt([0], 'api', 6), { link: '{ pool: { max: 1, pending: 0 } }' }));
    expect(endOf(run, 'r1')).toEqual({ end: 'good', afterMs: 100 });
    expect(run.links['api.db']).toMatchObject({ sent: 2, good: 2, pool: { inUse: { max: 1, mean: 0.1 } } });
  });
  it('take from its stock, and give back when it does not end well', () => {
    const run = simulated(
      overDb(transaction('{ parallel: [[{ take: seat }], [{ take: seat }]] }, { call: db.bad }'), `${sameRow([0])}\n      ${sameRow([100, 110, 120], 'last', 's')}`, { handlers: 'last: [{ transaction: db, steps: [{ take: seat }] }]' }),
    );
    expect(endsOf(run, 'r1', 's1', 's2', 's3')).toMatchObject([{ end: 'failed db: broken' }, { end: 'good' }, { end: 'good' }, { end: 'declined db: no seat' }]);
  });
  it('keep the locks they took until it ends', () => {
    const run = simulated(
      overDb(transaction(`{ parallel: [[{ lock: row, wait: 500ms }], [${wait('10ms')}]] }, ${wait('50ms')}`), `${sameRow([0])}\n      ${sameRow([1], 'locks', 's')}`, { link: '{ pool: { max: 2 } }', handlers: 'locks: [{ transaction: db, steps: [{ lock: row, wait: 500ms }] }]' }),
    );
    expect(endOf(run, 's1')).toEqual({ end: 'good', afterMs: 59 });
  });
  it('are rolled back with it when one of them loses its connection', () => {
    const run = simulated(
      overDb(transaction(`{ lock: row, wait: 1s }, { parallel: [[{ call: db.slow }], [${wait('70ms')}]] }`), `${sameRow([0])}\n      ${sameRow([1], 'locks', 's')}`, { link: '{ timeout: 30ms, pool: { max: 2 } }', handlers: 'locks: [{ transaction: db, steps: [{ lock: row, wait: 1s }] }]' }),
    );
    expect(endsOf(run, 'r1', 's1')).toEqual([{ end: 'failed db: timeout', afterMs: 70 }, { end: 'good', afterMs: 29 }]);
  });
});

describe('a transaction inside a branch', () => {
  it('is rolled back when its request is taken out', () => {
    const run = simulated(
      overDb(`{ parallel: [[${transaction(`{ lock: row, wait: 1s }, { take: seat, times: 2 }, ${wait('200ms')}`)}], [${wait('200ms')}]] }`, `${sameRow([0], 'job', 'gone', '{ api: { timeout: 30ms, cancel: true } }')}\n      ${sameRow([1], 'next')}`, {
        link: '{ pool: { max: 2 } }', handlers: `next: [${transaction('{ lock: row, wait: 1s }, { take: seat }')}]`,
      }),
    );
    expect(endOf(run, 'r1')).toEqual({ end: 'good', afterMs: 29 });
    expect(run.links['api.db'].pool!.inUse.mean).toBeCloseTo(0.03 + 0.029, 9);
  });
});

describe('locks inside a transaction are held to its end and pass on in order', () => {
  const locking = transaction('{ lock: row, wait: 10s }, { call: db.read }');
  it('lets one after another in', () => {
    expect(latenciesOf(simulated(overDb(locking, sameRow([0, 1, 2]), { link: '{ pool: { max: 9 } }' })))).toEqual([20, 39, 58]);
  });
  it('holds it to the end of the transaction, not of the request', () => {
    expect(latenciesOf(simulated(overDb(`${locking}, ${wait('100ms')}`, sameRow([0, 0]), { link: '{ pool: { max: 9 } }' })))).toEqual([120, 140]);
  });
  it('keeps the connections of those that wait: they are missing to everybody else', () => {
    const run = simulated(overDb(locking, `${sameRow([0, 0])}\n      ${oneRequest('plain', 1, 'api', 'plain')}`, { link: '{ pool: { max: 2 } }' }));
    expect(endOf(run, 'plain')).toEqual({ end: 'good', afterMs: 19 + 20 });
  });
  it('belongs to the service that the transaction is with: two callers meet', () => {
    const run = simulated(
      overDb(locking, `${sameRow([0])}\n      ${sameRow([1], 'job', 's', 'other')}`, { more: `other: { handlers: { job: [${locking}] }, to: { db: { } } }` }),
    );
    expect(endOf(run, 's1')).toEqual({ end: 'good', afterMs: 39 });
    expect(run.locks['db.row']).toMatchObject({ taken: 2, waited: 1 });
  });
  it('is had already by who asks for it again', () => {
    const run = simulated(overDb(transaction('{ lock: row, wait: 10s }, { lock: row, wait: 10s }, { call: db.read }'), sameRow([0, 0]), { link: '{ pool: { max: 2 } }' }));
    expect(latenciesOf(run)).toEqual([20, 40]);
  });
});

describe('rule 19: a timeout inside rolls back at once', () => {
  const run = simulated(
    overDb(transaction('{ lock: row, wait: 10s }, { take: seat }, { call: db.slow }'), `${sameRow([0])}\n      ${sameRow([1, 2], 'locks', 's')}\n      ${oneRequest('plain', 3, 'api', 'plain')}`, {
      link: '{ timeout: 30ms, pool: { max: 3, handshake: { time: 5ms } } }',
      handlers: `locks: [{ transaction: db, steps: [{ lock: row, wait: 10s }, { take: seat }, ${wait('50ms')}] }]`,
    }),
  );
  it('ends the request at the timeout', () => {
    expect(endOf(run, 'r1')).toEqual({ end: 'failed db: timeout', afterMs: 35 });
  });
  it('gives the lock to the next one at that instant, and the unit back', () => {
    expect(endsOf(run, 's1', 's2')).toEqual([{ end: 'good', afterMs: 34 + 50 }, { end: 'good', afterMs: 33 + 100 }]);
  });
  it('closes the connection: the one that waited for it pays the handshake', () => {
    // `plain` waits for a connection until 35, when that of r1 is closed: a new one costs 5 ms, the read 20 ms.
    expect(endOf(run, 'plain')).toEqual({ end: 'good', afterMs: 32 + 5 + 20 });
    expect(run.links['api.db'].pool).toMatchObject({ opened: 4 });
  });
  it('lets nothing inside go on, though the call has an `orElse`', () => {
    const orElse = simulated(overDb(transaction(`{ call: db.slow, orElse: [${wait('500ms')}] }, ${wait('100ms')}`), requestsAt([0], 'api', 6), { link: '{ timeout: 30ms, pool: { max: 1 } }' }));
    expect(endOf(orElse, 'r1')).toEqual({ end: 'failed db: timeout', afterMs: 30 });
  });
  it('goes on with the `orElse` of the transaction', () => {
    const orElse = simulated(overDb(`{ transaction: db, steps: [{ call: db.slow }], orElse: [${wait('7ms')}] }`, requestsAt([0], 'api', 6), { link: '{ timeout: 30ms, pool: { max: 1 } }' }));
    expect(endOf(orElse, 'r1')).toEqual({ end: 'good', afterMs: 37 });
  });
  it('tries nothing again over a connection that is closed', () => {
    const retried = simulated(overDb(transaction('{ call: db.slow, retries: { max: 3 } }'), requestsAt([0], 'api', 6), { link: '{ timeout: 30ms, retries: { max: 2 }, pool: { max: 1 } }' }));
    expect(endOf(retried, 'r1')).toEqual({ end: 'failed db: timeout', afterMs: 30 });
    expect(retried.links['api.db']).toMatchObject({ sent: 1, retries: 0 });
  });
  it('tries again over the same connection what has only failed', () => {
    const retried = simulated(overDb(transaction('{ call: db.bad, retries: { max: 3 } }'), requestsAt([0], 'api', 6)));
    expect(retried.links['api.db']).toMatchObject({ sent: 4, retries: 3 });
  });
});

describe('rule 16: the kill of the caller’s process rolls back at once', () => {
  const run = simulated(
    overDb(transaction('{ lock: row, wait: 10s }, { take: seat }, { take: seat }, { call: db.slow }'), `${sameRow([0])}\n      ${sameRow([1], 'job', 's', 'other')}\n      ${sameRow([2], 'job', 't', 'other')}`, {
      link: '{ latency: 2ms, pool: { max: 3 } }',
      more: 'other: { handlers: { job: [{ transaction: db, steps: [{ lock: row, wait: 10s }, { take: seat }, { call: db.read }] }] }, to: { db: { } } }',
      faults: '{ kill: { at: 50ms, target: api, crash: true } }',
    }),
  );
  it('ends its requests, and passes the lock on at that instant', () => {
    expect(endOf(run, 'r1')).toEqual({ end: 'failed api: killed', afterMs: 50 });
    expect(endsOf(run, 's1', 't1')).toEqual([{ end: 'good', afterMs: 49 + 20 }, { end: 'good', afterMs: 48 + 40 }]);
  });
  it('leaves its call to the database as work for nobody', () => {
    expect(run.services.db.instances[0]).toMatchObject({ arrived: 3, good: 3 });
    expect(run.links['api.db']).toMatchObject({ sent: 1, good: 0, failed: { 'api: killed': 1 } });
  });
  it('frees the connection with the process', () => {
    expect(cells(run, run.ticks.links['api.db'].callers[0].poolInUse!.end).slice(3, 6)).toEqual([1, 1, 0]);
  });
});

describe('a transaction whose database dies', () => {
  it('is rolled back at once: its locks pass on, and it fails when it next needs the connection', () => {
    const run = simulated(
      overDb(transaction(`{ lock: row, wait: 10s }, { take: seat }, ${wait('100ms')}, { call: db.read }`), sameRow([0]), { dbKeys: 'recovery: { by: restart, after: 10ms },', faults: '{ kill: { at: 50ms, target: db, crash: true } }' }),
    );
    expect(endOf(run, 'r1')).toEqual({ end: 'failed db: killed', afterMs: 100 });
    expect(run.locks['db.row']).toMatchObject({ taken: 1 });
    expect(cells(run, run.ticks.locks['db.row'].held.end).slice(3, 7)).toEqual([1, 1, 0, 0]);
  });
  it('does not commit', () => {
    const run = simulated(overDb(transaction(wait('100ms')), requestsAt([0], 'api', 6), { dbKeys: 'recovery: { by: restart, after: 10ms },', faults: '{ kill: { at: 50ms, target: db, crash: true } }' }));
    expect(endOf(run, 'r1')).toEqual({ end: 'failed db: killed', afterMs: 100 });
  });
  it('does not begin while the process is down', () => {
    const run = simulated(overDb(transaction('{ lock: row, wait: 1s }'), requestsAt([60], 'api', 6), { link: '{ latency: 3ms, pool: { max: 1 } }', faults: '{ kill: { at: 50ms, target: db, crash: true } }' }));
    expect(endOf(run, 'r1')).toEqual({ end: 'failed db: connection refused', afterMs: 6 });
  });
  it('is no call when it begins: the link’s retries and deadline are not about it', () => {
    const link = '{ latency: 3ms, deadline: 5ms, retries: { max: 3, backoff: 10ms }, pool: { max: 1, wait: 20ms } }';
    const dead = simulated(overDb(transaction('{ lock: row, wait: 1s }'), requestsAt([60], 'api', 6), { link, faults: '{ kill: { at: 50ms, target: db, crash: true } }' }));
    expect(endOf(dead, 'r1')).toEqual({ end: 'failed db: connection refused', afterMs: 6 });
    const late = simulated(overDb(transaction(wait('100ms')), requestsAt([0, 1], 'api', 6), { link }));
    expect(endsOf(late, 'r1', 'r2')).toEqual([{ end: 'good', afterMs: 100 }, { end: 'refused db: pool wait', afterMs: 20 }]);
    expect(late.links['api.db'].retries).toBe(0);
  });
  it('does not begin, nor go on, over a link that is cut', () => {
    const cut = '{ cut: { at: 50ms, target: [api, db], cut: true } }';
    const begun = simulated(overDb(transaction(`${wait('100ms')}, { call: db.read }`), requestsAt([0, 60], 'api', 6), { link: '{ pool: { max: 2 } }', faults: cut }));
    expect(endsOf(begun, 'r1', 'r2')).toEqual([{ end: 'failed db: cut off', afterMs: 100 }, { end: 'failed db: cut off', afterMs: 0 }]);
  });
});
