import { readFileSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { descendantsOf } from '../../renderers/browser/child.js';
import { segmentsAtOnce } from '../../src/pipeline/film.js';
import { openExecutor, type OpenExecutor } from '../../src/pipeline/executor.js';
import { Hands, type Job, type ResultOf } from '../../src/pipeline/job.js';
import { filmOf } from '../../src/pipeline/produce.js';
import { silent } from '../../src/pipeline/progress.js';
import { makeStudy } from '../../src/pipeline/simulate.js';
import { parseScenario } from '../../src/scenario/index.js';
import { writeStudy } from '../../src/study/write.js';
import { realHost, type Host } from '../../src/host.js';
import { profilesIn, temporaryFolder } from '../browser/machine.js';

const short = readFileSync(path.resolve(import.meta.dirname, '../support/short.yaml'), 'utf8');

/** Does all jobs from the last to the first, each with hands of its own, with what a wire lets through. */
const backwards = (done: string[]): OpenExecutor => ({ host, signal }) => ({
  async runJobs<J extends Job>(jobs: readonly (() => J)[], { onProgress, onNotice }: Parameters<ReturnType<OpenExecutor>['runJobs']>[1]) {
    const results: ResultOf<J>[] = [];
    const shares = jobs.map(() => 0);
    for (let index = jobs.length - 1; index >= 0; index--) {
      const hands = new Hands(host);
      const sent = structuredClone(jobs[index]());
      done.push(sent.kind);
      results[index] = structuredClone(await hands.do(sent, { signal, onNotice, onProgress: () => undefined }));
      await hands.close();
      shares[index] = 1;
      onProgress(shares);
    }
    return results;
  },
  close: () => Promise.resolve(),
});

test('another executor can take the place of ours: the same study, the same film', async () => {
  const scenario = parseScenario(short, { file: 'shop.yaml' });
  const signal = new AbortController().signal;
  const host: Host = { ...realHost(), cores: 1, tmpdir: await temporaryFolder() };
  const make = async (open: OpenExecutor): Promise<{ study: string; film: Buffer; frames: number[] }> => {
    const frames: number[] = [];
    const around = { host, signal, progress: { ...silent, step: (done: number, _total: number, unit: string) => void (unit === 'frames' && frames.push(done)) }, openExecutor: open };
    const study = await makeStudy(scenario, { seeds: 2, sensitivity: 'ends', threads: 1 }, around);
    const folder = await temporaryFolder();
    await filmOf(study, folder, { variant: 'as-it-is', lang: 'en', theme: 'dark', width: 320, height: 180, fps: 10, durationMs: 40_000, machine: null }, around);
    expect(await readdir(folder)).toEqual(['poster.png', 'video.mp4', 'video.vtt']);
    return { study: writeStudy(study), film: await readFile(path.join(folder, 'video.mp4')), frames };
  };
  const done: string[] = [];
  const [ours, other] = [await make(openExecutor), await make(backwards(done))];
  expect(other.study).toBe(ours.study);
  expect(other.film.equals(ours.film)).toBe(true);
  expect(done.filter((kind) => kind === 'film')).toHaveLength(2);
  expect(done.filter((kind) => kind === 'simulate').length).toBeGreaterThan(4);
  for (const { frames } of [ours, other]) expect([frames, frames.at(-1)]).toEqual([frames.toSorted((a, b) => a - b), 400]);
  expect([await profilesIn(host.tmpdir), descendantsOf(process.pid)]).toEqual([[], []]);
});

test.each([
  ['one on two cores: its browser and its encoder keep both at work', { cores: 2 }, {}, undefined, 1],
  ['one for every two cores', { cores: 7 }, {}, undefined, 3],
  ['four at most', { cores: 64 }, {}, undefined, 4],
  ['no more than memory carries', { cores: 16, memoryBytes: 3 * 2 ** 30 }, {}, undefined, 2],
  ['what --jobs says', { cores: 2 }, { FAULTREEL_BROWSERS: '3' }, 2, 2],
  ['what FAULTREEL_BROWSERS says', { cores: 2 }, { FAULTREEL_BROWSERS: '3' }, undefined, 3],
])('segments that are filmed at the same time are %s', (_, machine, env, jobs, count) => {
  expect(segmentsAtOnce({ memoryBytes: 64 * 2 ** 30, ...machine, env }, jobs)).toBe(count);
});
