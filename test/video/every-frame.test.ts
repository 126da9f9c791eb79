import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { descendantsOf } from '../../renderers/browser/child.js';
import { film, type FilmOptions } from '../../renderers/video/film.js';
import type { Reel } from '../../renderers/video/reel.js';
import { realHost } from '../../src/host.js';
import { profilesIn, temporaryFolder } from '../browser/machine.js';
import { marked, marksIn, marksOf } from '../support/tick-mark.js';
import { colourReel, plainSvg } from './machine.js';

/** 90 pictures that move, some standing still for a while: 400 frames. */
const reel: Reel = marked({
  ...colourReel([]),
  shots: Array.from({ length: 90 }, (_, index) => ({
    frames: [1, 1, 2, 1, 7, 1, 3, 1, 23][index % 9],
    svg: () => plainSvg('#101820', `<rect x="${(index * 37) % 280}" y="${40 + ((index * 11) % 90)}" width="40" height="30" fill="#3fb68b"/><text x="20" y="160" font-size="40" fill="#fff">${index} 주문</text>`),
  })),
});

interface Filmed {
  readonly bytes: Buffer;
  readonly marks: readonly (number | null)[];
  readonly notices: readonly string[];
}

/** Films the reel and reads its marks back; `disturb` is called once, when a third of it is done. */
const filmed = async (options: Pick<FilmOptions, 'camera' | 'jobs' | 'pictureMs'>, disturb: () => void = () => undefined): Promise<Filmed> => {
  const folder = await temporaryFolder();
  const host = { ...realHost(), tmpdir: await temporaryFolder() };
  const notices: string[] = [];
  let calm = true;
  const result = await film(reel, {
    ...{ host, folder, ...options, onNotice: (notice) => notices.push(notice) },
    onProgress: ({ done, total }) => {
      if (calm && done > total / 3) {
        calm = false;
        disturb();
      }
    },
  });
  expect(result.capture.camera).toBe(options.camera);
  expect([await profilesIn(host.tmpdir), descendantsOf(process.pid)]).toEqual([[], []]);
  const video = path.join(folder, 'video.mp4');
  return { bytes: await readFile(video), marks: await marksIn(result.machine.tools.ffmpeg.path, video), notices };
};

/** Processes of our browsers whose command line matches. */
const browserProcesses = (pattern: RegExp): number[] => descendantsOf(process.pid).filter((pid) => pattern.test(commandOf(pid)));

const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ');
  } catch {
    return '';
  }
};

const mainProcess = /--remote-debugging-pipe(?!.*--type=)/;
const pageProcess = /--type=renderer/;

describe.each(['screenshot', 'canvas'] as const)('a film by the %s camera', (camera) => {
  test('has every frame once, in its place, also when a browser is killed or hangs in the middle', async () => {
    const calm = await filmed({ camera, jobs: 2 });
    expect(calm.marks).toEqual(marksOf(reel));

    const killed = await filmed({ camera, jobs: 2 }, () => process.kill(browserProcesses(mainProcess)[0], 'SIGKILL'));
    expect(killed.notices).toContainEqual(expect.stringContaining('The browser failed'));
    expect(killed.bytes.equals(calm.bytes)).toBe(true);

    const hung = await filmed({ camera, jobs: 1, pictureMs: 3000 }, () => browserProcesses(pageProcess).forEach((pid) => process.kill(pid, 'SIGSTOP')));
    expect(hung.notices).toContainEqual(expect.stringContaining('no picture within 3 s'));
    expect(hung.bytes.equals(calm.bytes)).toBe(true);
  });
});
