import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { descendantsOf } from '../../renderers/browser/child.js';
import { film } from '../../renderers/video/film.js';
import { findFilmMachine } from '../../renderers/video/film-machine.js';
import { joinParts } from '../../renderers/video/join.js';
import { metadataFile } from '../../renderers/video/metadata.js';
import { checkFilm, probeFilm } from '../../renderers/video/probe.js';
import { frameCount, type Reel } from '../../renderers/video/reel.js';
import { stretchesOf } from '../../renderers/video/segment.js';
import { SegmentMaker } from '../../renderers/video/segment-maker.js';
import { subtitleTrack } from '../../renderers/video/subtitle-track.js';
import { describeError } from '../../src/errors.js';
import { realHost, type Host } from '../../src/host.js';
import { failureOf, profilesIn, temporaryFolder } from '../browser/machine.js';
import { marked, marksIn, marksOf } from '../support/tick-mark.js';
import { colourReel } from './machine.js';

const colour = (index: number): string => `#${(index * 50_021 + 4096).toString(16).slice(-6).padStart(6, '0')}`;

/** 74 s in pictures that stay for 37 frames: three segments, no end of which is a whole number of ms. */
const long: Reel = marked(
  colourReel(Array.from({ length: 60 }, (_, index) => [colour(index), 37] as const), {
    chapters: [
      { fromMs: 0, toMs: 30_000, title: 'one' },
      { fromMs: 30_000, toMs: 74_000, title: '둘' },
    ],
    captions: [{ fromMs: 20_000, toMs: 50_000, text: 'across two cuts' }],
    poster: 35,
  }),
);

/** Once: each real host listens to the streams of the process. */
const thisMachine = realHost();
const cleanHost = async (over: Partial<Host> = {}): Promise<Host> => ({ ...thisMachine, tmpdir: await temporaryFolder(), ...over });

describe('the segments of a reel', () => {
  const reelOf = (frames: readonly number[], fps = 30): Pick<Reel, 'shots' | 'fps'> => ({ fps, shots: frames.map((count) => ({ frames: count, svg: () => '' })) });

  test('cover it without a gap, each with frames of its own, about 24 s long', () => {
    let state = 7;
    const random = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
    for (let round = 0; round < 200; round++) {
      const reel = reelOf(Array.from({ length: 1 + random(400) }, () => (random(5) === 0 ? 0 : random(90))), 1 + random(60));
      if (frameCount(reel) === 0) continue;
      const stretches = stretchesOf(reel);
      expect(stretches.map(({ from }) => from)).toEqual([0, ...stretches.slice(0, -1).map(({ to }) => to)]);
      expect(stretches.at(-1)!.to).toBe(reel.shots.length);
      for (const { from, to, frames } of stretches) {
        expect(frames).toBe(frameCount({ shots: reel.shots.slice(from, to) }));
        expect(frames).toBeGreaterThan(0);
      }
      const longestShotS = Math.max(...reel.shots.map(({ frames }) => frames)) / reel.fps;
      for (const { frames } of stretches) expect(frames / reel.fps).toBeLessThanOrEqual(36 + longestShotS);
    }
  });

  test('are one for a film that is short', () => {
    expect(stretchesOf(reelOf(Array.from({ length: 35 }, () => 30)))).toEqual([{ from: 0, to: 35, frames: 1050 }]);
    expect(stretchesOf(reelOf(Array.from({ length: 48 }, () => 30))).map(({ frames }) => frames)).toEqual([720, 720]);
  });
});

describe('a film of several segments', () => {
  test('shows every frame at its exact time, as its segments do, with chapters and captions', async () => {
    const host = await cleanHost();
    const folder = await temporaryFolder();
    const at = (name: string): string => path.join(folder, name);
    const machine = await findFilmMachine(host);
    const maker = new SegmentMaker(host);
    const ears = { signal: new AbortController().signal, onProgress: () => undefined, onNotice: () => undefined };
    const parts: { file: string; frames: number }[] = [];
    for (const [nth, stretch] of stretchesOf(long).entries()) {
      const output = at(`part-${nth}.mp4`);
      await maker.make(long, { ...stretch, name: `part ${nth}`, machine, camera: 'screenshot', browsers: 1, output }, ears);
      parts.push({ file: output, frames: stretch.frames });
    }
    await maker.close();
    expect(parts).toHaveLength(3);
    await writeFile(at('meta'), metadataFile(long, 'a comment'));
    await writeFile(at('captions.mp4'), subtitleTrack({ ...long, durationMs: 74_000 }));
    const { ffmpeg, ffprobe } = machine.tools;
    await joinParts({ host, program: ffmpeg, fps: long.fps, parts, list: at('list'), metadata: at('meta'), captions: { file: at('captions.mp4'), lang: 'en' }, output: at('film.mp4') });

    const run = async (program: string, args: readonly string[]): Promise<string[]> => (await promisify(execFile)(program, args, { maxBuffer: 2 ** 26 })).stdout.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    const pictures = async (file: string): Promise<string[]> => (await run(ffmpeg.path, ['-v', 'error', '-i', file, '-map', '0:v', '-f', 'framemd5', '-'])).map((line) => line.split(',').at(-1)!);
    const joined = await pictures(at('film.mp4'));
    expect(joined).toHaveLength(2220);
    expect(joined).toEqual((await Promise.all(parts.map(({ file }) => pictures(file)))).flat());
    const times = await run(ffprobe.path, ['-v', 'error', '-select_streams', 'v', '-show_entries', 'packet=pts,dts', '-of', 'csv=p=0', at('film.mp4')]);
    expect(times.map((line) => line.split(',').slice(0, 2).map(Number))).toEqual(joined.map((_, frame) => [frame * 512, frame * 512]));
    checkFilm(await probeFilm(ffprobe, at('film.mp4')), long);
    const bytes = await readFile(at('film.mp4'));
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'));
  });

  test('has every picture in its place, and tells frames of the whole film', async () => {
    const host = await cleanHost();
    const folder = await temporaryFolder();
    const done: number[] = [];
    const details: string[] = [];
    const { machine, segments, pictures } = await film(long, { host, folder, onProgress: (progress) => done.push(progress.done), onDetail: (detail) => details.push(detail) });
    expect([segments, pictures, details.length]).toEqual([3, 60, 1]);
    expect(await marksIn(machine.tools.ffmpeg.path, path.join(folder, 'video.mp4'))).toEqual(marksOf(long));
    expect(done).toEqual(Array.from({ length: 61 }, (_, index) => index * 37));
    expect(await readdir(folder)).toEqual(['poster.png', 'video.mp4', 'video.vtt']);
    expect([await profilesIn(host.tmpdir), descendantsOf(process.pid)]).toEqual([[], []]);
  });

  /** An encoder that dies when it is to make the second part, so many times. */
  const dyingEncoder = async (times: number): Promise<Host> => {
    const folder = await temporaryFolder();
    const { tools } = await findFilmMachine(await cleanHost());
    const program = path.join(folder, 'ffmpeg');
    await writeFile(program, `#!/bin/sh\ncase "$*" in *part-2.mp4) if [ "$(ls '${folder}' | grep -c died)" -lt ${times} ]; then touch "${folder}/died-$$"; head -c 100 > /dev/null; exit 5; fi;; esac\nexec '${tools.ffmpeg.path}' "$@"\n`, { mode: 0o755 });
    return cleanHost({ env: { ...process.env, FAULTREEL_FFMPEG: program } });
  };

  test('loses nothing with an encoder that dies: its segment is made again', async () => {
    const [calm, folder] = [await temporaryFolder(), await temporaryFolder()];
    await film(long, { host: await dyingEncoder(0), folder: calm });
    const notices: string[] = [];
    await film(long, { host: await dyingEncoder(1), folder, onNotice: (notice) => notices.push(notice) });
    expect(notices.filter((notice) => notice.includes('again'))).toEqual(['The encoder failed: ffmpeg ended with exit code 5; part 2 of 3 of the film is filmed again from its beginning.']);
    for (const name of ['video.mp4', 'video.vtt', 'poster.png']) expect((await readFile(path.join(folder, name))).equals(await readFile(path.join(calm, name))), name).toBe(true);
  });

  test('fails when the encoder dies again, and leaves nothing', async () => {
    const folder = await temporaryFolder();
    const host = await dyingEncoder(2);
    const error = await failureOf(film(long, { host, folder }));
    expect([error.exitCode, describeError(error)]).toEqual([6, expect.stringMatching(/^The encoder failed: ffmpeg ended with exit code 5\n/)]);
    expect(await readdir(folder)).toEqual([]);
    expect([await profilesIn(host.tmpdir), descendantsOf(process.pid)]).toEqual([[], []]);
  });
  test('begins again as a whole, with screenshots, when the canvas shows something else in a later segment', async () => {
    const host = await cleanHost();
    const [folder, calm] = [await temporaryFolder(), await temporaryFolder()];
    // White where a screenshot shows it, and nowhere else. The first picture of each segment is looked at twice.
    const [, { from }] = stretchesOf(long);
    const twoFaced = { ...long, shots: long.shots.map((shot, index) => (index === from ? { ...shot, svg: () => shot.svg().replace('</svg>', '<style>:host(#shown) rect:first-of-type { fill: #ffffff }</style></svg>') } : shot)) };
    const notices: string[] = [];
    const done: number[] = [];
    const { capture, segments } = await film(twoFaced, { host, folder, onNotice: (notice) => notices.push(notice), onProgress: (progress) => done.push(progress.done) });
    expect([capture.camera, segments]).toEqual(['screenshot', 3]);
    expect(notices.filter((notice) => !notice.includes('--no-sandbox'))).toEqual([expect.stringMatching(/^The canvas camera does not serve here: picture 1 differs from its screenshot .*\. The film begins again, with screenshots\.$/)]);
    expect([done, done.at(-1)]).toEqual([done.toSorted((a, b) => a - b), 2220]);
    await film(twoFaced, { host, folder: calm, camera: 'screenshot' });
    for (const name of ['video.mp4', 'video.vtt', 'poster.png']) expect((await readFile(path.join(folder, name))).equals(await readFile(path.join(calm, name))), name).toBe(true);
    expect(await readdir(folder)).toEqual(['poster.png', 'video.mp4', 'video.vtt']);
    expect([await profilesIn(host.tmpdir), descendantsOf(process.pid)]).toEqual([[], []]);
  });

  test('tells why it failed, also when its files cannot be removed any more', async () => {
    const folder = await temporaryFolder();
    const host = await dyingEncoder(2);
    const remove = (file: string): Promise<void> => (file.startsWith(folder) ? Promise.reject(new Error(`EROFS: read-only file system, rm '${file}'`)) : host.remove(file));
    const error = await failureOf(film(long, { host: { ...host, remove }, folder }));
    expect([error.exitCode, describeError(error)]).toEqual([6, expect.stringMatching(/^The encoder failed: ffmpeg ended with exit code 5\n/)]);
  });

  test('tells that its folder is gone, and tries no other encoder there', async () => {
    const folder = path.join(await temporaryFolder(), 'film');
    await mkdir(folder);
    const host = await cleanHost();
    const notices: string[] = [];
    let isGone = false;
    const onProgress = ({ done }: { readonly done: number }): void => {
      if (isGone || done < 200) return;
      isGone = true;
      rmSync(folder, { recursive: true });
    };
    const error = await failureOf(film(long, { host, folder, onProgress, onNotice: (notice) => notices.push(notice) }));
    expect([error.exitCode, describeError(error)]).toEqual([5, `${folder} is gone: somebody removed it while the film was made in it\n  Run again`]);
    expect(notices.filter((notice) => notice.includes('again'))).toEqual([]);
    expect([await profilesIn(host.tmpdir), descendantsOf(process.pid)]).toEqual([[], []]);
  });
});
