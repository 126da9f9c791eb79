import { describe, expect, it } from 'vitest';
import { closingSentence } from '../../renderers/stage/compare/closing.js';
import type { Comparison, Ends, ObjectiveDifference } from '../../src/study/comparison.js';
import { scriptedStudy } from '../support/scripted-study.js';
import { allOf } from './compared.js';

const base = allOf(scriptedStudy()).comparison;
const ends = (failed: number, refused = 0): Ends => ({ offered: 1000, good: 1000 - failed - refused, declined: 0, refused, failed, inFlight: 0, goodShare: (1000 - failed - refused) / 1000 });
const row = (changes: Partial<ObjectiveDifference>): ObjectiveDifference => ({ objective: 'availability', phase: 'event', of: 'orders', metric: 'good', unit: 'share', targets: ['>= 99.9%', '>= 99.9%'], better: 'more', op: '>=', values: [0.565, 0.66], met: [false, false], basis: 'counted', isFactor: false, ...changes });
const comparison = (changes: Partial<Comparison>): Comparison => ({ ...base, sides: base.sides.map((side, i) => ({ ...side, name: ['as-it-is', 'patched'][i] })), objectives: [row({})], traffic: [{ phase: 'event', traffic: null, sides: [ends(3120), ends(0)] }], ...changes });
const said = (changes: Partial<Comparison>, lang: 'en' | 'ko' = 'en'): string => closingSentence(comparison(changes), lang).replaceAll('\u00A0', ' ');

describe('the closing sentence', () => {
  it('names who keeps more, by how much, what it costs, and who keeps the objective', () => {
    expect(said({})).toBe('patched keeps 9.5 points more good in event (66.0% against 56.5%) and fails 3,120 fewer; neither keeps the objective.');
    expect(said({ objectives: [row({ values: [0.9995, 0.66], met: [true, false] })] })).toBe('as-it-is keeps 33.9 points more good in event (99.9% against 66.0%) but fails 3,120 more; only as-it-is keeps the objective.');
    expect(said({}, 'ko')).toBe('event 구간에서 성공률은 patched가 as-it-is보다 9.5%p 높습니다(66.0% 대 56.5%). 실패도 3,120건 적습니다. 둘 다 목표에 못 미칩니다.');
  });

  it('tells refusals where failures are alike', () => {
    expect(said({ traffic: [{ phase: 'event', traffic: null, sides: [ends(5, 40), ends(5, 10)] }] })).toContain('and refuses 30 fewer');
  });

  it('prefers the objective that one keeps and the other breaks, though another is further apart', () => {
    const split = row({ phase: 'after', values: [0.9985, 0.9995], met: [false, true] });
    expect(said({ objectives: [row({}), split] })).toMatch(/^patched keeps 0\.1 points more good in after .*; only patched keeps the objective\.$/);
  });

  it('tells a latency in its unit, the better one first', () => {
    const slow = row({ objective: 'latency', metric: 'p95', unit: 'ms', better: 'less', op: '<=', values: [1240, 473], met: [false, true] });
    expect(said({ objectives: [slow], traffic: [] })).toBe('In event, p95 is 473 ms in patched and 1.24 s in as-it-is; only patched keeps the objective.');
  });

  it('says so where no objective is printed differently', () => {
    const same = row({ values: [0.66011, 0.66014] });
    expect(said({ objectives: [same], traffic: [{ phase: null, traffic: null, sides: [ends(7), ends(7)] }] })).toBe('No difference in any objective.');
    expect(said({ objectives: [same], traffic: [{ phase: null, traffic: null, sides: [ends(7), ends(3)] }] })).toBe('No difference in any objective; patched has 4 fewer failed than as-it-is.');
    expect(said({ objectives: [same], traffic: [], arrivals: 'different' }, 'ko')).toBe('어떤 목표에서도 차이가 없습니다.');
  });

  it('says that chance may be part of it where the arrivals differ', () => {
    expect(said({ arrivals: 'different' })).toMatch(/objective\. The arrivals differ and each ran once: part of it may be chance\.$/);
    expect(said({ arrivals: 'same' })).not.toContain('chance');
  });

  it('does not judge what is unknown', () => {
    expect(said({ objectives: [row({ values: [null, 0.66], met: [null, false] })], traffic: [{ phase: null, traffic: null, sides: [ends(10), ends(5)] }] })).toBe('No objective could be judged on all sides. Good over the whole run: 99.0% in as-it-is and 99.5% in patched.');
    expect(said({ objectives: [row({ met: [null, false] })], traffic: [] })).toBe('patched keeps 9.5 points more good in event (66.0% against 56.5%).');
  });

  it('names best and worst of more than two', () => {
    const third = { ...base.sides[0], letter: 'C' as const, name: 'third' };
    const three = comparison({});
    const sentence = closingSentence({ ...three, sides: [...three.sides, third], objectives: [row({ values: [0.5, 0.9, 0.4], met: [false, false, false] })] }, 'en').replaceAll('\u00A0', ' ');
    expect(sentence).toBe('In event, the good share is best in patched (90.0%) and worst in third (40.0%), 50.0 points apart; none keeps the objective.');
  });

  it('names the traffic where there are several', () => {
    expect(said({ traffic: [{ phase: 'event', traffic: null, sides: [ends(0), ends(0)] }, { phase: 'event', traffic: 'orders', sides: [ends(9), ends(2)] }] })).toBe('patched keeps 9.5 points more of orders good in event (66.0% against 56.5%) and fails 7 fewer; neither keeps the objective.');
  });
});
