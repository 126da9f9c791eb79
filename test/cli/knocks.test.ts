import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { main } from '../../src/cli/program.js';
import { testHost, type TestHost } from '../support/host.js';

const short = path.resolve(import.meta.dirname, '../support/short.yaml');

const hostWith = (words: readonly string[], files: Readonly<Record<string, string>> = {}, changes: Parameters<typeof testHost>[1] = {}): TestHost => {
  const host = testHost([...words], changes);
  copyFileSync(short, path.join(host.cwd, 'shop.yaml'));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(host.cwd, name), text);
  return host;
};
const text = readFileSync(short, 'utf8');

describe('names and folders', () => {
  it.each(['..yaml', '...yaml', '.yaml'])('a file called %s names no folder of results and is refused', async (name) => {
    const host = hostWith(['run', name, '--only', 'report'], { [name]: text });
    expect(await main(host)).toBe(3);
    expect(host.written.stderr()).toContain('expected a file with a name');
    expect(existsSync(path.join(host.cwd, 'out'))).toBe(false);
  });

  it('a file in the place of the folder of results stays as it is', async () => {
    const host = hostWith(['run', 'shop.yaml', '--only', 'report']);
    mkdirSync(path.join(host.cwd, 'out'));
    writeFileSync(path.join(host.cwd, 'out/shop'), 'mine');
    expect(await main(host)).toBe(5);
    expect(host.written.stderr()).toContain('out/shop is a file');
    expect(readFileSync(path.join(host.cwd, 'out/shop'), 'utf8')).toBe('mine');
  });

  it('a folder where no name can be made is refused, not tried for ever', async () => {
    const host = hostWith(['run', 'shop.yaml', '--only', 'report', '--out', '/proc/faultreel/x']);
    expect(await main(host)).toBe(5);
    expect(host.written.stderr()).toContain('cannot write into');
  });

  it('a full disk is told as one, and nothing is left', async () => {
    const full = Object.assign(new Error("ENOSPC: no space left on device, write 'ticks.csv'"), { code: 'ENOSPC' });
    const host = hostWith(['run', 'shop.yaml', '--only', 'report'], {}, { write: () => Promise.reject(full) });
    expect(await main(host)).toBe(5);
    expect(host.written.stderr()).toContain('The disk is full');
    expect(readdirSync(path.join(host.cwd, 'out'))).toEqual([]);
  });

  it('what showed another study is removed, and that is said', async () => {
    const first = hostWith(['run', 'shop.yaml', '--only', 'report', '--quiet']);
    expect(await main(first)).toBe(0);
    writeFileSync(path.join(first.cwd, 'out/shop/video.mp4'), 'an old film');
    const second = testHost(['run', 'shop.yaml', '--only', 'report', '--seed', '99'], { cwd: first.cwd });
    expect(await main(second)).toBe(0);
    expect(second.written.stderr()).toContain('removed what showed the old one: video.mp4');
  });
});

describe('scenarios that cannot be shown or compared', () => {
  it('a character that no bundled font has is named with its place, before anything is simulated', async () => {
    const host = hostWith(['run', 'fire.yaml', '--only', 'report'], { 'fire.yaml': text.replace(/^title: .*$/m, 'title: "on fire 🔥"') });
    expect(await main(host)).toBe(5);
    expect(host.written.stderr()).toContain('in title, found "🔥" (U+1F525)');
    expect(host.written.stderr()).not.toContain('simulate');
  });

  it.each([['tick', '2s'], ['seed', '7']])('a variant with another %s is refused', async (key, value) => {
    const changed = text.replace('variants:\n', `variants:\n  other: { ${key}: ${value} }\n`).replace(/^( {2}other: .*\n)( {2}as-it-is: \{\}\n)/m, '$2$1');
    const host = hostWith(['run', 'two.yaml', '--only', 'text'], { 'two.yaml': changed });
    expect(await main(host)).toBe(3);
    expect(host.written.stderr()).toContain(`variant \`other\`: expected the same \`${key}\` in all variants`);
  });

  it('a variant is refused at its place', async () => {
    const slower = text.replace('variants:\n', 'variants:\n  same: {}\n  slower: { tick: 2s }\n');
    const host = hostWith(['run', 'two.yaml', '--only', 'text'], { 'two.yaml': slower });
    expect(await main(host)).toBe(3);
    const line = slower.split('\n').findIndex((one) => one.includes('slower:')) + 1;
    expect(host.written.stderr()).toContain(`two.yaml:${line}:13: variant \`slower\`: expected the same \`tick\` in all variants`);
  });

  it('what is wrong with the last file is told before the first is simulated', async () => {
    const host = hostWith(['run', 'shop.yaml', 'nope.yaml', '--only', 'text']);
    expect(await main(host)).toBe(2);
    expect(host.written.stderr()).toContain('cannot read nope.yaml');
    expect(host.written.stderr()).not.toContain('simulate');
  });

  it('control characters of a file cannot command the terminal', async () => {
    const host = hostWith(['validate', 'esc.yaml'], { 'esc.yaml': 'faultreel: 1\n"\\e[31mkey": 1\n' });
    expect(await main(host)).toBe(3);
    expect(host.written.stderr()).not.toContain('\u001b');
  });
});

describe('an interrupt', () => {
  it('takes hold while a long run is simulated', async () => {
    const long = 'faultreel: 1\ntitle: long\nduration: 1h\nservices: { s: { handlers: { a: [{ wait: 1ms }] } } }\ntraffic: { t: { to: s, send: a, open: { rate: 20000/s } } }\n';
    let breaths = 0;
    const host: TestHost = hostWith(['run', 'long.yaml', '--only', 'text'], { 'long.yaml': long }, { breathe: () => Promise.resolve(void (++breaths === 3 && host.interrupt())) });
    expect(await main(host)).toBe(130);
    expect(breaths).toBe(3);
    expect(host.written.stdout()).toBe('');
  });
});
