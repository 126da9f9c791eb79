import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CDPSession } from 'puppeteer-core';
import { exitCodes, FaultreelError } from '../../src/errors.js';
import type { Host } from '../../src/host.js';
import { fontFamily, type FontFile } from './fonts.js';
import type { Browser } from './launch.js';

/** The one page of a browser: a picture at a time, in the bundled fonts, with no way out. */
export interface Page {
  /** Puts a picture in place of the last one. Rejects when it is not well-formed SVG. */
  show(svg: string): Promise<void>;
  /** What is shown, as PNG of exactly the page's size. */
  screenshot(): Promise<Buffer>;
  /** Value of an expression in the page; for tests and measurements. */
  evaluate(expression: string): Promise<unknown>;
  /** Rejects when the page's process dies; never resolves. */
  readonly crashed: Promise<never>;
}

/**
 * Opens the page and waits until each weight of the fonts can draw Latin and Hangul.
 *
 * @throws FaultreelError with exit code 5 when a font does not load.
 */
export const openPage = async (browser: Browser, { host, fonts, width, height }: { readonly host: Host; readonly fonts: readonly FontFile[]; readonly width: number; readonly height: number }): Promise<Page> => {
  const folder = path.join(browser.folder, 'page');
  await host.makeFolder(folder);
  for (const { weight, bytes } of fonts) await host.write(path.join(folder, fontName(weight)), bytes);
  const file = path.join(folder, 'page.html');
  await host.write(file, html(fonts));
  const page = await browser.devtools.newPage();
  const session = await page.createCDPSession();
  const crashed = new Promise<never>((_, reject) => page.once('error', () => reject(new Error('The page crashed.'))));
  crashed.catch(() => undefined);
  await session.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
  await Promise.race([page.goto(pathToFileURL(file).href), crashed]);
  await evaluate(session, showFunction);
  await checkFonts(session, fonts);
  return {
    show: (svg) => evaluate(session, `show(${JSON.stringify(svg)})`).then(refuseBroken),
    screenshot: async () => Buffer.from((await session.send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true, captureBeyondViewport: false })).data, 'base64'),
    evaluate: (expression) => evaluate(session, expression),
    crashed,
  };
};

const fontName = (weight: number): string => `${weight}.ttf`;

/**
 * The policy forbids everything but inline style and the fonts beside the page: no script, no image, no network, no other file.
 * Fonts are files because the protocol takes 18 MB of data addresses no faster than 5 MB/s.
 * Figures are tabular and spaces kept, as the width tables assume: SVG knows no attribute for the one, and Chromium overrules xml:space of the root at each text.
 */
const html = (fonts: readonly FontFile[]): string => `<!doctype html>
<html><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; font-src file:">
<style>
${fonts.map(({ weight }) => `@font-face { font-family: ${fontFamily}; font-weight: ${weight}; src: url(${fontName(weight)}); }`).join('\n')}
html, body { margin: 0; background: #000; overflow: hidden; }
svg { display: block; font-feature-settings: 'tnum' 1, 'kern' 1; }
svg text { white-space: pre; }
</style></head><body></body></html>
`;

/** Parsed as XML, so nothing in it can run, and a slip in the markup is an error instead of a guess. */
const showFunction = `globalThis.show = (text) => {
  const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
  const broken = parsed.querySelector('parsererror');
  if (broken) return broken.textContent;
  document.body.replaceChildren(document.adoptNode(parsed.documentElement));
  return '';
}`;

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
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
};
