import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { FaultreelError } from '../../src/errors.js';
import { parseScenario } from '../../src/scenario/index.js';

const text = readFileSync(path.resolve(import.meta.dirname, '../../templates/init/en.yaml'), 'utf8');

const hintOf = (at: string, value = '20'): string | undefined => {
  try {
    parseScenario(text, { file: 'my-service.yaml', set: [{ path: at, value }] });
  } catch (error) {
    if (error instanceof FaultreelError) return error.problems[0].hint;
    throw error;
  }
  throw new Error(`${at} exists`);
};

describe('a path that does not exist', () => {
  it.each([
    ['app.pool', 'did you mean `services.app.to.postgres.pool.max` or `services.app.to.postgres.pool.wait`?'],
    ['pool.max', 'did you mean `services.app.to.postgres.pool.max`?'],
    ['services.app.pool.max', 'did you mean `services.app.to.postgres.pool.max`?'],
    ['app-cpu', 'did you mean `values.app-cpu`?'],
    ['app.instances', 'did you mean `services.app.instances`?'],
    ['slow', 'did you mean `faults.slow-database.slow`, `rehearsal.stops.slow.at` or '],
  ])('%s: the hint is where a value of these names stands', (at, hint) => {
    expect(hintOf(at)?.slice(0, hint.length)).toBe(hint);
  });

  it('keeps the nearest name where no value has these names', () => {
    expect(hintOf('services.ap.instances')).toBe('did you mean `services.app.instances`?');
    expect(hintOf('nothing.like.it')).toMatch(/^at the top: /);
  });
});
