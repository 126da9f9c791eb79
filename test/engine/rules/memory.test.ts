import { describe, expect, it } from 'vitest';
import { cells, endOf, eventsOf, requestsAt, scenario, simulated } from '../../support/simulated.js';

const MiB = 2 ** 20;
const wait = (time: string): string => `{ wait: { assumed: ${time}, cv: 0 } }`;

const holding = (memory: string, timesMs: readonly number[], more = ''): string =>
  scenario(`
    duration: 1s
    tick: 10ms
    services:
      svc:
        slots: 1
        memory: { base: 100MiB, ${memory} }
        recovery: { by: restart, after: 200ms }
        handlers: { job: [${wait('20ms')}] }
    ${more}
    traffic:
      ${requestsAt(timesMs, '{ svc: { latency: 1ms } }', 6)}
  `);

describe('rule 11: in flight = in slots + queued + parked in waits', () => {
  it('holds memory for the one that runs and for the two that are queued, until each leaves', () => {
    const run = simulated(holding('perRequest: 10MiB', [0, 0, 0]));
    const { end, max } = run.ticks.services.svc.instances[0].memoryBytes;
    expect(cells(run, end).slice(0, 8).map((bytes) => bytes / MiB)).toEqual([130, 130, 120, 120, 110, 110, 100, 100].map((mebibytes) => Number((mebibytes * MiB).toPrecision(4)) / MiB));
    expect(cells(run, max)[0]).toBeGreaterThan(129 * MiB);
    expect(run.services.svc.instances[0].memoryBytes.max).toBeCloseTo(130 * MiB, -3);
    // 100 MiB all the time, and 10 MiB for 21 + 41 + 61 − 3 ms of travel.
    expect(run.services.svc.instances[0].memoryBytes.mean / MiB).toBeCloseTo(100 + (10 * (20 + 40 + 60)) / 1000, 3);
  });
  it('holds it through a wait for a connection and a call', () => {
    const run = simulated(scenario(`
      duration: 1s
      services:
        svc:
          memory: { perRequest: 10MiB }
          handlers: { job: [{ call: db.read }] }
          to: { db: { pool: { max: 1 } } }
        db: { handlers: { read: [${wait('100ms')}] } }
      traffic:
        ${requestsAt([0, 0], 'svc', 8)}
    `));
    expect(run.services.svc.instances[0].memoryBytes.mean / MiB).toBeCloseTo((10 * (100 + 200)) / 1000, 4);
  });
});

describe('rule 12: above the limit the kill comes before the newcomer runs, and it dies too', () => {
  const run = simulated(holding('perRequest: 10MiB, limit: 129MiB', [0, 2, 7]));
  it('kills at the admission that goes over, everyone at that instant', () => {
    expect(eventsOf(run, 'oom')).toEqual([
      {
        tMs: 8,
        kind: 'oom',
        subject: 'svc.1',
        cause: 'memory limit',
        basis: 'estimated',
        data: { lost: 3, running: 1, queued: 2, memoryBytes: 130 * MiB, limitBytes: 129 * MiB, recoveryMs: 200 },
      },
    ]);
  });
  it('ends all three `killed`, the newcomer after its two latencies', () => {
    expect(['r1', 'r2', 'r3'].map((name) => endOf(run, name))).toEqual([
      { end: 'failed svc: killed', afterMs: 9 },
      { end: 'failed svc: killed', afterMs: 7 },
      { end: 'failed svc: killed', afterMs: 2 },
    ]);
    expect(run.services.svc).toMatchObject({ ooms: 1 });
    expect(run.services.svc.instances[0]).toMatchObject({ arrived: 3, failed: 3, good: 0, ooms: 1 });
  });
  it('kills above the limit, not at it', () => {
    const atIt = simulated(holding('perRequest: 10MiB, limit: 130MiB', [0, 2, 7]));
    expect(eventsOf(atIt, 'oom')).toEqual([]);
    expect(atIt.traffic.r3.good).toBe(1);
  });
  it('does not count what has left: six one after another never hold more than one', () => {
    const oneByOne = simulated(holding('perRequest: 20MiB, limit: 120MiB', [0, 50, 100, 150, 200, 250]));
    expect(eventsOf(oneByOne, 'oom')).toEqual([]);
  });
  it('also kills when the leak of a request that ends goes over the limit, and that one has its answer', () => {
    const leaking = simulated(holding('leakPerRequest: 20MiB, limit: 130MiB', [0, 0, 0]));
    // 100, 120 at 21 ms, 140 at 41 ms: above 130, while the third begins.
    expect(eventsOf(leaking, 'oom')).toMatchObject([{ tMs: 41, data: { lost: 1, memoryBytes: 140 * MiB } }]);
    expect(['r1', 'r2', 'r3'].map((name) => endOf(leaking, name))).toEqual([
      { end: 'good', afterMs: 22 },
      { end: 'good', afterMs: 42 },
      { end: 'failed svc: killed', afterMs: 42 },
    ]);
  });
  it('lets the newcomer do nothing first: it has asked nobody', () => {
    const run = simulated(scenario(`
      duration: 1s
      services:
        svc: { memory: { perRequest: 10MiB, limit: 15MiB }, recovery: { by: none }, handlers: { job: [{ call: db.read }] } }
        db: { handlers: { read: [${wait('20ms')}] } }
      traffic:
        ${requestsAt([0, 5], 'svc', 8)}
    `));
    expect(eventsOf(run, 'oom')).toMatchObject([{ tMs: 5, data: { lost: 2 } }]);
    expect(run.links['svc.db'].sent).toBe(1);
    expect(endOf(run, 'r2')).toEqual({ end: 'failed svc: killed', afterMs: 0 });
  });
  it('takes the limit of the machine when the file gives none', () => {
    const onMachine = simulated(
      scenario(`
        duration: 1s
        machines: { box: { cpus: 1, memory: 115MiB } }
        services:
          svc: { machine: box, recovery: { by: none }, memory: { base: 100MiB, perRequest: 10MiB }, handlers: { job: [${wait('20ms')}] } }
        traffic:
          ${requestsAt([0, 5], 'svc', 10)}
      `),
    );
    expect(eventsOf(onMachine, 'oom')).toMatchObject([{ tMs: 5, data: { limitBytes: 115 * MiB, recoveryMs: -1 } }]);
  });
});

describe('rule 13: leaks start anew with the process', () => {
  it('falls to nothing with the death and comes back with the base alone', () => {
    const run = simulated(holding('leakPerRequest: 10MiB', [0, 100, 200, 700], 'faults: { kill: { at: 300ms, target: svc, crash: true } }'));
    const end = cells(run, run.ticks.services.svc.instances[0].memoryBytes.end).map((bytes) => Math.round(bytes / MiB));
    expect([end[1], end[5], end[15], end[25], end[35], end[49], end[55], end[75]]).toEqual([100, 110, 120, 130, 0, 0, 100, 110]);
  });
});
