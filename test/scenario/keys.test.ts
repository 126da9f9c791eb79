import { describe, expect, it } from 'vitest';
import { parseScenario } from '../../src/scenario/index.js';

const keysOf = (written: string, arrivals = 'open: { rate: 5/s }'): unknown => parseScenario(`faultreel: 1
title: x
duration: 1m
services: { api: { handlers: { get: [{ cpu: 1ms }] } } }
traffic: { users: { to: api, send: get, ${arrivals}, keys: ${written} } }
`, { file: 'x.yaml' }).variants[0].traffic[0].keys;

describe('keys', () => {
  it.each(['12', '{ assumed: 12, range: [6, 600], why: a guess }'])('may be a number that says how it is known: %s', (written) => {
    expect(keysOf(written)).toMatchObject({ kind: 'uniform', count: { value: 12, basis: 'assumed' } });
  });

  it('are told apart from hot ones and from those of a burst', () => {
    expect(keysOf('{ count: 100, hot: 1, share: 90% }')).toMatchObject({ kind: 'hot', hot: { value: 1 } });
    expect(keysOf('{ per: burst }', 'bursts: { sizes: [5], every: 1s }')).toMatchObject({ kind: 'per-burst', count: { value: 1 } });
  });
});
