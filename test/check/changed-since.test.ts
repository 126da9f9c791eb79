import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { main } from '../../src/cli/program.js';
import type { Checked } from '../../src/study/checked.js';
import { testHost } from '../support/host.js';

const quick = 'faultreel: 1\ntitle: quick\nduration: 1s\nservices: { s: { handlers: { a: [ { wait: 5ms } ] } } }\ntraffic: { t: { to: s, send: a, open: { rate: 20/s } } }\n';

let top: string;
const write = (name: string, text: string): void => {
  mkdirSync(path.dirname(path.join(top, name)), { recursive: true });
  writeFileSync(path.join(top, name), text);
};
const git = (...args: string[]): void => {
  const { status, stderr } = spawnSync('git', ['-C', top, '-c', 'user.name=T', '-c', 'user.email=t@example.org', '-c', 'commit.gpgsign=false', ...args], { encoding: 'utf8' });
  expect(status, stderr).toBe(0);
};
const commit = (): void => {
  git('add', '-A');
  git('commit', '-q', '-m', 'a commit');
};

const check = async (words: readonly string[], cwd = top): Promise<{ code: number; files: readonly string[]; because: readonly string[]; stderr: string }> => {
  const host = testHost(['check', '--seeds', '6', '--json', ...words], { cwd });
  const code = await main(host);
  const out = host.written.stdout();
  const { scenarios } = out === '' ? { scenarios: [] } : (JSON.parse(out) as Checked);
  return { code, files: scenarios.map(({ file }) => file), because: scenarios.map(({ because }) => because), stderr: host.written.stderr() };
};

beforeEach(() => {
  top = mkdtempSync(path.join(os.tmpdir(), 'faultreel-git-'));
  git('init', '-q', '-b', 'main');
  for (const name of ['scenarios/a.yaml', 'scenarios/b.yaml', 'scenarios/an old one.yaml']) write(name, quick);
  write('package.json', '{ "devDependencies": { "faultreel": "0.1.0" } }\n');
  commit();
  git('checkout', '-q', '-b', 'work');
});

describe('--changed-since', () => {
  it('checks nothing when nothing changed, and that is a success', async () => {
    expect(await check(['--changed-since', 'main'])).toMatchObject({ code: 0, files: [], stderr: '0 of 0 scenarios passed under 6 seeds; not checked: 3 unchanged\n' });
  });

  it('checks what was committed since, what is not committed yet, and what is new', async () => {
    write('scenarios/a.yaml', quick.replace('20/s', '30/s'));
    commit();
    write('scenarios/an old one.yaml', quick.replace('20/s', '40/s'));
    write('scenarios/새.yaml', quick);
    expect((await check(['--changed-since', 'main'])).files).toEqual(['scenarios/a.yaml', 'scenarios/an old one.yaml', 'scenarios/새.yaml']);
  });

  it('does not check what changed on the other branch meanwhile', async () => {
    write('scenarios/a.yaml', quick.replace('20/s', '30/s'));
    commit();
    git('checkout', '-q', 'main');
    write('scenarios/b.yaml', quick.replace('20/s', '30/s'));
    commit();
    git('checkout', '-q', 'work');
    expect((await check(['--changed-since', 'main'])).files).toEqual(['scenarios/a.yaml']);
  });

  it('finds the same from a folder inside, and through a link', async () => {
    write('scenarios/a.yaml', quick.replace('20/s', '30/s'));
    const link = path.join(mkdtempSync(path.join(os.tmpdir(), 'faultreel-link-')), 'here');
    symlinkSync(top, link);
    expect((await check(['.', '--changed-since', 'main'], path.join(top, 'scenarios'))).files).toEqual(['a.yaml']);
    expect((await check(['--changed-since', 'main'], link)).files).toEqual(['scenarios/a.yaml']);
  });

  it('sees a link that leads elsewhere now, and what another repository inside holds', async () => {
    write('common/one.yaml', quick);
    write('common/two.yaml', quick.replace('20/s', '30/s'));
    symlinkSync('../common/one.yaml', path.join(top, 'scenarios/link.yaml'));
    commit();
    git('branch', '-f', 'main');
    expect((await check(['scenarios/link.yaml', '--changed-since', 'main'])).files).toEqual([]);
    rmSync(path.join(top, 'scenarios/link.yaml'));
    symlinkSync('../common/two.yaml', path.join(top, 'scenarios/link.yaml'));
    expect((await check(['scenarios/link.yaml', '--changed-since', 'main'])).files).toEqual(['scenarios/link.yaml']);
    write('scenarios/nest/n.yaml', quick);
    expect(spawnSync('git', ['init', '-q', path.join(top, 'scenarios/nest')]).status).toBe(0);
    expect((await check(['--changed-since', 'main'])).files).toEqual(['scenarios/nest/n.yaml']);
  });

  it('checks all when another version of faultreel is named, and says why', async () => {
    write('package.json', '{ "devDependencies": { "faultreel": "0.2.0" } }\n');
    const { because, stderr } = await check(['--changed-since', 'main']);
    expect(because).toEqual(['tool', 'tool', 'tool']);
    expect(stderr).toContain('all scenarios are checked: package.json names another faultreel\n');
  });

  it('is not moved by other changes of the same file', async () => {
    write('package.json', '{ "devDependencies": { "faultreel": "0.1.0" } }\n\n');
    expect((await check(['--changed-since', 'main'])).files).toEqual([]);
  });

  it('checks those whose baseline changed, is missing, or was written by another build', async () => {
    expect((await check(['--baseline', 'baseline', '--update'])).code).toBe(0);
    commit();
    git('branch', '-f', 'main');
    expect((await check(['--baseline', 'baseline', '--changed-since', 'main'])).files).toEqual([]);
    rmSync(path.join(top, 'baseline/scenarios/a.json'));
    expect((await check(['--baseline', 'baseline', '--changed-since', 'main'])).files).toEqual(['scenarios/a.yaml']);
    const file = path.join(top, 'baseline/scenarios/b.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"build": "\w+"/, '"build": "another"'));
    commit();
    git('branch', '-f', 'main');
    expect(await check(['--baseline', 'baseline', '--changed-since', 'main'])).toMatchObject({ files: ['scenarios/a.yaml', 'scenarios/b.yaml'], because: ['new', 'tool'] });
    writeFileSync(file, `${readFileSync(file, 'utf8')}\n`);
    expect((await check(['--baseline', 'baseline', '--changed-since', 'main'])).because).toEqual(['new', 'baseline']);
  });

  it.each([
    ['nowhere', '--changed-since: expected a commit, found "nowhere", which this clone does not have\n  Fetch it first'],
    ['--output=stolen', '--changed-since: expected a commit, found "--output=stolen"'],
  ])('refuses %s', async (ref, message) => {
    const { code, stderr } = await check([`--changed-since=${ref}`]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('refuses a history that does not reach to where the branch left', async () => {
    git('checkout', '-q', '--orphan', 'lone');
    write('scenarios/c.yaml', quick);
    commit();
    const { code, stderr } = await check(['--changed-since', 'main']);
    expect(code).toBe(2);
    expect(stderr).toContain('expected a common ancestor of main and this branch, found none in this clone');
  });

  it('needs a repository', async () => {
    const lone = mkdtempSync(path.join(os.tmpdir(), 'faultreel-lone-'));
    mkdirSync(path.join(lone, 'scenarios'));
    writeFileSync(path.join(lone, 'scenarios/a.yaml'), quick);
    const { code, stderr } = await check(['--changed-since', 'main'], lone);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^--changed-since: expected a git repository here, but git says: fatal: not a git repository/);
  });
});
