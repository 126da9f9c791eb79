import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import puppeteer, { type Browser as PuppeteerBrowser } from 'puppeteer-core';
import { exitCodes, FaultreelError } from '../../src/errors.js';
import type { Host } from '../../src/host.js';
import { evidenceOf, killOnExit, killTree, lastWords, reasonOf } from './child.js';
import type { FoundBrowser } from './find.js';
import { PipeTransport } from './pipe-transport.js';
import { removeFolder, temporaryFolder, temporaryFolderAdvice } from './temporary-folder.js';

/** A running browser. `close` always leaves neither process nor profile behind, and may be called twice. */
export interface Browser {
  readonly found: FoundBrowser;
  readonly pid: number;
  /** Its own folder: profile, and the page that is shown. Gone after `close`. */
  readonly folder: string;
  readonly profile: string;
  readonly devtools: PuppeteerBrowser;
  close(): Promise<void>;
}

export interface LaunchOptions {
  readonly host: Host;
  readonly onNotice: (notice: string) => void;
  /** Time in ms until it must answer. */
  readonly deadlineMs?: number;
  /** Time in ms for one answer later. */
  readonly answerMs?: number;
  readonly signal?: AbortSignal | undefined;
  /** Beyond those that every browser of ours gets. */
  readonly flags?: readonly string[] | undefined;
}

/** Set to 1 to run the browser without its sandbox. */
export const sandboxVariable = 'FAULTREEL_NO_SANDBOX';

/**
 * Starts a browser without a window, a network or a graphics card.
 * Its sandbox stays on unless this is root, whom Chromium refuses one, or the user said so; both are told by a notice.
 *
 * @throws FaultreelError with exit code 5 when it does not start, 7 when it does not answer in time.
 */
export const launch = async (found: FoundBrowser, options: LaunchOptions): Promise<Browser> => {
  const { host } = options;
  const folder = await temporaryFolder(host, 'faultreel-browser');
  const profile = path.join(folder, 'profile');
  const args = argumentsOf(found, profile, [...sandboxFlags(options), ...(options.flags ?? [])]);
  const child = spawn(found.path, args, { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'], detached: true, env: { ...host.env, HOME: folder, ...found.env } });
  const unwatch = killOnExit(child);
  const life = watch(child);
  const close = once(async () => {
    if (child.pid !== undefined && !life.ending()) {
      child.stdio[3] && (child.stdio[3] as Writable).end(closeMessage);
      await Promise.race([life.ended, pause(politeMs)]);
    }
    killTree(child);
    await Promise.race([life.ended, pause(politeMs)]);
    unwatch();
    await removeFolder(host, folder);
  });
  try {
    const devtools = await connect(child, life, found, args, options);
    return { found, pid: child.pid!, folder, profile, devtools, close };
  } catch (error) {
    // Why it did not start must not be hidden by what cannot be removed either.
    await close().catch(() => undefined);
    throw error;
  }
};
/** How long a browser may take to close by itself. */
const politeMs = 2_000;
const closeMessage = `${JSON.stringify({ id: 2 ** 30, method: 'Browser.close' })}\0`;

/** Puppeteer's own flags for automation, then ours. */
const argumentsOf = (found: FoundBrowser, profile: string, chosen: readonly string[]): string[] => [
  ...puppeteer.defaultArgs({ userDataDir: profile, headless: 'shell' }).filter((flag) => flag !== 'about:blank'),
  '--remote-debugging-pipe',
  ...flags,
  ...chosen,
  ...found.args,
  'about:blank',
];

const flags = [
  '--disable-gpu',
  // The same text on every machine: no hinting, no colour fringes.
  '--font-render-hinting=none',
  '--disable-lcd-text',
  // Without it captures of the same page differ by a few pixels of anti-aliasing.
  '--disable-partial-raster',
  // Nothing may leave this machine, nor ask for anything.
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-quic',
  '--no-default-browser-check',
  '--no-pings',
];

const sandboxFlags = ({ host, onNotice }: LaunchOptions): string[] => {
  const asked = host.env[sandboxVariable] === '1';
  if (!asked && host.uid !== 0) return [];
  onNotice(asked ? `The browser runs with --no-sandbox, because ${sandboxVariable}=1.` : 'The browser runs with --no-sandbox, because Chromium refuses its sandbox to root.');
  return ['--no-sandbox'];
};

interface Life {
  readonly ended: Promise<void>;
  readonly ending: () => { readonly code: number | null; readonly signal: string | null; readonly spawnError: Error | null } | null;
  readonly stderr: () => string;
}

const watch = (child: ChildProcess): Life => {
  let stderr = '';
  let ending: ReturnType<Life['ending']> = null;
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-longestMemory)));
  const ended = new Promise<void>((resolve) => {
    child.on('error', (spawnError) => {
      ending ??= { code: null, signal: null, spawnError };
      resolve();
    });
    // `exit`, not `close`: a grandchild may hold the pipes open.
    child.on('exit', (code, signal) => {
      ending ??= { code, signal, spawnError: null };
      setImmediate(resolve);
    });
  });
  return { ended, ending: () => ending, stderr: () => stderr };
};
const longestMemory = 20_000;

const connect = async (child: ChildProcess, life: Life, found: FoundBrowser, args: readonly string[], { deadlineMs = 20_000, answerMs = 60_000, signal, host }: LaunchOptions): Promise<PuppeteerBrowser> => {
  const transport = child.pid === undefined ? null : new PipeTransport(child.stdio[3] as Writable, child.stdio[4] as unknown as Readable);
  const answered = transport
    ? puppeteer.connect({ transport, defaultViewport: null, protocolTimeout: answerMs, networkEnabled: false, issuesEnabled: false })
    : life.ended.then(() => Promise.reject(new Error('not started')));
  answered.catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => (timer = setTimeout(() => resolve('late'), deadlineMs)));
  const aborted = new Promise<'aborted'>((resolve) => {
    if (signal?.aborted) resolve('aborted');
    signal?.addEventListener('abort', () => resolve('aborted'), { once: true });
  });
  try {
    const first = await Promise.race([answered.catch(() => life.ended.then(() => 'dead' as const)), life.ended.then(() => 'dead' as const), late, aborted]);
    if (typeof first !== 'string') return first;
    if (first === 'aborted') throw new FaultreelError(exitCodes.interrupted, { message: 'Interrupted while the browser started.' });
    throw first === 'dead' ? deathOf(found, args, life, host) : silenceOf(found, args, life, deadlineMs);
  } finally {
    clearTimeout(timer);
  }
};

const deathOf = (found: FoundBrowser, args: readonly string[], life: Life, host: Host): FaultreelError => {
  const stderr = life.stderr();
  const failure = (message: string, hints: readonly string[] = []): FaultreelError => failedStart(exitCodes.environment, message, hints, { found, args, stderr });
  if (/No usable sandbox|Running as root without --no-sandbox|sandbox_host_linux|SUID sandbox helper/i.test(stderr)) {
    return failure('Chromium cannot start its sandbox here.', [
      `Allow it (Docker: --security-opt seccomp=unconfined or --cap-add SYS_ADMIN; Ubuntu: sysctl kernel.apparmor_restrict_unprivileged_userns=0), or go without: ${sandboxVariable}=1.`,
    ]);
  }
  const library = /error while loading shared libraries: (\S+?):/.exec(stderr)?.[1];
  if (library) return failure(`The browser cannot start: the shared library ${library} is missing.`);
  const reason = reasonOf({ code: null, signal: null, spawnError: null, ...life.ending(), timedOut: false });
  const isFull = /No space left on device|free space in temporary directory/i.test(stderr);
  return failure(`The browser cannot start: ${found.path} ${reason}.`, isFull ? [`The disk of ${host.tmpdir} is full, or nearly so. ${temporaryFolderAdvice}.`] : []);
};

const silenceOf = (found: FoundBrowser, args: readonly string[], life: Life, deadlineMs: number): FaultreelError =>
  failedStart(exitCodes.timedOut, `The browser started but did not answer within ${deadlineMs / 1000} s.`, ['The machine may be overloaded, or /dev/shm and memory too small.'], { found, args, stderr: life.stderr() });

/** With the last words of the browser. Its command line has two thousand characters: it is the cause, which `--debug` shows. */
const failedStart = (exitCode: 5 | 7, message: string, hints: readonly string[], { found, args, stderr }: { readonly found: FoundBrowser; readonly args: readonly string[]; readonly stderr: string }): FaultreelError =>
  new FaultreelError(exitCode, { message, hint: [...hints, ...lastWords(stderr), 'With --debug it tells how the browser was started.'].join('\n  ') }, { cause: new Error(evidenceOf(found.path, args, stderr)) });

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref());

const once = (work: () => Promise<void>): (() => Promise<void>) => {
  let running: Promise<void> | undefined;
  return () => (running ??= work());
};
