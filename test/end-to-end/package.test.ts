import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const work = mkdtempSync(path.join(os.tmpdir(), 'faultreel-package-'));
afterAll(() => rmSync(work, { recursive: true, force: true }));

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}
let packed: Packed;

const run = (command: string, words: readonly string[], cwd: string): { readonly status: number | null; readonly stdout: string; readonly stderr: string } => spawnSync(command, words, { cwd, encoding: 'utf8', maxBuffer: 1e8 });

/** Names of the packages that an installation without those for development has, at the top. */
const productionNames = (): readonly string[] => {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as { readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly devOptional?: boolean }>> };
  return Object.entries(packages).flatMap(([place, { dev = false }]) => {
    const name = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(place)?.[1];
    return name === undefined || dev || !existsSync(path.join(root, place)) ? [] : [name];
  });
};

beforeAll(() => {
  const { status, stdout, stderr } = run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', work], root);
  expect(status, stderr).toBe(0);
  [packed] = JSON.parse(stdout) as [Packed];
  mkdirSync(path.join(work, 'node_modules'));
  expect(run('tar', ['-xzf', packed.filename], work).status).toBe(0);
  expect(run('mv', ['package', 'node_modules/faultreel'], work).status).toBe(0);
  for (const name of productionNames()) {
    mkdirSync(path.dirname(path.join(work, 'node_modules', name)), { recursive: true });
    symlinkSync(path.join(root, 'node_modules', name), path.join(work, 'node_modules', name));
  }
  mkdirSync(path.join(work, 'node_modules/.bin'));
  symlinkSync('../faultreel/dist/src/cli/bin.js', path.join(work, 'node_modules/.bin/faultreel'));
  writeFileSync(path.join(work, 'package.json'), '{ "private": true }\n');
  writeFileSync(path.join(work, 'shop.yaml'), 'faultreel: 1\ntitle: Shop\nduration: 10s\nservices:\n  api: { machine: c6i.large, slots: 2, handlers: { get: [ { cpu: { assumed: 20ms, range: [10ms, 30ms] } } ] } }\ntraffic:\n  users: { to: api, send: get, open: { rate: 40/s } }\nobjectives:\n  fast: { of: users, p99: "<= 200ms" }\n');
});

describe('the package as it is published', () => {
  it('carries nothing but what is run, read and shown, and is of moderate size', () => {
    const wanted = /^(dist\/(src|renderers)\/.+\.(js|d\.ts)|templates\/.+|scenarios\/.+\.(yaml|md|txt)|docs\/.+\.(md|svg|png|webp|gif|jpg)|ci\/.+\.(sh|mjs|yml)|(README(\.ko)?|AGENTS|CHANGELOG|CONTRIBUTING|THIRD-PARTY)\.md|LICENSE|package\.json)$/;
    expect(packed.files.map((file) => file.path).filter((file) => !wanted.test(file))).toEqual([]);
    expect(packed.files.map((file) => file.path).filter((file) => /(^|\/)(test|bench|coverage|out|node_modules)\/|\.(map|env|pem|key|log)$|\.npmrc$/.test(file))).toEqual([]);
    expect(packed.size).toBeLessThan(12_000_000);
  });

  it('has every page that a page in it links to', () => {
    const names = new Set(packed.files.map((file) => file.path));
    const folders = new Set([...names].flatMap((name) => name.split('/').slice(0, -1).map((_, depth, parts) => parts.slice(0, depth + 1).join('/'))));
    const missing = [...names].filter((name) => name.endsWith('.md')).flatMap((name) => {
      const text = readFileSync(path.join(work, 'node_modules/faultreel', name), 'utf8').replace(/```[\s\S]*?```/g, '');
      return [...text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].flatMap(([, link]) => {
        if (/^[a-z]+:/.test(link)) return [];
        const target = path.posix.join(path.posix.dirname(name), link).replace(/\/$/, '');
        return names.has(target) || folders.has(target) ? [] : [`${name} links to ${link}`];
      });
    });
    expect(missing).toEqual([]);
  });

  it('validates a scenario with its dependencies alone', () => {
    const { status, stdout, stderr } = run('npx', ['--no-install', 'faultreel', 'validate', 'shop.yaml'], work);
    expect(status, stderr).toBe(0);
    expect(stdout).toBe('shop.yaml: valid\n');
  });

  it('makes film, report and replay of one with its dependencies alone', () => {
    const { status, stderr } = run('npx', ['--no-install', 'faultreel', 'run', 'shop.yaml', '--sensitivity', 'off', '--size', '320x180', '--duration', '10s'], work);
    expect(status, stderr).toBe(0);
    for (const file of ['video.mp4', 'video.vtt', 'poster.png', 'report.pdf', 'replay.html', 'study.json']) expect(statSync(path.join(work, 'out/shop', file)).size, file).toBeGreaterThan(100);
  });

  it('is a library with types', () => {
    writeFileSync(path.join(work, 'use.mjs'), "import { parse, simulate } from 'faultreel';\nimport { readFileSync } from 'node:fs';\nconst study = simulate(parse(readFileSync('shop.yaml', 'utf8'), { file: 'shop.yaml' }));\nprocess.stdout.write(String(study.runs.base.traffic.users.offered > 100));\n");
    expect(run(process.execPath, ['use.mjs'], work).stdout).toBe('true');
    expect(existsSync(path.join(work, 'node_modules/faultreel/dist/src/index.d.ts'))).toBe(true);
  });
});
