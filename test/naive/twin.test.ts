import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Scope } from './any-steps.js';
import { anySystem } from './any-system.js';
import { disagreement, parsed } from './compare.js';

const little: Scope = { limits: false, holdings: false, faults: false, fleet: false };
const scopes: readonly (readonly [string, Scope, number])[] = [
  ['traffic, links, steps, slots and cores', little, 150],
  ['timeouts, retries, pools, breakers and rate limits too', { ...little, limits: true }, 150],
  ['transactions, locks, stock, caches and messages too', { ...little, limits: true, holdings: true }, 200],
  ['faults and memory too', { limits: true, holdings: true, faults: true, fleet: false }, 250],
  ['health checks, sidecars and autoscaling too', { limits: true, holdings: true, faults: true, fleet: true }, 250],
];

describe('the engine and its naive twin say the same of every request', () => {
  it.each(scopes)('%s', (_, scope, numRuns) => {
    fc.assert(fc.property(anySystem(scope), (file) => {
      expect(disagreement(parsed(file))).toBeNull();
    }), { numRuns, seed: 20_261_130 });
  }, 300_000);
});
