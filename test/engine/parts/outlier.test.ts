import { describe, expect, it } from 'vitest';
import { outcome } from '../../../src/engine/kernel/calls.js';
import { Prober } from '../../../src/engine/parts/health.js';
import { belief } from '../../../src/engine/parts/link.js';
import { ejectionAllowed, ejectionNs, neverEjects } from '../../../src/engine/parts/outlier.js';
import { LinkRig, linkPlan, second } from './link-rig.js';

const { good, declined, refused, failed } = outcome;

describe('the largest share that may be ejected', () => {
  it('is the same for every whole percent as with whole numbers', () => {
    for (let hosts = 1; hosts <= 100; hosts++) {
      for (let ejected = 0; ejected < hosts; ejected++) {
        for (let percent = 0; percent <= 100; percent++) {
          if (ejectionAllowed(ejected, hosts, percent / 100) !== 100 * (ejected + 1) <= percent * hosts) expect.fail(`${ejected} of ${hosts}, ${percent} %`);
        }
      }
    }
  });
  it('warns where a file can never eject anybody: the usual 10 % with fewer than ten', () => {
    const { outlier } = linkPlan('outlier: {}');
    expect([3, 9, 10, 20].map((targets) => neverEjects(outlier!, targets))).toEqual([true, true, false, false]);
  });
});

/** Ejects the first target and runs to just after the sweep that brings it back. How long it was out, in whole intervals of 10 s. */
const ejectAndWait = (rig: LinkRig): number => {
  const fromS = rig.queue.now / second;
  rig.end(0, failed, rig.shared.plan.outlier!.errors);
  while (rig.shared.shownBelief(0) === belief.ejected) nextSweep(rig);
  return Math.round((rig.queue.now / second - fromS) / 10) * 10;
};
/** To just after the next sweep. */
const nextSweep = (rig: LinkRig): void => rig.until((Math.floor(rig.queue.now / second / 10) + 1) * 10 + 0.001);

describe('how long an ejection lasts', () => {
  it('is never cut below the first one', () => {
    expect([1, 2].map((number) => ejectionNs(number, 400 * second))).toEqual([400 * second, 400 * second]);
  });
});

describe('outlier detection, as Envoy does it', () => {
  const half = 'policy: round-robin, outlier: { errors: 3, every: 10s, eject: 30s, maxEjected: 50% }';

  it('ejects at once after so many refused or failed calls in a row, and tells so', () => {
    const rig = new LinkRig(half);
    rig.until(7);
    rig.end(1, failed, 2);
    expect(rig.shared.shownBelief(1)).toBe(belief.in);
    rig.end(1, refused);
    expect(rig.shared.shownBelief(1)).toBe(belief.ejected);
    expect(rig.shared.beliefs[1]).toBe(belief.in);
    expect(rig.chosen(4)).toEqual([0, 2, 0, 2]);
    expect(rig.log.events).toEqual([{ tMs: 7000, kind: 'ejected', subject: 'svc.2', cause: 'outlier', basis: 'counted', data: { link: 'lb.svc', bad: 3, inRotation: 2 } }]);
    expect(rig.shared.totals.ejections).toBe(1);
  });
  it.each([['good', good], ['declined', declined]])('begins its count anew after a %s end', (_, end) => {
    const rig = new LinkRig(half);
    rig.end(1, failed, 2);
    rig.end(1, end);
    rig.end(1, failed, 2);
    expect(rig.events).toEqual([]);
    rig.end(1, failed);
    expect(rig.events).toEqual(['0 ejected svc.2 outlier']);
  });
  it('counts each target by itself', () => {
    const rig = new LinkRig(half);
    for (let i = 0; i < 2; i++) for (const target of [0, 1, 2]) rig.end(target, failed);
    expect(rig.events).toEqual([]);
  });
  it('brings it back at the first sweep after its time, not before', () => {
    const rig = new LinkRig(half);
    rig.until(7);
    rig.end(1, failed, 3);
    rig.until(39.9);
    expect(rig.shared.shownBelief(1)).toBe(belief.ejected);
    rig.until(60);
    expect(rig.events.slice(1)).toEqual(['40 ready svc.2 time']);
    expect(rig.log.events[1].data).toEqual({ link: 'lb.svc', good: 0, inRotation: 3 });
    expect(rig.chosen(3).sort()).toEqual([0, 1, 2]);
  });
  it('at a sweep that falls on the very end of its time', () => {
    const rig = new LinkRig(half);
    rig.until(10);
    rig.end(1, failed, 3);
    rig.until(41);
    expect(rig.events.slice(1)).toEqual(['40 ready svc.2 time']);
  });
  it('does not eject beyond the share, and then begins its count anew', () => {
    const rig = new LinkRig(half);
    rig.end(0, failed, 3);
    rig.end(1, failed, 3);
    expect(rig.events).toEqual(['0 ejected svc.1 outlier']);
    rig.until(31);
    expect(rig.events.slice(1)).toEqual(['30 ready svc.1 time']);
    rig.end(1, failed, 2);
    expect(rig.events.length).toBe(2);
    rig.end(1, failed);
    expect(rig.events.slice(2)).toEqual(['31 ejected svc.2 outlier']);
  });
  it('ignores what one that is out still answers, and begins its count anew on return', () => {
    const rig = new LinkRig('outlier: { errors: 3, every: 10s, eject: 30s, maxEjected: 100% }');
    rig.end(1, failed, 3 + 5);
    rig.until(31);
    rig.end(1, failed, 2);
    expect(rig.events).toEqual(['0 ejected svc.2 outlier', '30 ready svc.2 time']);
  });
  it('forgives one ejection for each whole interval that the target is back', () => {
    const rig = new LinkRig(half);
    rig.until(0.001);
    // Each is 10 s longer than it need be: it begins just after a sweep.
    expect([ejectAndWait(rig), ejectAndWait(rig), ejectAndWait(rig)]).toEqual([40, 70, 100]);
    nextSweep(rig);
    expect(ejectAndWait(rig)).toBe(100);
    nextSweep(rig);
    nextSweep(rig);
    expect(ejectAndWait(rig)).toBe(70);
    for (let sweep = 0; sweep < 20; sweep++) nextSweep(rig);
    expect(ejectAndWait(rig)).toBe(40);
  });
  it('remembers eleven ejections in a row at most: one more than the longest has', () => {
    const rig = new LinkRig(half);
    rig.until(0.001);
    for (let i = 0; i < 15; i++) ejectAndWait(rig);
    for (let sweep = 0; sweep < 3; sweep++) nextSweep(rig);
    // Eleven less three, and this one: nine times 30 s.
    expect(ejectAndWait(rig)).toBe(280);
  });
  it('forgives nothing at a sweep before it has been back for a whole interval', () => {
    const rig = new LinkRig(half);
    rig.until(0.001);
    rig.end(0, failed, 3);
    rig.until(5);
    rig.shared.probePassed(0);
    nextSweep(rig);
    expect(ejectAndWait(rig)).toBe(70);
  });
  it('forgets an ejection when the target is registered no more, and its share is free for another', () => {
    const rig = new LinkRig(half);
    rig.end(0, failed, 3);
    rig.shared.believe(0, belief.absent);
    expect(rig.shared.shownBelief(0)).toBe(belief.absent);
    rig.end(1, failed, 3);
    expect(rig.events).toEqual(['0 ejected svc.1 outlier', '0 ejected svc.2 outlier']);
    rig.shared.believe(0, belief.in);
    expect(rig.chosen(4).sort()).toEqual([0, 0, 2, 2]);
  });
  it('learns nothing of a target that is not registered', () => {
    const rig = new LinkRig(half);
    rig.shared.believe(0, belief.absent);
    rig.end(0, failed, 9);
    expect(rig.events).toEqual([]);
  });
  it('ends an ejection at once when a probe of a target in rotation is good', () => {
    const rig = new LinkRig(half);
    rig.end(1, failed, 3);
    rig.until(4);
    rig.shared.probePassed(1);
    expect(rig.events.slice(1)).toEqual(['4 ready svc.2 probes']);
    rig.until(100);
    expect(rig.events.length).toBe(2);
  });
  it('is told so by the prober, as long as that believes in the target itself', () => {
    const rig = new LinkRig(`${half}, health: { every: 1s, timeout: 1s, unhealthyAfter: 1, healthyAfter: 2 }`);
    const prober = new Prober({ sendProbe: () => {} }, rig.shared, 1);
    rig.end(1, failed, 3);
    prober.ended(1, false, 'timeout');
    prober.ended(1, true, '');
    expect(rig.shared.shownBelief(1)).toBe(belief.ejected);
    prober.ended(1, true, '');
    expect(rig.shared.shownBelief(1)).toBe(belief.ejected);
    prober.ended(1, true, '');
    expect(rig.shared.shownBelief(1)).toBe(belief.in);
    expect(rig.events).toEqual(['0 ejected svc.2 outlier', '0 ejected svc.2 timeout', '0 ready svc.2 probes', '0 ready svc.2 probes']);
  });
  it('is kept by each caller for itself, and shown while any of them has the target out', () => {
    const rig = new LinkRig(half, { callers: 2 });
    const [first, second_] = rig.callers;
    rig.end(1, failed, 3, first);
    expect(new Set(Array.from({ length: 9 }, () => rig.choose(-1, first)))).toEqual(new Set([0, 2]));
    expect(new Set(Array.from({ length: 9 }, () => rig.choose(-1, second_)))).toEqual(new Set([0, 1, 2]));
    rig.until(15);
    rig.end(1, failed, 3, second_);
    rig.until(31);
    expect(rig.shared.shownBelief(1)).toBe(belief.ejected);
    rig.until(51);
    expect(rig.shared.shownBelief(1)).toBe(belief.in);
    expect(rig.events).toEqual(['0 ejected svc.2 outlier', '15 ejected svc.2 outlier', '30 ready svc.2 time', '50 ready svc.2 time']);
  });
  it('goes with the process of the caller, without a word', () => {
    const rig = new LinkRig(half);
    rig.end(1, failed, 3);
    rig.caller.reset();
    expect(rig.shared.shownBelief(1)).toBe(belief.in);
    expect(rig.chosen(3).sort()).toEqual([0, 1, 2]);
    rig.until(100);
    expect(rig.events).toEqual(['0 ejected svc.2 outlier']);
  });
  it('learns nothing from calls that end because the caller is gone', () => {
    const rig = new LinkRig(half);
    for (let i = 0; i < 9; i++) {
      rig.caller.sent(1);
      rig.caller.ended(1, failed, rig.shared.plan.reasons.callerGone);
    }
    expect(rig.events).toEqual([]);
    expect(rig.shared.ended(failed)).toBe(9);
  });
  it('counts as not available: too few left, and the caller sends to everyone again', () => {
    const rig = new LinkRig('policy: round-robin, failOpen: 50%, outlier: { errors: 1, maxEjected: 100% }', { targets: 4, callers: 2 });
    rig.end(0, failed);
    rig.end(1, failed);
    expect([rig.shared.failingOpen, ...rig.chosen(4)]).toEqual([false, 2, 3, 2, 3]);
    rig.end(2, failed);
    expect([rig.shared.failingOpen, ...rig.chosen(4)]).toEqual([true, 0, 1, 2, 3]);
    // The other caller has ejected nobody.
    expect(rig.callers[1].rotation.failingOpen).toBe(false);
  });
  it('can leave nobody to send to', () => {
    const rig = new LinkRig('outlier: { errors: 1, maxEjected: 100% }', { targets: 2 });
    rig.end(0, failed);
    rig.end(1, failed);
    expect(rig.choose()).toBe(-1);
  });
  it('leaves no timer behind when there is nothing to look through', () => {
    const rig = new LinkRig(half);
    rig.end(1, failed, 3);
    rig.until(200);
    const before = rig.queue.processed;
    rig.until(2000);
    expect(rig.queue.processed).toBe(before);
  });
});
