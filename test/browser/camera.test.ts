import { createServer } from 'node:http';
import { writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CameraUnfit, openCamera, type Camera, type CameraOptions } from '../../renderers/browser/camera.js';
import type { CanvasCamera } from '../../renderers/browser/canvas-camera.js';
import { descendantsOf } from '../../renderers/browser/child.js';
import { findBrowser, type FoundBrowser } from '../../renderers/browser/find.js';
import { i420Bytes, toI420 } from '../../renderers/browser/i420.js';
import { likenessOf } from '../../renderers/browser/likeness.js';
import { decodePng } from '../../renderers/browser/png.js';
import { storyboard } from '../../renderers/video/storyboard.js';
import { realHost } from '../../src/host.js';
import { scriptedStudy } from '../support/scripted-study.js';
import { failureOf, profilesIn, temporaryFolder } from './machine.js';

const host = realHost();
let found: FoundBrowser;
beforeAll(async () => (found = await findBrowser(host)));

interface Opened {
  readonly camera: Camera;
  readonly notices: string[];
}

const open = async (over: Partial<CameraOptions> = {}): Promise<Opened> => {
  const notices: string[] = [];
  const camera = await openCamera({ host, found, width: 480, height: 270, jobs: 1, onNotice: (notice) => notices.push(notice), ...over });
  return { camera, notices };
};

const withCamera = async (over: Partial<CameraOptions>, work: (opened: Opened) => Promise<void>): Promise<void> => {
  const opened = await open(over);
  try {
    await work(opened);
  } finally {
    await opened.camera.close();
  }
};

/** All pictures, kept. */
const shot = async (camera: Camera, svgs: readonly string[]): Promise<Uint8Array[]> => {
  const pictures: Uint8Array[] = [];
  for await (const [svg, bytes] of camera.shoot(svgs, (text) => text)) {
    expect(svg).toBe(svgs[pictures.length]);
    pictures.push(Uint8Array.from(bytes));
  }
  return pictures;
};

/** A picture of one element a line. */
const svg = (lines: readonly string[], definitions = '', attributes = ''): string =>
  [`<svg xmlns="http://www.w3.org/2000/svg" width="480" height="270" viewBox="0 0 480 270" font-family="Pretendard"${attributes}>`, `<defs>${definitions}</defs>`, `<rect width="480" height="270" fill="#102030"/>`, ...lines, '</svg>', ''].join('\n');
const text = (content: string, y = 100): string => `<text x="20" y="${y}" font-size="40" fill="#fff">${content}</text>`;

/** The luma of a point. */
const lumaAt = (frame: Uint8Array, x: number, y: number): number => frame[y * 480 + x];
const ground = 42;

describe('the canvas camera', () => {
  let shared: Opened;
  beforeAll(async () => (shared = await open()));
  afterAll(() => shared.camera.close());

  test('is the one that is taken, without a word', () => {
    expect(shared.camera).toMatchObject({ name: 'canvas', format: 'i420', browsers: 1 });
    expect(shared.notices.filter((notice) => !notice.includes('--no-sandbox'))).toEqual([]);
  });

  test('gives the planes of each picture, in order, whatever their number', async () => {
    const grey = (level: number): string => svg([`<rect width="480" height="270" fill="rgb(${level},${level},${level})"/>`]);
    for (const count of [0, 1, 3, 4, 5, 27]) {
      const frames = await shot(shared.camera, Array.from({ length: count }, (_, index) => grey(index * 9)));
      expect(frames).toHaveLength(count);
      frames.forEach((frame, index) => {
        const luma = Math.round(16 + (index * 9 * 219) / 255);
        expect([frame.length, lumaAt(frame, 0, 0), lumaAt(frame, 479, 269), frame[480 * 270], frame.at(-1)]).toEqual([i420Bytes(480, 270), luma, luma, 128, 128]);
      });
    }
  });

  test('draws no more ahead than it says, and lets a shoot be left', async () => {
    let asked = 0;
    const endless = function* (): Generator<number> {
      for (;;) yield asked++;
    };
    let taken = 0;
    for await (const [item] of shared.camera.shoot(endless(), (index) => svg([text(String(index))]))) {
      expect(item).toBe(taken++);
      expect(asked - taken).toBeLessThanOrEqual(12);
      if (taken === 40) break;
    }
    expect(await shot(shared.camera, [svg([text('A')])])).toHaveLength(1);
  });

  test('draws each picture as if it were the only one, whatever came before it and stands beside it', async () => {
    const shape = fc.oneof(
      fc.record({ x: fc.integer({ min: 0, max: 400 }), width: fc.integer({ min: 1, max: 200 }), fill: fc.constantFrom('#F4B63F', 'url(#h)', 'url(#g)') }).map(({ x, width, fill }) => `<rect x="${x}" y="40" width="${width}" height="60" fill="${fill}"/>`),
      fc.constantFrom('가나다', '뷁 12:34', 'p99 812 ms', '&lt;b&gt; &amp; x  y').chain((content) => fc.integer({ min: 60, max: 240 }).map((y) => text(content, y))),
      fc.array(fc.integer({ min: 0, max: 480 }), { minLength: 2, maxLength: 30 }).map((points) => `<path d="M0 200${points.map((x, index) => `L${x} ${(index * 53) % 270}`).join('')}" fill="none" stroke="#5FB0FF" stroke-width="2.5" opacity="0.8"/>`),
      fc.integer({ min: 0, max: 200 }).map((x) => `<g clip-path="url(#c)"><circle cx="${x}" cy="150" r="70" fill="#FF617C"/></g>`),
    );
    // The same ids with other contents, as no film of ours has them.
    const definitions = fc.tuple(fc.constantFrom(6, 9), fc.constantFrom(80, 300)).map(
      ([period, width]) => `<pattern id="h" width="${period}" height="${period}" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="3" height="${period}" fill="#BCC7D1"/></pattern><linearGradient id="g"><stop offset="0" stop-color="#1B7D6B"/><stop offset="1" stop-color="#fff"/></linearGradient><clipPath id="c"><rect x="20" y="90" width="${width}" height="100" rx="8"/></clipPath>`,
    );
    const pool = fc.sample(shape, { numRuns: 12, seed: 7 });
    const picture = fc.record({
      lines: fc.array(fc.oneof({ arbitrary: fc.constantFrom(...pool), weight: 4 }, { arbitrary: shape, weight: 1 }), { maxLength: 90 }),
      definitions,
      // Some that are not an element a line, that one can see through, or that have another start tag.
      form: fc.constantFrom('lines', 'lines', 'lines', 'lines', 'see through', 'narrow', 'joined', 'two a line', 'broken lines', 'comment'),
    });
    const pictures = fc.sample(picture, { numRuns: 60, seed: 11 }).map(({ lines, definitions: own, form }) => {
      const whole = svg(form === 'broken lines' ? ['<g>', ...lines, '</g>'] : form === 'comment' ? ['<!-- a', 'b -->', ...lines] : form === 'two a line' ? lines.map((line) => line + text('2nd')) : lines, own);
      if (form === 'see through') return whole.replace('<rect width="480"', '<rect width="240"');
      if (form === 'narrow') return whole.replace('viewBox="0 0 480', 'viewBox="0 0 560');
      return form === 'joined' ? whole.replaceAll('>\n<', '><') : whole;
    });
    // Another start tag: what stood there is built anew.
    const blank = svg([], '', ' data-blank=""');
    const alone = (await shot(shared.camera, pictures.flatMap((one) => [blank, blank, blank, blank, one, blank, blank, blank]))).filter((_, index) => index % 8 === 4);
    const together = await shot(shared.camera, pictures);
    together.forEach((frame, index) => expect(Buffer.compare(frame, alone[index]), `picture ${index}`).toBe(0));
    expect(new Set(together.map((frame) => Buffer.from(frame).toString('base64'))).size).toBeGreaterThan(50);
    await withCamera({}, async ({ camera }) => {
      const again = await shot(camera, pictures);
      again.forEach((frame, index) => expect(Buffer.compare(frame, together[index]), `picture ${index} in another browser`).toBe(0));
    });
  });

  test('draws the same elements the same, however they stand in lines', async () => {
    const lines = [text('가'), '<rect x="100" y="20" width="50" height="50" fill="#F4B63F"/>', text('나', 200), '<circle cx="300" cy="100" r="50" fill="#FF617C"/>'];
    const whole = svg(lines);
    const others = [whole.replaceAll('>\n<', '><'), svg([`${lines[0]}${lines[1]}`, `${lines[2]}${lines[3]}`]), svg(['<g>', ...lines, '</g>']), svg(['<g>', '<g/><g/>', ...lines, '</g>']), svg(['<!--', ...lines, '-->', ...lines]), whole.replaceAll('/>', '\n/>'), whole.trimEnd(), `<?xml version="1.0"?>\n${whole}`];
    const [expected, ...frames] = await shot(shared.camera, [whole, ...others, ...others, whole]);
    frames.forEach((frame, index) => expect(Buffer.compare(frame, expected), `picture ${index}`).toBe(0));
  });

  test('lets a picture reach neither network nor files, nor run anything', async () => {
    let requests = 0;
    const server = createServer((_, response) => {
      requests++;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const secret = pathToFileURL(path.join(await temporaryFolder(), 'secret.svg')).href;
    await writeFile(new URL(secret), svg([]).replace('#102030', '#ffffff'));
    try {
      const remove = `document.querySelectorAll('#canvas > div').forEach((host) => host.remove())`;
      const calm = [`<image href="${origin}/a.png" width="480" height="270"/>`, `<image href="${secret}" width="480" height="270"/>`, `<use href="${secret}#x"/>`, `<script>${remove}</script>`, `<rect width="1" height="1" onload="${remove}"/>`];
      const hostile = [...calm, `<style>@import url(${origin}/b.css); @font-face { font-family: F; src: url(${origin}/f.woff2) } rect { fill: url(${origin}/c.svg#x) }</style>`, `<foreignObject width="480" height="270"><iframe xmlns="http://www.w3.org/1999/xhtml" src="${secret}"></iframe></foreignObject>`, text('F').replace('<text', '<text font-family="F"')];
      // The first one is held against a screenshot, and what is refused looks different in it.
      const frame = (await shot(shared.camera, [svg([]), svg(hostile), svg(hostile), svg(calm)]))[3];
      // Off the middle, where the sign of a refused image stands.
      expect(lumaAt(frame, 40, 200)).toBe(ground);
      expect(requests).toBe(0);
    } finally {
      server.close();
    }
  });

  test.each([
    ['an end tag that is missing', svg(['<g>'])],
    ['a line that closes the picture', svg(['</svg>'])],
    ['an attribute without a value', svg(['<rect x/>'])],
    ['no picture at all', ''],
  ])('refuses %s, and draws the next one', async (_, broken) => {
    const error = await failureOf(shot(shared.camera, [svg([text('A')]), broken]));
    expect([error.exitCode, error.message]).toEqual([6, expect.stringMatching(/^A picture of the film is not well-formed: /)]);
    const [frame] = await shot(shared.camera, [svg([])]);
    expect(lumaAt(frame, 40, 200)).toBe(ground);
  });

  test('refuses to go on when a picture is not what a screenshot shows', async () => {
    const [fine] = await shot(shared.camera, [svg([text('12:34')])]);
    expect(fine).toBeDefined();
    // Only the one that is shown has this name.
    const digit = svg([text('12:34'), '<style>:host(#shown) text { transform: translate(0, 2px) }</style>']);
    await expect(shot(shared.camera, [digit])).rejects.toThrow(CameraUnfit);
    await expect(shot(shared.camera, [digit])).rejects.toThrow(/^picture 1 differs from its screenshot \(\d+\.\d dB, expected 45; in its worst place \d+\.\d dB, expected 24\)$/);
    const middle = Array.from({ length: 151 }, (_, index) => (index < 150 ? svg([text(String(index % 10))]) : digit));
    await expect(shot(shared.camera, middle)).rejects.toThrow('picture 151 differs');
  });

  test('gives a still as PNG, as the screenshot camera does', async () => {
    const picture = svg([text('가A 12')]);
    const still = Buffer.from(await shared.camera.still(picture));
    await withCamera({ camera: 'screenshot' }, async ({ camera }) => expect(Buffer.compare(still, await camera.still(picture))).toBe(0));
    const planes = new Uint8Array(i420Bytes(480, 270));
    toI420(decodePng(still).rgbx, 'RGB', planes, 480, 270);
    const [frame] = await shot(shared.camera, [picture]);
    expect(likenessOf(planes, frame, 480, 270).wholeDb).toBeGreaterThan(55);
  });
});

describe('both cameras', () => {
  test.each([
    [1280, 720],
    [1920, 1080],
    [1080, 1920],
    [3840, 2160],
  ])('show the same film at %i × %i', async (width, height) => {
    const { shots } = storyboard(scriptedStudy(), { variant: 'as-it-is', lang: 'ko', theme: 'dark', width, height });
    const svgs = (width < 3840 ? [0, 30, 59, 60, 61, shots.length - 1] : [0, 60, 61]).map((index) => shots[index].svg());
    const frames: Uint8Array[] = [];
    await withCamera({ width, height, camera: 'canvas' }, async ({ camera }) => void frames.push(...(await shot(camera, svgs))));
    await withCamera({ width, height, camera: 'screenshot' }, async ({ camera }) => {
      for (const [index, png] of (await shot(camera, svgs)).entries()) {
        const planes = new Uint8Array(i420Bytes(width, height));
        toI420(decodePng(Buffer.from(png)).rgbx, 'RGB', planes, width, height);
        const { wholeDb, worstBlockDb } = likenessOf(planes, frames[index], width, height);
        expect(wholeDb, `picture ${index} as a whole`).toBeGreaterThan(55);
        expect(worstBlockDb, `picture ${index} in its worst place`).toBeGreaterThan(26);
        if (index > 0) expect(likenessOf(frames[index - 1], frames[index], width, height).wholeDb).toBeLessThan(45);
      }
    });
  }, 120_000);
});

describe('a canvas camera in trouble', () => {
  const pictures = Array.from({ length: 64 }, (_, index) => svg([text(`${index} 가`), `<rect x="${index * 6}" y="200" width="40" height="40" fill="#2DBFA3"/>`]));

  test('draws again, in a new browser and with the same bytes, when the page dies or hangs', async () => {
    await withCamera({ pictureMs: 8_000 }, async ({ camera, notices }) => {
      const canvas = camera as unknown as Pick<CanvasCamera, 'pid'>;
      const calm = await shot(camera, pictures);
      const rendererOf = async (): Promise<number> => {
        const renderers: number[] = [];
        for (const pid of descendantsOf(canvas.pid!)) if ((await host.readText(`/proc/${pid}/cmdline`).catch(() => '')).includes('--type=renderer')) renderers.push(pid);
        return renderers.at(-1)!;
      };
      // Farther apart than what is drawn ahead, so that each is noticed.
      const troubled: Uint8Array[] = [];
      for await (const [, bytes] of camera.shoot(pictures, (picture) => picture)) {
        troubled.push(Uint8Array.from(bytes));
        if (troubled.length === 6) process.kill(await rendererOf(), 'SIGKILL');
        if (troubled.length === 20) process.kill(await rendererOf(), 'SIGSTOP');
        if (troubled.length === 36) process.kill(canvas.pid!, 'SIGKILL');
      }
      troubled.forEach((frame, index) => expect(Buffer.compare(frame, calm[index]), `picture ${index}`).toBe(0));
      expect(troubled).toHaveLength(pictures.length);
      const told = notices.filter((notice) => notice.startsWith('The browser failed'));
      expect(told).toHaveLength(3);
      expect(told[1]).toContain('no picture within 8 s');
    });
    expect(descendantsOf(process.pid)).toEqual([]);
  });

  test('gives way to screenshots when the browser cannot draw elements, and says why once', async () => {
    const without = { ...found, args: ['--disable-blink-features=CanvasDrawElement'] };
    await withCamera({ found: without }, async ({ camera, notices }) => {
      expect(camera).toMatchObject({ name: 'screenshot', format: 'png', browsers: 1 });
      expect(notices.filter((notice) => notice.includes('screenshot'))).toEqual(['Pictures are taken by screenshot, which takes longer: it does not draw elements into a canvas.']);
      expect(await shot(camera, pictures.slice(0, 3))).toHaveLength(3);
    });
    const error = await failureOf(open({ found: without, camera: 'canvas' }));
    expect([error.exitCode, error.message]).toEqual([5, 'Expected this browser to draw by canvas, found that it does not draw elements into a canvas.']);
    expect(descendantsOf(process.pid)).toEqual([]);
  });

  test('leaves neither process nor profile when it is closed, however often, in the middle of a film', async () => {
    const tmpdir = await temporaryFolder();
    const { camera } = await open({ host: { ...host, tmpdir } });
    expect(await profilesIn(tmpdir)).toHaveLength(1);
    const shooting = camera.shoot(pictures, (picture) => picture);
    await shooting.next();
    await Promise.all([camera.close(), camera.close()]);
    await expect(shooting.next()).rejects.toThrow();
    expect(await profilesIn(tmpdir)).toEqual([]);
    expect(descendantsOf(process.pid)).toEqual([]);
    await expect(camera.still(svg([]))).rejects.toThrow('closed');
  });

  test('stops at once when it is told to while it opens', async () => {
    const stop = new AbortController();
    stop.abort();
    await expect(open({ signal: stop.signal })).rejects.toThrow();
    expect(descendantsOf(process.pid)).toEqual([]);
  });
});
