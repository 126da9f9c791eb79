import { describe, expect, it } from 'vitest';
import { cells, eventsOf, scenario, simulated, total } from '../../support/simulated.js';
import type { EventKind, SimulatedRun } from '../../../src/study/types.js';

interface Deployed {
  readonly deploy: string;
  readonly instances?: number;
  readonly faults?: string;
  /** Who answers the balancer: `svc`, or the proxy beside it. */
  readonly to?: 'svc' | 'proxy';
  readonly steps?: string;
}
const health = 'health: { path: dedicated, every: 2s, timeout: 500ms, unhealthyAfter: 2, healthyAfter: 2 }';
const deployed = ({ deploy, instances = 2, faults = '', to = 'proxy', steps = '' }: Deployed): SimulatedRun =>
  simulated(
    scenario(`
      duration: 40s
      tick: 1s
      machines: { box: { cpus: 2, memory: 1GiB } }
      services:
        lb: { to: { ${to}: { policy: round-robin, ${health} } } }
        svc: { machine: box, instances: ${instances}, recovery: { by: restart, after: 1s }, handlers: { job: [${steps}] } }
        proxy: { beside: svc, recovery: { by: restart, after: 1s }, handlers: { job: [{ call: svc.job }] } }
      faults:
        release: { at: 10s, target: svc, deploy: { boot: 3s, ${deploy} } }
        ${faults}
      traffic:
        jobs: { to: lb, send: job, open: { rate: 20/s, arrivals: even } }
    `),
  );
const log = (run: SimulatedRun, ...kinds: EventKind[]): [number, string, string][] => run.eventLog.filter(({ kind }) => kinds.includes(kind)).map(({ tMs, kind, subject }) => [tMs / 1000, kind, subject]);
const firstProbe = (run: SimulatedRun, instance: string): number => eventsOf(run, 'ready', instance)[0].tMs / 1000;

describe('a deployment of pods whose sidecar is what answers', () => {
  it('rolling: an old pod goes with the first good probe of the proxy in the new one', () => {
    const run = deployed({ deploy: 'how: rolling' });
    const [first, second] = [firstProbe(run, 'proxy.3'), firstProbe(run, 'proxy.1')];
    expect(first).toBeGreaterThan(13);
    expect(log(run, 'deployed', 'gone')).toEqual([[first, 'gone', 'svc.1'], [second, 'deployed', 'svc'], [second, 'gone', 'svc.2']]);
    expect(run.traffic.jobs).toMatchObject({ offered: 800, good: 800 });
  });
  it('blue-green: no proxy of the new ones gets traffic before the move', () => {
    const run = deployed({ deploy: 'how: blue-green' });
    const moved = eventsOf(run, 'deployed')[0].tMs / 1000;
    expect(moved).toBeGreaterThan(13);
    const { targets } = run.ticks.links['lb.proxy'];
    expect([2, 3].map((target) => total(cells(run, targets[target].sent).slice(0, Math.floor(moved))))).toEqual([0, 0]);
    expect([2, 3].map((target) => total(cells(run, targets[target].sent).slice(Math.ceil(moved))))).toEqual([10 * (40 - Math.ceil(moved)), 10 * (40 - Math.ceil(moved))]);
  });
  it('a version that hangs hangs in the whole pod', () => {
    const run = deployed({ deploy: 'how: blue-green, failing: 1' });
    expect(eventsOf(run, 'rolled-back')).toMatchObject([{ data: { failing: 1 } }]);
    expect(log(run, 'gone').map(([, , subject]) => subject)).toEqual(['svc.3', 'svc.4']);
    expect(run.traffic.jobs).toMatchObject({ offered: 800, good: 800 });
  });
  it('a pod has failed when its proxy dies while it comes up', () => {
    const run = deployed({ deploy: 'how: rolling', faults: 'kill: { at: 13001ms, target: proxy, crash: true }' });
    expect(eventsOf(run, 'rolled-back')).toMatchObject([{ tMs: 13_001, data: { failing: 1 } }]);
  });
});

describe('a batch that is rolled back', () => {
  const rolledBack = (): SimulatedRun => deployed({ deploy: 'how: rolling, batch: 2, failing: 2', instances: 3, to: 'svc', steps: '{ wait: { assumed: 2s, cv: 0 } }' });
  it('counts those of it that hang: of the first two of three one, as the last two hang', () => {
    const run = rolledBack();
    expect(eventsOf(run, 'rolled-back')[0].data).toEqual({ failing: 1 });
    expect(eventsOf(run, 'deployed')).toEqual([]);
  });
  it('removes the one that hangs at once; the one that answered finishes its work first', () => {
    const run = rolledBack();
    const at = eventsOf(run, 'rolled-back')[0].tMs / 1000;
    const gone = log(run, 'gone');
    expect(gone.map(([, , subject]) => subject)).toEqual(['svc.5', 'svc.4']);
    expect(gone[0][0]).toBe(at);
    expect(gone[1][0]).toBeGreaterThan(at + 1.5);
    expect(run.traffic.jobs).toMatchObject({ offered: 800, failed: {}, refused: {} });
  });
});
