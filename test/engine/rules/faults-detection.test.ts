import { describe, expect, it } from 'vitest';
import { eventsOf, scenario, simulated } from '../../support/simulated.js';

/** Fault times spread over one interval of the prober, so that its phase takes every value alike. */
const phases = 40;

/** Seconds from the hang of a target to its being taken out, by phase. */
const detectionTimes = (interval: number, timeout: number, threshold: number, fault: string): number[] => {
  const firstS = 2 * interval;
  return Array.from({ length: phases }, (_, i) => {
    const atMs = Math.round((firstS + ((i + 0.5) * interval) / phases) * 1000);
    const run = simulated(
      scenario(`
        duration: ${firstS + (threshold + 3) * interval + timeout}s
        services:
          lb: { to: { svc: { health: { path: dedicated, every: ${interval}s, timeout: ${timeout}s, unhealthyAfter: ${threshold}, healthyAfter: 2 } } } }
          svc: { instances: 2, handlers: { job: [] } }
        faults:
          hang: { at: ${atMs}ms, target: svc.1, ${fault}: true }
        traffic:
          few: { to: lb, send: job, stop: 1s, open: { rate: 1/s, arrivals: even } }
      `),
    );
    const [ejected] = eventsOf(run, 'ejected');
    expect([ejected.subject, ejected.cause]).toEqual(['svc.1', 'timeout']);
    return (ejected.tMs - atMs) / 1000;
  });
};

describe('how long a hang goes unnoticed', () => {
  it.each([
    ['detect-alb-default', 30, 5, 2, 35, 50, 65],
    ['detect-albc-default', 15, 5, 2, 20, 27.5, 35],
    ['detect-k8s-readiness', 10, 1, 3, 21, 26, 31],
    ['detect-haproxy', 2, 2, 3, 6, 7, 8],
  ])('%s: probes every %i s, %i s of patience, %i in a row: %d to %d to %d s', (_, interval, timeout, threshold, least, mean, most) => {
    for (const fault of ['blackhole', 'freeze']) {
      const times = detectionTimes(interval, timeout, threshold, fault);
      const step = interval / phases;
      expect(Math.min(...times)).toBeGreaterThanOrEqual(least);
      expect(Math.min(...times)).toBeLessThanOrEqual(least + step);
      expect(Math.max(...times)).toBeLessThanOrEqual(most);
      expect(Math.max(...times)).toBeGreaterThanOrEqual(most - step);
      expect(Math.abs(times.reduce((sum, time) => sum + time, 0) / phases / mean - 1)).toBeLessThanOrEqual(0.02);
    }
  });
});
