import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const built = (file: string): string => JSON.stringify(pathToFileURL(path.join(root, 'dist', file)).href);
const bin = path.join(root, 'dist/src/cli/bin.js');
const film = ['--only', 'video', '--size', '320x180', '--fps', '10', '--duration', '80s'];

/** A folder with a study, and a folder for temporary files of its own, which names every process that works in it. */
const workFolder = (): { cwd: string; env: Record<string, string | undefined>; left: () => { files: string[]; processes: string[] } } => {
  const cwd = mkdtempSync(path.join(os.tmpdir(), 'faultreel-end-'));
  const temporary = path.join(cwd, 'tmp');
  mkdirSync(temporary);
  const env = { ...process.env, TMPDIR: temporary, FAULTREEL_RESULTS_CACHE: 'off' };
  copyFileSync(path.join(root, 'test/support/short.yaml'), path.join(cwd, 'shop.yaml'));
  const { status, stderr } = spawnSync(process.execPath, [bin, 'run', 'shop.yaml', '--only', 'replay', '--sensitivity', 'off'], { cwd, env, encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  const processes = (): string[] =>
    readdirSync('/proc').flatMap((pid) => {
      try {
        const command = /^\d+$/.test(pid) ? readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ') : '';
        return command.includes(cwd) ? [command] : [];
      } catch {
        return [];
      }
    });
  return { cwd, env, left: () => ({ files: readdirSync(temporary).filter((name) => !name.startsWith('node-compile')), processes: processes() }) };
};

const nothing = { files: [], processes: [] };

/** Films the study in two threads and ends the first of them when it has filmed for a while, as nothing in it can notice. */
const losing = `
  import threads from 'node:worker_threads';
  import { syncBuiltinESMExports } from 'node:module';
  import { mkdirSync, readFileSync } from 'node:fs';
  const started = [];
  threads.Worker = class extends threads.Worker { constructor(...all) { super(...all); started.push(this); } };
  syncBuiltinESMExports();
  const { readStudy, realHost } = await import(${built('src/index.js')});
  const { filmOf } = await import(${built('src/pipeline/produce.js')});
  const said = { notices: [], frames: [] };
  let isLost = false;
  const step = (done) => {
    said.frames.push(done);
    if (!isLost && done > 60) void started[0].terminate();
    isLost ||= done > 60;
  };
  mkdirSync('lost');
  const look = { variant: 'as-it-is', lang: 'en', theme: 'dark', width: 320, height: 180, fps: 10, durationMs: 80_000, jobs: 2, machine: null };
  await filmOf(readStudy(readFileSync('out/shop/study.json', 'utf8'), 'study.json'), 'lost', look, { host: realHost(), signal: new AbortController().signal, progress: { step, detail: () => undefined, notice: (text) => said.notices.push(text) } });
  console.log(JSON.stringify(said));
`;

it('a film has the same bytes from one thread and two, also when one of them is lost in the middle, and nothing is left of that', () => {
  const { cwd, env, left } = workFolder();
  for (const jobs of ['1', '2']) {
    const { status, stderr } = spawnSync(process.execPath, [bin, 'render', 'out/shop/study.json', ...film, '--jobs', jobs, '--out', `by-${jobs}`], { cwd, env, encoding: 'utf8' });
    expect(status, stderr).toBe(0);
    expect(left()).toEqual(nothing);
  }
  writeFileSync(path.join(cwd, 'script.mjs'), losing);
  const { status, stdout, stderr } = spawnSync(process.execPath, ['script.mjs'], { cwd, env, encoding: 'utf8', timeout: 200_000 });
  expect(status, stderr || 'it did not end by itself').toBe(0);
  expect(left()).toEqual(nothing);
  const said = JSON.parse(stdout) as { notices: string[]; frames: number[] };
  expect(said.notices.filter((notice) => notice.includes('again'))).toEqual([expect.stringMatching(/^A thread ended while it filmed part [1-3] of 3 of the film; another one does it again\.$/)]);
  expect([said.frames, said.frames.at(-1)]).toEqual([said.frames.toSorted((a, b) => a - b), 800]);
  for (const name of ['video.mp4', 'video.vtt', 'poster.png']) {
    const one = readFileSync(path.join(cwd, 'by-1', name));
    expect(readFileSync(path.join(cwd, 'by-2', name)).equals(one), name).toBe(true);
    expect(readFileSync(path.join(cwd, 'lost', name)).equals(one), name).toBe(true);
  }
  expect(readdirSync(path.join(cwd, 'lost'))).toEqual(['poster.png', 'video.mp4', 'video.vtt']);
});

it('a film that compares has the same bytes from one thread and two', () => {
  const { cwd, env, left } = workFolder();
  for (const jobs of ['1', '2']) {
    const { status, stderr } = spawnSync(process.execPath, [bin, 'compare', 'out/shop/study.json', '--only', 'video', '--size', '320x180', '--fps', '10', '--duration', '40s', '--jobs', jobs, '--out', `by-${jobs}`], { cwd, env, encoding: 'utf8' });
    expect(status, stderr).toBe(0);
    expect(left()).toEqual(nothing);
  }
  const [one, two] = ['by-1', 'by-2'].map((out) => path.join(cwd, out, readdirSync(path.join(cwd, out))[0]));
  for (const name of ['video.mp4', 'video.vtt', 'poster.png']) expect(readFileSync(path.join(one, name)).equals(readFileSync(path.join(two, name))), name).toBe(true);
});

it('an interrupt while two threads film ends with 130, leaves no process and no file, and what stood before', async () => {
  const { cwd, env, left } = workFolder();
  const before = readdirSync(path.join(cwd, 'out/shop'));
  const child = spawn(process.execPath, [bin, 'render', 'out/shop/study.json', ...film, '--jobs', '2'], { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  const filming = new Promise<void>((resolve) => child.stderr.on('data', (text: Buffer) => ((stderr += text.toString()), /Filming with/.test(stderr) && resolve())));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  await Promise.race([filming, ended]);
  child.kill('SIGINT');
  expect(await ended, stderr).toBe(130);
  expect(left()).toEqual(nothing);
  expect([readdirSync(path.join(cwd, 'out')), readdirSync(path.join(cwd, 'out/shop'))]).toEqual([['shop'], before]);
});
