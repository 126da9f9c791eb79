import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { patchOf, type LinePatch } from '../../renderers/browser/line-patch.js';

const applied = (before: readonly string[], patch: LinePatch): string[] => {
  const after: string[] = [];
  let at = 0;
  for (const step of patch) {
    if (typeof step === 'string') after.push(step);
    else if (typeof step === 'number') {
      if (step > 0) after.push(...before.slice(at, at + step));
      at += Math.abs(step);
    } else {
      const line = before[at++];
      after.push(line.slice(0, step[0]) + step[1] + line.slice(line.length - step[2]));
    }
  }
  expect(at).toBe(before.length);
  return after;
};

describe('patchOf', () => {
  test('leads from any lines to any other lines, and uses up all of the first', () => {
    const lines = fc.array(fc.constantFrom('', 'a', 'b', 'ab', 'aab', '<rect x="1"/>', '<rect x="12"/>', '</svg>', '가나'), { maxLength: 100 });
    fc.assert(fc.property(lines, lines, (before, after) => void expect(applied(before, patchOf(before, after))).toEqual(after)), { seed: 4, numRuns: 400 });
  });

  test('keeps what stays, and sends of a changed line only what changed', () => {
    expect(patchOf(['<svg>', '<rect x="10"/>', '<text>1</text>', '</svg>'], ['<svg>', '<rect x="17"/>', '<text>1</text>', '</svg>'])).toEqual([1, [10, '7', 3], 2]);
    expect(patchOf(['a', 'b', 'c'], ['a', 'c'])).toEqual([1, -1, 1]);
    expect(patchOf(['a', 'c'], ['a', 'b', 'c'])).toEqual([1, 'b', 1]);
    expect(patchOf([], ['a', 'b'])).toEqual(['a', 'b']);
  });

  test('a line that moved far to the front does not make all others new', () => {
    const before = [...Array.from({ length: 200 }, (_, index) => `line ${index}`), 'wanderer'];
    const after = ['wanderer', ...before.slice(0, 200)];
    expect(patchOf(before, after).filter((step) => typeof step === 'string')).toEqual(['wanderer']);
  });
});
