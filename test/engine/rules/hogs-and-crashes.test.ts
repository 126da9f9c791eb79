import { describe, expect, it } from 'vitest';
import { cells, eventsOf, oneRequest, scenario, simulated } from '../../support/simulated.js';
import type { SimulatedRun } from '../../../src/study/types.js';

/** Two services that grow from one instance to two: `svc` boots for 1 s, is ordered at 2 s and so comes up at 3 s; its bystander likewise. */
const growing = (faults: string): SimulatedRun =>
  simulated(
    scenario(`
      duration: 8s
      tick: 100ms
      machines: { box: { cpus: 1, memory: 1GiB } }
      services:
        svc: { machine: box, memory: { base: 50MiB, limit: 200MiB }, ${grows} }
        bystander: { machine: box, memory: { base: 50MiB, limit: 200MiB }, ${grows} }
      faults: { ${faults} }
      traffic:
        ours: { to: svc, send: job, start: 1s, stop: 2s, open: { rate: 80/s, arrivals: even } }
        theirs: { to: bystander, send: job, start: 1s, stop: 2s, open: { rate: 80/s, arrivals: even } }
    `),
  );
const grows = 'autoscale: { min: 1, max: 2, target: 50%, every: 1s, window: 1s, boot: 1s }, handlers: { job: [{ cpu: { assumed: 10ms, cv: 0 } }] }';
const mib = (run: SimulatedRun, service: string, instance: number): number[] => cells(run, run.ticks.services[service].instances[instance - 1].memoryBytes.end).map((bytes) => Math.round(bytes / 2 ** 20));
/** At 2.5 s, 3.5 s, 4.5 s and 6 s. */
const seen = (run: SimulatedRun, service: string, instance: number): number[] => [24, 34, 44, 59].map((tick) => mib(run, service, instance)[tick]);

describe('a hog on a service', () => {
  it('also takes of an instance that comes up while it lasts, and gives back at its end; of no other service', () => {
    const run = growing('greed: { at: 1s, for: 3s, target: svc, hog: 30MiB }');
    expect(eventsOf(run, 'booted').map(({ tMs }) => tMs)).toEqual([3000, 3000]);
    expect([seen(run, 'svc', 1), seen(run, 'svc', 2)]).toEqual([[80, 80, 50, 50], [0, 80, 50, 50]]);
    expect([seen(run, 'bystander', 1), seen(run, 'bystander', 2)]).toEqual([[50, 50, 50, 50], [0, 50, 50, 50]]);
  });
  it('takes nothing of one that comes up before it begins until it begins, nor of one that comes up after its end', () => {
    expect(seen(growing('greed: { at: 4s, for: 1s, target: svc, hog: 30MiB }'), 'svc', 2)).toEqual([0, 50, 80, 50]);
    expect(seen(growing('greed: { at: 1s, for: 1s, target: svc, hog: 30MiB }'), 'svc', 2)).toEqual([0, 50, 50, 50]);
  });
});

/** One instance without work, which restarts as told. */
const single = (faults: string, recovery = 'by: restart, after: 1s'): SimulatedRun =>
  simulated(
    scenario(`
      duration: 8s
      tick: 100ms
      machines: { box: { cpus: 1, memory: 1GiB } }
      services:
        svc: { machine: box, memory: { base: 50MiB, limit: 100MiB }, recovery: { ${recovery} }, handlers: { job: [] } }
      faults: { ${faults} }
      traffic:
        ${oneRequest('one', 0, 'svc')}
    `),
  );
const back = (run: SimulatedRun): number[] => eventsOf(run, 'back').map(({ tMs }) => tMs);

describe('a hog whose process has died', () => {
  it('does not come back with the next process, and its end gives back nothing that another hog has of that one', () => {
    const run = single('first: { at: 1s, for: 3s, target: svc, hog: 51MiB }, second: { at: 3s, for: 3s, target: svc, hog: 30MiB }');
    expect(eventsOf(run, 'oom').map(({ tMs }) => tMs)).toEqual([1000]);
    expect([24, 34, 44, 64].map((tick) => mib(run, 'svc', 1)[tick])).toEqual([50, 80, 80, 50]);
  });
});

describe('a crash that goes on', () => {
  const strikes = 'first: { at: 1s, target: svc, crash: true }, second: { at: 1500ms, for: 1s, target: svc, crash: true }';
  it('does not bring back sooner one whose own recovery takes longer', () => {
    expect(back(single(strikes, 'by: restart, after: 3s'))).toEqual([4000]);
  });
  it('brings back nobody who does not come back at all', () => {
    expect(back(single(strikes, 'by: none'))).toEqual([]);
  });
});

describe('a leak', () => {
  const leaking = (tick: string): SimulatedRun =>
    simulated(
      scenario(`
        duration: 8s
        tick: ${tick}
        machines: { box: { cpus: 1, memory: 1GiB } }
        services:
          svc: { machine: box, memory: { base: 50MiB, limit: 100MiB }, handlers: { job: [] } }
          tight: { machine: box, memory: { base: 50MiB, limit: 100MiB }, handlers: { job: [] } }
        faults: { drip: { at: 1s, target: svc, leak: 10MiB/s } }
        traffic:
          ${oneRequest('one', 0, 'svc')}
          ${oneRequest('two', 0, 'tight')}
      `),
    );
  it('grows in one service though another one leaks nothing, and is noticed within 100 ms, however long a tick is', () => {
    for (const tick of ['100ms', '1s']) expect(eventsOf(leaking(tick), 'oom').map(({ tMs, subject }) => [tMs, subject])).toEqual([[6100, 'svc.1']]);
  });
});

describe('a new instance in the place of one that died again and again', () => {
  it('has died for the first time when it dies: the back-off begins anew', () => {
    const run = simulated(
      scenario(`
        duration: 60s
        machines: { box: { cpus: 1, memory: 1GiB } }
        services:
          svc: { machine: box, recovery: { by: restart, after: 1s, backoff: kubernetes }, handlers: { job: [] } }
        faults:
          first: { at: 1s, target: svc, crash: true }
          second: { at: 3s, target: svc, crash: true }
          release: { at: 20s, target: svc, deploy: { how: rolling, boot: 1s } }
          release-again: { at: 30s, target: svc, deploy: { how: rolling, boot: 1s } }
          third: { at: 45s, target: svc.1, crash: true }
        traffic:
          ${oneRequest('one', 0, 'svc')}
      `),
    );
    expect(eventsOf(run, 'deployed')).toHaveLength(2);
    expect(back(run)).toEqual([2000, 14_000, 46_000]);
  });
});
