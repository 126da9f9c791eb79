import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import process from 'node:process';

/** How a child process ended, and what it said. */
export interface Ending {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  /** It was killed by us because its time was over. */
  readonly timedOut: boolean;
  /** It never ran: no such file, not allowed, wrong machine. */
  readonly spawnError: Error | null;
}

/**
 * Runs a short program to its end, kills it when `deadlineMs` is over or `signal` fires, and never throws.
 * Output beyond 4 MB is dropped.
 */
export const runChild = (
  command: string,
  args: readonly string[],
  { env, deadlineMs = 15_000, signal }: { readonly env?: Readonly<Record<string, string | undefined>>; readonly deadlineMs?: number; readonly signal?: AbortSignal | undefined } = {},
): Promise<Ending> =>
  new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true, ...(env ? { env: { ...env } } : {}) });
    const unwatch = killOnExit(child);
    const said = { stdout: '', stderr: '' };
    let timedOut = false;
    let spawnError: Error | null = null;
    const kill = (): void => killTree(child);
    const timer = setTimeout(() => {
      timedOut = true;
      kill();
    }, deadlineMs);
    signal?.addEventListener('abort', kill);
    if (signal?.aborted) kill();
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        if (said[name].length < longestOutput) said[name] += text;
      });
    }
    child.on('error', (error) => {
      spawnError = error;
      finish(null, null);
    });
    child.on('close', (code, childSignal) => finish(code, childSignal));
    const finish = (code: number | null, childSignal: string | null): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', kill);
      unwatch();
      resolve({ code, signal: childSignal, ...said, timedOut, spawnError });
    };
  });
const longestOutput = 4_000_000;

/** Why a child failed, the first that applies: time, never started, signal, exit code. */
export const reasonOf = ({ code, signal, timedOut, spawnError }: Pick<Ending, 'code' | 'signal' | 'timedOut' | 'spawnError'>): string => {
  if (timedOut) return 'did not end in time';
  if (spawnError) return `could not be started (${(spawnError as NodeJS.ErrnoException).code ?? spawnError.message})`;
  if (signal) return `was killed by ${signal}`;
  return `ended with exit code ${String(code)}`;
};

/** The command as one could type it again, and the last lines that it wrote: what a hint needs. */
export const evidenceOf = (command: string, args: readonly string[], stderr: string): string =>
  [`command: ${[command, ...args].map(quoted).join(' ')}`, ...lastWords(stderr).map((line) => `  ${line}`)].join('\n  ');

/** The last lines that a program wrote, marked as its own. */
export const lastWords = (stderr: string): string[] => lastLines(stderr).map((line) => `| ${line}`);

const quoted = (arg: string): string => (/^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", String.raw`'\''`)}'`);

/** Last lines that say something, shortened. */
export const lastLines = (text: string, count = 8): string[] =>
  text
    .split(/\r?\n|\r/)
    .map((line) => line.trimEnd().slice(0, 300))
    .filter((line) => line.trim() !== '')
    .slice(-count);

/**
 * Kills a child and all that it started. A detached child leads its own group; what left the group is found by parent id (Linux).
 */
export const killTree = (child: Pick<ChildProcess, 'pid'>): void => {
  const { pid } = child;
  if (pid === undefined) return;
  for (const one of [...descendantsOf(pid), pid, -pid]) {
    try {
      process.kill(one, 'SIGKILL');
    } catch {
      // Gone already, or not a group.
    }
  }
};

/** Process ids below one, as /proc knows them; empty where there is no /proc. */
export const descendantsOf = (pid: number): number[] => {
  const children = new Map<number, number[]>();
  for (const name of entriesOf('/proc')) {
    const parent = /^\d+$/.test(name) ? parentOf(name) : null;
    if (parent !== null) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const found = [pid];
  for (let index = 0; index < found.length; index++) found.push(...(children.get(found[index]) ?? []));
  return found.slice(1);
};

const entriesOf = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

const parentOf = (pid: string): number | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold spaces and brackets itself.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null;
  }
};

const living = new Set<Pick<ChildProcess, 'pid'>>();
const killLiving = (): void => living.forEach(killTree);

/** However this process ends, short of SIGKILL, the child ends with it. Returns how to forget the child. */
export const killOnExit = (child: Pick<ChildProcess, 'pid'>): (() => void) => {
  if (living.size === 0) process.on('exit', killLiving);
  living.add(child);
  if (child.pid !== undefined) watcher(child.pid, true);
  return () => {
    if (!living.delete(child)) return;
    if (living.size === 0) process.off('exit', killLiving);
    if (child.pid !== undefined) watcher(child.pid, false);
  };
};

let watcher: (pid: number, isLiving: boolean) => void = () => undefined;

/** Tells of every child from now on when it starts and when it is over: a thread can be lost without its `exit`, and then somebody else has to know them. */
export const watchChildren = (listener: (pid: number, isLiving: boolean) => void): void => {
  watcher = listener;
};
