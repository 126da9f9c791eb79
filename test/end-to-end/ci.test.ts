import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readAction, runAction, type Ended } from './composite-action.js';

const root = path.resolve(import.meta.dirname, '../..');
const bin = path.join(root, 'dist/src/cli/bin.js');
const work = mkdtempSync(path.join(os.tmpdir(), 'faultreel-ci-'));
afterAll(() => rmSync(work, { recursive: true, force: true }));

const steady = 'scenarios/steady.yaml';
const sale = `scenarios/two words/the "big" sale's.yaml`;
const quick = '--sensitivity off --size 320x180 --fps 10 --duration 10s';
const origin = path.join(work, 'origin');

/** Nothing of the machine that runs the tests but its programs, its browser and what this file simulated before. */
const clean = {
  PATH: `${path.join(work, 'bin')}:${path.dirname(process.execPath)}:${process.env.PATH ?? ''}`,
  HOME: process.env.HOME ?? work,
  GIT_CONFIG_GLOBAL: '/dev/null',
  ...Object.fromEntries(['author', 'committer'].flatMap((who) => [[`GIT_${who.toUpperCase()}_NAME`, 'Tester'], [`GIT_${who.toUpperCase()}_EMAIL`, 'tester@example.org']])),
  FAULTREEL_RESULTS_CACHE: path.join(work, 'results'),
};

const git = (cwd: string, ...words: readonly string[]): string => execFileSync('git', words, { cwd, env: clean, encoding: 'utf8' });
const commit = (cwd: string, message: string): void => {
  git(cwd, 'add', '-A');
  git(cwd, 'commit', '-qm', message);
};
const writeBaselines = (cwd: string): void => void execFileSync(process.execPath, [bin, 'check', '--baseline', 'baseline', '--update', '--seeds', '6'], { cwd, env: clean, stdio: 'pipe' });

/** What a pull request has checked out, with the built package among its modules. */
const checkedOut = (): string => {
  const cwd = mkdtempSync(path.join(work, 'clone-'));
  git(work, 'clone', '-q', '--branch', 'more-machine', origin, cwd);
  mkdirSync(path.join(cwd, 'node_modules'));
  symlinkSync(root, path.join(cwd, 'node_modules/faultreel'));
  return cwd;
};

interface Comment {
  readonly id: number;
  readonly user: { readonly login: string };
  readonly body: string;
}

/** The action of a pull request, on a runner of its own. */
const onGitHub = (cwd: string, inputs: Readonly<Record<string, string>>, token = 'of-the-job'): Ended & { readonly comments: readonly Comment[] } => {
  const event = path.join(cwd, '../event.json');
  writeFileSync(event, JSON.stringify({ pull_request: { number: 7 } }));
  const comments = `${cwd}-comments.json`;
  const env = { ...clean, ...githubOf(comments), GITHUB_EVENT_PATH: event, GITHUB_BASE_REF: 'main' };
  const ended = runAction(root, { baseline: 'baseline', seeds: '6', 'run-options': quick, ...inputs }, { cwd, env, token, temp: mkdtempSync(path.join(work, 'runner-')) });
  return { ...ended, comments: commentsIn(comments) };
};

const githubOf = (comments: string) => ({ GITHUB_ACTIONS: 'true', GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'acme/shop', GITHUB_RUN_ID: '1', GITHUB_WORKFLOW: 'rehearsals', GITHUB_JOB: 'check', GH_COMMENTS: comments });
const commentsIn = (file: string): readonly Comment[] => (existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as readonly Comment[]) : []);
const json = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

beforeAll(() => {
  mkdirSync(path.join(work, 'bin'));
  symlinkSync(path.join(root, 'test/end-to-end/fixtures/gh.mjs'), path.join(work, 'bin/gh'));
  const text = readFileSync(path.join(root, 'test/support/short.yaml'), 'utf8');
  for (const file of [steady, sale]) mkdirSync(path.dirname(path.join(origin, file)), { recursive: true });
  writeFileSync(path.join(origin, '.gitignore'), 'out/\nnode_modules\n');
  writeFileSync(path.join(origin, steady), text.replace('one sale too many', 'steady'));
  writeFileSync(path.join(origin, sale), text);
  git(origin, 'init', '-q', '-b', 'main');
  writeBaselines(origin);
  commit(origin, 'two scenarios and what they come to');
  git(origin, 'switch', '-q', '-c', 'more-machine');
  expect(text).toContain('cpus: 0.5');
  writeFileSync(path.join(origin, sale), text.replace('cpus: 0.5', 'cpus: 1'));
  commit(origin, 'twice the machine');
});

describe('the GitHub action, on a pull request that changes one value', () => {
  let cwd: string;
  let first: ReturnType<typeof onGitHub>;
  beforeAll(() => {
    cwd = checkedOut();
    first = onGitHub(cwd, {});
  });

  it('checks the scenario that changed, and ends as the check does', () => {
    expect(first.code, first.log).toBe(4);
    const checked = json(path.join(cwd, 'out/faultreel/check.json')) as { readonly scenarios: readonly { readonly file: string }[]; readonly leftOut: unknown };
    expect(checked.scenarios.map(({ file }) => file)).toEqual([sale]);
    expect(checked.leftOut).toEqual({ unchanged: [steady], otherShard: [] });
    expect(first.outputs).toEqual({ passed: 'false', changed: JSON.stringify([sale]), summary: path.join(cwd, 'out/faultreel/summary.md') });
    expect(readFileSync(path.join(cwd, 'out/faultreel/junit.xml'), 'utf8')).toContain('<failure message=');
  });

  it('puts what changed at its file and line', () => {
    const errors = [...first.log.matchAll(/^::error file=(.*?),line=(\d+),col=\d+,title=(.*?)::(.*)$/gm)].map(([, file, line, title, text]) => ({ file, line, title, text }));
    expect(errors.map(({ file }) => file)).toEqual(errors.map(() => sale));
    expect(errors).toContainEqual({ file: sale, line: '1', title: 'Changed against the baseline', text: expect.stringMatching(/^\d+ figures? changed: .* → .*interval of the change/) });
  });

  it('tells the figures with the intervals of their change, and what was filmed, in the summary of the step', () => {
    expect(first.stepSummary).toMatch(/\| orders p95 in sale \(as-it-is\) \| [\d.,]+ m?s \| [\d.,]+ m?s \| −[\d.,]+ m?s to −[\d.,]+ m?s \|/);
    expect(first.stepSummary).toContain(`| \`${sale}\`, \`as-it-is\` | figures changed | \`films/scenarios/two words/the _big_ sale's\`: video.mp4, report.pdf, replay.html, summary.md |`);
    expect(first.stepSummary).not.toContain('makes of it');
    expect(first.stepSummary).toBe(readFileSync(first.outputs.summary, 'utf8'));
  });

  it('films the variant in which something changed', () => {
    const changing = checkedOut();
    writeFileSync(path.join(changing, sale), readFileSync(path.join(origin, steady), 'utf8').replace('services.shop.cpus: 2', 'services.shop.cpus: 1'));
    const { code, log, stepSummary } = onGitHub(changing, { 'run-options': '--sensitivity off --only report', comment: 'false' });
    expect(code, log).toBe(4);
    expect(stepSummary).toContain(`| \`${sale}\`, \`bigger\` | figures changed | \`films/scenarios/two words/the _big_ sale's\`: report.pdf, summary.md |`);
    expect(readFileSync(path.join(changing, "out/faultreel/films/scenarios/two words/the _big_ sale's/summary.md"), 'utf8')).toMatch(/^bigger: /m);
  });

  it('makes a film and a report of that scenario alone, for an artifact with names that it can have', () => {
    const out = path.join(cwd, 'out/faultreel');
    expect(readdirSync(path.join(out, 'films/scenarios'))).toEqual(['two words']);
    expect(readdirSync(path.join(out, "films/scenarios/two words/the _big_ sale's"))).toEqual(expect.arrayContaining(['report.pdf', 'video.mp4']));
    expect(readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((name) => /[":<>|*?\r\n]|(^|\/)\./.test(name))).toEqual([]);
    expect(first.used['Upload']).toMatchObject({ name: 'faultreel', path: out });
  });

  it('writes one comment; the next run updates it, and leaves alone what a stranger copied', () => {
    expect(first.comments).toHaveLength(1);
    const [{ body }] = first.comments;
    expect(body).toContain(first.stepSummary);
    expect(body).toContain('https://github.com/acme/shop/actions/runs/1');
    const file = `${cwd}-comments.json`;
    const copied = { id: 1, user: { login: 'stranger' }, body };
    const others = Array.from({ length: 120 }, (_, i) => ({ id: 1000 + i, user: { login: 'github-actions[bot]' }, body: 'Thank you' }));
    writeFileSync(file, JSON.stringify([copied, ...others, { ...first.comments[0], body: `${body.split('\n')[0]}\nof an earlier run` }]));
    const second = onGitHub(cwd, { film: 'false' });
    expect(second.code).toBe(4);
    expect(second.comments).toHaveLength(122);
    expect(second.comments[0]).toEqual(copied);
    expect(second.comments[121]).toMatchObject({ id: first.comments[0].id, body: expect.stringContaining('orders p95 in sale') });
    expect(existsSync(path.join(cwd, 'out/faultreel/films'))).toBe(false);
  });

  it('says so, and fails no further, where it may not comment', () => {
    const { code, log, comments } = onGitHub(checkedOut(), { film: 'false' }, 'of-a-fork');
    expect(code).toBe(4);
    expect(log).toContain('::warning title=faultreel::the pull request has no comment: gh: Resource not accessible by integration (HTTP 403)');
    expect(comments).toEqual([]);
  });

  it('leaves out what is more than its bound, and says which', () => {
    const { code, stepSummary } = onGitHub(checkedOut(), { film: 'true', films: '0', 'changed-since': 'all', comment: 'false' });
    expect(code).toBe(4);
    expect(stepSummary).toContain(`Not filmed: \`${sale}\` (more than 0), \`${steady}\` (more than 0)`);
  });

  it('passes when the baseline was written anew and committed', () => {
    const accepting = checkedOut();
    writeBaselines(accepting);
    commit(accepting, 'what it comes to now');
    const { code, log, outputs, stepSummary } = onGitHub(accepting, {});
    expect(code, log).toBe(0);
    expect(outputs).toMatchObject({ passed: 'true', changed: JSON.stringify([sale]) });
    expect(stepSummary).toMatch(/^## faultreel: as told\n/);
    expect(stepSummary).toContain(`| \`${sale}\` | file changed |`);
  });
});

describe('the GitHub action in a folder of the repository', () => {
  it('names files of annotations from the root, and checks all where the history is too short to tell', () => {
    const cwd = mkdtempSync(path.join(work, 'deep-'));
    const inner = path.join(cwd, 'a, b');
    git(work, 'clone', '-q', '--branch', 'more-machine', origin, inner);
    rmSync(path.join(inner, '.git'), { recursive: true });
    git(cwd, 'init', '-q');
    mkdirSync(path.join(cwd, 'node_modules'));
    symlinkSync(root, path.join(cwd, 'node_modules/faultreel'));
    const { code, log, stepSummary } = onGitHub(cwd, { 'working-directory': 'a, b', film: 'false', shard: '1/1' });
    expect(code).toBe(4);
    expect(log).toContain(`::error file=a%2C b/${sale},line=`);
    expect(log).toContain('all scenarios are checked: this clone does not reach back to origin/main');
    expect(stepSummary).toContain('1 of 2 scenarios passed');
  });

  it('tells how a check ended that could not be done, and takes no input for a command', () => {
    const cwd = checkedOut();
    const { code, log, stepSummary, outputs, comments } = onGitHub(cwd, { paths: `no "such" '$(touch pwned)'; touch pwned\n`, shard: '1/2' });
    expect(code, log).toBe(2);
    expect(stepSummary).toContain('## faultreel: the check could not be done (exit code 2)');
    expect(stepSummary).toContain('there is no such file or folder');
    expect(comments[0].body).toContain('· shard 1/2');
    expect(outputs).toMatchObject({ passed: 'false', changed: '[]' });
    expect(existsSync(path.join(cwd, 'pwned'))).toBe(false);
  });
});

describe('action.yml', () => {
  const action = readAction(root);
  it('pins the actions that it uses, puts no input into a command, and uses every input that it has', () => {
    expect(action.runs.steps.flatMap(({ uses }) => uses ?? [])).toEqual(['actions/cache/restore@v4', 'actions/cache/save@v4', 'actions/upload-artifact@v4']);
    for (const { run, shell } of action.runs.steps) if (run !== undefined) expect([shell, run]).toEqual(['bash', expect.not.stringContaining('${{')]);
    const text = JSON.stringify(action.runs);
    expect(Object.keys(action.inputs).filter((name) => !text.includes(`inputs.${name} }}`))).toEqual([]);
  });
});

describe('docs/ci.md', () => {
  const inputs = Object.entries(readAction(root).inputs);
  it('lists the inputs of the action with their defaults', () => {
    const rows = [...readFileSync(path.join(root, 'docs/ci.md'), 'utf8').matchAll(/^\| `([a-z-]+)` \| .* \| (.*)\|$/gm)].map(([, name, usual]) => [name, usual.replaceAll('`', '').trim()]);
    expect(rows.map(([name]) => name)).toEqual(inputs.map(([name]) => name));
    for (const [name, { default: usual = '' }] of inputs) if (usual !== '' && name !== 'token') expect(rows).toContainEqual([name, usual]);
  });

  it.each(['ci.md', 'ci.ko.md'])('%s shows a workflow with inputs that there are, at the version that this is', (page) => {
    const [, workflow] = /```yml\n(name:[\s\S]*?)```/.exec(readFileSync(path.join(root, 'docs', page), 'utf8')) ?? [];
    const { jobs } = parse(workflow) as { readonly jobs: { readonly check: { readonly steps: readonly { readonly uses: string; readonly with: object }[] } } };
    const step = jobs.check.steps[1];
    expect(step.uses).toBe(`OWNER/faultreel@v${(json(path.join(root, 'package.json')) as { readonly version: string }).version}`);
    expect(inputs.map(([name]) => name)).toEqual(expect.arrayContaining(Object.keys(step.with)));
  });
});

describe('the GitLab job', () => {
  const { faultreel } = parse(readFileSync(path.join(root, 'ci/gitlab.yml'), 'utf8')) as { readonly faultreel: { readonly script: readonly string[]; readonly artifacts: { readonly paths: readonly string[]; readonly reports: { readonly junit: string } } } };
  const onGitLab = (cwd: string, env: Readonly<Record<string, string>>): { readonly status: number | null; readonly stdout: string; readonly stderr: string } =>
    spawnSync('bash', ['-eo', 'pipefail', '-c', faultreel.script.join('\n')], { cwd, env: { ...clean, FAULTREEL_BASELINE: 'baseline', FAULTREEL_SEEDS: '6', FAULTREEL_RUN_OPTIONS: quick, ...env }, encoding: 'utf8' });

  it('checks what a merge request changed, films it, and leaves what its artifacts name', () => {
    const cwd = checkedOut();
    const { status, stdout, stderr } = onGitLab(cwd, { CI_MERGE_REQUEST_DIFF_BASE_SHA: git(cwd, 'rev-parse', 'origin/main').trim() });
    expect(status, stderr).toBe(4);
    expect(stdout).toContain('1 unchanged');
    expect(readFileSync(path.join(cwd, faultreel.artifacts.reports.junit), 'utf8')).toContain('<failure message=');
    expect(existsSync(path.join(cwd, faultreel.artifacts.paths[0], "films/scenarios/two words/the _big_ sale's/video.mp4"))).toBe(true);
  });

  it('shares the scenarios among parallel jobs', () => {
    const files = ['1', '2'].flatMap((index) => {
      const cwd = checkedOut();
      onGitLab(cwd, { CI_NODE_INDEX: index, CI_NODE_TOTAL: '2', FAULTREEL_FILM: 'false' });
      return (json(path.join(cwd, 'out/faultreel/check.json')) as { readonly scenarios: readonly { readonly file: string }[] }).scenarios.map(({ file }) => file);
    });
    expect(files.toSorted()).toEqual([steady, sale]);
  });
});

describe('what is installed where nothing is', () => {
  const pinnedIn = (files: Readonly<Record<string, unknown>>, version = ''): string => {
    const cwd = mkdtempSync(path.join(work, 'project-'));
    for (const [name, content] of Object.entries({ '.git/x': {}, ...files })) {
      mkdirSync(path.dirname(path.join(cwd, name)), { recursive: true });
      writeFileSync(path.join(cwd, name), JSON.stringify(content));
    }
    return execFileSync(process.execPath, [path.join(root, 'ci/pinned.mjs')], { cwd, env: { ...clean, FAULTREEL_VERSION: version }, encoding: 'utf8', stdio: 'pipe' }).replace(cwd, '.');
  };
  const manifest = { devDependencies: { faultreel: '^0.1.0' } };
  const lock = (locked: unknown): unknown => ({ packages: { 'node_modules/faultreel': locked } });

  it('is what the lock file pins, else what package.json names, else what is asked for, else the version of the action', () => {
    expect(pinnedIn({ 'package.json': manifest, 'package-lock.json': lock({ version: '0.1.7' }) }, '9.9.9')).toBe('faultreel@0.1.7');
    expect(pinnedIn({ 'package.json': manifest, 'package-lock.json': lock({ version: '0.1.7', resolved: 'file:vendor/a b.tgz' }) })).toBe('./vendor/a b.tgz');
    expect(pinnedIn({ 'package.json': manifest })).toBe('faultreel@^0.1.0');
    expect(pinnedIn({}, '9.9.9')).toBe('faultreel@9.9.9');
    expect(pinnedIn({ 'a b.tgz': '' }, 'a b.tgz')).toBe('./a b.tgz');
    expect(pinnedIn({})).toBe(`faultreel@${(json(path.join(root, 'package.json')) as { readonly version: string }).version}`);
  });

  it('goes into a folder of its own, from a tarball with a space in its name, too', () => {
    const cwd = mkdtempSync(path.join(work, 'bare-'));
    const programs = path.join(cwd, 'programs');
    mkdirSync(programs);
    writeFileSync(path.join(cwd, 'a b.tgz'), '');
    // Stands in for npm: notes what it is asked for, and puts the built package there.
    writeFileSync(path.join(programs, 'npm'), `#!/bin/sh\nprintf '%s\\n' "$@" >"$NPM_ASKED"\nmkdir -p "$3/node_modules"\nln -s "$NPM_GIVES" "$3/node_modules/faultreel"\n`);
    chmodSync(path.join(programs, 'npm'), 0o755);
    const [asked, output] = ['asked', 'output'].map((name) => path.join(cwd, name));
    execFileSync('bash', [path.join(root, 'ci/install.sh')], { cwd, env: { ...clean, PATH: `${programs}:${clean.PATH}`, NPM_ASKED: asked, NPM_GIVES: root, FAULTREEL_VERSION: 'a b.tgz', RUNNER_TEMP: cwd, GITHUB_OUTPUT: output }, stdio: 'pipe' });
    const [install, , folder, ...rest] = readFileSync(asked, 'utf8').trimEnd().split('\n');
    expect([install, path.dirname(folder), rest.at(-1)]).toEqual(['install', cwd, path.join(cwd, 'a b.tgz')]);
    expect(readFileSync(output, 'utf8')).toContain(`program=${folder}/node_modules/faultreel/dist/src/cli/bin.js\n`);
  });
});

describe('limits of GitHub', () => {
  it('are kept: a comment of 65,536 characters, a step summary of 1 MiB', () => {
    const cwd = mkdtempSync(path.join(work, 'long-'));
    const file = path.join(cwd, 'summary.md');
    for (let i = 0; i < 40_000; i += 1) appendFileSync(file, `- 주문 ${i} orders p95 is what it was\n`);
    const env = { ...clean, ...githubOf(path.join(cwd, 'comments.json')), GH_TOKEN: 'of-the-job', FAULTREEL_COMMENT: 'true', FAULTREEL_OUT: cwd, GITHUB_EVENT_PATH: path.join(cwd, 'event.json'), GITHUB_STEP_SUMMARY: path.join(cwd, 'step') };
    writeFileSync(env.GITHUB_EVENT_PATH, JSON.stringify({ pull_request: { number: 7 } }));
    for (const script of ['summary.mjs', 'comment.mjs']) execFileSync(process.execPath, [path.join(root, 'ci', script)], { env, stdio: 'pipe' });
    const [{ body }] = commentsIn(env.GH_COMMENTS);
    expect(body.length).toBeGreaterThan(65_000);
    expect(body).toMatch(/\n- .* is what it was\n\nThe rest did not fit into a comment; the page of the run has it\.\n/);
    const step = readFileSync(env.GITHUB_STEP_SUMMARY);
    expect([step.length > 1_000_000, step.length <= 2 ** 20]).toEqual([true, true]);
  });

  it('words of run-options are split as a shell splits them', async () => {
    const script = '../../ci/words.mjs';
    const { wordsOf } = (await import(script)) as { readonly wordsOf: (line: string) => readonly string[] };
    expect(wordsOf(` --set values.x="1 2" 'a "b"'  c\\ d --lang ko\n`)).toEqual(['--set', 'values.x=1 2', 'a "b"', 'c d', '--lang', 'ko']);
    expect(wordsOf('')).toEqual([]);
  });
});
