import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cells, simulated, total } from '../../support/simulated.js';
import type { SimulatedRun, TrafficTotals } from '../../../src/study/types.js';

type Json = string | number | boolean | readonly Json[] | { readonly [key: string]: Json };
type Map_ = Readonly<Record<string, Json>>;

const durationS = 12;

/** A key that is there or not. */
const maybe = (key: string, values: fc.Arbitrary<Json>): fc.Arbitrary<Map_> => fc.option(values, { nil: null }).map((value) => (value === null ? {} : { [key]: value }));
/** All of these keys in one map. */
const together = (...parts: readonly fc.Arbitrary<Map_>[]): fc.Arbitrary<Map_> => fc.tuple(...parts).map((maps) => Object.assign({}, ...maps) as Map_);
const ms = (least: number, most: number): fc.Arbitrary<string> => fc.integer({ min: least, max: most }).map((value) => `${value}ms`);
const drawn = (least: number, most: number): fc.Arbitrary<Json> =>
  fc.record({ assumed: ms(least, most), cv: fc.constantFrom(0, 0.5, 1, 2) });

const policy = fc.constantFrom('round-robin', 'random', 'two-choices', 'least-outstanding');
const health = fc.record({ path: fc.constantFrom('shared', 'dedicated'), every: ms(300, 2000), timeout: ms(20, 1500), unhealthyAfter: fc.integer({ min: 1, max: 3 }), healthyAfter: fc.integer({ min: 1, max: 3 }) })
  .chain((plain) => fc.constantFrom<Map_>(plain, { ...plain, request: 'ping' }));
const pool = together(fc.record({ max: fc.integer({ min: 1, max: 6 }) }), maybe('pending', fc.integer({ min: 0, max: 5 })), maybe('wait', ms(1, 500)));
const link = together(fc.record({ policy }), maybe('latency', drawn(0, 20)), maybe('timeout', ms(1, 800)));

const step = fc.oneof(
  { weight: 3, arbitrary: drawn(0, 40).map((wait): Json => ({ wait })) },
  { weight: 3, arbitrary: drawn(0, 20).map((cpu): Json => ({ cpu })) },
  { weight: 3, arbitrary: fc.constant<Json>({ call: 'db.query' }) },
  { weight: 1, arbitrary: fc.constantFrom<Json>({ decline: 'no' }, { refuse: 'closed' }, { fail: 'bug' }) },
);
const memory = fc.record({ base: fc.constant('50MiB'), perRequest: fc.integer({ min: 0, max: 20 }).map((n) => `${n}MiB`), leakPerRequest: fc.integer({ min: 0, max: 400 }).map((n) => `${n}KiB`), limit: fc.integer({ min: 80, max: 400 }).map((n) => `${n}MiB`) });

const autoscale = fc.record({ min: fc.constant(1), max: fc.integer({ min: 3, max: 5 }), target: fc.integer({ min: 5, max: 90 }).map((n) => `${n}%`), every: ms(1000, 3000), window: ms(500, 4000), boot: ms(1, 3000), inWindow: ms(0, 4000), outCooldown: ms(0, 3000), drain: ms(0, 1500) });

const api = together(
  fc.record({
    instances: fc.integer({ min: 1, max: 3 }),
    handlers: fc.record({ order: fc.array(step, { minLength: 1, maxLength: 4 }), ping: fc.array(step, { minLength: 0, maxLength: 2 }).map((steps): Json => (steps.length > 0 ? steps : [{ wait: '1ms' }])) }),
    recovery: fc.constantFrom<Json>({ by: 'none' }, { by: 'restart', after: '300ms' }, { by: 'restart', after: '3s' }),
    to: link.chain((plain) => fc.option(pool, { nil: null }).map((own): Json => ({ db: own === null ? plain : { ...plain, pool: own } }))),
  }),
  maybe('machine', fc.constant('box')),
  maybe('cpus', fc.constantFrom(0.5, 1, 1.5)),
  maybe('slots', fc.integer({ min: 1, max: 12 })),
  maybe('queue', together(maybe('limit', fc.integer({ min: 0, max: 15 })), maybe('patience', ms(1, 400)))),
  maybe('memory', memory),
  maybe('warmUp', fc.record({ for: ms(100, 4000), factor: fc.constantFrom('1.5x', '3x') })),
  maybe('autoscale', autoscale),
);
const db = together(
  fc.record({ instances: fc.integer({ min: 1, max: 2 }), handlers: fc.record({ query: fc.array(drawn(0, 60).map((wait): Json => ({ wait })), { minLength: 1, maxLength: 2 }) }) }),
  maybe('slots', fc.integer({ min: 1, max: 10 })),
  maybe('queue', together(maybe('limit', fc.integer({ min: 0, max: 10 })))),
);
const lb = together(
  fc.record({ instances: fc.integer({ min: 1, max: 2 }), to: fc.tuple(link, together(maybe('health', health), maybe('failOpen', fc.constantFrom<Json>(1, 2, '50%')))).map(([plain, more]): Json => ({ api: { ...plain, ...more } })) }),
  maybe('handlers', drawn(0, 2).map((cpu): Json => ({ order: [{ cpu }, { call: 'api.order' }] }))),
);

const rate = fc.oneof(
  fc.integer({ min: 1, max: 120 }).map((n): Json => `${n}/s`),
  fc.tuple(fc.integer({ min: 0, max: 150 }), fc.integer({ min: 0, max: 150 })).map(([a, b]): Json => [['0s', `${a}/s`], ['5s', `${b}/s`], ['8s', '20/s']]),
  fc.record({ stairs: fc.uniqueArray(fc.integer({ min: 1, max: 100 }), { minLength: 2, maxLength: 3 }).map((steps) => steps.map((n) => `${n}/s`)), each: fc.constant('2s'), gap: fc.constantFrom('0s', '500ms'), warmUp: fc.constantFrom('0s', '1s') }),
);
const traffic = together(
  fc.record({ to: link.map((plain): Json => ({ lb: plain })), send: fc.constant<Json>('order'), open: fc.record({ rate, arrivals: fc.constantFrom('even', 'poisson') }) }),
);

const anyScenario = fc.record({
  faultreel: fc.constant(1),
  title: fc.constant('anything'),
  duration: fc.constant(`${durationS}s`),
  tick: fc.constantFrom('1s', '500ms', '3s'),
  seed: fc.integer({ min: 0, max: 1e6 }),
  machines: fc.constant<Json>({ box: { cpus: 2, memory: '1GiB' } }),
  services: fc.record({ lb, api, db }),
  traffic: fc.record({ first: traffic }).chain((one) => fc.option(traffic, { nil: null }).map((second): Json => (second === null ? one : { ...one, second }))),
  phases: fc.constant<Json>({ all: ['0s', '12s'], early: ['0s', '4500ms'], late: ['4500ms', '12s'], overlapping: ['3s', '6s'] }),
  faults: fc.dictionary(fc.constantFrom('one', 'two', 'three'), fc.tuple(ms(0, 11_000), fc.constantFrom('api', 'api.1', 'db.1', 'lb.1')).map(([at, target]): Json => ({ at, target, crash: true }))),
});

const ended = ({ good, declined, refused, failed }: { readonly good: number; readonly declined: number | Readonly<Record<string, number>>; readonly refused: Readonly<Record<string, number>>; readonly failed: Readonly<Record<string, number>> }): number =>
  good + (typeof declined === 'number' ? declined : total(Object.values(declined))) + total(Object.values(refused)) + total(Object.values(failed));

const expectConserved = (totals: TrafficTotals): void => {
  expect(totals.inFlight).toBeGreaterThanOrEqual(0);
  expect(totals.offered).toBe(ended(totals) + totals.inFlight);
  expect(totals.latencyMs?.count ?? 0).toBe(totals.good);
  expect(totals.badLatencyMs?.count ?? 0).toBe(total(Object.values(totals.refused)) + total(Object.values(totals.failed)));
  expect(totals.validLatencyMs?.count ?? 0).toBe((totals.latencyMs?.count ?? 0) + (totals.badLatencyMs?.count ?? 0));
};

/** Paths of everything that JSON cannot say. */
const notFinite = (value: unknown, path: string): string[] => {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [`${path} is ${value}`];
  if (typeof value !== 'object' || value === null) return value === undefined ? [`${path} is undefined`] : [];
  return Object.entries(value).flatMap(([key, inner]) => notFinite(inner, `${path}.${key}`));
};

const expectColumnsToSum = (run: SimulatedRun): void => {
  for (const [name, columns] of Object.entries(run.ticks.traffic)) {
    const totals = run.traffic[name];
    expect(total(cells(run, columns.offered))).toBe(totals.offered);
    expect(total(cells(run, columns.good))).toBe(totals.good);
    expect(total(cells(run, columns.declined))).toBe(total(Object.values(totals.declined)));
    expect(total(cells(run, columns.refused))).toBe(total(Object.values(totals.refused)));
    expect(total(cells(run, columns.failed))).toBe(total(Object.values(totals.failed)));
    expect(cells(run, columns.inFlight).at(-1)).toBe(totals.inFlight);
  }
  for (const [name, { targets, callers }] of Object.entries(run.ticks.links)) {
    const totals = run.links[name];
    expect(total(callers.flatMap(({ sent }) => cells(run, sent)))).toBe(totals.sent);
    expect(total(callers.flatMap(({ good, declined, refused, failed }) => [good, declined, refused, failed].flatMap((column) => cells(run, column))))).toBe(ended(totals));
    expect(total(targets.flatMap(({ good }) => cells(run, good)))).toBe(totals.good);
    expect(total(targets.flatMap(({ sent }) => cells(run, sent)))).toBeLessThanOrEqual(totals.sent);
  }
  for (const [name, { instances }] of Object.entries(run.ticks.services)) {
    instances.forEach((columns, i) => {
      const totals = run.services[name].instances[i];
      for (const what of ['arrived', 'good', 'declined', 'refused', 'failed'] as const) expect(total(cells(run, columns[what]))).toBe(totals[what]);
      const inside = totals.arrived - totals.good - totals.declined - totals.refused - totals.failed;
      expect(inside).toBeGreaterThanOrEqual(0);
      expect(inside).toBeLessThanOrEqual(cells(run, columns.slots.end).at(-1)! + cells(run, columns.queue.end).at(-1)!);
      for (const what of ['slots', 'queue', 'cpuCores', 'memoryBytes'] as const) expect(totals[what].max).toBeGreaterThanOrEqual(totals[what].mean * (1 - 1e-5));
    });
  }
};

const expectWithinLimits = (run: SimulatedRun): void => {
  for (const { name, slots, queueLimit, cpus, memoryLimitBytes } of run.system.services) {
    for (const instance of run.services[name].instances) {
      expect(instance.slots.max).toBeLessThanOrEqual(slots ?? Infinity);
      expect(instance.queue.max).toBeLessThanOrEqual(queueLimit ?? Infinity);
      expect(instance.cpuCores.max).toBeLessThanOrEqual(cpus ?? Infinity);
      // Over its limit an instance is dead at that instant: on average it never is.
      expect(instance.memoryBytes.mean).toBeLessThanOrEqual(memoryLimitBytes ?? Infinity);
      expect(instance.billedS).toBeLessThanOrEqual(durationS);
    }
  }
};

describe('whatever the scenario', () => {
  it('the laws hold, figures add up, nothing is NaN, and twice is the same', () => {
    fc.assert(
      fc.property(anyScenario, (file) => {
        const text = JSON.stringify(file);
        const run = simulated(text);
        for (const totals of [run, ...Object.values(run.phases)].flatMap(({ traffic: of }) => Object.values(of))) expectConserved(totals);
        for (const name of Object.keys(run.traffic)) {
          expect(run.phases.early.traffic[name].offered + run.phases.late.traffic[name].offered).toBe(run.traffic[name].offered);
          expect(run.phases.all.traffic[name]).toEqual(run.traffic[name]);
          expect(run.links[`${name}.lb`].sent).toBe(run.traffic[name].offered);
        }
        for (const { sent, ...rest } of Object.values(run.links)) expect(sent).toBe(ended(rest) + rest.inFlight);
        expect(run.requests).toBe(total(Object.values(run.traffic).map(({ offered }) => offered)));
        expectColumnsToSum(run);
        expectWithinLimits(run);
        expect(notFinite(run, 'run')).toEqual([]);
        const times = run.eventLog.map(({ tMs }) => tMs);
        expect(times).toEqual(times.toSorted((a, b) => a - b));
        expect(JSON.stringify(simulated(text))).toBe(JSON.stringify(run));
      }),
      { numRuns: 60, seed: 20_260_801 },
    );
  });
});
