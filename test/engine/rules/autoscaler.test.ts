import { describe, expect, it } from 'vitest';
import { cells, eventsOf, scenario, simulated } from '../../support/simulated.js';
import type { LoggedEvent, SimulatedRun } from '../../../src/study/types.js';

interface Scaled {
  readonly scale?: string;
  readonly instances?: number;
  readonly svc?: string;
  readonly rate?: string;
  readonly duration?: string;
  readonly faults?: string;
  readonly link?: string;
  readonly handler?: string;
  readonly traffic?: string;
}
/** `svc` on one-core machines, 10 ms of CPU a request, so that N/s are N % of one instance. */
const scaled = ({ scale = '', instances = 1, svc = '', rate = '90/s', duration = '1m', faults = '', link = 'policy: round-robin', handler = '{ cpu: { assumed: 10ms, cv: 0 } }', traffic = '' }: Scaled): SimulatedRun =>
  simulated(
    scenario(`
      duration: ${duration}
      tick: 1s
      machines: { box: { cpus: 1, memory: 1GiB, price: 1 USD/h } }
      services:
        lb: { to: { svc: { ${link} } } }
        svc:
          machine: box
          instances: ${instances}
          ${svc}
          autoscale: { ${scale || 'min: 1, max: 6, target: 60%, every: 15s, window: 15s, boot: 20s'} }
          handlers: { job: [${handler}] }
      ${faults}
      traffic:
        jobs: { to: lb, send: job, open: { rate: ${rate}, arrivals: even } }
        ${traffic}
    `),
  );
const decisions = (run: SimulatedRun): [number, string, number, number, number][] =>
  run.eventLog.filter(({ kind }) => kind === 'scale-out' || kind === 'scale-in').map(({ tMs, kind, data }) => [tMs / 1000, kind, data.from as number, data.to as number, data.metric as number]);
const at = (events: readonly LoggedEvent[]): [number, string][] => events.map(({ tMs, subject }) => [tMs / 1000, subject]);

describe('rule 38: the metric is the mean over `window`, ending at the decision, of serving instances ÷ `cpuRequest`, in whole percent truncated', () => {
  it('truncates 66.9 % to 66 %, which is within the tolerance of 60 %: nothing', () => {
    expect(decisions(scaled({ rate: '66.9/s' }))).toEqual([]);
  });
  it('acts on 67 %', () => {
    expect(decisions(scaled({ rate: '67/s' }))[0]).toEqual([15, 'scale-out', 1, 2, 0.67]);
  });
  it('divides by `cpuRequest`, so that it can exceed 100 %', () => {
    expect(decisions(scaled({ rate: '75/s', svc: 'cpuRequest: 0.5' }))[0]).toEqual([15, 'scale-out', 1, 3, 1.5]);
  });
  it('takes the sum over all serving ones', () => {
    // 120 % of one core over two: 60 % each, right on the target; over one it would be all of it.
    expect(decisions(scaled({ rate: '120/s', instances: 2 }))).toEqual([]);
    expect(decisions(scaled({ rate: '141/s', instances: 2 }))[0]).toEqual([15, 'scale-out', 2, 3, 0.7]);
  });
  it.each([
    { window: '15s', metric: 0.3, scales: false },
    { window: '5s', metric: 0.9, scales: true },
  ])('looks back over $window from the decision', ({ window, metric, scales }) => {
    // The load comes at 10 s: 90 % over 5 s, 30 % over 15 s.
    const run = scaled({ rate: '[[0s, 0/s], [10s, 0/s], [10s, 90/s], [20s, 90/s]]', duration: '16s', scale: `min: 1, max: 6, target: 60%, every: 15s, window: ${window}, boot: 20s` });
    expect(decisions(run)).toEqual(scales ? [[15, 'scale-out', 1, 2, metric]] : []);
  });
  it('takes a window longer than `every`, too', () => {
    // At 15 s and 30 s the window of 45 s has only seen 30 % and less.
    const run = scaled({ rate: '[[0s, 0/s], [30s, 0/s], [30s, 90/s], [90s, 90/s]]', duration: '80s', scale: 'min: 1, max: 6, target: 40%, every: 15s, window: 45s, boot: 40s' });
    // At 45 s: 15 of 45 s at 90 % = 30 %; at 60 s: 30 of 45 s = 60 %, ÷ 40 = 1.5.
    expect(decisions(run)[0]).toEqual([60, 'scale-out', 1, 2, 0.6]);
  });
  it('counts a booting one as capacity without a metric', () => {
    // 90 ÷ 30 orders two more. They boot for 40 s: at 30 s and 45 s (90 + 0 + 0) ÷ 3 = 30 % is right on the target, although 90 % is measured.
    const run = scaled({ duration: '50s', scale: 'min: 1, max: 6, target: 30%, every: 15s, window: 15s, boot: 40s' });
    expect(decisions(run)).toEqual([[15, 'scale-out', 1, 3, 0.9]]);
  });
  it('counts only what the process that is up now has used, when it came up inside the window', () => {
    // Busy to 10 s, dead to 11 s, then idle: nothing that would ask for more.
    const run = scaled({
      rate: '[[0s, 90/s], [10s, 90/s], [10s, 0/s], [60s, 0/s]]',
      svc: 'recovery: { by: restart, after: 1s }',
      faults: 'faults: { kill: { at: 10s, target: svc, crash: true } }',
      duration: '20s',
    });
    expect(eventsOf(run, 'back')).toHaveLength(1);
    expect(decisions(run)).toEqual([]);
  });
});

describe('rule 39: decisions at k × `every`; boot, then serving, then traffic', () => {
  const run = scaled({ duration: '70s', scale: 'min: 1, max: 2, target: 60%, every: 7s, window: 7s, boot: 20s' });
  it('decides first at `every`', () => {
    expect(decisions(run)).toEqual([[7, 'scale-out', 1, 2, 0.9]]);
  });
  it('boots for `boot`', () => {
    expect(eventsOf(run, 'booted')).toMatchObject([{ tMs: 27_000, subject: 'svc.2', cause: 'scale-out', data: { bootMs: 20_000 } }]);
    expect(cells(run, run.ticks.services.svc.instances[1].state).slice(5, 30)).toEqual([...Array<number>(2).fill(0), ...Array<number>(20).fill(1), ...Array<number>(3).fill(2)]);
    expect(cells(run, run.ticks.services.svc.instances[1].bootLeftMs).slice(6, 10)).toEqual([0, 19_000, 18_000, 17_000]);
  });
  it('gets traffic at once when the link has no health check', () => {
    expect(cells(run, run.ticks.links['lb.svc'].targets[1].sent).slice(26, 29)).toEqual([0, 45, 45]);
  });
  it('says what it wants in every tick', () => {
    expect(cells(run, run.ticks.services.svc.desired).slice(5, 9)).toEqual([1, 1, 2, 2]);
    expect(run.services.svc.launches).toBe(1);
  });
  it('waits `outCooldown` from one order to the next', () => {
    // 95 ÷ 20 orders 4 more by the policies; 5 × 19 % is right on target; so let the target be 10 %: wants 10, then cool-down.
    const cool = (outCooldown: string): number[] => decisions(scaled({ rate: '95/s', duration: '2m', scale: `min: 1, max: 10, target: 10%, every: 15s, window: 15s, boot: 1s, outCooldown: ${outCooldown}` })).map(([s]) => s);
    expect(cool('0s').slice(0, 2)).toEqual([15, 30]);
    expect(cool('40s').slice(0, 2)).toEqual([15, 60]);
    expect(cool('45s').slice(0, 2)).toEqual([15, 60]);
  });
  it('never goes above `max` or below `min`', () => {
    expect(decisions(scaled({ scale: 'min: 1, max: 2, target: 20%, every: 15s, window: 15s, boot: 1s' }))).toEqual([[15, 'scale-out', 1, 2, 0.9]]);
    expect(decisions(scaled({ rate: '1/s', instances: 3, scale: 'min: 2, max: 6, target: 60%, every: 15s, window: 15s, boot: 1s, inWindow: 0s' }))).toEqual([[15, 'scale-in', 3, 2, 0]]);
  });
});

describe('scale-in takes the highest recommendation of the last `inWindow`', () => {
  it('waits until the last high one is that old', () => {
    // 180 % of a core for 60 s on three (60 % each), then little. The decision at 60 s is the last that asks for three.
    const run = scaled({ rate: '[[0s, 180/s], [60s, 180/s], [60s, 3/s], [200s, 3/s]]', instances: 3, duration: '3m', scale: 'min: 1, max: 6, target: 60%, every: 15s, window: 15s, boot: 1s, inWindow: 60s, drain: 5s' });
    expect(decisions(run)[0]).toEqual([120, 'scale-in', 3, 1, 0.01]);
  });
  it('does not scale in a quiet start before the window is over', () => {
    const run = scaled({ rate: '3/s', instances: 3, duration: '2m', scale: 'min: 1, max: 6, target: 60%, every: 15s, window: 15s, boot: 1s, inWindow: 60s' });
    expect(decisions(run)[0]).toEqual([60, 'scale-in', 3, 1, 0.01]);
  });
});

describe('rule 40: scale-in takes the newest; drain refuses nothing that runs, and kills what is left', () => {
  /** Three idle instances are scaled in to one at 15 s; three requests of 20 s each came in turn just before. */
  const draining = (drain: string): SimulatedRun =>
    scaled({
      rate: '[[0s, 0/s], [14s, 0/s], [14s, 1000/s], [14003ms, 1000/s], [14003ms, 0/s], [60s, 0/s]]',
      instances: 3,
      handler: '{ wait: { assumed: 20s, cv: 0 } }',
      scale: `min: 1, max: 3, target: 60%, every: 15s, window: 15s, boot: 1s, inWindow: 0s, drain: ${drain}`,
    });

  it('lets what runs end, and is gone with the last', () => {
    const run = draining('30s');
    expect(run.traffic.jobs).toMatchObject({ offered: 3, good: 3, failed: {} });
    expect(at(eventsOf(run, 'gone'))).toEqual([[34.001, 'svc.2'], [34.002, 'svc.3']]);
    expect(eventsOf(run, 'gone')[0].data.lost).toBe(0);
    expect(cells(run, run.ticks.services.svc.instances[2].state).slice(13, 36)).toEqual([2, 2, ...Array<number>(19).fill(4), 0, 0]);
  });
  it('kills what is left after `drain`', () => {
    const run = draining('10s');
    expect(run.traffic.jobs).toMatchObject({ good: 1, failed: { 'svc: killed': 2 } });
    expect(eventsOf(run, 'gone')).toMatchObject([
      { tMs: 25_000, subject: 'svc.3', data: { lost: 1 } },
      { tMs: 25_000, subject: 'svc.2', data: { lost: 1 } },
    ]);
  });
  it('also serves what was already on its way to it when it was taken out', () => {
    // Two requests set out at 14.98 s and 14.981 s, to instances 1 and 2, and need 50 ms; at 15 s instance 2, idle, is scaled in.
    const run = scaled({
      rate: '[[0s, 0/s], [14980ms, 0/s], [14980ms, 1000/s], [14982ms, 1000/s], [14982ms, 0/s], [60s, 0/s]]',
      instances: 2,
      link: 'policy: round-robin, latency: 50ms',
      handler: '{ wait: { assumed: 1s, cv: 0 } }',
      scale: 'min: 1, max: 2, target: 60%, every: 15s, window: 15s, boot: 1s, inWindow: 0s, drain: 30s',
    });
    expect(decisions(run).map(([s, kind]) => [s, kind])).toEqual([[15, 'scale-in']]);
    expect(run.traffic.jobs).toMatchObject({ offered: 2, good: 2, failed: {} });
    expect(at(eventsOf(run, 'gone'))).toEqual([[16.031, 'svc.2']]);
  });
  it('sends it nothing new', () => {
    const run = scaled({ rate: '3/s', instances: 3, scale: 'min: 1, max: 3, target: 60%, every: 15s, window: 15s, boot: 1s, inWindow: 0s, drain: 30s' });
    expect(cells(run, run.ticks.links['lb.svc'].targets[2].sent).slice(13, 20)).toEqual([1, 1, 0, 0, 0, 0, 0]);
    expect(cells(run, run.ticks.links['lb.svc'].targets[0].sent).slice(13, 20)).toEqual([1, 1, 3, 3, 3, 3, 3]);
    expect(run.traffic.jobs.refused).toEqual({});
  });
  it('takes the one that came last, and is gone at once when it still boots', () => {
    // 30 s: a second is ordered (boots 100 s); load ends; 45 s: it is the newest.
    const run = scaled({ rate: '[[0s, 90/s], [15s, 90/s], [15s, 0/s], [60s, 0/s]]', scale: 'min: 1, max: 3, target: 60%, every: 15s, window: 15s, boot: 100s, inWindow: 0s, drain: 30s' });
    expect(decisions(run).map(([s, kind]) => [s, kind])).toEqual([[15, 'scale-out'], [30, 'scale-in']]);
    expect(at(eventsOf(run, 'gone'))).toEqual([[30, 'svc.2']]);
    expect(eventsOf(run, 'booted')).toEqual([]);
  });
  it('orders nobody for a place that is still draining', () => {
    // One of two is scaled in at 15 s and drains its long request to 55 s. From 15 s on the other alone has 90 %: at 30 s and 45 s a second one is
    // wanted, but there is no place; the order comes at 60 s and is not kept back by a cool-down that nobody started.
    const run = simulated(
      scenario(`
        duration: 90s
        machines: { box: { cpus: 1, memory: 1GiB } }
        services:
          lb: { to: { svc: { } } }
          svc:
            machine: box
            instances: 2
            autoscale: { min: 1, max: 2, target: 60%, every: 15s, window: 15s, boot: 5s, inWindow: 0s, outCooldown: 60s, drain: 40s }
            handlers: { job: [{ cpu: { assumed: 10ms, cv: 0 } }], long: [{ wait: { assumed: 60s, cv: 0 } }] }
        traffic:
          long: { to: lb, send: long, start: 14s, stop: 14002ms, open: { rate: 1000/s, arrivals: even } }
          jobs: { to: lb, send: job, start: 15001ms, open: { rate: 90/s, arrivals: even } }
      `),
    );
    expect(decisions(run).map(([s, kind, from, to]) => [s, kind, from, to])).toEqual([[15, 'scale-in', 2, 1], [60, 'scale-out', 1, 2]]);
    expect(at(eventsOf(run, 'booted'))).toEqual([[65, 'svc.2']]);
  });
});

describe('rule 41: billed from the decision to gone, boot and drain included', () => {
  it('bills those of the start from 0, a launched one from its order', () => {
    const run = scaled({ duration: '60s', scale: 'min: 1, max: 2, target: 60%, every: 15s, window: 15s, boot: 20s' });
    expect(run.services.svc.instances.map(({ billedS }) => billedS)).toEqual([60, 45]);
  });
  it('bills a drained one until it is gone', () => {
    const run = scaled({
      rate: '[[0s, 0/s], [14s, 0/s], [14s, 1000/s], [14002ms, 1000/s], [14002ms, 0/s], [60s, 0/s]]',
      instances: 2,
      handler: '{ wait: { assumed: 20s, cv: 0 } }',
      scale: 'min: 1, max: 2, target: 60%, every: 15s, window: 15s, boot: 1s, inWindow: 0s, drain: 30s',
    });
    expect(run.services.svc.instances.map(({ billedS }) => billedS)).toEqual([60, 34.001]);
  });
  it('bills a dead one on: its machine is still there', () => {
    const run = scaled({ rate: '50/s', instances: 2, svc: 'recovery: { by: none }', faults: 'faults: { kill: { at: 1s, target: svc.2, crash: true } }', scale: 'min: 2, max: 2, target: 60%, every: 15s, window: 15s, boot: 1s' });
    expect(run.services.svc.instances.map(({ billedS }) => billedS)).toEqual([60, 60]);
  });
});
