import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

interface Break {
  readonly rule: number;
  readonly what: string;
  readonly file: string;
  readonly text: string;
  readonly by: string;
  readonly tests: readonly string[];
}

const root = path.resolve(import.meta.dirname, '../..');
const { rules, breaks } = JSON.parse(readFileSync(path.join(import.meta.dirname, 'broken-rules.json'), 'utf8')) as { readonly rules: Readonly<Record<string, string>>; readonly breaks: readonly Break[] };

test('every rule from 1 to 58 is named, and has a break', () => {
  const numbers = Array.from({ length: 58 }, (_, i) => i + 1);
  expect(Object.keys(rules).map(Number)).toEqual(numbers);
  expect([...new Set(breaks.map(({ rule }) => rule))].toSorted((a, b) => a - b)).toEqual(numbers);
});

test.each(breaks)('rule $rule, "$what": its text occurs once in $file, and becomes another', ({ file, text, by }) => {
  expect(readFileSync(path.join(root, file), 'utf8').split(text)).toHaveLength(2);
  expect(by).not.toBe(text);
});

test('each names tests that are there', () => {
  expect(breaks.filter(({ tests }) => tests.length === 0)).toEqual([]);
  expect([...new Set(breaks.flatMap(({ tests }) => tests))].filter((file) => !/^test\/.*\.test\.ts$/.test(file) || !existsSync(path.join(root, file)))).toEqual([]);
});

test('no two are the same', () => {
  const all = breaks.map(({ file, text, by, rule }) => JSON.stringify([rule, file, text, by]));
  expect(all.filter((one, i) => all.indexOf(one) !== i)).toEqual([]);
  const names = breaks.map(({ rule, what }) => `${rule} ${what}`);
  expect(names.filter((one, i) => names.indexOf(one) !== i)).toEqual([]);
});
