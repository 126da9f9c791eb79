import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { main } from '../../src/cli/program.js';
import type { Checked } from '../../src/study/checked.js';
import { testHost, type TestHost } from '../support/host.js';

/** Ten simulated seconds of a service that is asked for more than it can in the middle. */
const shop = `faultreel: 1
title: Shop
duration: 10s
seed: 5
services:
  shop:
    slots: 2
    queue: { limit: 4 }
    handlers: { order: [ { wait: { assumed: 40ms, cv: 0.5, why: a guess, range: [20ms, 60ms] } } ] }
traffic:
  orders: { to: shop, send: order, open: { rate: [[0s, 20/s], [4s, 20/s], [4s, 90/s], [8s, 90/s]] } }
phases: { before: [0s, 4s], sale: [4s, 8s] }
objectives:
  availability: { of: orders, good: ">= 99%", in: [before, sale], breaks: [sale] }
claims:
  refuses: { of: orders, refused: "> 5%", in: sale }
`;

type Files = Readonly<Record<string, string>>;

const folderWith = (files: Files): string => {
  const { cwd } = testHost([]);
  write(cwd, files);
  return cwd;
};
const write = (cwd: string, files: Files): void => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(cwd, name)), { recursive: true });
    writeFileSync(path.join(cwd, name), text);
  }
};

const check = async (cwd: string, words: readonly string[], changes: Parameters<typeof testHost>[1] = {}): Promise<{ code: number; stdout: string; stderr: string; host: TestHost }> => {
  const host = testHost(['check', ...words], { cwd, ...changes });
  const code = await main(host);
  return { code, stdout: host.written.stdout(), stderr: host.written.stderr(), host };
};

const withBaseline = async (files: Files): Promise<string> => {
  const cwd = folderWith(files);
  expect(await check(cwd, ['--baseline', 'baseline', '--update'])).toMatchObject({ code: 0 });
  return cwd;
};

describe('check', () => {
  it('says in one line a scenario that all ended as told, breaks included', async () => {
    const cwd = folderWith({ 'scenarios/shop.yaml': shop, 'scenarios/more/other.yaml': shop.replace(/^claims:[^]*/m, '') });
    const { code, stdout, stderr } = await check(cwd, []);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(stdout).toBe('ok       scenarios/more/other.yaml  2 of 2 objectives as told\nok       scenarios/shop.yaml  2 of 2 objectives, 1 of 1 claim as told\n2 of 2 scenarios passed under 10 seeds\n');
    expect(readdirSync(cwd)).toEqual(['scenarios']);
  });

  it('fails with 4 on an objective that holds where the file tells it to break, on one that breaks where it should hold, and on a claim that does not hold', async () => {
    const wrong = shop.replace('breaks: [sale]', 'breaks: [before]').replace('"> 5%"', '"> 95%"');
    const { code, stdout } = await check(folderWith({ 'scenarios/shop.yaml': wrong }), []);
    expect(code).toBe(4);
    expect(stdout).toContain('FAILED   scenarios/shop.yaml  0 of 2 objectives, 0 of 1 claim as told\n');
    expect(stdout).toContain('objective availability in before (base): orders good ≥ 99% is told to break, and held: found 100% (met under 10 of 10 seeds)');
    expect(stdout).toMatch(/objective availability in sale \(base\): orders good ≥ 99% is told to hold, and did not hold: found \d+\.\d% \(met under 0 of 10 seeds\)/);
    expect(stdout).toMatch(/claim refuses in sale \(base\): orders refused > 95% is told to hold, and did not hold: found \d+\.\d% \(held under 0 of 10 seeds\)/);
  });

  it('fails on an objective that is told to hold and cannot be judged', async () => {
    const dead = shop.replace('phases:', 'faults: { cut: { at: 0s, target: shop, crash: true } }\nphases:').replace('good: ">= 99%"', 'p95: "<= 1s"').replace('    slots: 2\n', '    slots: 2\n    recovery: { by: none }\n').replace(/^claims:[^]*/m, '').replace(', breaks: [sale]', '');
    const { code, stdout } = await check(folderWith({ 'scenarios/shop.yaml': dead }), ['--seeds', '1']);
    expect(stdout).toContain('is told to hold, and cannot be judged');
    expect(code).toBe(4);
  });

  it('says nothing against a system whose load the generator could not make, and tells that', async () => {
    const small = shop.replace('open: { rate: [[0s, 20/s], [4s, 20/s], [4s, 90/s], [8s, 90/s]] }', 'open: { rate: [[0s, 20/s], [4s, 20/s], [4s, 90/s], [8s, 90/s]] }, limit: 1').replace(', breaks: [sale]', '').replace(/^claims:[^]*/m, '');
    const { code, stdout } = await check(folderWith({ 'scenarios/shop.yaml': small }), []);
    expect(stdout).toContain('2 of 2 objectives as told; 2 not judged, because their load was not made\n');
    expect(code).toBe(0);
  });

  it('ends with 3 when a scenario is invalid, at its line, and checks the others all the same', async () => {
    const cwd = folderWith({ 'scenarios/a.yaml': shop.replace('slots: 2', 'slotz: 2'), 'scenarios/b.yaml': shop });
    const { code, stdout } = await check(cwd, []);
    expect(code).toBe(3);
    expect(stdout).toMatch(/^INVALID {2}scenarios\/a\.yaml {2}invalid: 1 problem\n {8}7:5: .*slotz.*\nok {7}scenarios\/b\.yaml/);
  });

  it('tells a file that cannot be read among its findings, and the others all the same', async () => {
    const cwd = folderWith({ 'scenarios/b.yaml': shop });
    writeFileSync(Buffer.from(`${cwd}/scenarios/a\xff.yaml`, 'latin1'), shop);
    const { code, stdout } = await check(cwd, ['--seeds', '1']);
    expect(code).toBe(3);
    expect(stdout).toMatch(/^INVALID {2}scenarios\/a\ufffd\.yaml[^]*there is no such file[^]*\nok {7}scenarios\/b\.yaml/);
  });

  it('passes over YAML in folders that is no scenario, and what is linked or hidden', async () => {
    const cwd = folderWith({ 'scenarios/shop.yaml': shop, 'scenarios/values.yaml': 'a: 1\n', 'scenarios/node_modules/x.yaml': shop, 'scenarios/.old/x.yaml': shop });
    expect((await check(cwd, ['--seeds', '1'])).stdout).toContain('1 of 1 scenario passed under 1 seed\n');
  });

  it.each([
    [['nowhere'], 'cannot read nowhere: there is no such file or folder'],
    [[], 'cannot read scenarios: there is no such file or folder\n  Scenarios are looked for in scenarios; name other files or folders: faultreel check rehearsals'],
    [['here'], 'expected scenarios in here, found none\n  A scenario is a .yaml file with `faultreel: 1`; faultreel init writes one'],
    [['here/x.yaml', '--baseline', 'b', '--seeds', '5'], '--baseline: expected at least 6 seeds, found 5: with fewer, chance cannot be told from change'],
    [['here/x.yaml', '--update'], '--update writes baselines, but --baseline does not say where'],
    [['here/x.yaml', '--shard', '3/2'], '--shard: expected i/n with i from 1 to n, found "3/2"'],
    [['here/x.yaml', '--junit', 'here/x.yaml'], '--junit: expected a file to write, found "here/x.yaml"'],
    [['here/x.yaml', '--summary', 'here'], '--summary: expected a file to write, found "here"'],
    [['here/x.yaml', '--junit', 'o', '--summary', './o'], '--junit and --summary name the same file'],
    [['../x.yaml', '--baseline', 'b'], '--baseline: expected scenarios below the current folder, found ../x.yaml'],
  ])('refuses %j before anything is simulated', async (words, message) => {
    const cwd = folderWith({ 'work/here/x.yaml': 'no scenario\n', 'x.yaml': shop });
    const { code, stdout, stderr } = await check(path.join(cwd, 'work'), words);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stdout).toBe('');
  });
});

describe('a baseline', () => {
  it('is laid out as the scenarios are, and is unchanged when nothing changed', async () => {
    const cwd = await withBaseline({ 'scenarios/shop.yaml': shop, 'scenarios/deep/shop.yaml': shop.replace('seed: 5', 'seed: 6') });
    expect(readdirSync(path.join(cwd, 'baseline/scenarios'), { recursive: true }).sort()).toEqual(['deep', 'deep/shop.json', 'shop.json']);
    const { code, stdout } = await check(cwd, ['--baseline', 'baseline']);
    expect(code).toBe(0);
    expect(stdout.match(/baseline: unchanged/g)).toHaveLength(2);
  });

  it('is compared under the seeds that both have, and that is said', async () => {
    const cwd = folderWith({ 'scenarios/shop.yaml': shop });
    await check(cwd, ['--baseline', 'baseline', '--update', '--seeds', '7']);
    expect((await check(cwd, ['--baseline', 'baseline'])).stdout).toContain('baseline: unchanged (compared under 7 seeds)');
  });

  it('is written also where something is not as told, which fails all the same', async () => {
    const { code, stdout } = await check(folderWith({ 'scenarios/shop.yaml': shop.replace('"> 5%"', '"> 95%"') }), ['--baseline', 'baseline', '--update']);
    expect(code).toBe(4);
    expect(stdout).toContain('The baselines were written; what is not as told fails all the same.\n');
  });

  it('that is missing fails, and says how it is written', async () => {
    const cwd = folderWith({ 'scenarios/shop.yaml': shop });
    const { code, stdout } = await check(cwd, ['--baseline', 'baseline']);
    expect(code).toBe(4);
    expect(stdout).toContain('there is no baseline of this scenario: write it with --update');
    expect(existsSync(path.join(cwd, 'baseline'))).toBe(false);
  });

  it('fails with 4 when figures changed, and shows each with its interval, until it is updated', async () => {
    const cwd = await withBaseline({ 'scenarios/shop.yaml': shop });
    write(cwd, { 'scenarios/shop.yaml': shop.replace('assumed: 40ms', 'assumed: 52ms') });
    const changed = await check(cwd, ['--baseline', 'baseline']);
    expect(changed.code).toBe(4);
    expect(changed.stdout).toMatch(/orders p50 in sale \(base\): \d+ ms → \d+ ms \(95% interval of the change: \+\d[\d.]* ms to \+\d[\d.]* ms\)/);
    expect(changed.stdout).toContain('When the change is meant, write the baselines anew with --update and commit them.');
    const updated = await check(cwd, ['--baseline', 'baseline', '--update']);
    expect(updated.code).toBe(0);
    expect(updated.stdout).toMatch(/baseline written: \d+ figures changed[^]*\nThe baselines were written\.\n/);
    expect((await check(cwd, ['--baseline', 'baseline'])).code).toBe(0);
  });

  it.each([
    ['another seed', shop.replace('seed: 5', 'seed: 500')],
    ['a comment and a title', shop.replace('title: Shop', '# why\ntitle: Kiosk')],
    ['another range of a guess', shop.replace('range: [20ms, 60ms]', 'range: [10ms, 90ms]')],
  ])('does not take %s for a change', async (_, text) => {
    const cwd = await withBaseline({ 'scenarios/shop.yaml': shop });
    write(cwd, { 'scenarios/shop.yaml': text });
    const { code, stdout } = await check(cwd, ['--baseline', 'baseline']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('baseline: unchanged')]);
  });

  it('tells what is new and what is gone', async () => {
    const cwd = await withBaseline({ 'scenarios/shop.yaml': shop });
    write(cwd, { 'scenarios/shop.yaml': shop.replace('availability:', 'reach:').replace('sale: [4s, 8s]', 'sale: [4s, 8s], after: [8s, 10s]') });
    const { code, stdout } = await check(cwd, ['--baseline', 'baseline']);
    expect(code).toBe(4);
    expect(stdout).toContain('new: objective reach of base in sale');
    expect(stdout).toContain('gone: objective availability of base in sale');
    expect(stdout).toContain('new: base: orders p95 good after');
  });

  it('of a scenario that is gone is told and stays, as do files of others', async () => {
    const cwd = await withBaseline({ 'scenarios/shop.yaml': shop, 'scenarios/old.yaml': shop, 'baseline/notes.json': '{}' });
    rmSync(path.join(cwd, 'scenarios/old.yaml'));
    const { code, stdout } = await check(cwd, ['--baseline', 'baseline', '--update']);
    expect(code).toBe(0);
    expect(stdout).toContain('baseline/scenarios/old.json belongs to no scenario that is here: remove it when the scenario is gone for good\n');
    expect(stdout).not.toContain('notes.json');
    expect(readdirSync(path.join(cwd, 'baseline'), { recursive: true }).sort()).toEqual(['notes.json', 'scenarios', 'scenarios/old.json', 'scenarios/shop.json']);
  });

  it('that is broken is refused before anything is simulated, and written anew by an update', async () => {
    const cwd = await withBaseline({ 'scenarios/shop.yaml': shop });
    writeFileSync(path.join(cwd, 'baseline/scenarios/shop.json'), '<<<<<<< HEAD\n');
    const { code, stderr, stdout } = await check(cwd, ['--baseline', 'baseline']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('baseline/scenarios/shop.json is no baseline: it holds the marks of a merge conflict\n  Take it back from version control, or write it anew with faultreel check --update\n');
    expect((await check(cwd, ['--baseline', 'baseline', '--update'])).stderr).toContain('it holds the marks of a merge conflict; it is written anew');
    expect((await check(cwd, ['--baseline', 'baseline'])).code).toBe(0);
  });

  it('of two files whose names differ in their endings alone is refused, and links in its folder lead nowhere', async () => {
    const cwd = await withBaseline({ 'scenarios/shop.yaml': shop });
    for (const name of ['one', 'other']) symlinkSync('.', path.join(cwd, 'baseline', name));
    expect((await check(cwd, ['--baseline', 'baseline'])).code).toBe(0);
    write(cwd, { 'scenarios/shop.yml': shop });
    expect(await check(cwd, ['--baseline', 'baseline'])).toMatchObject({ code: 2, stderr: '--baseline: scenarios/shop.yaml and scenarios/shop.yml would share baseline/scenarios/shop.json\n  Rename one of them\n' });
  });
});

describe('what a check leaves for others', () => {
  const wrong = shop.replace('breaks: [sale]', 'breaks: [before]').replace('title: Shop', 'title: "<Shop> & \\"Co\\""');

  it('as JSON is all that was found, with `passed` that cannot be read backwards, and the lines stay in the log', async () => {
    const { code, stdout, stderr } = await check(folderWith({ 'scenarios/shop.yaml': wrong }), ['--json']);
    const { schema, passed, seeds, scenarios } = JSON.parse(stdout) as Checked;
    expect([code, schema, passed, seeds, scenarios.length]).toEqual([4, 'faultreel-check/1', false, 10, 1]);
    expect(stderr).toMatch(/^FAILED {3}scenarios\/shop\.yaml[^]*0 of 1 scenario passed under 10 seeds\n$/);
    expect(scenarios[0].goals.map(({ name, phase, met, expected, asTold, line }) => ({ name, phase, met, expected, asTold, line }))).toEqual([
      { name: 'availability', phase: 'before', met: true, expected: false, asTold: false, line: 14 },
      { name: 'availability', phase: 'sale', met: false, expected: true, asTold: false, line: 14 },
      { name: 'refuses', phase: 'sale', met: true, expected: true, asTold: true, line: 16 },
    ]);
  });

  it('as JUnit is a suite a scenario and a case a goal, escaped', async () => {
    const cwd = folderWith({ 'scenarios/a&b.yaml': wrong, 'scenarios/c.yaml': shop.replace('slots: 2', 'slots: <b>') });
    await check(cwd, ['--junit', 'ci/junit.xml', '--baseline', 'baseline']);
    const xml = readFileSync(path.join(cwd, 'ci/junit.xml'), 'utf8');
    expect(xml).toContain('<testsuites name="faultreel" tests="6" failures="4" errors="0" skipped="0">');
    expect(xml).toContain('<testsuite name="scenarios/a&amp;b.yaml" tests="5" failures="3" errors="0" skipped="0">');
    expect(xml).toContain('name="objective availability in sale (base) holds" file="scenarios/a&amp;b.yaml" line="14"><failure message="objective availability in sale (base): orders good ≥');
    expect(xml).toContain('name="is as its baseline"');
    expect(xml.replace(/<(\w+)[^<>]*[^/<>]>|<\/\w+>|<[^<>]*\/>|<\?[^<>]*\?>/g, '')).not.toMatch(/[<>]/);
  });

  it('as a summary names what turned, what changed and the artefacts, and puts what failed first', async () => {
    const cwd = await withBaseline({ 'scenarios/a.yaml': shop, 'scenarios/shop.yaml': shop });
    write(cwd, { 'scenarios/shop.yaml': shop.replace('assumed: 40ms', 'assumed: 52ms') });
    await check(cwd, ['--baseline', 'baseline', '--summary', 'summary.md']);
    const markdown = readFileSync(path.join(cwd, 'summary.md'), 'utf8');
    expect(markdown).toContain('## faultreel: 1 scenario not as told');
    expect(markdown).toMatch(/\| orders p50 in sale \(base\) \| \d+ ms \| \d+ ms \| \+\d[\d.]* ms to \+\d[\d.]* ms \|/);
    expect(markdown).toContain('`faultreel run` makes of it `out/shop/video.mp4`, `out/shop/report.pdf`, `out/shop/replay.html`');
    expect(markdown).not.toContain('### scenarios/a.yaml');
  });

  it('as annotations stands at file and line, in GitHub alone', async () => {
    const cwd = folderWith({ 'scenarios/shop.yaml': wrong });
    expect((await check(cwd, ['--seeds', '1'])).stderr).toBe('');
    const env = { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: path.dirname(cwd), FAULTREEL_RESULTS_CACHE: 'off' };
    const { stderr, stdout } = await check(cwd, ['--seeds', '1', '--json'], { env });
    expect(stderr).toContain(`::error file=${path.basename(cwd)}/scenarios/shop.yaml,line=14`);
    expect((await check(cwd, ['--seeds', '1', '--quiet'], { env: { ...env, GITHUB_WORKSPACE: undefined } })).stderr).toMatch(/^::error file=scenarios\/shop\.yaml,line=14,col=3,title=Objective ended otherwise than told::objective availability in before \(base\): orders good ≥ 99%25 is told to break, and held: found 100%25\n/);
    expect(() => JSON.parse(stdout) as unknown).not.toThrow();
  });

  it('cannot be written where nobody may write, and says so', async () => {
    const { code, stderr } = await check(folderWith({ 'scenarios/shop.yaml': shop }), ['--seeds', '1', '--junit', '/proc/faultreel/junit.xml']);
    expect(code).toBe(5);
    expect(stderr).toContain('--junit: cannot write /proc/faultreel/junit.xml: ');
  });
});

describe('shards', () => {
  it('check every scenario once, and say what the others do', async () => {
    const cwd = folderWith(Object.fromEntries(['a', 'b', 'c'].map((name) => [`scenarios/${name}.yaml`, shop])));
    const outputs = [await check(cwd, ['--shard', '1/2', '--seeds', '1']), await check(cwd, ['--shard', '2/2', '--seeds', '1'])].map(({ stdout }) => stdout);
    const files = outputs.map((text) => [...text.matchAll(/^ok +(\S+)/gm)].map(([, file]) => file));
    expect(files.flat().toSorted()).toEqual(['scenarios/a.yaml', 'scenarios/b.yaml', 'scenarios/c.yaml']);
    expect(outputs[0]).toContain('not checked: 1 in other shards');
  });
});
