import { createServer } from 'node:http';
import { writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { captureCount, picturesInOrder, screenshotCapture, type Capture, type ScreenshotCapture } from '../../renderers/browser/capture.js';
import { descendantsOf } from '../../renderers/browser/child.js';
import { findBrowser } from '../../renderers/browser/find.js';
import { decodePng } from '../../renderers/browser/png.js';
import { realHost } from '../../src/host.js';
import { failureOf, profilesIn, temporaryFolder } from './machine.js';

const width = 320;
const height = 180;

interface Opened {
  readonly capture: ScreenshotCapture;
  readonly notices: string[];
  readonly tmpdir: string;
}

const open = async (over: { readonly pictureMs?: number } = {}): Promise<Opened> => {
  const tmpdir = await temporaryFolder();
  const host = { ...realHost(), tmpdir };
  const notices: string[] = [];
  const capture = await screenshotCapture({ host, found: await findBrowser(host), width, height, onNotice: (notice) => notices.push(notice), ...over });
  return { capture, notices, tmpdir };
};

const withCapture = async (work: (opened: Opened) => Promise<void>, over?: { readonly pictureMs?: number }): Promise<void> => {
  const opened = await open(over);
  try {
    await work(opened);
  } finally {
    await opened.capture.close();
  }
};

const svg = (content: string): string => `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="Pretendard"><rect width="${width}" height="${height}" fill="#102030"/>${content}</svg>`;
const textSvg = (text: string, attributes = ''): string => svg(`<text x="20" y="110" font-size="60" fill="#ffffff" ${attributes}>${text}</text>`);

describe('screenshotCapture', () => {
  test('draws exactly what it is given, every time, in the exact size', async () => {
    await withCapture(async ({ capture }) => {
      for (let index = 0; index < 30; index++) {
        const color = [index * 8, 255 - index * 8, (index * 37) % 256];
        const picture = decoded(await capture.picture(svg(`<rect x="0" y="0" width="${width}" height="${height}" fill="rgb(${color.join(',')})"/>`)));
        expect([picture.width, picture.height]).toEqual([width, height]);
        for (const [x, y] of [[0, 0], [width - 1, 0], [0, height - 1], [width - 1, height - 1], [160, 90]] as const) expect(picture.at(x, y)).toEqual(color);
      }
      const text = textSvg('가나다 ABC 123');
      const first = await capture.picture(text);
      await capture.picture(svg(''));
      expect((await capture.picture(text)).equals(first)).toBe(true);
    });
  });

  test('draws Latin and Hangul in the bundled fonts, each weight its own', async () => {
    await withCapture(async ({ capture }) => {
      const hashes = new Set<string>();
      for (const weight of [400, 500, 600, 700, 800]) {
        const picture = await capture.picture(textSvg('가A뷁', `font-weight="${weight}"`));
        hashes.add(picture.toString('base64'));
        // A font that is not there would be drawn by the fallback, whose Hangul are equal boxes.
        const fallback = await capture.picture(textSvg('가A뷁', `font-weight="${weight}" style="font-family: Nothing, sans-serif"`));
        expect(picture.equals(fallback)).toBe(false);
      }
      expect(hashes.size).toBe(5);
      const [first, second] = [decoded(await capture.picture(textSvg('가'))), decoded(await capture.picture(textSvg('나')))];
      expect(inkOf(first)).toBeGreaterThan(200);
      expect(first.bytes.equals(second.bytes)).toBe(false);
    });
  });

  test('lets a picture reach neither network nor files, nor run anything', async () => {
    let requests = 0;
    const server = createServer((_, response) => {
      requests++;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const secret = path.join(await temporaryFolder(), 'secret.svg');
    await writeFile(secret, svg('').replace('#102030', '#ff0000'));
    try {
      await withCapture(async ({ capture }) => {
        const hostile = svg(
          `<image href="${origin}/a.png" width="320" height="180"/><image href="${pathToFileURL(secret).href}" width="320" height="180"/>` +
            `<script>document.documentElement.style.background = 'red'; document.querySelector('svg').remove();</script>` +
            `<rect width="1" height="1" onload="document.querySelector('svg').remove()"/><style>@import url(${origin}/b.css); rect { fill: url(${origin}/c.svg#x) }</style>` +
            `<foreignObject width="320" height="180"><iframe xmlns="http://www.w3.org/1999/xhtml" src="${origin}/d.html"></iframe></foreignObject>`,
        );
        await capture.picture(hostile);
        const calm = decoded(await capture.picture(hostile.replace(/<style>.*<\/style>/, '').replace(/<foreignObject.*<\/foreignObject>/, '')));
        // Off the middle, where the sign of a refused image stands.
        expect(calm.at(40, 150)).toEqual([0x10, 0x20, 0x30]);
      });
      expect(requests).toBe(0);
    } finally {
      server.close();
    }
  });

  test('draws a picture again in a new browser when the first one dies', async () => {
    await withCapture(async ({ capture, notices }) => {
      const before = await capture.picture(textSvg('A'));
      process.kill(capture.pid!, 'SIGKILL');
      expect((await capture.picture(textSvg('A'))).equals(before)).toBe(true);
      expect(notices.at(-2)).toMatch(/^The browser failed \(.*\); drawing the picture again in a new one\.$/);
    });
  });

  test('gives up on a picture that hangs every browser', async () => {
    await withCapture(
      async ({ capture, notices }) => {
        process.kill(capture.pid!, 'SIGSTOP');
        await capture.picture(textSvg('A'));
        expect(notices.some((notice) => notice.includes('no picture within 4 s'))).toBe(true);
      },
      { pictureMs: 4000 },
    );
  });

  test('leaves neither process nor profile when it is closed, however often', async () => {
    const { capture, tmpdir } = await open();
    expect(await profilesIn(tmpdir)).toHaveLength(1);
    await Promise.all([capture.close(), capture.close()]);
    expect(await profilesIn(tmpdir)).toEqual([]);
    expect(descendantsOf(process.pid)).toEqual([]);
    await expect(capture.picture(svg(''))).rejects.toThrow('closed');
    expect(descendantsOf(process.pid)).toEqual([]);
  });

  test('refuses what is not well-formed', async () => {
    await withCapture(async ({ capture }) => {
      expect((await failureOf(capture.picture('<svg xmlns="http://www.w3.org/2000/svg"><g></svg>'))).exitCode).toBe(6);
    });
  });
});

describe('picturesInOrder', () => {
  /** A capture that draws when the test says so. */
  const slow = (): { readonly capture: Capture; readonly asked: string[]; readonly give: (() => void)[] } => {
    const asked: string[] = [];
    const give: (() => void)[] = [];
    const picture = (text: string): Promise<Buffer> => {
      asked.push(text);
      return new Promise((resolve) => give.push(() => resolve(Buffer.from(text))));
    };
    return { capture: { name: 'slow', picture, close: () => Promise.resolve() }, asked, give };
  };
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  test('keeps the order when the second capture is faster, and looks no further ahead than allowed', async () => {
    const [one, two] = [slow(), slow()];
    const taken: string[] = [];
    const all = (async () => {
      for await (const [, png] of picturesInOrder(['a', 'b', 'c', 'd', 'e'], (item) => item, [one.capture, two.capture], 3)) taken.push(png.toString());
    })();
    await settle();
    expect([...one.asked, ...two.asked].sort()).toEqual(['a', 'b']);
    const [first, second] = one.asked[0] === 'a' ? [one, two] : [two, one];
    second.give.shift()!();
    await settle();
    second.give.shift()!();
    await settle();
    // `a` still waits: nothing was taken, nothing beyond three was begun.
    expect(taken).toEqual([]);
    expect([...one.asked, ...two.asked].sort()).toEqual(['a', 'b', 'c']);
    first.give.shift()!();
    for (let turn = 0; turn < 20; turn++) {
      await settle();
      one.give.shift()?.();
      two.give.shift()?.();
    }
    await all;
    expect(taken).toEqual(['a', 'b', 'c', 'd', 'e']);
  });
});

describe('captureCount', () => {
  test('follows cores and memory, and is never less than one', () => {
    const gb = 2 ** 30;
    expect(captureCount({ cores: 2, memoryBytes: 8 * gb })).toBe(2);
    expect(captureCount({ cores: 32, memoryBytes: 64 * gb })).toBe(4);
    expect(captureCount({ cores: 8, memoryBytes: 2 * gb })).toBe(1);
    expect(captureCount({ cores: 1, memoryBytes: gb / 2 })).toBe(1);
  });
});

interface Picture {
  readonly width: number;
  readonly height: number;
  readonly bytes: Buffer;
  at(x: number, y: number): number[];
}

const decoded = (png: Buffer): Picture => {
  const { width: pictureWidth, height: pictureHeight, rgbx } = decodePng(png);
  return { width: pictureWidth, height: pictureHeight, bytes: Buffer.from(rgbx), at: (x, y) => [...rgbx.subarray((y * pictureWidth + x) * 4, (y * pictureWidth + x) * 4 + 3)] };
};

/** Pixels that are not ground. */
const inkOf = (picture: Picture): number => {
  let ink = 0;
  for (let y = 0; y < picture.height; y++) for (let x = 0; x < picture.width; x++) if (picture.at(x, y)[0] > 0x80) ink++;
  return ink;
};
