import { describe, expect, it } from 'vitest';
import { cells, endOf, eventsOf, requestsAt, scenario, simulated } from '../../support/simulated.js';
import type { SimulatedRun } from '../../../src/study/types.js';

const wait = (time: string): string => `{ wait: { assumed: ${time}, cv: 0 } }`;
const cpu = (time: string): string => `{ cpu: { assumed: ${time}, cv: 0 } }`;

interface Hit {
  readonly faults: readonly string[];
  readonly at: readonly number[];
  readonly steps?: string;
  readonly svc?: string;
  readonly link?: string;
  readonly duration?: string;
  readonly more?: string;
}
/** Single requests of 10 ms at these times, ms, at `svc`, while faults hit it. */
const hit = ({ faults, at, steps = wait('10ms'), svc = '', link = '', duration = '2s', more = '' }: Hit): SimulatedRun =>
  simulated(
    scenario(`
      duration: ${duration}
      tick: 100ms
      machines: { box: { cpus: 1, memory: 1GiB } }
      services:
        svc: { machine: box, ${svc} handlers: { job: [${steps}] } }
        ${more}
      faults: { ${faults.map((fault, i) => `f${i + 1}: { ${fault} }`).join(', ')} }
      traffic:
        ${requestsAt(at, `{ svc: { ${link} } }`, 8)}
    `),
  );
const ends = (run: SimulatedRun): string[] => Object.keys(run.traffic).map((name) => endOf(run, name).end);
const times = (run: SimulatedRun): (number | null)[] => Object.keys(run.traffic).map((name) => endOf(run, name).afterMs);
const within = 'at: 100ms, for: 100ms, target: svc';

describe('a fault', () => {
  it('says when it begins and ends, and what it hits, as written', () => {
    const run = hit({ faults: [`${within}.1, slow: 2x`, 'at: 150ms, for: 100ms, target: [r1, svc], cut: true', 'at: 300ms, target: svc, freeze: true'], at: [0] });
    expect(run.eventLog.map(({ tMs, kind, subject, cause, basis, data }) => [tMs, kind, subject, cause, basis, data.target])).toEqual([
      [100, 'fault', 'f1', 'slow', 'counted', 'svc.1'],
      [150, 'fault', 'f2', 'cut', 'counted', 'r1 → svc'],
      [200, 'fault-end', 'f1', 'slow', 'counted', 'svc.1'],
      [250, 'fault-end', 'f2', 'cut', 'counted', 'r1 → svc'],
      [300, 'fault', 'f3', 'freeze', 'counted', 'svc'],
    ]);
  });
  it('lasts from its begin, inclusive, to its end, exclusive', () => {
    expect(times(hit({ faults: [`${within}, slow: 3x`], at: [99.999, 100, 199.999, 200] }))).toEqual([10, 30, 30, 10]);
  });
  it('without `for` lasts to the end of the run', () => {
    expect(times(hit({ faults: ['at: 100ms, target: svc, slow: 3x'], at: [50, 1900] }))).toEqual([10, 30]);
  });
  it('on a service hits all its instances, on one only that one', () => {
    const slowed = (target: string): (number | null)[] => times(hit({ faults: [`at: 0s, target: ${target}, slow: 3x`], at: [100, 101, 102, 103], svc: 'instances: 2,' }));
    expect(slowed('svc')).toEqual([30, 30, 30, 30]);
    // Each traffic has a balancer of its own, which begins with instance 1.
    expect(slowed('svc.1')).toEqual([30, 30, 30, 30]);
    expect(slowed('svc.2')).toEqual([10, 10, 10, 10]);
  });
  it('on a service also hits instances that come up while it lasts', () => {
    const run = simulated(
      scenario(`
        duration: 6s
        machines: { box: { cpus: 1, memory: 1GiB } }
        services:
          svc: { machine: box, autoscale: { min: 1, max: 2, target: 50%, every: 1s, window: 1s, boot: 1s }, handlers: { job: [${cpu('10ms')}], look: [${wait('10ms')}] } }
        faults:
          heavy: { at: 500ms, target: svc, errors: 100% }
        traffic:
          jobs: { to: svc, send: job, stop: 500ms, open: { rate: 120/s, arrivals: even } }
          looks: { to: svc, send: look, start: 3s, open: { rate: 10/s, arrivals: even } }
      `),
    );
    expect(eventsOf(run, 'booted')).toHaveLength(1);
    expect(run.traffic.looks).toMatchObject({ good: 0, failed: { 'svc: error': 30 } });
    expect(run.services.svc.instances[1].failed).toBe(15);
  });
});

describe('slow', () => {
  it('stretches steps that begin then (rule 4), not those that have begun', () => {
    expect(times(hit({ faults: [`${within}, slow: 3x`], at: [95, 195] }))).toEqual([10, 30]);
  });
  it('multiplies where several overlap (rule 42)', () => {
    expect(times(hit({ faults: [`${within}, slow: 3x`, 'at: 150ms, for: 100ms, target: svc, slow: 2x'], at: [149, 160, 230] }))).toEqual([30, 60, 20]);
  });
});

describe('steal', () => {
  it('takes CPU from running jobs at once (rule 4), and gives it back', () => {
    // 10 ms done, then 10 ms at half the speed; 50 ms of its 60 at half, the rest at full speed.
    expect(times(hit({ faults: [`${within}, steal: 50%`], at: [90], steps: cpu('20ms') }))).toEqual([30]);
    expect(times(hit({ faults: [`${within}, steal: 50%`], at: [100], steps: cpu('60ms') }))).toEqual([110]);
  });
  it('by the larger share where several overlap (rule 42)', () => {
    const faults = ['at: 100ms, for: 400ms, target: svc, steal: 50%', 'at: 200ms, for: 100ms, target: svc, steal: 75%'];
    expect(times(hit({ faults, at: [150, 200, 350], steps: cpu('20ms') }))).toEqual([40, 80, 40]);
    const smallerLater = ['at: 100ms, for: 400ms, target: svc, steal: 75%', 'at: 200ms, for: 100ms, target: svc, steal: 50%'];
    expect(times(hit({ faults: smallerLater, at: [100, 210, 350], steps: cpu('20ms') }))).toEqual([80, 80, 80]);
  });
});

describe('freeze', () => {
  const frozen = `${within}, freeze: true`;
  it('stops computing, which goes on where it was', () => {
    expect(times(hit({ faults: [frozen], at: [95], steps: cpu('10ms') }))).toEqual([110]);
  });
  it('keeps what comes meanwhile until its end', () => {
    expect(times(hit({ faults: [frozen], at: [120], steps: cpu('10ms') }))).toEqual([90]);
  });
  it('lets a wait that is over go on at its end', () => {
    expect(times(hit({ faults: [frozen], at: [95, 120] }))).toEqual([105, 90]);
  });
  it('is over with the last of several', () => {
    const two = [frozen, 'at: 150ms, for: 150ms, target: svc, freeze: true'];
    expect([95, 120].map((at) => times(hit({ faults: two, at: [at], steps: cpu('10ms') }))[0])).toEqual([210, 190]);
  });
  it('is silence to the caller: no answer, no refusal', () => {
    expect(ends(hit({ faults: [frozen], at: [120], link: 'timeout: 50ms' }))).toEqual(['failed svc: timeout']);
  });
});

describe('errors', () => {
  it('answers a share of the requests with an error at once', () => {
    expect(ends(hit({ faults: [`${within}, errors: 100%`], at: [50, 150, 250] }))).toEqual(['good', 'failed svc: error', 'good']);
    expect(times(hit({ faults: [`${within}, errors: 100%`], at: [150], link: 'latency: 5ms' }))).toEqual([10]);
  });
  it('of the larger share where several overlap', () => {
    const share = (faults: string): number => {
      const run = simulated(scenario(`
        duration: 20s
        services:
          svc: { handlers: { job: [] } }
        faults: { ${faults} }
        traffic:
          jobs: { to: svc, send: job, open: { rate: 200/s, arrivals: even } }
      `));
      return (run.traffic.jobs.failed['svc: error'] ?? 0) / 4000;
    };
    const alone = share('a: { at: 0s, target: svc, errors: 20% }');
    expect(Math.abs(alone - 0.2)).toBeLessThan(0.02);
    expect(share('a: { at: 0s, target: svc, errors: 20% }, b: { at: 0s, target: svc, errors: 10% }')).toBe(alone);
  });
});

describe('memory faults', () => {
  const memory = 'memory: { base: 50MiB, limit: 100MiB }, recovery: { by: restart, after: 1s },';
  const ooms = (run: SimulatedRun): number[] => eventsOf(run, 'oom').map(({ tMs }) => tMs);
  const mib = (run: SimulatedRun): number[] => cells(run, run.ticks.services.svc.instances[0].memoryBytes.end).map((bytes) => Math.round(bytes / 2 ** 20));

  it('leak: grows steadily, and kills when it is over the limit; the next process leaks from its start', () => {
    const run = hit({ faults: ['at: 1s, target: svc, leak: 10MiB/s'], at: [0], svc: memory, duration: '15s' });
    // 50 MiB more at 6 s are not too much yet; back at 7.1 s, and once more too much after 5.1 s.
    expect(ooms(run)).toEqual([6100, 12_200]);
    expect([mib(run)[19], mib(run)[20]]).toEqual([59, 60]);
  });
  it('leak: what has leaked stays when the fault is over', () => {
    const run = hit({ faults: ['at: 1s, for: 2s, target: svc, leak: 10MiB/s'], at: [0], svc: memory, duration: '9s' });
    expect(ooms(run)).toEqual([]);
    expect(mib(run).at(-1)).toBe(70);
  });
  it('leak: adds up', () => {
    const run = hit({ faults: ['at: 1s, for: 2s, target: svc, leak: 10MiB/s', 'at: 2s, for: 50ms, target: svc, leak: 20MiB/s'], at: [0], svc: memory, duration: '9s' });
    expect(mib(run).at(-1)).toBe(71);
  });
  it('leakPerSecond: from the start of each process', () => {
    const run = hit({ faults: [], at: [0], svc: 'memory: { base: 50MiB, limit: 100MiB, leakPerSecond: 10MiB }, recovery: { by: restart, after: 1s },', duration: '12s' });
    expect(ooms(run)).toEqual([5100, 11_200]);
  });
  it('hog: at once, and given back at its end', () => {
    const run = hit({ faults: ['at: 1s, for: 1s, target: svc, hog: 30MiB'], at: [0], svc: memory, duration: '3s' });
    expect([mib(run)[9], mib(run)[10], mib(run)[19], mib(run)[20]]).toEqual([50, 80, 80, 50]);
  });
  it('hog: too much kills at once, and dies with the process', () => {
    const run = hit({ faults: ['at: 1s, for: 3s, target: svc, hog: 51MiB'], at: [0], svc: memory, duration: '6s' });
    expect(eventsOf(run, 'oom')).toMatchObject([{ tMs: 1000, cause: 'memory limit', data: { memoryBytes: 101 * 2 ** 20 } }]);
    expect([mib(run)[15], mib(run)[25], mib(run).at(-1)]).toEqual([0, 50, 50]);
  });
  it('hog: what the old process had of it is not counted when the new one takes a request', () => {
    const run = hit({ faults: ['at: 1s, for: 3s, target: svc, hog: 51MiB'], at: [0, 3000], svc: memory.replace('base', 'perRequest: 1MiB, base'), duration: '6s' });
    expect(ooms(run)).toEqual([1000]);
    expect(ends(run)).toEqual(['good', 'good']);
  });
  it('hog: several together are too much', () => {
    expect(ooms(hit({ faults: ['at: 1s, for: 3s, target: svc, hog: 30MiB', 'at: 2s, for: 3s, target: svc, hog: 30MiB'], at: [0], svc: memory, duration: '6s' }))).toEqual([2000]);
  });
});

describe('latency', () => {
  const db = `db: { handlers: { read: [${wait('10ms')}] } }`;
  it('on a service: every message that leaves its instances, answers too (rule 43)', () => {
    // To db and back to the caller; what comes from db is not delayed.
    expect(times(hit({ faults: [`${within}, latency: 50ms`], at: [0, 110], steps: '{ call: db.read }', more: db }))).toEqual([10, 110]);
  });
  it('on a service: answers to probes too, so that it is taken out', () => {
    const run = simulated(
      scenario(`
        duration: 4s
        services:
          lb: { to: { svc: { health: { path: dedicated, every: 100ms, timeout: 50ms, unhealthyAfter: 2, healthyAfter: 2 } } } }
          svc: { handlers: { job: [] } }
        faults:
          late: { at: 1s, for: 1s, target: svc, latency: 60ms }
        traffic:
          ${requestsAt([1500, 3000], 'lb', 10)}
      `),
    );
    expect(eventsOf(run, 'ejected')).toMatchObject([{ subject: 'svc.1', cause: 'timeout' }]);
    expect(ends(run)).toEqual(['refused svc: no healthy', 'good']);
  });
  it('on a link: each way', () => {
    expect(times(hit({ faults: ['at: 100ms, for: 200ms, target: [svc, db], latency: 50ms'], at: [0, 110], steps: '{ call: db.read }', more: db }))).toEqual([10, 110]);
  });
  it('spares other links of the same caller', () => {
    const more = `db: { handlers: { read: [${wait('10ms')}] } }\n        store: { handlers: { read: [${wait('10ms')}] } }`;
    const run = hit({ faults: ['at: 100ms, target: [svc, db], latency: 50ms'], at: [150], steps: '{ call: db.read }, { call: store.read }', more });
    expect(times(run)).toEqual([120]);
  });
  it('adds up where several overlap (rule 42)', () => {
    expect(times(hit({ faults: [`${within}, latency: 5ms`, `${within}, latency: 7ms`], at: [150], link: 'latency: 1ms' }))).toEqual([10 + 2 + 12]);
  });
  it('counts for messages sent while it lasts', () => {
    expect(times(hit({ faults: [`${within}, latency: 50ms`], at: [89, 91, 189, 191] }))).toEqual([10, 60, 60, 10]);
  });
});

describe('loss', () => {
  it('sends a lost message again after 200 ms, then 400 ms and so on', () => {
    const run = simulated(
      scenario(`
        duration: 60s
        services:
          svc: { handlers: { job: [] } }
        faults: { torn: { at: 0s, target: [jobs, svc], loss: 50% } }
        traffic:
          jobs: { to: svc, send: job, stop: 30s, open: { rate: 100/s, arrivals: even } }
      `),
    );
    const { latencyMs, good } = run.traffic.jobs;
    expect(good).toBeGreaterThan(2900);
    // Both ways get through at once in a quarter of the cases.
    expect(latencyMs!.p50).toBeGreaterThanOrEqual(200);
    expect(latencyMs!.max % 200).toBeLessThan(3);
  });
  it('of the larger share where several overlap (rule 42): then a smaller one changes nothing', () => {
    const torn = (...shares: readonly string[]): SimulatedRun => hit({ faults: shares.map((share) => `at: 0s, target: svc, loss: ${share}`), at: [...Array(100).keys()], duration: '60s' });
    expect(times(torn('40%', '30%'))).toEqual(times(torn('40%')));
    expect(times(torn('40%'))).not.toEqual(times(torn('70%')));
  });
});

describe('blackhole and cut', () => {
  it.each(['svc', '[r1, svc]'])('blackhole of %s: no answer', (target) => {
    expect(endOf(hit({ faults: [`at: 100ms, for: 100ms, target: ${target}, blackhole: true`], at: [150], link: 'timeout: 30ms' }), 'r1')).toEqual({ end: 'failed svc: timeout', afterMs: 30 });
  });
  it.each([['svc', 'connection refused'], ['[r1, svc]', 'cut off']])('cut of %s: refused at once', (target, reason) => {
    const run = hit({ faults: [`at: 100ms, for: 100ms, target: ${target}, cut: true`], at: [150] });
    expect(endOf(run, 'r1')).toEqual({ end: `failed svc: ${reason}`, afterMs: 0 });
  });
  it('spares other links', () => {
    expect(ends(hit({ faults: ['at: 100ms, target: [r1, svc], cut: true'], at: [150, 150] }))).toEqual(['failed svc: cut off', 'good']);
  });
});

describe('crash', () => {
  const recovery = 'recovery: { by: restart, after: 100ms },';
  const back = (run: SimulatedRun): [number, string][] => eventsOf(run, 'back').map(({ tMs, subject }) => [tMs, subject]);
  it('is over at once; the process comes back by its own recovery', () => {
    const run = hit({ faults: ['at: 100ms, target: svc, crash: true'], at: [150, 250], svc: recovery });
    expect(ends(run)).toEqual(['failed svc: connection refused', 'good']);
    expect(eventsOf(run, 'fault-end')).toEqual([]);
  });
  it('with `for` keeps the process from coming back before its end', () => {
    const run = hit({ faults: ['at: 100ms, for: 500ms, target: svc, crash: true'], at: [150, 550, 650], svc: recovery });
    expect(ends(run)).toEqual(['failed svc: connection refused', 'failed svc: connection refused', 'good']);
    expect(eventsOf(run, 'crashed').map(({ data }) => data.recoveryMs)).toEqual([500]);
    expect(back(run)).toEqual([[600, 'svc.1']]);
    expect(eventsOf(run, 'fault-end').map(({ tMs }) => tMs)).toEqual([600]);
  });
  it('with `for` changes nothing where the recovery takes longer', () => {
    expect(back(hit({ faults: ['at: 100ms, for: 50ms, target: svc, crash: true'], at: [0], svc: recovery }))).toEqual([[200, 'svc.1']]);
  });
  it('with `for` to beyond the run keeps it down to the end', () => {
    expect(back(hit({ faults: ['at: 100ms, for: 10s, target: svc, crash: true'], at: [0], svc: recovery }))).toEqual([]);
  });
  it('with `for` also kills one that comes up while it lasts', () => {
    const run = simulated(
      scenario(`
        duration: 6s
        machines: { box: { cpus: 1, memory: 1GiB } }
        services:
          svc: { machine: box, recovery: { by: restart, after: 100ms }, autoscale: { min: 1, max: 2, target: 50%, every: 1s, window: 1s, boot: 1s }, handlers: { job: [${cpu('10ms')}] } }
        faults:
          storm: { at: 1500ms, for: 3s, target: svc, crash: true }
        traffic:
          jobs: { to: svc, send: job, stop: 1s, open: { rate: 80/s, arrivals: even } }
      `),
    );
    expect(eventsOf(run, 'crashed').map(({ tMs, subject, cause, data }) => [tMs, subject, cause, data.recoveryMs])).toEqual([[1500, 'svc.1', 'storm', 3000], [2000, 'svc.2', 'storm', 2500]]);
    expect(back(run)).toEqual([[4500, 'svc.1'], [4500, 'svc.2']]);
  });
  it('with `for` also holds one that was down already', () => {
    const run = hit({ faults: ['at: 100ms, target: svc, crash: true', 'at: 150ms, for: 500ms, target: svc, crash: true'], at: [0], svc: recovery });
    expect(back(run)).toEqual([[650, 'svc.1']]);
    expect(eventsOf(run, 'crashed')).toHaveLength(1);
  });
});
