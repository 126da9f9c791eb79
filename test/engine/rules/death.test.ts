import { describe, expect, it } from 'vitest';
import { cells, endOf, eventsOf, oneRequest, requestsAt, scenario, simulated } from '../../support/simulated.js';

const wait = (time: string): string => `{ wait: { assumed: ${time}, cv: 0 } }`;

describe('rule 15: every request in the instance, queued too, ends `failed: killed` at its caller one link latency later', () => {
  const run = simulated(
    scenario(`
      duration: 1s
      tick: 10ms
      services:
        svc: { slots: 2, recovery: { by: restart, after: 300ms }, handlers: { job: [${wait('50ms')}] } }
      faults:
        kill: { at: 100ms, target: svc, crash: true }
      traffic:
        ${requestsAt([10, 70, 80, 90, 98], '{ svc: { latency: 5ms } }', 8)}
    `),
  );
  it('ends the running and the queued ones together, 5 ms after the kill', () => {
    expect(endOf(run, 'r1')).toEqual({ end: 'good', afterMs: 60 });
    expect(['r2', 'r3', 'r4'].map((name) => endOf(run, name))).toEqual([70, 80, 90].map((atMs) => ({ end: 'failed svc: killed', afterMs: 105 - atMs })));
  });
  it('refuses the one that was under way at the instant of the kill', () => {
    expect(endOf(run, 'r5')).toEqual({ end: 'failed svc: connection refused', afterMs: 10 });
  });
  it('counts them to that kill', () => {
    expect(eventsOf(run, 'crashed')).toEqual([
      { tMs: 100, kind: 'crashed', subject: 'svc.1', cause: 'kill', basis: 'counted', data: { lost: 3, running: 2, queued: 1, recoveryMs: 300 } },
    ]);
    expect(run.services.svc.instances[0]).toMatchObject({ arrived: 4, good: 1, failed: 3 });
  });
  it('leaves nothing behind: no slot, no queue, no CPU until it is back', () => {
    const { slots, queue, state } = run.ticks.services.svc.instances[0];
    expect(cells(run, slots.end).slice(9, 12)).toEqual([2, 0, 0]);
    expect(cells(run, queue.end).slice(9, 12)).toEqual([1, 0, 0]);
    expect(cells(run, state).slice(9, 12)).toEqual([2, 3, 3]);
  });
  it('says `killed` at every traffic of a longer path, with the place where it died', () => {
    const path = simulated(
      scenario(`
        duration: 1s
        services:
          lb: { to: { svc: { latency: 2ms } } }
          svc: { handlers: { job: [${wait('50ms')}] } }
        faults:
          kill: { at: 30ms, target: svc, crash: true }
        traffic:
          ${oneRequest('r1', 0, '{ lb: { latency: 3ms } }')}
      `),
    );
    expect(endOf(path, 'r1')).toEqual({ end: 'failed svc: killed', afterMs: 30 + 2 + 3 });
  });
});

describe("rule 16: a dead instance's own calls go on at the callee as abandoned work, and its connections close at once", () => {
  const dying = (dbSlots: string): string =>
    scenario(`
      duration: 1s
      services:
        api:
          recovery: { by: restart, after: 10ms }
          handlers: { job: [{ call: db.read }] }
          to: { db: { pool: { max: 1 } } }
        db: { slots: ${dbSlots}, handlers: { read: [${wait('100ms')}] } }
      faults:
        kill: { at: 50ms, target: api, crash: true }
      traffic:
        ${requestsAt([0, 10, 70], 'api', 8)}
    `);

  it('lets the new process have the connection at once, while the old call is still being served', () => {
    const run = simulated(dying('unlimited'));
    expect(endOf(run, 'r1')).toEqual({ end: 'failed api: killed', afterMs: 50 });
    expect(endOf(run, 'r2')).toEqual({ end: 'failed api: killed', afterMs: 40 });
    expect(endOf(run, 'r3')).toEqual({ end: 'good', afterMs: 100 });
  });
  it('serves the old call to its end', () => {
    const run = simulated(dying('unlimited'));
    expect(run.services.db.instances[0]).toMatchObject({ arrived: 2, good: 2, slots: { mean: 0.2, max: 2 } });
  });
  it('lets the abandoned call keep its slot at the callee', () => {
    expect(endOf(simulated(dying('1')), 'r3')).toEqual({ end: 'good', afterMs: 130 });
  });
  it('ends the attempt on the link at the death; who only waited for a connection never sent one', () => {
    const run = simulated(dying('unlimited'));
    expect(run.links['api.db']).toMatchObject({ sent: 2, good: 1, failed: { 'api: killed': 1 }, inFlight: 0, pool: { inUse: { max: 1 }, waiting: { max: 1 } } });
  });
  it('lets a call that was still on its way arrive and be served', () => {
    const run = simulated(
      scenario(`
        duration: 1s
        services:
          api: { handlers: { job: [{ call: db.read }] }, to: { db: { latency: 30ms } } }
          db: { handlers: { read: [${wait('100ms')}] } }
        faults:
          kill: { at: 10ms, target: api, crash: true }
        traffic:
          ${requestsAt([0], 'api', 10)}
      `),
    );
    expect(endOf(run, 'r1')).toEqual({ end: 'failed api: killed', afterMs: 10 });
    expect(run.services.db.instances[0]).toMatchObject({ arrived: 1, good: 1, slots: { mean: 0.1 } });
  });
  it('does not answer a caller that died: its own caller hears of the death alone', () => {
    const run = simulated(
      scenario(`
        duration: 1s
        services:
          front: { handlers: { job: [{ call: api.job }] }, recovery: { by: restart, after: 1ms } }
          api: { handlers: { job: [{ call: db.read }] } }
          db: { handlers: { read: [${wait('100ms')}] } }
        faults:
          kill: { at: 50ms, target: front, crash: true }
          later: { at: 60ms, target: api, crash: true }
        traffic:
          ${requestsAt([0], 'front', 10)}
      `),
    );
    expect(endOf(run, 'r1')).toEqual({ end: 'failed front: killed', afterMs: 50 });
    expect(run.services.api.instances[0]).toMatchObject({ arrived: 1, failed: 1 });
    expect(run.services.db.instances[0]).toMatchObject({ arrived: 1, good: 1 });
  });
  it('empties the pool at the death', () => {
    const run = simulated(dying('unlimited'));
    // One connection 0 to 50 ms and 70 to 170 ms.
    expect(run.links['api.db'].pool?.inUse.mean).toBe(0.15);
    expect(run.links['api.db'].pool?.waiting.mean).toBe(0.04);
  });
});

describe('rule 17: a dead process refuses connections at once', () => {
  it('fails after one latency there and one back, until the process is back', () => {
    const run = simulated(scenario(`
      duration: 1s
      services:
        svc: { recovery: { by: restart, after: 100ms }, handlers: { job: [${wait('10ms')}] } }
      faults:
        kill: { at: 100ms, target: svc, crash: true }
      traffic:
        ${requestsAt([100, 191, 195], '{ svc: { latency: 5ms, timeout: 1s } }', 8)}
    `));
    expect(['r1', 'r2', 'r3'].map((name) => endOf(run, name))).toEqual([
      { end: 'failed svc: connection refused', afterMs: 10 },
      { end: 'failed svc: connection refused', afterMs: 10 },
      { end: 'good', afterMs: 20 },
    ]);
  });
});

describe('rule 18: a dead instance still counts as one of the fleet and returns only by its own recovery', () => {
  const fleet = (recovery: string, target = '60%'): string =>
    scenario(`
      duration: 3m
      machines: { box: { cpus: 1, memory: 1GiB } }
      services:
        svc:
          machine: box
          instances: 2
          recovery: ${recovery}
          autoscale: { min: 2, max: 4, target: ${target}, every: 15s, boot: 10s }
          handlers: { job: [{ cpu: { assumed: 10ms, cv: 0 } }] }
      faults:
        kill: { at: 1s, target: svc.2, crash: true }
      traffic:
        jobs: { to: { svc: { policy: round-robin } }, send: job, open: { rate: 150/s, arrivals: even } }
    `);

  it('is back after its own time, with its event', () => {
    const run = simulated(fleet('{ by: restart, after: 20s }'));
    expect(eventsOf(run, 'back')).toEqual([{ tMs: 21_000, kind: 'back', subject: 'svc.2', cause: 'restart', basis: 'estimated', data: { downMs: 20_000, warmUpMs: 0 } }]);
    expect(cells(run, run.ticks.services.svc.instances[1].state).slice(0, 22)).toEqual([2, ...Array<number>(20).fill(3), 2]);
  });
  it('never returns with `none`, and the autoscaler never replaces it', () => {
    const run = simulated(fleet('{ by: none }'));
    expect(eventsOf(run, 'back')).toEqual([]);
    expect(eventsOf(run, 'scale-out')).toEqual([]);
    expect(eventsOf(run, 'crashed')[0]?.data.recoveryMs).toBe(-1);
    expect(run.services.svc.instances.map(({ billedS }) => billedS)).toEqual([180, 180, 0, 0]);
  });
  it('is a missing metric to the autoscaler: idle in a scale-out, so one busy survivor at 75 % orders nobody', () => {
    // Without the dead one: 75 ÷ 60 = 1.25, ⌈1.25 × 1⌉ = 2 = what there is. With it as idle: 37 ÷ 60 turns the direction, so nothing happens.
    expect(eventsOf(simulated(fleet('{ by: none }')), 'scale-out')).toEqual([]);
    // Far above the target it still counts as idle: 75 ÷ 20 = 3.75; with the dead one 37 ÷ 20 = 1.85 over two, ⌈3.7⌉ = 4.
    expect(eventsOf(simulated(fleet('{ by: none }', '20%')), 'scale-out')[0]).toMatchObject({ tMs: 15_000, data: { from: 2, to: 4, metric: 0.75 } });
  });
});
