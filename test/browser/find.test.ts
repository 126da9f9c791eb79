import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { carriedBrowser } from '../../renderers/browser/carried.js';
import { findBrowser } from '../../renderers/browser/find.js';
import { findVideoTools } from '../../renderers/video/find-encoder.js';
import { describeError } from '../../src/errors.js';
import { failureOf, fixture, hostWith, temporaryFolder } from './machine.js';

const systemWith = async (name: string, fake: string): Promise<string> => {
  const folder = await temporaryFolder();
  await symlink(fixture(fake), path.join(folder, name));
  return folder;
};

const pathWith = (folder: string): string => [folder, path.dirname(process.execPath)].join(path.delimiter);

const puppeteerCacheWith = async (product: string, versions: readonly string[], fake: string): Promise<string> => {
  const cache = await temporaryFolder();
  for (const version of versions) {
    const folder = path.join(cache, product, `linux-${version}`, `${product}-linux64`);
    await mkdir(folder, { recursive: true });
    await symlink(fixture(fake), path.join(folder, product));
  }
  return cache;
};

describe('findBrowser', () => {
  test('takes the one that the user names before all others', async () => {
    const system = await systemWith('chromium', 'fake-browser-new');
    const found = await findBrowser(hostWith({ PATH: pathWith(system), FAULTREEL_BROWSER: fixture('fake-browser-new') }));
    expect(found).toMatchObject({ kind: 'named', path: fixture('fake-browser-new'), version: '160.0.1.2' });
  });

  test('uses an old one when it is named, and says so', async () => {
    const notices: string[] = [];
    const found = await findBrowser(hostWith({ FAULTREEL_BROWSER: fixture('fake-browser-old') }), { onNotice: (notice) => notices.push(notice) });
    expect(found.version).toBe('120.0.1.2');
    expect(notices).toEqual([`${fixture('fake-browser-old')} is version 120.0.1.2; faultreel was proven with 153 and newer`]);
  });

  test('refuses to look elsewhere when the named one does not work', async () => {
    const error = await failureOf(findBrowser(hostWith({ FAULTREEL_BROWSER: '/no/such/browser' })));
    expect(error.exitCode).toBe(5);
    expect(describeError(error)).toBe('Expected FAULTREEL_BROWSER to name a Chromium, found that /no/such/browser does not exist\n  Unset FAULTREEL_BROWSER, or set it to a Chromium 153 or newer; faultreel doctor tells what is found without it');
  });

  test("takes puppeteer's newest headless shell before one of the system", async () => {
    const system = await systemWith('chromium', 'fake-browser-new');
    const cache = await puppeteerCacheWith('chrome-headless-shell', ['160.0.1.2', '160.0.12.0', '99.9.9.9'], 'fake-browser-new');
    const found = await findBrowser(hostWith({ PATH: pathWith(system), PUPPETEER_CACHE_DIR: cache }));
    expect(found).toMatchObject({ kind: 'downloaded', path: path.join(cache, 'chrome-headless-shell/linux-160.0.12.0/chrome-headless-shell-linux64/chrome-headless-shell') });
  });

  test('takes one of the system when it is new enough', async () => {
    const system = await systemWith('chromium-headless-shell', 'fake-browser-new');
    expect(await findBrowser(hostWith({ PATH: pathWith(system) }))).toMatchObject({ kind: 'system', path: path.join(system, 'chromium-headless-shell') });
  });

  test('asks no program any further when the user interrupts', async () => {
    const system = await temporaryFolder();
    await writeFile(path.join(system, 'chromium'), '#!/bin/sh\nexec sleep 1000\n', { mode: 0o755 });
    const [host, signal] = [hostWith({ PATH: pathWith(system) }), AbortSignal.abort(new Error('enough'))];
    await expect(findBrowser(host, { signal })).rejects.toThrow('enough');
    await expect(findBrowser(hostWith({ FAULTREEL_BROWSER: path.join(system, 'chromium') }), { signal })).rejects.toThrow('enough');
    await expect(findVideoTools(hostWith({ FAULTREEL_FFMPEG: path.join(system, 'chromium') }), signal)).rejects.toThrow('enough');
  });

  test('says what to install and what was passed over when there is none', async () => {
    const system = await systemWith('chromium', 'fake-browser-old');
    const error = await failureOf(findBrowser(hostWith({ PATH: pathWith(system) }, { platform: 'darwin' })));
    expect(error.exitCode).toBe(5);
    expect(describeError(error).replaceAll(system, '<system>')).toMatchInlineSnapshot(`
      "Expected a browser to draw the film with, found none that works.
        Install one (Debian: apt-get install chromium-headless-shell; anywhere: npx puppeteer browsers install chrome-headless-shell), or set FAULTREEL_BROWSER to its path.
        Passed over <system>/chromium: version 120.0.1.2, expected 153 or newer"
    `);
  });
});

describe('the carried browser', () => {
  test('survives two first runs at once, and runs', async () => {
    const cache = await temporaryFolder();
    const host = hostWith({ FAULTREEL_CACHE: cache });
    const [first, second] = await Promise.all([carriedBrowser(host), carriedBrowser(host)]);
    expect(second).toEqual(first);
    expect(await findBrowser(host)).toMatchObject({ kind: 'carried', path: first!.path, version: expect.stringMatching(/^153\./) });
    expect(await host.list(cache)).toEqual(['chromium-153.0.0']);
  });

  test('names the folder when it cannot be unpacked there', async () => {
    const folder = await temporaryFolder();
    await writeFile(path.join(folder, 'file'), '');
    const error = await failureOf(carriedBrowser(hostWith({ FAULTREEL_CACHE: path.join(folder, 'file') })));
    expect(error.exitCode).toBe(5);
    expect(error.message).toContain(path.join(folder, 'file', 'chromium-153.0.0'));
  });
});
