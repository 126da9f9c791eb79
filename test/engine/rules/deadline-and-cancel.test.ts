import { describe, expect, it } from 'vitest';
import { cells, endOf, latenciesOf, oneRequest, requestsAt, scenario, simulated } from '../../support/simulated.js';

const wait = (time: string): string => `{ wait: { assumed: ${time}, cv: 0 } }`;
const cpu = (time: string): string => `{ cpu: { assumed: ${time}, cv: 0 } }`;

/** `api` asks `db` over this link; `db` does these steps, and may ask `disk` over another one. */
const overLink = (link: string, read: string, { traffic = requestsAt([0], 'api', 6), db = '', disk = '{ }', call = '{ call: db.read }', faults = '', api = '' } = {}): string =>
  scenario(`
    duration: 1s
    tick: 10ms
    services:
      api: { ${api} handlers: { job: [${call}] }, to: { db: ${link} } }
      db: { ${db} handlers: { read: [${read}] }, to: { disk: ${disk} } }
      disk: { slots: 1, handlers: { seek: [${wait('100ms')}] } }
    ${faults === '' ? '' : `faults: ${faults}`}
    traffic:
      ${traffic}
  `);
const late = { end: 'failed db: deadline' };

describe('rule 20: `deadline` covers everything', () => {
  it('a call that takes too long', () => {
    expect(endOf(simulated(overLink('{ deadline: 30ms }', wait('100ms'))), 'r1')).toEqual({ ...late, afterMs: 30 });
  });
  it('says nothing of one that is in time', () => {
    const run = simulated(overLink('{ deadline: 30ms }', wait('10ms'), { call: `{ call: db.read, times: 2 }, ${wait('50ms')}, { call: db.read, times: 2 }` }));
    expect(latenciesOf(run)).toEqual([90]);
  });
  it('the wait for a connection', () => {
    const run = simulated(overLink('{ deadline: 120ms, pool: { max: 1 } }', wait('100ms'), { traffic: requestsAt([0, 0, 110], 'api', 6) }));
    // r2 has the connection from 100 to its deadline, which closes it; r3 has another at once.
    expect(['r1', 'r2', 'r3'].map((name) => endOf(run, name))).toEqual([{ end: 'good', afterMs: 100 }, { ...late, afterMs: 120 }, { end: 'good', afterMs: 110 }]);
  });
  it('a wait for a connection that never comes; and it counts as an attempt', () => {
    const run = simulated(overLink('{ deadline: 40ms, pool: { max: 1 } }', wait('100ms'), { traffic: `${oneRequest('holder', 0, 'api')}\n      ${oneRequest('r1', 0, 'api')}` }));
    expect(endOf(run, 'r1')).toEqual({ ...late, afterMs: 40 });
    expect(run.links['api.db']).toMatchObject({ sent: 2, failed: { 'db: deadline': 2 }, inFlight: 0, pool: { waiting: { max: 1 } } });
    expect(cells(run, run.ticks.links['api.db'].callers[0].poolWaiting!.end).slice(0, 6)).toEqual([1, 1, 1, 1, 0, 0]);
  });
  it('a connection that comes at the very instant: the next in line has it then', () => {
    // `holder` commits at 100 and gives its connection to r1, whose deadline is due at that instant; r2 gets it, 1 ms before its own.
    const run = simulated(
      overLink('{ deadline: 100ms, pool: { max: 1 } }', wait('500us'), { traffic: `${oneRequest('holder', 0, 'api', 'hold')}\n      ${requestsAt([0, 1], 'api', 6)}` }).replace('api: {  handlers: {', `api: { handlers: { hold: [{ transaction: db, steps: [${wait('100ms')}] }],`),
    );
    expect(['holder', 'r1', 'r2'].map((name) => endOf(run, name))).toEqual([{ end: 'good', afterMs: 100 }, { ...late, afterMs: 100 }, { end: 'good', afterMs: 99.5 }]);
  });
  it('a handshake', () => {
    const run = simulated(overLink('{ deadline: 40ms, pool: { max: 1, handshake: { time: 50ms } } }', wait('1ms'), { traffic: requestsAt([0, 0], 'api', 6) }));
    expect(['r1', 'r2'].map((name) => endOf(run, name))).toEqual([{ ...late, afterMs: 40 }, { ...late, afterMs: 40 }]);
    expect(run.services.db.instances[0].arrived).toBe(0);
  });
  it('attempts and the pauses between them', () => {
    const run = simulated(overLink('{ timeout: 20ms, deadline: 100ms, retries: { max: 9, backoff: 10ms, factor: 1x } }', wait('50ms')));
    // Attempts at 0, 30, 60, 90; the last is cut short at 100.
    expect(endOf(run, 'r1')).toEqual({ ...late, afterMs: 100 });
    expect(run.links['api.db']).toMatchObject({ sent: 4, failed: { 'db: timeout': 3, 'db: deadline': 1 }, retries: 3 });
  });
  it('a pause that is longer than what is left', () => {
    const run = simulated(overLink('{ deadline: 100ms, retries: { max: 9, backoff: 80ms, factor: 1x } }', `${wait('15ms')}, { fail: broken }`));
    // Attempts at 0 and 95; at 100 the second is under way.
    expect(endOf(run, 'r1')).toEqual({ ...late, afterMs: 100 });
    const pausing = simulated(overLink('{ deadline: 50ms, retries: { max: 9, backoff: 80ms, factor: 1x } }', `${wait('15ms')}, { fail: broken }`));
    expect(endOf(pausing, 'r1')).toEqual({ ...late, afterMs: 50 });
    expect(pausing.links['api.db']).toMatchObject({ sent: 1, failed: { 'db: broken': 1 } });
  });
  it('the retries of the step too: nothing is tried again after it', () => {
    const run = simulated(overLink('{ timeout: 20ms, deadline: 50ms, retries: { max: 9 } }', wait('100ms'), { call: '{ call: db.read, retries: { max: 5 } }' }));
    expect(endOf(run, 'r1')).toEqual({ ...late, afterMs: 50 });
  });
  it('is over with the call: a later step is not struck by it', () => {
    const failing = simulated(overLink('{ deadline: 30ms, retries: { max: 1 } }', '{ fail: broken }', { call: `{ call: db.read, orElse: [${wait('100ms')}] }` }));
    expect(endOf(failing, 'r1')).toEqual({ end: 'good', afterMs: 100 });
    const refused = simulated(overLink('{ deadline: 30ms, pool: { max: 1, pending: 0 } }', wait('20ms'), { call: `{ call: db.read, orElse: [${wait('100ms')}] }`, traffic: requestsAt([0, 0], 'api', 6) }));
    expect(latenciesOf(refused)).toEqual([20, 100]);
  });
  it('goes on with the `orElse` of the call', () => {
    expect(endOf(simulated(overLink('{ deadline: 30ms }', wait('100ms'), { call: `{ call: db.read, orElse: [${wait('5ms')}] }` })), 'r1')).toEqual({ end: 'good', afterMs: 35 });
  });
  it('of a process that stands still is found out when it goes on, and nothing is tried again', () => {
    const run = simulated(overLink('{ deadline: 30ms, retries: { max: 3 } }', wait('100ms'), { faults: '{ still: { at: 10ms, for: 200ms, target: api, freeze: true } }' }));
    expect(endOf(run, 'r1')).toEqual({ ...late, afterMs: 210 });
    expect(run.links['api.db']).toMatchObject({ sent: 1, retries: 0 });
  });
  it('leaves what it had asked for as work for nobody', () => {
    const run = simulated(overLink('{ deadline: 30ms }', wait('100ms')));
    expect(run.services.db.instances[0]).toMatchObject({ good: 1, slots: { mean: 0.1 } });
  });
});

describe('rule 10: who gives up is served for nobody, down to the last of those who were asked', () => {
  it('without `cancel`', () => {
    const run = simulated(overLink('{ timeout: 30ms }', '{ call: disk.seek }', { traffic: requestsAt([0, 0, 0], 'api', 6) }));
    expect(['r1', 'r2', 'r3'].map((name) => endOf(run, name))).toEqual([1, 2, 3].map(() => ({ end: 'failed db: timeout', afterMs: 30 })));
    expect(run.services.db.instances[0]).toMatchObject({ good: 3, slots: { mean: 0.6 } });
    expect(run.services.disk.instances[0]).toMatchObject({ good: 3, slots: { mean: 0.3 } });
  });
  it('and takes the place of others: the next request waits behind the dead', () => {
    const run = simulated(overLink('{ timeout: 30ms }', '{ call: disk.seek }', { traffic: `${oneRequest('gone', 0, 'api')}\n      ${oneRequest('next', 40, 'db').replace('job', 'read')}` }));
    expect(endOf(run, 'next')).toEqual({ end: 'good', afterMs: 160 });
  });
});

describe('`cancel`: the callee stops when the caller has given up', () => {
  const cancelling = '{ timeout: 30ms, cancel: true }';
  it('stops its computing', () => {
    const run = simulated(overLink(cancelling, cpu('100ms')));
    expect(endOf(run, 'r1')).toEqual({ end: 'failed db: timeout', afterMs: 30 });
    expect(run.services.db.cpuCores.mean).toBeCloseTo(0.03, 9);
    expect(run.services.db.instances[0]).toMatchObject({ arrived: 1, good: 0, failed: 1 });
  });
  it('frees its slot for who waits for it', () => {
    const run = simulated(overLink(cancelling, wait('100ms'), { db: 'slots: 1,', traffic: `${oneRequest('gone', 0, 'api')}\n      ${oneRequest('next', 10, 'db').replace('job', 'read')}` }));
    expect(endOf(run, 'next')).toEqual({ end: 'good', afterMs: 20 + 100 });
  });
  it('takes it out of the queue', () => {
    const run = simulated(overLink(cancelling, wait('100ms'), { db: 'slots: 1, queue: { limit: 1 },', traffic: `${oneRequest('first', 0, 'db').replace('job', 'read')}\n      ${oneRequest('gone', 0, 'api')}\n      ${oneRequest('next', 40, 'db').replace('job', 'read')}` }));
    expect(endOf(run, 'next')).toEqual({ end: 'good', afterMs: 60 + 100 });
    expect(cells(run, run.ticks.services.db.instances[0].queue.end).slice(1, 6)).toEqual([1, 1, 0, 1, 1]);
  });
  it('hands the turn of an event loop on', () => {
    const run = simulated(overLink(cancelling, cpu('100ms'), { db: 'slots: 1, slotsHeld: cpu,', traffic: `${oneRequest('gone', 0, 'api')}\n      ${oneRequest('next', 10, 'db').replace('job', 'read')}` }));
    expect(endOf(run, 'next')).toEqual({ end: 'good', afterMs: 20 + 100 });
  });
  it('drops it at the door when it is still on its way', () => {
    const run = simulated(overLink('{ timeout: 30ms, cancel: true, latency: 50ms }', wait('1ms')));
    expect(run.services.db.instances[0]).toMatchObject({ arrived: 0, good: 0 });
  });
  it('stops what it had asked for over links that cancel too', () => {
    const run = simulated(overLink(cancelling, '{ call: disk.seek }', { disk: '{ cancel: true }', traffic: `${oneRequest('gone', 0, 'api')}\n      ${oneRequest('next', 40, 'db').replace('job', 'read')}` }));
    expect(endOf(run, 'next')).toEqual({ end: 'good', afterMs: 100 });
    expect(run.services.disk.instances[0]).toMatchObject({ arrived: 2, good: 1, failed: 1 });
  });
  it('but not over those that do not', () => {
    const run = simulated(overLink(cancelling, '{ call: disk.seek }', { traffic: `${oneRequest('gone', 0, 'api')}\n      ${oneRequest('next', 40, 'db').replace('job', 'read')}` }));
    expect(endOf(run, 'next')).toEqual({ end: 'good', afterMs: 60 + 100 });
    expect(run.services.db.instances[0]).toMatchObject({ arrived: 2, good: 1, failed: 1 });
    expect(run.services.disk.instances[0]).toMatchObject({ good: 2 });
  });
  it('stops every branch', () => {
    const run = simulated(overLink(cancelling, `{ parallel: [[${cpu('100ms')}], [{ call: disk.seek }], [${wait('100ms')}]] }`, { disk: '{ cancel: true }' }));
    expect(run.services.db.cpuCores.mean).toBeCloseTo(0.03, 9);
    expect(run.services.disk.instances[0]).toMatchObject({ failed: 1, slots: { mean: 0.03 } });
  });
  it('stops it in the line for a connection', () => {
    const run = simulated(
      overLink('{ timeout: 30ms, cancel: true }', '{ call: disk.seek }', { disk: '{ pool: { max: 1 } }', traffic: `${oneRequest('first', 0, 'db').replace('job', 'read')}\n      ${oneRequest('gone', 0, 'api')}` }),
    );
    expect(run.services.disk.instances[0]).toMatchObject({ arrived: 1, good: 1 });
    // The tick that begins at 30 begins with the giving up.
    expect(cells(run, run.ticks.links['db.disk'].callers[0].poolWaiting!.end).slice(0, 5)).toEqual([1, 1, 1, 0, 0]);
  });
  it('gives locks and units back', () => {
    const run = simulated(
      scenario(`
        duration: 1s
        services:
          db: { stock: { seat: 1 }, handlers: { read: [{ lock: row, wait: 1s }, ${wait('100ms')}] } }
        traffic:
          ${oneRequest('gone', 0, '{ db: { timeout: 30ms, cancel: true } }', 'read').replace('{ to:', '{ keys: 1, to:')}
          ${oneRequest('next', 0, 'db', 'read').replace('{ to:', '{ keys: 1, to:')}
      `),
    );
    expect(endOf(run, 'next')).toEqual({ end: 'good', afterMs: 130 });
  });
  it('acts at a deadline as at a timeout', () => {
    const run = simulated(overLink('{ deadline: 30ms, cancel: true }', cpu('100ms')));
    expect(run.services.db.cpuCores.mean).toBeCloseTo(0.03, 9);
  });
  it('acts when the caller’s process is killed: its connections close at once (rule 16)', () => {
    const run = simulated(overLink('{ cancel: true }', cpu('100ms'), { faults: '{ kill: { at: 40ms, target: api, crash: true } }' }));
    expect(run.services.db.cpuCores.mean).toBeCloseTo(0.04, 9);
    const without = simulated(overLink('{ }', cpu('100ms'), { faults: '{ kill: { at: 40ms, target: api, crash: true } }' }));
    expect(without.services.db.cpuCores.mean).toBeCloseTo(0.1, 9);
  });
});
