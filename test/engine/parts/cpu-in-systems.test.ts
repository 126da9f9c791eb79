import { describe, expect, it } from 'vitest';
import { latenciesOf, requestsAt, scenario, simulated } from '../../support/simulated.js';

const cpu = (time: string): string => `{ cpu: { assumed: ${time}, cv: 0 } }`;

/** Both services are on one host and get one request of 100 ms at 0. Returns how long each takes, ms. */
const onOneHost = (cores: number, first: string, second: string): readonly number[] => {
  const run = simulated(scenario(`
    duration: 5s
    hosts: { box: { cpus: ${cores}, memory: 1GiB } }
    services:
      first: { host: box, ${first}, handlers: { job: [${cpu('100ms')}] } }
      second: { host: box, ${second}, handlers: { job: [${cpu('100ms')}] } }
    traffic:
      a: { to: first, send: job, stop: 1us, open: { rate: 1/s, arrivals: even } }
      b: { to: second, send: job, stop: 1us, open: { rate: 1/s, arrivals: even } }
  `));
  return [run.traffic.a.latencyMs!.max, run.traffic.b.latencyMs!.max];
};

describe('CPU in whole systems', () => {
  it.each([
    { cores: 2, first: 'cpuRequest: 1', second: 'cpuRequest: 3', latencies: [100, 100] },
    { cores: 1, first: 'cpuRequest: 1', second: 'cpuRequest: 1', latencies: [200, 200] },
    // Three quarters until it is done at 133.3 ms; the other one has had a third by then.
    { cores: 1, first: 'cpuRequest: 3', second: 'cpuRequest: 1', latencies: [133.33, 200] },
    // A cap of 0.2: the rest goes to the other one.
    { cores: 1, first: 'cpus: 0.2', second: 'cpuRequest: 0.1', latencies: [500, 125] },
  ])('services on a host of $cores share it by cpuRequest: $first, $second', ({ cores, first, second, latencies }) => {
    onOneHost(cores, first, second).forEach((latency, i) => expect(latency).toBeCloseTo(latencies[i], 1));
  });

  it.each([
    { throttle: 'smooth', eachMs: 120, throttledS: 0 },
    // On two cores 50 ms are used up at 25 ms, and the last 10 ms take 5.
    { throttle: 'cfs', eachMs: 105, throttledS: 0.075 },
  ])('throttle: $throttle with half a core on a machine of two, four jobs of 15 ms', ({ throttle, eachMs, throttledS }) => {
    const run = simulated(scenario(`
      duration: 1s
      machines: { box: { cpus: 2, memory: 1GiB } }
      services:
        svc: { machine: box, cpus: 0.5, throttle: ${throttle}, handlers: { job: [${cpu('15ms')}] } }
      traffic:
        ${requestsAt([0, 0, 0, 0], 'svc', 8)}
    `));
    expect(latenciesOf(run)).toEqual(Array(4).fill(eachMs));
    expect(run.services.svc.instances[0].throttled).toBeCloseTo(throttledS, 6);
  });

  it('a sidecar shares the machine of its pod', () => {
    const run = simulated(scenario(`
      duration: 1s
      machines: { box: { cpus: 1, memory: 1GiB } }
      services:
        app: { machine: box, handlers: { job: [${cpu('10ms')}] } }
        proxy: { beside: app, handlers: { job: [${cpu('10ms')}] } }
      traffic:
        a: { to: app, send: job, stop: 1us, open: { rate: 1/s, arrivals: even } }
        b: { to: proxy, send: job, stop: 1us, open: { rate: 1/s, arrivals: even } }
    `));
    expect([run.traffic.a.latencyMs?.max, run.traffic.b.latencyMs?.max]).toEqual([20, 20]);
  });

  it('steal and freeze act on what runs', () => {
    const run = simulated(scenario(`
      duration: 2s
      machines: { box: { cpus: 1, memory: 1GiB } }
      services:
        svc: { machine: box, handlers: { job: [${cpu('100ms')}] } }
      faults:
        thief: { at: 50ms, for: 20ms, target: svc, steal: 50% }
        pause: { at: 80ms, for: 300ms, target: svc, freeze: true }
      traffic:
        ${requestsAt([0], 'svc', 8)}
    `));
    expect(latenciesOf(run)).toEqual([410]);
  });

  it('a host out of memory loses its largest container, and only that', () => {
    const run = simulated(scenario(`
      duration: 1s
      hosts: { box: { cpus: 1, memory: 1000MiB } }
      services:
        small: { host: box, memory: { base: 300MiB }, handlers: { job: [{ wait: 1ms }] } }
        large: { host: box, memory: { base: 500MiB }, handlers: { job: [{ wait: 1ms }] } }
        grower: { host: box, memory: { base: 100MiB, perRequest: 150MiB }, handlers: { job: [{ wait: 500ms }] } }
      traffic:
        ${requestsAt([100], 'grower', 8)}
    `));
    expect([run.services.small.ooms, run.services.large.ooms, run.services.grower.ooms]).toEqual([0, 1, 0]);
  });
});
