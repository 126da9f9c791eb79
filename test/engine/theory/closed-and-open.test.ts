import { describe, expect, it } from 'vitest';
import { cells, scenario, simulated, total } from '../../support/simulated.js';

const off = (measured: number, expected: number): number => Math.abs(measured / expected - 1);

/** Even arrivals at one exponential server, D/M/1: what k6's constant-arrival-rate makes. Rate per second; seconds. */
const evenCases = [
  { id: 'dm1-rho50', rate: 50, w: 0.012550009749159752, lq: 0.12750048745798762, p50: 0.008699003873629908, p95: 0.03759646923897508, p99: 0.05779493073069037, requests: 300_000 },
  { id: 'dm1-rho80', rate: 80, w: 0.026927308399200496, lq: 1.3541846719360398, p50: 0.018664587896973957, p95: 0.08066700681142636, p99: 0.12400483782890484, requests: 600_000 },
  { id: 'dm1-rho90', rate: 90, w: 0.051786594221608355, lq: 3.7607934799447515, p50: 0.03589573177550979, p95: 0.1551387716471167, p99: 0.23848607974321395, requests: 1_800_000 },
] as const;

describe('even arrivals at one exponential server: D/M/1', () => {
  it.each(evenCases)('$id', ({ rate, w, lq, p50, p95, p99, requests }) => {
    const run = simulated(scenario(`
      duration: ${requests / rate}s
      tick: 10s
      services:
        station: { slots: 1, handlers: { work: [{ wait: { assumed: 10ms, cv: 1 } }] } }
      traffic:
        load: { to: station, send: work, open: { rate: ${rate}/s, arrivals: even } }
    `));
    const { latencyMs } = run.traffic.load;
    expect(off(latencyMs!.mean / 1000, w)).toBeLessThan(0.02);
    expect(off(run.services.station.queue.mean, lq)).toBeLessThan(0.02);
    expect(off(latencyMs!.p50 / 1000, p50)).toBeLessThan(0.02);
    expect(off(latencyMs!.p95 / 1000, p95)).toBeLessThan(0.02);
    expect(off(latencyMs!.p99 / 1000, p99)).toBeLessThan(0.02);
  });
});

describe('Little’s law', () => {
  const runOf = (arrivals: string, cv: number) => simulated(scenario(`
    duration: 400s
    services:
      station: { handlers: { work: [{ wait: { assumed: 120ms, cv: ${cv} } }] } }
    traffic:
      load: { to: station, send: work, open: { rate: 250/s, arrivals: ${arrivals} } }
  `));
  it('little-1: 250/s that stay 120 ms are 30 at a time', () => {
    const run = runOf('even', 0);
    expect(cells(run, run.ticks.traffic.load.inFlight).slice(1).every((count) => Math.abs(count - 30) <= 1)).toBe(true);
    expect(off(run.services.station.slots.mean, 30)).toBeLessThan(0.001);
  });
  it('little-1: and as many as arrived and stayed, however both are drawn', () => {
    const run = runOf('poisson', 1);
    const { good, latencyMs } = run.traffic.load;
    expect(off(run.services.station.slots.mean, (good / 400) * (latencyMs!.mean / 1000))).toBeLessThan(0.001);
    expect(off(run.services.station.slots.mean, 30)).toBeLessThan(0.02);
  });
});

describe('coordinated omission: one connection, 1 ms of service, a stall from 50 s to 55 s', () => {
  const stalled = (traffic: string) => simulated(scenario(`
    duration: 100s
    services:
      station: { slots: 1, handlers: { work: [{ cpu: { assumed: 1ms, cv: 0 } }] } }
    traffic:
      load: { to: station, send: work, ${traffic} }
    faults:
      stall: { at: 50s, for: 5s, target: station, freeze: true }
  `)).traffic.load;
  it('coordinated-omission: open traffic counts from the intended start (rule 51), so p99 is 4.101 s', () => {
    const { offered, good, latencyMs } = stalled('open: { rate: 100/s, arrivals: even }');
    expect([offered, good]).toEqual([10_000, 10_000]);
    expect(off(latencyMs!.mean / 1000, 0.1401389999999531)).toBeLessThan(1e-9);
    expect(off(latencyMs!.max / 1000, 5.001)).toBeLessThan(1e-9);
    // Percentiles are those of a histogram with an error up to 1 %.
    expect(off(latencyMs!.p99 / 1000, 4.101)).toBeLessThan(0.01);
  });
  it('coordinated-omission: a user who waits for each answer counts from the send, and has one bad sample: p99 is 1 ms', () => {
    const { offered, latencyMs } = stalled('closed: { users: 1, think: 9ms }');
    // One in 10 ms, and none for 500 of them.
    expect(offered).toBe(9500);
    expect(off(latencyMs!.p99 / 1000, 0.001)).toBeLessThan(0.01);
    expect(off(latencyMs!.max / 1000, 5.001)).toBeLessThan(1e-9);
    // A printed mean has six significant digits.
    expect(off(latencyMs!.mean / 1000, (9499 * 0.001 + 5.001) / 9500)).toBeLessThan(1e-5);
  });
});

describe('open against closed', () => {
  it('a server that takes twice as long loses nothing of an open load, and slows closed users down', () => {
    const runs = [10, 20].map((ms) => simulated(scenario(`
      duration: 200s
      services:
        station: { handlers: { work: [{ wait: { assumed: ${ms}ms, cv: 0 } }] } }
      traffic:
        open: { to: station, send: work, open: { rate: 50/s, arrivals: even } }
        users: { to: station, send: work, closed: { users: 5, think: 90ms } }
    `)));
    expect(runs.map((run) => run.traffic.open.offered)).toEqual([10_000, 10_000]);
    // 5 / (90 ms + 10 ms) and 5 / (90 ms + 20 ms), for 200 s less the joining.
    expect(runs.map((run) => Math.round(run.traffic.users.offered / 200))).toEqual([50, 45]);
    expect(total(cells(runs[0], runs[0].ticks.traffic.users.offered))).toBe(runs[0].traffic.users.offered);
  });
});
