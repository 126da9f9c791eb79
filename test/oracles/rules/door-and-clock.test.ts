import { describe, expect, it } from 'vitest';
import { Histogram } from '../../../src/engine/record/histogram.js';
import { cells, eventsOf, oneRequest, scenario, simulated, total } from '../../support/simulated.js';
import { casesOf } from '../catalogue.js';

const off = (found: number, expected: number): number => Math.abs(found / expected - 1);

describe('how long a hang goes unnoticed', () => {
  /** Fault times spread over one interval of the prober, so that its phase takes every value alike. */
  const phases = 40;
  const timesS = (interval: number, timeout: number, threshold: number, fault: string): number[] =>
    Array.from({ length: phases }, (_, i) => {
      const atMs = Math.round((2 * interval + ((i + 0.5) * interval) / phases) * 1000);
      const run = simulated(scenario(`
        duration: ${(threshold + 5) * interval + timeout}s
        services:
          lb: { to: { svc: { health: { path: dedicated, every: ${interval}s, timeout: ${timeout}s, unhealthyAfter: ${threshold}, healthyAfter: 2 } } } }
          svc: { instances: 2, handlers: { job: [] } }
        faults: { hang: { at: ${atMs}ms, target: svc.1, ${fault}: true } }
        traffic: { few: { to: lb, send: job, stop: 1s, open: { rate: 1/s, arrivals: even } } }
      `));
      const [ejected] = eventsOf(run, 'ejected');
      expect([ejected.subject, ejected.cause]).toEqual(['svc.1', 'timeout']);
      return (ejected.tMs - atMs) / 1000;
    });
  it.each(casesOf('detection'))('$id', ({ given, expected, tolerance }) => {
    const { interval, timeout, unhealthyThreshold } = given;
    const step = interval / phases;
    for (const fault of ['blackhole', 'freeze']) {
      const times = timesS(interval, timeout, unhealthyThreshold, fault);
      const [least, most] = [Math.min(...times), Math.max(...times)];
      expect(least).toBeGreaterThanOrEqual(expected['minSeconds']);
      expect(least).toBeLessThanOrEqual(expected['minSeconds'] + step);
      expect(most).toBeLessThanOrEqual(expected['maxSeconds']);
      expect(most).toBeGreaterThanOrEqual(expected['maxSeconds'] - step);
      expect(off(total(times) / phases, expected['meanSeconds'])).toBeLessThanOrEqual(tolerance);
    }
  });
});

describe('a limit of the rate', () => {
  const limited = (rateLimit: string, traffic: string, seconds: number): ReturnType<typeof simulated> =>
    simulated(scenario(`
      duration: ${seconds}s
      tick: 1s
      services: { svc: { rateLimit: ${rateLimit}, handlers: { job: [] } } }
      traffic: { load: { to: svc, send: job, ${traffic} } }
    `));
  // nginx's `burst` b with nodelay is a bucket of b + 1 tokens; without it, b may be held.
  it.each(casesOf<{ readonly rate: number; readonly burst: number; readonly requests: number; readonly nodelay: boolean }>('leakyBurst'))('$id', ({ given: { rate, burst, requests, nodelay }, expected }) => {
    const bucket = nodelay ? `{ rate: ${rate}/s, burst: ${burst + 1} }` : `{ rate: ${rate}/s, burst: ${burst}, delay: true }`;
    const { load } = limited(bucket, `bursts: { sizes: [${requests}], every: 1h }`, 10).traffic;
    expect([load.good, load.refused['svc: rate limit']]).toEqual([expected['admitted'], expected['rejected']]);
    expect(load.latencyMs!.max / 1000).toBe(expected['maxDelay']);
    if (expected['meanDelayAdmitted'] !== undefined) expect(load.latencyMs!.mean / 1000).toBe(expected['meanDelayAdmitted']);
  });
  it.each(casesOf('tokenBucket'))('$id', ({ given: { rate, burst, window }, expected, tolerance }) => {
    const run = limited(`{ rate: ${rate}/s, burst: ${burst} }`, `open: { rate: ${10 * rate}/s, arrivals: even }`, 2 * window);
    const perTick = cells(run, run.ticks.traffic['load'].good);
    expect(off(total(perTick.slice(0, window)), expected['maxAdmitted'])).toBeLessThanOrEqual(tolerance);
    // Afterwards nothing is saved up any more.
    expect(total(perTick.slice(window))).toBe(rate * window);
  });
});

describe('tiers that try again', () => {
  it.each(casesOf('retryChain'))('$id', ({ given: { tiers, maxRetriesEach }, expected }) => {
    const link = `{ retries: { max: ${maxRetriesEach} } }`;
    const names = Array.from({ length: tiers }, (_, i) => `s${i}`);
    const run = simulated(scenario(`
      duration: 1s
      services:
        ${names.map((name, i) => `${name}: ${i + 1 < tiers ? `{ to: { ${names[i + 1]}: ${link} } }` : '{ handlers: { job: [{ fail: broken }] } }'}`).join('\n        ')}
      traffic:
        ${oneRequest('one', 0, `{ s0: ${link} }`)}
    `));
    expect(run.services[names.at(-1)!].instances[0].arrived).toBe(expected['bottomAttemptsPerRequest']);
    expect(run.traffic['one'].offered).toBe(1);
  });
});

describe('a stall, one connection, and a client that keeps to its schedule or does not', () => {
  const [{ given: { duration, interval, service, stallStart, stallEnd }, expected }] = casesOf('coordinatedOmission');
  const stalled = (traffic: string): ReturnType<typeof simulated>['traffic'][string] =>
    simulated(scenario(`
      duration: ${duration}s
      services: { svc: { slots: 1, handlers: { job: [{ cpu: { assumed: ${service * 1000}ms, cv: 0 } }] } } }
      faults: { stall: { at: ${stallStart}s, for: ${stallEnd - stallStart}s, target: svc, freeze: true } }
      traffic: { load: { to: svc, send: job, ${traffic} } }
    `)).traffic['load'];
  it('coordinated-omission: open traffic counts from the intended start', () => {
    const { offered, good, latencyMs } = stalled(`open: { rate: ${1 / interval}/s, arrivals: even }`);
    expect([offered, good]).toEqual([duration / interval, duration / interval]);
    // A printed mean has six digits; percentiles are those of a histogram, within 1 %.
    expect(off(latencyMs!.mean / 1000, expected['corrected_mean'])).toBeLessThan(1e-6);
    expect(off(latencyMs!.max / 1000, expected['corrected_max'])).toBeLessThan(1e-6);
    expect(off(latencyMs!.p99 / 1000, expected['corrected_p99'])).toBeLessThan(0.01);
  });
  it('coordinated-omission: a user who waits for each answer counts from the send, and has one bad sample', () => {
    const { offered, latencyMs } = stalled(`closed: { users: 1, think: ${(interval - service) * 1000}ms }`);
    // None is sent during the stall, and the mean is over those that are: the oracle's, over as many as planned, is another one.
    const sent = (duration - (stallEnd - stallStart)) / interval;
    expect(offered).toBe(sent);
    expect(off(latencyMs!.p99 / 1000, expected['uncorrected_p99'])).toBeLessThan(0.01);
    expect(off(latencyMs!.max / 1000, expected['uncorrected_max'])).toBeLessThan(1e-6);
    expect(off(latencyMs!.mean / 1000, ((sent - 1) * service + expected['uncorrected_max']) / sent)).toBeLessThan(1e-5);
  });
});

describe('more than the capacity for a while', () => {
  it.each(casesOf('backlog'))('$id', ({ given: { capacity, overloadRate, overloadSeconds, afterRate }, expected, tolerance }) => {
    const run = simulated(scenario(`
      duration: ${3 * overloadSeconds}s
      tick: 1s
      services: { svc: { slots: 1, handlers: { job: [{ wait: { assumed: ${1000 / capacity}ms, cv: 0 } }] } } }
      traffic: { load: { to: svc, send: job, open: { rate: [[0s, ${overloadRate}/s], [${overloadSeconds}s, ${overloadRate}/s], [${overloadSeconds}s, ${afterRate}/s]], arrivals: even } } }
    `));
    const waiting = cells(run, run.ticks.services['svc'].instances[0].queue.end);
    expect(off(Math.max(...waiting), expected['peakBacklog'])).toBeLessThan(tolerance);
    expect(waiting.indexOf(Math.max(...waiting))).toBe(overloadSeconds - 1);
    expect(off(run.traffic['load'].latencyMs!.max / 1000, expected['peakDelay'])).toBeLessThan(tolerance);
    const drained = waiting.findIndex((count, tick) => tick >= overloadSeconds && count === 0) + 1;
    expect(off(drained - overloadSeconds, expected['drainSeconds'])).toBeLessThan(tolerance);
  });
});

describe('how many are inside', () => {
  it.each(casesOf('little'))('$id', ({ given: { lambda, W }, expected, tolerance }) => {
    const runOf = (arrivals: string, cv: number): ReturnType<typeof simulated> =>
      simulated(scenario(`
        duration: 400s
        services: { svc: { handlers: { job: [{ wait: { assumed: ${W * 1000}ms, cv: ${cv} } }] } } }
        traffic: { load: { to: svc, send: job, open: { rate: ${lambda}/s, arrivals: ${arrivals} } } }
      `));
    expect(off(runOf('even', 0).services['svc'].slots.mean, expected['L'])).toBeLessThanOrEqual(tolerance);
    // As many as arrived and stayed, however both are drawn.
    const { traffic, services } = runOf('poisson', 1);
    expect(off(services['svc'].slots.mean, (traffic['load'].good / 400) * (traffic['load'].latencyMs!.mean / 1000))).toBeLessThanOrEqual(tolerance);
  });
});

describe('percentiles', () => {
  it.each(casesOf('percentiles'))('$id: nearest rank is ours; the two others are told for who compares', ({ given: { q }, expected }) => {
    const histogram = new Histogram();
    for (let ns = 1; ns <= 100; ns++) histogram.add(ns);
    expect(histogram.percentileNs(q)).toBe(expected['nearestRank']);
    expect(expected['k6_linear']).toBeCloseTo(1 + q * 99, 9);
    expect(expected['weibull_n_plus_1']).toBeCloseTo(q * 101, 9);
  });
});

describe('a line that is longer than its callers are patient', () => {
  it('mm1k-zombie-K200: once it is full nobody at all is served in time, though the server never rests', () => {
    const { given: { lambda, mu, K, tau }, expected } = casesOf('zombieK').find(({ id }) => id === 'mm1k-zombie-K200')!;
    const run = simulated(scenario(`
      duration: 600s
      phases: { full: [30s, 590s] }
      services: { svc: { slots: 1, queue: { limit: ${K - 1} }, handlers: { job: [{ wait: { assumed: ${1000 / mu}ms, cv: 1 } }] } } }
      traffic: { load: { to: { svc: { timeout: ${tau}s } }, send: job, open: { rate: ${lambda}/s } } }
    `));
    expect(expected['P_success']).toBeLessThan(1e-12);
    expect(run.phases['full'].traffic['load'].good).toBe(0);
    expect(run.services['svc'].instances[0].good / 600).toBeGreaterThan(0.95 * expected['throughput']);
  });
});

describe('one loop that writes to all', () => {
  it.each(casesOf('fanOut'))('$id: a message to all sockets takes as long as all of them together', ({ given: { recipients, sendTime } }) => {
    const run = simulated(scenario(`
      duration: 10s
      services: { svc: { slots: 1, handlers: { hello: [], say: [], post: [{ push: room, count: ${recipients}, cpu: { assumed: ${sendTime * 1000}ms, cv: 0 } }] } } }
      traffic:
        room: { to: svc, send: say, sockets: { connect: 1000/s, hold: 1h, max: ${recipients}, opening: hello, every: 1h } }
        ${oneRequest('message', 5000, 'svc', 'post')}
    `));
    expect(run.traffic['room'].deliveries).toEqual({ made: recipients, missed: 0 });
    expect(run.traffic['message'].latencyMs!.max / 1000).toBeCloseTo(recipients * sendTime, 6);
  });
});

describe('retries that keep a collapse alive', () => {
  const [{ given: { lambda, mu, tau, maxRetries }, expected, tolerance }] = casesOf('metastable');
  const sentWith = (faults: string): { readonly sent: readonly number[]; readonly good: readonly number[] } => {
    const run = simulated(scenario(`
      duration: 400s
      tick: 1s
      services: { svc: { slots: 1, handlers: { job: [{ wait: { assumed: ${1000 / mu}ms, cv: 1 } }] } } }
      ${faults}
      traffic: { load: { to: { svc: { timeout: ${tau * 1000}ms, retries: { max: ${maxRetries} } } }, send: job, open: { rate: ${lambda}/s } } }
    `));
    return { sent: cells(run, run.ticks.links['load.svc'].callers[0].sent), good: cells(run, run.ticks.traffic['load'].good) };
  };
  it('retry-metastable: keeps near its stable point, until chance makes a queue long enough', () => {
    // The theory is one of means: a queue of twenty by chance is a trigger, too, and comes about every few minutes.
    const { sent } = sentWith('');
    expect(off(total(sent.slice(0, 100)) / 100, expected['stableAttemptRate'])).toBeLessThan(tolerance);
  });
  it('retry-metastable: collapses after ten seconds above the unstable point, and stays so', () => {
    const { sent, good } = sentWith('faults: { trigger: { at: 100s, for: 10s, target: svc, slow: 3x } }');
    expect(total(sent.slice(0, 100)) / 100).toBeLessThan(expected['unstableAttemptRate']);
    expect(total(sent.slice(100, 110)) / 10).toBeGreaterThan(expected['unstableAttemptRate']);
    // Five minutes later every request is still asked four times, and none of them is in time.
    expect(off(total(sent.slice(350)) / 50, lambda * (maxRetries + 1))).toBeLessThan(0.05);
    expect(total(good.slice(350))).toBe(0);
  });
});
