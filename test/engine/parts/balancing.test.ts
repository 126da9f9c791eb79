import { describe, expect, it } from 'vitest';
import { belief } from '../../../src/engine/parts/link.js';
import { failsOpen } from '../../../src/engine/parts/rotation.js';
import { slowStartWeight } from '../../../src/engine/parts/slow-start.js';
import { LinkRig, second } from './link-rig.js';

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

describe('fail-open and panic', () => {
  it('compares shares exactly: 7 of 100 is not fewer than 7 %', () => {
    // 0.07 × 100 is 7.000000000000001.
    expect([6, 7].map((available) => failsOpen(available, 100, 0.07, true))).toEqual([true, false]);
  });
  it('sends to nobody who is not registered, and to nobody at all when nobody is', () => {
    const rig = new LinkRig('failOpen: 50%', { targets: 3 });
    rig.shared.believe(0, belief.absent);
    rig.shared.believe(1, belief.out);
    rig.shared.believe(2, belief.joining);
    expect([...new Set(rig.chosen(10))].sort()).toEqual([1, 2]);
    rig.shared.believe(1, belief.absent);
    rig.shared.believe(2, belief.absent);
    expect(rig.choose()).toBe(-1);
    expect(rig.shared.failingOpen).toBe(false);
    expect(failsOpen(0, 0, 1, false)).toBe(false);
  });
  it('is off with 0: nobody healthy, nobody to send to', () => {
    const rig = new LinkRig('failOpen: 0', { targets: 2 });
    rig.shared.believe(0, belief.out);
    rig.shared.believe(1, belief.out);
    expect(rig.choose()).toBe(-1);
  });
});

describe('slow start', () => {
  it('has its full weight from the end of the window on', () => {
    expect([60, 61, Infinity].map((t) => slowStartWeight(t * second, 60 * second))).toEqual([1, 1, 1]);
  });

  /** Three targets, the third available from 100 s on. */
  const withNewcomer = (policy: string, seconds: number): LinkRig => {
    const rig = new LinkRig(`policy: ${policy}, slowStart: 60s`, { targets: 3 });
    rig.shared.believe(2, belief.absent);
    rig.until(100);
    rig.shared.believe(2, belief.in);
    rig.until(100 + seconds);
    return rig;
  };

  it.each(['random', 'round-robin'])('%s gives a newcomer its weight of the calls', (policy) => {
    const counts = withNewcomer(policy, 30).shares(10_000);
    // 0.5 of 2.5; random: binomial with a standard deviation of 40.
    expect(Math.abs(counts[2] - 2000)).toBeLessThan(160);
    expect(Math.abs(counts[0] - counts[1])).toBeLessThan(300);
  });
  it('two-choices draws it by its weight, and still two different ones', () => {
    // Nothing is outstanding, so each of the two drawn is as likely. Weights 1, 1, ½: it is drawn first with 1/5, second with 4/5 × ½ ÷ 1.5 = 4/15; half of 7/15.
    const counts = withNewcomer('two-choices', 30).shares(15_000);
    expect(Math.abs(counts[2] - 3500)).toBeLessThan(220);
    const rig = withNewcomer('two-choices', 30);
    rig.caller.outstanding[0] = 1;
    expect(rig.shares(300)[0]).toBe(0);
    rig.caller.outstanding[0] = 0;
    rig.caller.outstanding[2] = 1;
    expect(rig.shares(300)[2]).toBe(0);
  });
  it('least-outstanding counts the call itself: at half its weight it gets a call when the others have more than one', () => {
    const rig = withNewcomer('least-outstanding', 30);
    const load = (first: number, other: number, newcomer: number): Set<number> => {
      rig.caller.outstanding.set([first, other, newcomer]);
      return new Set(rig.chosen(50));
    };
    expect(load(0, 0, 0)).toEqual(new Set([0, 1]));
    expect(load(1, 1, 0)).toEqual(new Set([0, 1, 2]));
    expect(load(2, 2, 0)).toEqual(new Set([2]));
    expect(load(2, 2, 1)).toEqual(new Set([0, 1]));
  });
  it('ends with the window: then everyone is chosen alike', () => {
    const counts = withNewcomer('round-robin', 60).shares(300);
    expect(counts).toEqual([100, 100, 100]);
  });
  it('grows while the window lasts', () => {
    const atSeconds = [1, 15, 30, 45].map((seconds) => withNewcomer('random', seconds).shares(20_000)[2]);
    for (let i = 1; i < atSeconds.length; i++) expect(atSeconds[i]).toBeGreaterThan(atSeconds[i - 1] + 500);
  });
  it('is not for those that are there at the start', () => {
    expect(new LinkRig('policy: round-robin, slowStart: 60s').shares(300)).toEqual([100, 100, 100]);
  });
  it('begins again for one that probes bring back', () => {
    const rig = new LinkRig('policy: random, slowStart: 60s');
    rig.shared.believe(1, belief.out);
    rig.until(10);
    rig.shared.believe(1, belief.in);
    expect(rig.shares(2100)[1]).toBeLessThan(200);
  });
  it('does not begin again for one that stays in', () => {
    const rig = new LinkRig('policy: round-robin, slowStart: 60s');
    rig.until(10);
    rig.shared.believe(1, belief.in);
    expect(rig.shares(300)).toEqual([100, 100, 100]);
  });
});

describe('round robin', () => {
  it('goes on in order where weights become equal again, and where they are equal by chance', () => {
    const rig = new LinkRig('policy: round-robin, slowStart: 60s', { targets: 3 });
    expect(rig.chosen(4)).toEqual([0, 1, 2, 0]);
    // All three come back at the same time, so they weigh the same all along.
    for (const target of [0, 1, 2]) rig.shared.believe(target, belief.out);
    rig.until(10);
    for (const target of [0, 1, 2]) rig.shared.believe(target, belief.in);
    expect(rig.chosen(7)).toEqual([1, 2, 0, 1, 2, 0, 1]);
    rig.until(71);
    expect(rig.chosen(4)).toEqual([2, 0, 1, 2]);
  });
  it('lets one that comes while weights differ take its share, and not make up for what it missed', () => {
    const rig = new LinkRig('policy: round-robin, slowStart: 60s', { targets: 3 });
    rig.shared.believe(1, belief.absent);
    rig.shared.believe(2, belief.absent);
    rig.until(10);
    rig.shared.believe(2, belief.in);
    rig.chosen(500);
    rig.until(40);
    rig.shared.believe(1, belief.in);
    // Weights 1, 0.1 and 0.5.
    expect(rig.shares(160)).toEqual([100, 10, 50]);
  });
  it('begins afresh in a new process', () => {
    const rig = new LinkRig('policy: round-robin');
    rig.chosen(2);
    rig.caller.reset();
    expect(rig.chosen(3)).toEqual([0, 1, 2]);
  });
});

describe('hash of the row', () => {
  const rows = Array.from({ length: 3000 }, (_, row) => row);
  const homes = (rig: LinkRig): number[] => rows.map((row) => rig.choose(row));

  it('sends a row to the same target, whoever asks and whenever', () => {
    const rig = new LinkRig('policy: hash', { targets: 5, callers: 2 });
    const first = homes(rig);
    expect(rows.map((row) => rig.choose(row, rig.callers[1]))).toEqual(first);
    expect(homes(rig)).toEqual(first);
  });
  it('spreads rows evenly', () => {
    const counts = Array<number>(5).fill(0);
    for (const target of homes(new LinkRig('policy: hash', { targets: 5 }))) counts[target]++;
    expect(sum(counts)).toBe(3000);
    // Binomial(3000, 1/5): standard deviation 22.
    for (const count of counts) expect(Math.abs(count - 600)).toBeLessThan(88);
  });
  it('moves only the rows of a target that leaves, evenly, and brings them back with it', () => {
    const rig = new LinkRig('policy: hash', { targets: 5 });
    const before = homes(rig);
    rig.shared.believe(3, belief.out);
    const after = homes(rig);
    const moved = rows.filter((row) => before[row] !== after[row]);
    expect(moved).toEqual(rows.filter((row) => before[row] === 3));
    const heirs = [0, 1, 2, 4].map((target) => moved.filter((row) => after[row] === target).length);
    for (const count of heirs) expect(Math.abs(count - moved.length / 4)).toBeLessThan(45);
    rig.shared.believe(3, belief.in);
    expect(homes(rig)).toEqual(before);
  });
  it('tells rows beyond 32 bits apart', () => {
    const rig = new LinkRig('policy: hash', { targets: 5 });
    const far = rows.map((row) => rig.choose(row + 2 ** 32));
    expect(far.filter((target, row) => target === rig.choose(row)).length).toBeLessThan(800);
  });
  it('spreads calls about nothing in common by their own keys', () => {
    for (const count of new LinkRig('policy: hash', { targets: 5 }).shares(3000)) expect(Math.abs(count - 600)).toBeLessThan(88);
  });
});

describe('a sidecar and its pod', () => {
  it('stay together, whatever is believed', () => {
    const rig = new LinkRig('policy: random', { targets: 4, callers: 4, staysInPod: true });
    rig.shared.believe(2, belief.out);
    expect(rig.callers.map((caller) => [...new Set(Array.from({ length: 20 }, () => rig.choose(-1, caller)))])).toEqual([[0], [1], [2], [3]]);
  });
});

describe('the books of a link', () => {
  it('count by target and by caller, and keep outstanding calls apart', () => {
    const rig = new LinkRig('policy: round-robin', { targets: 2, callers: 2 });
    const [first, second_] = rig.callers;
    first.sent(0);
    first.sent(1);
    second_.sent(0);
    first.ended(0, 3, 7);
    second_.endedOnTheSpot(2, 8);
    expect(rig.shared.sent).toBe(4);
    expect([0, 1, 2, 3].map((outcome) => rig.shared.ended(outcome))).toEqual([0, 0, 1, 1]);
    expect([...first.outstanding]).toEqual([0, 1]);
    expect([...second_.outstanding]).toEqual([1, 0]);
    expect([0, 1].map((i) => rig.shared.targets.tickSent(i))).toEqual([2, 1]);
    expect([0, 1].map((i) => rig.shared.callers.tickSent(i))).toEqual([2, 2]);
    expect(rig.shared.targets.tickEnded(0, 3)).toBe(1);
    expect(rig.shared.reasons[7 * 4 + 3]).toBe(1);
    expect(rig.shared.reasons[8 * 4 + 2]).toBe(1);
  });
  it('keep no reason for a good end', () => {
    const rig = new LinkRig('policy: round-robin');
    rig.caller.sent(0);
    rig.caller.ended(0, 0, 7);
    expect(sum([...rig.shared.reasons])).toBe(0);
  });
});

describe('a retry budget', () => {
  it('keeps retries within their share of the calls of the last 10 s', () => {
    const rig = new LinkRig('retries: { max: 3, budget: 20% }');
    const retried = (): number => Array.from({ length: 50 }, () => rig.caller.mayRetry(0.2)).filter(Boolean).length;
    expect(retried()).toBe(0);
    for (let i = 0; i < 15; i++) rig.caller.called();
    expect(retried()).toBe(3);
    rig.until(5);
    for (let i = 0; i < 10; i++) rig.caller.called();
    expect(retried()).toBe(2);
    rig.until(10.5);
    // The first 15 calls and their 3 retries are forgotten: 10 calls and 2 retries are left.
    expect(retried()).toBe(0);
    for (let i = 0; i < 5; i++) rig.caller.called();
    expect(retried()).toBe(1);
  });
  it('is without bound when the file gives none', () => {
    expect(new LinkRig('retries: { max: 3 }').caller.mayRetry(Infinity)).toBe(true);
  });
});
