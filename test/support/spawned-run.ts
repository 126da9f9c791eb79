import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const bin = path.join(root, 'dist/src/cli/bin.js');

/** A folder with a scenario and a temporary folder of its own, gone after the test. */
export interface Workplace {
  readonly cwd: string;
  readonly tmpdir: string;
}

/** Makes one for the running test. */
export const workplace = (): Workplace => {
  const cwd = mkdtempSync(path.join(os.tmpdir(), 'faultreel-knocks-'));
  const tmpdir = path.join(cwd, 'tmp');
  mkdirSync(tmpdir);
  copyFileSync(path.join(root, 'test/support/short.yaml'), path.join(cwd, 'shop.yaml'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  return { cwd, tmpdir };
};

/** A workplace with the study of its scenario in `study.json`, to be filmed without simulating. */
export const studiedPlace = (): Workplace => {
  const place = workplace();
  study ??= execFileSync(process.execPath, [bin, 'run', 'shop.yaml', '--only', 'text', '--json', '--quiet'], { cwd: place.cwd, encoding: 'utf8' });
  writeFileSync(path.join(place.cwd, 'study.json'), study);
  return place;
};
let study: string | undefined;

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Deadlines in ms that are shorter for this run. */
  readonly deadlines?: Readonly<Record<number, number>>;
  /** A shell command that runs first, in a mount namespace of its own. */
  readonly mounting?: string;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The compiled program at work in a process of its own. */
export class SpawnedRun {
  readonly #mark = `FAULTREEL_TEST_MARK=${randomUUID()}`;
  readonly #child;
  readonly #seen = new Set<number>();
  #stdout = '';
  #stderr = '';
  #hasEnded = false;
  readonly ended: Promise<Ended>;

  constructor({ cwd, tmpdir }: Workplace, args: readonly string[], { env = {}, deadlines, mounting }: RunOptions = {}) {
    const node = [...(deadlines ? ['--import', path.join(root, 'test/support/short-deadlines.mjs')] : []), bin, ...args];
    const [name, value] = this.#mark.split('=');
    const short = deadlines && { FAULTREEL_TEST_DEADLINES: Object.entries(deadlines).map((pair) => pair.join(':')).join(',') };
    const options = { cwd, stdio: ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'], env: { ...process.env, TMPDIR: tmpdir, ...short, ...env, [name]: value } };
    this.#child = mounting === undefined ? spawn(process.execPath, node, options) : spawn('unshare', ['-m', 'sh', '-c', `${mounting} && exec "$0" "$@"`, process.execPath, ...node], options);
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => (this.#stdout += text));
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => (this.#stderr += text));
    this.ended = new Promise((resolve) => {
      this.#child.on('close', (code, signal) => {
        this.#hasEnded = true;
        resolve({ code, signal, stdout: this.#stdout, stderr: this.#stderr });
      });
    });
    onTestFinished(async () => {
      for (const pid of [this.pid, ...this.processes()]) signalIfThere(pid, 'SIGKILL');
      await this.ended;
    });
  }

  get pid(): number {
    return this.#child.pid!;
  }

  get stderr(): string {
    return this.#stderr;
  }

  /** Waits until stderr holds a text; fails when the run ends without having said it. */
  async said(text: string | RegExp): Promise<void> {
    const isSaid = (): boolean => (typeof text === 'string' ? this.#stderr.includes(text) : text.test(this.#stderr));
    await until(() => isSaid() || this.#hasEnded, `"${String(text)}" on stderr`);
    if (!isSaid()) throw new Error(`the run ended without saying ${String(text)}:\n${this.#stderr}`);
  }

  send(signal: NodeJS.Signals): void {
    this.processes();
    signalIfThere(this.pid, signal);
  }

  /** Processes that live: below the run, with its mark in their environment, or once seen to be one of these. */
  processes(): number[] {
    for (const pid of processIds()) if (pid !== this.pid && (isBelow(pid, this.pid) || environmentOf(pid).includes(this.#mark))) this.#seen.add(pid);
    return [...this.#seen].filter(isAlive);
  }

  /** The process of a browser that the others of it come from; waits for one. */
  browser(): Promise<number> {
    return this.#processOf(isBrowser, 'a browser');
  }

  /** Those of all browsers that are there now. */
  browsers(): number[] {
    return this.processes().filter((pid) => isBrowser(commandOf(pid)));
  }

  encoder(): Promise<number> {
    return this.#processOf((command) => /ffmpeg/.test(command.split('\0')[0]) && command.includes('libx264'), 'an encoder');
  }

  async #processOf(isIt: (command: string) => boolean, what: string): Promise<number> {
    const find = (): number | undefined => this.processes().find((pid) => isIt(commandOf(pid)));
    await until(() => find() !== undefined || this.#hasEnded, what);
    const pid = find();
    if (pid === undefined) throw new Error(`the run ended without ${what}:\n${this.#stderr}`);
    return pid;
  }
}

/** Reads again and again until something is so; fails after a time that no machine needs. */
export const until = async (isSo: () => boolean, what: string, deadlineMs = 120_000): Promise<void> => {
  for (const startMs = Date.now(); !isSo(); await new Promise((resolve) => setTimeout(resolve, 5))) {
    if (Date.now() - startMs > deadlineMs) throw new Error(`waited ${deadlineMs / 1000} s for ${what}`);
  }
};

/** No process of the run lives any more. A killed one takes a moment to go. */
export const expectNoProcess = async (run: SpawnedRun): Promise<void> => until(() => run.processes().length === 0, `the end of ${run.processes().map((pid) => `${pid} ${commandOf(pid).slice(0, 100)}`).join(', ')}`, 20_000);

/** Neither a process nor a temporary file of the run is left, and the folder of results holds exactly these. */
export const expectNothingLeft = async (run: SpawnedRun, { cwd, tmpdir }: Workplace, results: readonly string[]): Promise<void> => {
  await expectNoProcess(run);
  expect(readdirSync(tmpdir)).toEqual([]);
  expect(existsSync(path.join(cwd, 'out')) ? readdirSync(path.join(cwd, 'out')) : []).toEqual(results);
  expect(readdirSync(cwd).filter((name) => !['out', 'shop.yaml', 'study.json', 'tmp'].includes(name))).toEqual([]);
};

/** Results of an earlier run, and something of the user's among them; returns what checks that they are as they were. */
export const earlierResults = ({ cwd }: Workplace, lines = 1000): (() => void) => {
  const folder = path.join(cwd, 'out/shop');
  mkdirSync(folder, { recursive: true });
  for (const name of ['study.json', 'report.pdf', 'video.mp4', 'notes.txt']) writeFileSync(path.join(folder, name), `earlier ${name}\n`.repeat(lines));
  const before = filesIn(folder);
  return () => expect(filesIn(folder)).toEqual(before);
};

/** Content of each file of a folder by name. */
export const filesIn = (folder: string): Record<string, string> => Object.fromEntries(readdirSync(folder).sort().filter((name) => statSync(path.join(folder, name)).isFile()).map((name) => [name, readFileSync(path.join(folder, name), 'latin1')]));

/** What is wrong is said once: a line that says it, and what to do, indented. Lines of progress and notices before it do not count. */
export const messageOf = (stderr: string): string => {
  const lines = stderr.split('\n').filter((line) => line !== '');
  const last = lines.findLastIndex((line) => !line.startsWith('  '));
  return lines.slice(last).join('\n');
};

/** A process and all below it. */
export const treeOf = (pid: number): number[] => [pid, ...processIds().filter((one) => isBelow(one, pid))];

export const signalIfThere = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone already.
  }
};

const processIds = (): number[] => readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number);
const readProc = (pid: number, name: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
};
const environmentOf = (pid: number): string => readProc(pid, 'environ');
const commandOf = (pid: number): string => readProc(pid, 'cmdline');
/** State, parent, … */
const statOf = (pid: number): string[] => {
  const text = readProc(pid, 'stat');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
};
const isBrowser = (command: string): boolean => command.includes('--remote-debugging-pipe') && !command.includes('--type=');
const isAlive = (pid: number): boolean => !['', 'Z', 'X'].includes(statOf(pid)[0]);
const isBelow = (pid: number, top: number): boolean => {
  for (let one = Number(statOf(pid)[1]); one > 1; one = Number(statOf(one)[1])) if (one === top) return true;
  return false;
};
