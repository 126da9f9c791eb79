import { describe, expect, it } from 'vitest';
import type { LevelColumns, SimulatedRun } from '../../../src/study/types.js';
import { cells, scenario, simulated, total } from '../../support/simulated.js';

/**
 * Everything that can hold something, under everything that can take it away: kills at both ends, freezes, cuts, black holes, timeouts, deadlines,
 * cancelling, patience, limits. The traffic ends at 6 s; whatever was held must be back by 20 s. The engine's own laws are checked in every run, too.
 */
const everything = ({ cancel, held, throttle, faults }: { cancel: boolean; held: 'request' | 'cpu'; throttle: string; faults: string }): string =>
  scenario(`
    duration: 20s
    tick: 1s
    hosts: { box: { cpus: 2, memory: 4GiB } }
    services:
      front:
        instances: 2
        slots: 40
        queue: { limit: 20, patience: 300ms }
        handlers:
          buy: [{ cpu: 1ms }, { call: api.buy }]
          look: [{ cpu: 0.5ms }, { call: api.look, retries: { max: 1, backoff: 5ms, jitter: equal } }]
        to:
          api: { latency: { assumed: 1ms, cv: 1 }, policy: least-outstanding, timeout: 250ms, cancel: ${cancel}, retries: { max: 2, backoff: 10ms, jitter: full, budget: 50% }, pool: { max: 30, pending: 30, wait: 100ms, reuse: 7, handshake: { time: 1ms, callerCpu: 0.2ms, calleeCpu: 0.3ms } } }
      api:
        instances: 2
        host: box
        slots: ${held === 'cpu' ? 1 : 25}
        slotsHeld: ${held}
        queue: { limit: 30, patience: 200ms }
        rateLimit: { rate: 400/s, burst: 40, delay: true }
        memory: { base: 100MiB, perRequest: 1MiB, limit: 1GiB }
        recovery: { by: restart, after: 300ms }
        handlers:
          buy:
            - cpu: 1ms
            - lock: cart
              wait: 150ms
              retries: { max: 1, backoff: 10ms }
            - transaction: db
              steps:
                - lock: row
                  wait: 100ms
                - { take: seat, orElse: [ { put: seat, count: 3 }, { decline: full, chance: 50% } ] }
                - parallel:
                    - [ { call: db.read }, { take: seat, orElse: [ { wait: 1ms } ] } ]
                    - [ { wait: 3ms }, { lock: other, wait: 50ms, orElse: [ { wait: 1ms } ] }, { call: db.write } ]
                    - [ { call: cache.get, orElse: [ { cpu: 1ms } ] } ]
                - { transaction: db, chance: 30%, steps: [ { call: db.write }, { lock: row, wait: 20ms, chance: 10% } ], orElse: [ { wait: 1ms } ] }
                - call: db.write
              orElse: [ { call: cache.get }, { fail: not-bought, chance: 50% } ]
            - cpu: 0.5ms
          look: [ { cache: 60%, miss: [ { call: db.read } ] }, { cpu: 0.5ms } ]
        to:
          db: { latency: 0.5ms, timeout: 80ms, deadline: 120ms, cancel: ${cancel}, retries: { max: 1 }, pool: { max: 12, pending: 20, wait: 80ms, reuse: 50, handshake: { time: 2ms, calleeCpu: 1ms } } }
          cache: { timeout: 20ms, breaker: { errors: 50%, window: 1s, minimum: 20, open: 500ms, probes: 3 } }
      db:
        slots: 8
        cpus: 1
        queue: { limit: 20 }
        throttle: ${throttle}
        recovery: { by: restart, after: 200ms }
        stock: { seat: 5 }
        handlers: { read: [ { cpu: 1ms } ], write: [ { cpu: 1ms }, { wait: 4ms } ] }
      cache: { slots: 1, slotsHeld: cpu, queue: { limit: 3, patience: 5ms }, recovery: { by: restart, after: 100ms }, handlers: { get: [ { cpu: 0.3ms }, { wait: 2ms }, { cpu: 0.1ms } ] } }
    faults: { ${faults} }
    traffic:
      buyers: { to: { front: { timeout: 600ms, cancel: ${cancel} } }, send: buy, keys: 15, open: { rate: 150/s }, stop: 6s }
      lookers: { to: { front: { latency: 2ms } }, send: look, open: { rate: 200/s }, stop: 6s }
      crowd: { to: front, send: { buy: 1, look: 2 }, keys: { per: burst, count: 4 }, bursts: { sizes: [80], every: 1500ms, rounds: 3 }, stop: 6s }
  `);

const faults = {
  kills: 'a: { at: 1s, target: api.1, crash: true }, b: { at: 1500ms, target: db, crash: true }, c: { at: 2s, target: front.2, crash: true }, d: { at: 3s, target: cache, crash: true }, e: { at: 4s, target: api, crash: true }',
  freezes: 'a: { at: 1s, for: 500ms, target: api.1, freeze: true }, b: { at: 2s, for: 300ms, target: db, freeze: true }, c: { at: 3s, for: 400ms, target: front, freeze: true }, d: { at: 3200ms, target: front.1, crash: true }, e: { at: 4s, for: 200ms, target: cache, freeze: true }',
  links: 'a: { at: 1s, for: 500ms, target: [api, db], cut: true }, b: { at: 2s, for: 300ms, target: [api, db], blackhole: true }, c: { at: 3s, for: 1s, target: [front, api], loss: 20% }, d: { at: 4s, for: 500ms, target: db, latency: 60ms }, e: { at: 5s, for: 500ms, target: cache, blackhole: true }',
  strain: 'a: { at: 1s, for: 1s, target: db, slow: 5x }, b: { at: 2s, for: 1s, target: api, steal: 80% }, c: { at: 3s, for: 1s, target: api.2, hog: 900MiB }, d: { at: 4s, for: 1s, target: api, errors: 30% }',
};

const ends = (column: LevelColumns): number => cells1(column);
const cells1 = ({ end }: LevelColumns): number => (typeof end === 'number' ? end : (end.at(-1) ?? 0));
/** Everything that is still held, waited for, or under way at the end of the run. */
const left = (run: SimulatedRun): Record<string, number> => ({
  inFlight: total(Object.values(run.traffic).map(({ inFlight }) => inFlight)) + total(Object.values(run.links).map(({ inFlight }) => inFlight)),
  locksHeld: total(Object.values(run.ticks.locks).map(({ held }) => ends(held))),
  locksWaiting: total(Object.values(run.ticks.locks).map(({ waiting }) => ends(waiting))),
  slots: total(Object.values(run.ticks.services).flatMap(({ instances }) => instances.map(({ slots }) => ends(slots)))),
  queued: total(Object.values(run.ticks.services).flatMap(({ instances }) => instances.map(({ queue }) => ends(queue)))),
  cpu: total(Object.values(run.ticks.services).flatMap(({ instances }) => instances.map(({ cpuCores }) => ends(cpuCores)))),
  connections: total(Object.values(run.ticks.links).flatMap(({ callers }) => callers.map(({ poolInUse }) => (poolInUse ? ends(poolInUse) : 0)))),
  inLine: total(Object.values(run.ticks.links).flatMap(({ callers }) => callers.map(({ poolWaiting }) => (poolWaiting ? ends(poolWaiting) : 0)))),
});
const nothing = { inFlight: 0, locksHeld: 0, locksWaiting: 0, slots: 0, queued: 0, cpu: 0, connections: 0, inLine: 0 };

describe('when the traffic has ended nothing is left behind: no lock, slot, connection, place in a line', () => {
  const cases = Object.entries(faults).flatMap(([name, what], i) => [
    { name, what, cancel: i % 2 === 0, held: 'request', throttle: 'smooth' } as const,
    { name, what, cancel: i % 2 === 1, held: 'cpu', throttle: 'cfs' } as const,
  ]);
  it.each(cases)('$name, cancel: $cancel, slotsHeld: $held', ({ what, cancel, held, throttle }) => {
    for (const seed of [1, 2, 3]) {
      const run = simulated(everything({ cancel, held, throttle, faults: what }), { seed });
      expect(left(run)).toEqual(nothing);
      // Something of everything has happened.
      expect(run.traffic.buyers.good).toBeGreaterThan(50);
      expect(total(Object.values(run.traffic.buyers.failed))).toBeGreaterThan(0);
      expect(total(cells(run, run.ticks.traffic.crowd.offered))).toBe(240);
    }
  });
});
