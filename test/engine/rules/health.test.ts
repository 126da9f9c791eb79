import { describe, expect, it } from 'vitest';
import { cells, endOf, eventsOf, oneRequest, scenario, simulated, total } from '../../support/simulated.js';
import type { SimulatedRun } from '../../../src/study/types.js';

const wait = (time: string): string => `{ wait: { assumed: ${time}, cv: 0 } }`;
const cpu = (time: string): string => `{ cpu: { assumed: ${time}, cv: 0 } }`;

interface Probed {
  readonly health?: string;
  readonly timeout?: string;
  readonly link?: string;
  readonly svc?: string;
  readonly lb?: string;
  readonly ping?: string;
  readonly job?: string;
  readonly faults?: string;
  readonly traffic?: string;
  readonly duration?: string;
  readonly tick?: string;
}
/** `lb` in front of `svc`, probed every second. */
const probed = ({ health = '', timeout = '300ms', link = '', svc = '', lb = '', ping = wait('0ms'), job = wait('1ms'), faults = '', traffic = 'jobs: { to: lb, send: job, open: { rate: 10/s, arrivals: even } }', duration = '10s', tick = '1s' }: Probed): string =>
  scenario(`
    duration: ${duration}
    tick: ${tick}
    machines: { box: { cpus: 1, memory: 1GiB } }
    services:
      lb:
        kind: balancer
        ${lb}
        to: { svc: { ${link} health: { every: 1s, timeout: ${timeout}, unhealthyAfter: 2, healthyAfter: 3, ${health} } } }
      svc:
        machine: box
        ${svc}
        handlers: { job: [${job}], ping: [${ping}] }
    ${faults}
    traffic:
      ${traffic}
  `);
const firstProbeMs = (run: SimulatedRun): number => run.system.links.find(({ caller }) => caller === 'lb')!.health!.firstMs;
/** Times of all probes, ms. */
const probesAt = (run: SimulatedRun, durationMs = 10_000): number[] => Array.from({ length: Math.ceil((durationMs - firstProbeMs(run)) / 1000) }, (_, k) => firstProbeMs(run) + k * 1000);
/** The first probe that is sent after this time. */
const probeAfter = (run: SimulatedRun, atMs: number): number => probesAt(run).find((probeMs) => probeMs > atMs)!;
const toMicroseconds = (ms: number): number => Math.round(ms * 1e3) / 1e3;

describe('rule 31: the first probe comes at a random phase of `every`, then strictly periodically', () => {
  it('has a phase within the first period that depends on the seed', () => {
    const phases = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => firstProbeMs(simulated(probed({ duration: '1s' }), { seed })));
    for (const phaseMs of phases) expect(phaseMs).toBeGreaterThanOrEqual(0);
    for (const phaseMs of phases) expect(phaseMs).toBeLessThan(1000);
    expect(new Set(phases).size).toBe(8);
    expect(Math.max(...phases) - Math.min(...phases)).toBeGreaterThan(300);
  });
  it('sends the k-th at first + k × every: an instance that never answers is ejected at the second, after its timeout', () => {
    const run = simulated(probed({ health: 'request: ping', ping: wait('5s') }));
    expect(eventsOf(run, 'ejected')).toMatchObject([{ tMs: toMicroseconds(firstProbeMs(run) + 1000 + 300), subject: 'svc.1', cause: 'timeout', data: { link: 'lb.svc', bad: 2, inRotation: 0 } }]);
  });
  it('is not delayed by a late answer', () => {
    const late = simulated(probed({ health: 'request: ping', timeout: '9s', ping: wait('2500ms') }));
    expect(late.links['lb.svc'].probes.sent).toBe(10);
    expect(cells(late, late.ticks.services.svc.instances[0].slots.max).slice(3)).toEqual([4, 4, 4, 4, 4, 4, 4].map(() => expect.toSatisfy((slots: number) => slots >= 3)));
  });
});

describe('rule 32: a shared probe takes a slot and queues, and a full queue refuses it; a dedicated one takes neither, but CPU', () => {
  /** One request that holds the only slot from 100 ms on. */
  const busy = { svc: 'slots: 1\n        queue: { limit: 0 }', job: wait('20s'), traffic: oneRequest('r1', 0, 'lb'), link: 'latency: 7ms,' };

  it('shared: bad at once on a full queue, told one latency there and one back later', () => {
    const run = simulated(probed({ ...busy, health: 'path: shared' }));
    expect(eventsOf(run, 'ejected')).toMatchObject([{ tMs: toMicroseconds(firstProbeMs(run) + 1000 + 14), cause: 'queue full', data: { bad: 2 } }]);
    expect(run.links['lb.svc'].probes).toEqual({ sent: 10, good: 0, bad: 10 });
  });
  it('shared: waits in a queue that has room, and is bad at its timeout', () => {
    const run = simulated(probed({ ...busy, svc: 'slots: 1', health: 'path: shared' }));
    expect(eventsOf(run, 'ejected')).toMatchObject([{ tMs: toMicroseconds(firstProbeMs(run) + 1000 + 300), cause: 'timeout' }]);
    // Abandoned, they keep their places (rule 10).
    expect(run.services.svc.instances[0].queue.max).toBe(10);
  });
  it('shared: holds memory like any request', () => {
    const run = simulated(probed({ ...busy, svc: 'slots: 1\n        memory: { perRequest: 1MiB, limit: 4500KiB }', health: 'path: shared' }));
    expect(eventsOf(run, 'oom')).toMatchObject([{ data: { lost: 1, running: 1, queued: 0 } }]);
  });
  it('dedicated: answered at once, whatever the slots', () => {
    const run = simulated(probed({ ...busy, health: 'path: dedicated' }));
    expect(eventsOf(run, 'ejected')).toEqual([]);
    expect(run.links['lb.svc'].probes).toEqual({ sent: 10, good: 10, bad: 0 });
    expect(run.services.svc.instances[0]).toMatchObject({ slots: { max: 1 }, queue: { max: 0 } });
  });
  it('dedicated: waits for the CPU all the same', () => {
    // 50 ms of work beside ten jobs on the one core take 550 ms: too late.
    const crowd = Array.from({ length: 10 }, (_, i) => oneRequest(`r${i}`, 0, 'lb')).join('\n      ');
    const run = simulated(probed({ health: 'path: dedicated, request: ping', ping: cpu('50ms'), job: cpu('20s'), traffic: crowd }));
    expect(eventsOf(run, 'ejected')).toMatchObject([{ tMs: toMicroseconds(firstProbeMs(run) + 1300), cause: 'timeout' }]);
  });
  it.each([
    { path: 'shared', slots: 0.05 },
    { path: 'dedicated', slots: 0 },
  ])('$path: ten probes of 50 ms of CPU use 0.05 cores and $slots slots', ({ path, slots }) => {
    const run = simulated(probed({ health: `path: ${path}, request: ping`, ping: cpu('50ms'), traffic: oneRequest('r1', 0, 'lb'), job: wait('0ms'), duration: '10s' }));
    expect(firstProbeMs(run)).toBeLessThan(950);
    expect(run.services.svc.instances[0].cpuCores.mean).toBe(0.05);
    expect(run.services.svc.instances[0].slots.mean).toBe(slots);
  });
});

describe('rule 33: there is one prober and one verdict a link, shared by the instances of the caller', () => {
  const run = simulated(probed({ lb: 'instances: 3', svc: 'instances: 2\n        recovery: { by: none }', faults: 'faults: { kill: { at: 2s, target: svc.1, crash: true } }' }));
  it('sends each target one probe a period, not one from every balancer', () => {
    expect(run.links['lb.svc'].probes.sent).toBe(2 * 10);
  });
  it('takes the target out for all of them at once', () => {
    expect(run.links['lb.svc'].ejections).toBe(1);
    const [ejected] = eventsOf(run, 'ejected');
    const after = Math.ceil(ejected.tMs / 1000);
    expect(cells(run, run.ticks.links['lb.svc'].targets[0].sent).slice(after)).toEqual(Array<number>(10 - after).fill(0));
    for (const caller of run.ticks.links['lb.svc'].callers) expect(total(cells(run, caller.sent).slice(after))).toBeGreaterThan(0);
  });
});

describe('rule 34: at time 0 all are healthy; a later instance needs one good probe, an ejected one `healthyAfter`', () => {
  it('sends from the start, before any probe', () => {
    const run = simulated(probed({}));
    expect(firstProbeMs(run)).toBeGreaterThan(100);
    expect(run.traffic.jobs.good).toBe(100);
  });
  const restarted = simulated(probed({ link: 'latency: 1ms,', svc: 'recovery: { by: restart, after: 2s }', faults: 'faults: { kill: { at: 1s, target: svc, crash: true } }' }));
  it('ejects after `unhealthyAfter` refused probes', () => {
    const second = probeAfter(restarted, 1000) + 1000;
    expect(eventsOf(restarted, 'ejected')).toMatchObject([{ tMs: toMicroseconds(second + 2), cause: 'connection refused', data: { bad: 2 } }]);
  });
  it('brings a restarted one back with the third good probe, not before', () => {
    const third = probeAfter(restarted, 3000) + 2000;
    expect(eventsOf(restarted, 'ready')).toMatchObject([{ tMs: toMicroseconds(third + 2), cause: 'probes', data: { good: 3, inRotation: 1 } }]);
  });
  it('keeps the verdict on one that was back before it was found out', () => {
    const run = simulated(probed({ link: 'latency: 1ms,', svc: 'recovery: { by: restart, after: 100ms }', faults: 'faults: { kill: { at: 1s, target: svc, crash: true } }' }));
    expect(eventsOf(run, 'ejected')).toEqual([]);
    expect(eventsOf(run, 'ready')).toEqual([]);
    expect(run.traffic.jobs.failed).toEqual({ 'svc: connection refused': 1 });
  });
  it('lets a launched one in with its first good probe', () => {
    const run = simulated(
      probed({
        svc: 'instances: 1\n        autoscale: { min: 1, max: 2, target: 10%, every: 2s, window: 2s, boot: 1s }',
        job: cpu('30ms'),
        traffic: 'jobs: { to: lb, send: job, open: { rate: 20/s, arrivals: even } }',
      }),
    );
    expect(eventsOf(run, 'booted')).toMatchObject([{ tMs: 3000, subject: 'svc.2' }]);
    expect(eventsOf(run, 'ready')).toMatchObject([{ tMs: toMicroseconds(probeAfter(run, 3000)), subject: 'svc.2', cause: 'first probe', data: { good: 1, inRotation: 2 } }]);
    const ready = Math.floor(eventsOf(run, 'ready')[0].tMs / 1000);
    const sent = cells(run, run.ticks.links['lb.svc'].targets[1].sent);
    expect(sent.slice(0, ready)).toEqual(Array<number>(ready).fill(0));
    expect(sent[ready + 1]).toBe(10);
  });
  it('counts bad ones in a row: a good one in between starts anew', () => {
    // Refused while the one long request holds the slot: over one probe at 0 s, 2 s and 4 s; never over two in a row.
    const run = simulated(
      probed({
        svc: 'slots: 1\n        queue: { limit: 0 }',
        job: wait('950ms'),
        traffic: [oneRequest('r1', 0, 'lb'), oneRequest('r2', 2000, 'lb'), oneRequest('r3', 4000, 'lb')].join('\n      '),
      }),
    );
    expect(firstProbeMs(run)).toBeLessThan(950);
    expect(run.links['lb.svc'].probes).toEqual({ sent: 10, good: 7, bad: 3 });
    expect(eventsOf(run, 'ejected')).toEqual([]);
  });
});

describe('rule 35: ejection stops new calls; running ones go on', () => {
  it('lets the one request end good, long after its instance was taken out', () => {
    const run = simulated(probed({ svc: 'slots: 1\n        queue: { limit: 0 }', job: wait('5s'), traffic: `${oneRequest('r1', 0, 'lb')}\n      ${oneRequest('r2', 4000, 'lb')}` }));
    expect(eventsOf(run, 'ejected')[0].tMs).toBeLessThan(3000);
    expect(endOf(run, 'r1')).toEqual({ end: 'good', afterMs: 5000 });
    expect(endOf(run, 'r2').end).toBe('refused svc: no healthy');
  });
});

describe("rule 36: with nobody to send to a call is refused after the balancer's own CPU, in zero time without", () => {
  const nobody = (lb: string): SimulatedRun =>
    simulated(probed({ lb, svc: 'slots: 1\n        queue: { limit: 0 }', job: wait('20s'), traffic: `${oneRequest('r1', 0, 'lb')}\n      ${oneRequest('r2', 4000, '{ lb: { latency: 2ms } }')}`, link: 'latency: 50ms,' }));
  it('in zero time', () => {
    expect(endOf(nobody(''), 'r2')).toEqual({ end: 'refused svc: no healthy', afterMs: 4 });
  });
  it('after its CPU', () => {
    expect(endOf(nobody(`handlers: { job: [${cpu('5ms')}, { call: svc.job }] }`), 'r2')).toEqual({ end: 'refused svc: no healthy', afterMs: 9 });
  });
  it('counts it as an attempt of the link that no target saw', () => {
    const run = nobody('');
    expect(run.links['lb.svc']).toMatchObject({ sent: 2, refused: { 'svc: no healthy': 1 }, inFlight: 1 });
    expect(total(cells(run, run.ticks.links['lb.svc'].targets[0].sent))).toBe(1);
  });
});

describe('fail-open: with fewer than so many available the link sends to all', () => {
  /** Of four, the named ones die at 1 s for good. */
  const deadOnes = (failOpen: string, dead: readonly number[]): SimulatedRun =>
    simulated(
      probed({
        link: `failOpen: ${failOpen},`,
        svc: 'instances: 4\n        recovery: { by: none }',
        faults: `faults: { ${dead.map((n) => `k${n}: { at: 1s, target: svc.${n}, crash: true }`).join(', ')} }`,
        traffic: 'jobs: { to: lb, send: job, open: { rate: 40/s, arrivals: even } }',
      }),
    );
  const failedAtTheEnd = (run: SimulatedRun): number => cells(run, run.ticks.traffic.jobs.failed)[9];
  const refusedAtTheEnd = (run: SimulatedRun): number => cells(run, run.ticks.traffic.jobs.refused)[9];
  const opensAtTheEnd = (run: SimulatedRun): number => cells(run, run.ticks.links['lb.svc'].failingOpen)[9];

  it('a count: one left of `failOpen: 1` is enough, so nothing fails', () => {
    const run = deadOnes('1', [1, 2, 3]);
    expect([opensAtTheEnd(run), failedAtTheEnd(run)]).toEqual([0, 0]);
  });
  it('a count: none left of `failOpen: 1` sends to all, healthy or not', () => {
    const run = deadOnes('1', [1, 2, 3, 4]);
    expect([opensAtTheEnd(run), failedAtTheEnd(run), refusedAtTheEnd(run)]).toEqual([1, 40, 0]);
  });
  it('a count: one left of `failOpen: 2` loses three quarters', () => {
    const run = deadOnes('2', [1, 2, 3]);
    expect([opensAtTheEnd(run), failedAtTheEnd(run)]).toEqual([1, 30]);
  });
  it('a share: two of four are not below 50 %, one is', () => {
    expect(opensAtTheEnd(deadOnes('50%', [1, 2]))).toBe(0);
    const run = deadOnes('50%', [1, 2, 3]);
    expect([opensAtTheEnd(run), failedAtTheEnd(run)]).toEqual([1, 30]);
  });
  it('0 never opens: nobody is refused to', () => {
    const run = deadOnes('0', [1, 2, 3, 4]);
    expect([opensAtTheEnd(run), failedAtTheEnd(run), refusedAtTheEnd(run)]).toEqual([0, 0, 40]);
  });
});

describe('rule 37: probes are a traffic of their own, never in offered, always in slots, CPU and conservation', () => {
  const run = simulated(probed({ health: 'path: shared, request: ping', timeout: '800ms', ping: cpu('500ms'), traffic: oneRequest('r1', 0, 'lb'), job: wait('0ms') }));
  it('appears in no traffic and in no arrival at the instance', () => {
    expect(run.requests).toBe(1);
    expect(run.traffic.r1.offered).toBe(1);
    expect(run.services.svc.instances[0]).toMatchObject({ arrived: 1, good: 1, refused: 0, failed: 0 });
    expect(run.links['lb.svc']).toMatchObject({ sent: 1, good: 1 });
  });
  it('uses slots and CPU', () => {
    expect(run.services.svc.instances[0].slots.max).toBe(1);
    expect(run.services.svc.instances[0].cpuCores.mean).toBeGreaterThan(0.45);
  });
  it('is conserved: sent = good + bad + at most the one under way', () => {
    const { sent, good, bad } = run.links['lb.svc'].probes;
    expect(sent).toBe(10);
    expect(good + bad).toBe(firstProbeMs(run) + 9500 <= 10_000 ? 10 : 9);
  });
});
