import { describe, expect, it } from 'vitest';
import { changedValue, termsLine } from '../../renderers/stage/compare/change-text.js';
import { differenceText, distanceText, rateDifference } from '../../renderers/look/difference.js';
import type { Study } from '../../src/study/types.js';
import { scriptedStudy } from '../support/scripted-study.js';
import { studied } from '../support/studied.js';
import { allOf, comparedOf } from './compared.js';

const shop = (more: string) => studied(`
  duration: 12s
  seed: 3
  values:
    work: { assumed: 8ms, why: a guess, range: [4ms, 12ms] }
  services:
    front: { kind: balancer, to: { back: { timeout: 2s, pool: { max: 4, pending: 8 } } } }
    back: { instances: 1, cpus: 1, slots: 4, queue: { limit: 8 }, handlers: { get: [ { cpu: $work } ] } }
  traffic:
    readers: { to: front, send: get, open: { rate: 40/s } }
  phases: { all: [1s, 12s] }
  objectives:
    good: { of: readers, good: ">= 99%", in: [all], breaks: true }
  ${more}`);

describe('what the sides differ in', () => {
  it('is told leaf by leaf, with what it was and what it touches', () => {
    const study = shop(`variants:
    as-it-is: {}
    slower: { values.work.assumed: 11ms }
    wider: { services.back.slots: 8, services.front.to.back.pool.max: 40 }
    bare: { services.front.to.back.pool: null }`);
    const { changes } = allOf(study).comparison;
    const told = changes.map(({ path, values, touches }) => [path, values.map(({ text }) => text), touches.map(({ kind, name, at }) => `${kind} ${name} ${at}`)]);
    expect(told).toEqual([
      ['values.work', ['≈8ms', '≈11ms', '≈8ms', '≈8ms'], ['service back work']],
      ['services.front.to.back.pool.max', ['4', '4', '40', null], ['link front.back pool.max']],
      ['services.front.to.back.pool.pending', ['8', '8', '8', null], ['link front.back pool.pending']],
      ['services.back.slots', ['4', '4', '8', '4'], ['service back slots']],
    ]);
  });

  it('never tells what another variant sets as the default of one that does not', () => {
    const { changes } = allOf(shop('variants:\n    as-it-is: {}\n    bare: { services.front.to.back.pool: null }')).comparison;
    expect(changes.flatMap(({ values }) => changedValue(values[1], 'en'))).toEqual(['not set']);
    const patient = allOf(shop('variants:\n    as-it-is: {}\n    patient: { services.front.to.back.timeout: null }')).comparison.changes;
    expect(patient.map(({ values }) => values.map((value) => changedValue(value, 'en')))).toEqual([['2\u00A0s', 'not set']]);
  });

  it('tells a default that the file does not write', () => {
    const { changes } = allOf(shop('variants:\n    as-it-is: {}\n    keyed: { services.front.to.back.policy: least-outstanding }')).comparison;
    expect(changes.map(({ path, values }) => [path, ...values.map((value) => changedValue(value, 'en'))])).toEqual([['services.front.to.back.policy', 'round-robin', 'least-outstanding']]);
  });

  it('is not what is only judged or said', () => {
    const study = shop('variants:\n    as-it-is: {}\n    stricter: { objectives.good.good: ">= 99.9%" }');
    expect(allOf(study).comparison.changes).toEqual([]);
  });

  it('names a part that one of two scenarios lacks as a whole', () => {
    const other = studied(`
      duration: 12s
      services: { back: { instances: 1, cpus: 1, slots: 4, queue: { limit: 8 }, handlers: { get: [ { cpu: 8ms } ] } } }
      traffic: { readers: { to: back, send: get, open: { rate: 40/s } } }`);
    const wholes = comparedOf([shop('')], [other]).comparison.changes.filter(({ isWhole }) => isWhole);
    expect(wholes.map(({ path }) => path)).toEqual(['services.front']);
  });

  it('is still told where the text of the file does not have it', () => {
    const { changes } = allOf(scriptedStudy()).comparison;
    expect(changes.map(({ path, values }) => [path, ...values.map((value) => changedValue(value, 'en'))])).toEqual([['services.alb.to.order-api.health.path', 'shared', 'dedicated']]);
  });
});

describe('the terms', () => {
  it('are the same arrivals only where every tick was offered the same', () => {
    const study = shop('variants:\n    as-it-is: {}\n    wider: { services.back.slots: 8 }\n    louder: { traffic.readers.open.rate: 80/s }');
    expect(comparedOf([study, 'as-it-is'], [study, 'wider']).comparison.arrivals).toBe('same');
    expect(comparedOf([study, 'as-it-is'], [study, 'louder']).comparison.arrivals).toBe('different');
    expect(termsLine(comparedOf([study, 'as-it-is'], [study, 'wider']).comparison, 'en')).toBe('two variants · same seed 3 · same arrivals · one change');
    expect(termsLine(comparedOf([study, 'as-it-is'], [study, 'louder']).comparison, 'ko')).toBe('변형 2개 · 같은 시드 3 · 요청 도착이 서로 다름 · 바뀐 설정 1개');
  });

  it('are a script where users come back when they are answered', () => {
    const study = studied(`
      duration: 12s
      services: { back: { instances: 1, cpus: 1, slots: 1, queue: { limit: 50 }, handlers: { get: [ { cpu: 20ms } ] } } }
      traffic: { readers: { to: back, send: get, closed: { users: 30, think: 100ms } } }
      variants: { as-it-is: {}, faster: { services.back.cpus: 2, services.back.slots: 2 } }`);
    expect(allOf(study).comparison.arrivals).toBe('script');
  });

  it('are different arrivals where the seeds are', () => {
    const [one, other] = [shop(''), shop('')];
    expect(comparedOf([one], [{ ...other, scenario: { ...other.scenario, seed: 4 } }]).comparison.arrivals).toBe('different');
  });
});

describe('figures of the difference', () => {
  it('are of the same phase and add up to what was offered', () => {
    const { comparison } = allOf(scriptedStudy());
    for (const { sides } of comparison.traffic) for (const side of sides) expect(side!.offered).toBe(side!.good + side!.declined + side!.refused + side!.failed + side!.inFlight);
    expect(comparison.traffic.map(({ phase }) => phase)).toEqual([null, 'before', 'surge', 'event', 'after']);
  });

  it('name the kinds of event that only some sides have', () => {
    const study = scriptedStudy();
    const dedicated = study.runs['dedicated-health-path'];
    const calm: Study = { ...study, runs: { ...study.runs, 'dedicated-health-path': { ...dedicated, eventLog: dedicated.eventLog.filter(({ kind }) => kind !== 'ejected') } } };
    const ejections = study.runs['as-it-is'].eventLog.filter(({ kind }) => kind === 'ejected');
    expect(allOf(calm).comparison.events).toEqual([{ kind: 'ejected', subject: 'order-api', counts: [ejections.length, 0], firstMs: [ejections[0].tMs, null] }]);
    expect(allOf(study).comparison.events).toEqual([]);
  });
});

describe('a difference as it is printed', () => {
  it('is that of the printed shares, in points', () => {
    // 54.0% and 59.3% on the page: 5.3, though the shares are 5.22 points apart.
    expect(differenceText(0.54099, 0.5932, 'share', 'en')).toBe('+5.3\u00A0points');
    expect(differenceText(0.5932, 0.54099, 'share', 'ko')).toBe('\u22125.3%p');
    expect(differenceText(0.54011, 0.54019, 'share', 'en')).toBe('0.0\u00A0points');
  });

  it('has the unit of the objective', () => {
    expect(differenceText(1240, 473, 'ms', 'en')).toBe('\u2212767\u00A0ms');
    expect(differenceText(3, 5, 'count', 'en')).toBe('+2');
    expect(distanceText(0.2, 0.5, 'share', 'en')).toBe('30.0\u00A0points');
    expect([rateDifference(221), rateDifference(-3.44), rateDifference(0.01)]).toEqual(['+221/s', '\u22123.4/s', '0/s']);
  });
});
