import { describe, expect, it } from 'vitest';
import { cells, latenciesOf, requestsAt, scenario, simulated } from '../../support/simulated.js';

/** One instance of `svc` on a machine of so many cores; single requests come at these times. */
const jobsOn = (cores: string, steps: string, timesMs: readonly number[], more = ''): string =>
  scenario(`
    duration: 2s
    machines: { box: { cpus: ${cores}, memory: 1GiB } }
    services:
      svc:
        machine: box
        ${more}
        handlers: { job: [${steps}] }
    traffic:
      ${requestsAt(timesMs, 'svc', 6)}
  `);
const cpu = (time: string): string => `{ cpu: { assumed: ${time}, cv: 0 } }`;
const wait = (time: string): string => `{ wait: { assumed: ${time}, cv: 0 } }`;

describe('rule 1: a pool is shared max-min fairly, equally inside a container, and no job gets more than one core', () => {
  it('gives a job alone one core and no more, however many are free', () => {
    expect(latenciesOf(simulated(jobsOn('8', cpu('10ms'), [0])))).toEqual([10]);
  });

  it.each([
    { cores: '1', jobs: 2, eachMs: 20 },
    { cores: '1', jobs: 7, eachMs: 70 },
    { cores: '2', jobs: 2, eachMs: 10 },
    { cores: '2', jobs: 3, eachMs: 15 },
    { cores: '4', jobs: 6, eachMs: 15 },
    { cores: '0.5', jobs: 1, eachMs: 20 },
    { cores: '1.5', jobs: 1, eachMs: 10 },
    { cores: '1.5', jobs: 3, eachMs: 20 },
  ])('$jobs jobs of 10 ms that begin together on $cores cores all end after $eachMs ms, to the nanosecond', ({ cores, jobs, eachMs }) => {
    const run = simulated(jobsOn(cores, cpu('10ms'), Array<number>(jobs).fill(0)));
    expect(latenciesOf(run)).toEqual(Array<number>(jobs).fill(eachMs));
  });

  it.each([2, 3, 7, 20])('lets %i jobs of 1 us on one core end after as many us, to the nanosecond', (jobs) => {
    const run = simulated(jobsOn('1', cpu('1us'), Array<number>(jobs).fill(0)));
    expect(latenciesOf(run)).toEqual(Array<number>(jobs).fill(jobs / 1000));
  });

  it('shares anew at every start and end: 30 ms at 0, 10 ms at 10 ms on one core', () => {
    const run = simulated(
      scenario(`
        duration: 1s
        machines: { box: { cpus: 1, memory: 1GiB } }
        services:
          svc: { machine: box, handlers: { long: [${cpu('30ms')}], short: [${cpu('10ms')}] } }
        traffic:
          long: { to: svc, send: long, stop: 1us, open: { rate: 1/s, arrivals: even } }
          short: { to: svc, send: short, start: 10ms, stop: 10001us, open: { rate: 1/s, arrivals: even } }
      `),
    );
    expect(run.traffic.short.latencyMs?.max).toBe(20);
    expect(run.traffic.long.latencyMs?.max).toBe(40);
  });

  it('caps a container at its `cpus` below the machine', () => {
    expect(latenciesOf(simulated(jobsOn('8', cpu('10ms'), [0, 0, 0, 0], 'cpus: 2')))).toEqual([20, 20, 20, 20]);
  });

  it('keeps containers on machines of their own apart', () => {
    const run = simulated(
      scenario(`
        duration: 1s
        machines: { box: { cpus: 1, memory: 1GiB } }
        services:
          svc: { machine: box, instances: 2, handlers: { job: [${cpu('10ms')}] } }
        traffic:
          jobs: { to: svc, send: job, stop: 2ms, open: { rate: 1000/s, arrivals: even } }
      `),
    );
    expect(run.traffic.jobs.latencyMs).toMatchObject({ count: 2, mean: 10, max: 10 });
  });
});

describe('rule 2: `wait` is never stretched by CPU shortage', () => {
  it('ends every wait after its own time while the only core is overloaded', () => {
    const run = simulated(jobsOn('1', `${wait('50ms')}, ${cpu('10ms')}, ${wait('30ms')}`, [0, 0, 0, 0]));
    expect(latenciesOf(run)).toEqual([120, 120, 120, 120]);
  });
});

describe('rule 3: without machine, host or cpus every job gets a core, and CPU is still reported in cores', () => {
  const run = simulated(
    scenario(`
      duration: 1s
      tick: 100ms
      services:
        svc: { handlers: { job: [${cpu('50ms')}] } }
      traffic:
        ${requestsAt(Array<number>(9).fill(0), 'svc', 8)}
    `),
  );
  it('ends all nine together after their own time', () => {
    expect(latenciesOf(run)).toEqual(Array<number>(9).fill(50));
  });
  it('reports nine busy cores, 0.45 core-seconds', () => {
    const { cpuCores } = run.services.svc.instances[0];
    expect(cpuCores).toEqual({ mean: 0.45, max: 9 });
    expect(cells(run, run.ticks.services.svc.instances[0].cpuCores.mean).slice(0, 2)).toEqual([4.5, 0]);
  });
  it('bounds it by `cpus` alone, too', () => {
    const bounded = simulated(scenario(`
      duration: 1s
      services:
        svc: { cpus: 3, handlers: { job: [${cpu('50ms')}] } }
      traffic:
        ${requestsAt(Array<number>(9).fill(0), 'svc', 8)}
    `));
    expect(latenciesOf(bounded)).toEqual(Array<number>(9).fill(150));
  });
});

/** `svc` crashes at 1 s, is back at 2 s, and is warm again at 12 s; factor 3 falls to 1. */
const warmingUp = (steps: string, timesMs: readonly number[]): string =>
  scenario(`
    duration: 20s
    machines: { box: { cpus: 1, memory: 1GiB } }
    services:
      svc:
        machine: box
        recovery: { by: restart, after: 1s }
        warmUp: { for: 10s, factor: 3x }
        handlers: { job: [${steps}] }
        to: { db: { latency: 5ms } }
      db: { handlers: { job: [${wait('40ms')}] } }
    faults:
      kill: { at: 1s, target: svc, crash: true }
    traffic:
      ${requestsAt(timesMs, 'svc', 6)}
  `);

describe('rule 4: warm-up multiplies the demand of steps that begin then', () => {
  it('takes the factor at the begin of each step, not at the begin of the request', () => {
    // At 7 s the factor is 2, so the first step takes 1 s; at 8 s it is 1.8.
    expect(latenciesOf(simulated(warmingUp(`${wait('500ms')}, ${wait('100ms')}`, [7000])))).toEqual([1180]);
  });
  it('does not shorten a step that is still running when warm-up is over', () => {
    // At 11 s the factor is 1.2.
    expect(latenciesOf(simulated(warmingUp(wait('5s'), [11_000])))).toEqual([6000]);
    expect(latenciesOf(simulated(warmingUp(cpu('5s'), [11_000])))).toEqual([6000]);
  });
});

describe('rule 5: the warm-up factor falls linearly to 1, on own `cpu` and `wait`, not on callees', () => {
  it.each([
    { step: 'cpu', steps: cpu('10ms') },
    { step: 'wait', steps: wait('10ms') },
  ])('on $step: 1 before the first death, 3 on return, 2 half way, 1 afterwards', ({ steps }) => {
    expect(latenciesOf(simulated(warmingUp(steps, [0, 2000, 4500, 7000, 12_000, 13_000])))).toEqual([10, 30, 25, 20, 10, 10]);
  });
  it('leaves the link and the callee as they are', () => {
    expect(latenciesOf(simulated(warmingUp(`${cpu('10ms')}, { call: db.job }`, [2000])))).toEqual([30 + 5 + 40 + 5]);
  });
});
