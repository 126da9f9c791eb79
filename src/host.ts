import { cp, lstat, mkdir, mkdtemp, readFile, readdir, realpath, rename, rm, rmdir, stat, writeFile, access, constants } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

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
  makeFolder(folder: string): Promise<void>;
  /** A new empty folder beside `near`, for work that is renamed into place when it is whole. */
  makeTemporaryFolder(near: string): Promise<string>;
  rename(from: string, to: string): Promise<void>;
  /** A file, or a folder with all that is in it. */
  copy(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Leaves a folder that holds anything as it is. */
  removeIfEmpty(folder: string): Promise<void>;
  /** Lets what waits outside in: signals, timers. For a break between long computations. */
  breathe(): Promise<void>;
  /** Calls back once on SIGINT or SIGTERM (a second one ends the process at once), or on SIGHUP (however many come); returns how to stop listening. */
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
    write: (file, content) => writeFile(at(file), content),
    list: async (folder) => (await readdir(at(folder)).catch(() => [])).sort(),
    sizeOf: async (file) => (await stat(at(file)).catch(() => null))?.size ?? null,
    isExecutable: (file) => access(at(file), constants.X_OK).then(() => true, () => false),
    isFolder: async (folder) => (await stat(at(folder)).catch(() => null))?.isDirectory() ?? false,
    isLink: async (file) => (await lstat(at(file)).catch(() => null))?.isSymbolicLink() ?? false,
    realPath: (file) => realpath(at(file)).catch(() => null),
    fileSystemOf: async (file) => (await stat(at(file)).catch(() => null))?.dev ?? null,
    makeFolder: (folder) => makeFolders(at(folder)),
    makeTemporaryFolder: (near) => mkdtemp(`${at(near)}.partial-`),
    rename: (from, to) => rename(at(from), at(to)),
    copy: (from, to) => cp(at(from), at(to), { recursive: true }),
    remove: (target) => rm(at(target), { recursive: true, force: true }),
    removeIfEmpty: (folder) => rmdir(at(folder)).catch(() => undefined),
    breathe: () => new Promise((resolve) => setImmediate(resolve)),
    onInterrupt,
  };
};

const onInterrupt: Host['onInterrupt'] = (listener) => {
  const impatient = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of impatient) process.once(signal, listener);
  // A terminal that closes often says so twice, the shell and the kernel: the second is no impatience.
  let hungUp = false;
  const onHangUp = (signal: string): void => {
    if (!hungUp) listener(signal);
    hungUp = true;
  };
  process.on('SIGHUP', onHangUp);
  return () => {
    for (const signal of impatient) process.off(signal, listener);
    process.off('SIGHUP', onHangUp);
  };
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
