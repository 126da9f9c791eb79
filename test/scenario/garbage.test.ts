import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { complaints, everything, smallest } from './reading.js';

/** Words of the language, so that garbage gets past the first check. */
const words = ['faultreel', 'duration', 'services', 'traffic', 'faults', 'phases', 'objectives', 'claims', 'variants', 'values', 'rehearsal', 'handlers', 'to', 'steps', 'call', 'cpu', 'lock', 'wait', 'open', 'rate', 'stairs', 'measured', 'from', 'range', 'in', 'of', 'good', 'order', 'api', 'get', '$x', 'api.get', '1m', '5/s', '>= 1%', 'each', '__proto__', 'constructor', 'toString', 'hasOwnProperty'];
const word = fc.oneof(fc.constantFrom(...words), fc.string());
const { garbage } = fc.letrec<{ garbage: unknown }>((tie) => ({
  garbage: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(word, fc.integer(), fc.double(), fc.boolean(), fc.constant(null)),
    fc.array(tie('garbage'), { maxLength: 4 }),
    fc.array(fc.tuple(word, tie('garbage')), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
  ),
}));

/** What a file could have planted on every object. */
const plantedKeys = (): string[] => Reflect.ownKeys(Object.prototype).map(String).sort();
const clean = plantedKeys();
afterEach(() => expect(plantedKeys()).toEqual(clean));

/** `complaints` throws whatever is not a `FaultreelError`. */
const survives = (text: string): void => void complaints(text);

test('any JSON in place of a scenario is accepted or told off, never a crash', () => {
  fc.assert(fc.property(fc.array(fc.tuple(word, garbage), { maxLength: 8 }), (entries) => survives(JSON.stringify({ faultreel: 1, ...Object.fromEntries(entries) }))), { numRuns: 400, seed: 11 });
});

test('any JSON in place of any part of a valid scenario is accepted or told off, never a crash', () => {
  const paths = ['services', 'services.shop', 'services.shop.handlers.buy', 'services.shop.handlers.buy.0', 'services.shop.autoscale', 'services.edge.to', 'services.edge.to.shop', 'services.edge.to.shop.retries', 'services.edge.to.shop.pool', 'traffic', 'traffic.ramped.open.rate', 'traffic.climbing.open', 'traffic.visitors.steps', 'traffic.constant.keys', 'values', 'values.seen', 'values.seen.quantiles', 'hosts', 'machines', 'faults', 'faults.latency', 'faults.slow-link.target', 'phases', 'phases.calm', 'objectives', 'objectives.good', 'objectives.good.in', 'claims', 'claims.sequence', 'rehearsal', 'rehearsal.stops', 'title', 'limits', 'duration', 'seed'];
  // One variant is enough here, and four times as fast.
  const one = everything.replace(/^variants:[\s\S]*?\n\n/m, 'variants: { reference: {}, more: {} }\n\n');
  fc.assert(
    fc.property(fc.constantFrom(...paths), garbage, (path, value) => {
      try {
        complaints(one, { set: [{ path, value: JSON.stringify(value) ?? 'null' }] });
      } catch (error) {
        throw new Error(`${path} = ${JSON.stringify(value)}`, { cause: error });
      }
    }),
    { numRuns: 200, seed: 12 },
  );
});

test('any text in place of a scenario is accepted or told off, never a crash', () => {
  const line = fc.tuple(fc.constantFrom('', '  ', '    ', '\t', '- ', '  - '), word, fc.constantFrom(': ', ':', ' ', ': {', ': [', ': |', ': &a ', ': *a', ' # '), word).map((parts) => parts.join(''));
  fc.assert(fc.property(fc.array(line, { maxLength: 12 }), (lines) => survives(['faultreel: 1', ...lines].join('\n'))), { numRuns: 400, seed: 13 });
});

test('a part of a scenario that is cut off anywhere is told off, never a crash', () => {
  fc.assert(fc.property(fc.nat(smallest.length), (end) => survives(smallest.slice(0, end))), { numRuns: 120, seed: 14 });
});
