import { readFileSync, readdirSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { jsonSchema } from '../../src/scenario/index.js';
import { changed, everything, smallest, spike } from './reading.js';

const validate = new Ajv2020({ strict: false, allErrors: true }).compile(jsonSchema());
const accepts = (text: string): boolean => validate(parseYaml(text, { uniqueKeys: false }));

describe('the JSON schema', () => {
  test.each([['the shipped spike', spike], ['every construct of the language', everything], ['the smallest scenario', smallest]])('accepts %s', (_name, text) => {
    accepts(text);
    expect(validate.errors ?? []).toEqual([]);
  });

  test.each(['typo-in-a-key', 'missing-unit', 'wrong-unit', 'measured-without-source', 'negative-rate', 'empty-file', 'wrong-language-version'])('rejects the bad scenario %s', (name) => {
    expect(accepts(readFileSync(new URL(`../bad-scenarios/${name}.yaml`, import.meta.url), 'utf8'))).toBe(false);
  });

  test('leaves to the tool what only the whole file shows', () => {
    const folder = new URL('../bad-scenarios/', import.meta.url);
    const accepted = readdirSync(folder).filter((file) => !file.startsWith('tab-') && accepts(readFileSync(new URL(file, folder), 'utf8')));
    expect(accepted.sort()).toEqual(['call-cycle-without-an-end.yaml', 'duplicate-key.yaml', 'end-before-start.yaml', 'unknown-service.yaml']);
  });

  test.each([
    ['a bare number where a duration belongs', 'duration: 15m', 'duration: 15'],
    ['an unknown kind', 'kind: store', 'kind: shop'],
    ['two ways of knowing a number', 'insert-wait: { assumed: 8ms,', 'insert-wait: { assumed: 8ms, measured: 8ms,'],
    ['a condition without a sign', 'good: ">= 99.9%"', 'good: 99.9%'],
    ['an unknown event', 'at: oom order-api', 'at: boom order-api'],
    ['a step without a verb', '- call: orders-db.insert', '- times: 3'],
    ['a name in capitals', '  orders-db:\n    kind', '  OrdersDb:\n    kind'],
  ])('rejects %s', (_name, from, to) => {
    expect(accepts(changed(spike, from, to))).toBe(false);
  });

  test('describes every key, with its default where it has one', () => {
    const { $defs, properties } = jsonSchema() as { $defs: Record<string, { properties?: Record<string, { description?: string; default?: unknown }> }>; properties: Record<string, { description?: string }> };
    const undescribed = [['scenario', { properties }] as const, ...Object.entries($defs)].flatMap(([name, part]) => Object.entries(part.properties ?? {}).filter(([, key]) => name !== 'text' && !key.description).map(([key]) => `${name}.${key}`));
    expect(undescribed).toEqual([]);
    expect($defs['link'].properties!['policy']).toMatchObject({ default: 'round-robin' });
    expect($defs['service'].properties!['slots']).toMatchObject({ default: 'unlimited' });
    expect($defs['warm-up'].properties!['factor']).toMatchObject({ default: '1x' });
  });

  test('is the same text every time', () => {
    expect(JSON.stringify(jsonSchema())).toBe(JSON.stringify(jsonSchema()));
  });
});
