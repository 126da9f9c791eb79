import { describe, expect, it } from 'vitest';
import { FaultreelError, describeError } from '../../src/errors.js';
import { parseScenario } from '../../src/scenario/index.js';
import { simulateScenario } from '../../src/pipeline/simulate.js';
import { scenarioOf, systems } from './explosive-systems.js';

describe('work without end stops at a bound', () => {
  it.each(systems)('%s', (_, service, traffic, said) => {
    const scenario = parseScenario(scenarioOf(service, traffic), { file: 'bomb.yaml', set: [{ path: 'bounds.events', value: '500000' }, { path: 'bounds.calls', value: '100000' }] });
    const told = (): string => {
      try {
        simulateScenario(scenario, {});
      } catch (error) {
        if (error instanceof FaultreelError && error.exitCode === 3) return describeError(error);
        throw error;
      }
      return 'ran to its end';
    };
    const line = told();
    expect(line).toMatch(said);
    expect(line).toMatch(/^bomb\.yaml:\d+:\d+: /);
    expect(line).toMatch(/bounds\.|give a think time|Give its steps some time/);
  });

  it('a bound is raised by who runs it, not by the file', () => {
    const text = scenarioOf('{ handlers: { get: [ { wait: 1ms } ] } }', '{ to: a, send: get, open: { rate: 100/s } }');
    const events = (value: string): number => simulateScenario(parseScenario(text, { file: 'x.yaml', set: [{ path: 'bounds.events', value }] }), {}).runs.base.events;
    expect(events('2e9')).toBeGreaterThan(10_000);
    for (const wrong of ['0', '-1', 'many', '1.5', '']) expect(() => events(wrong)).toThrow(/expected a whole number for `bounds\.events`/);
    expect(() => parseScenario(`${text}bounds: { events: 9 }\n`, { file: 'x.yaml' })).toThrow(/unknown key `bounds`/);
    expect(() => parseScenario(`${text}variants: { a: { bounds.events: 9 } }\n`, { file: 'x.yaml' })).toThrow(/`bounds.events` does not exist/);
    expect(() => parseScenario(text, { file: 'x.yaml', set: [{ path: 'bounds.event', value: '9' }] })).toThrow(/expected a bound, found `bounds.event`/);
  });
});
