import fc from 'fast-check';

export type Json = string | number | boolean | readonly Json[] | { readonly [key: string]: Json };
export type Keys = Readonly<Record<string, Json>>;

/** A key that is there or not. */
export const maybe = (key: string, values: fc.Arbitrary<Json>): fc.Arbitrary<Keys> => fc.option(values, { nil: null }).map((value): Keys => (value === null ? {} : { [key]: value }));
/** All of these keys in one map. */
export const together = (...parts: readonly fc.Arbitrary<Keys>[]): fc.Arbitrary<Keys> => fc.tuple(...parts).map((maps) => Object.assign({}, ...maps) as Keys);
export const ms = (least: number, most: number): fc.Arbitrary<string> => fc.integer({ min: least, max: most }).map((value) => `${value}ms`);
export const percent = (least: number, most: number): fc.Arbitrary<string> => fc.integer({ min: least, max: most }).map((value) => `${value}%`);
/** A drawn time, 0 now and then, of any spread. */
export const drawn = (least: number, most: number): fc.Arbitrary<Json> => fc.record({ assumed: ms(least, most), cv: fc.constantFrom(0, 0.5, 1, 2) });

export const retries = together(
  fc.record({ max: fc.integer({ min: 0, max: 3 }), backoff: ms(0, 100) }),
  maybe('when', fc.constantFrom<Json>(['failed'], ['refused'], ['declined'], ['failed', 'refused', 'declined'], ['queue full', 'timeout'], ['no seat'], ['killed'])),
  maybe('jitter', fc.constantFrom('none', 'full', 'equal')),
  maybe('budget', percent(0, 60)),
  maybe('factor', fc.constantFrom('1x', '3x')),
  maybe('cap', ms(1, 150)),
  maybe('key', fc.constantFrom('same', 'fresh')),
);

/** What the steps of one place may name. Stocks are those of the place; inside a transaction those of its service, which has the same. */
export interface Names {
  readonly calls: readonly string[];
  readonly publishes: readonly string[];
  readonly pushes: readonly string[];
  readonly transactions: readonly string[];
  /** False for the steps of a traffic, which has none. */
  readonly hasStocks: boolean;
}

const lists = (step: fc.Arbitrary<Json>, most: number, least = 0): fc.Arbitrary<Json> => fc.array(step, { minLength: least, maxLength: most });

/** Lists of steps of every verb, nested in each other; no wait for a lock is endless, so that no two requests can wait for each other for ever. */
export const anySteps = (names: Names, depth = 2): fc.Arbitrary<Json> => lists(anyStep(names, depth, names.hasStocks), 3, 1);

const anyStep = (names: Names, depth: number, hasStocks: boolean): fc.Arbitrary<Json> => {
  const inner = (stocks = hasStocks): fc.Arbitrary<Json> => lists(anyStep(names, depth - 1, stocks), 2);
  const verbs: [number, fc.Arbitrary<Keys>][] = [
    [3, drawn(0, 12).map((cpu) => ({ cpu }))],
    [3, drawn(0, 30).map((wait) => ({ wait }))],
    [1, fc.constantFrom<Keys>({ decline: 'no' }, { refuse: 'closed' }, { fail: 'bug' })],
    [2, together(fc.record({ lock: fc.constantFrom('row', 'door'), wait: ms(0, 120) }), maybe('retries', retries), maybe('scope', fc.constantFrom('instance', 'service')))],
  ];
  if (names.calls.length > 0) verbs.push([4, together(fc.constantFrom(...names.calls).map((call): Keys => ({ call })), maybe('retries', retries))]);
  if (names.publishes.length > 0) verbs.push([1, fc.constantFrom(...names.publishes).map((publish): Keys => ({ publish }))]);
  if (names.pushes.length > 0) verbs.push([1, together(fc.constantFrom(...names.pushes).map((push): Keys => ({ push })), maybe('count', fc.integer({ min: 0, max: 6 })), maybe('cpu', drawn(0, 3)), maybe('scope', fc.constantFrom('instance', 'service')))]);
  if (hasStocks) verbs.push([1, fc.constant<Keys>({ take: 'seat' })], [1, together(fc.constant<Keys>({ put: 'seat' }), maybe('count', fc.integer({ min: 0, max: 3 })))]);
  if (depth > 0) {
    verbs.push(
      [2, lists(inner(), 2, 1).map((parallel) => ({ parallel }))],
      [2, lists(fc.record({ weight: fc.integer({ min: 0, max: 3 }), steps: inner() }), 2, 1).map((choose) => ({ choose }))],
      [2, together(fc.record({ cache: percent(0, 100), miss: inner() }), maybe('fill', ms(0, 3000)))],
    );
    if (names.transactions.length > 0) verbs.push([4, fc.record({ transaction: fc.constantFrom(...names.transactions), steps: inner(true) })]);
  }
  const verb = fc.oneof(...verbs.map(([weight, arbitrary]) => ({ weight, arbitrary })));
  const rarely = (key: string, values: fc.Arbitrary<Json>): fc.Arbitrary<Keys> => fc.oneof({ weight: 3, arbitrary: fc.constant<Keys>({}) }, { weight: 1, arbitrary: values.map((value): Keys => ({ [key]: value })) });
  return together(verb, rarely('times', fc.integer({ min: 0, max: 3 })), rarely('chance', percent(0, 100)), ...(depth > 0 ? [rarely('orElse', inner())] : []));
};
