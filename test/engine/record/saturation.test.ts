import { describe, expect, it } from 'vitest';
import { contendedUse, SaturationWatch, useOf } from '../../../src/engine/record/saturation.js';

const cpu = (level: number) => [useOf('cpu', level, 2)];

describe('saturation', () => {
  it('begins when three of five ticks were at 95 % or more, and is told from the first of them', () => {
    const watch = new SaturationWatch();
    const begun = [1.9, 0, 1.95, 0, 2].map((level, tick) => watch.endTick(tick, cpu(level)));
    expect(begun.map((what) => what.length)).toEqual([0, 0, 0, 0, 1]);
    expect(begun[4]).toEqual([{ what: 'cpu', sinceTick: 0, level: 2, limit: 2 }]);
  });

  it('does not begin just below, and ends after three ticks without', () => {
    const watch = new SaturationWatch();
    for (let tick = 0; tick < 5; tick++) watch.endTick(tick, cpu(1.89));
    expect(watch.isSaturated).toBe(false);
    for (let tick = 5; tick < 8; tick++) watch.endTick(tick, cpu(2));
    expect(watch.isSaturated).toBe(true);
    const after = [8, 9, 10].map((tick) => (watch.endTick(tick, cpu(0)), watch.isSaturated));
    expect(after).toEqual([true, true, false]);
  });

  it('of slots and pools needs somebody who waits', () => {
    const saturatedWith = (waiting: number): boolean => {
      const watch = new SaturationWatch();
      for (let tick = 0; tick < 3; tick++) watch.endTick(tick, [contendedUse('slots', 10, 10, waiting)]);
      return watch.isSaturated;
    };
    expect([saturatedWith(0), saturatedWith(1)]).toEqual([false, true]);
  });

  it('of several pools one full one is enough', () => {
    const watch = new SaturationWatch();
    let begun: readonly unknown[] = [];
    for (let tick = 0; tick < 3; tick++) begun = watch.endTick(tick, [contendedUse('pool', 1, 10, 4), contendedUse('pool', 5, 5, 4)]);
    expect(begun).toEqual([{ what: 'pool', sinceTick: 0, level: 5, limit: 5 }]);
  });

  it('is never told of what is without bound', () => {
    const watch = new SaturationWatch();
    for (let tick = 0; tick < 5; tick++) watch.endTick(tick, [useOf('cpu', 400, Infinity)]);
    expect(watch.isSaturated).toBe(false);
  });
});
