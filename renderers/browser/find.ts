import path from 'node:path';
import { exitCodes, FaultreelError } from '../../src/errors.js';
import type { Host } from '../../src/host.js';
import { carriedBrowser } from './carried.js';
import { evidenceOf, reasonOf, runChild } from './child.js';

/** Where a browser came from. */
export type BrowserKind = 'named' | 'downloaded' | 'system' | 'carried';

export interface FoundBrowser {
  readonly kind: BrowserKind;
  readonly path: string;
  /** `153.0.8010.0`. */
  readonly version: string;
  /** What its environment needs beyond ours. */
  readonly env: Readonly<Record<string, string>>;
  /** Flags that this browser needs and others do not. */
  readonly args: readonly string[];
}

/** What happens while programs are looked for. */
export interface FindEars {
  readonly onNotice?: (notice: string) => void;
  /** An interrupt ends the program that is being asked for its version, and the search. */
  readonly signal?: AbortSignal | undefined;
}

/** The environment variable that names a browser. */
export const browserVariable = 'FAULTREEL_BROWSER';
/** Older ones draw most films well, but were not proven: they are used only when named. */
export const oldestKnownGood = 153;

/**
 * Finds a browser: the one named by the user, else one that puppeteer downloaded, else one of the system, else the one that came with npm.
 *
 * @throws FaultreelError with exit code 5 when the named one does not work or there is none; the abort reason when the user interrupts
 */
export const findBrowser = async (host: Host, { named = host.env[browserVariable], ...ears }: FindEars & { readonly named?: string | undefined } = {}): Promise<FoundBrowser> => {
  if (named) return namedBrowser(host, named, ears);
  const passedOver: string[] = [];
  for (const [kind, candidates] of [['downloaded', downloadedBrowsers], ['system', systemBrowsers]] as const) {
    for (const file of await candidates(host)) {
      const { version, problem } = await versionOf(host, file, {}, ears);
      if (version && majorOf(version) >= oldestKnownGood) return { kind, path: file, version, env: {}, args: [] };
      passedOver.push(`${file}: ${version ? `version ${version}, expected ${oldestKnownGood} or newer` : problem}`);
    }
  }
  const carried = await carriedBrowser(host);
  if (carried) {
    const { version, problem } = await versionOf(host, carried.path, carried.env, ears);
    if (version) return { kind: 'carried', ...carried, version, args: [] };
    passedOver.push(`${carried.path}: ${problem}`);
  }
  throw new FaultreelError(exitCodes.environment, {
    message: 'Expected a browser to draw the film with, found none that works.',
    hint: [`Install one (Debian: apt-get install chromium-headless-shell; anywhere: npx puppeteer browsers install chrome-headless-shell), or set ${browserVariable} to its path.`, ...passedOver.map((line) => `Passed over ${line}`)].join('\n  '),
  });
};

const namedBrowser = async (host: Host, named: string, ears: FindEars): Promise<FoundBrowser> => {
  const file = path.resolve(host.cwd, named);
  const { version, problem } = await versionOf(host, file, {}, ears);
  if (!version) throw new FaultreelError(exitCodes.environment, { message: `Expected ${browserVariable} to name a Chromium, found that ${file} ${problem}`, hint: `Unset ${browserVariable}, or set it to a Chromium ${oldestKnownGood} or newer; faultreel doctor tells what is found without it` });
  if (majorOf(version) < oldestKnownGood) ears.onNotice?.(`${file} is version ${version}; faultreel was proven with ${oldestKnownGood} and newer`);
  return { kind: 'named', path: file, version, env: {}, args: [] };
};

const majorOf = (version: string): number => Number.parseInt(version, 10);

const versionOf = async (host: Host, file: string, env: Readonly<Record<string, string>>, { signal }: FindEars): Promise<{ readonly version: string; readonly problem: '' } | { readonly version: null; readonly problem: string }> => {
  if (!(await host.isExecutable(file))) return { version: null, problem: (await host.sizeOf(file)) === null ? 'does not exist' : 'is not executable' };
  const args = ['--version'];
  const ending = await runChild(file, args, { env: { ...host.env, ...env }, signal });
  signal?.throwIfAborted();
  const version = /\b(\d+\.\d+\.\d+\.\d+)\b/.exec(ending.stdout)?.[1];
  if (ending.code === 0 && version) return { version, problem: '' };
  return { version: null, problem: `${ending.code === 0 ? 'does not tell a version' : reasonOf(ending)}\n  ${evidenceOf(file, args, ending.stderr)}` };
};

/** Puppeteer's cache: `<product>/linux-<version>/<product>-linux64/<product>`; the shell first, newest first. */
const downloadedBrowsers = async (host: Host): Promise<string[]> => {
  const home = host.env.HOME;
  const cache = host.env.PUPPETEER_CACHE_DIR ?? (home ? path.join(home, '.cache', 'puppeteer') : null);
  if (!cache) return [];
  const found: string[] = [];
  for (const [product, folder] of [['chrome-headless-shell', 'chrome-headless-shell-linux64'], ['chrome', 'chrome-linux64']] as const) {
    const versions = (await host.list(path.join(cache, product))).filter((name) => name.startsWith('linux-')).sort(newestFirst);
    for (const version of versions) {
      const file = path.join(cache, product, version, folder, product);
      if (await host.isExecutable(file)) found.push(file);
    }
  }
  return found;
};

const newestFirst = (a: string, b: string): number => {
  const [left, right] = [a, b].map((name) => name.replace('linux-', '').split('.').map(Number)) as [number[], number[]];
  return left.map((part, index) => (right[index] ?? 0) - part).find((difference) => difference !== 0) ?? 0;
};

const systemBrowsers = async (host: Host): Promise<string[]> => {
  const folders = (host.env.PATH ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const found: string[] = [];
  for (const name of systemNames) {
    for (const folder of folders) if (await host.isExecutable(path.join(folder, name))) found.push(path.join(folder, name));
  }
  return found;
};
const systemNames = ['chromium-headless-shell', 'chrome-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
