import { describe, expect, it } from 'vitest';
import { studied } from '../support/studied.js';
import type { Study } from '../../src/study/types.js';

const actuals = ({ claims }: Study): (number | null)[] => claims.map(({ actual }) => actual);

describe('a host', () => {
  /** One core that an app and its database share: 40 ms of CPU a request, so 25/s at most. */
  const oneBox = (rate: string, more = ''): string => `
duration: 40s
hosts: { box: { cpus: 1, memory: 1GiB } }
services:
  app: { host: box, memory: { base: 100MiB }, handlers: { ask: [{ cpu: { assumed: 30ms, cv: 0, why: a guess } }, { call: db }] } }
  db: { host: box, memory: { base: 300MiB }, handlers: { any: [{ cpu: { assumed: 10ms, cv: 0, why: a guess } }] } }
traffic: { users: { to: app, send: ask, open: { rate: ${rate}, arrivals: even } } }
${more}`;

  it('has the CPU and memory of all that is on it', () => {
    const [cpu, memory] = actuals(studied(oneBox('10/s', 'claims: { a: { of: box, cpu: ">= 0" }, b: { of: box, memory: ">= 0B" } }')));
    expect(cpu).toBeCloseTo(0.4, 2);
    // Levels keep four digits.
    expect(memory! / 2 ** 20).toBeCloseTo(400, 1);
  });

  it('is what breaks first, not the services on it', () => {
    const { firstToBreak, runs } = studied(oneBox('40/s', 'objectives: { quick: { of: users, p95: "<= 500ms" } }'));
    expect(firstToBreak).toMatchObject({ objective: 'quick', resource: { service: 'box', instance: null, what: 'cpu' }, evidence: { limit: 1 } });
    expect(runs['base'].eventLog.filter(({ kind }) => kind === 'saturated').map(({ subject, cause }) => `${subject} ${cause}`)).toEqual(['box cpu']);
  });

  it('that stands apart from the traffic is not blamed', () => {
    const { firstToBreak } = studied(`
duration: 40s
hosts: { box: { cpus: 1, memory: 1GiB } }
services:
  app: { handlers: { ask: [{ fail: broken }] } }
  other: { host: box, handlers: { work: [{ cpu: { assumed: 50ms, cv: 0, why: a guess } }] } }
traffic:
  users: { to: app, send: ask, open: { rate: 5/s, arrivals: even } }
  others: { to: other, send: work, open: { rate: 40/s, arrivals: even } }
objectives: { available: { of: users, good: ">= 99%" } }`);
    expect(firstToBreak).toMatchObject({ objective: 'available', resource: null });
  });

  it('on a machine with a price is billed throughout, a host without a machine is not', () => {
    const bill = (host: string): Study['runs'][string]['cost'] => studied(`
duration: 100s
machines: { large: { cpus: 2, memory: 1GiB, price: 36 USD/h } }
hosts: { box: ${host} }
services: { app: { host: box, handlers: { ask: [{ wait: 1ms }] } } }
traffic: { users: { to: app, send: ask, open: { rate: 1/s } } }`).runs['base'].cost;
    expect(bill('{ machine: large }')).toMatchObject({ services: { box: { billedS: 100, extraS: 0, machine: 'large', amount: 1 } }, amount: 1, currency: 'USD', unknown: [] });
    expect(bill('{ cpus: 2, memory: 1GiB }')).toMatchObject({ services: {}, amount: null, currency: null, unknown: [] });
  });
});

describe('a lock', () => {
  /** Bursts of ten for one row that each holds for 100 ms: they wait 0, 100 … 900 ms. */
  const row = (more: string): string => `
duration: 30s
services:
  app: { handlers: { join: [{ transaction: db, steps: [{ lock: seat, wait: 50s }, { call: db.write }] }] } }
  db: { handlers: { write: [{ wait: { assumed: 100ms, cv: 0, why: a guess } }] } }
traffic: { joins: { to: app, send: join, keys: 1, bursts: { sizes: [10, 1], every: 10s } } }
phases: { crowd: [0s, 10s], one: [10s, 20s] }
${more}`;

  it('has its mean wait by phase, by either name, and 0 where nobody had to wait', () => {
    const waits = actuals(studied(row(`claims:
  a: { of: seat, lockWait: ">= 0ms", in: crowd }
  b: { of: db.seat, lockWait: ">= 0ms", in: crowd }
  c: { of: seat, lockWait: ">= 0ms", in: one }
  d: { of: seat, lockWait: ">= 0ms" }`)));
    expect(waits).toEqual([500, 500, 0, 500]);
  });

  it('that somebody waits for all the time is what breaks first', () => {
    const { firstToBreak, runs, claims } = studied(`
duration: 60s
services:
  app: { handlers: { join: [{ lock: seat, wait: 50s }, { wait: { assumed: 100ms, cv: 0, why: a guess } }] } }
traffic: { joins: { to: app, send: join, keys: 1, open: { rate: 20/s, arrivals: even } } }
objectives: { quick: { of: joins, p95: "<= 3s" } }
claims: { told: { order: [saturated seat, saturated app.seat] } }`);
    expect(firstToBreak).toMatchObject({ objective: 'quick', resource: { service: 'app.seat', instance: null, what: 'lock', sinceMs: 0 } });
    expect(claims[0]).toMatchObject({ held: true });
    expect(runs['base'].locks['app.seat'].waitMs!.count).toBeGreaterThan(100);
  });
});

describe('a link', () => {
  it('has latency and pool wait of one phase', () => {
    const figures = actuals(studied(`
duration: 20s
services:
  app: { handlers: { ask: [{ call: db }] }, to: { db: { pool: { max: 1 } } } }
  db: { handlers: { any: [{ wait: { assumed: 100ms, cv: 0, why: a guess } }] } }
traffic: { users: { to: app, send: ask, bursts: { sizes: [1, 3], every: 10s } } }
phases: { alone: [0s, 10s], crowd: [10s, 20s] }
faults: { slowly: { at: 10s, target: db, slow: 2x } }
claims:
  a: { of: app.db, p95: ">= 0ms", in: alone }
  b: { of: app.db, p95: ">= 0ms", in: crowd }
  c: { of: app.db, poolWait: ">= 0ms", in: alone }
  d: { of: app.db, poolWait: ">= 0ms", in: crowd }`));
    expect(figures).toEqual([100, 200, 0, 300]);
  });
});

describe('the cost of a phase', () => {
  it('is what was billed in it, to the second, as a rate by the hour', () => {
    const { claims, runs } = studied(`
duration: 100s
machines: { small: { cpus: 1, memory: 1GiB, price: 36 USD/h } }
services:
  app:
    machine: small
    autoscale: { min: 1, max: 2, target: 50%, every: 15s, boot: 10s, inWindow: 300s }
    handlers: { ask: [{ cpu: { assumed: 10ms, cv: 0, why: a guess } }] }
traffic: { users: { to: app, send: ask, open: { arrivals: even, rate: [[0s, 20/s], [50s, 20/s], [50s, 90/s], [100s, 90/s]] } } }
phases: { calm: [0s, 50s], rush: [50s, 100s] }
claims: { a: { of: app, cost: ">= 0 USD/h", in: calm }, b: { of: app, cost: ">= 0 USD/h", in: rush }, c: { of: app, cost: ">= 0 USD/h" } }`);
    const spans = runs['base'].services['app'].instances.flatMap(({ billedMs }) => billedMs);
    const [decided] = runs['base'].eventLog.filter(({ kind }) => kind === 'scale-out');
    expect(spans).toEqual([[0, 100_000], [decided.tMs, 100_000]]);
    expect(claims.map(({ actual }) => actual)).toEqual([0.5 / 50, (0.5 + (100_000 - decided.tMs) / 100_000) / 50, (1 + (100_000 - decided.tMs) / 100_000) / 100].map((perS) => expect.closeTo(perS * 3600, 9) as number));
  });
});

describe('a load that the generator could not make', () => {
  // Two open at most, each for 1 s: of 10/s in the second phase only 2/s are offered.
  const study = studied(`
duration: 40s
services: { app: { handlers: { ask: [{ wait: { assumed: 1s, cv: 0, why: a guess } }] } }, aside: { handlers: { other: [{ wait: 1ms }] } } }
traffic:
  users: { to: app, send: ask, limit: 2, open: { arrivals: even, rate: [[0s, 1/s], [20s, 1/s], [20s, 10/s], [40s, 10/s]] } }
  others: { to: aside, send: other, open: { rate: 1/s } }
phases: { easy: [0s, 20s], hard: [20s, 40s] }
objectives:
  rate: { of: users, rate: ">= 1/s", in: [easy, hard] }
  behind: { of: users.app, good: ">= 99%", in: hard }
  dropped: { of: users, dropped: "<= 1%", in: hard }
  apart: { of: others, good: ">= 99%", in: hard }`);

  it('is a warning in that phase and of the run, with its share', () => {
    const { warnings, traffic, phases } = study.runs['base'];
    expect(warnings.map(({ kind, subject, phase }) => [kind, subject, phase])).toEqual([['dropped', 'users', null], ['dropped', 'users', 'hard']]);
    const { offered, dropped } = phases['hard'].traffic['users'];
    expect(offered + dropped).toBe(200);
    expect(dropped).toBe(traffic['users'].dropped);
    expect(warnings[1].data['share']).toBeCloseTo(dropped / 200, 5);
  });

  it('makes verdicts of that phase blind, but for what was dropped and what its requests do not reach', () => {
    expect(study.verdicts.map(({ objective, phase, blind }) => [objective, phase, blind])).toEqual([
      ['rate', 'easy', false], ['rate', 'hard', true], ['behind', 'hard', true], ['dropped', 'hard', false], ['apart', 'hard', false],
    ]);
    expect(study.verdicts.find(({ objective }) => objective === 'dropped')).toMatchObject({ met: false });
  });
});

describe('outlier ejection', () => {
  it('that its own rule never lets happen is a warning', () => {
    const warnings = (instances: number): unknown => studied(`
duration: 2s
services: { proxy: { to: { app: { outlier: {} } } }, app: { instances: ${instances}, handlers: { ask: [{ wait: 1ms }] } } }
traffic: { users: { to: proxy, send: ask, open: { rate: 1/s } } }`).runs['base'].warnings;
    expect(warnings(9)).toEqual([{ kind: 'outlier-never', subject: 'proxy.app', phase: null, data: { targets: 9, maxEjected: 0.1 } }]);
    expect(warnings(10)).toEqual([]);
  });
});
