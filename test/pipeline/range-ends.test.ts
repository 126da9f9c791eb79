import { describe, expect, it } from 'vitest';
import { isRanged } from '../../src/analysis/rests-on.js';
import { systemAt } from '../../src/pipeline/trials.js';
import type { Scenario } from '../../src/scenario/model.js';
import { parseScenario } from '../../src/scenario/index.js';
import { parsed, shippedFiles } from '../scenarios/shipped.js';
import { scenario } from '../support/simulated.js';

const plain = { set: [], sweeps: [] };

/** Ends of ranges that a variant does not take as they are, each with what happened instead. */
const refusedEnds = (file: Scenario): string[] =>
  file.variants.flatMap(({ variant, inputs }) =>
    inputs.filter(isRanged).flatMap(({ path, range }) =>
      range.flatMap((end) => {
        const found = valueAt(file, variant, path, end);
        return found === end ? [] : [`${variant}: ${path} at ${end}: ${found}`];
      }),
    ),
  );

const valueAt = (file: Scenario, variant: string, path: string, value: number): string | number | undefined => {
  try {
    return systemAt(file, variant, [{ path, value }], plain).inputs.find((input) => input.path === path)?.value;
  } catch (error) {
    return String(error);
  }
};

describe('every ranged guess of a shipped scenario', () => {
  it.each(shippedFiles)('can be moved to both ends of its range in every variant: %s', (file) => {
    expect(refusedEnds(parsed(file))).toEqual([]);
  });

  it('is found out when its range has an end that the language refuses', () => {
    const file = parseScenario(scenario(`
      duration: 10s
      values: { few: { assumed: 2, range: [1, 5], why: a guess } }
      services: { api: { slots: 10, cpus: 1, instances: 2, autoscale: { min: 1, max: { assumed: 3, range: [1, 4], why: a guess }, metric: cpu, target: 50%, boot: 1s }, handlers: { ask: [{ wait: 5ms }] } } }
      traffic: { users: { to: api, send: ask, open: { rate: 10/s } } }
    `), { file: 'test.yaml' });
    expect(refusedEnds(file)).toEqual([expect.stringMatching(/^base: services\.api\.autoscale\.max at 1: .*services\.api\.autoscale\.max=1 cannot be tried: /s)]);
  });
});

describe('a value that is moved', () => {
  const two = (): Scenario =>
    parseScenario(scenario(`
      duration: 10s
      services: { left: { handlers: { ask: [{ wait: 5ms }] } }, right: { handlers: { ask: [{ wait: 5ms }] } } }
      traffic: { users: { to: left, send: ask, open: { rate: 10/s } } }
      variants: { today: {}, other: { traffic.users.to: right } }
    `), { file: 'test.yaml' });

  it('may be a default that the file does not write, of a link that only one variant has', () => {
    const file = two();
    for (const [variant, link] of [['today', 'left'], ['other', 'right']] as const) {
      const path = `traffic.users.to.${link}.latency`;
      const system = systemAt(file, variant, [{ path, value: 1 }], plain);
      expect(system.inputs.find((input) => input.path === path)).toMatchObject({ value: 1 });
      expect(system.traffic[0].links.map(({ callee }) => callee)).toEqual([link]);
    }
  });

  it('stands beside what --set replaced', () => {
    const system = systemAt(two(), 'today', [{ path: 'traffic.users.to.left.latency', value: 1 }], { set: [{ path: 'traffic.users.open.rate', value: '20/s' }], sweeps: [] });
    expect(system.inputs.find(({ path }) => path === 'traffic.users.open.rate')).toMatchObject({ value: 20 });
  });

  it('keeps how single draws spread', () => {
    const file = parseScenario(scenario(`
      duration: 10s
      services: { api: { handlers: { ask: [{ wait: { assumed: 5ms, cv: 0.3, range: [2ms, 9ms], why: a guess } }] } } }
      traffic: { users: { to: api, send: ask, open: { rate: 10/s } } }
    `), { file: 'test.yaml' });
    expect(systemAt(file, 'base', [{ path: 'services.api.handlers.ask.0.wait', value: 2 }], plain).inputs.find(({ path }) => path.endsWith('wait'))).toMatchObject({ value: 2, spread: { kind: 'gamma', cv: 0.3 } });
  });
});
