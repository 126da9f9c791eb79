import { describe, expect, it } from 'vitest';
import { endOf, eventsOf, latenciesOf, oneRequest, requestsAt, scenario, simulated } from '../../support/simulated.js';

const wait = (time: string): string => `{ wait: { assumed: ${time}, cv: 0 } }`;
const cpu = (time: string): string => `{ cpu: { assumed: ${time}, cv: 0 } }`;

/** An event loop of one slot, whose handler `job` has these steps; `more` are further keys of it. */
const loop = (steps: string, traffic: string, more = '', others = ''): string =>
  scenario(`
    duration: 2s
    tick: 1s
    services:
      svc: { slots: 1, slotsHeld: cpu, ${more} handlers: { job: [${steps}], quick: [${cpu('1ms')}] }, to: { db: { latency: 0ms } } }
      db: { handlers: { read: [${wait('100ms')}] } }
      ${others}
    traffic:
      ${traffic}
  `);

describe('rule 8: `slotsHeld: cpu` takes a slot for each cpu step, first come first served', () => {
  it('leaves the slot free while the request waits for a callee', () => {
    // r1 computes 0 to 10 and asks; r2 10 to 20, r3 20 to 30; each then waits 100 ms.
    const run = simulated(loop(`${cpu('10ms')}, { call: db.read }`, requestsAt([0, 0, 0], 'svc', 6)));
    expect(latenciesOf(run)).toEqual([110, 120, 130]);
    expect(run.services.svc.instances[0].slots).toEqual({ mean: 0.03 / 2, max: 1 });
    expect(run.services.svc.instances[0].queue).toEqual({ mean: (0.01 + 0.02) / 2, max: 2 });
  });
  it('leaves the slot free while the request only waits', () => {
    expect(latenciesOf(simulated(loop(`${cpu('10ms')}, ${wait('50ms')}`, requestsAt([0, 0], 'svc', 6))))).toEqual([60, 70]);
  });
  it('stands in line anew for every cpu step, behind those that came before', () => {
    // r1: 0–10, back at once behind r2 and r3, which compute 10–20 and 20–30; then 30–40, and r2 and r3 after it.
    expect(latenciesOf(simulated(loop(`${cpu('10ms')}, ${cpu('10ms')}`, requestsAt([0, 0, 0], 'svc', 6))))).toEqual([40, 50, 60]);
  });
  it('comes back behind those that asked while it waited', () => {
    // r1 computes 0–10, waits to 30; r2 comes at 5 and has the loop 10–20; r3 comes at 20 and has it 20–30 … and r1 from 40, for r4 was there at 29.
    const run = simulated(loop(`${cpu('10ms')}, ${wait('20ms')}, ${cpu('10ms')}`, requestsAt([0, 5, 20, 29], 'svc', 6)));
    // Loop: r1 0–10, r2 10–20, r3 20–30, r4 30–40, r1 (asks at 30) 40–50, r2 (asks at 40) 50–60, r3 (asks at 50) 60–70, r4 (asks at 60) 70–80.
    expect(latenciesOf(run)).toEqual([50, 55, 50, 51]);
  });
  it('is never interrupted: a short turn waits for the end of a long one', () => {
    const run = simulated(loop(cpu('100ms'), `${oneRequest('long', 0, 'svc')}\n      ${oneRequest('short', 1, 'svc', 'quick')}`));
    expect(endOf(run, 'long').afterMs).toBe(100);
    expect(endOf(run, 'short').afterMs).toBe(100);
  });
  it('needs no turn for a request that computes nothing', () => {
    const run = simulated(loop(wait('30ms'), `${oneRequest('waits', 0, 'svc')}\n      ${oneRequest('computes', 0, 'svc', 'quick')}\n      ${oneRequest('too', 0, 'svc')}`));
    expect(['waits', 'computes', 'too'].map((name) => endOf(run, name).afterMs)).toEqual([30, 1, 30]);
  });
  it('counts the core: two slots on one core compute side by side, at half speed each', () => {
    const run = simulated(loop(cpu('10ms'), requestsAt([0, 0, 0], 'svc', 6), 'cpus: 1,').replace('slots: 1', 'slots: 2'));
    expect(latenciesOf(run)).toEqual([20, 20, 30]);
  });
  it('has a turn of its own for every branch of a parallel step', () => {
    const run = simulated(loop(`{ parallel: [[${cpu('10ms')}], [${cpu('20ms')}], [${wait('5ms')}]] }`, requestsAt([0, 0], 'svc', 6)));
    // r1's branches are in line before r2's: 0–10, 10–30, then 30–40 and 40–60.
    expect(latenciesOf(run)).toEqual([30, 60]);
  });
});

describe('rule 8: two processes are two event loops', () => {
  it('each has its own slot', () => {
    const run = simulated(loop(`${cpu('10ms')}, { call: db.read }`, requestsAt([0, 0, 0, 0], 'front', 6), 'instances: 2,', 'front: { to: { svc: { policy: round-robin } } }'));
    expect(latenciesOf(run)).toEqual([110, 110, 120, 120]);
    expect(run.services.svc.instances.map(({ slots }) => slots.max)).toEqual([1, 1]);
  });
  it('shares the core of one machine between them', () => {
    const run = simulated(
      loop(`${cpu('10ms')}, { call: db.read }`, requestsAt([0, 0], 'front', 6), 'instances: 2, host: box,', 'front: { to: { svc: { policy: round-robin } } }').replace('services:', 'hosts: { box: { cpus: 1 } }\nservices:'),
    );
    expect(latenciesOf(run)).toEqual([120, 120]);
  });
});

describe('rule 8: `queue.limit` bounds those whose first cpu step has not begun', () => {
  it('refuses who finds the loop busy and as many in line for their first turn', () => {
    const run = simulated(loop(`${cpu('10ms')}, { call: db.read }`, requestsAt([0, 0, 0, 0], 'svc', 6), 'queue: { limit: 2 },'));
    expect(['r1', 'r2', 'r3', 'r4'].map((name) => endOf(run, name))).toEqual([
      { end: 'good', afterMs: 110 },
      { end: 'good', afterMs: 120 },
      { end: 'good', afterMs: 130 },
      { end: 'refused svc: queue full', afterMs: 0 },
    ]);
  });
  it('does not count those that are in line for a later turn', () => {
    // At 25: r1 has had a turn, waits behind r2's second … the line holds only requests that have begun, so r4 finds room.
    const run = simulated(loop(`${cpu('10ms')}, ${cpu('10ms')}`, requestsAt([0, 0, 15], 'svc', 6), 'queue: { limit: 1 },'));
    // r1 0–10, r2 10–20, r1 20–30, and at 15 only r1 is in line, which has begun: r3 is let in, and has 30–40 if r2 asked at 20, after it.
    expect(['r1', 'r2', 'r3'].map((name) => endOf(run, name))).toEqual([
      { end: 'good', afterMs: 30 },
      { end: 'good', afterMs: 50 },
      { end: 'good', afterMs: 60 - 15 },
    ]);
  });
  it('lets any number of requests wait for callees beyond the loop', () => {
    const run = simulated(loop(`${cpu('1ms')}, { call: db.read }`, 'jobs: { to: svc, send: job, stop: 50ms, open: { rate: 500/s, arrivals: even } }', 'queue: { limit: 0 },'));
    expect(run.traffic.jobs).toMatchObject({ offered: 25, good: 25 });
    expect(run.links['svc.db'].latencyMs).toMatchObject({ count: 25, max: 100 });
  });
  it('refuses with no room at all who finds the loop busy', () => {
    const run = simulated(loop(cpu('10ms'), requestsAt([0, 5, 10], 'svc', 6), 'queue: { limit: 0 },'));
    expect(['r1', 'r2', 'r3'].map((name) => endOf(run, name).end)).toEqual(['good', 'refused svc: queue full', 'good']);
  });
  it('takes the first turn of a branch for the first turn of its request', () => {
    const run = simulated(loop(`{ parallel: [[${cpu('10ms')}], [{ call: db.read }]] }`, requestsAt([0, 20, 40], 'svc', 6), 'queue: { limit: 1 },'));
    // At 40 both have had their turn; the loop is free.
    expect(latenciesOf(run)).toEqual([100, 100, 100]);
    const busy = simulated(loop(`{ parallel: [[${cpu('30ms')}], [{ call: db.read }]] }`, requestsAt([0, 20, 31], 'svc', 6), 'queue: { limit: 1 },'));
    // At 31 r1 has had its turn and r2 has begun its own: nobody waits for a first one.
    expect(['r1', 'r2', 'r3'].map((name) => endOf(busy, name).end)).toEqual(['good', 'good', 'good']);
  });
});

describe('rule 9 with `slotsHeld: cpu`: patience is for the first turn', () => {
  it('refuses who has waited that long for its first turn, and nobody who waits for a later one', () => {
    const run = simulated(loop(`${cpu('30ms')}, ${cpu('30ms')}`, requestsAt([0, 0, 0], 'svc', 6), 'queue: { patience: 40ms },'));
    // r1 0–30, r2 30–60, r3 gives up at 40; r1 waits 30 ms and r2 30 ms for their second turn: 60–90, 90–120.
    expect(['r1', 'r2', 'r3'].map((name) => endOf(run, name))).toEqual([
      { end: 'good', afterMs: 90 },
      { end: 'good', afterMs: 120 },
      { end: 'refused svc: patience', afterMs: 40 },
    ]);
  });
  it('leaves its place to the next one', () => {
    const run = simulated(loop(cpu('50ms'), requestsAt([0, 0, 10, 30], 'svc', 6), 'queue: { limit: 1, patience: 20ms },'));
    expect(['r1', 'r2', 'r3', 'r4'].map((name) => endOf(run, name))).toEqual([
      { end: 'good', afterMs: 50 },
      { end: 'refused svc: patience', afterMs: 20 },
      { end: 'refused svc: queue full', afterMs: 0 },
      { end: 'good', afterMs: 100 - 30 },
    ]);
  });
  it('is not spent by a request that waits for something else first', () => {
    const run = simulated(loop(`${wait('50ms')}, ${cpu('10ms')}`, requestsAt([0, 0], 'svc', 6), 'queue: { patience: 20ms },'));
    expect(latenciesOf(run)).toEqual([60, 70]);
  });
  it('does not let one wait longer for a later turn be refused', () => {
    const run = simulated(loop(`${cpu('10ms')}, ${wait('1ms')}, ${cpu('10ms')}`, `${oneRequest('first', 0, 'svc')}\n      ${oneRequest('hog', 10, 'svc', 'slow')}`, 'queue: { patience: 20ms },').replace('quick:', `slow: [${cpu('200ms')}], quick:`));
    expect(endOf(run, 'first')).toEqual({ end: 'good', afterMs: 220 });
  });
});

describe('rule 11 with `slotsHeld: cpu`: what is parked in waits holds memory, too', () => {
  it('from admission to the answer', () => {
    const run = simulated(loop(`${cpu('10ms')}, { call: db.read }`, requestsAt([0, 0, 0], 'svc', 6), 'memory: { base: 1000B, perRequest: 100B, limit: 9000B },'));
    expect(run.services.svc.instances[0].memoryBytes).toMatchObject({ max: 1300, mean: 1000 + (100 * (0.11 + 0.12 + 0.13)) / 2 });
  });
});

describe('an event loop that dies', () => {
  it('counts who had not begun as queued, the others as running', () => {
    const run = simulated(
      loop(`${cpu('30ms')}, { call: db.read }`, requestsAt([0, 0, 0], 'svc', 6)).replace('traffic:', 'faults:\n  kill: { at: 40ms, target: svc, crash: true }\ntraffic:'),
    );
    // At 40 r1 asks the database, r2 computes, r3 has not begun.
    expect(eventsOf(run, 'crashed')[0].data).toMatchObject({ lost: 3, running: 2, queued: 1 });
    expect(['r1', 'r2', 'r3'].map((name) => endOf(run, name))).toEqual([1, 2, 3].map(() => ({ end: 'failed svc: killed', afterMs: 40 })));
  });
  it('counts so too when the one that has not begun came first', () => {
    const run = simulated(
      loop(`${wait('10ms')}, ${cpu('50ms')}`, `${oneRequest('old', 0, 'svc')}\n      ${oneRequest('new', 5, 'svc', 'long')}`)
        .replace('quick:', `long: [${cpu('100ms')}], quick:`)
        .replace('traffic:', 'faults:\n  kill: { at: 40ms, target: svc, crash: true }\ntraffic:'),
    );
    expect(eventsOf(run, 'crashed')[0].data).toMatchObject({ lost: 2, running: 1, queued: 1 });
  });
});
