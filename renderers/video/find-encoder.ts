import { chmod } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { cacheFolder } from '../browser/cache-folder.js';
import { evidenceOf, reasonOf, runChild } from '../browser/child.js';
import { exitCodes, FaultreelError } from '../../src/errors.js';
import type { Host } from '../../src/host.js';

export interface FoundProgram {
  readonly kind: 'named' | 'system' | 'carried';
  readonly path: string;
  /** As it names itself: `5.1.9-0+deb12u1`. */
  readonly version: string;
}

export interface VideoTools {
  readonly ffmpeg: FoundProgram;
  readonly ffprobe: FoundProgram;
}

/** The environment variables that name the programs. */
export const encoderVariables = { ffmpeg: 'FAULTREEL_FFMPEG', ffprobe: 'FAULTREEL_FFPROBE' } as const;

/**
 * Finds encoder and probe: named by the user, else of the system, else carried by npm.
 *
 * @throws FaultreelError with exit code 5 when a named one does not work or there is none; the abort reason when the user interrupts
 */
export const findVideoTools = async (host: Host, signal?: AbortSignal): Promise<VideoTools> => ({ ffmpeg: await findProgram(host, 'ffmpeg', signal), ffprobe: await findProgram(host, 'ffprobe', signal) });

export const findProgram = async (host: Host, name: 'ffmpeg' | 'ffprobe', signal?: AbortSignal): Promise<FoundProgram> => {
  const variable = encoderVariables[name];
  const named = host.env[variable];
  if (named) {
    const file = path.resolve(host.cwd, named);
    const { version, problem } = await examine(host, name, file, signal);
    if (version) return { kind: 'named', path: file, version };
    throw new FaultreelError(exitCodes.environment, { message: `Expected ${variable} to name ${name}, found that ${file} ${problem}`, hint: `Unset ${variable}, or set it to an ${name}${name === 'ffmpeg' ? ' with libx264' : ''}; faultreel doctor tells what is found without it` });
  }
  const passedOver: string[] = [];
  for (const [kind, file] of [...systemPaths(host, name).map((found) => ['system', found] as const), ...carriedPath(name).map((found) => ['carried', found] as const)]) {
    if ((await host.sizeOf(file)) === null) continue;
    const runnable = kind === 'carried' ? await executable(host, name, file) : file;
    const { version, problem } = await examine(host, name, runnable, signal);
    if (version) return { kind, path: runnable, version };
    passedOver.push(`${runnable} ${problem}`);
  }
  throw new FaultreelError(exitCodes.environment, {
    message: `Expected ${name} to make the film, found none that works.`,
    hint: [`Install it (Debian: apt-get install ffmpeg), or set ${variable} to its path.`, ...passedOver.map((line) => `Passed over ${line}`)].join('\n  '),
  });
};

/** Runs it: its version, and for the encoder that it has H.264. */
const examine = async (host: Host, name: 'ffmpeg' | 'ffprobe', file: string, signal: AbortSignal | undefined): Promise<{ readonly version: string; readonly problem: '' } | { readonly version: null; readonly problem: string }> => {
  if (!(await host.isExecutable(file))) return { version: null, problem: (await host.sizeOf(file)) === null ? 'does not exist' : 'is not executable' };
  const ask = async (args: readonly string[]): Promise<{ readonly stdout: string; readonly problem: string }> => {
    const ending = await runChild(file, args, { env: host.env, signal });
    signal?.throwIfAborted();
    return { stdout: ending.stdout, problem: ending.code === 0 ? '' : `${reasonOf(ending)}\n  ${evidenceOf(file, args, ending.stderr)}` };
  };
  const about = await ask(['-version']);
  if (about.problem) return { version: null, problem: about.problem };
  const version = new RegExp(`^${name} version (\\S+)`, 'm').exec(about.stdout)?.[1];
  if (!version) return { version: null, problem: `is not ${name}` };
  if (name === 'ffprobe') return { version, problem: '' };
  const encoders = await ask(['-hide_banner', '-encoders']);
  if (encoders.problem) return { version: null, problem: encoders.problem };
  return /\blibx264\b/.test(encoders.stdout) ? { version, problem: '' } : { version: null, problem: `(version ${version}) has no libx264` };
};

const systemPaths = (host: Host, name: string): string[] =>
  (host.env.PATH ?? '')
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, name));

/** The carried ffprobe may be started by its owner alone: where another user installed it, a copy is kept in the cache. */
const executable = async (host: Host, name: string, file: string): Promise<string> => {
  const size = await host.sizeOf(file);
  if (size === null || (await host.isExecutable(file))) return file;
  const folder = await cacheFolder(host);
  const copy = path.join(folder, `${name}-${size}`);
  if ((await host.sizeOf(copy)) === size) return copy;
  await host.makeFolder(folder);
  const partial = await host.makeTemporaryFolder(copy);
  try {
    await host.write(path.join(partial, name), await host.readBytes(file));
    await chmod(path.join(partial, name), 0o755);
    await host.rename(path.join(partial, name), copy);
    return copy;
  } finally {
    await host.remove(partial);
  }
};

const carriedPath = (name: 'ffmpeg' | 'ffprobe'): string[] => {
  try {
    return [(createRequire(import.meta.url)(`@${name}-installer/${name}`) as { path: string }).path];
  } catch {
    // The package has nothing for this machine.
    return [];
  }
};
