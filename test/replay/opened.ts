import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'puppeteer-core';
import { findBrowser } from '../../renderers/browser/find.js';
import { loadFonts } from '../../renderers/browser/fonts.js';
import { launch } from '../../renderers/browser/launch.js';
import type { Templates } from '../../renderers/replay/page.js';
import { replayHtml, type ReplayOptions } from '../../renderers/replay/replay.js';
import { realHost } from '../../src/host.js';
import type { Study } from '../../src/study/types.js';
import { temporaryFolder } from '../browser/machine.js';

const root = new URL('../../', import.meta.url);
const bundler = '../../scripts/bundle-replay.mjs';
export const bundle = ((await import(bundler)) as { readonly bundleReplay: () => Promise<string> }).bundleReplay;

/** Of these sources, whatever was built before. */
export const templates: Templates = {
  page: readFileSync(new URL('templates/replay/page.hbs', root), 'utf8'),
  style: readFileSync(new URL('templates/replay/replay.css', root), 'utf8'),
  script: await bundle(),
};
const host = realHost();
export const fonts = await loadFonts(host);

export const htmlOf = (study: Study, options: Partial<ReplayOptions> = {}): Promise<string> =>
  replayHtml(study, { variant: Object.keys(study.runs)[0], lang: 'en', theme: 'dark', ...options }, { host, fonts, templates });

/** A replay in a real browser. */
export interface Opened {
  readonly page: Page;
  /** What the console said, errors, and breaches of the policy. */
  readonly complaints: string[];
  /** Addresses that the page asked for, the file itself and data apart. */
  readonly requests: string[];
  /** Waits until what was asked for is drawn. */
  readonly drawn: () => Promise<void>;
  /** Text of an element. */
  readonly text: (selector: string) => Promise<string>;
  readonly clock: () => Promise<string>;
}

/** Opens a page from disk, without a network, and hands it over once the stage is drawn. */
export const withReplay = async (html: string, work: (opened: Opened) => Promise<void>, { width = 1600, height = 900, hash = '' } = {}): Promise<void> => {
  const folder = await temporaryFolder();
  const file = path.join(folder, 'replay.html');
  await writeFile(file, html);
  const browser = await launch(await findBrowser(host), { host: { ...host, tmpdir: folder }, onNotice: () => undefined });
  try {
    const page = await browser.devtools.newPage();
    await page.setViewport({ width, height });
    page.setDefaultTimeout(120_000);
    const [complaints, requests]: [string[], string[]] = [[], []];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    const session = await page.createCDPSession();
    session.on('Network.requestWillBeSent', ({ request: { url } }) => {
      if (!url.startsWith('data:') && !url.startsWith(pathToFileURL(file).href)) requests.push(url);
    });
    await session.send('Network.enable');
    await page.goto(pathToFileURL(file).href + hash);
    await page.waitForSelector('.picture svg');
    const text = (selector: string): Promise<string> => page.$eval(selector, (element) => element.textContent);
    const drawn = (): Promise<void> => page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))') as Promise<void>;
    await drawn();
    await work({ page, complaints, requests, drawn, text, clock: async () => (await text('.time')).split(' / ')[0] });
  } finally {
    await browser.close();
  }
};

/** Goes to an address, and waits until the page stands there. */
export const goTo = async ({ page }: Opened, { tick, variant, lang = 'en', theme = 'dark' }: { tick: number; variant: string; lang?: string; theme?: string }): Promise<void> => {
  await page.evaluate(`location.hash = '#t=${tick}&v=${variant}&lang=${lang}&theme=${theme}'`);
  const root = 'document.documentElement';
  await page.waitForFunction(`${root}.lang === '${lang}' && ${root}.dataset.theme === '${theme}' && document.querySelector('select.variant').value === '${variant}' && document.querySelector('.scrubber').getAttribute('aria-valuenow') === '${tick}'`);
};

/** Whether the stage in the page is this picture: both as the browser itself writes them out. */
export const shows = ({ page }: Opened, svg: string): Promise<boolean> =>
  page.evaluate(
    `(text) => {
      const write = (node) => new XMLSerializer().serializeToString(node);
      return write(document.querySelector('.picture svg')) === write(new DOMParser().parseFromString(text, 'image/svg+xml').documentElement);
    }`.replace(/^/, '(').concat(`)(${JSON.stringify(svg)})`),
  ) as Promise<boolean>;
