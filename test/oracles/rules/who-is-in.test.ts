import { describe, expect, it } from 'vitest';
import { belief } from '../../../src/engine/parts/link.js';
import { ejectionAllowed, ejectionNs } from '../../../src/engine/parts/outlier.js';
import { failsOpen } from '../../../src/engine/parts/rotation.js';
import { slowStartWeight } from '../../../src/engine/parts/slow-start.js';
import { outcome } from '../../../src/engine/kernel/calls.js';
import { LinkRig, second } from '../../engine/parts/link-rig.js';
import { casesOf } from '../catalogue.js';

describe('too few are available', () => {
  it.each(casesOf<Readonly<Record<string, number>>, { readonly panic: boolean }>('panic'))('$id', ({ given, expected }) => {
    expect(failsOpen(given['availableHosts'], given['totalHosts'], given['thresholdPercent'] / 100, true)).toBe(expected.panic);
  });
  it.each(casesOf<Readonly<Record<string, number>>, { readonly failOpen: boolean; readonly targetsReceivingTraffic: number }>('failOpen'))('$id', ({ given, expected }) => {
    const rig = new LinkRig(`policy: round-robin, failOpen: ${given['minimumHealthyTargetsCount']}`, { targets: given['registered'] });
    for (let target = given['healthy']; target < given['registered']; target++) rig.shared.believe(target, belief.out);
    expect(new Set(rig.chosen(4 * given['registered'])).size).toBe(expected.targetsReceivingTraffic);
    expect(rig.shared.failingOpen).toBe(expected.failOpen);
  });
});

describe('ejection after errors', () => {
  it.each(casesOf<Readonly<Record<string, number>>, { readonly ejectionAllowed: boolean }>('outlierCap'))('$id', ({ given, expected }) => {
    const { hosts, alreadyEjected, maxEjectionPercent } = given;
    expect(ejectionAllowed(alreadyEjected, hosts, maxEjectionPercent / 100)).toBe(expected.ejectionAllowed);
    // The same over a whole link: so many are out, and one more has an error.
    const rig = new LinkRig(`outlier: { errors: 1, maxEjected: ${maxEjectionPercent}% }`, { targets: hosts });
    for (let target = 0; target <= alreadyEjected; target++) rig.end(target, outcome.failed);
    expect(rig.shared.shownBelief(alreadyEjected)).toBe(expected.ejectionAllowed ? belief.ejected : belief.in);
  });
  it.each(casesOf('outlierTime'))('$id', ({ given, expected }) => {
    const { consecutiveEjections, baseEjectionTime, interval } = given;
    expect(ejectionNs(consecutiveEjections, baseEjectionTime * second)).toBe(expected['ejectionSeconds'] * second);
    const rig = new LinkRig(`outlier: { errors: 1, every: ${interval}s, eject: ${baseEjectionTime}s, maxEjected: 100% }`, { targets: 2 });
    const nextSweep = (): void => rig.until((Math.floor(rig.queue.now / second / interval) + 1) * interval + 0.001);
    // Ejected again just after the sweep that has brought it back, so that each return is as late as can be.
    rig.until(0.001);
    for (let i = 1; i < consecutiveEjections; i++) {
      rig.end(0, outcome.failed);
      while (rig.shared.shownBelief(0) === belief.ejected) nextSweep();
    }
    const ejectedS = rig.queue.now / second;
    rig.end(0, outcome.failed);
    rig.until(ejectedS + expected['latestUnejectSeconds'] - 0.002);
    expect(rig.shared.shownBelief(0)).toBe(belief.ejected);
    rig.until(ejectedS + expected['latestUnejectSeconds']);
    expect(rig.shared.shownBelief(0)).toBe(belief.in);
  });
});

describe('slow start', () => {
  it.each(casesOf('slowStart'))('$id', ({ given, expected }) => {
    expect(slowStartWeight(given['t'] * second, given['window'] * second, given['aggression'])).toBeCloseTo(expected['weightFactor'], 12);
    expect(slowStartWeight(0, 1e6 * second)).toBe(given['minWeight']);
  });
});
