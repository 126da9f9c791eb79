import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readStudy } from '../../src/study/read.js';

const root = path.resolve(import.meta.dirname, '../..');
const built = (file: string): string => pathToFileURL(path.join(root, 'dist/src', file)).href;
const bin = path.join(root, 'dist/src/cli/bin.js');

const workFolder = (): string => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'faultreel-end-'));
  copyFileSync(path.join(root, 'test/support/short.yaml'), path.join(folder, 'shop.yaml'));
  return folder;
};
const faultreel = (cwd: string, args: readonly string[]): { status: number | null; stdout: string; stderr: string } => spawnSync(process.execPath, [bin, ...args], { cwd, encoding: 'utf8', maxBuffer: 2 ** 28 });

describe('runs side by side', () => {
  it('come to the same bytes in one thread, two and three, whatever was tried', () => {
    const cwd = workFolder();
    const studies = [1, 2, 3].map((threads) => {
      const { status, stdout, stderr } = faultreel(cwd, ['run', 'shop.yaml', '--only', 'text', '--json', '--seeds', '3', '--sensitivity', 'all', '--sweep', 'values.normal=10/s..40/s:4', '--sweep', 'services.shop.slots=4..8:5', '--threads', String(threads)]);
      expect(status, stderr).toBe(0);
      return stdout;
    });
    const study = readStudy(studies[0], 'stdout');
    expect(study.spread?.seeds).toEqual([5, 6, 7]);
    expect(Object.keys(study.sensitivity!)).toEqual(['as-it-is', 'bigger']);
    expect(study.sensitivity!['as-it-is'].runs).toBeGreaterThan(2);
    expect(study.sweeps.map(({ values }) => values)).toEqual([[10, 20, 30, 40], [4, 5, 6, 7, 8]]);
    expect(studies[1] === studies[0]).toBe(true);
    expect(studies[2] === studies[0]).toBe(true);
  });
});

/** A shop with so many guesses that testing them takes minutes. */
const manyGuesses = (text: string): string => text.replace('[ { wait: 10ms }', `[ ${Array.from({ length: 60 }, (_, i) => `{ wait: { assumed: ${i + 1}us, range: [0us, ${i + 2}us], why: a guess } }`).join(', ')}, { wait: 10ms }`).replaceAll('90/s', '400/s');

describe('a run that is interrupted while it tests its guesses', () => {
  it.each(['1', '2'])('ends with 130, leaves what stood before and no temporary file: --threads %s', async (threads) => {
    const cwd = workFolder();
    expect(faultreel(cwd, ['run', 'shop.yaml', '--only', 'report', '--sensitivity', 'off']).status).toBe(0);
    const before = readFileSync(path.join(cwd, 'out/shop/study.json'));
    writeFileSync(path.join(cwd, 'shop.yaml'), manyGuesses(readFileSync(path.join(cwd, 'shop.yaml'), 'utf8')));
    const child = spawn(process.execPath, [bin, 'run', 'shop.yaml', '--only', 'report', '--threads', threads], { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
    let stderr = '';
    const testing = new Promise<void>((resolve) => child.stderr.on('data', (text: Buffer) => ((stderr += text.toString()), stderr.includes('both ends of every range') && resolve())));
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    await Promise.race([testing, ended]);
    child.kill('SIGINT');
    expect(await ended, stderr).toBe(130);
    expect(stderr).toContain('Interrupted: what was not finished was not replaced.');
    expect(readdirSync(path.join(cwd, 'out'))).toEqual(['shop']);
    expect(readFileSync(path.join(cwd, 'out/shop/study.json')).equals(before)).toBe(true);
  });
});

/** What a script says that has an executor do four runs; it must end by itself, which it cannot while a thread is left. */
const executorSays = (threads: number, { times = 0, body = 'await executor.runJobs(jobs, ears)' }: { times?: number; body?: string } = {}): string => {
  const cwd = workFolder();
  const notes = path.join(cwd, 'notes');
  writeFileSync(path.join(cwd, 'ending.mjs'), endingThread(notes, times));
  writeFileSync(path.join(cwd, 'thread.mjs'), `import './ending.mjs';\nimport ${JSON.stringify(built('pipeline/job-worker.js'))};\n`);
  const script = `
    import { readFileSync } from 'node:fs';
    const { parse, realHost } = await import(${JSON.stringify(built('index.js'))});
    const { askedOf } = await import(${JSON.stringify(built('analysis/index.js'))});
    const { openExecutor } = await import(${JSON.stringify(built('pipeline/executor.js'))});
    const { variants } = parse(readFileSync('shop.yaml', 'utf8'), { file: 'shop.yaml' });
    const executor = openExecutor({ host: realHost(), signal: new AbortController().signal, threads: ${threads}, program: new URL(${JSON.stringify(pathToFileURL(path.join(cwd, 'thread.mjs')).href)}) });
    const jobs = [1, 2, 3, 4].map((seed) => () => ({ kind: 'simulate', system: variants[0], seed, asked: askedOf(variants[0], variants), wantsRun: false }));
    const ears = { onProgress: () => undefined, onNotice: (text) => console.error(text) };
    try {
      console.log(JSON.stringify(${body}));
    } catch (error) {
      console.log(JSON.stringify({ message: error.message, exitCode: error.exitCode, hint: error.problems?.[0].hint }));
    } finally {
      await executor.close();
    }
  `;
  // Threads inherit `-e` and its kin, so it is a file.
  writeFileSync(path.join(cwd, 'script.mjs'), script);
  const { stdout, stderr, status } = spawnSync(process.execPath, ['script.mjs'], { cwd, encoding: 'utf8', timeout: 120_000 });
  expect(status, stderr || 'it did not end by itself').toBe(0);
  expect(existsSync(notes) ? readFileSync(notes, 'utf8').length : 0, stdout).toBe(times);
  return stdout;
};

/** Ends its thread when the job with seed 2 comes, so many times, each noted in a file: what the built worker, whose listener is the second, cannot know. */
const endingThread = (notes: string, times: number): string => `
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';

const notes = ${JSON.stringify(notes)};
parentPort.on('message', ({ job }) => {
  if (job?.seed !== 2 || (existsSync(notes) && readFileSync(notes, 'utf8').length >= ${times})) return;
  appendFileSync(notes, '.');
  process.exit(1);
});
`;

describe('an executor of threads', () => {
  it('loses nothing with a thread that ends: another one does its job', () => {
    expect(executorSays(2, { times: 1 })).toBe(executorSays(1));
  });

  it('gives up a job that costs two threads, and says what may help', () => {
    expect(JSON.parse(executorSays(2, { times: 2 }))).toEqual({ message: 'a thread ended while it simulated as-it-is', exitCode: 1, hint: 'Run again with --threads 1; if memory is short, close what else is running' });
  });

  it('gives up all jobs when one cannot be made, and leaves no thread', () => {
    expect(executorSays(2, { body: 'await executor.runJobs([jobs[0], () => { throw new Error("no such system"); }, ...jobs], ears)' })).toBe('{"message":"no such system"}\n');
  });
});
