import { describe, expect, it } from 'vitest';
import { studied } from '../support/studied.js';

/** A service that takes 10 ms, and 30 ms in the second half; its twin takes a third of that. */
const twoSpeeds = (more: string): string => `
duration: 20s
services: { api: { handlers: { ask: [{ wait: { assumed: 10ms, cv: 0, why: a guess } }] } } }
traffic: { users: { to: api, send: ask, open: { rate: 10/s, arrivals: even } } }
faults: { slowly: { at: 10s, target: api, slow: 3x } }
phases: { control: [0s, 10s], treatment: [10s, 20s] }
variants: { as-it-is: {}, fast: { services.api.handlers.ask.0.wait: 5ms } }
${more}`;

describe('a comparison', () => {
  it('with another phase is a factor of the same figure there', () => {
    const { claims } = studied(twoSpeeds('claims: { spread: { of: users, p95: "= 3x", vs: { in: control }, in: treatment } }'));
    expect(claims).toEqual([expect.objectContaining({ variant: 'as-it-is', phase: 'treatment', unit: 'factor', actual: expect.closeTo(3, 3) as number, held: true, vs: { phase: 'control', variant: 'as-it-is' } })]);
  });

  it('with another variant is of the same phase there, in whichever order they ran', () => {
    const { claims } = studied(twoSpeeds(`claims:
  slower: { of: users, mean: "2x ± 1%", vs: { variant: fast }, in: treatment }
  faster: { of: users, mean: "0.5x ± 1%", vs: { variant: as-it-is }, in: control, variant: fast }`));
    expect(claims.map(({ variant, actual, held, vs }) => [variant, actual, held, vs])).toEqual([
      ['as-it-is', expect.closeTo(2, 2), true, { phase: 'treatment', variant: 'fast' }],
      ['fast', expect.closeTo(0.5, 2), true, { phase: 'control', variant: 'as-it-is' }],
    ]);
  });

  it('may name both', () => {
    const { claims } = studied(twoSpeeds('claims: { far: { of: users, mean: "6x ± 1%", vs: { variant: fast, in: control }, in: treatment } }'));
    expect(claims[0]).toMatchObject({ held: true, vs: { phase: 'control', variant: 'fast' } });
  });

  it('of an objective is judged in every variant', () => {
    const { verdicts } = studied(twoSpeeds('objectives: { steady: { of: users, p95: "<= 2x", vs: { in: control }, in: treatment } }'));
    expect(verdicts.map(({ variant, actual, met, vs }) => [variant, actual, met, vs])).toEqual([
      ['as-it-is', expect.closeTo(3, 3), false, { phase: 'control', variant: 'as-it-is' }],
      ['fast', expect.closeTo(3, 3), false, { phase: 'control', variant: 'fast' }],
    ]);
  });

  it('is unknown where the other figure is, never a division by nothing', () => {
    const { verdicts } = studied(twoSpeeds('objectives: { same: { of: users, refused: "<= 2x", vs: { in: control }, in: treatment } }'));
    expect(verdicts[0]).toMatchObject({ actual: null, met: null });
  });

  it('with a variant that did not run is left out of the claims and unknown among the objectives', () => {
    const { claims, verdicts } = studied(twoSpeeds(`claims:
  slower: { of: users, mean: "2x ± 1%", vs: { variant: fast }, in: treatment }
  plain: { of: users, mean: ">= 1ms" }
objectives: { slower: { of: users, mean: "2x ± 1%", vs: { variant: fast }, in: treatment } }`), ['as-it-is']);
    expect(claims.map(({ claim }) => claim)).toEqual(['plain']);
    expect(verdicts[0]).toMatchObject({ actual: null, met: null, vs: { phase: 'treatment', variant: 'fast' } });
  });
});

describe('a variant of another length', () => {
  it('is judged over its own run and its own phases', () => {
    const { runs, verdicts, scenario } = studied(`
duration: 10s
services: { api: { machine: c6i.large, handlers: { ask: [{ wait: 1ms }] } } }
traffic: { users: { to: api, send: ask, open: { rate: 10/s, arrivals: even } } }
phases: { end: [5s, 10s] }
objectives: { all: { of: users, rate: "= 10/s" }, at-the-end: { of: users, rate: "= 10/s", in: end } }
variants: { short: {}, long: { duration: 25s, phases.end: [20s, 25s] } }`);
    expect(scenario.durationMs).toBe(10_000);
    expect(Object.values(runs).map(({ durationMs, ticks, traffic, phases, cost }) => [durationMs, ticks.count, traffic['users'].offered, phases['end'].fromMs, cost.services['api'].billedS, cost.services['api'].extraS])).toEqual([
      [10_000, 10, 100, 5000, 10, 0],
      [25_000, 25, 250, 20_000, 25, 0],
    ]);
    expect(verdicts.map(({ variant, actual }) => [variant, actual])).toEqual([['short', 10], ['short', 10], ['long', 10], ['long', 10]]);
  });
});
