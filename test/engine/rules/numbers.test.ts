import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { endOf, oneRequest, scenario, simulated } from '../../support/simulated.js';

const wait = (time: string): string => `{ wait: { assumed: ${time}, cv: 0 } }`;

describe('rule 53: time is whole nanoseconds, ties by insertion', () => {
  it('lets in first who was scheduled first, of two that come at one instant', () => {
    const [first, second] = [oneRequest('a', 5, 'svc'), oneRequest('b', 5, 'svc')];
    const run = (lines: string) =>
      simulated(scenario(`
        duration: 1s
        services:
          svc: { slots: 1, queue: { limit: 0 }, handlers: { job: [${wait('10ms')}] } }
        traffic:
          ${lines}
      `));
    const forwards = run(`${first}\n          ${second}`);
    expect([endOf(forwards, 'a').end, endOf(forwards, 'b').end]).toEqual(['good', 'refused svc: queue full']);
    const backwards = run(`${second}\n          ${first}`);
    expect([endOf(backwards, 'a').end, endOf(backwards, 'b').end]).toEqual(['refused svc: queue full', 'good']);
  });
  it('lets the timeout win over an answer that is back at that very nanosecond, for its timer was set first', () => {
    const run = simulated(scenario(`
      duration: 1s
      services:
        svc: { handlers: { job: [${wait('10ms')}] } }
      traffic:
        ${oneRequest('a', 0, '{ svc: { timeout: 10ms } }')}
    `));
    expect(endOf(run, 'a').end).toBe('failed svc: timeout');
  });
  it('rounds drawn times to whole nanoseconds: a latency has no fraction of one', () => {
    for (let seed = 1; seed <= 12; seed++) {
      const run = simulated(
        scenario(`
          duration: 1s
          services:
            svc: { handlers: { job: [{ wait: 5us }, { cpu: 5us }] } }
          traffic:
            ${oneRequest('a', 0, '{ svc: { latency: { assumed: 5us, cv: 1 } } }')}
        `),
        { seed },
      );
      // About 20,000 ns: the six digits of a figure show tenths of one.
      const ns = run.traffic.a.latencyMs!.max * 1e6;
      expect(ns).toBeLessThan(1e5);
      expect(Math.abs(ns - Math.round(ns))).toBeLessThan(0.01);
    }
  });
  it('adds no drift: all of the last 300 of 300,000 even arrivals are where they belong', () => {
    const run = simulated(scenario(`
      duration: 1010s
      tick: 1s
      services:
        svc: { handlers: { job: [{ decline: no }] } }
      traffic:
        jobs: { to: svc, send: job, stop: 1000s, open: { rate: 300/s, arrivals: even } }
      phases:
        last: [999s, 1000s]
    `));
    expect(run.traffic.jobs.offered).toBe(300_000);
    expect(run.phases.last.traffic.jobs.offered).toBe(300);
  });
});

describe("rule 55: no function of the language's own mathematics whose last bit may differ between engine versions", () => {
  const engine = fileURLToPath(new URL('../../../src/engine', import.meta.url));
  const sources = readdirSync(engine, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  it.each(sources)('src/engine/%s', (file) => {
    const code = readFileSync(join(engine, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
    expect(code.match(/Math\.(pow|exp|expm1|log|log1p|log2|log10|sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|cbrt|hypot|random)\b|\*\*/g)).toBeNull();
  });
});
