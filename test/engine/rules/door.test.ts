import { describe, expect, it } from 'vitest';
import { cells, endOf, latenciesOf, oneRequest, requestsAt, scenario, simulated } from '../../support/simulated.js';

const wait = (time: string): string => `{ wait: { assumed: ${time}, cv: 0 } }`;

describe('rule 6: at the door come dead, free slot, room in the queue; else refused, in zero time', () => {
  const run = simulated(
    scenario(`
      duration: 1s
      services:
        svc: { slots: 2, queue: { limit: 1 }, handlers: { job: [${wait('10ms')}] } }
      traffic:
        ${requestsAt([0, 0, 0, 0], '{ svc: { latency: 3ms } }', 8)}
    `),
  );
  it('serves as many as there are slots, queues the next, refuses the rest', () => {
    expect(['r1', 'r2', 'r3', 'r4'].map((name) => endOf(run, name))).toEqual([
      { end: 'good', afterMs: 16 },
      { end: 'good', afterMs: 16 },
      { end: 'good', afterMs: 26 },
      { end: 'refused svc: queue full', afterMs: 6 },
    ]);
  });
  it('counts the refusal at the instance, at the link and at the traffic', () => {
    expect(run.services.svc.instances[0]).toMatchObject({ arrived: 4, good: 3, refused: 1, slots: { max: 2 }, queue: { max: 1 } });
    expect(run.links['r4.svc']).toMatchObject({ sent: 1, refused: { 'svc: queue full': 1 } });
  });

  it('refuses everyone beyond the slots when the queue has no room at all', () => {
    const none = simulated(scenario(`
      duration: 1s
      services:
        svc: { slots: 1, queue: { limit: 0 }, handlers: { job: [${wait('10ms')}] } }
      traffic:
        ${requestsAt([0, 5, 10], 'svc', 8)}
    `));
    // The third comes at the very instant at which the first leaves: what was scheduled first happens first (rule 53), and that is the leaving.
    expect(['r1', 'r2', 'r3'].map((name) => endOf(none, name).end)).toEqual(['good', 'refused svc: queue full', 'good']);
  });

  it('refuses the connection of a dead process before it looks at slots or queue', () => {
    const dead = simulated(scenario(`
      duration: 1s
      services:
        svc: { slots: 1, queue: { limit: 5 }, handlers: { job: [${wait('10ms')}] } }
      faults:
        kill: { at: 100ms, target: svc, crash: true }
      traffic:
        ${requestsAt([200], 'svc', 8)}
    `));
    expect(endOf(dead, 'r1')).toEqual({ end: 'failed svc: connection refused', afterMs: 0 });
    expect(dead.services.svc.instances[0]).toMatchObject({ arrived: 0, failed: 0 });
  });

  it('takes a free slot although the queue has no room', () => {
    const free = simulated(scenario(`
      duration: 1s
      services:
        svc: { slots: 1, queue: { limit: 0 }, handlers: { job: [${wait('10ms')}] } }
      traffic:
        ${requestsAt([0, 11], 'svc', 8)}
    `));
    expect(latenciesOf(free)).toEqual([10, 10]);
  });
});

describe('rule 7: `slotsHeld: request` holds a slot from admission to answer, through downstream calls and pool waits', () => {
  const run = simulated(
    scenario(`
      duration: 1s
      tick: 1s
      services:
        svc:
          slots: 2
          handlers: { job: [${wait('10ms')}, { call: db.read }] }
          to: { db: { latency: 5ms, pool: { max: 1 } } }
        db: { handlers: { read: [${wait('20ms')}] } }
      traffic:
        ${requestsAt([0, 0, 0], 'svc', 8)}
    `),
  );
  it('lets the third in only when the first has its answer', () => {
    // Slots: r1 and r2 at 0. Pool of one connection, 30 ms a call: r1 10 to 40, r2 waits 30 ms, 40 to 70.
    // r3 gets the slot of r1 at 40, computes to 50, waits for the connection to 70, ends at 100.
    expect(latenciesOf(run)).toEqual([40, 70, 100]);
  });
  it('counts the wait for the connection as time in the slot', () => {
    expect(run.services.svc.instances[0].slots).toEqual({ mean: (40 + 70 + 60) / 1000, max: 2 });
    expect(run.services.svc.instances[0].queue).toEqual({ mean: 0.04, max: 1 });
    expect(run.links['svc.db'].pool?.waitMs).toMatchObject({ count: 2, max: 30, mean: 25 });
  });
  it('holds it beyond what it computes, too', () => {
    const both = simulated(scenario(`
      duration: 1s
      services:
        svc: { slots: 1, handlers: { job: [{ cpu: { assumed: 10ms, cv: 0 } }, ${wait('20ms')}] } }
      traffic:
        ${requestsAt([0, 0], 'svc', 8)}
    `));
    expect(latenciesOf(both)).toEqual([30, 60]);
  });
  it('hands the slot over in the order of arrival', () => {
    const fifo = simulated(scenario(`
      duration: 1s
      services:
        svc: { slots: 1, handlers: { job: [${wait('10ms')}] } }
      traffic:
        ${requestsAt([0, 3, 1, 2], 'svc', 8)}
    `));
    expect(latenciesOf(fifo)).toEqual([10, 37, 19, 28]);
  });
});

describe('rule 9: patience counts the wait for the first slot only', () => {
  const impatient = (timesMs: readonly number[], steps: string, patience: string, more = ''): string =>
    scenario(`
      duration: 2s
      services:
        svc:
          slots: 1
          queue: { limit: 1, patience: ${patience} }
          handlers: { job: [${steps}] }
          ${more}
        db: { handlers: { read: [${wait('100ms')}] } }
      traffic:
        ${requestsAt(timesMs, '{ svc: { latency: 2ms } }', 8)}
    `);

  it('refuses who has waited that long for a slot, at that instant', () => {
    const run = simulated(impatient([0, 0], wait('50ms'), '20ms'));
    expect(endOf(run, 'r1')).toEqual({ end: 'good', afterMs: 54 });
    expect(endOf(run, 'r2')).toEqual({ end: 'refused svc: patience', afterMs: 24 });
  });
  it('gives the place in the queue to the next one', () => {
    const run = simulated(impatient([0, 0, 10, 30], wait('50ms'), '20ms'));
    expect(endOf(run, 'r3').end).toBe('refused svc: queue full');
    expect(endOf(run, 'r4')).toEqual({ end: 'good', afterMs: 50 + 50 - 30 + 4 });
  });
  it('ends with the slot: what runs after 15 ms in the queue may take 200 ms more', () => {
    const run = simulated(impatient([0, 0], `${wait('15ms')}, { call: db.read }`.replace('{ call: db.read }', wait('0ms')), '20ms'));
    expect(latenciesOf(run)).toEqual([19, 34]);
    const long = simulated(impatient([0], `${wait('15ms')}, { call: db.read }, ${wait('85ms')}`, '20ms', 'to: { db: { } }'));
    expect(latenciesOf(long)).toEqual([204]);
  });
  it('does not count a wait for a connection', () => {
    const run = simulated(
      impatient([0, 0], '{ call: db.read }', '20ms', 'to: { db: { pool: { max: 1 } } }').replace('slots: 1', 'slots: 2'),
    );
    expect(latenciesOf(run)).toEqual([104, 204]);
  });
});

describe('rule 10: who times out leaves its entry in the queue and is served for nobody', () => {
  const run = simulated(
    scenario(`
      duration: 1s
      tick: 10ms
      services:
        svc: { slots: 1, handlers: { job: [${wait('30ms')}] } }
      traffic:
        ${oneRequest('a', 0, '{ svc: { timeout: 10ms } }')}
        ${oneRequest('b', 0, '{ svc: { timeout: 10ms } }')}
        ${oneRequest('c', 20, 'svc')}
    `),
  );
  it('fails both at their timeout', () => {
    expect(endOf(run, 'a')).toEqual({ end: 'failed svc: timeout', afterMs: 10 });
    expect(endOf(run, 'b')).toEqual({ end: 'failed svc: timeout', afterMs: 10 });
  });
  it('still serves both, before the one that waits behind them', () => {
    expect(endOf(run, 'c')).toEqual({ end: 'good', afterMs: 90 - 20 });
    expect(run.services.svc.instances[0]).toMatchObject({ arrived: 3, good: 3, slots: { mean: 0.09, max: 1 } });
  });
  it('keeps the abandoned entry in the queue until its turn', () => {
    expect(cells(run, run.ticks.services.svc.instances[0].queue.end).slice(0, 7)).toEqual([1, 1, 2, 1, 1, 1, 0]);
  });
  it('counts one attempt each on the link, ended when the caller gave up', () => {
    expect(run.links['b.svc']).toMatchObject({ sent: 1, good: 0, failed: { 'svc: timeout': 1 }, inFlight: 0 });
  });
});
