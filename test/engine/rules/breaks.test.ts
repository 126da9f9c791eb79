import { describe, expect, it } from 'vitest';
import { firstToBreak } from '../../../src/analysis/first-to-break.js';
import { simulate } from '../../../src/engine/index.js';
import { parseScenario } from '../../../src/scenario/index.js';
import { scenario } from '../../support/simulated.js';
import type { FirstToBreak } from '../../../src/study/types.js';

const broken = (text: string): FirstToBreak | null => {
  const system = parseScenario(scenario(text), { file: 'test.yaml' }).variants[0];
  return firstToBreak(simulate(system), system);
};

describe('rule 52: an objective breaks at the first tick whose trailing 10 s violate it', () => {
  /** 50/s, then from 20 s on 150/s to a core that can do 100/s. */
  const overload = (good: string, queue = '0'): string => `
    duration: 40s
    tick: 1s
    machines: { box: { cpus: 1, memory: 1GiB } }
    services:
      svc: { machine: box, slots: 10, queue: { limit: ${queue} }, handlers: { job: [{ cpu: { assumed: 10ms, cv: 0 } }] } }
      other: { machine: box, handlers: { job: [{ cpu: { assumed: 10ms, cv: 0 } }] } }
    traffic:
      jobs: { to: svc, send: job, open: { rate: [[0s, 50/s], [20s, 50/s], [20s, 150/s], [40s, 150/s]], arrivals: even } }
      elsewhere: { to: other, send: job, open: { rate: 100/s, arrivals: even } }
    objectives:
      availability: { of: jobs, good: ">= ${good}" }
  `;
  it('a strict one in the first second of overload, a lax one when enough of the ten are bad', () => {
    // From 20 s on about 100 of 150 are good a second. After k such seconds: (50 × (10 − k) + 100k) of (50 × (10 − k) + 150k).
    const breaksAfter = (share: number): number => [...Array(10).keys()].map((k) => k + 1).find((k) => (50 * (10 - k) + 100 * k) / (50 * (10 - k) + 150 * k) < share)!;
    for (const [good, share] of [['98%', 0.98], ['80%', 0.8], ['76%', 0.76]] as const) expect(broken(overload(good))?.tMs).toBe(20_000 + breaksAfter(share) * 1000);
    expect(broken(overload('60%'))).toBeNull();
    // Ten seconds of it are below, the whole run is not: it is kept.
    expect(broken(overload('74%'))).toBeNull();
  });
  it("names the resource on the source's call graph that is saturated then, with its evidence", () => {
    expect(broken(overload('98%'))).toMatchObject({ objective: 'availability', resource: { service: 'svc', instance: 1, what: 'cpu', sinceMs: 20_000 }, evidence: { limit: 1 } });
  });
  it('names the cause, not the slots that fill up behind it', () => {
    expect(broken(overload('98%', '5'))?.resource?.what).toBe('cpu');
  });
  it('names nothing that the source does not call, though that was saturated before', () => {
    // Nothing ends badly, so no reason says where to look; `other` is busy from the start.
    const slow = overload('50%', 'unlimited').replace('availability: { of: jobs, good: ">= 50%" }', 'fast: { of: jobs, p95: "<= 100ms" }');
    expect(broken(slow)).toMatchObject({ objective: 'fast', resource: { service: 'svc', instance: 1, what: 'cpu', sinceMs: 20_000 } });
  });
  it('says "none saturated" when only something else was', () => {
    const elsewhere = overload('99%').replace("svc: { machine: box, slots: 10, queue: { limit: 0 }, handlers: { job: [{ cpu: { assumed: 10ms, cv: 0 } }] } }", 'svc: { handlers: { job: [{ fail: bug }] } }');
    expect(broken(elsewhere)).toMatchObject({ tMs: 1000, resource: null });
  });
  it('says "none saturated" when nothing was', () => {
    const none = broken(`
      duration: 20s
      services:
        svc: { handlers: { job: [{ fail: bug }] } }
      traffic:
        jobs: { to: svc, send: job, start: 5s, open: { rate: 10/s, arrivals: even } }
      objectives:
        availability: { of: jobs, good: ">= 99%" }
    `);
    expect(none).toMatchObject({ tMs: 6000, resource: null });
  });
});
