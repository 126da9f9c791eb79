import { describe, expect, it } from 'vitest';
import { eventsOf, scenario, simulated } from '../../support/simulated.js';
import type { SimulatedRun } from '../../../src/study/types.js';

const cpu = (time: string): string => `{ cpu: { assumed: ${time}, cv: 0 } }`;
const wait = (time: string): string => `{ wait: { assumed: ${time}, cv: 0 } }`;
interface Scaled {
  readonly scale: string;
  readonly svc?: string;
  readonly instances?: number;
  readonly steps?: string;
  readonly rate: string;
  readonly duration?: string;
  readonly faults?: string;
  readonly more?: string;
  readonly to?: string;
}
const scaled = ({ scale, svc = '', instances = 1, steps = cpu('10ms'), rate, duration = '1m', faults = '', more = '', to = 'svc' }: Scaled): SimulatedRun =>
  simulated(
    scenario(`
      duration: ${duration}
      tick: 1s
      machines: { box: { cpus: 1, memory: 1GiB } }
      services:
        svc: { machine: box, instances: ${instances}, ${svc} autoscale: { min: 1, max: 9, window: 10s, every: 10s, ${/boot/.test(scale) ? '' : 'boot: 1s, '}${scale} }, handlers: { job: [${steps}] } }
        ${more}
      ${faults}
      traffic:
        jobs: { to: ${to}, send: job, open: { rate: ${rate}, arrivals: even } }
    `),
  );
const decisions = (run: SimulatedRun): [number, string, string, number, number, number][] =>
  run.eventLog
    .filter(({ kind }) => kind === 'scale-out' || kind === 'scale-in')
    .map(({ tMs, kind, cause, data }) => [tMs / 1000, kind, cause, data.from as number, data.to as number, data.metric as number]);

describe('rule 38 with other metrics', () => {
  it('slots: the mean share of them in use', () => {
    // 8 at a time of 10.
    const run = scaled({ scale: 'metric: slots, target: 50%', svc: 'slots: 10,', steps: wait('1s'), rate: '[[0s, 8/s], [9s, 8/s], [9s, 0/s], [60s, 0/s]]' });
    // 72 requests of 1 s within 10 s.
    expect(decisions(run)[0]).toEqual([10, 'scale-out', 'slots', 1, 2, 0.72]);
  });
  it('queue: the mean length, not in whole percent', () => {
    // One slot, 100 ms each, 20 a second: the queue grows by 10 a second, to a mean of 50 over 10 s.
    const run = scaled({ scale: 'metric: queue, target: 20', svc: 'slots: 1,', steps: wait('100ms'), rate: '20/s', duration: '15s' });
    const [[s, kind, cause, from, to, metric]] = decisions(run);
    expect([s, kind, cause, from, to]).toEqual([10, 'scale-out', 'queue', 1, 3]);
    expect(metric).toBeCloseTo(50, -1);
    expect(eventsOf(run, 'scale-out')[0].data.target).toBe(20);
  });
  it('queue: 110.5 % of the target is outside of the tolerance, as only percents of CPU are truncated', () => {
    // 22 wait from the start on, 23 from 9 s on: 22.1 over 10 s.
    const rate = '[[0s, 23000/s], [1ms, 23000/s], [1ms, 0/s], [9s, 0/s], [9s, 1000/s], [9001ms, 1000/s], [9001ms, 0/s], [60s, 0/s]]';
    const run = scaled({ scale: 'metric: queue, target: 20', svc: 'slots: 1,', steps: wait('1h'), rate, duration: '15s' });
    expect(run.traffic.jobs.offered).toBe(24);
    expect(decisions(run).map(([s, , , from, to, metric]) => [s, from, to, metric])).toEqual([[10, 1, 2, expect.closeTo(22.1, 2)]]);
  });
  it('queue: the mean over all instances', () => {
    const run = scaled({ scale: 'metric: queue, target: 20', instances: 2, svc: 'slots: 1,', steps: wait('100ms'), rate: '30/s', duration: '15s' });
    // 5 a second too many for each.
    const [[, , , from, to, metric]] = decisions(run);
    expect([from, to]).toEqual([2, 3]);
    expect(metric).toBeCloseTo(25, -0.5);
  });
});

describe('`with`: the CPU of sidecars counts, too', () => {
  const pod = (scale: string, sidecar = ''): SimulatedRun =>
    scaled({ scale, rate: '40/s', duration: '15s', more: `proxy: { beside: svc, cpus: 1, ${sidecar} handlers: { job: [${cpu('14ms')}, { call: svc.job }] } }`, to: 'proxy' });
  it('use and request are those of the pod', () => {
    // 0.4 of 1 core without, 0.4 + 0.56 of 2 cores with.
    expect(decisions(pod('target: 38%'))).toEqual([]);
    const [[s, , , from, to, metric]] = decisions(pod('target: 38%, with: [proxy]'));
    expect([s, from, to]).toEqual([10, 1, 2]);
    expect(metric).toBeCloseTo(0.48, 1.5);
    const [[, , , , , alone]] = decisions(pod('target: 30%'));
    expect(alone).toBeCloseTo(0.4, 1.5);
  });
  it('weighs by the request of the sidecar', () => {
    // 0.96 of the 1.1 cores asked for.
    expect(decisions(pod('target: 60%, with: [proxy]', 'cpuRequest: 0.1,'))[0][5]).toBeCloseTo(0.87, 1.5);
  });
});

describe('rule ec2: three points above for out, fifteen below for in', () => {
  const ec2 = 'rule: ec2, target: 50%, inWindow: 0s';
  it('orders at the third point, in proportion', () => {
    expect(decisions(scaled({ scale: ec2, rate: '90/s' }))[0].slice(0, 5)).toEqual([30, 'scale-out', 'cpu', 1, 2]);
  });
  it('does not act on two', () => {
    expect(decisions(scaled({ scale: ec2, rate: '[[0s, 90/s], [20s, 90/s], [20s, 10/s], [60s, 10/s]]' }))).toEqual([]);
  });
  it('orders once for what it needs: those that come are counted as capacity', () => {
    // One at 90 % and full: needs two; while the second boots for 35 s nothing more is ordered.
    expect(decisions(scaled({ scale: `${ec2}, boot: 35s`, rate: '90/s' })).map(([s, , , from, to]) => [s, from, to])).toEqual([[30, 1, 2]]);
  });
  it('scales in at the fifteenth, one step at a time', () => {
    const run = scaled({ scale: ec2, instances: 4, rate: '60/s', duration: '5m' });
    // 15 % each of four: two at 30 % remain; from there on 30 % is below 45 %: after 15 more ⌈2 × 30 / 50⌉ = 2 stay.
    expect(decisions(run).map(([s, kind, , from, to]) => [s, kind, from, to])).toEqual([[150, 'scale-in', 4, 2]]);
  });
  it('counts anew after a scale-in: fifteen points of the smaller group', () => {
    const run = scaled({ scale: ec2, instances: 4, rate: '[[0s, 60/s], [150s, 60/s], [150s, 10/s], [400s, 10/s]]', duration: '330s' });
    expect(decisions(run).map(([s, , , from, to]) => [s, from, to])).toEqual([[150, 4, 2], [300, 2, 1]]);
  });
  it('counts those that warm up as capacity, but leaves them out of the metric', () => {
    // 120 % of a core are two at 60 %, which needs a third. But the second warms up from 31 s to 91 s; until then the metric is the first one's, which asks for two.
    const run = scaled({ scale: ec2, svc: 'warmUp: { for: 60s, factor: 1x },', rate: '120/s', duration: '105s' });
    expect(decisions(run).map(([s, , , from, to]) => [s, from, to])).toEqual([[30, 1, 2], [100, 2, 3]]);
  });
  it('waits for all of `inWindow` where that is longer', () => {
    const run = scaled({ scale: ec2.replace('inWindow: 0s', 'inWindow: 200s'), instances: 4, rate: '60/s', duration: '5m' });
    expect(decisions(run).map(([s]) => s)).toEqual([200]);
  });
  it('takes the machine of a dead process for idle', () => {
    // Every second request is refused by the dead one: 22.5 % and nothing, a mean of 11.25 %, and ⌈2 × 11.25 ÷ 50⌉ = 1.
    const run = scaled({ scale: ec2, instances: 2, svc: 'recovery: { by: none },', rate: '[[0s, 0/s], [2s, 0/s], [2s, 45/s], [300s, 45/s]]', faults: 'faults: { kill: { at: 1s, target: svc.2, crash: true } }', duration: '3m' });
    const [[s, , , from, to, metric]] = decisions(run);
    expect([s, from, to]).toEqual([150, 2, 1]);
    expect(metric).toBeCloseTo(0.1125, 3);
    expect(eventsOf(run, 'gone').map(({ subject }) => subject)).toEqual(['svc.2']);
  });
  it('waits `outCooldown` between two orders', () => {
    const cool = (outCooldown: string): number[] => decisions(scaled({ scale: `rule: ec2, target: 10%, outCooldown: ${outCooldown}`, rate: '[[0s, 50/s], [25s, 50/s], [25s, 300/s], [90s, 300/s]]', duration: '90s' })).map(([s]) => s);
    expect(cool('0s')[1]).toBe(40);
    expect(cool('45s')[1]).toBe(80);
  });
});
