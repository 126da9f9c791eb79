import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { main } from '../../src/cli/program.js';
import type { Comparison } from '../../src/study/comparison.js';
import { readStudy } from '../../src/study/read.js';
import { readPdf } from '../support/pdf-text.js';
import { testHost, type TestHost } from '../support/host.js';

const short = path.resolve(import.meta.dirname, '../support/short.yaml');
const text = readFileSync(short, 'utf8');

/** A working folder with `shop.yaml`, the same with one value changed, and one with other ticks. */
const faultreel = async (line: string, prepare: (host: TestHost) => void = () => undefined): Promise<{ code: number; stdout: string; stderr: string; host: TestHost }> => {
  const host = testHost(line.split(' '));
  copyFileSync(short, path.join(host.cwd, 'shop.yaml'));
  writeFileSync(path.join(host.cwd, 'patched.yaml'), text.replace('queue: { limit: 20 }', 'queue: { limit: 2 }'));
  writeFileSync(path.join(host.cwd, 'fine.yaml'), text.replace('seed: 5', 'seed: 5\ntick: 500ms'));
  writeFileSync(path.join(host.cwd, 'alone.yaml'), text.replace(/variants:\n.*\n.*\n/, '').replace(', variant: as-it-is', ''));
  prepare(host);
  const code = await main(host);
  return { code, stdout: host.written.stdout(), stderr: host.written.stderr(), host };
};

describe('faultreel compare', () => {
  it.each([
    ['compare alone.yaml', 'alone.yaml has no variants to compare with each other\n  Add variants to the file, or give a second file\n'],
    ['compare shop.yaml#bigger', 'one side is not a comparison: shop.yaml#bigger\n  Write shop.yaml --variants bigger,as-it-is\n'],
    ['compare shop.yaml --variants as-it-is,biger', '--variants: shop.yaml has no variant "biger"\n  did you mean `bigger`?\n'],
    ['compare shop.yaml --variants as-it-is', '--variants: expected two to four names, found "as-it-is"\n  Write, for example, --variants as-it-is,dedicated-health-path\n'],
    ['compare shop.yaml --variants as-it-is,as-it-is', 'shop.yaml#as-it-is is given twice: nothing would differ\n  Give each side once\n'],
    ['compare shop.yaml patched.yaml --variants as-it-is,bigger', '--variants names variants of one file, but several were given\n  Write the variant behind each file: a.yaml#variant b.yaml#variant\n'],
    ['compare shop.yaml fine.yaml', 'expected the same tick on all sides, found 1000 ms in shop.yaml and 500 ms in fine.yaml\n  Set `tick` to the same length in both files\n'],
    ['compare shop.yaml patched.yaml alone.yaml shop.yaml#bigger patched.yaml#bigger', 'expected two to four sides to compare, found 5\n  Name two to four variants, for example --variants as-it-is,dedicated-health-path\n'],
    ['compare shop.yaml --size 1080x1920', '--size: a comparison is filmed in landscape, found 1080x1920\n  Write --size 1920x1080\n'],
    ['compare shop.yaml --only replay', '--only: expected a list of video, report, text, found "replay"\n  Write, for example, --only report or --only video,report\n'],
    ['compare shop.yaml --only report --duration 20s', '--duration is the length of the film, but no film was asked for\n  Add --only video\n'],
    ['compare shp.yaml shop.yaml', 'cannot read shp.yaml: there is no such file\n  Did you mean shop.yaml?\n'],
  ])('ends "%s" with 2 and says how to mend it', async (line, message) => {
    const { code, stdout, stderr, host } = await faultreel(line);
    expect([stderr, stdout, code]).toEqual([message, '', 2]);
    expect(existsSync(path.join(host.cwd, 'out'))).toBe(false);
  });

  it('prints the figures of the difference as JSON, and writes nothing', async () => {
    const { code, stdout, host } = await faultreel('compare shop.yaml --only text --json --quiet');
    expect(code).toBe(0);
    const comparison = JSON.parse(stdout) as Comparison & { closing: string };
    expect(comparison).toMatchObject({ schema: 'faultreel-comparison/1', relation: 'variants', arrivals: 'same', changes: [{ path: 'services.shop.cpus', values: [{ text: '0.5' }, { text: '2' }] }] });
    expect(comparison.closing).toMatch(/^bigger keeps /);
    expect(existsSync(path.join(host.cwd, 'out'))).toBe(false);
  });

  it('prints the difference as a text, and writes nothing', async () => {
    const { code, stdout, host } = await faultreel('compare shop.yaml --only text');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^# A as-it-is against B bigger\n\n\*\*bigger keeps /);
    expect(stdout).toContain('| services.shop.cpus | 0.5 | 2 |');
    expect(existsSync(path.join(host.cwd, 'out'))).toBe(false);
  });

  it('leaves a study, a difference report and a report of variants of one scenario', async () => {
    const { code, stdout, stderr, host } = await faultreel('compare shop.yaml --only report --lang ko --quiet');
    expect([code, stdout, stderr]).toEqual([0, '', '']);
    const folder = path.join(host.cwd, 'out/shop.as-it-is-vs-bigger');
    expect(readdirSync(folder).sort()).toEqual(['report.pdf', 'study.json', 'summary.md']);
    expect(Object.keys(readStudy(readFileSync(path.join(folder, 'study.json'), 'utf8'), 'study.json').runs)).toEqual(['as-it-is', 'bigger']);
    const summary = readFileSync(path.join(folder, 'summary.md'), 'utf8');
    expect(summary).toContain('# A as-it-is 대 B bigger');
    expect(summary).toContain('| services.shop.cpus | 0.5 | 2 |');
    expect(readPdf(readFileSync(path.join(folder, 'report.pdf'))).pages.map((page) => page.text).join(' ')).toContain('bigger');
  });

  it('sets scenarios side by side, each with its study, and says that there is no report', async () => {
    const { code, stdout, host } = await faultreel('compare shop.yaml patched.yaml#bigger --only report');
    expect(code).toBe(0);
    const folder = path.join(host.cwd, 'out/shop-vs-patched.bigger');
    expect(readdirSync(folder).sort()).toEqual(['a.study.json', 'b.study.json', 'summary.md']);
    expect(stdout.split('\n').at(-2)).toMatch(/^patched\.bigger keeps /);
    const summary = readFileSync(path.join(folder, 'summary.md'), 'utf8');
    expect(summary).toContain('| services.shop.queue.limit | 20 | 2 |');
    expect(summary).toContain('There is no report.pdf of this comparison');
  });

  it('compares studies without simulating, to the same figures', async () => {
    const once = await faultreel('compare shop.yaml --only report --json');
    const again = await faultreel('compare out/old/study.json --only text --json', (host) => {
      mkdirSync(path.join(host.cwd, 'out/old'), { recursive: true });
      copyFileSync(path.join(once.host.cwd, 'out/shop.as-it-is-vs-bigger/study.json'), path.join(host.cwd, 'out/old/study.json'));
    });
    expect(again.code).toBe(0);
    expect(JSON.parse(again.stdout)).toEqual(JSON.parse(once.stdout));
    expect(again.stderr).not.toContain('simulate');
  });

  it('keeps what stood there when it fails', async () => {
    const { code, host } = await faultreel('compare shop.yaml --only report', (own) => {
      mkdirSync(path.join(own.cwd, 'out/shop.as-it-is-vs-bigger'), { recursive: true });
      writeFileSync(path.join(own.cwd, 'out/shop.as-it-is-vs-bigger/summary.md'), 'before');
      own.interrupt();
      Object.assign(own, { onInterrupt: (listener: (signal: string) => void) => (listener('SIGINT'), () => undefined) });
    });
    expect(code).toBe(130);
    expect(readdirSync(path.join(host.cwd, 'out'))).toEqual(['shop.as-it-is-vs-bigger']);
    expect(readFileSync(path.join(host.cwd, 'out/shop.as-it-is-vs-bigger/summary.md'), 'utf8')).toBe('before');
  });
});
