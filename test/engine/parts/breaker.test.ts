import { describe, expect, it } from 'vitest';
import { outcome } from '../../../src/engine/kernel/calls.js';
import { breakerState } from '../../../src/engine/parts/breaker.js';
import { breakerStates } from '../../../src/study/types.js';
import { LinkRig } from './link-rig.js';

const { good, declined, refused, failed } = outcome;

/** Opens at half of at least 4 bad within 10 s, for 5 s; two probes. */
const breaking = 'breaker: { errors: 50%, window: 10s, minimum: 4, open: 5s, probes: 2 }';

/** Open from 1 s on. */
const opened = (): LinkRig => {
  const rig = new LinkRig(breaking);
  rig.until(1);
  rig.end(0, failed, 4);
  return rig;
};
const stateOf = (rig: LinkRig): string => breakerStates[rig.caller.breaker!.state];
const allowed = (rig: LinkRig, times: number): boolean[] => Array.from({ length: times }, () => rig.caller.breaker!.allows());

describe('a circuit breaker', () => {
  it('that opens at any bad one does not open at good ones', () => {
    const rig = new LinkRig(breaking.replace('50%', '0%'));
    rig.until(1);
    rig.end(0, good, 10);
    expect(stateOf(rig)).toBe('closed');
    rig.end(0, failed, 1);
    expect(stateOf(rig)).toBe('open');
  });
  it('has the codes of the study', () => {
    expect([breakerState.closed, breakerState.open, breakerState.halfOpen].map((code) => breakerStates[code])).toEqual(['closed', 'open', 'half-open']);
  });
  it.each([
    { ends: [failed, failed, failed], opens: false, why: 'fewer than the minimum' },
    { ends: [good, good, failed, failed], opens: true, why: 'the share exactly, with the last one bad' },
    { ends: [failed, refused, good, declined], opens: true, why: 'the share exactly, with the last one good' },
    { ends: [good, good, declined, failed, good, failed], opens: false, why: 'below the share' },
    { ends: [declined, declined, declined, declined], opens: false, why: 'a "no" is no error' },
  ])('$why: opens = $opens', ({ ends, opens }) => {
    const rig = new LinkRig(breaking);
    for (const end of ends) rig.end(0, end);
    expect(stateOf(rig)).toBe(opens ? 'open' : 'closed');
    expect(rig.events).toEqual(opens ? ['0 breaker-open lb.svc errors'] : []);
  });
  it('tells the share that opened it', () => {
    const rig = new LinkRig(breaking);
    rig.end(0, good);
    rig.end(0, failed, 3);
    expect(rig.log.events[0].data).toEqual({ share: 0.75 });
  });
  it('forgets what is older than the window', () => {
    const rig = new LinkRig(breaking);
    rig.end(0, failed, 3);
    rig.until(9.9);
    rig.end(0, good, 2);
    expect(stateOf(rig)).toBe('open');
    const late = new LinkRig(breaking);
    late.end(0, failed, 3);
    late.until(10);
    late.end(0, good, 2);
    late.end(0, failed);
    expect(stateOf(late)).toBe('closed');
    // Three there are, one of them bad; a long silence later none is.
    late.until(500);
    late.end(0, failed, 3);
    expect(stateOf(late)).toBe('closed');
    late.end(0, failed);
    expect(stateOf(late)).toBe('open');
  });
  it('lets nothing through while it is open, for so long', () => {
    const rig = opened();
    expect(allowed(rig, 3)).toEqual([false, false, false]);
    rig.until(5.999);
    expect([stateOf(rig), ...allowed(rig, 1)]).toEqual(['open', false]);
    rig.until(6);
    expect(stateOf(rig)).toBe('half-open');
  });
  it('does not learn of what ends while it is open, nor of what it refused itself', () => {
    const rig = opened();
    rig.end(0, failed, 9);
    rig.until(6);
    expect(allowed(rig, 3)).toEqual([true, true, false]);
    rig.caller.endedOnTheSpot(refused, rig.shared.plan.reasons.breakerOpen);
    expect([stateOf(rig), rig.events.length]).toEqual(['half-open', 1]);
  });
  it('lets `probes` calls through half-open, and closes when all of them are good', () => {
    const rig = opened();
    rig.until(6);
    expect(allowed(rig, 4)).toEqual([true, true, false, false]);
    rig.end(0, good);
    expect([stateOf(rig), ...allowed(rig, 1)]).toEqual(['half-open', false]);
    rig.end(0, declined);
    expect([stateOf(rig), ...allowed(rig, 3)]).toEqual(['closed', true, true, true]);
    expect(rig.log.events[1]).toEqual({ tMs: 6000, kind: 'breaker-closed', subject: 'lb.svc', cause: 'probes', basis: 'counted', data: {} });
  });
  it('opens again for as long when one of them is bad', () => {
    const rig = opened();
    rig.until(6);
    allowed(rig, 2);
    rig.end(0, good);
    rig.end(0, failed);
    expect(stateOf(rig)).toBe('open');
    expect(rig.log.events[1]).toMatchObject({ tMs: 6000, kind: 'breaker-open', data: { share: 0.5 } });
    rig.until(10.999);
    expect(stateOf(rig)).toBe('open');
    rig.until(11);
    expect(allowed(rig, 3)).toEqual([true, true, false]);
  });
  it('begins with an empty window after it has closed', () => {
    const rig = opened();
    rig.until(6);
    allowed(rig, 2);
    rig.end(0, good, 2);
    rig.end(0, failed, 3);
    expect(stateOf(rig)).toBe('closed');
    rig.end(0, failed);
    expect(stateOf(rig)).toBe('open');
  });
  it('learns of refusals on the spot: a probe that finds nobody healthy is bad', () => {
    const rig = opened();
    rig.until(6);
    allowed(rig, 1);
    rig.caller.endedOnTheSpot(refused, rig.shared.plan.reasons.noHealthy);
    expect(stateOf(rig)).toBe('open');
  });
  it('gives probes up that have no end, after another `open`', () => {
    const rig = opened();
    rig.until(6);
    expect(allowed(rig, 3)).toEqual([true, true, false]);
    rig.until(10.999);
    expect(allowed(rig, 1)).toEqual([false]);
    rig.until(11);
    expect(allowed(rig, 3)).toEqual([true, true, false]);
    rig.end(0, good, 2);
    expect(stateOf(rig)).toBe('closed');
  });
  it('is kept by each caller for itself', () => {
    const rig = new LinkRig(breaking, { callers: 2 });
    rig.end(0, failed, 4, rig.callers[0]);
    expect(rig.callers.map(({ breaker }) => breaker!.allows())).toEqual([false, true]);
  });
  it('is closed in a new process, without a word', () => {
    const rig = opened();
    rig.caller.reset();
    expect([stateOf(rig), ...allowed(rig, 1)]).toEqual(['closed', true]);
    rig.end(0, failed, 3);
    expect([stateOf(rig), rig.events.length]).toEqual(['closed', 1]);
  });
  it('learns nothing from calls that end because the caller is gone', () => {
    const rig = new LinkRig(breaking);
    for (let i = 0; i < 9; i++) {
      rig.caller.sent(0);
      rig.caller.ended(0, failed, rig.shared.plan.reasons.callerGone);
    }
    expect(stateOf(rig)).toBe('closed');
  });
});
