import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { descendantsOf } from '../../renderers/browser/child.js';
import { film } from '../../renderers/video/film.js';
import { findFilmMachine } from '../../renderers/video/film-machine.js';
import type { FilmProgress } from '../../renderers/video/film-progress.js';
import { checkFilm, probeFilm } from '../../renderers/video/probe.js';
import { describeError } from '../../src/errors.js';
import { realHost, type Host } from '../../src/host.js';
import { failureOf, hostWith, profilesIn, temporaryFolder } from '../browser/machine.js';
import { colourReel, fixture, plainSvg } from './machine.js';

const run = promisify(execFile);

const cleanHost = async (over: Partial<Host> = {}): Promise<Host> => ({ ...realHost(), tmpdir: await temporaryFolder(), ...over });

/** Pixel in the middle of a film frame, as a player shows it. */
const pixelAt = async (host: Host, video: string, frame: number): Promise<number[]> => {
  const { tools } = await findFilmMachine(host);
  const args = ['-v', 'error', '-i', video, '-vf', `select=eq(n\\,${frame}),scale=in_color_matrix=bt709:in_range=tv,format=rgb24,crop=2:2:160:90`, '-vframes', '1', '-f', 'rawvideo', '-'];
  const { stdout } = await run(tools.ffmpeg.path, args, { encoding: 'buffer' });
  return [...stdout.subarray(0, 3)];
};

const near = (found: readonly number[], hex: string): boolean => [1, 3, 5].every((at, index) => Math.abs(Number.parseInt(hex.slice(at, at + 2), 16) - found[index]) <= 4);

describe('film', () => {
  const shots = [['#0C1117', 1], ['#3FB68B', 7], ['#E5484D', 31], ['#F5D90A', 2], ['#FFFFFF', 19]] as const;
  const reel = colourReel(shots, {
    chapters: [
      { fromMs: 0, toMs: 1300, title: 'Steady = calm' },
      { fromMs: 1300, toMs: 2000, title: '장애 #1; 회복' },
    ],
    captions: [{ fromMs: 0, toMs: 900, text: 'a < b' }],
    poster: 2,
  });

  test('shows each picture for exactly its frames, in its colours, and repeats its bytes', async () => {
    const host = await cleanHost();
    const [first, second] = [await temporaryFolder(), await temporaryFolder()];
    const progress: FilmProgress[] = [];
    const details: string[] = [];
    const result = await film(reel, { host, folder: first, onProgress: (step) => progress.push(step), onDetail: (detail) => details.push(detail) });
    expect(result).toMatchObject({ frames: 60, pictures: 5, capture: { chromium: result.machine.browser.version }, files: { video: 'video.mp4', captions: 'video.vtt', poster: 'poster.png' } });
    expect(await readdir(first)).toEqual(['poster.png', 'video.mp4', 'video.vtt']);

    const video = path.join(first, 'video.mp4');
    const probed = await probeFilm(result.machine.tools.ffprobe, video);
    expect(probed).toMatchObject({ codec: 'h264', width: 320, height: 180, pixelFormat: 'yuv420p', frames: 60, title: 'Colours = signs; #1', subtitles: { language: 'eng', name: 'Captions', on: false }, color: { range: 'tv', space: 'bt709', primaries: 'bt709', transfer: 'bt709' } });
    expect(probed.duration.ticks / probed.duration.ticksPerS).toBe(2);
    expect(probed.chapters).toEqual(reel.chapters);
    const { camera, chromium } = result.capture;
    expect(probed.comment).toBe(`faultreel, ${camera} capture, Chromium ${chromium}, ffmpeg ${result.machine.tools.ffmpeg.version}`);
    expect(details).toEqual([expect.stringMatching(new RegExp(`^Filming with ${camera} capture, Chromium ${chromium.replaceAll('.', '\\.')}, \\d browsers?\\.$`))]);

    let frame = 0;
    for (const [color, frames] of shots) {
      for (const at of new Set([frame, frame + frames - 1])) expect([at, near(await pixelAt(host, video, at), color)]).toEqual([at, true]);
      frame += frames;
    }

    expect(progress[0]).toEqual({ done: 0, total: 60, etaMs: null });
    expect(progress.map(({ done }) => done)).toEqual([0, 1, 8, 39, 41, 60]);
    for (const { etaMs } of progress.slice(1)) expect(Number.isFinite(etaMs)).toBe(true);

    await film(reel, { host: { ...host, cores: 1 }, folder: second });
    for (const name of ['video.mp4', 'video.vtt', 'poster.png']) expect([name, await hashOf(path.join(second, name))]).toEqual([name, await hashOf(path.join(first, name))]);
    expect(await profilesIn(host.tmpdir)).toEqual([]);
    expect(descendantsOf(process.pid)).toEqual([]);
  });

  test('draws equal neighbours once', async () => {
    const { pictures, frames } = await film(colourReel([['#112233', 3], ['#112233', 4], ['#445566', 1], ['#112233', 2]]), { host: await cleanHost(), folder: await temporaryFolder() });
    expect([pictures, frames]).toEqual([3, 10]);
  });

  test('stops when it is told to, and leaves neither file nor process nor profile', async () => {
    const host = await cleanHost();
    const folder = await temporaryFolder();
    const stop = new AbortController();
    const long = colourReel(Array.from({ length: 400 }, (_, index) => [`#${(index + 4096).toString(16).padStart(6, '0')}`, 2] as const));
    const error = await failureOf(film(long, { host, folder, signal: stop.signal, onProgress: ({ done }) => done > 20 && stop.abort() }));
    expect(error.exitCode).toBe(130);
    expect(await readdir(folder)).toEqual([]);
    expect(await profilesIn(host.tmpdir)).toEqual([]);
    expect(descendantsOf(process.pid)).toEqual([]);
  });

  test('leaves nothing when the encoder dies', async () => {
    const host = await cleanHost({ env: hostWith({ ...(process.env as Record<string, string>), FAULTREEL_FFMPEG: fixture('fake-ffmpeg-that-dies') }).env });
    const folder = await temporaryFolder();
    const error = await failureOf(film(reel, { host, folder }));
    expect(error.exitCode).toBe(6);
    expect(error.message).toBe('The encoder failed: ffmpeg ended with exit code 5');
    expect(await readdir(folder)).toEqual([]);
    expect(await profilesIn(host.tmpdir)).toEqual([]);
    expect(descendantsOf(process.pid)).toEqual([]);
  });

  test('leaves nothing when the folder is full', async () => {
    const { tools } = await findFilmMachine(await cleanHost());
    const env = { ...process.env, FAULTREEL_FFMPEG: fixture('ffmpeg-on-a-full-disk', 'sh'), FAULTREEL_TEST_FFMPEG: tools.ffmpeg.path } as Record<string, string>;
    const host = await cleanHost({ env });
    process.env.FAULTREEL_TEST_FFMPEG = tools.ffmpeg.path;
    onTestFinished(() => void delete process.env.FAULTREEL_TEST_FFMPEG);
    const folder = await temporaryFolder();
    const error = await failureOf(film(colourReel(Array.from({ length: 300 }, (_, index) => [`#${(index * 50_021 + 4096).toString(16).slice(-6).padStart(6, '0')}`, 1] as const)), { host, folder }));
    expect([error.exitCode, error.message]).toEqual([6, expect.stringMatching(/^The encoder failed: ffmpeg (ended with exit code|was killed)/)]);
    expect(describeError(error)).toContain('File too large');
    expect(await readdir(folder)).toEqual([]);
    expect(await profilesIn(host.tmpdir)).toEqual([]);
    expect(descendantsOf(process.pid)).toEqual([]);
  });

  test('begins again with screenshots when the canvas shows something else in the middle', async () => {
    const host = await cleanHost();
    const folder = await temporaryFolder();
    const progress: number[] = [];
    const notices: string[] = [];
    // White where a screenshot shows it, and nowhere else. One picture in 150 is looked at twice.
    const twoFaced = '<style>:host(#shown) rect { fill: #ffffff }</style>';
    const shots = Array.from({ length: 170 }, (_, index) => ({ frames: 1, svg: () => plainSvg(`#${(index + 4096).toString(16).padStart(6, '0')}`, index === 150 ? twoFaced : '') }));
    const { capture, pictures } = await film({ ...reel, shots }, { host, folder, onProgress: ({ done }) => progress.push(done), onNotice: (notice) => notices.push(notice) });
    expect([capture.camera, pictures]).toEqual(['screenshot', 170]);
    expect(notices.filter((notice) => notice.includes('again'))).toEqual([expect.stringMatching(/^The canvas camera does not serve here: picture 151 differs from its screenshot .*\. The film begins again, with screenshots\.$/)]);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    expect(await readdir(folder)).toEqual(['poster.png', 'video.mp4', 'video.vtt']);
    expect(await profilesIn(host.tmpdir)).toEqual([]);
    expect(descendantsOf(process.pid)).toEqual([]);
  });

  test('refuses a picture that is not well-formed instead of filming an error page', async () => {
    const broken = { ...reel, shots: [{ frames: 60, svg: () => plainSvg('#000000', '<text>a & b</text>') }], poster: 0 };
    const error = await failureOf(film(broken, { host: await cleanHost(), folder: await temporaryFolder() }));
    expect(error.exitCode).toBe(6);
    expect(error.message).toContain('A picture of the film is not well-formed');
  });
});

describe('checkFilm', () => {
  test('lists all in which a film is not the reel', async () => {
    const reel = colourReel([['#000000', 30]], { chapters: [{ fromMs: 0, toMs: 1000, title: 'all' }] });
    const good = {
      codec: 'h264',
      width: 320,
      height: 180,
      pixelFormat: 'yuv420p',
      frames: 30,
      duration: { ticks: 15360, ticksPerS: 15360 },
      color: { range: 'tv', space: 'bt709', primaries: 'bt709', transfer: 'bt709' },
      title: '',
      comment: '',
      subtitles: null,
      chapters: [{ fromMs: 0, toMs: 1000, title: 'all' }],
    };
    checkFilm(good, reel);
    const bad = { ...good, frames: 29, pixelFormat: 'yuvj420p', duration: { ticks: 15359, ticksPerS: 15360 }, color: { ...good.color, space: 'unknown' }, chapters: [], subtitles: { codec: 'mov_text', language: 'und', name: '', on: true } };
    expect((await failureOf(Promise.resolve().then(() => checkFilm(bad, reel)))).message).toMatchInlineSnapshot(`
      "The film is not what was asked for: expected pixel format yuv420p, found yuvj420p
      The film is not what was asked for: expected frames 30, found 29
      The film is not what was asked for: expected duration in s 1, found 0.9999348958333333
      The film is not what was asked for: expected colours tv bt709 bt709 bt709, found tv unknown bt709 bt709
      The film is not what was asked for: expected subtitles none, found mov_text und , on
      The film is not what was asked for: expected chapters 0 ms all, found none"
    `);
  });
});

const hashOf = async (file: string): Promise<string> => createHash('sha256').update(await readFile(file)).digest('hex');
