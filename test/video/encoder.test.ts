import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { startEncoder, type Encoder, type EncoderOptions } from '../../renderers/video/encoder.js';
import { findProgram } from '../../renderers/video/find-encoder.js';
import { describeError, type FaultreelError } from '../../src/errors.js';
import { realHost } from '../../src/host.js';
import { descendantsOf } from '../../renderers/browser/child.js';
import { failureOf, hostWith, temporaryFolder } from '../browser/machine.js';
import { fixture } from './machine.js';

/** Bytes that a fake encoder takes for a picture: more than any buffer on the way holds. */
const picture = new Uint8Array(3_000_000);

const encoderOf = async (name: string, stuckMs = 60_000): Promise<{ readonly encoder: Encoder; readonly folder: string }> => {
  const folder = await temporaryFolder();
  const host = hostWith({ FAULTREEL_FFMPEG: fixture(name) });
  await writeFile(path.join(folder, 'meta'), ';FFMETADATA1\n');
  const encoder = startEncoder({ host, program: await findProgram(host, 'ffmpeg'), width: 320, height: 180, fps: 30, frames: 40, format: 'png', subtitles: null, metadata: path.join(folder, 'meta'), output: path.join(folder, 'video.mp4'), stuckMs });
  return { encoder, folder };
};

const filmAll = async (encoder: Encoder): Promise<void> => {
  for (let index = 0; index < 20; index++) await encoder.picture(picture, 2);
  await encoder.finish();
};

/** A film of plain planes, all in one buffer as a camera hands them over; its bytes, and the luma of each decoded frame. */
const planeFilm = async (shots: readonly (readonly [luma: number, frames: number])[]): Promise<{ readonly bytes: Buffer; readonly luma: number[] }> => {
  const folder = await temporaryFolder();
  const host = realHost();
  const [metadata, output] = [path.join(folder, 'meta'), path.join(folder, 'video.mp4')];
  await writeFile(metadata, ';FFMETADATA1\n');
  const program = await findProgram(host, 'ffmpeg');
  const frames = shots.reduce((sum, [, count]) => sum + count, 0);
  const encoder = startEncoder({ host, program, width: 1280, height: 720, fps: 30, frames, format: 'i420', subtitles: null, metadata, output });
  const planes = Buffer.alloc((1280 * 720 * 3) / 2, 128);
  for (const [luma, count] of shots) {
    planes.fill(luma, 0, 1280 * 720);
    await encoder.picture(planes, count);
    planes.fill(0);
    planes.fill(128, 1280 * 720);
  }
  await encoder.finish();
  const { stdout } = await promisify(execFile)(program.path, ['-v', 'error', '-i', output, '-vf', 'extractplanes=y,crop=1:1:640:360', '-f', 'rawvideo', '-'], { encoding: 'buffer' });
  return { bytes: readFileSync(output), luma: [...stdout] };
};

const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
};

/** Without what differs from one machine to the next. */
const told = (error: FaultreelError): string =>
  describeError(error)
    .replaceAll(path.dirname(fixture('x')), '<fixtures>')
    .replace(/-i pipe:0 .* \S+(video\.mp4)/, '-i pipe:0 … $1');

const failedFilm = async (name: string, stuckMs?: number): Promise<FaultreelError> => {
  const { encoder } = await encoderOf(name, stuckMs);
  const error = await failureOf(filmAll(encoder));
  await encoder.abort();
  expect(descendantsOf(process.pid).filter((pid) => commandOf(pid).includes(fixture(name)))).toEqual([]);
  return error;
};

describe('an encoder that fails', () => {
  test('by its exit code is told with its command and its last words', async () => {
    const error = await failedFilm('fake-ffmpeg-that-dies');
    expect(error.exitCode).toBe(6);
    expect(told(error)).toMatchInlineSnapshot(`
      "The encoder failed: ffmpeg ended with exit code 5
        command: <fixtures>/fake-ffmpeg-that-dies.mjs -i pipe:0 … video.mp4
          | frame=    1 fps=0.0
          | [out] Error writing trailer: Input/output error"
    `);
  });

  test('for want of room is told as any full disk is, by a real encoder', async () => {
    const folder = await temporaryFolder();
    const [metadata, output] = [path.join(folder, 'meta'), path.join(folder, 'video.mp4')];
    await writeFile(metadata, ';FFMETADATA1\n');
    await symlink('/dev/full', output);
    const encoder = startEncoder({ host: realHost(), program: await findProgram(realHost(), 'ffmpeg'), width: 320, height: 180, fps: 30, frames: 40, format: 'i420', subtitles: null, metadata, output });
    const planes = Buffer.alloc((320 * 180 * 3) / 2, 128);
    const error = await failureOf(encoder.picture(planes, 40).then(() => encoder.finish()));
    expect(error.exitCode).toBe(5);
    expect(describeError(error)).toMatch(/^The film cannot be written: .*No space left on device\n {2}The disk is full: make room on it, or name another place with --out\. Nothing was replaced\.$/);
  });

  test('by a signal is told with the signal', async () => {
    const error = await failedFilm('fake-ffmpeg-that-is-killed');
    expect(error.exitCode).toBe(6);
    expect(error.message).toBe('The encoder failed: ffmpeg was killed by SIGKILL');
  });

  test('by writing no file is not taken for a success', async () => {
    const error = await failedFilm('fake-ffmpeg-without-file');
    expect(error.exitCode).toBe(6);
    expect(error.message).toBe('The encoder ended with exit code 0 but wrote no film');
  });

  test('by writing an empty file is not taken for a success', async () => {
    expect((await failedFilm('fake-ffmpeg-with-empty-file')).message).toBe('The encoder ended with exit code 0 but wrote no film');
  });

  test('by never ending is given up after its time', async () => {
    const error = await failedFilm('fake-ffmpeg-that-never-ends', 1000);
    expect(error.exitCode).toBe(7);
    expect(error.message).toBe('The encoder made no progress for 1 s');
  });

  test('by closing its input while it lives on is given up after its time', async () => {
    const error = await failedFilm('fake-ffmpeg-that-closes-its-input', 1000);
    expect(error.exitCode).toBe(7);
    expect(error.message).toBe('The encoder made no progress for 1 s');
  });

  test('after it failed refuses every further picture instead of waiting', async () => {
    const { encoder } = await encoderOf('fake-ffmpeg-that-dies');
    await failureOf(filmAll(encoder));
    expect((await failureOf(encoder.picture(picture, 2))).message).toContain('exit code 5');
    expect((await failureOf(encoder.finish())).message).toContain('exit code 5');
  });
});

describe('startEncoder', () => {
  const argumentsOf = async (over: Pick<EncoderOptions, 'format' | 'subtitles'>): Promise<string> => {
    const folder = await temporaryFolder();
    const host = hostWith({ FAULTREEL_FFMPEG: fixture('fake-ffmpeg-that-tells-its-arguments') });
    const output = path.join(folder, 'video.mp4');
    const encoder = startEncoder({ ...{ host, program: await findProgram(host, 'ffmpeg'), width: 320, height: 180, fps: 30, frames: 40, metadata: 'meta', output }, ...over, ...(over.subtitles && { captions: 'captions.mp4' }) });
    await encoder.picture(picture, 40);
    await encoder.finish();
    return (JSON.parse(readFileSync(output, 'utf8')) as string[]).join(' ').replace(folder, '<folder>');
  };

  test('converts PNG pictures to the colours of a film', async () => {
    expect(await argumentsOf({ format: 'png', subtitles: null })).toMatchInlineSnapshot(`"-i pipe:0 -f ffmetadata -i meta -y -map 0:v:0 -map_metadata 1 -map_chapters 1 -metadata:s:v:0 language=und -vf scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd+full_chroma_int,format=yuv420p,fps=30 -frames:v 40 -c:v libx264 -preset veryfast -x264-params subme=0:me=dia -crf 18 -bf 0 -pix_fmt yuv420p -threads 2 -colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv -xerror -loglevel warning -fflags +bitexact -flags:v +bitexact -movflags +faststart <folder>/video.mp4"`);
  });

  test('leaves planes as they are', async () => {
    expect(await argumentsOf({ format: 'i420', subtitles: null })).toMatchInlineSnapshot(`"-i pipe:0 -f ffmetadata -i meta -y -map 0:v:0 -map_metadata 1 -map_chapters 1 -metadata:s:v:0 language=und -vf fps=30 -frames:v 40 -c:v libx264 -preset veryfast -x264-params subme=0:me=dia -crf 18 -bf 0 -pix_fmt yuv420p -threads 2 -colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv -xerror -loglevel warning -fflags +bitexact -flags:v +bitexact -movflags +faststart <folder>/video.mp4"`);
  });

  test('copies the track of captions', async () => {
    expect(await argumentsOf({ format: 'i420', subtitles: 'ko' })).toMatchInlineSnapshot(`"-i pipe:0 -f ffmetadata -i meta -i captions.mp4 -y -map 0:v:0 -map 2:s:0 -map_metadata 1 -map_chapters 1 -metadata:s:v:0 language=und -vf fps=30 -frames:v 40 -c:v libx264 -preset veryfast -x264-params subme=0:me=dia -crf 18 -bf 0 -pix_fmt yuv420p -threads 2 -colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv -c:s copy -metadata:s:s:0 language=kor -metadata:s:s:0 handler_name=자막 -xerror -loglevel warning -fflags +bitexact -flags:v +bitexact -movflags +faststart <folder>/video.mp4"`);
  });

  test('takes each picture before it asks for the next one, shows it for exactly its frames, and repeats its bytes', async () => {
    const shots = [[40, 1], [200, 7], [90, 31], [220, 2], [60, 19]] as const;
    const films = [await planeFilm(shots), await planeFilm(shots)];
    expect(films[0].bytes.equals(films[1].bytes)).toBe(true);
    expect(films[0].luma).toEqual(shots.flatMap(([luma, frames]) => Array.from({ length: frames }, () => luma)));
  });

  test('leaves nothing running when it is aborted, also before it started', async () => {
    const { encoder, folder } = await encoderOf('fake-ffmpeg-that-never-ends');
    await encoder.abort();
    const second = await encoderOf('fake-ffmpeg-that-never-ends');
    await second.encoder.picture(picture, 2);
    await second.encoder.abort();
    expect(descendantsOf(process.pid).filter((pid) => commandOf(pid).includes('fake-ffmpeg'))).toEqual([]);
    expect(await readdir(folder)).toEqual(['meta']);
  });
});

describe('findProgram', () => {
  test('refuses an encoder without H.264', async () => {
    const error = await failureOf(findProgram(hostWith({ FAULTREEL_FFMPEG: fixture('fake-ffmpeg-without-h264') }), 'ffmpeg'));
    expect(error.exitCode).toBe(5);
    expect(error.message).toBe(`Expected FAULTREEL_FFMPEG to name ffmpeg, found that ${fixture('fake-ffmpeg-without-h264')} (version fake-2) has no libx264`);
    expect(error.problems[0].hint).toBe('Unset FAULTREEL_FFMPEG, or set it to an ffmpeg with libx264; faultreel doctor tells what is found without it');
  });

  test('passes over a broken one of the system', async () => {
    const folder = await temporaryFolder();
    await writeFile(path.join(folder, 'ffprobe'), 'not a program', { mode: 0o755 });
    expect(await findProgram(hostWith({ PATH: folder }), 'ffprobe')).toMatchObject({ kind: 'carried' });
  });

  test('runs a copy of the carried one where only another user may start it', async () => {
    const cache = await temporaryFolder();
    const host = hostWith({ PATH: '/nowhere', FAULTREEL_CACHE: cache });
    const found = await findProgram({ ...host, isExecutable: (file) => (file.includes('node_modules') ? Promise.resolve(false) : host.isExecutable(file)) }, 'ffprobe');
    expect(path.dirname(found.path)).toBe(cache);
    expect(await readdir(cache)).toEqual([path.basename(found.path)]);
  });

  test('takes one of the system before the carried one', async () => {
    const folder = await temporaryFolder();
    await writeFile(path.join(folder, 'ffprobe'), '#!/bin/sh\necho ffprobe version 9.9 Copyright', { mode: 0o755 });
    expect(await findProgram(hostWith({ PATH: `${folder}:/bin` }), 'ffprobe')).toEqual({ kind: 'system', path: path.join(folder, 'ffprobe'), version: '9.9' });
  });
});
