import path from 'node:path';
import { FaultreelError, exitCodes } from '../errors.js';
import type { Host } from '../host.js';
import type { Draft } from './produce.js';
import { artefacts } from './products.js';

/** A file of the results and what it holds, in a few words. */
export interface Made {
  readonly file: string;
  readonly about: string;
}

/** A folder in the making, beside the one that it will replace. */
export interface Partial {
  readonly folder: string;
  /** Puts the folder in the place of `target`, once every promised file is there and not empty; returns where they are now. */
  publish(drafts: readonly Draft[]): Promise<readonly Made[]>;
  /** Removes what was made; harmless after `publish`. */
  discard(): Promise<void>;
}

/**
 * Starts a folder beside `target`; what stands in `target` stays until `publish`.
 * @throws FaultreelError (environment) when nothing can be written there: before anything is simulated
 */
export const startPartial = async (target: string, host: Host): Promise<Partial> => {
  let folder: string;
  try {
    await host.makeFolder(path.dirname(target));
    folder = await host.makeTemporaryFolder(target);
  } catch (cause) {
    throw notWritable(path.dirname(target), host, cause);
  }
  return {
    folder,
    publish: async (drafts) => {
      await checkPromises(folder, drafts, host);
      await swap(folder, target, host);
      return drafts.map(({ name, about }) => ({ file: path.join(target, name), about }));
    },
    discard: () => host.remove(folder),
  };
};

const checkPromises = async (folder: string, drafts: readonly Draft[], host: Host): Promise<void> => {
  for (const { name } of drafts) {
    const bytes = await host.sizeOf(path.join(folder, name));
    if (!bytes) {
      throw new FaultreelError(exitCodes.rendering, { message: `${name} ${bytes === null ? 'was not written' : 'is empty'}, although it was promised`, hint: 'Nothing was replaced. Run again with --debug, and report it with the scenario.' });
    }
  }
};

/** Two renames, and back again when the second fails: there is never half a folder. */
const swap = async (folder: string, target: string, host: Host): Promise<void> => {
  const old = `${folder}-old`;
  const replaces = (await host.list(target)).length > 0;
  if (replaces) await carryOver(target, folder, host);
  await (replaces ? host.rename(target, old) : host.remove(target));
  try {
    await host.rename(folder, target);
  } catch (error) {
    if (replaces) await host.rename(old, target);
    throw error;
  }
  await host.remove(old);
};

/** Files that are not ours stay; ours that were not asked for this time stay while they show the very same study. */
const carryOver = async (from: string, to: string, host: Host): Promise<void> => {
  const made = new Set(await host.list(to));
  const sameStudy = await sameText(path.join(from, 'study.json'), path.join(to, 'study.json'), host);
  for (const name of await host.list(from)) {
    if (made.has(name) || (Object.hasOwn(artefacts, name) && !sameStudy)) continue;
    await host.copy(path.join(from, name), path.join(to, name));
  }
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
