import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { findVideoTools } from '../../renderers/video/find-encoder.js';
import { probeFilm, type ProbedFilm } from '../../renderers/video/probe.js';
import { frameCount } from '../../renderers/video/reel.js';
import { storyboard } from '../../renderers/video/storyboard.js';
import { realHost } from '../../src/host.js';
import { readStudy } from '../../src/study/read.js';
import type { Study } from '../../src/study/types.js';
import { readPdf } from '../support/pdf-text.js';

const root = path.resolve(import.meta.dirname, '../..');
const bin = path.join(root, 'dist/src/cli/bin.js');
const short = path.join(root, 'test/support/short.yaml');
const size = ['--size', '640x360', '--fps', '10'];

const workFolder = (): string => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'faultreel-end-'));
  copyFileSync(short, path.join(folder, 'shop.yaml'));
  return folder;
};
const faultreel = (cwd: string, args: readonly string[], { env = {}, node = [] }: { env?: Record<string, string>; node?: readonly string[] } = {}): { status: number | null; stdout: string; stderr: string } => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...node, bin, ...args], { cwd, encoding: 'utf8', env: { ...process.env, ...env } });
  return { status, stdout, stderr };
};
const bytesOf = (folder: string, name: string): Buffer => readFileSync(path.join(folder, 'out/shop', name));

describe('a run, spawned', () => {
  const cwd = workFolder();
  let ran: ReturnType<typeof faultreel>;
  let study: Study;
  let probed: ProbedFilm;

  beforeAll(async () => {
    ran = faultreel(cwd, ['run', 'shop.yaml', ...size]);
    if (ran.status !== 0) throw new Error(ran.stderr);
    study = readStudy(bytesOf(cwd, 'study.json').toString(), 'study.json');
    probed = await probeFilm((await findVideoTools(realHost())).ffprobe, path.join(cwd, 'out/shop/video.mp4'));
  });

  it('leaves every promised file, nothing else, and no half-made folder', () => {
    expect(readdirSync(path.join(cwd, 'out/shop')).sort()).toEqual(['events.csv', 'poster.png', 'replay.html', 'report.pdf', 'study.json', 'summary.md', 'ticks.csv', 'video.mp4', 'video.vtt']);
    expect(readdirSync(path.join(cwd, 'out'))).toEqual(['shop']);
  });

  it('makes a film of the exact length, in the colours and chapters of its storyboard', () => {
    const reel = storyboard(study, { variant: 'as-it-is', lang: 'en', theme: 'dark', fps: 10, width: 640, height: 360 });
    expect(probed).toMatchObject({ codec: 'h264', width: 640, height: 360, pixelFormat: 'yuv420p', frames: frameCount(reel), color: { range: 'tv', space: 'bt709', primaries: 'bt709', transfer: 'bt709' } });
    expect(probed.duration.ticks / probed.duration.ticksPerS).toBe(frameCount(reel) / 10);
    expect(probed.chapters.map(({ title }) => title)).toEqual(reel.chapters.map(({ title }) => title));
    expect(probed.chapters.length).toBeGreaterThan(1);
    expect(bytesOf(cwd, 'video.vtt').toString()).toMatch(/^WEBVTT\n/);
    expect(bytesOf(cwd, 'poster.png').subarray(1, 4).toString()).toBe('PNG');
  });

  it('makes a report whose text can be read back and agrees with the study', () => {
    const { pages } = readPdf(bytesOf(cwd, 'report.pdf'));
    const text = pages.map((page) => page.text).join('\n');
    expect(text).toContain('Small shop: one sale too many');
    expect(text).toContain(study.runs['as-it-is'].traffic['orders'].offered.toLocaleString('en-US'));
    expect(text).toContain('This is a test.');
    expect(text).toContain('Chosen by you');
  });

  it('tells progress in plain lines on stderr and files on stdout', () => {
    expect(ran.stdout).toMatch(/^out\/shop\/video\.mp4\t\d+:\d\d\.\d, \d+ frames, 640x360$/m);
    expect(ran.stderr).toMatch(/^film 100% \(\d+ of \d+ frames\)$/m);
    expect(ran.stderr).not.toContain('\u001b');
  });

  it('makes the same film, report and replay again from study.json alone', async () => {
    const again = faultreel(cwd, ['render', 'out/shop/study.json', '--out', 'again', ...size]);
    expect(again.status, again.stderr).toBe(0);
    for (const name of ['report.pdf', 'replay.html', 'video.vtt', 'study.json', 'ticks.csv', 'events.csv', 'summary.md', 'poster.png']) expect(readFileSync(path.join(cwd, 'again', name)).equals(bytesOf(cwd, name)), name).toBe(true);
  });

  it('makes the same bytes in another folder, language, time zone and year', () => {
    const other = workFolder();
    const shift = path.join(other, 'shift.mjs');
    writeFileSync(shift, shiftedClock);
    const env = { LANG: 'ko_KR.UTF-8', LC_ALL: 'tr_TR.UTF-8', TZ: 'Asia/Kathmandu' };
    const { status, stderr } = faultreel(other, ['run', 'shop.yaml', ...size], { env, node: ['--import', shift] });
    expect(status, stderr).toBe(0);
    expect(stderr).toContain('the year is 2041');
    for (const name of ['study.json', 'report.pdf', 'replay.html', 'video.vtt', 'ticks.csv', 'events.csv', 'summary.md', 'poster.png']) expect(bytesOf(other, name).equals(bytesOf(cwd, name)), name).toBe(true);
  });
});

/** Every clock of the process is fifteen years ahead; the marker proves that it was. */
const shiftedClock = `
const RealDate = Date;
const aheadMs = RealDate.UTC(2041, 5, 1) - RealDate.now();
globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + aheadMs);
    else super(...args);
  }
  static now() {
    return RealDate.now() + aheadMs;
  }
};
process.on('exit', () => process.stderr.write('the year is ' + new Date().getUTCFullYear() + '\\n'));
`;

describe('frames', () => {
  const frames = (cwd: string, env: Record<string, string>): string => {
    const script = `
      import { readFileSync } from 'node:fs';
      import { createHash } from 'node:crypto';
      const { parse, simulate } = await import(${JSON.stringify(path.join(root, 'dist/src/index.js'))});
      const { storyboard } = await import(${JSON.stringify(path.join(root, 'dist/renderers/video/storyboard.js'))});
      const study = simulate(parse(readFileSync('shop.yaml', 'utf8'), { file: 'shop.yaml' }));
      const hash = createHash('sha256');
      for (const lang of ['en', 'ko']) for (const theme of ['dark', 'light']) for (const shot of storyboard(study, { variant: 'as-it-is', lang, theme, fps: 10, width: 1920, height: 1080 }).shots) hash.update(shot.svg());
      console.log(hash.digest('hex'));
    `;
    const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { cwd, encoding: 'utf8', env: { ...process.env, ...env } });
    if (status !== 0) throw new Error(stderr);
    return stdout;
  };

  it('are the same SVG text in another folder, language and time zone', () => {
    expect(frames(workFolder(), { LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8', TZ: 'Pacific/Chatham' })).toBe(frames(workFolder(), { LANG: 'C', LC_ALL: 'C', TZ: 'UTC' }));
  });
});

describe('a run that is interrupted', () => {
  it.each([['SIGINT', 'film …'], ['SIGTERM', 'film …'], ['SIGHUP', 'film 10%']] as const)('by %s at "%s" ends with 130, leaves the old results, no process and no temporary file', async (signal, moment) => {
    const cwd = workFolder();
    expect(faultreel(cwd, ['run', 'shop.yaml', '--only', 'report']).status).toBe(0);
    const before = readdirSync(path.join(cwd, 'out/shop')).sort();
    const tmpdir = mkdtempSync(path.join(os.tmpdir(), 'faultreel-end-'));
    const child = spawn(process.execPath, [bin, 'run', 'shop.yaml', '--seed', '8'], { cwd, stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, TMPDIR: tmpdir } });
    let stderr = '';
    const filming = new Promise<void>((resolve) => child.stderr.on('data', (text: Buffer) => ((stderr += text.toString()), stderr.includes(moment) && resolve())));
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    await Promise.race([filming, ended]);
    const family = childrenOf(child.pid!);
    child.kill(signal);
    expect(await ended, stderr).toBe(130);
    expect(stderr).toContain('Interrupted: what was not finished was not replaced.');
    expect(readdirSync(path.join(cwd, 'out'))).toEqual(['shop']);
    expect(readdirSync(tmpdir)).toEqual([]);
    expect(readdirSync(path.join(cwd, 'out/shop')).sort()).toEqual(before);
    expect(family.filter((pid) => existsSync(`/proc/${pid}`) && !isZombie(pid))).toEqual([]);
  });
});

const childrenOf = (pid: number): number[] => {
  const own = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).filter((name) => parentOf(name) === pid).map(Number);
  return own.flatMap((child) => [child, ...childrenOf(child)]);
};
const statOf = (pid: number | string): string[] => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
};
const parentOf = (pid: string): number => Number(statOf(pid)[1]);
const isZombie = (pid: number): boolean => statOf(pid)[0] === 'Z';
