import { describe, expect, it } from 'vitest';
import { scenario, simulated } from '../../support/simulated.js';

/**
 * Overload against a service with c ms of CPU and w ms of waiting a request: what it carries is cores ÷ c, however long the wait is.
 * Long enough for 20,000 answers: with work of cv 0.2 the standard error of the rate is 0.14 %.
 */
const carriedPerS = (cores: number, cpuMs: number, waitMs: number): { carried: number; ceiling: number } => {
  const ceiling = (cores * 1000) / cpuMs;
  const tickS = Math.max(1, Math.ceil(22_000 / ceiling / 1000));
  const durationS = Math.ceil(22_000 / ceiling / tickS) * tickS;
  const slots = Math.ceil(((cpuMs + waitMs) / cpuMs) * cores * 4);
  const run = simulated(scenario(`
duration: ${durationS}s
tick: ${tickS}s
services:
  server:
    cpus: ${cores}
    slots: ${slots}
    queue: { limit: 10 }
    handlers: { work: [{ wait: { assumed: ${waitMs}ms, cv: 1 } }, { cpu: { assumed: ${cpuMs}ms, cv: 0.2 } }] }
traffic:
  load: { to: server, send: work, open: { rate: ${(ceiling * 1.5).toFixed(3)}/s } }
`));
  const { callers } = run.ticks.links['load.server'];
  const good = callers[0].good as number[];
  const from = Math.floor(good.length / 11);
  const counted = good.slice(from).reduce((sum, count) => sum + count, 0);
  return { carried: counted / ((good.length - from) * (durationS / good.length)), ceiling };
};

describe('the CPU ceiling is cores ÷ CPU per request, within 0.5 %', () => {
  for (const cores of [1, 2, 4]) {
    for (const totalMs of [5, 60, 500]) {
      for (const share of [0.25, 0.5, 1]) {
        it(`${cores} cores, ${totalMs} ms of which ${share * 100} % CPU`, () => {
          const { carried, ceiling } = carriedPerS(cores, totalMs * share, totalMs * (1 - share));
          expect(Math.abs(carried / ceiling - 1)).toBeLessThan(0.005);
        });
      }
    }
  }
});
