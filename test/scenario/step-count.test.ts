import { describe, expect, it } from 'vitest';
import { FaultreelError } from '../../src/errors.js';
import { parseScenario } from '../../src/scenario/index.js';
import { scenario } from '../support/simulated.js';

const messageOf = (steps: string): string => {
  try {
    parseScenario(scenario(`
      duration: 10s
      services:
        svc: { handlers: { job: [${steps}] } }
        db: { handlers: { read: [{ wait: 1ms }] } }
      traffic:
        jobs: { to: svc, send: job, open: { rate: 1/s } }
    `), { file: 'test.yaml' });
    return '';
  } catch (error) {
    return error instanceof FaultreelError ? error.problems.map(({ message }) => message).join('\n') : String(error);
  }
};

describe('steps with their repetitions', () => {
  it('may be many', () => {
    expect(messageOf('{ wait: 1ms, times: 10000 }')).toBe('');
    expect(messageOf('{ transaction: db, times: 100, steps: [{ call: db.read, times: 100 }] }')).toBe('');
  });

  it.each([
    ['of one inside another', '{ transaction: db, times: 200, steps: [{ call: db.read, times: 100 }] }', '20,200'],
    ['of branches', '{ parallel: [[{ wait: 1ms, times: 5000 }], [{ wait: 1ms, times: 5000 }]], times: 3 }', '30,003'],
    ['of options, misses and other ways out', '{ choose: [{ weight: 1, steps: [{ cache: 50%, miss: [{ wait: 1ms, times: 100 }], orElse: [{ wait: 1ms, times: 100 }], times: 10 }] }], times: 10 }', '20,110'],
    ['too many to write down', '{ transaction: db, times: 10000, steps: [{ transaction: db, times: 10000, steps: [{ transaction: db, times: 10000, steps: [{ wait: 1ms, times: 10000 }] }] }] }', '10,001,000,100,010,000'],
  ])('may not be too many: %s', (_, steps, count) => {
    expect(messageOf(steps)).toContain(`expected at most 20,000 steps in \`services.svc.handlers.job\` with all repetitions, found ${count}`);
  });

  it('may not be too many together', () => {
    const handlers = Array.from({ length: 60 }, (_, i) => `h${i}: [{ wait: 1ms, times: 10000 }]`).join(', ');
    const text = scenario(`
      duration: 10s
      services: { svc: { handlers: { ${handlers} } } }
      traffic: { jobs: { to: svc, send: h0, open: { rate: 1/s } } }
    `);
    expect(() => parseScenario(text, { file: 'test.yaml' })).toThrow(/at most 500,000 steps of all handlers together/);
  });
});
