import { describe, expect, it } from 'vitest';
import { endOf, latenciesOf, oneRequest, requestsAt, scenario, simulated } from '../../support/simulated.js';

const wait = (time: string): string => `{ wait: { assumed: ${time}, cv: 0 } }`;

/** `api` asks `db` for `read`, which does these steps, over this link; `call` replaces its only step. */
const overLink = (link: string, read: string, { traffic = requestsAt([0], 'api', 6), db = '', call = '{ call: db.read }', faults = '', duration = '10s', others = '' } = {}): string =>
  scenario(`
    duration: ${duration}
    tick: 1s
    services:
      api: { handlers: { job: [${call}] }, to: { db: ${link} } }
      db: { ${db} stock: { seat: 1 }, handlers: { read: [${read}] } }
      ${others}
    ${faults === '' ? '' : `faults: ${faults}`}
    traffic:
      ${traffic}
  `);
const bad = '{ fail: broken }';
const ofDb = (run: ReturnType<typeof simulated>): ReturnType<typeof simulated>['links'][string] => run.links['api.db'];

describe('retries: so many more attempts', () => {
  it('makes `max` more, and then ends as the last one did', () => {
    const run = simulated(overLink('{ retries: { max: 3 } }', `${wait('10ms')}, ${bad}`));
    expect(endOf(run, 'r1')).toEqual({ end: 'failed db: broken', afterMs: 40 });
    expect(ofDb(run)).toMatchObject({ sent: 4, failed: { 'db: broken': 4 }, retries: 3 });
  });
  it('stops at the first that is good', () => {
    // The only slot and the only place in the queue are taken until 30.
    const run = simulated(overLink('{ retries: { max: 9, backoff: 20ms, factor: 1x } }', wait('15ms'), { db: 'slots: 1, queue: { limit: 1 },', traffic: `${requestsAt([0, 0], 'db', 6).replaceAll('send: job', 'send: read')}\n      ${oneRequest('late', 0, 'api')}` }));
    // Attempts at 0 (full) and 20 (the second one runs, the queue is empty): 15 to 30, then its own 15.
    expect(endOf(run, 'late')).toEqual({ end: 'good', afterMs: 45 });
    expect(ofDb(run)).toMatchObject({ sent: 2, good: 1, refused: { 'db: queue full': 1 }, retries: 1 });
  });
  it('rule 24: counts attempts on the link, and the request once at its source, from the first attempt to the last end', () => {
    const run = simulated(overLink('{ latency: 5ms, retries: { max: 2, backoff: 100ms, factor: 1x } }', bad));
    expect(run.traffic.r1).toMatchObject({ offered: 1, failed: { 'db: broken': 1 }, badLatencyMs: { count: 1, max: 3 * 10 + 2 * 100 } });
    expect(run.services.db.instances[0]).toMatchObject({ arrived: 3, failed: 3 });
    expect(ofDb(run)).toMatchObject({ sent: 3, retries: 2, inFlight: 0 });
  });
  it('rule 24: likewise where it is the link of the source that tries again', () => {
    const tried = oneRequest('r1', 100, '{ db: { latency: 5ms, retries: { max: 2, backoff: 100ms, factor: 1x } } }', 'read');
    const run = simulated(overLink('{}', bad, { traffic: tried }));
    expect(run.traffic.r1).toMatchObject({ offered: 1, failed: { 'db: broken': 1 }, badLatencyMs: { count: 1, max: 3 * 10 + 2 * 100 } });
  });
  it('rule 24: balances each attempt anew, and may meet the same instance', () => {
    const robin = simulated(overLink('{ retries: { max: 3 } }', bad, { db: 'instances: 3,' }));
    expect(robin.services.db.instances.map(({ arrived }) => arrived)).toEqual([2, 1, 1]);
    const random = simulated(overLink('{ policy: random, retries: { max: 29 } }', bad, { db: 'instances: 3,' }));
    expect(Math.min(...random.services.db.instances.map(({ arrived }) => arrived))).toBeGreaterThan(3);
  });
  it('holds the caller’s slot through attempts and pauses (rule 7)', () => {
    const run = simulated(overLink('{ retries: { max: 1, backoff: 30ms } }', bad, { traffic: requestsAt([0, 0], 'api', 6) }).replace('api: {', 'api: { slots: 1,'));
    expect(['r1', 'r2'].map((name) => endOf(run, name).afterMs)).toEqual([30, 60]);
  });
  it('draws anew for every attempt', () => {
    const run = simulated(overLink('{ retries: { max: 9 } }', '{ fail: broken, chance: 50% }', { traffic: 'jobs: { to: api, send: job, open: { rate: 100/s, arrivals: even } }' }));
    expect(run.traffic.jobs).toMatchObject({ offered: 1000 });
    expect(run.traffic.jobs.good).toBeGreaterThan(990);
    expect(ofDb(run).sent).toBeGreaterThan(1900);
  });
});

describe('retries: `when`', () => {
  const refusing = '{ refuse: closed }';
  it('is failed and refused when left out', () => {
    expect(ofDb(simulated(overLink('{ retries: { max: 2 } }', bad))).retries).toBe(2);
    expect(ofDb(simulated(overLink('{ retries: { max: 2 } }', refusing))).retries).toBe(2);
  });
  it('takes classes', () => {
    expect(ofDb(simulated(overLink('{ retries: { max: 2, when: [failed] } }', refusing))).retries).toBe(0);
    expect(ofDb(simulated(overLink('{ retries: { max: 2, when: [refused] } }', refusing))).retries).toBe(2);
  });
  it('takes reasons', () => {
    expect(ofDb(simulated(overLink('{ retries: { max: 2, when: [closed] } }', refusing))).retries).toBe(2);
    expect(ofDb(simulated(overLink('{ retries: { max: 2, when: [timeout] } }', refusing))).retries).toBe(0);
  });
  it('rule 25: `no healthy` and `queue full` are tried again like failures', () => {
    const full = simulated(overLink('{ retries: { max: 2 } }', wait('1s'), { db: 'slots: 1, queue: { limit: 0 },', traffic: requestsAt([0, 1], 'api', 6) }));
    expect(ofDb(full)).toMatchObject({ refused: { 'db: queue full': 3 }, retries: 2 });
    const nobody = simulated(
      overLink('{ health: { every: 100ms, timeout: 50ms, unhealthyAfter: 1, healthyAfter: 1 }, retries: { max: 2 } }', wait('1ms'), { traffic: requestsAt([900], 'api', 6), faults: '{ kill: { at: 100ms, target: db, crash: true } }' }),
    );
    expect(endOf(nobody, 'r1').end).toBe('refused db: no healthy');
    expect(ofDb(nobody)).toMatchObject({ sent: 3, retries: 2 });
  });
  it('rule 25: … unless `when` says otherwise', () => {
    expect(ofDb(simulated(overLink('{ retries: { max: 2, when: [timeout] } }', wait('1s'), { db: 'slots: 1, queue: { limit: 0 },', traffic: requestsAt([0, 1], 'api', 6) }))).retries).toBe(0);
  });
  it('tries timeouts, connections refused and full pools again', () => {
    expect(ofDb(simulated(overLink('{ timeout: 10ms, retries: { max: 2 } }', wait('50ms'))))).toMatchObject({ failed: { 'db: timeout': 3 } });
    expect(ofDb(simulated(overLink('{ retries: { max: 2 } }', wait('50ms'), { traffic: requestsAt([100], 'api', 6), faults: '{ kill: { at: 10ms, target: db, crash: true } }' })))).toMatchObject({ failed: { 'db: connection refused': 3 } });
    expect(ofDb(simulated(overLink('{ pool: { max: 1, pending: 0 }, retries: { max: 2 } }', wait('50ms'), { traffic: requestsAt([0, 0], 'api', 6) })))).toMatchObject({ refused: { 'db: pool full': 3 } });
  });
});

describe('rule 26: `declined` is never tried again by a link, only by a step that says so', () => {
  const no = '{ decline: full }';
  it('not by the link', () => {
    expect(ofDb(simulated(overLink('{ retries: { max: 3 } }', no)))).toMatchObject({ sent: 1, retries: 0 });
  });
  it('not by the link, though it names the reason', () => {
    expect(ofDb(simulated(overLink('{ retries: { max: 3, when: [full] } }', no)))).toMatchObject({ sent: 1, retries: 0 });
  });
  it('not by a step that does not say so', () => {
    expect(ofDb(simulated(overLink('{ }', no, { call: '{ call: db.read, retries: { max: 3 } }' })))).toMatchObject({ sent: 1, retries: 0 });
  });
  it.each(['full', 'declined'])('by a step with `when: [%s]`', (when) => {
    expect(ofDb(simulated(overLink('{ }', no, { call: `{ call: db.read, retries: { max: 3, when: [${when}] } }` })))).toMatchObject({ sent: 4, declined: 4, retries: 3 });
  });
  it('about another row with `key: fresh`', () => {
    // One unit a row: r1 takes it; r2 wants the same row, and finds one of its own at the second try.
    const rows = (key: string): string =>
      overLink('{ }', '{ take: seat }', { call: wait('0ms'), traffic: ['a', 'b'].map((name) => `${name}: { keys: 1000000, start: 0s, stop: 1ns, open: { rate: 1/s, arrivals: even }, steps: [{ call: db.read, times: 2, retries: { max: 5, when: [no seat], key: ${key} } }] }`).join('\n      ').replaceAll('1ns', '1us') });
    const same = simulated(rows('same'));
    expect(['a', 'b'].map((name) => endOf(same, name).end)).toEqual(['declined db: no seat', 'declined db: no seat']);
    expect(same.links['a.db']).toMatchObject({ sent: 7, declined: 6, good: 1 });
    const fresh = simulated(rows('fresh'));
    expect(['a', 'b'].map((name) => endOf(fresh, name).end)).toEqual(['good', 'good']);
    expect(fresh.links['a.db']).toMatchObject({ sent: 3, declined: 1, good: 2 });
  });
});

describe('retries of a step beside those of its link', () => {
  it('begins the link’s anew: (1 + 2) × (1 + 3) attempts', () => {
    const run = simulated(overLink('{ retries: { max: 2 } }', bad, { call: '{ call: db.read, retries: { max: 3 } }' }));
    expect(ofDb(run)).toMatchObject({ sent: 12, retries: 11 });
  });
});

describe('retries: back-off', () => {
  const pauses = (retries: string): number => endOf(simulated(overLink(`{ retries: { ${retries} } }`, bad)), 'r1').afterMs!;
  it('is none when left out', () => {
    expect(pauses('max: 3')).toBe(0);
  });
  it('doubles', () => {
    expect(pauses('max: 4, backoff: 10ms')).toBe(10 + 20 + 40 + 80);
  });
  it('grows by another factor, or not at all', () => {
    expect(pauses('max: 3, backoff: 10ms, factor: 3x')).toBe(10 + 30 + 90);
    expect(pauses('max: 3, backoff: 10ms, factor: 1x')).toBe(30);
  });
  it('grows up to `cap`', () => {
    expect(pauses('max: 5, backoff: 10ms, cap: 25ms')).toBe(10 + 20 + 25 + 25 + 25);
    expect(pauses('max: 2, backoff: 10ms, cap: 5ms')).toBe(10);
  });
  const spread = (jitter: string): { readonly min: number; readonly max: number; readonly mean: number } => {
    const run = simulated(overLink(`{ retries: { max: 1, backoff: 100ms, jitter: ${jitter} } }`, bad, { traffic: 'jobs: { to: api, send: job, open: { rate: 500/s, arrivals: even }, stop: 9s }' }));
    const { mean, max, p50 } = run.traffic.jobs.badLatencyMs!;
    // Half lie below the median of an even spread: the lower end is as far from it as the upper.
    return { min: 2 * p50 - max, max, mean };
  };
  it('full jitter: anything between nothing and the pause', () => {
    const { min, max, mean } = spread('full');
    expect(max).toBeLessThanOrEqual(100);
    expect(max).toBeGreaterThan(99);
    expect(Math.abs(mean - 50)).toBeLessThan((3 * 100) / Math.sqrt(12 * 4500));
    expect(Math.abs(min)).toBeLessThan(5);
  });
  it('equal jitter: half the pause, and anything up to the other half', () => {
    const { min, max, mean } = spread('equal');
    expect(max).toBeLessThanOrEqual(100);
    expect(max).toBeGreaterThan(99);
    expect(Math.abs(mean - 75)).toBeLessThan((3 * 50) / Math.sqrt(12 * 4500));
    expect(Math.abs(min - 50)).toBeLessThan(4);
  });
  it('jitter is drawn anew for every pause', () => {
    const one = pauses('max: 1, backoff: 100ms, jitter: full');
    const two = pauses('max: 2, backoff: 100ms, factor: 1x, jitter: full');
    expect(two - one).not.toBe(one);
    expect(two - one).toBeGreaterThan(0);
  });
});

describe('retries: `budget`', () => {
  it('keeps retries within a share of the calls', () => {
    const run = simulated(overLink('{ retries: { max: 3, budget: 20% } }', bad, { traffic: 'jobs: { to: api, send: job, open: { rate: 100/s, arrivals: even } }' }));
    // Over any ten seconds: 1,000 calls, 200 retries.
    expect(ofDb(run)).toMatchObject({ sent: 1200, retries: 200 });
    expect(run.traffic.jobs.failed).toEqual({ 'db: broken': 1000 });
  });
  it('is no limit while little fails', () => {
    const run = simulated(overLink('{ retries: { max: 3, budget: 20% } }', '{ fail: broken, chance: 1% }', { traffic: 'jobs: { to: api, send: job, open: { rate: 100/s, arrivals: even } }' }));
    expect(run.traffic.jobs.good).toBe(1000);
  });
});

describe('retries: `budget` of a step', () => {
  const steady = { traffic: 'jobs: { to: api, send: job, open: { rate: 100/s, arrivals: even } }' };
  const half = '{ call: db.read, retries: { max: 1, budget: 50% } }';
  it('keeps retries within a share of the calls of that step', () => {
    const run = simulated(overLink('{ }', bad, { ...steady, call: '{ call: db.read, retries: { max: 3, budget: 20% } }' }));
    expect(ofDb(run)).toMatchObject({ sent: 1200, retries: 200 });
  });
  it('counts every step by itself, and none of what the link tries again', () => {
    const run = simulated(overLink('{ retries: { max: 1 } }', bad, { ...steady, call: '{ call: db.read, retries: { max: 3, budget: 20% }, orElse: [] }, { call: db.read, retries: { max: 1, budget: 10% } }' }));
    // 1,000 of each step, 200 and 100 more, and each of these once more by the link.
    expect(ofDb(run)).toMatchObject({ sent: 2 * (1200 + 1100) });
  });
  it('counts the repetitions of a step together', () => {
    const run = simulated(overLink('{ }', bad, { call: `{ call: db.read, times: 4, retries: { max: 1, budget: 50% }, orElse: [] }` }));
    // The second may be tried again, and the fourth.
    expect(ofDb(run)).toMatchObject({ sent: 6, retries: 2 });
  });
  it('is one of each instance that runs the step', () => {
    const traffic = 'jobs: { to: api, send: job, bursts: { sizes: [1, 1], every: 10ms, rounds: 1 } }';
    const sent = (instances: number): number => ofDb(simulated(overLink('{ }', bad, { call: half, traffic }).replace('api: {', `api: { instances: ${instances},`))).sent;
    expect([sent(1), sent(2)]).toEqual([3, 2]);
  });
  it('is forgotten by a process that dies', () => {
    const sent = (faults: string): number => ofDb(simulated(overLink('{ }', bad, { call: half, faults, traffic: requestsAt([0, 500], 'api', 6) }).replace('api: {', 'api: { recovery: { by: restart, after: 10ms },'))).sent;
    expect([sent(''), sent('{ f: { target: api, crash: true, at: 100ms } }')]).toEqual([3, 2]);
  });
  it('is of each instance and each step, also where there are several of both', () => {
    const traffic = 'jobs: { to: api, send: job, bursts: { sizes: [1, 1, 1], every: 10ms, rounds: 1 } }';
    expect(ofDb(simulated(overLink('{ }', bad, { call: `${half.replace('} }', '}, orElse: [] }')}, ${half}`, traffic }).replace('api: {', 'api: { instances: 3,')))).toMatchObject({ sent: 6, retries: 0 });
  });
  it('is forgotten by nobody else when a process dies', () => {
    const sent = (target: string): number =>
      ofDb(simulated(overLink('{ }', bad, { call: half, db: 'recovery: { by: restart, after: 10ms },', faults: `{ f: { target: ${target}, crash: true, at: 100ms } }`, traffic: 'jobs: { to: api, send: job, bursts: { sizes: [2], every: 500ms, rounds: 2 } }' }).replace('api: {', 'api: { instances: 2, recovery: { by: restart, after: 10ms },'))).sent;
    // Each instance has its second call at 500, which may be tried again where the first is remembered.
    expect(['db', 'api.1', 'api.2'].map(sent)).toEqual([6, 5, 5]);
  });
  it('counts no calls of a step without one', () => {
    const run = simulated(overLink('{ }', bad, {
      call: half,
      others: 'web: { handlers: { job: [{ call: db.read, retries: { max: 1 } }] }, to: { db: { } } }',
      traffic: `${oneRequest('own', 500, 'api')}\n      others: { to: web, send: job, stop: 400ms, open: { rate: 100/s, arrivals: even } }`,
    }).replace(/(api: .*)\n([^]*)( {2}web: .*\n)/, '$1\n$3$2'));
    expect(run.links['web.db']).toMatchObject({ sent: 80, retries: 40 });
    expect(ofDb(run)).toMatchObject({ sent: 1, retries: 0 });
  });
});

describe('the first bad end travels up unchanged, with its place', () => {
  it('through those who ask in between', () => {
    const run = simulated(scenario(`
      duration: 1s
      services:
        front: { to: { api: { } } }
        api: { handlers: { job: [{ call: db.read }] }, to: { db: { } } }
        db: { handlers: { read: [{ decline: sold out }] } }
      traffic:
        ${requestsAt([0], 'front', 8)}
    `));
    expect(endOf(run, 'r1').end).toBe('declined db: sold out');
    expect(latenciesOf(run)).toEqual([null]);
  });
});
