import { describe, expect, it } from 'vitest';
import { cells, scenario, simulated, total } from '../../support/simulated.js';

const off = (measured: number, expected: number): number => Math.abs(measured / expected - 1);

describe('retries against a fixed capacity: the fluid fixed point', () => {
  it.each([
    { id: 'retry-fluid-lam120.0-r2', lambda: 120, max: 2, attempts: 222.38095683453534, lost: 0.16666666666666669 },
    { id: 'retry-fluid-lam150.0-r3', lambda: 150, max: 3, attempts: 416.38159387380733, lost: 0.3333333333333333 },
    { id: 'retry-fluid-lam110.0-r1', lambda: 110, max: 1, attempts: 143.16624790355402, lost: 0.09090909090909095 },
  ])('$id', ({ lambda, max, attempts, lost }) => {
    // A bucket that is never full lets exactly its rate through; pauses long against it make attempts independent.
    const run = simulated(scenario(`
      duration: 1000s
      tick: 10s
      services:
        svc: { rateLimit: { rate: 100/s, burst: 20 }, handlers: { job: [{ wait: { assumed: 1us, cv: 0 } }] } }
      traffic:
        load: { to: { svc: { retries: { max: ${max}, backoff: 5s, factor: 1x, jitter: full } } }, send: job, open: { rate: ${lambda}/s } }
    `));
    const { load } = run.traffic;
    // The first 20 s, when the retries are yet to come, left out.
    const sent = cells(run, run.ticks.links['load.svc'].callers[0].sent).slice(2);
    expect(off(total(sent) / 980, attempts)).toBeLessThan(0.03);
    expect(off(load.good / 1000, 100)).toBeLessThan(0.03);
    expect(off((load.refused['svc: rate limit'] ?? 0) / (load.offered - load.inFlight), lost)).toBeLessThan(0.03);
  });
});

describe('retry-metastable: 70/s on a server of 100/s, given up after 200 ms, with three retries', () => {
  const runWith = (faults: string): { readonly run: ReturnType<typeof simulated>; readonly sent: readonly number[] } => {
    const run = simulated(scenario(`
      duration: 400s
      tick: 1s
      services:
        svc: { slots: 1, handlers: { job: [{ wait: { assumed: 10ms, cv: 1 } }] } }
      ${faults}
      traffic:
        load: { to: { svc: { timeout: 200ms, retries: { max: 3 } } }, send: job, open: { rate: 70/s } }
    `));
    return { run, sent: cells(run, run.ticks.links['load.svc'].callers[0].sent) };
  };
  it('keeps near its stable point, until chance makes a queue long enough', () => {
    // The theory is one of means: a queue of twenty by chance is a trigger, too, and comes about every few minutes.
    const { sent } = runWith('');
    expect(off(total(sent.slice(0, 100)) / 100, 70.18034891418621)).toBeLessThan(0.15);
  });
  it('collapses with a trigger of 10 s, and stays so when the trigger is gone', () => {
    const { run, sent } = runWith('faults: { trigger: { at: 100s, for: 10s, target: svc, slow: 3x } }');
    expect(total(sent.slice(0, 100)) / 100).toBeLessThan(80);
    // Five minutes later every request is still asked four times, and none of them is in time.
    expect(off(total(sent.slice(350)) / 50, 280)).toBeLessThan(0.05);
    expect(total(cells(run, run.ticks.traffic.load.good).slice(350))).toBe(0);
  });
});
