import { describe, expect, it } from 'vitest';
import { cells, endOf, eventsOf, requestsAt, scenario, simulated } from '../../support/simulated.js';
import type { SimulatedRun } from '../../../src/study/types.js';

const wait = (time: string): string => `{ wait: { assumed: ${time}, cv: 0 } }`;
const states = (run: SimulatedRun, service: string, instance = 0): number[] => cells(run, run.ticks.services[service].instances[instance].state);

interface Pod {
  readonly app?: string;
  readonly sidecar?: string;
  readonly faults?: string;
  readonly traffic: string;
  readonly link?: string;
  readonly duration?: string;
}
/** Requests come to the sidecar, which asks the app of its own pod. */
const pod = ({ app = '', sidecar = '', faults = '', traffic, link = 'timeout: 1s', duration = '2s' }: Pod): SimulatedRun =>
  simulated(
    scenario(`
      duration: ${duration}
      tick: 100ms
      machines: { box: { cpus: 1, memory: 1GiB } }
      services:
        app: { machine: box, ${app} handlers: { job: [${wait('10ms')}] } }
        proxy: { beside: app, ${sidecar} to: { app: { ${link} } } }
      ${faults}
      traffic:
        ${traffic}
    `),
  );

describe('rule 14: a sidecar is another container', () => {
  it('survives the app, and answers that nobody is there', () => {
    const run = pod({ app: 'recovery: { by: restart, after: 300ms },', faults: 'faults: { kill: { at: 100ms, target: app, crash: true } }', traffic: requestsAt([95, 200, 450], 'proxy', 8) });
    expect(['r1', 'r2', 'r3'].map((name) => endOf(run, name).end)).toEqual(['failed app: killed', 'failed app: connection refused', 'good']);
    expect(states(run, 'proxy').slice(0, 5)).toEqual([2, 2, 2, 2, 2]);
    expect(states(run, 'app').slice(0, 5)).toEqual([2, 3, 3, 3, 2]);
  });
  it('dies and comes back alone, while the app goes on', () => {
    const run = pod({ sidecar: 'recovery: { by: restart, after: 300ms },', faults: 'faults: { kill: { at: 100ms, target: proxy, crash: true } }', traffic: requestsAt([95, 200, 450], 'proxy', 8) });
    expect(['r1', 'r2', 'r3'].map((name) => endOf(run, name).end)).toEqual(['failed proxy: killed', 'failed proxy: connection refused', 'good']);
    expect(states(run, 'app').slice(0, 5)).toEqual([2, 2, 2, 2, 2]);
    expect(eventsOf(run, 'back')).toMatchObject([{ tMs: 400, subject: 'proxy.1' }]);
  });
  it('goes and comes with the machine, when it is rebooted or replaced', () => {
    for (const by of ['reboot', 'replace']) {
      const run = pod({ app: `recovery: { by: ${by}, after: 300ms },`, faults: 'faults: { kill: { at: 100ms, target: app, crash: true } }', traffic: requestsAt([200, 450], '{ proxy: { timeout: 50ms } }', 8) });
      expect(['r1', 'r2'].map((name) => endOf(run, name).end)).toEqual(['failed proxy: timeout', 'good']);
      expect(states(run, 'proxy').slice(0, 5)).toEqual([2, 3, 3, 3, 2]);
      expect(eventsOf(run, 'back').map(({ subject }) => subject)).toEqual(['app.1']);
    }
  });
});

describe('a pod with a sidecar', () => {
  const scale = 'autoscale: { min: 1, max: 2, target: 50%, every: 1s, window: 1s, boot: 500ms, inWindow: 0s, drain: 5s },';

  it('is launched with it', () => {
    const loaded = simulated(
      scenario(`
        duration: 3s
        tick: 100ms
        machines: { box: { cpus: 1, memory: 1GiB } }
        services:
          app: { machine: box, ${scale} handlers: { job: [{ cpu: { assumed: 10ms, cv: 0 } }] } }
          proxy: { beside: app, to: { app: {} } }
        traffic:
          jobs: { to: proxy, send: job, open: { rate: 80/s, arrivals: even } }
      `),
    );
    expect(eventsOf(loaded, 'booted')).toMatchObject([{ tMs: 1500, subject: 'app.2' }]);
    expect(states(loaded, 'proxy', 1).slice(9, 17)).toEqual([0, 1, 1, 1, 1, 1, 2, 2]);
    expect(loaded.services.proxy.instances[1].arrived).toBeGreaterThan(0);
    expect(loaded.services.app.instances[1].arrived).toBe(loaded.services.proxy.instances[1].arrived);
  });
  it('goes when both are empty', () => {
    const run = simulated(
      scenario(`
        duration: 5s
        tick: 100ms
        machines: { box: { cpus: 1, memory: 1GiB } }
        services:
          app: { machine: box, instances: 2, ${scale} handlers: { job: [${wait('2s')}] } }
          proxy: { beside: app, to: { app: { latency: 100ms } } }
        traffic:
          jobs: { to: proxy, send: job, stop: 600ms, open: { rate: 2/s, arrivals: even } }
      `),
    );
    // The second request, of 500 ms, goes to the second pod, which is drained at 1 s: 100 ms there, 2 s, and 100 ms back to the sidecar.
    expect(eventsOf(run, 'scale-in')).toMatchObject([{ tMs: 1000, data: { from: 2, to: 1 } }]);
    expect(eventsOf(run, 'gone')).toMatchObject([{ tMs: 2700, subject: 'app.2', data: { lost: 0 } }]);
    expect([states(run, 'app', 1), states(run, 'proxy', 1)].map((state) => state.slice(9, 12).concat(state.slice(26, 28)))).toEqual([[2, 4, 4, 4, 0], [2, 4, 4, 4, 0]]);
    expect(run.traffic.jobs).toMatchObject({ offered: 2, good: 2 });
  });
});
