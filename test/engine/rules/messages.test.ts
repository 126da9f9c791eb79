import { describe, expect, it } from 'vitest';
import type { SimulatedRun } from '../../../src/study/types.js';
import { cells, endOf, requestsAt, scenario, simulated } from '../../support/simulated.js';

const wait = (ms: number): string => `{ wait: { assumed: ${ms}ms, cv: 0 } }`;

/** Requests at these times leave a letter each; a worker has `worker` and takes 100 ms a letter. */
const post = (timesMs: readonly number[], { worker = 'slots: 1,', mail = '', link = '{}', faults = '{}', letter = wait(100) }: { readonly worker?: string; readonly mail?: string; readonly link?: string; readonly faults?: string; readonly letter?: string } = {}): SimulatedRun =>
  simulated(scenario(`
    duration: 20s
    tick: 10ms
    services:
      svc: { to: { mail: ${link} }, handlers: { job: [{ publish: mail.letter }, ${wait(5)}] } }
      mail: { kind: queue, ${mail} }
      postman: { ${worker} consumes: mail, handlers: { letter: [${letter}] } }
    faults: ${faults}
    traffic:
      ${requestsAt(timesMs, 'svc', 6)}
  `));
const totals = (run: SimulatedRun, service: string, instance = 0) => run.services[service].instances[instance];
/** Ticks (10 ms) in which the worker finished something, as times of their ends. */
const done = (run: SimulatedRun, instance = 0): number[] => cells(run, run.ticks.services['postman'].instances[instance].good).flatMap((count, tick) => Array.from({ length: count }, () => tick * 10));

describe('messages', () => {
  it('whoever publishes goes on at once', () => {
    const run = post([0, 1]);
    expect(['r1', 'r2'].map((name) => endOf(run, name))).toEqual([{ end: 'good', afterMs: 5 }, { end: 'good', afterMs: 5 }]);
  });
  it('a worker takes one when it has a slot free, the oldest first', () => {
    const run = post([0, 10, 20]);
    expect(done(run)).toEqual([100, 200, 300]);
    expect(totals(run, 'mail')).toMatchObject({ arrived: 3, good: 3, queue: { max: 2 } });
    expect(totals(run, 'postman')).toMatchObject({ arrived: 3, good: 3, slots: { max: 1 }, queue: { max: 0 } });
    expect(run.links['mail.postman']).toMatchObject({ sent: 3, good: 3 });
  });
  it('a worker with two slots has two at once; two workers share them', () => {
    expect(done(post([0, 10, 20], { worker: 'slots: 2,' }))).toEqual([100, 110, 200]);
    const two = post([0, 10, 20], { worker: 'slots: 1, instances: 2,' });
    expect([done(two, 0), done(two, 1)]).toEqual([[100, 200], [110]]);
  });
  it('of several instances of the queue it takes what has lain longest', () => {
    const run = post([0, 10, 20, 30], { mail: 'instances: 2,', link: '{ policy: round-robin }' });
    expect(done(run)).toEqual([100, 200, 300, 400]);
    expect([totals(run, 'mail', 0).arrived, totals(run, 'mail', 1).arrived]).toEqual([2, 2]);
  });
  it('a full queue refuses, and who published does not learn of it', () => {
    const run = post([0, 10, 20, 30], { mail: 'queue: { limit: 1 },' });
    expect(['r3', 'r4'].map((name) => endOf(run, name).end)).toEqual(['good', 'good']);
    expect(run.links['svc.mail']).toMatchObject({ sent: 4, good: 2, refused: { 'mail: queue full': 2 } });
    expect(totals(run, 'mail')).toMatchObject({ arrived: 4, good: 2, refused: 2 });
    expect(done(run)).toEqual([100, 200]);
  });
  it('latency is on the way into the queue', () => {
    expect(done(post([0], { link: '{ latency: 30ms }' }))).toEqual([130]);
  });
  it('a worker that dies loses what it works on, not what lies in the queue', () => {
    const run = post([0, 10, 20], { worker: 'slots: 1, recovery: { by: restart, after: 1s },', faults: '{ bang: { at: 50ms, target: postman, crash: true } }' });
    expect(done(run)).toEqual([1150, 1250]);
    expect(totals(run, 'postman')).toMatchObject({ arrived: 3, good: 2, failed: 1 });
    expect(run.links['mail.postman']).toMatchObject({ sent: 3, good: 2, failed: { 'postman: killed': 1 } });
  });
  it('a queue that dies loses what lies in it, and the worker ends what it has', () => {
    const run = post([0, 10, 20, 2000], { mail: 'recovery: { by: restart, after: 1s },', faults: '{ bang: { at: 50ms, target: mail, crash: true } }' });
    expect(done(run)).toEqual([100, 2100]);
    expect(totals(run, 'mail')).toMatchObject({ arrived: 4, good: 2, failed: 2 });
  });
  it('a publisher that dies has sent what it has sent', () => {
    const run = post([0], { link: '{ latency: 30ms }', faults: '{ bang: { at: 10ms, target: svc, crash: true } }' });
    expect(done(run)).toEqual([130]);
    expect(run.links['svc.mail']).toMatchObject({ sent: 1, good: 1, inFlight: 0 });
  });
  it('an event loop takes no more messages than it has turns for, and the next when a turn is over', () => {
    const run = post([0, 10, 20], { worker: 'slots: 1, slotsHeld: cpu,', letter: `{ cpu: { assumed: 50ms, cv: 0 } }, ${wait(100)}` });
    expect(done(run)).toEqual([150, 200, 250]);
    expect(totals(run, 'mail').queue.max).toBe(2);
  });
  it('a frozen worker takes none, and looks again when it thaws; nor does a queue that is frozen give any', () => {
    expect(done(post([50], { faults: '{ ice: { at: 0s, for: 300ms, target: postman, freeze: true } }' }))).toEqual([400]);
    const ice = '{ ice: { at: 20ms, for: 300ms, target: mail, freeze: true } }';
    expect(done(post([0, 10], { faults: ice }))).toEqual([100, 420]);
  });
  it('a worker that cannot be reached takes none', () => {
    expect(done(post([50], { faults: '{ hole: { at: 0s, for: 300ms, target: postman, blackhole: true } }' }))).toEqual([400]);
  });
});
