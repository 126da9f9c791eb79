import { describe, expect, it } from 'vitest';
import { scriptedLoad } from '../../../src/engine/scripted-load.js';
import { parseScenario } from '../../../src/scenario/index.js';
import { scenario } from '../../support/simulated.js';

const corners = (source: string): (readonly [number, number])[] => {
  const [system] = parseScenario(scenario(`
    duration: 60s
    services: { api: { handlers: { ask: [{ wait: 1ms }] } } }
    traffic: { users: { to: api, send: ask, ${source} } }`), { file: 'test.yaml' }).variants;
  return scriptedLoad(system.traffic[0], system.durationMs).map(({ atMs, value }) => [atMs / 1000, value]);
};

describe('the scripted load', () => {
  it('of a constant rate is one line, and nothing before its start and after its stop', () => {
    expect(corners('open: { rate: 5/s }')).toEqual([[0, 5], [60, 5]]);
    expect(corners('start: 10s, stop: 20s, open: { rate: 5/s }')).toEqual([[0, 0], [10, 0], [10, 5], [20, 5], [20, 0], [60, 0]]);
  });

  it('of stairs is flat on every step, nothing in a gap and after the last', () => {
    expect(corners('open: { rate: { stairs: [1/s, 2/s], each: 10s, gap: 5s } }')).toEqual([[0, 1], [10, 1], [10, 0], [15, 0], [15, 2], [25, 2], [25, 0], [60, 0]]);
    expect(corners('closed: { users: { stairs: [1, 2], each: 10s }, think: 1s }')).toEqual([[0, 1], [10, 1], [10, 2], [20, 2], [20, 0], [60, 0]]);
  });

  it('of bursts is a spike each, the sizes in turn', () => {
    expect(corners('bursts: { sizes: [3, 7], every: 25s, rounds: 2 }')).toEqual([[0, 0], [0, 3], [0, 0], [25, 0], [25, 7], [25, 0], [50, 0], [50, 3], [50, 0]]);
  });
});
