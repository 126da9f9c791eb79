import { describe, expect, it } from 'vitest';
import { CompensatedSum } from '../../../src/engine/kernel/compensated-sum.js';

describe('a compensated sum', () => {
  it('of a million times 1000 ÷ 3 on top of a thousand seconds in ns is right to its last bit, where a plain one is off by more than 1e-9 of what was added', () => {
    const sum = new CompensatedSum();
    let plain = 1e12;
    sum.add(1e12);
    for (let i = 0; i < 1e6; i++) {
      sum.add(1000 / 3);
      plain += 1000 / 3;
    }
    const added = 1e9 / 3;
    expect(Math.abs(sum.value - (1e12 + added))).toBeLessThanOrEqual(2 ** -13);
    expect(Math.abs(plain - (1e12 + added)) / added).toBeGreaterThan(1e-9);
  });
  it('is 0 again after a reset, with nothing left over', () => {
    const sum = new CompensatedSum();
    sum.add(1e17);
    sum.add(1.5);
    sum.reset();
    sum.add(0.1);
    expect(sum.value).toBe(0.1);
  });
});
