import { copyFileSync, existsSync, lstatSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
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
    expect(host.written.stderr()).not.toContain('simulate');
  });

  it('a full disk is told as one, and nothing is left', async () => {
    const full = Object.assign(new Error("ENOSPC: no space left on device, write 'ticks.csv'"), { code: 'ENOSPC' });
    const host = hostWith(['run', 'shop.yaml', '--only', 'report'], {}, { write: () => Promise.reject(full) });
    expect(await main(host)).toBe(5);
    expect(host.written.stderr()).toContain('The disk is full: make room on it, or name another place with --out. Nothing was replaced.');
    expect(readdirSync(host.cwd)).toEqual(['shop.yaml']);
  });

  it.each([
    ['ENOSPC', 'The disk is full'],
    ['EROFS', 'The file system may only be read'],
    ['EACCES', 'You may not write there'],
    ['EMFILE', 'Too many files are open'],
  ])('%s says what it is, and nothing else', async (code, advice) => {
    const host = hostWith(['run', 'shop.yaml', '--only', 'report', '--quiet'], {}, { write: () => Promise.reject(Object.assign(new Error(`${code}: refused, write \u001b[31m`), { code })) });
    expect(await main(host)).toBe(5);
    expect(host.written.stderr()).toMatch(new RegExp(`^${code}: refused, write \uFFFD\\[31m\n {2}${advice}[^\n]*\\. Nothing was replaced\\.\n$`));
  });

  it.each(['out', 'out/shop/deep/er'])('folders that a failed run made for itself are removed, others stay: %s', async (out) => {
    const host = hostWith(['run', 'shop.yaml', '--only', 'report', '--out', out], {}, { write: () => Promise.reject(new Error('gone')) });
    expect(await main(host)).toBe(1);
    expect(readdirSync(host.cwd)).toEqual(['shop.yaml']);
    mkdirSync(path.join(host.cwd, 'out'));
    expect(await main(host)).toBe(1);
    expect(readdirSync(host.cwd)).toEqual(['out', 'shop.yaml']);
    expect(readdirSync(path.join(host.cwd, 'out'))).toEqual([]);
  });

  it('a folder of results that is a link stays one, and what it links to holds the results', async () => {
    const host = hostWith(['run', 'shop.yaml', '--only', 'report']);
    for (const folder of ['out', 'big/real']) mkdirSync(path.join(host.cwd, folder), { recursive: true });
    writeFileSync(path.join(host.cwd, 'big/real/notes.txt'), 'mine');
    symlinkSync('../big/real', path.join(host.cwd, 'out/shop'));
    expect(await main(host), host.written.stderr()).toBe(0);
    expect(lstatSync(path.join(host.cwd, 'out/shop')).isSymbolicLink()).toBe(true);
    expect(readdirSync(path.join(host.cwd, 'out'))).toEqual(['shop']);
    expect(readdirSync(path.join(host.cwd, 'big'))).toEqual(['real']);
    expect(readdirSync(path.join(host.cwd, 'big/real')).sort()).toEqual(['events.csv', 'notes.txt', 'report.pdf', 'study.json', 'summary.md', 'ticks.csv']);
    expect(host.written.stdout()).toContain('out/shop/report.pdf\t');
  });

  it.each([
    ['to nothing', '/no/such/disk', 'out/shop is a link to something that is not there\n  Make the folder that it links to, or remove the link\n'],
    ['to the root of a file system', '/proc', 'out/shop is the root of a file system, which cannot be replaced as a whole\n  Give a folder in it: --out /proc\n'],
  ])('a folder of results that is a link %s is refused before any work, and stays', async (_, linked, told) => {
    const host = hostWith(['run', 'shop.yaml', '--only', 'report']);
    mkdirSync(path.join(host.cwd, 'out'));
    symlinkSync(linked, path.join(host.cwd, 'out/shop'));
    expect(await main(host)).toBe(5);
    expect(host.written.stderr()).toBe(told);
    expect(lstatSync(path.join(host.cwd, 'out/shop')).isSymbolicLink()).toBe(true);
  });

  it('a folder in the place of a result stays as it is, and is told before any work', async () => {
    const host = hostWith(['run', 'shop.yaml', '--only', 'report']);
    mkdirSync(path.join(host.cwd, 'out/shop/video.mp4'), { recursive: true });
    writeFileSync(path.join(host.cwd, 'out/shop/video.mp4/mine.txt'), 'mine');
    expect(await main(host)).toBe(5);
    expect(host.written.stderr()).toBe('out/shop/video.mp4 is a folder; a file of that name is needed for the results\n  Move it away, or give another folder with --out DIR\n');
    expect(readFileSync(path.join(host.cwd, 'out/shop/video.mp4/mine.txt'), 'utf8')).toBe('mine');
    expect(readdirSync(path.join(host.cwd, 'out'))).toEqual(['shop']);
  });

  it.each([['run', '--out', 'results'], ['still', '--at', '16s']])('a temporary folder that is not there is named by its variable, before any work: %s', async (command, ...args) => {
    const host = hostWith([command, 'shop.yaml', ...args], {}, { tmpdir: '/nonexist' });
    expect(await main(host)).toBe(5);
    expect(host.written.stderr()).toMatch(/^The browser needs a temporary folder, but none can be made in \/nonexist: ENOENT: .*\n {2}Set TMPDIR to a folder that is there, .*\n$/);
    expect(readdirSync(host.cwd)).toEqual(['shop.yaml']);
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
    expect(await main(host)).toBe(3);
    expect(host.written.stderr()).toContain('fire.yaml:3:1: expected characters that the bundled fonts can draw in title, found "🔥" (U+1F525)');
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

  it.each(['validate film.mp4', 'run film.mp4', 'still film.mp4 --at 1s', 'compare film.mp4'])('a file that is no text is refused without showing it: %s', async (line) => {
    const host = hostWith(line.split(' '), { 'film.mp4': '\0\0\0\u0020ftypisom\u0090\u001b]0;owned\u0007\n\0\0: [' });
    expect(await main(host)).toBe(2);
    expect(host.written.stderr()).toBe('cannot read film.mp4: it holds NUL bytes, so it is no text in UTF-8\n  Give a scenario (.yaml) or a study.json; one that an editor saved as UTF-16 must be saved as UTF-8\n');
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
