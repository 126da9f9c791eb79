import fc from 'fast-check';
import { type Json, type Keys, maybe, percent, together } from '../support/any-steps.js';

/** A time of so many ms, at most; written in whole µs, so that two of them are seldom equal. */
export const time = (leastMs: number, mostMs: number): fc.Arbitrary<string> => fc.integer({ min: Math.round(leastMs * 1000), max: Math.round(mostMs * 1000) }).map((us) => `${us}us`);

const spread = (cv: fc.Arbitrary<number>, leastMs: number, mostMs: number): fc.Arbitrary<Json> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ assumed: time(leastMs, mostMs), cv }) },
    { weight: 1, arbitrary: fc.record({ assumed: time(leastMs, mostMs), dist: fc.constant('lognormal'), cv: fc.constantFrom(0.5, 1) }) },
  );
/** A drawn time, a constant one now and then: what begins together may end together. */
export const drawnTime = (leastMs: number, mostMs: number): fc.Arbitrary<Json> => spread(fc.constantFrom(0, 0.5, 1, 2), leastMs, mostMs);
/** A drawn time that is never constant. */
export const spreadTime = (leastMs: number, mostMs: number): fc.Arbitrary<Json> => spread(fc.constantFrom(0.5, 1, 2), leastMs, mostMs);

/** What may happen in the generated systems, from little to all: each is proved before the next is added. */
export interface Scope {
  /** Timeouts, deadlines, cancel, retries, pools, breakers, rate limits. */
  readonly limits: boolean;
  /** Transactions, locks, stock, caches, messages. */
  readonly holdings: boolean;
  /** Faults, memory, recovery. */
  readonly faults: boolean;
  /** Health checks, ejection, slow start, autoscaling. */
  readonly fleet: boolean;
}

export const retries: fc.Arbitrary<Keys> =
  together(
    fc.record({ max: fc.integer({ min: 1, max: 3 }), backoff: fc.oneof(fc.constant('0s'), time(0, 60)) }),
    maybe('when', fc.constantFrom<Json>(['failed'], ['refused'], ['failed', 'refused', 'declined'], ['queue full', 'timeout'], ['no seat'], ['killed', 'lock row'])),
    maybe('jitter', fc.constantFrom('none', 'full', 'equal')),
    maybe('factor', fc.constantFrom('1x', '3x')),
    maybe('cap', time(1, 100)),
    maybe('budget', percent(5, 80)),
    maybe('key', fc.constantFrom('same', 'fresh')),
  );

/** What steps may name. */
export interface Names {
  readonly calls: readonly string[];
  readonly publishes: readonly string[];
  readonly transactions: readonly string[];
  readonly hasStock: boolean;
}

/** Lists of steps of every verb that is in scope, nested in each other. Waits for locks end, so that no two requests wait for each other for ever. */
export const anySteps = (names: Names, scope: Scope, depth = 2): fc.Arbitrary<Json> => fc.array(anyStep(names, scope, depth), { minLength: 1, maxLength: 3 });

const anyStep = (names: Names, scope: Scope, depth: number): fc.Arbitrary<Json> => {
  const inner = (hasStock = names.hasStock): fc.Arbitrary<Json> => fc.array(anyStep({ ...names, hasStock }, scope, depth - 1), { maxLength: 2 });
  const verbs: [number, fc.Arbitrary<Keys>][] = [
    [5, drawnTime(0.1, 15).map((cpu) => ({ cpu }))],
    [3, drawnTime(0, 25).map((wait) => ({ wait }))],
    [1, fc.constantFrom<Keys>({ chance: '30%', decline: 'no' }, { chance: '30%', refuse: 'closed' }, { chance: '30%', fail: 'bug' })],
  ];
  if (names.calls.length > 0) verbs.push([6, together(fc.constantFrom(...names.calls).map((call): Keys => ({ call })), scope.limits ? maybe('retries', retries) : fc.constant({}))]);
  if (depth > 0) verbs.push([2, fc.array(inner(), { minLength: 1, maxLength: 3 }).map((parallel) => ({ parallel }))], [1, fc.array(fc.record({ weight: fc.integer({ min: 0, max: 3 }), steps: inner() }), { minLength: 1, maxLength: 3 }).map((choose) => ({ choose }))]);
  if (scope.holdings) {
    verbs.push([3, together(fc.record({ lock: fc.constantFrom('row', 'door'), wait: fc.oneof(fc.constant('0s'), time(0, 150)) }), maybe('retries', retries), maybe('scope', fc.constantFrom('instance', 'service')))]);
    if (names.publishes.length > 0) verbs.push([1, fc.constantFrom(...names.publishes).map((publish): Keys => ({ publish }))]);
    if (names.hasStock) verbs.push([1, fc.constant<Keys>({ take: 'seat' })], [1, together(fc.constant<Keys>({ put: 'seat' }), maybe('count', fc.integer({ min: 0, max: 3 })))]);
    if (depth > 0) verbs.push([1, together(fc.record({ cache: percent(0, 100), miss: inner() }), maybe('fill', time(0, 2000)))]);
    if (depth > 0 && names.transactions.length > 0) verbs.push([4, fc.record({ transaction: fc.constantFrom(...names.transactions), steps: inner(true) })]);
  }
  const rarely = (key: string, values: fc.Arbitrary<Json>): fc.Arbitrary<Keys> => fc.oneof({ weight: 5, arbitrary: fc.constant<Keys>({}) }, { weight: 1, arbitrary: values.map((value): Keys => ({ [key]: value })) });
  return together(rarely('times', fc.integer({ min: 0, max: 3 })), rarely('chance', percent(0, 100)), fc.oneof(...verbs.map(([weight, arbitrary]) => ({ weight, arbitrary }))), ...(depth > 0 ? [rarely('orElse', inner())] : []));
};
