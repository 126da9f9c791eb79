import { describe, expect, it } from 'vitest';
import { cells, endOf, eventsOf, oneRequest, requestsAt, scenario, simulated } from '../../support/simulated.js';
import type { SimulatedRun } from '../../../src/study/types.js';

const wait = (time: string): string => `{ wait: { assumed: ${time}, cv: 0 } }`;
const backAt = (run: SimulatedRun, instance: string): number[] => eventsOf(run, 'back', instance).map(({ tMs }) => tMs);
const states = (run: SimulatedRun, service: string, instance = 0): number[] => cells(run, run.ticks.services[service].instances[instance].state);

describe('recovery by restart, reboot and replace', () => {
  const killed = (recovery: string, link = 'timeout: 50ms', extra = ''): SimulatedRun =>
    simulated(
      scenario(`
        duration: 20s
        tick: 100ms
        machines: { box: { cpus: 1, memory: 1GiB, price: 1 USD/h } }
        services:
          svc: { machine: box, recovery: { by: ${recovery}, after: 500ms }, handlers: { job: [${wait('10ms')}] } }
        faults:
          kill: { at: 1s, target: svc, crash: true }
        traffic:
          ${requestsAt([1100, 1600], `{ svc: { latency: 5ms, ${link} } }`, 10)}
          ${extra}
      `),
    );

  it('restart: the machine refuses meanwhile', () => {
    const run = killed('restart');
    expect(endOf(run, 'r1')).toEqual({ end: 'failed svc: connection refused', afterMs: 10 });
    expect(endOf(run, 'r2')).toEqual({ end: 'good', afterMs: 20 });
    expect(eventsOf(run, 'back')).toMatchObject([{ tMs: 1500, cause: 'restart', data: { downMs: 500 } }]);
  });
  it.each(['reboot', 'replace'])('%s: nobody answers meanwhile, so the caller waits for its timeout', (recovery) => {
    const run = killed(recovery);
    expect(endOf(run, 'r1')).toEqual({ end: 'failed svc: timeout', afterMs: 50 });
    expect(endOf(run, 'r2')).toEqual({ end: 'good', afterMs: 20 });
    expect(eventsOf(run, 'back')).toMatchObject([{ tMs: 1500, cause: recovery, data: { downMs: 500 } }]);
  });
  it('reboot without a timeout: until the connection is given up, after 10 s', () => {
    expect(endOf(killed('reboot', 'policy: round-robin'), 'r1')).toEqual({ end: 'failed svc: connect timeout', afterMs: 10_000 });
  });
  it('ends what ran in it as killed, whatever comes back', () => {
    const run = killed('reboot', 'timeout: 50ms', oneRequest('running', 992, '{ svc: { latency: 5ms } }'));
    expect(endOf(run, 'running')).toEqual({ end: 'failed svc: killed', afterMs: 13 });
  });
  it('none: it stays down, and refuses', () => {
    const run = killed('none');
    expect(endOf(run, 'r2')).toEqual({ end: 'failed svc: connection refused', afterMs: 10 });
    expect(eventsOf(run, 'back')).toEqual([]);
    expect(states(run, 'svc').at(-1)).toBe(3);
  });
  it('replace is a new machine: ordered at the death and billed from then on; restart and reboot keep the old one', () => {
    expect(['restart', 'reboot', 'replace'].map((by) => killed(by).services.svc.launches)).toEqual([0, 0, 1]);
    const [{ billedS, billedMs }] = killed('replace').services.svc.instances;
    expect([billedS, billedMs]).toEqual([20, [[0, 1000], [1000, 20_000]]]);
    expect(killed('reboot').services.svc.instances[0].billedMs).toEqual([[0, 20_000]]);
  });
  it('replace is a new target: it waits for its first good probe, even when the old one had not been taken out', () => {
    const probed = (by: string): SimulatedRun =>
      simulated(
        scenario(`
          duration: 10s
          services:
            lb: { to: { svc: { health: { path: dedicated, every: 2s, timeout: 1s, unhealthyAfter: 9, healthyAfter: 9 } } } }
            svc: { recovery: { by: ${by}, after: 500ms }, handlers: { job: [] } }
          faults:
            kill: { at: 4s, target: svc, crash: true }
          traffic:
            ${requestsAt([4501], 'lb', 12)}
        `),
      );
    expect(endOf(probed('reboot'), 'r1').end).toBe('good');
    expect(endOf(probed('replace'), 'r1').end).toBe('refused svc: no healthy');
    expect(eventsOf(probed('replace'), 'ready')).toMatchObject([{ subject: 'svc.1', cause: 'first probe' }]);
  });
  it('warms up anew after each of them', () => {
    const warm = (by: string): (number | null)[] => {
      const run = simulated(
        scenario(`
          duration: 1s
          services:
            svc: { recovery: { by: ${by}, after: 100ms }, warmUp: { for: 100ms, factor: 3x }, handlers: { job: [${wait('10ms')}] } }
          faults:
            kill: { at: 100ms, target: svc, crash: true }
          traffic:
            ${requestsAt([0, 200, 250, 300], 'svc', 12)}
        `),
      );
      return ['r1', 'r2', 'r3', 'r4'].map((name) => endOf(run, name).afterMs);
    };
    for (const by of ['restart', 'reboot', 'replace']) expect(warm(by)).toEqual([10, 30, 20, 10]);
  });
});

describe('restarts with back-off', () => {
  const crashing = (backoff: string, atS: readonly number[], after = '2s'): SimulatedRun =>
    simulated(
      scenario(`
        duration: 30m
        services:
          svc: { recovery: { by: restart, after: ${after}, backoff: ${backoff} }, handlers: { job: [] } }
        faults:
          ${atS.map((s, i) => `k${i}: { at: ${s}s, target: svc, crash: true }`).join('\n          ')}
        traffic:
          jobs: { to: svc, send: job, open: { rate: 1/s, arrivals: even } }
      `),
    );

  it('adds 0, 10, 20, 40 s to the time that a start takes', () => {
    expect(backAt(crashing('kubernetes', [10, 13, 26, 49]), 'svc.1')).toEqual([12_000, 25_000, 48_000, 91_000]);
    expect(eventsOf(crashing('kubernetes', [10, 13]), 'crashed').map(({ data }) => data.recoveryMs)).toEqual([2_000, 12_000]);
  });
  it('forgets the deaths after ten minutes of running', () => {
    expect(backAt(crashing('kubernetes', [10, 13, 26, 648]), 'svc.1')[3]).toBe(650_000);
    expect(backAt(crashing('kubernetes', [10, 13, 26, 647]), 'svc.1')[3]).toBe(647_000 + 42_000);
  });
  it('adds nothing without', () => {
    expect(backAt(crashing('none', [10, 13, 26]), 'svc.1')).toEqual([12_000, 15_000, 28_000]);
  });
});

describe('rule 16: connections of others to a process that dies close', () => {
  it('so the next call pays its handshake again', () => {
    const run = simulated(
      scenario(`
        duration: 1s
        services:
          api: { handlers: { job: [{ call: db.read }] }, to: { db: { pool: { max: 1, handshake: { time: 20ms } } } } }
          db: { recovery: { by: restart, after: 50ms }, handlers: { read: [${wait('10ms')}] } }
        faults:
          kill: { at: 150ms, target: db, crash: true }
        traffic:
          ${requestsAt([0, 100, 250], 'api', 10)}
      `),
    );
    expect(['r1', 'r2', 'r3'].map((name) => endOf(run, name).afterMs)).toEqual([30, 10, 30]);
  });
});

describe('rule 14: a host over its memory kills its largest container', () => {
  const shared = (hog: string, recovery = 'restart', after = '1s'): SimulatedRun =>
    simulated(
      scenario(`
        duration: 10s
        hosts: { vm: { cpus: 2, memory: 1000MiB } }
        services:
          small: { host: vm, memory: { base: 200MiB }, handlers: { job: [] } }
          large: { host: vm, memory: { base: 600MiB }, recovery: { by: ${recovery}, after: ${after} }, handlers: { job: [] } }
        faults:
          greed: { at: 2s, for: 3s, target: small, hog: ${hog} }
        traffic:
          jobs: { to: small, send: job, open: { rate: 1/s, arrivals: even } }
      `),
    );

  it('kills the largest, not the one that grew', () => {
    const run = shared('201MiB', 'none');
    expect(eventsOf(run, 'oom')).toMatchObject([{ tMs: 2000, subject: 'large.1', cause: 'host memory', data: { memoryBytes: 600 * 2 ** 20, limitBytes: 1000 * 2 ** 20, recoveryMs: -1 } }]);
    expect(states(run, 'small').at(-1)).toBe(2);
  });
  it('does nothing as long as all of it is enough', () => {
    expect(eventsOf(shared('200MiB'), 'oom')).toEqual([]);
  });
  it('kills again when the one that comes back makes it too much once more', () => {
    // Back after 1 s each time; it is over at once, and tried again until the hog is gone at 5 s.
    const run = shared('201MiB');
    expect(eventsOf(run, 'oom').map(({ tMs, subject }) => [tMs, subject])).toEqual([[2000, 'large.1'], [3000, 'large.1'], [4000, 'large.1']]);
    expect(backAt(run, 'large.1')).toEqual([3000, 4000, 5000]);
  });
  it('lets time go on although a restart takes none: 100 ms to the next try after a process that died as it came up', () => {
    const run = shared('201MiB', 'restart', '0s');
    const ooms = eventsOf(run, 'oom').map(({ tMs }) => tMs);
    expect(ooms.slice(0, 4)).toEqual([2000, 2000, 2100, 2200]);
    expect([ooms.at(-1), backAt(run, 'large.1').at(-1)]).toEqual([4900, 5000]);
  });
  it('kills one after another until the rest has room', () => {
    const run = shared('900MiB', 'none');
    expect(eventsOf(run, 'oom').map(({ tMs, subject }) => [tMs, subject])).toEqual([[2000, 'small.1']]);
  });
});
