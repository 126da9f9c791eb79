import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { cp, lstat, mkdir, mkdtemp, readFile, readdir, realpath, rename, rm, rmdir, stat, statfs, writeFile, access, constants } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { errnoOf, exitCodes } from './errors.js';

/**
 * The only door to process, environment, clock and file system. The whole command line runs in a test through another host.
 * Paths given to it may be relative: they are resolved against `cwd`.
 */
export interface Host {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly platform: string;
  /** Null where the system has no user ids. */
  readonly uid: number | null;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly tmpdir: string;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Wall clock in ms; only for progress, never for results. */
  now(): number;
  readText(file: string): Promise<string>;
  readBytes(file: string): Promise<Uint8Array>;
  write(file: string, content: string | Uint8Array): Promise<void>;
  /** Names in a folder, sorted; empty when there is none. */
  list(folder: string): Promise<readonly string[]>;
  /** Size in bytes, or null when there is no such file. */
  sizeOf(file: string): Promise<number | null>;
  isExecutable(file: string): Promise<boolean>;
  isFolder(path: string): Promise<boolean>;
  /** A symbolic link, also one to nothing. */
  isLink(path: string): Promise<boolean>;
  /** Where a path really is, links followed; null when nothing is there. */
  realPath(path: string): Promise<string | null>;
  /** A number for the file system that a path is on; null when nothing is there. */
  fileSystemOf(path: string): Promise<number | null>;
  /** A text that stays with a file or folder when it is renamed, and that no other one has; null when nothing is there. */
  identityOf(path: string): Promise<string | null>;
  /** Bytes that this user may still write to the file system of a folder; null when it does not say. */
  roomIn(folder: string): Promise<number | null>;
  makeFolder(folder: string): Promise<void>;
  /** A new empty folder beside `near`, for work that is renamed into place when it is whole. Its name tells whose it is. */
  makeTemporaryFolder(near: string): Promise<string>;
  /** Temporary folders beside `near` whose maker surely runs no more: it was killed. */
  abandoned(near: string): Promise<readonly string[]>;
  rename(from: string, to: string): Promise<void>;
  /** A file, or a folder with all that is in it. */
  copy(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Leaves a folder that holds anything as it is. */
  removeIfEmpty(folder: string): Promise<void>;
  /** Lets what waits outside in: signals, timers. For a break between long computations. */
  breathe(): Promise<void>;
  /** Calls back once on SIGINT, SIGTERM or SIGHUP; a further SIGINT or SIGTERM later ends the process at once. Returns how to stop listening. */
  onInterrupt(listener: (signal: string) => void): () => void;
}

export interface Output {
  write(text: string): void;
  readonly isTerminal: boolean;
  /** Width of the terminal in characters. */
  readonly columns: number;
}

/** The real host: this process. */
export const realHost = (): Host => {
  const cwd = process.cwd();
  const at = (file: string): string => path.resolve(cwd, file);
  return {
    argv: process.argv.slice(2),
    env: process.env,
    cwd,
    platform: process.platform,
    uid: process.getuid?.() ?? null,
    cores: os.availableParallelism(),
    memoryBytes: os.totalmem(),
    tmpdir: os.tmpdir(),
    stdout: outputOf(process.stdout),
    stderr: outputOf(process.stderr),
    now: () => Date.now(),
    readText: (file) => readFile(at(file), 'utf8'),
    readBytes: (file) => readFile(at(file)),
    write: (file, content) => writeFile(at(file), content).catch((error: unknown) => {
      throw atPath(error, at(file));
    }),
    list: async (folder) => (await readdir(at(folder)).catch(() => [])).sort(),
    sizeOf: async (file) => (await stat(at(file)).catch(() => null))?.size ?? null,
    isExecutable: (file) => access(at(file), constants.X_OK).then(() => true, () => false),
    isFolder: async (folder) => (await stat(at(folder)).catch(() => null))?.isDirectory() ?? false,
    isLink: async (file) => (await lstat(at(file)).catch(() => null))?.isSymbolicLink() ?? false,
    realPath: (file) => realpath(at(file)).catch(() => null),
    fileSystemOf: async (file) => (await stat(at(file)).catch(() => null))?.dev ?? null,
    identityOf: async (file) => stat(at(file)).then(({ dev, ino, birthtimeMs }) => `${dev} ${ino} ${birthtimeMs}`, () => null),
    roomIn: (folder) => statfs(at(folder)).then(({ blocks, bavail, bsize }) => (blocks > 0 ? bavail * bsize : null), () => null),
    makeFolder: (folder) => makeFolders(at(folder)),
    makeTemporaryFolder: (near) => mkdtemp(`${at(near)}${ownMark()}`),
    abandoned: async (near) => {
      const { dir, base } = path.parse(at(near));
      const names = await readdir(dir).catch(() => []);
      return names.filter((name) => name.startsWith(base) && isAbandoned(name.slice(base.length))).sort().map((name) => path.join(path.dirname(near), name));
    },
    rename: (from, to) => rename(at(from), at(to)),
    copy: (from, to) => cp(at(from), at(to), { recursive: true }),
    remove: (target) => rm(at(target), { recursive: true, force: true }),
    removeIfEmpty: (folder) => rmdir(at(folder)).catch(() => undefined),
    breathe: () => new Promise((resolve) => setImmediate(resolve)),
    onInterrupt,
  };
};

const onInterrupt: Host['onInterrupt'] = (listener) => {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  let firstMs: number | null = null;
  const hear = (signal: string): void => {
    const nowMs = performance.now();
    if (firstMs === null) {
      firstMs = nowMs;
      listener(signal);
    } else if (signal !== 'SIGHUP' && nowMs - firstMs > sameMs) process.exit(exitCodes.interrupted);
  };
  for (const signal of signals) process.on(signal, hear);
  return () => {
    for (const signal of signals) process.off(signal, hear);
  };
};
/** One Ctrl-C may come twice: npx and npm pass on what the terminal has sent to all; a terminal that closes is told by the shell and by the kernel. */
const sameMs = 1_000;

/** Node names no file where the writing itself fails (a full disk), only where the opening does. */
const atPath = (error: unknown, file: string): unknown => {
  if (!(error instanceof Error) || 'path' in error) return error;
  return Object.assign(error, { path: file, message: `${error.message} '${file}'` });
};

/** One folder after the other: `mkdir` with `recursive` never returns where a file system refuses new names with ENOENT, as /proc does. */
const makeFolders = async (folder: string): Promise<void> => {
  const fails = (code: string) => (error: unknown): boolean => {
    if (error instanceof Error && 'code' in error && error.code === code) return true;
    throw error;
  };
  if ((await stat(folder).catch(() => null))?.isDirectory()) return;
  const parent = path.dirname(folder);
  if (parent !== folder) await makeFolders(parent);
  await mkdir(folder).catch(fails('EEXIST'));
};

/**
 * `.partial-<place>-<boot>-<pid>-<start>-`: who made a temporary folder, in its name, so that no moment is without it. Place is this machine and its space of process ids
 * (another container may see the same folder, and none of our processes); with boot and start a process id names one process for ever.
 */
const ownMark = (): string => {
  const { place, boot } = here();
  return `.partial-${place}-${boot}-${process.pid.toString(36)}-${(startOf(process.pid) ?? 0).toString(36)}-`;
};

const isAbandoned = (mark: string): boolean => {
  const match = /^\.partial-([0-9a-f]{6})-([0-9a-f]{6})-([0-9a-z]+)-([0-9a-z]+)-\w{6}$/.exec(mark);
  if (match === null) return false;
  const [, madeAt, madeIn, pid, start] = match;
  const { place, boot } = here();
  if (madeAt !== place) return false;
  const began = startOf(Number.parseInt(pid, 36));
  const expected = Number.parseInt(start, 36);
  return madeIn !== boot || began === null || (began !== expected && began * expected !== 0);
};

const here = (): { readonly place: string; readonly boot: string } => ({
  place: shortHash(`${os.hostname()} ${orEmpty(() => readlinkSync('/proc/self/ns/pid'))}`),
  boot: shortHash(orEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'))),
});

/** When a process began, in clock ticks since the machine did; 0 where only its being there can be told, null when it runs no more. */
const startOf = (pid: number): number | null => {
  const stat = orEmpty(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // The name in brackets may hold spaces and brackets itself.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (stat !== '') return 'ZX'.includes(state) ? null : Number(fields[18]);
  try {
    return process.kill(pid, 0) ? 0 : null;
  } catch (error) {
    return errnoOf(error) === 'EPERM' ? 0 : null;
  }
};

const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 6);

const orEmpty = (read: () => string): string => {
  try {
    return read();
  } catch {
    return '';
  }
};

const outputOf = (stream: NodeJS.WriteStream): Output => {
  // A reader that closed the pipe (`| head`) has what it wanted; it is no failure of ours.
  let open = true;
  stream.on('error', () => (open = false));
  return {
    write: (text) => void (open && stream.write(text)),
    get isTerminal() {
      return stream.isTTY ?? false;
    },
    get columns() {
      return stream.columns ?? 80;
    },
  };
};

/** Folder of this package, where templates, fonts and scenarios are. Works from sources and from `dist`. */
export const packageFolder = (): string => {
  const here = path.dirname(fileURLToPath(import.meta.url));
  return path.basename(path.dirname(here)) === 'dist' ? path.resolve(here, '../..') : path.resolve(here, '..');
};

/** Folder of the running code: it holds `src` and `renderers`, compiled or not. */
export const codeFolder = (): string => path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
