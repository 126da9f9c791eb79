import { readFileSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isUnfit } from '../../renderers/browser/camera.js';
import { exitCodes, describeError } from '../../src/errors.js';
import { realHost, type Host } from '../../src/host.js';
import { openExecutor, type OpenExecutor } from '../../src/pipeline/executor.js';
import type { FilmJob } from '../../src/pipeline/job.js';
import { filmOf } from '../../src/pipeline/produce.js';
import { silent } from '../../src/pipeline/progress.js';
import { makeStudy } from '../../src/pipeline/simulate.js';
import { parseScenario } from '../../src/scenario/index.js';
import { failureOf, gone, temporaryFolder } from '../browser/machine.js';

const losing: OpenExecutor = (options) => openExecutor({ ...options, program: new URL('fixtures/thread-that-is-lost.mjs', import.meta.url) });

/** A machine with a temporary folder of its own, and the programs that lost threads have started there. */
const machine = async (env: Record<string, string> = {}): Promise<{ host: Host; tmpdir: string; started: () => Promise<number[]> }> => {
  const [tmpdir, folder] = [await temporaryFolder(), await temporaryFolder()];
  const log = path.join(folder, 'log');
  const started = async (): Promise<number[]> => (await readFile(log, 'utf8')).trim().split('\n').map(Number);
  return { host: { ...realHost(), tmpdir, env: { ...process.env, FAULTREEL_TEST_LOG: log, ...env } }, tmpdir, started };
};

const signal = new AbortController().signal;
const job = { kind: 'film', story: {}, task: { name: 'part 1 of 2 of the film' } } as unknown as FilmJob;

test('a thread that is lost leaves neither the programs that it started nor its files, and its job goes to the next one', async () => {
  const { host, tmpdir, started } = await machine({ FAULTREEL_TEST_ENOUGH: '1' });
  const notices: string[] = [];
  const executor = losing({ host, signal, threads: 2 });
  const error: unknown = await executor.runJobs([() => job], { onProgress: () => undefined, onNotice: (text) => notices.push(text) }).catch((reason: unknown) => reason);
  await executor.close();
  expect(notices).toEqual(['A thread ended while it filmed part 1 of 2 of the film; another one does it again.']);
  // What the next one says of the camera is understood on this side.
  expect([isUnfit(error), String(error)]).toEqual([true, 'CameraUnfit: part 1 of 2 of the film differs']);
  const pids = await started();
  expect([pids.length, await Promise.all(pids.map(gone))]).toEqual([1, [true]]);
  expect(await readdir(tmpdir)).toEqual([]);
});

test('a segment that loses two threads is the error of its film, which leaves nothing', async () => {
  const { host, tmpdir, started } = await machine();
  const study = await makeStudy(parseScenario(readFileSync(path.resolve(import.meta.dirname, '../support/short.yaml'), 'utf8'), { file: 'shop.yaml' }), { seeds: 1, sensitivity: 'off', threads: 1 }, { host, signal, progress: silent });
  const folder = await temporaryFolder();
  const notices: string[] = [];
  const progress = { ...silent, notice: (text: string) => void notices.push(text) };
  const error = await failureOf(filmOf(study, folder, { variant: 'as-it-is', lang: 'en', theme: 'dark', width: 320, height: 180, fps: 10, durationMs: 40_000, jobs: 2, machine: null }, { host, signal, progress, openExecutor: losing }));
  expect([error.exitCode, describeError(error)]).toEqual([exitCodes.internal, expect.stringMatching(/^a thread ended while it filmed part [12] of 2 of the film\n {2}Run again with --jobs 1; if memory is short, close what else is running$/)]);
  expect(notices.filter((notice) => /^A thread ended while it filmed part [12] of 2 of the film; another one does it again\.$/.test(notice)).length).toBeGreaterThanOrEqual(1);
  const pids = await started();
  expect(pids.length).toBeGreaterThanOrEqual(2);
  expect(await Promise.all(pids.map(gone))).toEqual(pids.map(() => true));
  expect([await readdir(folder), await readdir(tmpdir)]).toEqual([[], []]);
});
