import { describe, expect, it } from 'vitest';
import { cells, eventsOf, scenario, simulated, total } from '../../support/simulated.js';
import type { EventKind, SimulatedRun } from '../../../src/study/types.js';

interface Deployed {
  readonly deploy: string;
  readonly instances?: number;
  readonly svc?: string;
  readonly link?: string;
  readonly steps?: string;
  readonly rate?: string;
  readonly duration?: string;
  readonly more?: string;
  readonly faults?: string;
}
const health = 'health: { path: dedicated, every: 2s, timeout: 500ms, unhealthyAfter: 2, healthyAfter: 2 }';
const deployed = ({ deploy, instances = 2, svc = '', link = health, steps = '', rate = '20/s', duration = '40s', more = '', faults = '' }: Deployed): SimulatedRun =>
  simulated(
    scenario(`
      duration: ${duration}
      tick: 1s
      machines: { box: { cpus: 1, memory: 1GiB, price: 1 USD/h } }
      services:
        lb: { to: { svc: { ${link} } } }
        svc: { machine: box, instances: ${instances}, ${svc} handlers: { job: [${steps}] } }
        ${more}
      faults:
        release: { at: 10s, target: svc, deploy: { boot: 3s, ${deploy} } }
        ${faults}
      traffic:
        jobs: { to: lb, send: job, open: { rate: ${rate}, arrivals: even } }
    `),
  );
const log = (run: SimulatedRun, ...kinds: EventKind[]): [number, string, string, string][] =>
  run.eventLog.filter(({ kind }) => kinds.includes(kind)).map(({ tMs, kind, subject, cause }) => [tMs / 1000, kind, subject, cause]);
const sent = (run: SimulatedRun, target: number): number[] => cells(run, run.ticks.links['lb.svc'].targets[target].sent);
/** First good probe of a new one that came up at this time, s. */
const probedAt = (run: SimulatedRun, instance: string): number => eventsOf(run, 'ready', instance)[0].tMs / 1000;

describe('a rolling deployment', () => {
  it('launches one beside, waits for its boot and its first good probe, then drains one, and so on', () => {
    const run = deployed({ deploy: 'how: rolling' });
    const first = probedAt(run, 'svc.3');
    const second = probedAt(run, 'svc.1');
    expect(first).toBeGreaterThanOrEqual(13);
    expect(first).toBeLessThan(15);
    expect(log(run, 'fault', 'booted', 'ready', 'deployed', 'gone', 'fault-end')).toEqual([
      [10, 'fault', 'release', 'deploy'],
      [13, 'booted', 'svc.3', 'deploy'],
      [first, 'ready', 'svc.3', 'first probe'],
      [first, 'gone', 'svc.1', 'deploy'],
      [expect.closeTo(first + 3, 6), 'booted', 'svc.1', 'deploy'],
      [second, 'ready', 'svc.1', 'first probe'],
      [second, 'deployed', 'svc', 'rolling'],
      [second, 'gone', 'svc.2', 'deploy'],
      [second, 'fault-end', 'release', 'deploy'],
    ]);
    expect(eventsOf(run, 'deployed')[0].data).toEqual({ replaced: 2 });
    expect(run.traffic.jobs).toMatchObject({ offered: 800, good: 800 });
  });
  it('goes on at the boot where no link has a health check', () => {
    const run = deployed({ deploy: 'how: rolling', link: 'policy: round-robin' });
    expect(log(run, 'booted', 'deployed', 'gone').map(([s, kind, subject]) => [s, kind, subject])).toEqual([
      [13, 'booted', 'svc.3'],
      [13, 'gone', 'svc.1'],
      [16, 'booted', 'svc.1'],
      [16, 'deployed', 'svc'],
      [16, 'gone', 'svc.2'],
    ]);
  });
  it('takes `batch` at a time, the rest in the last', () => {
    const run = deployed({ deploy: 'how: rolling, batch: 2', instances: 3, link: 'policy: round-robin' });
    expect(log(run, 'booted').map(([s, , subject]) => [s, subject])).toEqual([[13, 'svc.4'], [13, 'svc.5'], [16, 'svc.1']]);
    expect(eventsOf(run, 'deployed')).toMatchObject([{ tMs: 16_000, data: { replaced: 3 } }]);
  });
  it('drains: what runs on an old one may end, within 30 s, and the next batch waits for it', () => {
    const run = deployed({ deploy: 'how: rolling', link: 'policy: round-robin', steps: '{ wait: { assumed: 4s, cv: 0 } }' });
    expect(log(run, 'booted', 'gone').map(([s, kind, subject]) => [s, kind, subject])).toEqual([
      [13, 'booted', 'svc.3'],
      [16.9, 'gone', 'svc.1'],
      [19.9, 'booted', 'svc.1'],
      [23.85, 'gone', 'svc.2'],
    ]);
    expect(run.traffic.jobs.failed).toEqual({});
    const slow = deployed({ deploy: 'how: rolling', link: 'policy: round-robin', steps: '{ wait: { assumed: 50s, cv: 0 } }', duration: '60s' });
    expect(log(slow, 'gone').map(([s, , subject]) => [s, subject])).toEqual([[43, 'svc.1']]);
    expect(eventsOf(slow, 'gone')[0].data.lost).toBeGreaterThan(0);
  });
  it('drains as long as the autoscaler says, and that decides nothing meanwhile', () => {
    // Far too many, so it would scale in at 12 s; the deployment lasts from 10 s to 23 s.
    const run = deployed({
      deploy: 'how: rolling',
      link: 'policy: round-robin',
      instances: 2,
      svc: 'autoscale: { min: 1, max: 4, target: 60%, every: 4s, window: 4s, boot: 1s, inWindow: 9s, drain: 7s },',
      steps: '{ wait: { assumed: 20s, cv: 0 } }',
    });
    expect(log(run, 'gone').map(([s, , , cause]) => [s, cause])).toEqual([[20, 'deploy'], [30, 'deploy'], [31, 'scale-in']]);
    expect(log(run, 'scale-in').map(([s]) => s)).toEqual([24]);
  });
  it('stops at one that never answers: what was replaced stays, that batch goes', () => {
    const run = deployed({ deploy: 'how: rolling, failing: 1', instances: 3 });
    // The last of the new ones hangs: two bad probes in a row.
    expect(eventsOf(run, 'deployed')).toEqual([]);
    const [rolledBack] = eventsOf(run, 'rolled-back');
    expect(rolledBack).toMatchObject({ subject: 'svc', cause: 'rolling', data: { failing: 1 } });
    expect(log(run, 'gone').map(([, , subject, cause]) => [subject, cause])).toEqual([['svc.1', 'deploy'], ['svc.2', 'deploy'], ['svc.2', 'rolled back']]);
    expect(eventsOf(run, 'gone')[2].tMs).toBe(rolledBack.tMs);
    expect(run.traffic.jobs).toMatchObject({ offered: 800, good: 800 });
  });
  it('finds out at the boot where nobody probes', () => {
    const run = deployed({ deploy: 'how: rolling, failing: 2', link: 'policy: round-robin' });
    expect(log(run, 'rolled-back', 'gone').map(([s, kind, subject, cause]) => [s, kind, subject, cause])).toEqual([
      [13, 'rolled-back', 'svc', 'rolling'],
      [13, 'gone', 'svc.3', 'rolled back'],
    ]);
    expect(run.traffic.jobs).toMatchObject({ offered: 800, good: 800 });
  });
  it('takes one that dies while it comes up for failed', () => {
    const run = deployed({ deploy: 'how: rolling', svc: 'recovery: { by: restart, after: 1s },', faults: 'kill: { at: 13001ms, target: svc, crash: true }' });
    expect(eventsOf(run, 'rolled-back')).toMatchObject([{ tMs: 13_001, data: { failing: 1 } }]);
  });
});

describe('a blue-green deployment', () => {
  it('brings up as many as there are, and moves the traffic when all have answered', () => {
    const run = deployed({ deploy: 'how: blue-green' });
    const moved = probedAt(run, 'svc.3');
    expect(log(run, 'booted', 'ready', 'deployed', 'gone', 'fault-end')).toEqual([
      [13, 'booted', 'svc.3', 'deploy'],
      [13, 'booted', 'svc.4', 'deploy'],
      [moved, 'ready', 'svc.3', 'first probe'],
      [moved, 'ready', 'svc.4', 'first probe'],
      [moved, 'deployed', 'svc', 'blue-green'],
      [moved, 'gone', 'svc.1', 'deploy'],
      [moved, 'gone', 'svc.2', 'deploy'],
      [moved, 'fault-end', 'release', 'deploy'],
    ]);
    expect(eventsOf(run, 'deployed')[0].data).toEqual({ replaced: 2 });
    const [before, after] = [Math.floor(moved), Math.ceil(moved)];
    expect([0, 1].map((target) => total(sent(run, target).slice(after)))).toEqual([0, 0]);
    expect([2, 3].map((target) => total(sent(run, target).slice(0, before)))).toEqual([0, 0]);
    expect([2, 3].map((target) => total(sent(run, target).slice(after)))).toEqual([10 * (40 - after), 10 * (40 - after)]);
    expect(run.traffic.jobs).toMatchObject({ offered: 800, good: 800 });
  });
  it('keeps the new ones from traffic until then, also where no link has a health check and they boot one after another', () => {
    // They come up together; the move is at that instant.
    const run = deployed({ deploy: 'how: blue-green', link: 'policy: round-robin' });
    expect(log(run, 'deployed', 'gone').map(([s, kind]) => [s, kind])).toEqual([[13, 'deployed'], [13, 'gone'], [13, 'gone']]);
    expect(total(sent(run, 2).slice(0, 13))).toBe(0);
  });
  it('keeps them from traffic when nobody else is healthy and the balancer fails open', () => {
    const run = deployed({ deploy: 'how: blue-green, failing: 1', link: `${health}, failOpen: 1`, svc: 'recovery: { by: none },', faults: 'kill: { at: 1s, target: svc, crash: true }' });
    expect([2, 3].map((target) => total(sent(run, target)))).toEqual([0, 0]);
  });
  it('lets the old fleet go on untouched when one of the new ones never answers', () => {
    const run = deployed({ deploy: 'how: blue-green, failing: 1' });
    const [rolledBack] = eventsOf(run, 'rolled-back');
    expect(rolledBack).toMatchObject({ subject: 'svc', cause: 'blue-green', data: { failing: 1 } });
    // The second probe in a row is bad 500 ms after it was sent.
    const moved = probedAt(deployed({ deploy: 'how: blue-green' }), 'svc.3');
    expect(rolledBack.tMs / 1000).toBeCloseTo(moved + 2.5, 6);
    // Nobody is told to be in rotation who never was.
    expect(log(run, 'ready')).toEqual([]);
    expect(log(run, 'gone').map(([s, , subject, cause]) => [s, subject, cause])).toEqual([
      [rolledBack.tMs / 1000, 'svc.3', 'rolled back'],
      [rolledBack.tMs / 1000, 'svc.4', 'rolled back'],
    ]);
    expect([2, 3].map((target) => total(sent(run, target)))).toEqual([0, 0]);
    expect(run.traffic.jobs).toMatchObject({ offered: 800, good: 800 });
    expect(run.services.svc.instances.map(({ billedS }) => Math.round(billedS))).toEqual([40, 40, Math.round(rolledBack.tMs / 1000 - 10), Math.round(rolledBack.tMs / 1000 - 10)]);
  });
  it('gives up 60 s after the boot when probes come too seldom to tell', () => {
    const seldom = 'health: { path: dedicated, every: 50s, timeout: 5s, unhealthyAfter: 9, healthyAfter: 2 }';
    const run = deployed({ deploy: 'how: blue-green, failing: 2', link: seldom, duration: '2m' });
    expect(log(run, 'rolled-back')).toEqual([[73, 'rolled-back', 'svc', 'blue-green']]);
    expect(eventsOf(run, 'rolled-back')[0].data.failing).toBe(2);
  });
  it('bills the new ones from their order, the old ones until they are gone', () => {
    const run = deployed({ deploy: 'how: blue-green', link: 'policy: round-robin' });
    expect(run.services.svc.instances.map(({ billedMs }) => billedMs)).toEqual([[[0, 13_000]], [[0, 13_000]], [[10_000, 40_000]], [[10_000, 40_000]]]);
    expect(run.services.svc.launches).toBe(2);
  });
  it('does not hang for good: in a place where one hung, the next one answers', () => {
    const run = deployed({ deploy: 'how: blue-green, failing: 2', link: 'policy: round-robin', faults: 'again: { at: 20s, target: svc, deploy: { how: blue-green, boot: 3s } }' });
    expect(log(run, 'rolled-back', 'deployed').map(([s, kind]) => [s, kind])).toEqual([[13, 'rolled-back'], [23, 'deployed']]);
    expect(run.traffic.jobs).toMatchObject({ offered: 800, good: 800 });
  });
});

describe('a new one that is taken away as it comes up', () => {
  it('is hit by nothing else any more: a hog finds no process there', () => {
    const run = deployed({ deploy: 'how: rolling, failing: 2', link: 'policy: round-robin', svc: 'memory: { base: 10MiB },', faults: 'greed: { at: 5s, target: svc, hog: 20MiB }' });
    expect(eventsOf(run, 'gone')).toMatchObject([{ tMs: 13_000, subject: 'svc.3' }]);
    expect(cells(run, run.ticks.services.svc.instances[2].memoryBytes.end).at(-1)).toBe(0);
  });
});

describe('two deployments of one service', () => {
  it('come one after another', () => {
    const run = deployed({ deploy: 'how: rolling', link: 'policy: round-robin', faults: 'again: { at: 11s, target: svc, deploy: { how: blue-green, boot: 5s } }' });
    expect(log(run, 'fault', 'deployed', 'fault-end').map(([s, kind, subject]) => [s, kind, subject])).toEqual([
      [10, 'fault', 'release'],
      [11, 'fault', 'again'],
      [16, 'deployed', 'svc'],
      [16, 'fault-end', 'release'],
      [21, 'deployed', 'svc'],
      [21, 'fault-end', 'again'],
    ]);
  });
});
