import { describe, expect, it } from 'vitest';
import { scenario, simulated } from '../../support/simulated.js';

/**
 * Sized so that the 99 % interval of the mean is well inside 1 %: 1.5 M requests at half load, the first tenth left out.
 * Mean sojourns in ms; rates per second.
 */
const system = (service: string, ratePerS: number): string => `
duration: 300s
phases: { settled: [30s, 300s] }
services:
  server:
${service}
traffic:
  load: { to: server, send: work, open: { rate: ${ratePerS}/s } }
`;

const meanMs = (text: string): number => {
  const run = simulated(scenario(text));
  const { load } = run.phases['settled'].traffic;
  expect(load.offered).toBeGreaterThan(1_000_000);
  expect(load.good + load.inFlight).toBe(load.offered);
  return load.latencyMs!.mean;
};

/** Erlang C: probability of waiting with c servers at offered load a. */
const erlangC = (c: number, a: number): number => {
  let term = 1;
  let sum = 1;
  for (let k = 1; k < c; k++) sum += term *= a / k;
  const last = (term * a) / c / (1 - a / c);
  return last / (sum + last);
};

describe('mean sojourn against theory, within 1 %', () => {
  it('M/M/1 at 50 %: 1 / (μ − λ)', () => {
    const mean = meanMs(system('    slots: 1\n    handlers: { work: [{ wait: 0.1ms }] }', 5000));
    expect(Math.abs(mean / 0.2 - 1)).toBeLessThan(0.01);
  });

  it('M/M/4 at 70 %: Erlang C', () => {
    const mean = meanMs(system('    slots: 4\n    handlers: { work: [{ wait: 0.5ms }] }', 5600));
    const expected = 0.5 + (erlangC(4, 2.8) * 0.5) / (4 - 2.8);
    expect(Math.abs(mean / expected - 1)).toBeLessThan(0.01);
  });

  it.each([
    ['constant', 'cv: 0'],
    ['exponential', 'cv: 1'],
    ['gamma with cv 2', 'cv: 2'],
  ])('M/G/1 with processor sharing at 50 % is insensitive to the law of the work: %s', (_, spread) => {
    const mean = meanMs(system(`    cpus: 1\n    handlers: { work: [{ cpu: { assumed: 0.1ms, ${spread} } }] }`, 5000));
    expect(Math.abs(mean / 0.2 - 1)).toBeLessThan(0.01);
  });

  it('M/G/2 with processor sharing has the mean of M/M/2 whatever the work, gamma with cv 0.5', () => {
    const mean = meanMs(system('    cpus: 2\n    handlers: { work: [{ cpu: { assumed: 0.2ms, cv: 0.5 } }] }', 6000));
    const expected = 0.2 + (erlangC(2, 1.2) * 0.2) / (2 - 1.2);
    expect(Math.abs(mean / expected - 1)).toBeLessThan(0.01);
  });
});
