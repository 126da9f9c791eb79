import { describe, expect, it } from 'vitest';
import { eventsOf, scenario, simulated } from '../../support/simulated.js';
import type { SimulatedRun } from '../../../src/study/types.js';

interface Scaled {
  readonly scale: string;
  readonly instances?: number;
  readonly svc?: string;
  readonly rate: string;
  readonly duration: string;
  readonly faults?: string;
  readonly more?: string;
  readonly to?: string;
  readonly steps?: string;
}
/** `svc` on one-core machines, 10 ms of CPU a request, so that N/s are N % of one instance. */
const scaled = ({ scale, instances = 1, svc = '', rate, duration, faults = '', more = '', to = 'svc', steps = '{ cpu: { assumed: 10ms, cv: 0 } }' }: Scaled): SimulatedRun =>
  simulated(
    scenario(`
      duration: ${duration}
      tick: 1s
      machines: { box: { cpus: 1, memory: 1GiB } }
      services:
        svc: { machine: box, instances: ${instances}, ${svc} autoscale: { min: 1, max: 12, ${/boot/.test(scale) ? '' : 'boot: 1s, '}${scale} }, handlers: { job: [${steps}] } }
        ${more}
      ${faults}
      traffic:
        jobs: { to: ${to}, send: job, open: { rate: ${rate}, arrivals: even } }
    `),
  );
const decisions = (run: SimulatedRun): [number, number, number][] =>
  run.eventLog.filter(({ kind }) => kind === 'scale-out' || kind === 'scale-in').map(({ tMs, data }) => [tMs / 1000, data.from as number, data.to as number]);

describe('scale-out policies: at most four more, or twice as many, within 15 s', () => {
  it('begins from what there was 15 s ago, not from what was added since', () => {
    // 95 % on one wants ten. Four come at 5 s; at 10 s and 15 s there was one 15 s ago, which has had its four; at 20 s there were five.
    const run = scaled({ scale: 'target: 10%, every: 5s, window: 5s, outCooldown: 0s', rate: '95/s', duration: '24s' });
    expect(decisions(run)).toEqual([[5, 1, 5], [20, 5, 10]]);
  });
  it('gives what is left of the four at the next decision', () => {
    // 25 % on one wants three, so two come; 150 % from then on wants more than ten.
    const run = scaled({ scale: 'target: 10%, every: 5s, window: 5s, outCooldown: 0s', rate: '[[0s, 25/s], [5s, 25/s], [5s, 150/s], [60s, 150/s]]', duration: '14s' });
    expect(decisions(run)).toEqual([[5, 1, 3], [10, 3, 5]]);
  });
});

describe('a pod of which one container is dead has no sample', () => {
  // 10 % of one core in each of two pods: one would do. A pod without a sample counts as full, and then both are needed.
  const pods = (faults: string): SimulatedRun =>
    scaled({
      scale: 'target: 60%, every: 10s, window: 10s, inWindow: 0s, with: [proxy]',
      instances: 2,
      rate: '20/s',
      duration: '15s',
      faults,
      more: 'proxy: { beside: svc, cpus: 1, recovery: { by: none }, handlers: { job: [{ call: svc.job }] } }',
      to: 'proxy',
    });
  it('so that nobody leaves for its sake', () => {
    expect(decisions(pods('faults: { kill: { at: 1s, target: proxy.2, crash: true } }'))).toEqual([]);
  });
  it('while two whole pods scale in', () => {
    expect(decisions(pods(''))).toEqual([[10, 2, 1]]);
  });
});

describe('rule ec2: who is measured', () => {
  it('has no data of a machine that is gone, and keeps it', () => {
    // One at 30 % alone; with an idle one beside it would be 15 %, for which one is enough.
    const run = scaled({
      scale: 'rule: ec2, target: 50%, every: 10s, window: 10s, inWindow: 0s',
      instances: 2,
      svc: 'recovery: { by: reboot, after: 1h },',
      rate: '60/s',
      duration: '3m',
      faults: 'faults: { kill: { at: 1s, target: svc.2, crash: true } }',
      to: '{ svc: { policy: round-robin, timeout: 1s } }',
    });
    expect(decisions(run)).toEqual([]);
    expect(run.services.svc.instances[0].good).toBeGreaterThan(3000);
  });
  it('queue: by the mean length, not by a share of the target', () => {
    // 22 wait from the start on: two are needed for a target of 11 (at the third point), none for one of 22.
    const rate = '[[0s, 23000/s], [1ms, 23000/s], [1ms, 0/s], [60s, 0/s]]';
    const queue = (target: number): [number, number, number][] =>
      decisions(scaled({ scale: `rule: ec2, metric: queue, target: ${target}, every: 10s, window: 5s`, svc: 'slots: 1,', steps: '{ wait: { assumed: 1h, cv: 0 } }', rate, duration: '35s' }));
    expect(queue(11)).toEqual([[30, 1, 2]]);
    expect(queue(22)).toEqual([]);
  });
});

describe('one that comes up at the instant of a decision', () => {
  it('has no sample yet', () => {
    // 83 % of three asks for five at 10 s; the two that come are up at 20 s, when three have done nothing. Those two count as full: 2 ÷ 5 ÷ 60 % of five is 4.
    const rate = '[[0s, 250/s], [9900ms, 250/s], [9900ms, 0/s], [60s, 0/s]]';
    const run = scaled({ scale: 'target: 60%, every: 10s, window: 5s, inWindow: 0s, boot: 10s', instances: 3, rate, duration: '25s', to: '{ svc: { policy: round-robin } }' });
    expect(eventsOf(run, 'booted').map(({ tMs }) => tMs)).toEqual([20_000, 20_000]);
    expect(decisions(run)).toEqual([[10, 3, 5], [20, 5, 4]]);
  });
});

describe('rule ec2: scale-in after a scale-out', () => {
  // 60 % of two asks for a third at 30 s; from then on nearly nothing comes. The fifteenth low point is that of 180 s.
  const quiet = (scale: string, svc: string): [number, number, number][] =>
    decisions(
      scaled({
        scale: `rule: ec2, target: 50%, every: 10s, window: 5s, inWindow: 0s${scale}`,
        instances: 2,
        svc,
        rate: '[[0s, 120/s], [30s, 120/s], [30s, 9/s], [400s, 9/s]]',
        duration: '350s',
        to: '{ svc: { policy: round-robin } }',
      }),
    );
  it('waits until nobody warms up', () => {
    expect(quiet('', 'warmUp: { for: 300s, factor: 1x },')).toEqual([[30, 2, 3], [340, 3, 1]]);
  });
  it('does not wait for `outCooldown`', () => {
    expect(quiet(', outCooldown: 10m', '')).toEqual([[30, 2, 3], [180, 3, 1]]);
  });
});

describe('rule 40: scale-in takes what came last', () => {
  it('also where that has not the highest number', () => {
    // The deployment leaves `svc.3`, which came first, and `svc.1`, which came when that was up.
    const run = scaled({
      scale: 'target: 60%, every: 30s, window: 5s, inWindow: 0s',
      instances: 2,
      rate: '3/s',
      duration: '35s',
      faults: 'faults: { release: { at: 1s, target: svc, deploy: { boot: 3s, how: rolling } } }',
    });
    expect(eventsOf(run, 'gone').map(({ tMs, subject, cause }) => [tMs / 1000, subject, cause])).toEqual([[4, 'svc.1', 'deploy'], [7, 'svc.2', 'deploy'], [30, 'svc.1', 'scale-in']]);
  });
});
