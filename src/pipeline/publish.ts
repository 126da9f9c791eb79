import path from 'node:path';
import { FaultreelError, exitCodes } from '../errors.js';
import type { Host } from '../host.js';
import { artefacts } from './products.js';

/** A file of the results and what it holds, in a few words. */
export interface Made {
  readonly file: string;
  readonly about: string;
}

/** A file that was promised, and what it holds. */
export interface Promised {
  readonly name: string;
  readonly about: string;
}

/** A folder in the making, beside the one that it will replace. */
export interface Pending {
  readonly folder: string;
  /** Puts the folder in the place of `target`, once every promised file is there and not empty; returns where they are now. */
  publish(drafts: readonly Promised[]): Promise<readonly Made[]>;
  /** Removes what was made; harmless after `publish`. */
  discard(): Promise<void>;
}

/**
 * Starts a folder beside `target`; what stands in `target` stays until `publish`.
 * @throws FaultreelError (environment) when nothing can be written there: before anything is simulated
 */
export const startPending = async (target: string, host: Host, notice: (text: string) => void = () => undefined): Promise<Pending> => {
  if ((await host.sizeOf(target)) !== null && !(await host.isFolder(target))) {
    throw new FaultreelError(exitCodes.environment, { message: `${target} is a file; a folder of that name is needed for the results`, hint: 'Move it away, or give another folder with --out DIR' });
  }
  const work = await workFolder(target, host);
  const folder = path.join(work, 'new');
  // Not `work` itself: a temporary folder is for nobody else to read, results are as the user's mask has them.
  await host.makeFolder(folder);
  return {
    folder,
    publish: async (drafts) => {
      await checkPromises(folder, drafts, host);
      await swap(folder, target, path.join(work, 'old'), host, notice);
      return drafts.map(({ name, about }) => ({ file: path.join(target, name), about }));
    },
    discard: async () => {
      // What could not be put back is left where it is: it is the only copy.
      if ((await host.sizeOf(target)) !== null || (await host.sizeOf(path.join(work, 'old'))) === null) await host.remove(work);
    },
  };
};

const workFolder = async (target: string, host: Host): Promise<string> => {
  try {
    await host.makeFolder(path.dirname(target));
    return await host.makeTemporaryFolder(target);
  } catch (cause) {
    throw notWritable(path.dirname(target), host, cause);
  }
};

const checkPromises = async (folder: string, drafts: readonly Promised[], host: Host): Promise<void> => {
  for (const { name } of drafts) {
    const bytes = await host.sizeOf(path.join(folder, name));
    if (!bytes) {
      throw new FaultreelError(exitCodes.rendering, { message: `${name} ${bytes === null ? 'was not written' : 'is empty'}, although it was promised`, hint: 'Nothing was replaced. Run again with --debug, and report it with the scenario.' });
    }
  }
};

/** Two renames, and back again when the second fails: there is never half a folder. */
const swap = async (folder: string, target: string, old: string, host: Host, notice: (text: string) => void): Promise<void> => {
  const replaces = (await host.sizeOf(target)) !== null;
  if (replaces) {
    const dropped = await carryOver(target, folder, host);
    if (dropped.length > 0) notice(`${target} now holds another study; removed what showed the old one: ${dropped.join(', ')}`);
    await host.rename(target, old);
  }
  try {
    await host.rename(folder, target);
  } catch (error) {
    if (replaces) await host.rename(old, target);
    throw error;
  }
};

/** Files that are not ours stay; ours that were not asked for this time stay while they show the very same study. Returns those that do not. */
const carryOver = async (from: string, to: string, host: Host): Promise<string[]> => {
  const dropped: string[] = [];
  const made = new Set(await host.list(to));
  const sameStudy = await sameText(path.join(from, 'study.json'), path.join(to, 'study.json'), host);
  for (const name of await host.list(from)) {
    if (made.has(name)) continue;
    if (Object.hasOwn(artefacts, name) && !sameStudy) dropped.push(name);
    else await host.copy(path.join(from, name), path.join(to, name));
  }
  return dropped;
};

const sameText = async (one: string, other: string, host: Host): Promise<boolean> => {
  if ((await host.sizeOf(one)) === null) return false;
  return (await host.readText(one)) === (await host.readText(other));
};

const notWritable = (folder: string, host: Host, cause: unknown): FaultreelError =>
  new FaultreelError(
    exitCodes.environment,
    {
      message: `cannot write into ${folder}: ${cause instanceof Error ? cause.message : String(cause)}`,
      hint: `Give a folder that you may write with --out DIR; in a container, start it as the owner of the folder: docker run --user ${host.uid === null ? '"$(id -u)"' : '"$(id -u):$(id -g)"'} …`,
    },
    { cause },
  );
