import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { main } from '../../src/cli/program.js';
import { simulateScenario } from '../../src/pipeline/simulate.js';
import { parseScenario } from '../../src/scenario/index.js';
import { writeStudy } from '../../src/study/write.js';
import { testHost } from '../support/host.js';
import { blocksOf, commandLines, pages, read, root, wordsOf } from './blocks.js';

/** A folder as a reader has it after the first run: the shipped scenarios, and the study of one. */
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'faultreel-docs-'));
  cpSync(path.join(root, 'scenarios'), path.join(folder, 'scenarios'), { recursive: true });
  // What is called so in examples.
  for (const name of ['before', 'after', 'incident']) writeFileSync(path.join(folder, `${name}.yaml`), read('templates/init/en.yaml').replaceAll('bigger-pool', 'patched'));
  // What is checked here, in a repository as a reader has one.
  mkdirSync(path.join(folder, 'rehearsals'));
  writeFileSync(path.join(folder, 'rehearsals/small.yaml'), 'faultreel: 1\ntitle: small\nduration: 1s\nservices: { s: { handlers: { a: [ { wait: 5ms } ] } } }\ntraffic: { t: { to: s, send: a, open: { rate: 20/s } } }\n');
  for (const args of [['init', '-q'], ['add', 'rehearsals'], ['-c', 'user.name=T', '-c', 'user.email=t@example.org', '-c', 'commit.gpgsign=false', 'commit', '-q', '-m', 'a commit']]) expect(spawnSync('git', ['-C', folder, ...args]).status).toBe(0);
  const text = read('scenarios/order-api-spike.yaml');
  const study = writeStudy(simulateScenario(parseScenario(text, { file: 'scenarios/order-api-spike.yaml' }), {}));
  for (const name of ['order-api-spike', 'a', 'b']) {
    mkdirSync(path.join(folder, 'out', name), { recursive: true });
    writeFileSync(path.join(folder, 'out', name, 'study.json'), study);
  }
}, 120_000);

/**
 * The command as it is run here. What simulates for long or films is asked what it would do (`--dry-run`); a still is drawn from the study that is there, as an SVG,
 * which needs no browser; a check is one of a small scenario. Everything else runs as it is written.
 */
const cheaper = (args: readonly string[]): readonly string[] => {
  const [command] = args;
  const isSmall = args.some((arg) => /^my-service\.yaml$/.test(arg));
  if (command === 'run' && args.includes('text') && isSmall) return args;
  if (['run', 'compare', 'render'].includes(command) && !args.includes('--help') && !args.includes('--dry-run')) return [...args, '--dry-run'];
  if (command === 'check' && !args.includes('--help')) return isSmall ? args : checkOfSmall(args);
  if (command === 'still') return [...args.map((arg) => (arg === 'scenarios/order-api-spike.yaml' ? 'out/order-api-spike/study.json' : arg)).filter((arg, i) => arg !== '--out' && args[i - 1] !== '--out'), '--out', 'a.svg'];
  return args;
};

/** The same options, for one small scenario, against a commit that is there. */
const checkOfSmall = (args: readonly string[]): readonly string[] => {
  const named = args.slice(1).map((arg, i) => (args[i] === '--changed-since' ? 'HEAD' : arg)).filter((arg, i) => !/^scenarios|\.yaml$/.test(arg) || args[i]?.startsWith('--'));
  return ['check', 'rehearsals', ...named];
};

const runs = async (args: readonly string[], cwd: string): Promise<readonly [number, string]> => {
  const expanded = args.flatMap((arg) => (arg === 'scenarios/*.yaml' ? ['scenarios/order-api-spike.yaml'] : [arg]));
  const host = testHost(cheaper(expanded), { cwd });
  const code = await main(host);
  return [code, code === 0 ? '' : host.written.stderr()];
};

describe('commands in the documents', () => {
  it.each(pages.filter((page) => !/tutorial/.test(page)).flatMap(commandLines).map(({ at, args }) => [at, args.join(' '), args] as const))('%s: faultreel %s', async (_, _said, args) => {
    // It refuses a file that is there.
    const cwd = args[0] === 'init' ? mkdtempSync(path.join(os.tmpdir(), 'faultreel-init-')) : folder;
    expect(await runs(args, cwd)).toEqual([0, '']);
  });

  it.each(pages.filter((page) => /tutorial/.test(page)))('%s: one after the other, from an empty folder on', async (page) => {
    const cwd = mkdtempSync(path.join(os.tmpdir(), 'faultreel-tutorial-'));
    const lines = commandLines(page);
    expect(lines.length).toBeGreaterThan(5);
    for (const { at, args } of lines) expect([at, args.join(' '), ...(await runs(args, cwd))]).toEqual([at, args.join(' '), 0, '']);
  }, 120_000);

  it.each(['', 'init', 'run', 'check', 'compare', 'render', 'still', 'validate', 'schema', 'doctor'])('every example of faultreel %s --help works', async (command) => {
    const host = testHost([...(command === '' ? [] : [command]), '--help']);
    expect(await main(host)).toBe(0);
    const examples = [...host.written.stdout().matchAll(/^ {2}faultreel (.+)$/gm)].map(([, text]) => wordsOf(text.replace(/ {2,}.*$/, '').replace(/ > \S+$/, '')));
    expect(examples.length).toBeGreaterThan(0);
    for (const args of examples) {
      const cwd = command === 'init' ? mkdtempSync(path.join(os.tmpdir(), 'faultreel-init-')) : folder;
      // A folder that is not there on this machine.
      expect([args.join(' '), ...(await runs(args.filter((arg) => !arg.startsWith('/mnt')).map((arg) => (arg === '--out' && command === 'doctor' ? '--json' : arg)), cwd))]).toEqual([args.join(' '), 0, '']);
    }
  }, 60_000);
});

describe('what the tutorials show', () => {
  it.each([['docs/tutorial.md', 'en'], ['docs/tutorial.ko.md', 'ko']])('%s quotes the program as it speaks', async (page, lang) => {
    const cwd = mkdtempSync(path.join(os.tmpdir(), 'faultreel-tutorial-'));
    const said = async (...args: readonly string[]): Promise<string> => {
      const host = testHost(args, { cwd });
      await main(host);
      return host.written.stdout() + host.written.stderr();
    };
    await said('init', '--lang', lang);
    const file = path.join(cwd, 'my-service.yaml');
    const right = readFileSync(file, 'utf8');
    writeFileSync(file, right.replace('wait: 1s', 'wait: 1'));
    const mistake = await said('validate', 'my-service.yaml');
    expect(mistake).toContain('write the unit after the number');
    writeFileSync(file, right);
    const spoken = `${mistake}\n${await said('run', 'my-service.yaml', '--only', 'text', '--every', '1m')}\n${(await said('compare', 'my-service.yaml', '--only', 'text')).replaceAll('**', '')}`;
    const quoted = blocksOf(page).filter(({ language }) => language === 'text').flatMap(({ text }) => text.trimEnd().split('\n'));
    expect(quoted.length).toBeGreaterThan(6);
    expect(quoted.filter((line) => !spoken.includes(line))).toEqual([]);
    const count = /(\d+) lines with comments|주석을 포함해 (\d+)줄/.exec(read(page))!;
    expect(Number(count[1] ?? count[2])).toBe(right.trimEnd().split('\n').length);
  }, 60_000);
});
