import { describe, expect, it } from 'vitest';
import { tryModel, type FakeModel, type FakeTrials } from '../support/fake-model.js';

/** A service of three steps and some slots, whose guesses all have a range, and one objective. */
const system = ({ a = '{ assumed: 10ms, range: [5ms, 37ms], why: a guess }', b = '{ assumed: 10ms, range: [4ms, 20ms], why: a guess }', c = '{ assumed: 10ms, range: [5ms, 30ms], why: a guess }', slots = '{ assumed: 10, range: [2, 20], why: a guess }', goal = '"<= 100ms"', more = '' } = {}): string => `
duration: 60s
values: { a: ${a}, b: ${b}, c: ${c} }
services: { api: { slots: ${slots}, handlers: { ask: [{ wait: $a }, { wait: $b }, { wait: $c }] } } }
traffic: { users: { to: api, send: ask, open: { rate: { chosen: 10/s, why: so it is } } } }
phases: { calm: [0s, 30s], rush: [30s, 60s] }
objectives: { quick: { of: users, p95: ${goal}${more} } }`;

/** A p95 that is a formula of the guesses; everything else is 1. */
const p95 = (formula: (at: { readonly a: number; readonly b: number; readonly c: number; readonly slots: number }) => number | null): FakeModel => (at, { metric }) =>
  metric === 'p95' ? formula({ a: at('values.a'), b: at('values.b'), c: at('values.c'), slots: at('services.api.slots') }) : 1;

const pathsOf = (named: readonly { readonly path: string }[]): string[] => named.map(({ path }) => path);

describe('one guess that turns a verdict', () => {
  it.each([
    ['high', 12.3, 10, 37], ['high', 36.9, 10, 37], ['high', 10.01, 10, 37], ['high', 23.5, 10, 37],
  ] as const)('towards its %s end, at %d, is found within a 27th of the way and on the turned side', (end, turn, written, far) => {
    const { first, verdicts } = tryModel(system(), p95(({ a }) => (a > turn ? 200 : 50)));
    expect(first.flips).toHaveLength(1);
    const [{ path, value, end: found }] = first.flips;
    expect([path, found]).toEqual(['values.a', end]);
    expect(value).toBeGreaterThan(turn);
    expect(first.flips[0].holdsAt).toBeLessThanOrEqual(turn);
    // The decimal step of the value adds at most a tenth of a cut.
    expect(value - turn).toBeLessThanOrEqual(((far - written) / 27) * 1.1);
    expect(verdicts[0]).toMatchObject({ met: true, sure: 'hinges', flipsAt: { path: 'values.a', value } });
  });

  it('turns a broken verdict towards the low end', () => {
    const { first, verdicts } = tryModel(system(), p95(({ a }) => (a < 7.7 ? 50 : 200)));
    expect(first.flips).toMatchObject([{ path: 'values.a', end: 'low' }]);
    expect(first.flips[0].value).toBeLessThan(7.7);
    expect(first.flips[0].value).toBeGreaterThan(7.7 - (5 / 27) * 1.1);
    expect(verdicts[0]).toMatchObject({ met: false, sure: 'hinges' });
  });

  it('is found exactly where only whole numbers make sense, wherever it turns', () => {
    for (let turn = 11; turn <= 20; turn++) expect(tryModel(system(), p95(({ slots }) => (slots >= turn ? 200 : 50))).first.flips).toEqual([{ path: 'services.api.slots', value: turn, holdsAt: turn - 1, end: 'high' }]);
    for (let turn = 2; turn <= 9; turn++) expect(tryModel(system(), p95(({ slots }) => (slots <= turn ? 200 : 50))).first.flips).toEqual([{ path: 'services.api.slots', value: turn, holdsAt: turn + 1, end: 'low' }]);
    // Twenty-seven apart is the most that three cuts in three resolve.
    const wide = '{ assumed: 3, range: [3, 30], why: a guess }';
    for (let turn = 4; turn <= 30; turn++) expect(tryModel(system({ slots: wide }), p95(({ slots }) => (slots >= turn ? 200 : 50))).first.flips[0].value).toBe(turn);
  });

  it('is told once for each end that turns it, the nearest on its way first', () => {
    const { first, verdicts } = tryModel(system(), p95(({ a }) => (a > 30 || a < 9.9 ? 200 : 50)));
    expect(first.flips.map(({ path, end }) => [path, end])).toEqual([['values.a', 'low'], ['values.a', 'high']]);
    expect(verdicts[0].flipsAt).toEqual({ path: 'values.a', value: first.flips[0].value });
  });

  it('stands beside others that turn it too, the nearest first, and then no corner is run', () => {
    const { first, rounds } = tryModel(system(), p95(({ a, b }) => (a > 30 || b > 11 ? 200 : 50 + a)));
    expect(pathsOf(first.flips)).toEqual(['values.b', 'values.a']);
    expect([first.corner, first.together]).toEqual([null, []]);
    expect(rounds.flat().filter((point) => point.includes(' '))).toEqual([]);
  });

  it('is told at a turn that is really there when the figure goes up and down', () => {
    const turned = (a: number): boolean => (a > 14 && a < 20) || a > 33;
    const { first } = tryModel(system(), p95(({ a }) => (turned(a) ? 200 : 50)));
    expect(first.flips).toHaveLength(1);
    const { value } = first.flips[0];
    expect(turned(value)).toBe(true);
    // One cut before it, it has not turned yet.
    expect(turned(value - 1.1)).toBe(false);
  });

  it('turns nothing while the figure comes back before the end: only ends are looked at', () => {
    const { verdicts } = tryModel(system(), p95(({ a }) => (a > 20 && a < 30 ? 200 : 50)));
    expect([verdicts[0].sure, verdicts[0].flipsAt]).toEqual(['firm', undefined]);
  });

  it('is written in figures that can be tried again', () => {
    const { first } = tryModel(system(), p95(({ a }) => (a > 23.456789 ? 200 : 50)));
    expect(String(first.flips[0].value)).toMatch(/^\d+(\.\d)?$/);
  });
});

describe('all guesses at their worst together', () => {
  it('takes of each the end that speaks against a kept verdict', () => {
    const { first, verdicts } = tryModel(system(), p95(({ a, b, c }) => a - b + 0.1 * c));
    expect(first.corner).toEqual({ values: [{ path: 'values.a', value: 37 }, { path: 'values.b', value: 4 }, { path: 'values.c', value: 30 }], actual: 36, met: true });
    expect([first.together, verdicts[0].sure]).toEqual([[], 'firm']);
  });

  it('takes the end that speaks for it where it is broken', () => {
    const { first } = tryModel(system(), p95(({ a, b, c }) => 500 + a - b + 0.1 * c));
    expect(first.corner).toEqual({ values: [{ path: 'values.a', value: 5 }, { path: 'values.b', value: 20 }, { path: 'values.c', value: 5 }], actual: 485.5, met: false });
  });

  it('leaves a guess as written whose ends both speak for the verdict, and takes an end inside a two-sided condition by its distance to the nearer bound', () => {
    expect(pathsOf(tryModel(system(), p95(({ a, b }) => b - Math.abs(a - 10))).first.corner!.values)).toEqual(['values.b']);
    const { first } = tryModel(system({ goal: '"30ms .. 70ms"' }), p95(({ a }) => 40 + a));
    expect(first.flips).toMatchObject([{ path: 'values.a', end: 'high' }]);
    expect(tryModel(system({ goal: '"30ms .. 90ms"' }), p95(({ a }) => 40 + a)).first.corner).toEqual({ values: [{ path: 'values.a', value: 37 }], actual: 77, met: true });
  });

  it('that turns it says where on the straight way there', () => {
    const { first, verdicts } = tryModel(system(), p95(({ a, b, c }) => a + b + c + 30));
    // Ends alone: 87, 70, 80; all: 117 at the corner; 60 + 57 × share is above 100 from 0.7018 on.
    expect(first.flips).toEqual([]);
    expect(first.corner).toMatchObject({ actual: 117, met: false });
    expect(pathsOf(first.together)).toEqual(['values.a', 'values.b', 'values.c']);
    const share = (first.together[0].value - 10) / 27;
    expect(share).toBeGreaterThan(40 / 57);
    expect(share).toBeLessThan(40 / 57 + 1.1 / 27);
    expect(first.together.reduce((sum, { value }) => sum + value, 30)).toBeGreaterThan(100);
    expect(verdicts[0]).toMatchObject({ met: true, sure: 'hinges' });
    expect(verdicts[0].flipsAt).toBeUndefined();
  });

  it('is not firm where it could not be judged', () => {
    const { first, verdicts } = tryModel(system(), p95(({ a, b }) => (a > 20 && b > 15 ? null : a + b)));
    expect(first.corner).toMatchObject({ actual: null, met: null });
    expect(verdicts[0]).toMatchObject({ met: true, sure: 'untested' });
  });
});

describe('what a verdict rests on', () => {
  it('are the guesses that move it, by swing, and none that moved nothing', () => {
    const { first, verdicts } = tryModel(system(), p95(({ a, c }) => c + 0.1 * a));
    expect(first.moves).toEqual([{ path: 'values.c', low: 6, high: 31, swing: 25 }, { path: 'values.a', low: 10.5, high: expect.closeTo(13.7, 9) as number, swing: expect.closeTo(3.2, 9) as number }]);
    expect(verdicts[0].restsOn).toEqual(['values.c', 'values.a']);
  });

  it('is nothing when nothing moves it, which is firm', () => {
    expect(tryModel(system(), p95(() => 50)).verdicts[0]).toMatchObject({ restsOn: [], sure: 'firm', met: true });
  });

  it('are also guesses without a range, which leaves it untested', () => {
    const { verdicts } = tryModel(system({ b: '{ assumed: 10ms, why: nobody knows }' }), p95(({ a }) => a));
    expect(verdicts[0]).toMatchObject({ restsOn: ['values.a', 'values.b'], sure: 'untested' });
  });

  it('hinges all the same when a ranged guess turns it', () => {
    expect(tryModel(system({ b: '{ assumed: 10ms, why: nobody knows }' }), p95(({ a }) => 10 * a - 50)).verdicts[0].sure).toBe('hinges');
  });

  it('are no measured or chosen values', () => {
    const { rounds, verdicts } = tryModel(system({ a: '{ measured: 10ms, from: a trace }', b: '{ chosen: 10ms, why: so it is }' }), p95(({ a, b, c }) => a + b + c));
    expect(verdicts[0].restsOn).toEqual(['values.c']);
    expect(rounds.flat().some((point) => point.includes('values.a') || point.includes('values.b'))).toBe(false);
  });
});

describe('what is unknown', () => {
  it('at an end leaves the verdict untested and names the guess', () => {
    const { first, verdicts } = tryModel(system(), p95(({ a, b }) => (a > 20 ? null : 50 + b)));
    expect(first.unknownAt).toEqual(['values.a']);
    expect(first.moves.find(({ path }) => path === 'values.b')).toBeDefined();
    expect(verdicts[0]).toMatchObject({ sure: 'untested', restsOn: ['values.b', 'values.a'] });
  });

  it('is a figure at an end whose load was not made', () => {
    const { first, verdicts, sensitivity } = tryModel(system(), (at, { metric }) => (metric === 'p95' ? { value: 500, blind: at('values.a') > 20 } : 1));
    expect(first.unknownAt).toEqual(['values.a']);
    expect(first.flips).toEqual([]);
    expect(verdicts[0].sure).toBe('untested');
    const quick = sensitivity.figures.findIndex(({ metric, phase }) => metric === 'p95' && phase === null);
    expect(sensitivity.ends.filter(({ path }) => path === 'values.a').map(({ figures }) => figures[quick])).toEqual([500, null]);
    expect(first.moves.every(({ high }) => high === null || high === 500)).toBe(true);
  });

  it.each([['unknown', null], ['made without its load', { value: 50, blind: true }]] as const)('as written shows nothing: %s rests on all guesses and is untested', (_, figure) => {
    const { first, verdicts } = tryModel(system(), (at, { metric }) => (metric === 'p95' ? (at('values.a') === 10 ? figure : 50) : 1));
    expect(first).toMatchObject({ moves: [], flips: [], corner: null, together: [], unknownAt: [] });
    expect(verdicts[0].sure).toBe('untested');
    expect(verdicts[0].restsOn).toEqual(expect.arrayContaining(['values.a', 'values.b', 'values.c', 'services.api.slots']));
  });
});

describe('a range', () => {
  it('with an end that is the written value is moved to the other end alone', () => {
    const { first, rounds, sensitivity } = tryModel(system({ a: '{ assumed: 10ms, range: [10ms, 37ms], why: a guess }' }), p95(({ a }) => 2 * a));
    expect(rounds.flat().filter((point) => point === 'values.a=10')).toEqual([]);
    expect(first.moves).toEqual([{ path: 'values.a', low: 20, high: 74, swing: 54 }]);
    expect(first.corner).toMatchObject({ values: [{ path: 'values.a', value: 37 }] });
    expect(sensitivity.ends.filter(({ path }) => path === 'values.a').map(({ value, end }) => [value, end])).toEqual([[10, 'low'], [37, 'high']]);
  });

  it('of a default of the world is tried too', () => {
    const { verdicts } = tryModel(system(), (at, { metric }) => (metric === 'p95' ? 50 + 100 * at('traffic.users.to.api.latency') : 1));
    expect(verdicts[0]).toMatchObject({ sure: 'hinges', flipsAt: { path: 'traffic.users.to.api.latency' } });
  });
});

describe('an objective that compares', () => {
  it('with another phase turns by its factor', () => {
    const { first, verdicts } = tryModel(system({ goal: '"<= 2x"', more: ', in: rush, vs: { in: calm }' }), (at, { metric, phase }) => (metric === 'p95' ? (phase === 'rush' ? at('values.a') : 10) : 1));
    expect(verdicts[0]).toMatchObject({ actual: 1, met: true, sure: 'hinges' });
    expect(first.flips[0].value).toBeGreaterThan(20);
    expect(first.flips[0].value).toBeLessThan(20 + 1.1);
  });

  it('with another variant is moved on both sides, and unknown where either is', () => {
    const lines = `${system({ goal: '"<= 2x"', more: ', vs: { variant: other }' })}\nvariants: { today: {}, other: { services.api.slots: 40 } }`;
    const both = (other: (a: number) => number | null): FakeTrials => tryModel(lines, (at, { metric, variant }) => (metric === 'p95' ? (variant === 'today' ? at('values.a') : other(at('values.a'))) : 1));
    expect(both((a) => a).verdicts[0]).toMatchObject({ actual: 1, sure: 'firm', restsOn: [] });
    expect(both(() => 10).verdicts[0]).toMatchObject({ actual: 1, sure: 'hinges' });
    expect(both((a) => (a > 20 ? null : 10)).first.unknownAt).toEqual(['values.a']);
  });
});

describe('the record of it', () => {
  const { sensitivity, rounds } = tryModel(system(), p95(({ a }) => (a > 23 ? 200 : 50)));

  it('counts the points that were run, each once', () => {
    const all = rounds.flat();
    expect(new Set(all).size).toBe(all.length);
    expect(sensitivity.runs).toBe(all.length);
  });

  it('has both ends of every guess, what is as written, and the points between', () => {
    const quick = sensitivity.figures.findIndex(({ metric, phase }) => metric === 'p95' && phase === null);
    expect(sensitivity.written[quick]).toBe(50);
    expect(sensitivity.ends.filter(({ path }) => path === 'values.a').map(({ value, end, figures }) => [value, end, figures[quick]])).toEqual([[5, 'low', 50], [37, 'high', 200]]);
    expect(sensitivity.between.length).toBeGreaterThan(2);
    for (const { path, value, figures } of sensitivity.between) expect([path, figures[quick]]).toEqual(['values.a', value > 23 ? 200 : 50]);
  });
});

describe('a share that no end moves', () => {
  const available = system().replace('p95: "<= 100ms"', 'good: ">= 99%"');
  /** Slower with a and c, faster with b; lost only where a and c are high and b is low. */
  const model = (least: number): FakeModel => (at, { metric }) => {
    const strain = at('values.a') + at('values.c') - at('values.b');
    if (metric === 'good') return strain > least ? 0.9 : 1;
    return metric === 'p99' ? strain : 1;
  };

  it('is tried with all guesses at the ends that slow its requests, and turns there where it does', () => {
    const { first, verdicts, rounds } = tryModel(available, model(50));
    expect(first.moves).toEqual([]);
    expect(rounds[1]).toEqual(['values.a=37 values.b=4 values.c=30']);
    expect(first.corner).toMatchObject({ actual: 0.9, met: false });
    expect(first.together.map(({ path }) => path)).toEqual(['values.a', 'values.b', 'values.c']);
    expect(verdicts[0].sure).toBe('hinges');
  });

  it('is firm where it holds there too', () => {
    const { first, verdicts } = tryModel(available, model(70));
    expect(first.corner).toMatchObject({ actual: 1, met: true });
    expect(verdicts[0].sure).toBe('firm');
  });

  it('leaves a guess as written whose ends do not slow its requests, or that is written at the end that does', () => {
    const slow = (goal: string): string => goal.replace('{ assumed: 10ms, range: [5ms, 37ms]', '{ assumed: 37ms, range: [5ms, 37ms]').replace('{ assumed: 10ms, range: [4ms, 20ms]', '{ assumed: 4ms, range: [4ms, 20ms]');
    expect(tryModel(slow(available), model(200)).first.corner!.values).toEqual([{ path: 'values.c', value: 30 }]);
    const dented: FakeModel = (at, { metric }) => (metric === 'p99' ? 100 - Math.abs(at('values.a') - 10) + at('values.b') : 1);
    expect(pathsOf(tryModel(available, dented).first.corner!.values)).toEqual(['values.b']);
  });
});
