import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const text = readFileSync(path.join(root, 'docs/decisions/010-dependencies.md'), 'utf8');
const { dependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { readonly dependencies: Readonly<Record<string, string>> };
const rows = [...text.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)].map(([, name, rest]) => ({ name, cells: rest.split(' | ') }));

test('every package that is installed with ours has a reason in decision 010, and no other', () => {
  expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(dependencies).toSorted());
});

test.each(rows)('the row of $name says what for, why, licence, size and Node', ({ name, cells }) => {
  expect(cells).toHaveLength(5);
  expect(cells.every((cell) => cell.trim() !== '')).toBe(true);
  const { license } = JSON.parse(readFileSync(path.join(root, 'node_modules', name, 'package.json'), 'utf8')) as { readonly license: string };
  expect(cells[2]).toContain(license);
});
