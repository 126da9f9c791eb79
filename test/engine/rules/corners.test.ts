import { describe, expect, it } from 'vitest';
import { scenario, simulated } from '../../support/simulated.js';
import type { SimulatedRun } from '../../../src/study/types.js';
import { CpuRig, ms } from '../parts/cpu-rig.js';

const run = (rest: string): SimulatedRun => simulated(scenario(`duration: 6s\n${rest}`));
const one = (sizes: string, rest = ''): string => `bursts: { sizes: ${sizes}, every: 500ms, rounds: 1 }${rest}`;

/** Where two rules meet: each of these was wrong once, and found by the naive twin. */
describe('where rules meet', () => {
  it('a deadline that passes in a freeze gives back the connection that was promised meanwhile', () => {
    const { traffic } = run(`
services:
  a: { handlers: { x: [{ call: b.y }] }, to: { b: { deadline: 100ms, pool: { max: 1 } } } }
  b: { handlers: { y: [{ wait: { assumed: 30ms, cv: 0 } }] } }
traffic:
  t: { to: a, send: x, ${one('[4]')} }
  later: { to: a, send: x, start: 1s, ${one('[3]')} }
faults: { f: { target: a, freeze: true, at: 20ms, for: 500ms } }`);
    expect(traffic.t).toMatchObject({ good: 1, failed: { 'b: deadline': 3 } });
    expect(traffic.later.good).toBe(3);
  });
  it('after a deadline that passed in a freeze nothing is tried again', () => {
    const { traffic, links } = run(`
services:
  a: { handlers: { x: [{ call: b.y }] }, to: { b: { deadline: 100ms, retries: { max: 5 } } } }
  b: { handlers: { y: [{ wait: { assumed: 50ms, cv: 0 } }, { fail: bug }] } }
traffic: { t: { to: a, send: x, ${one('[3]')} } }
faults: { f: { target: a, freeze: true, at: 20ms, for: 500ms } }`);
    expect(traffic.t).toMatchObject({ failed: { 'b: bug': 3 }, badLatencyMs: { max: 520 } });
    expect(links['a.b']).toMatchObject({ sent: 3, retries: 0 });
  });
  it('a request that loses its patience for a turn gives its locks back', () => {
    const { traffic } = run(`
services:
  a:
    slots: 1
    slotsHeld: cpu
    queue: { patience: 20ms }
    handlers: { x: [{ lock: l, wait: 1s }, { cpu: { assumed: 10ms, cv: 0 } }], busy: [{ cpu: { assumed: 100ms, cv: 0 } }] }
traffic:
  busy: { to: a, send: busy, ${one('[1]')} }
  t: { to: a, send: x, keys: 1, start: 10ms, bursts: { sizes: [1], every: 500ms, rounds: 5 } }`);
    expect(traffic.t).toMatchObject({ good: 4, refused: { 'a: patience': 1 } });
  });
  it('a cancelled request that stood at the door of a frozen process is not let in', () => {
    const { services } = run(`
services: { a: { handlers: { x: [{ wait: 1ms }] } } }
traffic: { t: { to: { a: { timeout: 50ms, cancel: true } }, send: x, start: 10ms, ${one('[3]')} } }
faults: { f: { target: a, freeze: true, at: 0s, for: 500ms } }`);
    expect(services.a.instances[0].arrived).toBe(0);
  });
  it('a message over a cut link is refused at once', () => {
    const { links, services } = run(`
services:
  a: { to: { q: {} }, handlers: { x: [{ publish: q.m }] } }
  q: {}
  w: { consumes: q, handlers: { m: [{ wait: 1ms }] } }
traffic: { t: { to: a, send: x, ${one('[5]')} } }
faults: { f: { target: [a, q], cut: true, at: 0s } }`);
    expect(links['a.q']).toMatchObject({ sent: 5, failed: { 'q: cut off': 5 } });
    expect(services.w.instances[0].arrived).toBe(0);
  });
  it('a link whose retries take a fresh key asks for another row', () => {
    const seats = (key: string): number => run(`
services: { a: { stock: { seat: 1 }, handlers: { x: [{ take: seat, orElse: [{ fail: full }] }] } } }
traffic: { t: { to: { a: { retries: { max: 3, when: [full], key: ${key} } } }, send: x, keys: 20, ${one('[15]')} } }`).traffic.t.good;
    expect(seats('fresh')).toBeGreaterThan(seats('same'));
  });
  it('an instance that drains is gone when the last thing on its way to it is turned away', () => {
    const { eventLog } = run(`
services:
  lb: { to: { a: { latency: 40ms } } }
  a:
    instances: 2
    slots: 10
    rateLimit: { rate: 1/s }
    autoscale: { min: 1, max: 2, target: 50%, every: 1s, window: 1s, boot: 0s, inWindow: 0s, drain: 3s, metric: slots }
    handlers: { x: [{ wait: { assumed: 1ms, cv: 0 } }] }
traffic: { t: { to: lb, send: x, open: { rate: 50/s, arrivals: even } } }`);
    const decided = eventLog.find(({ kind }) => kind === 'scale-in')!.tMs;
    const gone = eventLog.find(({ kind }) => kind === 'gone')!.tMs;
    expect(gone - decided).toBeLessThan(100);
  });
  it('jobs that are done at one instant end in the order in which they began', () => {
    const rig = new CpuRig();
    const container = rig.container({ capCores: 1 });
    const ends: number[] = [];
    rig.onEnd = (job) => void ends.push(job);
    for (let i = 0; i < 20; i++) rig.begin(container, 10 * ms);
    rig.run(1e9);
    expect(ends).toEqual(Array.from({ length: 20 }, (_, i) => i));
  });
  it('`any` of a service catches requests that only a later service asks for', () => {
    const { traffic } = run(`
services:
  b: { handlers: { any: [{ wait: { assumed: 50ms, cv: 0 } }] } }
  a: { handlers: { get: [{ call: b.whatever }] } }
traffic: { t: { to: a, send: get, ${one('[2]')} } }`);
    expect(traffic.t).toMatchObject({ good: 2, latencyMs: { p50: 50 } });
  });
  it('who waits for a lock inside a transaction whose process dies does not get it', () => {
    const { traffic } = run(`
services:
  a:
    to: { db: { pool: { max: 5 } } }
    handlers:
      first: [{ transaction: db, steps: [{ lock: l, wait: 1s }, { wait: { assumed: 500ms, cv: 0 } }] }]
      second: [{ transaction: db, steps: [{ lock: l, wait: 1s }, { wait: { assumed: 300ms, cv: 0 } }] }]
  db: { recovery: { by: restart, after: 0s }, handlers: { q: [] } }
traffic:
  first: { to: a, send: first, keys: 1, ${one('[1]')} }
  second: { to: a, send: second, keys: 1, start: 50ms, ${one('[1]')} }
  third: { to: a, send: second, keys: 1, start: 150ms, ${one('[1]')} }
faults: { f: { target: db, crash: true, at: 100ms } }`);
    expect(traffic.second).toMatchObject({ good: 0, failed: { 'db: killed': 1 }, badLatencyMs: { max: 50 } });
    expect(traffic.third.latencyMs!.max).toBe(300);
  });
  it('of transactions that are lost together, those that began first go on first', () => {
    const { traffic } = run(`
services:
  a:
    stock: { seat: 1 }
    to: { db: { pool: { max: 5 } } }
    handlers:
      hold: [{ transaction: db, steps: [{ lock: l, wait: 1s }, { wait: { assumed: 30ms, cv: 0 } }] }]
      early: [{ transaction: db, steps: [{ lock: l, wait: 1s }], orElse: [{ take: seat }] }]
      late: [{ transaction: db, steps: [{ lock: l, wait: 1s }], orElse: [{ take: seat }] }]
  db: { handlers: { q: [] } }
traffic:
  hold: { to: a, send: hold, keys: 1, ${one('[3, 1]')} }
  early: { to: a, send: early, keys: 1, start: 510ms, ${one('[1]')} }
  late: { to: a, send: late, keys: 1, start: 512ms, ${one('[1]')} }
faults: { f: { target: db, crash: true, at: 515ms } }`);
    expect(traffic.early).toMatchObject({ good: 1, declined: {} });
    expect(traffic.late).toMatchObject({ good: 0, declined: { 'a: no seat': 1 } });
  });
  it('a lock whose turn to be tried again comes after its transaction was lost is not taken', () => {
    const { traffic } = run(`
services:
  a:
    to: { db: { pool: { max: 5 } } }
    handlers:
      again: [{ transaction: db, steps: [{ lock: l, wait: 50ms, retries: { max: 1, backoff: 100ms } }, { wait: { assumed: 300ms, cv: 0 } }] }]
  db: { recovery: { by: restart, after: 0s }, handlers: { hold: [{ lock: l, wait: 1s }, { wait: { assumed: 120ms, cv: 0 } }] } }
traffic:
  hold: { to: db, send: hold, keys: 1, ${one('[1]')} }
  again: { to: a, send: again, keys: 1, start: 50ms, ${one('[1]')} }
faults: { f: { target: db, crash: true, at: 110ms } }`);
    // From 50 ms on: 50 ms in the line, 100 ms of pause.
    expect(traffic.again).toMatchObject({ good: 0, failed: { 'db: killed': 1 }, badLatencyMs: { max: 150 } });
  });
  it('a wait for a lock that is over in a lost transaction is not repeated', () => {
    const { traffic } = run(`
services:
  a:
    to: { db: { pool: { max: 5 }, timeout: 100ms } }
    handlers:
      hold: [{ transaction: db, steps: [{ lock: l, wait: 1s }, { wait: { assumed: 400ms, cv: 0 } }] }]
      late: [{ transaction: db, steps: [{ parallel: [[{ lock: l, wait: 200ms, retries: { max: 5, backoff: 10ms } }], [{ call: db.q }]] }] }]
  db: { handlers: { q: [{ wait: { assumed: 1s, cv: 0 } }] } }
traffic:
  hold: { to: a, send: hold, keys: 1, ${one('[1]')} }
  late: { to: a, send: late, keys: 1, start: 50ms, ${one('[1]')} }`);
    expect(traffic.late).toMatchObject({ good: 0, failed: { 'db: timeout': 1 }, badLatencyMs: { max: 200 } });
  });
  it('a lock that a lost transaction hands to a branch of its own is free at the end', () => {
    const { traffic } = run(`
services:
  a:
    to: { db: { pool: { max: 5 }, timeout: 150ms } }
    handlers:
      hold: [{ transaction: db, steps: [{ lock: l, wait: 1s }, { wait: { assumed: 100ms, cv: 0 } }] }]
      twice: [{ transaction: db, steps: [{ take: seat }, { parallel: [[{ lock: l, wait: 1s }, { wait: { assumed: 300ms, cv: 0 } }], [{ lock: l, wait: 1s }], [{ call: db.q }]] }] }]
      after: [{ transaction: db, steps: [{ lock: l, wait: 1s }] }]
  db: { stock: { seat: 1 }, handlers: { q: [{ wait: { assumed: 1s, cv: 0 } }] } }
traffic:
  hold: { to: a, send: hold, keys: 1, ${one('[1]')} }
  twice: { to: a, send: twice, keys: 1, start: 50ms, ${one('[1]')} }
  after: { to: a, send: after, keys: 1, start: 1s, ${one('[1]')} }`);
    expect(traffic.twice.failed).toEqual({ 'db: timeout': 1 });
    expect(traffic.after).toMatchObject({ good: 1, latencyMs: { max: 0 } });
  });
});
