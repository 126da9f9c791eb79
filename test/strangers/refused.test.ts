import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { main } from '../../src/cli/program.js';
import { testHost, type TestHost } from '../support/host.js';

/** A scenario of one service; `changes` replace its parts. */
const small = ({ title = 'x', service = '{ handlers: { get: [ { wait: 1ms } ] } }', traffic = '{ to: api, send: get, open: { rate: 10/s } }', more = '', duration = '2s' }: Readonly<Record<string, string>> = {}): string =>
  `faultreel: 1\ntitle: ${title}\nduration: ${duration}\nservices:\n  api: ${service}\ntraffic:\n  users: ${traffic}\n${more}`;

const after = async (words: readonly string[], text: string): Promise<TestHost & { readonly code: number }> => {
  const host = testHost([...words]);
  writeFileSync(path.join(host.cwd, 'strange.yaml'), text);
  const code = await main(host);
  return Object.assign(host, { code });
};

const planted = (): string[] => [Object.prototype, Array.prototype, Function.prototype].flatMap((one) => Reflect.ownKeys(one).map(String)).sort();
const clean = planted();
afterEach(() => expect(planted()).toEqual(clean));

/** Refused with the place and what to do; nothing is made. */
const expectRefused = ({ code, cwd, written }: TestHost & { readonly code: number }, where: RegExp | string, said: string): void => {
  expect(code, written.stderr().slice(0, 2_000)).toBe(3);
  expect(written.stderr()).toMatch(where);
  expect(written.stderr()).toContain(said);
  expect(written.stderr().length).toBeLessThan(200_000);
  expect(readdirSync(cwd)).toEqual(['strange.yaml']);
};

const head = 'faultreel: 1\n';
const many = (count: number, line: (i: number) => string): string => Array.from({ length: count }, (_, i) => line(i)).join('');

describe('a text that is made to be slow to read is refused in the time of one that is not', () => {
  it.each<readonly [string, string, RegExp, string]>([
    ['aliases of nothing in a long file', `${head}b: [${'*z,'.repeat(999)}]\nx: [${'y,'.repeat(90_000)}]`, /strange\.yaml:2:5: /, 'expected an anchor `&z` before the alias `*z`'],
    ['aliases that multiply', `${head}a0: &a0 [x,x,x,x,x,x,x,x,x]\n${many(12, (i) => `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`).join(',')}]\n`)}`, /strange\.yaml:\d+:\d+: /, 'at most 1,000 aliases'],
    ['a few aliases of something large', `${head}a: &a [${'x,'.repeat(900)}]\nb: [${'*a,'.repeat(999)}]`, /strange\.yaml:\d+:\d+: /, 'at most 100,000 keys and values'],
    ['an alias inside itself', `${head}services: &a\n  x: *a\n`, /strange\.yaml:3:6: /, 'would never end'],
    ['a merge key', `${head}values: &v { a: 1ms }\nservices: { <<: *v }\n`, /strange\.yaml:3:13: /, 'merge key'],
    ['hundreds of thousands of open brackets', '['.repeat(300_000), /strange\.yaml:1:\d+: /, 'at most 60 maps and lists inside each other'],
    ['hundreds of thousands of open lists', '- '.repeat(300_000), /strange\.yaml:1:\d+: /, 'at most 60 maps and lists inside each other'],
    ['thousands of levels of indentation', many(1_000, (i) => `${' '.repeat(i)}a:\n`), /strange\.yaml:\d+:\d+: /, 'at most 60 maps and lists inside each other'],
    ['a line with a tab, a hundred thousand times', `${head}a:\n${'\t\tb: 1\n'.repeat(100_000)}`, /strange\.yaml:3:1: /, 'more like these'],
    ['a key twice, forty thousand times', `${head}${'a: 1\n'.repeat(40_000)}`, /strange\.yaml:3:1: /, 'more like these'],
    ['keys that are lists', `${head}${'? [a, b]\n: 1\n'.repeat(20_000)}`, /strange\.yaml:2:3: /, 'expected a name before the colon'],
    ['a sentence of sixty thousand commas', `${head}title: { x: b${', c d'.repeat(60_000)} }`, /strange\.yaml:2:10: /, 'languages'],
    ['sixty thousand keys without values', `${head}a: {${many(40_000, (i) => `a b${i},`)}}`, /strange\.yaml:2:1: /, 'unknown key `a`'],
    ['a number of a hundred thousand digits', small({ duration: '9'.repeat(100_000) }), /strange\.yaml:3:11: /, 'expected a duration'],
    ['two names of a hundred thousand letters, nearly the same', small({ service: `{ handlers: { get: [ { call: ${'a'.repeat(100_000)}b } ] } }`, more: `hosts: { ${'a'.repeat(100_000)}: {} }\n` }), /strange\.yaml:8:10: /, 'at most 100 characters in the name'],
    ['ten million characters', 'a'.repeat(10_000_000), /strange\.yaml:1:1: /, 'at most 1,000,000 characters'],
    ['two million lines', 'a: 1\n'.repeat(2_000_000), /strange\.yaml:1:1: /, 'at most 1,000,000 characters'],
    ['a circle of twenty thousand calls', `${head}duration: 1m\nservices:\n${many(200, (s) => `  s${s}: { handlers: { ${Array.from({ length: 100 }, (_, r) => `r${r}: [ { call: s${(s + 1) % 200}.r${(r + (s === 199 ? 1 : 0)) % 100} } ]`).join(', ')} } }\n`)}traffic: { u: { to: s0, send: r0, open: { rate: 1/s } } }\n`, /strange\.yaml:203:\d+: /, 'calls that come to an end, found a circle'],
  ])('%s', async (_, text, where, said) => {
    expectRefused(await after(['validate', 'strange.yaml'], text), where, said);
  });
});

describe('numbers that no number of the language is', () => {
  it.each(['.nan', '.inf', '-.inf', '-0', '-0s', '1e309', '1e309s', '0x10', '0x10s', '0o17', '1_000s', '1e15s', '1000000000000000s', '1ns', '9007199254740993', '""', '~', '2001-01-01', '１s', '1 s 2', 'NaNs', 'Infinitys'])('%s as a duration', async (number) => {
    expectRefused(await after(['validate', 'strange.yaml'], small({ duration: number })), /strange\.yaml:(3:\d+|1:1|6:1|7:3): /, 'expected');
  });

  it.each<readonly [string, Parameters<typeof small>[0], string]>([
    ['a billion instances', { service: '{ instances: 1000000000, handlers: { get: [ { wait: 1ms } ] } }' }, 'at most 1,000'],
    ['instances by an autoscaler', { service: '{ autoscale: { min: 1, max: 1000000000, target: 50% }, handlers: { get: [ { wait: 1ms } ] } }' }, 'at most 1,000'],
    ['a rate of 10^12', { traffic: '{ to: api, send: get, open: { rate: 1000000000000/s } }' }, 'at most 1,000,000/s'],
    ['a burst of 10^9', { traffic: '{ to: api, send: get, bursts: { sizes: [1000000000], every: 1s } }' }, 'at most 1,000,000'],
    ['10^9 users', { traffic: '{ to: api, send: get, closed: { users: 1000000000, think: 1s } }' }, 'at most 1,000,000'],
    ['10^9 repetitions', { service: '{ handlers: { get: [ { wait: 1ms, times: 1000000000 } ] } }' }, 'at most 10,000'],
    ['repetitions of repetitions', { service: '{ handlers: { get: [ { times: 9999, choose: [ { weight: 1, steps: [ { times: 9999, wait: 1ms } ] } ] } ] } }' }, 'at most 20,000 steps'],
    ['a tick of a nanosecond', { more: 'tick: 1ns\n' }, 'expected a duration'],
    ['a tick for each microsecond', { more: 'tick: 1us\n' }, 'expected a duration'],
    ['ticks without number', { duration: '7h' }, 'at most 3,600 ticks'],
    ['four thousand instances of an hour', { duration: '1h', service: '{ instances: 1000, handlers: { get: [ { call: b }, { call: c } ] } }\n  b: { instances: 1000, handlers: { get: [ { call: c } ] } }\n  c: { instances: 1000, handlers: { get: [ { wait: 1ms } ] } }\n  d: { instances: 1000, handlers: { get: [ { wait: 1ms } ] } }' }, 'keeps at most 100,000,000 numbers'],
    ['everybody calls everybody', { duration: '1s', service: `{ instances: 1000, handlers: { get: [ ${['b', 'c', 'd'].map((one) => `{ call: ${one} }`).join(', ')} ] } }\n${['b', 'c', 'd'].map((one, i, all) => `  ${one}: { instances: 1000, handlers: { get: [ ${[...all.slice(i + 1).map((other) => `{ call: ${other} }`), '{ wait: 1ms }'].join(', ')} ] } }`).join('\n')}` }, 'pairs of a caller instance'],
  ])('%s', async (_, changes, said) => {
    expectRefused(await after(['validate', 'strange.yaml'], small(changes)), /strange\.yaml:\d+:\d+: /, said);
  });

  it.each<readonly [string, string, number, (i: number) => string]>([
    ['services', 'services', 201, (i) => `s${i}: { handlers: { get: [ { wait: 1ms } ] } }`],
    ['phases', 'phases', 501, (i) => `p${i}: [0s, 1s]`],
    ['variants', 'variants', 51, (i) => `v${i}: {}`],
    ['objectives', 'objectives', 501, (i) => `o${i}: { of: users, p99: "<= 1s" }`],
    ['faults', 'faults', 201, (i) => `f${i}: { at: 1s, target: api, crash: true }`],
    ['machines', 'machines', 101, (i) => `m${i}: { cpus: 1, memory: 1GiB }`],
  ])('too many %s', async (_, key, count, entry) => {
    const added = `{ ${Array.from({ length: count }, (_, i) => entry(i)).join(', ')} }`;
    const text = key === 'services' ? `${head}duration: 1s\nservices: ${added}\ntraffic: { users: { to: s0, send: get, open: { rate: 1/s } } }\n` : small({ more: `${key}: ${added}\n` });
    expectRefused(await after(['validate', 'strange.yaml'], text), /strange\.yaml:\d+:\d+: /, `at most ${count - 1}`);
  });
});

describe('names of JavaScript', () => {
  const maps = {
    services: (name: string) => small({ service: '{ handlers: { get: [ { wait: 1ms } ] } }', more: '' }).replace('traffic:\n', `  ${name}: { handlers: { get: [ { wait: 1ms } ] } }\ntraffic:\n`),
    traffic: (name: string) => small({ more: `  ${name}: { to: api, send: get, open: { rate: 1/s } }\n` }),
    requests: (name: string) => small({ service: `{ handlers: { get: [ { wait: 1ms } ], ${name}: [ { wait: 1ms } ] } }` }),
    stocks: (name: string) => small({ service: `{ stock: { ${name}: 3 }, handlers: { get: [ { take: ${name} } ] } }` }),
    ...Object.fromEntries(
      Object.entries({ values: '1ms', machines: '{ cpus: 1, memory: 1GiB, price: 1 USD/h }', hosts: '{ cpus: 1 }', phases: '[0s, 1s]', variants: '{}', faults: '{ at: 1s, target: api, crash: true }', objectives: '{ of: users, p99: "<= 1s" }', claims: '{ of: users, p99: "<= 1s" }' })
        .map(([map, value]) => [map, (name: string) => small({ more: `${map}: { ${name}: ${value} }\n` })]),
    ),
    stops: (name: string) => small({ more: `rehearsal: { stops: { ${name}: { at: 1s, ask: why } } }\n` }),
  };
  const cases = Object.entries(maps).flatMap(([map, make]) => ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__'].map((name) => [map, name, make(name)] as const));

  it.each(cases)('among %s: %s is no name', async (_, name, text) => {
    expectRefused(await after(['validate', 'strange.yaml'], text), /strange\.yaml:\d+:\d+: /, `\`${name}\``);
  });

  it('those of small letters are names like any other, and what is called so is simulated, judged and written', async () => {
    const text = `faultreel: 1
duration: 2s
values: { valueof: 1ms, at: 2ms }
services:
  then: { to: { length: {} }, handlers: { call: [ { call: length.at } ] } }
  length: { stock: { keys: 3 }, handlers: { at: [ { wait: $valueof }, { lock: map, wait: 1s } ] } }
traffic: { name: { to: then, send: call, open: { rate: 20/s } } }
phases: { values: [0s, 1s] }
objectives: { sort: { of: name, p99: "<= 1s", in: values } }
variants: { call: {}, bind: { values.valueof: 3ms } }
`;
    const host = await after(['run', 'strange.yaml', '--only', 'report', '--sensitivity', 'off'], text);
    expect(host.code, host.written.stderr()).toBe(0);
    expect(existsSync(path.join(host.cwd, 'out/strange/report.pdf'))).toBe(true);
  });
});

describe('texts that nobody sees', () => {
  const unseen = { 'zero-width space': 0x200b, 'byte order mark': 0xfeff, 'line separator': 0x2028, 'paragraph separator': 0x2029, 'right-to-left override': 0x202e, 'isolate': 0x2066, 'joiner': 0x200d, 'soft hyphen': 0xad, 'word joiner': 0x2060, 'escape': 0x1b, 'next line': 0x85, 'tag letter': 0xe0041, 'annotation': 0xfff9, 'lone surrogate': 0xd800, 'noncharacter': 0xffff };

  it.each(Object.entries(unseen))('a %s in a title is refused by validate and by run alike', async (_, code) => {
    const hex = code.toString(16).toUpperCase();
    const text = small({ title: `"pay ${code > 0xffff ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`}now"` });
    for (const words of [['validate', 'strange.yaml'], ['run', 'strange.yaml', '--only', 'report']]) expectRefused(await after(words, text), 'strange.yaml:2:1: ', `U+${hex.padStart(4, '0')}`);
  });

  it('what validate calls valid, run does not refuse: a character that no font has', async () => {
    const text = small({ title: '"on fire \u{1f525}"' });
    for (const words of [['validate', 'strange.yaml'], ['run', 'strange.yaml', '--only', 'text']]) expectRefused(await after(words, text), 'strange.yaml:2:1: ', 'U+1F525');
  });
});

describe('files that are something else', () => {
  it('a link that leaves the folder is not read, so that no line of another file is printed', async () => {
    const host = testHost(['validate', 'scenarios/link.yaml']);
    const secret = testHost([]).cwd;
    writeFileSync(path.join(secret, 'npmrc'), 'token=do-not-print-me\n');
    mkdirSync(path.join(host.cwd, 'scenarios'));
    symlinkSync(path.join(secret, 'npmrc'), path.join(host.cwd, 'scenarios/link.yaml'));
    expect(await main(host)).toBe(2);
    expect(host.written.stderr()).toContain('is a link to');
    expect(host.written.stderr()).not.toContain('do-not-print-me');
  });

  it.each(['/etc/passwd', '../../etc/passwd', 'C:\\con', 'con', '..', 'a/b', '~/x', 'a\\b'])('%s is no name of anything that becomes a file or a path', async (name) => {
    for (const map of ['services', 'variants', 'traffic']) {
      const quoted = JSON.stringify(name);
      const text = `${head}duration: 1s\nservices: { api: { handlers: { get: [ { wait: 1ms } ] } } }\ntraffic: { users: { to: api, send: get, open: { rate: 1/s } } }\n`;
      const entry = { services: '{ handlers: { get: [ { wait: 1ms } ] } }', variants: '{}', traffic: '{ to: api, send: get, open: { rate: 1/s } }' }[map];
      const strange = map === 'variants' ? `${text}variants: { ${quoted}: {} }\n` : text.replace(`${map}: { `, `${map}: { ${quoted}: ${entry}, `);
      if (/^[a-z][a-z0-9-]*$/.test(name)) continue;
      expectRefused(await after(['validate', 'strange.yaml'], strange), /strange\.yaml:\d+:\d+: /, 'expected a name for');
    }
  });
});
