import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { FaultreelError } from '../../src/errors.js';
import { realHost, type Host } from '../../src/host.js';

/** A small real program of the fixtures. */
export const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}.mjs`, import.meta.url));

/** A folder that is gone after the test. */
export const temporaryFolder = async (): Promise<string> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'faultreel-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

/** Once a test file: each real host listens to the streams of the process. */
const thisMachine = realHost();

/** This machine with another environment; `node` is there for the fixtures. */
export const hostWith = (env: Readonly<Record<string, string>>, over: Partial<Host> = {}): Host => ({ ...thisMachine, env: { PATH: path.dirname(process.execPath), ...env }, ...over });

export const failureOf = async (work: Promise<unknown>): Promise<FaultreelError> => {
  const error: unknown = await work.then(() => null, (reason: unknown) => reason);
  if (!(error instanceof FaultreelError)) throw error instanceof Error ? error : new Error(`expected a FaultreelError, found ${String(error)}`);
  return error;
};

/** Waits until a process is gone; fails after a time that no machine needs. */
export const gone = async (pid: number): Promise<boolean> => {
  for (let tries = 0; tries < 500; tries++) {
    const state = await readFile(`/proc/${pid}/stat`, 'utf8').then((stat) => stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3), () => null);
    if (state === null || state === 'Z') return true;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return false;
};

/** Profiles of browsers that are there. */
export const profilesIn = async (folder: string): Promise<string[]> => (await readdir(folder)).filter((name) => name.startsWith('faultreel-browser'));
