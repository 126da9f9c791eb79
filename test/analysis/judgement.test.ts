import { describe, expect, it } from 'vitest';
import { holds } from '../../src/analysis/condition.js';
import type { Study } from '../../src/study/types.js';
import { studied } from '../support/studied.js';

/** A service that carries 100/s is offered 50/s, then 200/s from 30 s to 60 s; the queue fills in a second. */
const overload = (more = ''): string => `
duration: 90s
values: { work: { assumed: 10ms, cv: 0, range: [5ms, 20ms], why: a guess } }
machines: { small: { cpus: 1, memory: 1GiB, price: 3.6 USD/h } }
services:
  api:
    machine: small
    slots: 10
    queue: { limit: 50 }
    handlers: { ask: [{ cpu: $work }] }
  aside:
    handlers: { other: [{ wait: 7ms }] }
traffic:
  users: { to: api, send: ask, open: { arrivals: even, rate: [[0s, 50/s], [30s, 50/s], [30s, 200/s], [60s, 200/s], [60s, 50/s]] } }
  others: { to: aside, send: other, open: { arrivals: even, rate: 10/s } }
phases: { calm: [0s, 30s], rush: [35s, 60s] }
objectives:
  available: { of: users, good: ">= 99%", in: [calm, rush], breaks: [rush] }
  quick: { of: users, p95: "<= 700ms", in: rush }
${more}`;

describe('conditions', () => {
  it.each([
    ['<=', -Infinity, 5, 5, true], ['<=', -Infinity, 5, 5.1, false], ['<', -Infinity, 5, 5, false], ['>', 5, Infinity, 5, false], ['>', 5, Infinity, 5.1, true],
    ['>=', 5, Infinity, 5, true], ['=', 0.82, 0.82, 41 / 50, true], ['=', 0.82, 0.82, 40 / 50, false], ['±', 90, 110, 110, true], ['..', 1, 2, 2.1, false],
  ] as const)('%s [%d, %d] with %d is %s', (op, low, high, actual, expected) => {
    expect(holds({ op, low, high }, actual)).toBe(expected);
  });
  it('say nothing of what is unknown', () => {
    expect(holds({ op: '>=', low: 0, high: Infinity }, null)).toBeNull();
  });
});

describe('verdicts', () => {
  const study = studied(overload());

  it('are one an objective and phase, with what the file expects there', () => {
    expect(study.verdicts.map(({ objective, phase, met, expected }) => [objective, phase, met, expected])).toEqual([
      ['available', 'calm', true, true],
      ['available', 'rush', false, false],
      ['quick', 'rush', true, true],
    ]);
    // 200/s offered against 100/s carried.
    expect(study.verdicts[1].actual).toBeCloseTo(0.5, 1);
  });

  it('rest on the guesses that can reach them, ranged ones first, and on nothing of a part apart', () => {
    const { restsOn, sure } = study.verdicts[0];
    expect(restsOn[0]).toBe('values.work');
    expect(restsOn).toContain('traffic.users.open.rate.0.1');
    expect(restsOn.filter((path) => path.includes('aside') || path.includes('others'))).toEqual([]);
    expect(sure).toBe('untested');
  });

  it('are of every variant', () => {
    const two = studied(overload('variants: { as-it-is: {}, roomy: { services.api.instances: 4 } }'));
    expect(two.verdicts.filter(({ phase }) => phase === 'rush').map(({ variant, objective, met }) => [variant, objective, met])).toEqual([
      ['as-it-is', 'available', false], ['as-it-is', 'quick', true], ['roomy', 'available', true], ['roomy', 'quick', true],
    ]);
  });
});

describe('the first to break', () => {
  it('is the objective whose trailing ten seconds first violate it, behind the resource that was saturated first', () => {
    const { firstToBreak } = studied(overload());
    // The queue of 50 and the 10 slots are full 0.6 s after the rush begins; then half is refused.
    expect(firstToBreak).toMatchObject({ objective: 'available', phase: 'rush', resource: { service: 'api', instance: 1, what: 'cpu', sinceMs: 30_000 }, evidence: { level: 1, limit: 1 } });
    expect(firstToBreak!.tMs).toBe(31_000);
  });

  it('is nobody when nothing breaks', () => {
    expect(studied(overload().replaceAll('200/s', '60/s')).firstToBreak).toBeNull();
  });

  it('has no resource when none was saturated', () => {
    const { firstToBreak } = studied(`
duration: 60s
services: { api: { handlers: { ask: [{ fail: broken }] } } }
traffic: { users: { to: api, send: ask, open: { rate: 5/s } } }
objectives: { available: { of: users, good: ">= 99%" } }`);
    expect(firstToBreak).toMatchObject({ objective: 'available', phase: null, resource: null, evidence: {} });
  });

  it('looks where the requests end: a full pool, not a generator that has always been busy', () => {
    const { firstToBreak } = studied(`
      duration: 30s
      services:
        box: { cpus: 1, handlers: { ask: [{ cpu: { assumed: 1ms, cv: 0 } }, { call: api }] } }
        api: { to: { db: { pool: { max: 2, pending: 5 } } }, handlers: { ask: [{ call: db.read }] } }
        db: { handlers: { read: [{ wait: { assumed: 100ms, cv: 0 } }] } }
      traffic: { users: { to: { box: { latency: 1ms } }, send: ask, closed: { users: 50, think: 0ms } } }
      objectives: { available: { of: users, good: ">= 99%" } }
    `);
    expect(firstToBreak).toMatchObject({ objective: 'available', resource: { service: 'api', instance: 1, what: 'pool' } });
  });
});

describe('cost', () => {
  it('is billed time × price, and beyond what was there at the start', () => {
    const { cost } = studied(overload()).runs['base'];
    expect(cost).toMatchObject({ services: { api: { billedS: 90, extraS: 0, machine: 'small', amount: 0.09 } }, amount: 0.09, currency: 'USD', unknown: [] });
  });

  it('is unknown, never 0, when nobody gave a price', () => {
    const { cost } = studied(overload().replace(', price: 3.6 USD/h', '')).runs['base'];
    expect(cost).toMatchObject({ amount: null, currency: null, unknown: ['api'] });
    expect(cost.services['api'].amount).toBeNull();
  });
});

describe('claims', () => {
  it('are judged in their variant and phase', () => {
    const { claims } = studied(overload(`
variants: { as-it-is: {}, roomy: { services.api.instances: 4 } }
claims:
  half: { of: users, refused: "50% ± 5%", in: rush, says: half is turned away }
  none: { of: users, refused: "= 0%", in: rush, variant: roomy }
  wrong: { of: users, refused: "= 0%", in: rush, breaks: true }`));
    expect(claims.map(({ claim, variant, held, expected }) => [claim, variant, held, expected])).toEqual([
      ['half', 'as-it-is', true, true], ['none', 'roomy', true, true], ['wrong', 'as-it-is', false, false],
    ]);
  });

  it('about an order of events hold only in that order', () => {
    const order = (events: string): Study => studied(overload(`claims: { story: { order: [${events}] } }\nfaults: { kill: { at: 40s, target: api, crash: true } }`));
    expect(order('saturated api, crashed api').claims[0]).toMatchObject({ held: true });
    expect(order('crashed api, saturated api').claims[0]).toMatchObject({ held: false });
    expect(order('saturated api, oom api').claims[0]).toMatchObject({ held: false, order: [expect.anything(), { event: 'oom api', tMs: null }] });
  });
});

describe('metrics', () => {
  const value = (check: string): number | null => studied(overload(`claims: { it: ${check} }`)).claims[0].actual;

  it('of a service are means over its instances, memory the highest', () => {
    expect(value('{ of: api, cpu: ">= 0", in: calm }')).toBeCloseTo(0.5, 2);
    expect(value('{ of: api, cpu: ">= 0", in: rush }')).toBeCloseTo(1, 2);
    expect(value('{ of: api, queue: ">= 0", in: rush }')).toBeGreaterThan(48);
    expect(value('{ of: api, rate: ">= 0/s", in: rush }')).toBeCloseTo(100, 0);
  });

  it('of a link are counted over its attempts', () => {
    expect(value('{ of: users.api, refused: ">= 0%", in: rush }')).toBeCloseTo(0.5, 1);
    expect(value('{ of: users.api, ejections: "= 0" }')).toBe(0);
  });

  it('that nobody can know are null', () => {
    expect(value('{ of: users, p95: "<= 1s", over: bad, in: calm }')).toBeNull();
  });
});
