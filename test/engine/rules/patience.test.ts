import { describe, expect, it } from 'vitest';
import { endOf, oneRequest, requestsAt, scenario, simulated } from '../../support/simulated.js';

const wait = (time: string): string => `{ wait: { assumed: ${time}, cv: 0 } }`;

/** One service of one slot that works for `job`, `long` or `quick`, over this link. */
const served = (keys: string, traffic: string): string =>
  scenario(`
    duration: 2s
    services:
      svc: { slots: 1, ${keys}, handlers: { job: [${wait('50ms')}], long: [${wait('200ms')}] } }
    traffic:
      ${traffic}
  `);

describe('rule 9: patience', () => {
  it('refuses in the order in which they came, each after its own wait', () => {
    const run = simulated(served('queue: { patience: 30ms }', `${oneRequest('long', 0, 'svc', 'long')}\n      ${requestsAt([10, 25], 'svc', 6)}`));
    expect(endOf(run, 'r1')).toEqual({ end: 'refused svc: patience', afterMs: 30 });
    expect(endOf(run, 'r2')).toEqual({ end: 'refused svc: patience', afterMs: 30 });
    expect(run.services.svc.instances[0]).toMatchObject({ arrived: 3, good: 1, refused: 2, queue: { max: 2 } });
  });
  it('gives the slot, at the instant at which both are due, to the one whose wait began first to be due', () => {
    // The slot falls free at 50, scheduled at 0; the patience of one that came at 0 was scheduled after it.
    const run = simulated(served('queue: { patience: 50ms }', requestsAt([0, 0], 'svc', 6)));
    expect(endOf(run, 'r2')).toEqual({ end: 'good', afterMs: 100 });
  });
  it('is at an end once the slot is there, though the caller has given up: it is served for nobody', () => {
    const run = simulated(served('queue: { patience: 60ms }', `${oneRequest('first', 0, 'svc')}\n      ${oneRequest('gone', 0, '{ svc: { timeout: 20ms } }')}`));
    expect(endOf(run, 'gone')).toEqual({ end: 'failed svc: timeout', afterMs: 20 });
    expect(run.services.svc.instances[0]).toMatchObject({ good: 2, slots: { mean: 0.1 / 2 } });
  });
  it('throws out abandoned ones too', () => {
    const run = simulated(served('queue: { patience: 30ms }', `${oneRequest('first', 0, 'svc')}\n      ${oneRequest('gone', 0, '{ svc: { timeout: 20ms } }')}`));
    expect(run.services.svc.instances[0]).toMatchObject({ good: 1, refused: 1, slots: { mean: 0.05 / 2 } });
  });
  it('has nothing to say where there are slots enough', () => {
    expect(endOf(simulated(served('queue: { patience: 0s }', requestsAt([0], 'svc', 6))), 'r1')).toEqual({ end: 'good', afterMs: 50 });
  });
  it('of no time lets nobody wait', () => {
    expect(endOf(simulated(served('queue: { patience: 0s }', requestsAt([0, 10], 'svc', 6))), 'r2')).toEqual({ end: 'refused svc: patience', afterMs: 0 });
  });
});
