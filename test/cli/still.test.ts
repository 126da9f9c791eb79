import { copyFileSync, lstatSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { main } from '../../src/cli/program.js';
import { parseAt } from '../../src/cli/still.js';
import { testHost, type TestHost } from '../support/host.js';

const short = path.resolve(import.meta.dirname, '../support/short.yaml');

const still = async (...args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string; host: TestHost }> => {
  const host = testHost(['still', 'shop.yaml', ...args]);
  copyFileSync(short, path.join(host.cwd, 'shop.yaml'));
  const code = await main(host);
  return { code, stdout: host.written.stdout(), stderr: host.written.stderr(), host };
};
/** In a working folder that is made ready first. */
const stillIn = async (ready: (cwd: string) => void, args: readonly string[], changes: Parameters<typeof testHost>[1] = {}): Promise<{ code: number; stderr: string; cwd: string }> => {
  const host = testHost(['still', 'shop.yaml', '--at', '16s', ...args], changes);
  copyFileSync(short, path.join(host.cwd, 'shop.yaml'));
  ready(host.cwd);
  return { code: await main(host), stderr: host.written.stderr(), cwd: host.cwd };
};
const written = ({ cwd }: TestHost, file: string): string => readFileSync(path.join(cwd, file), 'utf8');

describe('still', () => {
  it.each([
    ['4m30s', { timeMs: 270_000 }],
    ['04:30', { timeMs: 270_000 }],
    ['1:04:30', { timeMs: 3_870_000 }],
    ['0s', { timeMs: 0 }],
    ['oom order-api', { kind: 'oom', subject: 'order-api' }],
    ['verdict', { card: 'verdict' }],
    ['question 2', { question: 2 }],
    ['question', { question: 1 }],
  ])('understands --at %s', (text, at) => expect(parseAt(text)).toEqual(at));

  it('draws the tick of a time, in the looks that are asked for', async () => {
    const { code, stdout, host } = await still('--at', '16s', '--out', 'at.svg', '--lang', 'ko', '--size', '1280x720');
    expect([code, stdout]).toEqual([0, `${path.join(host.cwd, 'at.svg')}\n`]);
    const svg = written(host, 'at.svg');
    expect(svg).toMatch(/^<svg [^>]*width="1280" height="720" viewBox="0 0 1920 1080"/);
    expect(svg).toContain('00:16');
    expect(svg).toContain('작은 상점: 할인 한 번');
    expect(readdirSync(host.cwd).sort()).toEqual(['at.svg', 'shop.yaml']);
  });

  it('draws the tick of an event, the cards, and a portrait', async () => {
    expect(written((await still('--at', 'crashed shop', '--out', 'a.svg')).host, 'a.svg')).toContain('00:15');
    expect(written((await still('--at', 'question 1', '--out', 'a.svg')).host, 'a.svg')).toContain('What now?');
    expect(written((await still('--at', 'verdict', '--out', 'a.svg', '--variant', 'bigger')).host, 'a.svg')).toContain('bigger');
    expect(written((await still('--at', 'title', '--out', 'a.svg', '--size', '1080x1920')).host, 'a.svg')).toMatch(/^<svg [^>]*width="1080" height="1920"/);
  });

  it('writes a PNG with the browser, named after scenario and moment', async () => {
    const { code, stderr, host } = await still('--at', '16s', '--size', '640x360');
    expect([code, stderr.includes('rror')]).toEqual([0, false]);
    expect([...readFileSync(path.join(host.cwd, 'shop-00m16s.png')).subarray(1, 4)]).toEqual([...Buffer.from('PNG')]);
  });

  it.each([
    [['--at', '31s'], '--at: the run of as-it-is ends at 00:30, found 00:31\n  Give a time from 0s to 30s\n'],
    [['--at', 'oom shop'], /^--at: no event "oom shop" happens in as-it-is\n {2}It has: .*"crashed shop"/],
    [['--at', 'question 2'], '--at: the film of as-it-is asks 1 question, found question 2\n  Write --at "question 1"\n'],
    [['--at', 'omm shop'], '--at: expected a time, an event with its subject, title, verdict or question 1, found "omm shop"\n  Did you mean "oom shop"?\n'],
    [['--at', '16s', '--out', 'a.jpg'], '--out: expected a file that ends in .png or .svg, found "a.jpg"\n  Write --out a.png\n'],
  ] as const)('refuses %j and writes nothing', async (args, message) => {
    const { code, stderr, host } = await still(...args, '--quiet');
    expect(code).toBe(2);
    if (typeof message === 'string') expect(stderr).toBe(message);
    else expect(stderr).toMatch(message);
    expect(readdirSync(host.cwd)).toEqual(['shop.yaml']);
  });

  it('says before it simulates that the folder is not there', async () => {
    const { code, stderr, cwd } = await stillIn(() => undefined, ['--out', 'nodir/x.png']);
    expect([code, stderr]).toEqual([5, `There is no folder ${path.join(cwd, 'nodir')}\n  Make it, or give another file with --out\n`]);
  });

  it('says before it simulates that a folder stands there, and leaves it', async () => {
    const { code, stderr, cwd } = await stillIn((folder) => mkdirSync(path.join(folder, 'd.png')), ['--out', 'd.png']);
    expect([code, stderr]).toEqual([2, `--out: expected a file, found that ${path.join(cwd, 'd.png')} is a folder\n  Give a file in it, for example --out ${path.join(cwd, 'd.png/still.png')}\n`]);
    expect(readdirSync(cwd)).toEqual(['d.png', 'shop.yaml']);
  });

  it.each([
    ['EACCES', 'Give a folder that you may write with --out'],
    ['EROFS', 'The file system may only be read'],
    ['ENOSPC', 'The disk is full'],
  ])('says before it simulates why the folder cannot be written: %s', async (code, advice) => {
    const { code: exitCode, stderr, cwd } = await stillIn(() => undefined, ['--out', 'a.svg'], { makeTemporaryFolder: () => Promise.reject(Object.assign(new Error(`${code}: refused, mkdtemp`), { code })) });
    expect(exitCode).toBe(5);
    expect(stderr).toContain(`cannot write into ${cwd}: ${code}: refused, mkdtemp\n  ${advice}`);
    expect(stderr).not.toContain('simulate');
  });

  it('writes where a link points to, and leaves nothing beside it', async () => {
    const { code, cwd } = await stillIn((folder) => {
      mkdirSync(path.join(folder, 'real'));
      writeFileSync(path.join(folder, 'real/old.svg'), 'old');
      symlinkSync('real/old.svg', path.join(folder, 'latest.svg'));
    }, ['--out', 'latest.svg']);
    expect(code).toBe(0);
    expect(lstatSync(path.join(cwd, 'latest.svg')).isSymbolicLink()).toBe(true);
    expect(readFileSync(path.join(cwd, 'real/old.svg'), 'utf8')).toMatch(/^<svg /);
    expect([readdirSync(cwd).sort(), readdirSync(path.join(cwd, 'real'))]).toEqual([['latest.svg', 'real', 'shop.yaml'], ['old.svg']]);
  });
});
