import { describe, expect, it } from 'vitest';
import { cells, endOf, latenciesOf, oneRequest, requestsAt, scenario, simulated } from '../../support/simulated.js';

const wait = (time: string): string => `{ wait: { assumed: ${time}, cv: 0 } }`;
const cpu = (time: string): string => `{ cpu: { assumed: ${time}, cv: 0 } }`;

/** `api` calls `db`, 20 ms each, over this pool. */
const overPool = (pool: string, traffic: string, { link = '', api = '', db = '', faults = '', read = wait('20ms') } = {}): string =>
  scenario(`
    duration: 1s
    tick: 10ms
    services:
      api: { ${api} handlers: { job: [{ call: db.read }], compute: [${cpu('20ms')}] }, to: { db: { ${link} pool: ${pool} } } }
      db: { ${db} handlers: { read: [${read}], compute: [${cpu('20ms')}] } }
    ${faults === '' ? '' : `faults: ${faults}`}
    traffic:
      ${traffic}
  `);
const at = (timesMs: readonly number[], to = 'api'): string => requestsAt(timesMs, to, 6);
const ofDb = (run: ReturnType<typeof simulated>): ReturnType<typeof simulated>['links'][string] => run.links['api.db'];

describe('rule 21: one line for a pool, first come first served', () => {
  it('lets in the order in which they asked, and a newcomer never before those that wait', () => {
    // One connection, 20 ms each; r4 comes at the very instant at which r1 gives it back.
    expect(latenciesOf(simulated(overPool('{ max: 1 }', at([0, 1, 2, 20]))))).toEqual([20, 39, 58, 60]);
  });
  it('also when the newcomer asks after the connection has become free, at that instant, and before who has it promised could take it', () => {
    // The answer to r1 and the arrival of r3 are both due at 22; r3 was sent later, so the answer comes first.
    const late = oneRequest('r3', 21.5, '{ api: { latency: 500us } }');
    const run = simulated(overPool('{ max: 1 }', `${at([0, 5])}\n      ${late}`, { link: 'latency: 1ms,' }));
    expect(['r1', 'r2', 'r3'].map((name) => endOf(run, name).afterMs)).toEqual([22, 39, 45]);
  });
  it('lets one more wait when one that waited has gone', () => {
    const run = simulated(overPool('{ max: 1, pending: 1 }', at([0, 5, 10, 21])));
    expect(['r1', 'r2', 'r3', 'r4'].map((name) => endOf(run, name))).toEqual([
      { end: 'good', afterMs: 20 },
      { end: 'good', afterMs: 35 },
      { end: 'refused db: pool full', afterMs: 0 },
      { end: 'good', afterMs: 39 },
    ]);
  });
  it('does not let a latency of the link be seen: a connection is taken until the answer is back', () => {
    expect(latenciesOf(simulated(overPool('{ max: 1 }', at([0, 0]), { link: 'latency: 5ms,' })))).toEqual([30, 60]);
  });
});

describe('rule 23: a handshake is its time, then CPU of the caller, then CPU of the callee', () => {
  const handshake = '{ time: 4ms, callerCpu: 2ms, calleeCpu: 3ms }';
  it('is paid by the first request on a connection, and by no other', () => {
    const run = simulated(overPool(`{ max: 1, handshake: ${handshake} }`, at([0, 100, 200])));
    expect(latenciesOf(run)).toEqual([4 + 2 + 3 + 20, 20, 20]);
    expect(ofDb(run).pool).toMatchObject({ opened: 1, inUse: { mean: 0.069 } });
  });
  it('is paid by each that is open at once', () => {
    const run = simulated(overPool(`{ max: 3, handshake: ${handshake} }`, at([0, 1, 2, 200, 201, 202])));
    expect(latenciesOf(run)).toEqual([29, 29, 29, 20, 20, 20]);
    expect(ofDb(run).pool).toMatchObject({ opened: 3 });
  });
  it('burns CPU on both sides', () => {
    const run = simulated(overPool(`{ max: 5, handshake: ${handshake} }`, at([0, 100, 100, 100])));
    expect(run.services.api.cpuCores.mean).toBeCloseTo(3 * 0.002, 9);
    expect(run.services.db.cpuCores.mean).toBeCloseTo(3 * 0.003, 9);
    expect(cells(run, run.ticks.services.api.instances[0].cpuCores.mean).slice(0, 2)).toEqual([0.2, 0]);
  });
  it('is slower where the cores are busy', () => {
    // One core each, 20 ms of other work at either end from the start: api computes at half speed from 4 to 8, db from 8 to 14.
    const busy = `${at([0])}\n      ${oneRequest('other', 0, 'api', 'compute')}\n      ${oneRequest('there', 0, 'db', 'compute')}`;
    expect(endOf(simulated(overPool(`{ max: 1, handshake: ${handshake} }`, busy, { api: 'cpus: 1,', db: 'cpus: 1,' })), 'r1').afterMs).toBe(4 + 4 + 6 + 20);
  });
  it('takes none of the callee’s slots', () => {
    const run = simulated(overPool(`{ max: 2, handshake: { calleeCpu: 10ms } }`, at([0, 0]), { db: 'slots: 1, queue: { limit: 0 },', read: wait('0ms') }));
    expect(run.services.db.instances[0]).toMatchObject({ arrived: 2, good: 2 });
    const full = simulated(overPool(`{ max: 1, handshake: { calleeCpu: 10ms } }`, `${oneRequest('there', 0, 'db')}\n      ${at([0])}`.replace('send: job', 'send: read'), { db: 'slots: 1,' }));
    // The handshake is done by 10 though the only slot is taken until 20; the request waits for it.
    expect(endOf(full, 'r1').afterMs).toBe(40);
    expect(full.services.db.cpuCores.mean).toBeCloseTo(0.01, 9);
  });
  it('happens while the slot of the caller is held (rule 7)', () => {
    const run = simulated(overPool(`{ max: 2, handshake: { time: 10ms } }`, at([0, 0]), { api: 'slots: 1,' }));
    expect(latenciesOf(run)).toEqual([30, 50]);
    expect(run.services.api.instances[0].slots.mean).toBe(0.05);
  });
  it('comes before the timeout begins (rule 20)', () => {
    const run = simulated(overPool('{ max: 1, handshake: { time: 50ms } }', at([0]), { link: 'timeout: 30ms,' }));
    expect(endOf(run, 'r1')).toEqual({ end: 'good', afterMs: 70 });
  });
  it('counts as a wait for nothing else: not for the pool, not as the link’s latency', () => {
    const run = simulated(overPool('{ max: 1, handshake: { time: 50ms } }', at([0])));
    expect(ofDb(run)).toMatchObject({ latencyMs: { count: 1, max: 20 }, pool: { waitMs: null } });
  });
  it.each([['callerCpu', 'api'], ['calleeCpu', 'db']])('computes no further when the deadline strikes: %s', (part, service) => {
    const run = simulated(overPool(`{ max: 1, handshake: { ${part}: 50ms } }`, at([0]), { link: 'deadline: 10ms,' }));
    expect(endOf(run, 'r1')).toEqual({ end: 'failed db: deadline', afterMs: 10 });
    expect(run.services[service].cpuCores.mean).toBeCloseTo(0.01, 9);
  });
  it('costs a user no CPU of his own', () => {
    const run = simulated(overPool('{ max: 1 }', oneRequest('r1', 0, '{ db: { pool: { max: 1, handshake: { time: 5ms, callerCpu: 50ms } } } }', 'read')));
    expect(endOf(run, 'r1')).toEqual({ end: 'good', afterMs: 25 });
  });
  it('opens nothing to a dead process, which refuses at once', () => {
    const run = simulated(overPool('{ max: 1, handshake: { time: 50ms } }', at([100]), { link: 'latency: 2ms,', faults: '{ kill: { at: 50ms, target: db, crash: true } }' }));
    expect(endOf(run, 'r1')).toEqual({ end: 'failed db: connection refused', afterMs: 4 });
  });
  it('fails as soon as it is done when the process dies meanwhile', () => {
    const run = simulated(overPool('{ max: 1, handshake: { time: 50ms } }', at([30]), { faults: '{ kill: { at: 50ms, target: db, crash: true } }' }));
    expect(endOf(run, 'r1')).toEqual({ end: 'failed db: connection refused', afterMs: 50 });
    const computing = simulated(overPool('{ max: 1, handshake: { calleeCpu: 50ms } }', at([30]), { faults: '{ kill: { at: 50ms, target: db, crash: true } }' }));
    expect(endOf(computing, 'r1')).toEqual({ end: 'failed db: connection refused', afterMs: 20 });
  });
  it('is paid anew by every caller instance', () => {
    // Round robin: two each, 100 ms apart.
    const run = simulated(overPool('{ max: 1, handshake: { time: 5ms } }', 'jobs: { to: api, send: job, stop: 350ms, open: { rate: 10/s, arrivals: even } }', { api: 'instances: 2,' }));
    expect(run.traffic.jobs.latencyMs).toMatchObject({ count: 4, mean: (25 + 25 + 20 + 20) / 4, max: 25 });
    expect(ofDb(run).pool).toMatchObject({ opened: 2 });
  });
});

describe('`reuse`: a connection serves so many requests, then closes', () => {
  it('opens a new one for every second request', () => {
    const run = simulated(overPool('{ max: 1, reuse: 2, handshake: { time: 5ms } }', at([0, 100, 200, 300, 400])));
    expect(latenciesOf(run)).toEqual([25, 20, 25, 20, 25]);
    expect(ofDb(run).pool).toMatchObject({ opened: 3 });
  });
  it('one request a connection: every one pays', () => {
    const run = simulated(overPool('{ max: 2, reuse: 1, handshake: { time: 5ms, calleeCpu: 1ms } }', at([0, 0, 1, 300])));
    expect(latenciesOf(run)).toEqual([26, 26, 25 + 26, 26]);
    expect(run.services.db.cpuCores.mean).toBeCloseTo(0.004, 9);
  });
  it('counts what ended badly, but reached the callee, as a use', () => {
    const run = simulated(overPool('{ max: 1, reuse: 2, handshake: { time: 5ms } }', at([0, 100, 200]), { read: '{ fail: broken }' }));
    expect(['r1', 'r2', 'r3'].map((name) => endOf(run, name).afterMs)).toEqual([5, 0, 5]);
  });
});

describe('rule 19: a timeout closes the connection', () => {
  it('makes the next one pay the handshake again', () => {
    const run = simulated(overPool('{ max: 1, handshake: { time: 5ms } }', at([0, 1, 100]), { link: 'timeout: 50ms,', read: wait('30ms') }));
    expect(latenciesOf(run)).toEqual([35, 34 + 30, 30]); // all in time: one handshake
    const late = simulated(overPool('{ max: 1, handshake: { time: 5ms } }', at([0, 1, 100]), { link: 'timeout: 10ms,' }));
    // r1 gives up at 15; r2, which waited, opens another one until 20 and gives up at 30; r3 opens a third.
    expect(['r1', 'r2', 'r3'].map((name) => endOf(late, name))).toEqual([15, 29, 15].map((afterMs) => ({ end: 'failed db: timeout', afterMs })));
    expect(ofDb(late).pool).toMatchObject({ opened: 3 });
  });
  it('closes no connection but that one', () => {
    // r1 and r2 have one each; r1's, asked for 20 ms of work in a line of one slot, is in time, r2's is not.
    const run = simulated(overPool('{ max: 2, handshake: { time: 5ms } }', at([0, 0, 100, 100]), { link: 'timeout: 30ms,', db: 'slots: 1,' }));
    expect(['r1', 'r2', 'r3', 'r4'].map((name) => endOf(run, name))).toEqual([
      { end: 'good', afterMs: 25 },
      { end: 'failed db: timeout', afterMs: 35 },
      { end: 'good', afterMs: 20 },
      { end: 'failed db: timeout', afterMs: 35 },
    ]);
    // r3 took the idle one, r4 had to open another: its 5 ms are in its 35.
    expect(ofDb(run).pool).toMatchObject({ opened: 3 });
  });
  it('starts with the sending, after the wait for the pool', () => {
    const run = simulated(overPool('{ max: 1, handshake: { time: 5ms } }', at([0, 0, 0]), { link: 'timeout: 21ms,' }));
    expect(latenciesOf(run)).toEqual([25, 45, 65]);
  });
});

describe('rule 22: the connection used last is taken first', () => {
  it('spends one connection while others lie idle, and never closes them for that', () => {
    // Two open at once; then one at a time, 3 uses each: the one that was given back last does all the work until it is worn out.
    const run = simulated(overPool('{ max: 2, reuse: 3, handshake: { time: 5ms } }', at([0, 1, 100, 200, 300, 400, 500])));
    // r1 and r2 open A and B; B is given back last: r3 and r4 wear it out; A, idle since 25, has two uses left for r5 and r6; r7 opens C.
    expect(latenciesOf(run)).toEqual([25, 25, 20, 20, 20, 20, 25]);
    expect(ofDb(run).pool).toMatchObject({ opened: 3 });
  });
});

describe('connections are to one instance each', () => {
  const three = { db: 'instances: 3,' };
  it('opens one to each instance in turn, and finds them again', () => {
    const run = simulated(overPool('{ max: 3, handshake: { time: 5ms } }', at([0, 50, 100, 150, 200, 250]), three));
    expect(latenciesOf(run)).toEqual([25, 25, 25, 20, 20, 20]);
    expect(run.services.db.instances.map(({ arrived }) => arrived)).toEqual([2, 2, 2]);
  });
  it('closes the one idle longest for another instance, when there is no more room', () => {
    const run = simulated(overPool('{ max: 2, handshake: { time: 5ms } }', at([0, 50, 100, 150, 200, 250]), three));
    // Round robin over three with two connections: each time the one that is needed next has just been closed.
    expect(latenciesOf(run)).toEqual([25, 25, 25, 25, 25, 25]);
    expect(ofDb(run).pool).toMatchObject({ opened: 6, inUse: { max: 1 } });
  });
  it('bounds all instances together', () => {
    expect(latenciesOf(simulated(overPool('{ max: 2 }', at([0, 0, 0, 0]), three)))).toEqual([20, 20, 40, 40]);
  });
  it('closes those to a process that dies: the same one, back again, is greeted anew', () => {
    const run = simulated(overPool('{ max: 2, handshake: { time: 5ms } }', at([0, 100, 200]), { db: 'recovery: { by: restart, after: 10ms },', faults: '{ kill: { at: 50ms, target: db, crash: true } }' }));
    expect(latenciesOf(run)).toEqual([25, 25, 20]);
  });
});

describe('rule 16: a caller that dies has no connections when it is back', () => {
  it('pays every handshake again', () => {
    const run = simulated(overPool('{ max: 2, handshake: { time: 5ms } }', at([0, 100, 200]), { api: 'recovery: { by: restart, after: 10ms },', faults: '{ kill: { at: 50ms, target: api, crash: true } }' }));
    expect(latenciesOf(run)).toEqual([25, 25, 20]);
  });
  it('drops a handshake that is under way', () => {
    const run = simulated(overPool('{ max: 1, handshake: { time: 5ms, callerCpu: 30ms, calleeCpu: 5ms } }', at([20, 100]), { api: 'recovery: { by: restart, after: 10ms },', faults: '{ kill: { at: 40ms, target: api, crash: true } }' }));
    expect(endOf(run, 'r1')).toEqual({ end: 'failed api: killed', afterMs: 20 });
    expect(endOf(run, 'r2')).toEqual({ end: 'good', afterMs: 60 });
    expect(run.services.db.instances[0]).toMatchObject({ arrived: 1, good: 1 });
    expect(run.services.api.cpuCores.mean).toBeCloseTo(0.015 + 0.03, 9);
  });
});

describe('waits of no time', () => {
  it('`wait: 0s` lets nobody wait for a connection', () => {
    const run = simulated(overPool('{ max: 1, wait: 0s }', at([0, 5, 30])));
    expect(['r1', 'r2', 'r3'].map((name) => endOf(run, name))).toEqual([{ end: 'good', afterMs: 20 }, { end: 'refused db: pool wait', afterMs: 0 }, { end: 'good', afterMs: 20 }]);
  });
});
