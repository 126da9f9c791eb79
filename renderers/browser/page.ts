import { Session } from 'node:inspector';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CDPSession } from 'puppeteer-core';
import { exitCodes, FaultreelError } from '../../src/errors.js';
import type { Host } from '../../src/host.js';
import { fontFamily, type FontFile } from './fonts.js';
import { toI420 } from './i420.js';
import { LongPromise } from './long-promise.js';
import { i420MemoryBytes, i420Module, simdConverter } from './i420-simd.js';
import type { Browser } from './launch.js';
import { patchOf, type LinePatch } from './line-patch.js';
import { pageProgram, type PageInterface, type PageSetup } from './page-program.js';
import { workerProgram } from './worker-program.js';

/** The one page of a browser: pictures in the bundled fonts, with no way out. */
export interface Page {
  /** Puts a picture in place of the last one. Rejects when it is not well-formed SVG. */
  show(svg: string): Promise<void>;
  /** Takes it away, so that it costs no more painting. */
  hide(): Promise<void>;
  /** What is shown, as PNG of exactly the page's size. */
  screenshot(): Promise<Buffer>;
  /** Gets ready to draw into a file of the browser's profile that has so many places. Rejects when this browser cannot. */
  startDrawing(file: string, slots: number): Promise<void>;
  /** Draws as many pictures as the page has hosts, or fewer, as 4:2:0 into places of the file. Rejects when one is not well-formed SVG. */
  draw(svgs: readonly string[], firstSlot: number): Promise<void>;
  /** Value of an expression in the page; for tests and measurements. */
  evaluate(expression: string): Promise<unknown>;
  /** Rejects when the page's process dies; never resolves. */
  readonly crashed: LongPromise<never>;
}

export interface PageOptions {
  readonly host: Host;
  readonly fonts: readonly FontFile[];
  readonly width: number;
  readonly height: number;
  /** Pictures that can be drawn at once without being shown. */
  readonly hosts?: number;
}

/**
 * Opens the page and waits until each weight of the fonts can draw Latin and Hangul.
 *
 * @throws FaultreelError with exit code 5 when a font does not load.
 */
export const openPage = async (browser: Browser, { host, fonts, width, height, hosts = 0 }: PageOptions): Promise<Page> => {
  const folder = path.join(browser.folder, 'page');
  await host.makeFolder(folder);
  for (const { weight, bytes } of fonts) await host.write(path.join(folder, fontName(weight)), bytes);
  const file = path.join(folder, 'page.html');
  await host.write(file, html(fonts, width, height, hosts));
  const page = await browser.devtools.newPage();
  const session = await page.createCDPSession();
  const crashed = new LongPromise(new Promise<never>((_, reject) => page.once('error', () => reject(new Error('The page crashed.')))));
  await session.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
  await crashed.race(page.goto(pathToFileURL(file).href));
  const program = await session.send('Runtime.evaluate', { expression: `(${pageProgram.toString()})(${JSON.stringify({ width, height, css: pictureCss } satisfies PageSetup)}, globalThis)` });
  if (program.exceptionDetails) throw errorOf(program.exceptionDetails);
  await checkFonts(session, fonts);
  const call = async <Name extends keyof PageInterface>(name: Name, ...values: Parameters<PageInterface[Name]>): Promise<unknown> => {
    const { result, exceptionDetails } = await session.send('Runtime.callFunctionOn', {
      objectId: program.result.objectId!,
      functionDeclaration: `function (...values) { return this.${name}(...values); }`,
      arguments: values.map((value: unknown) => ({ value })),
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw errorOf(exceptionDetails);
    return result.value;
  };
  const shown = new Text();
  const drawn = Array.from({ length: hosts }, () => new Text());
  const screenshot = async (): Promise<Buffer> => Buffer.from((await session.send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true, captureBeyondViewport: false })).data, 'base64');
  // The first one of a page may miss what is not painted yet.
  await screenshot();
  let untidy = 0;
  /**
   * Elements and captured pictures that went hold megabytes of the page and its worker, but little of V8's own heap, which decides when they are collected: hours of film would fill memory.
   * In Node, the texts of pictures grow that heap to several times of what is needed.
   */
  const change = async (pictures: number, work: () => Promise<unknown>): Promise<void> => {
    untidy += pictures;
    if (untidy >= tidyEvery) {
      untidy = 0;
      for (const client of [session, ...page.workers().map((worker) => worker.client)]) client.send('HeapProfiler.collectGarbage').catch(() => undefined);
      collectOwnGarbage();
    }
    refuseBroken(await work());
  };
  return {
    show: (svg) => change(1, () => call('show', shown.changeTo(svg))),
    hide: async () => void (await call('hide')),
    screenshot,
    startDrawing: async (name, slots) => void (await call('startDrawing', workerText(width, height), name, slots)),
    draw: (svgs, firstSlot) => change(svgs.length, () => call('draw', svgs.map((svg, index) => drawn[index].changeTo(svg)), firstSlot)),
    evaluate: (expression) => evaluate(session, expression),
    crashed,
  };
};

const workerText = (width: number, height: number): string => {
  const simdModule = width % 8 === 0 ? i420Module(i420MemoryBytes(width, height)) : null;
  return `(${workerProgram.toString()})(globalThis, { plain: ${toI420.toString()}, simd: ${simdConverter.toString()}, simdModule: ${JSON.stringify(simdModule)} })`;
};

let ownSession: Session | null = null;
const collectOwnGarbage = (): void => {
  if (!ownSession) {
    ownSession = new Session();
    ownSession.connect();
  }
  ownSession.post('HeapProfiler.collectGarbage');
};

/** Pictures between two collections of what the page no longer needs; one takes as long as a few pictures. */
const tidyEvery = 200;

/** The text that a place of the page holds, so that only what changes is sent: the protocol takes no more than 10 MB/s. */
class Text {
  #lines: readonly string[] = [];

  changeTo(text: string): LinePatch {
    const lines = text.split('\n');
    const patch = patchOf(this.#lines, lines);
    this.#lines = lines;
    return patch;
  }
}

const fontName = (weight: number): string => `${weight}.ttf`;

/**
 * The policy forbids everything but inline style, the fonts beside the page and a worker of our own: no script, no image, no network, no other file.
 * Fonts are files because the protocol takes 18 MB of data addresses no faster than 5 MB/s.
 */
const html = (fonts: readonly FontFile[], width: number, height: number, hosts: number): string => `<!doctype html>
<html><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; font-src file:; worker-src blob:; script-src 'wasm-unsafe-eval'">
<style>
${fonts.map(({ weight }) => `@font-face { font-family: ${fontFamily}; font-weight: ${weight}; src: url(${fontName(weight)}); }`).join('\n')}
html, body { margin: 0; background: #000; overflow: hidden; }
#canvas, #canvas > div, #shown { position: absolute; left: 0; top: 0; width: ${width}px; height: ${height}px; }
#shown { background: #000; }
[hidden] { display: none; }
</style></head><body><canvas id="canvas" layoutsubtree width="${width}" height="${height}">${'<div></div>'.repeat(hosts)}</canvas><div id="shown"></div></body></html>
`;

/** Figures are tabular and spaces kept, as the width tables assume: SVG knows no attribute for the one, and Chromium overrules xml:space of the root at each text. */
const pictureCss = `svg { display: block; font-feature-settings: 'tnum' 1, 'kern' 1; } svg text { white-space: pre; }`;

const refuseBroken = (broken: unknown): void => {
  if (broken !== '') throw new FaultreelError(exitCodes.rendering, { message: `A picture of the film is not well-formed: ${String(broken).trim().split('\n').slice(0, 3).join(' ')}` });
};

const checkFonts = async (session: CDPSession, fonts: readonly FontFile[]): Promise<void> => {
  const unloaded = (await evaluate(
    session,
    `Promise.all(${JSON.stringify(fonts.map(({ weight }) => weight))}.map(async (weight) => {
      const faces = await document.fonts.load(weight + ' 12px ${fontFamily}', '가A').catch(() => []);
      return faces.some((face) => face.status === 'loaded' && face.weight === String(weight)) ? null : weight;
    })).then((weights) => weights.filter(Boolean).join(', '))`,
  )) as string;
  if (unloaded !== '') throw new FaultreelError(exitCodes.environment, { message: `The browser does not load the bundled font ${fontFamily}, weight ${unloaded}.`, hint: 'It needs a font configuration: apt-get install fontconfig-config.' });
};

const evaluate = async (session: CDPSession, expression: string): Promise<unknown> => {
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
  if (exceptionDetails) throw errorOf(exceptionDetails);
  return result.value;
};

/** An error that a program in the page told of. Its message begins small, to stand in a sentence. */
export class PageProblem extends Error {}

const errorOf = ({ exception, text }: { readonly exception?: { readonly description?: string }; readonly text: string }): Error =>
  new PageProblem((exception?.description ?? text).split('\n')[0].replace(/^\w*(Error|Exception): /, ''));
