import { describe, expect, it } from 'vitest';
import { parseScenario } from '../../../src/scenario/index.js';
import { cells, eventsOf, oneRequest, requestsAt, scenario, simulated, total } from '../../support/simulated.js';
import type { SimulatedRun } from '../../../src/study/types.js';

const wait = (time: string): string => `{ wait: { assumed: ${time}, cv: 0 } }`;
const cpu = (time: string): string => `{ cpu: { assumed: ${time}, cv: 0 } }`;

describe('rule 48: a request belongs to the phase in which it arrived, with its final outcome; tick columns count when it happens', () => {
  const run = simulated(
    scenario(`
      duration: 4s
      tick: 1s
      services:
        svc: { handlers: { job: [${wait('600ms')}], bad: [${wait('600ms')}, { fail: bug }], endless: [${wait('1h')}] } }
      traffic:
        jobs: { to: svc, send: job, start: 900ms, stop: 1800ms, open: { rate: 10/s, arrivals: even } }
        bad: { to: svc, send: bad, start: 900ms, stop: 901ms, open: { rate: 1/s, arrivals: even } }
        endless: { to: svc, send: endless, start: 500ms, stop: 501ms, open: { rate: 1/s, arrivals: even } }
      phases:
        first: [0s, 1s]
        second: [1s, 2s]
        both: [0s, 2s]
        late: [2s, 4s]
    `),
  );
  it('counts by arrival: at exactly 1 s the second phase has begun', () => {
    expect(['first', 'second', 'both', 'late'].map((phase) => run.phases[phase].traffic.jobs.good)).toEqual([1, 8, 9, 0]);
    expect(run.phases.first.traffic.jobs.latencyMs).toMatchObject({ count: 1, max: 600 });
  });
  it('gives it its outcome although that comes in the next phase', () => {
    expect(run.phases.first.traffic.bad).toMatchObject({ offered: 1, failed: { 'svc: bug': 1 } });
    expect(run.phases.second.traffic.bad).toMatchObject({ offered: 0, failed: {}, latencyMs: null });
  });
  it('counts one that never ends as in flight, in the phase in which it came', () => {
    expect(run.phases.first.traffic.endless).toMatchObject({ offered: 1, good: 0, inFlight: 1 });
    expect(run.phases.late.traffic.endless).toMatchObject({ offered: 0, inFlight: 0 });
  });
  it('counts in ticks when it happens', () => {
    expect(cells(run, run.ticks.traffic.jobs.offered)).toEqual([1, 8, 0, 0]);
    expect(cells(run, run.ticks.traffic.jobs.good)).toEqual([0, 5, 4, 0]);
    expect(cells(run, run.ticks.traffic.jobs.inFlight)).toEqual([1, 4, 0, 0]);
    expect(cells(run, run.ticks.traffic.bad.failed)).toEqual([0, 1, 0, 0]);
  });
  it('rates good requests by the length of the phase', () => {
    expect(run.phases.both.traffic.jobs.goodPerS).toBe(4.5);
    expect(run.traffic.jobs.goodPerS).toBe(2.25);
  });
});

describe('rule 49: levels per tick are time mean, maximum, and value at the end', () => {
  const run = simulated(
    scenario(`
      duration: 3s
      tick: 1s
      machines: { box: { cpus: 2, memory: 1GiB } }
      services:
        svc: { machine: box, memory: { base: 100MiB, perRequest: 100MiB }, slots: 2, handlers: { job: [${cpu('500ms')}] } }
      traffic:
        ${requestsAt([200, 600, 650, 1900], 'svc', 8)}
    `),
  );
  const { slots, queue, cpuCores, memoryBytes } = run.ticks.services.svc.instances[0];
  // r1 200 to 700, r2 600 to 1100, r3 queued 650 to 700 and served to 1200, r4 1900 to 2400.
  it('of slots', () => {
    expect(cells(run, slots.mean)).toEqual([0.5 + 0.4 + 0.3, 0.1 + 0.2 + 0.1, 0.4]);
    expect(cells(run, slots.max)).toEqual([2, 2, 1]);
    expect(cells(run, slots.end)).toEqual([2, 1, 0]);
  });
  it('of the queue, although it is empty again at the end of the tick', () => {
    expect(cells(run, queue.mean)).toEqual([0.05, 0, 0]);
    expect(cells(run, queue.max)).toEqual([1, 0, 0]);
    expect(cells(run, queue.end)).toEqual([0, 0, 0]);
  });
  it('of CPU in cores, and of memory', () => {
    expect(cells(run, cpuCores.mean)).toEqual([1.2, 0.4, 0.4]);
    expect(cells(run, cpuCores.max)).toEqual([2, 2, 1]);
    expect(cells(run, cpuCores.end)).toEqual([2, 1, 0]);
    expect(cells(run, memoryBytes.end).map((bytes) => Math.round(bytes / 2 ** 20))).toEqual([300, 200, 100]);
  });
  it('and over the run as a whole, by its own length', () => {
    expect(run.services.svc.instances[0].slots).toEqual({ mean: 0.666667, max: 2 });
    expect(run.services.svc.instances[0].cpuCores).toEqual({ mean: 0.666667, max: 2 });
  });
});

/** n requests at (nearly) one instant to one slot, `eachMs` of service: latencies are 1, 2, … n times that, less a microsecond each. */
const ladder = (n: number, eachMs: number): SimulatedRun =>
  simulated(
    scenario(`
      duration: ${n * eachMs + 1000}ms
      tick: ${n * eachMs + 1000}ms
      services:
        svc: { slots: 1, handlers: { job: [${wait(`${eachMs}ms`)}] } }
      traffic:
        jobs: { to: svc, send: job, stop: ${n}us, open: { rate: 1000000/s, arrivals: even } }
    `),
  );

describe('rule 50: percentiles are nearest rank over the stated set, with a histogram error of at most 1 %', () => {
  it('takes the ⌈p × n⌉-th of ten', () => {
    const { latencyMs } = ladder(10, 10).traffic.jobs;
    const ranks = { p50: 5, p90: 9, p95: 10, p99: 10, 'p99.9': 10 } as const;
    for (const [name, rank] of Object.entries(ranks)) {
      const exact = rank * 10 - (rank - 1) / 1000;
      expect(Math.abs(latencyMs![name as keyof typeof ranks] / exact - 1)).toBeLessThan(0.01);
    }
  });
  it.each([1000, 777])('is within 1 %% of the exact one of %i, mean and maximum exact', (n) => {
    const { latencyMs } = ladder(n, 1).traffic.jobs;
    expect(latencyMs?.count).toBe(n);
    for (const [name, share] of [['p50', 0.5], ['p90', 0.9], ['p95', 0.95], ['p99', 0.99], ['p99.9', 0.999]] as const) {
      const rank = Math.ceil(share * n);
      expect(Math.abs(latencyMs![name] / (rank - (rank - 1) / 1000) - 1)).toBeLessThan(0.01);
    }
    expect(latencyMs?.max).toBeCloseTo(n - (n - 1) / 1000, 2);
    expect(latencyMs?.mean).toBeCloseTo((n + 1) / 2 - (n - 1) / 2000, 2);
  });
  it('is unknown without a sample, never 0', () => {
    const run = simulated(scenario(`
      duration: 2s
      services:
        svc: { handlers: { job: [{ refuse: closed }] } }
      traffic:
        ${oneRequest('r1', 0, 'svc')}
    `));
    expect(run.traffic.r1.latencyMs).toBeNull();
    expect(run.ticks.traffic.r1.p50).toEqual([null, null]);
  });
  it('keeps good, valid and bad apart; declined ones are in none', () => {
    const run = simulated(scenario(`
      duration: 2s
      services:
        svc: { handlers: { good: [${wait('10ms')}], bad: [${wait('500ms')}, { fail: bug }], no: [${wait('900ms')}, { decline: no }] } }
      traffic:
        jobs: { to: svc, send: { good: 1, bad: 1, no: 1 }, stop: 1s, open: { rate: 300/s, arrivals: even } }
    `));
    const { offered, good, declined, failed, latencyMs, validLatencyMs, badLatencyMs } = run.traffic.jobs;
    expect(latencyMs).toMatchObject({ count: good, max: 10, mean: 10 });
    expect(badLatencyMs).toMatchObject({ count: failed['svc: bug'], max: 500, mean: 500 });
    expect(validLatencyMs?.count).toBe(good + failed['svc: bug']);
    expect(validLatencyMs?.max).toBe(500);
    expect(offered).toBe(good + failed['svc: bug'] + declined['svc: no']);
  });
  it('judges good ones unless an objective says otherwise', () => {
    const { objectives } = parseScenario(
      scenario(`
        duration: 2s
        services:
          svc: { handlers: { job: [${wait('10ms')}] } }
        traffic:
          ${oneRequest('r1', 0, 'svc')}
        objectives:
          quick: { of: r1, p95: "<= 1s" }
          all: { of: r1, p95: "<= 1s", over: valid }
      `),
      { file: 'test.yaml' },
    ).variants[0];
    expect(objectives.map(({ over }) => over)).toEqual(['good', 'valid']);
  });
});

describe('rule 51: latency counts from the intended start', () => {
  it('of an open request, whatever it waits for: one slot, 200 of 10 ms at 100/s and then as many at 200/s', () => {
    const run = simulated(scenario(`
      duration: 20s
      services:
        svc: { slots: 1, handlers: { job: [${wait('10ms')}] } }
      traffic:
        jobs: { to: svc, send: job, stop: 3s, open: { rate: [[0s, 100/s], [2s, 100/s], [2s, 200/s], [3s, 200/s]], arrivals: even } }
    `));
    // The second part is served at 100/s: the last of it comes at 2.995 s and ends at 4 s.
    expect(run.traffic.jobs.offered).toBe(400);
    expect(run.traffic.jobs.latencyMs?.max).toBe(1005);
    expect(run.traffic.jobs.latencyMs?.p50).toBeCloseTo(10, 0);
  });
  it('also of one that waits for a connection of its own link', () => {
    const run = simulated(scenario(`
      duration: 1s
      services:
        svc: { handlers: { job: [${wait('10ms')}] } }
      traffic:
        jobs: { to: { svc: { pool: { max: 1 } } }, send: job, start: 100ms, stop: 105ms, open: { rate: 1000/s, arrivals: even } }
    `));
    expect(run.traffic.jobs.latencyMs).toMatchObject({ count: 5, mean: (10 + 19 + 28 + 37 + 46) / 5, max: 46 });
  });
  it('of a user from the send: what delays one request delays the next one, which does not count that', () => {
    const run = simulated(scenario(`
      duration: 2s
      services:
        svc: { slots: 1, handlers: { job: [${wait('100ms')}] } }
      traffic:
        users: { to: svc, send: job, stop: 900ms, closed: { users: 2, think: { assumed: 10ms, cv: 0 } } }
    `));
    // One slot, 100 ms: the second user joins half a think time later, at 5 ms, and waits for the first; then each waits for the other, but for its think time.
    expect(run.traffic.users.latencyMs).toMatchObject({ count: 10, max: 195, mean: (100 + 195 + 8 * 190) / 10 });
  });
});

/** Even load on a one-core `svc`, a different rate in each second. */
const loaded = (ratesPerS: readonly number[], more = ''): SimulatedRun =>
  simulated(
    scenario(`
      duration: ${ratesPerS.length}s
      tick: 1s
      machines: { box: { cpus: 1, memory: 1GiB } }
      services:
        svc: { machine: box, ${more} handlers: { job: [${cpu('10ms')}] } }
      traffic:
        ${ratesPerS.map((rate, s) => `t${s}: { to: svc, send: job, start: ${s}s, stop: ${s + 1}s, open: { rate: ${rate}/s, arrivals: even } }`).join('\n        ')}
    `),
  );
const saturations = (run: SimulatedRun): [number, unknown, string][] => eventsOf(run, 'saturated').map(({ tMs, data, cause }) => [tMs / 1000, data.sinceMs, cause]);

describe('rule 52: saturated is 95 % of CPU, slots or pool full with somebody waiting, 95 % of memory, in three ticks of five', () => {
  it('needs 95 % of the CPU', () => {
    expect(saturations(loaded([94, 94, 94, 94, 94, 94]))).toEqual([]);
    expect(saturations(loaded([95, 95, 95, 95]))).toEqual([[3, 0, 'cpu']]);
    expect(eventsOf(loaded([96, 96, 96]), 'saturated')[0]).toMatchObject({ subject: 'svc.1', basis: 'estimated', data: { level: 0.96, limit: 1 } });
  });
  it('needs three ticks of the last five, not in a row', () => {
    expect(saturations(loaded([96, 10, 96, 10, 96, 10]))).toEqual([[5, 0, 'cpu']]);
    expect(saturations(loaded([96, 10, 10, 96, 10, 10, 96, 10, 10, 96]))).toEqual([]);
    expect(saturations(loaded([96, 96, 10, 10, 10, 96, 96, 10]))).toEqual([]);
  });
  it('is over when it has not been full for a while, and may come again', () => {
    expect(saturations(loaded([96, 96, 96, 10, 10, 10, 10, 96, 96, 96]))).toEqual([[3, 0, 'cpu'], [10, 7000, 'cpu']]);
    const run = loaded([96, 96, 96, 10, 10, 10, 10]);
    expect(cells(run, run.ticks.services.svc.instances[0].saturated)).toEqual([0, 0, 1, 1, 1, 0, 0]);
  });
  it('measures the CPU by the cap of the container', () => {
    expect(saturations(loaded([48, 48, 48], 'cpus: 0.5,'))).toEqual([[3, 0, 'cpu']]);
  });

  /** Three seconds long, `n` requests of an hour at time 0. */
  const crowd = (n: number, svc: string, steps = wait('1h'), more = ''): SimulatedRun =>
    simulated(
      scenario(`
        duration: 4s
        tick: 1s
        services:
          svc: { ${svc} handlers: { job: [${steps}] } }
          ${more}
        traffic:
          jobs: { to: svc, send: job, stop: ${n}us, open: { rate: 1000000/s, arrivals: even } }
      `),
    );
  it('counts slots only with somebody waiting', () => {
    expect(saturations(crowd(2, 'slots: 2,'))).toEqual([]);
    expect(saturations(crowd(3, 'slots: 2,'))).toEqual([[3, 0, 'slots']]);
  });
  it('counts a pool only with somebody waiting, and the one who owns it', () => {
    const pool = (n: number): SimulatedRun => crowd(n, 'to: { db: { pool: { max: 2 } } },', '{ call: db.read }', `db: { handlers: { read: [${wait('1h')}] } }`);
    expect(saturations(pool(2))).toEqual([]);
    expect(eventsOf(pool(3), 'saturated')).toMatchObject([{ tMs: 3000, subject: 'svc.1', cause: 'pool', basis: 'counted', data: { level: 2, limit: 2 } }]);
  });
  it('counts memory from 95 % of its limit on', () => {
    expect(saturations(crowd(9, 'memory: { perRequest: 10MiB, limit: 100MiB },'))).toEqual([]);
    expect(saturations(crowd(9, 'memory: { base: 6MiB, perRequest: 10MiB, limit: 100MiB },'))).toEqual([[3, 0, 'memory']]);
  });
});

describe('figures add up', () => {
  it('has the columns of a traffic sum to its totals', () => {
    const run = loaded([50, 90, 120, 130, 20]);
    for (const name of Object.keys(run.traffic)) {
      expect(total(cells(run, run.ticks.traffic[name].offered))).toBe(run.traffic[name].offered);
      expect(total(cells(run, run.ticks.traffic[name].good))).toBe(run.traffic[name].good);
    }
  });
});
