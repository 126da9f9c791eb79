import path from 'node:path';
import { FaultreelError, errnoOf, exitCodes, machineAdvice } from '../errors.js';
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
 * Starts a folder beside `target`, or beside what it links to; what stands in `target` stays until `publish`.
 * @throws FaultreelError (environment) when nothing can be written there: before anything is simulated
 */
export const startPending = async (target: string, host: Host, notice: (text: string) => void = () => undefined): Promise<Pending> => {
  const place = await placeOf(target, host);
  if (await isFile(place, host)) throw obstacle(`${target} is a file; a folder of that name is needed for the results`);
  await refuseMount(place, target, host);
  await clearAbandoned(place, host, notice);
  await refuseFolders(Object.keys(artefacts), place, target, host);
  const { work, folder, discard } = await workFolder(place, host);
  const old = path.join(work, oldName);
  /** Earlier results that could not be put back are left where they are. */
  let isOnlyCopy = false;
  return {
    folder,
    publish: async (drafts) => {
      await checkPromises(folder, drafts, host);
      await refuseFolders(drafts.map(({ name }) => name), place, target, host);
      await swap({ folder, old, place, target }, host, notice).catch(async (error: unknown) => {
        isOnlyCopy = (await host.sizeOf(place)) === null && (await host.sizeOf(old)) !== null;
        throw error;
      });
      return drafts.map(({ name, about }) => ({ file: path.join(target, name), about }));
    },
    discard: async () => {
      if (isOnlyCopy) return;
      // Why the run ended must not be hidden by this.
      await discard().catch((error: unknown) => notice(`cannot remove ${path.join(path.dirname(place), path.basename(work))}, where the results were made: ${errnoOf(error) || reasonOf(error)}`));
    },
  };
};

/** In the folder of a run: the results that it replaces, while it does. */
const oldName = 'old';

/** What a killed run left beside the results goes; results that it had moved away, and did not replace, come back. */
const clearAbandoned = async (place: string, host: Host, notice: (text: string) => void): Promise<void> => {
  const removed: string[] = [];
  for (const left of await host.abandoned(place)) {
    const old = path.join(left, oldName);
    const isOnlyCopy = (await host.sizeOf(place)) === null && (await host.sizeOf(old)) !== null;
    try {
      if (isOnlyCopy) {
        await host.rename(old, place);
        notice(`${place} is back: a run that was killed had moved it away`);
      }
      await host.remove(left);
      removed.push(left);
    } catch {
      // Another run was faster, or it is somebody else's: nothing of ours hangs on it.
    }
  }
  if (removed.length > 0) notice(`removed what a run that was killed left behind: ${removed.join(', ')}`);
};

/** A link to a folder of results stays a link: its folder is what is replaced. */
const placeOf = async (target: string, host: Host): Promise<string> => {
  if (!(await host.isLink(path.resolve(host.cwd, target)))) return target;
  const place = await host.realPath(path.resolve(host.cwd, target));
  if (place === null) throw new FaultreelError(exitCodes.environment, { message: `${target} is a link to something that is not there`, hint: 'Make the folder that it links to, or remove the link' });
  return place;
};

/** A folder is replaced by renaming, which the root of a file system cannot be. */
const refuseMount = async (place: string, target: string, host: Host): Promise<void> => {
  const at = path.resolve(host.cwd, place);
  const own = await host.fileSystemOf(at);
  if (own === null || own === (await host.fileSystemOf(path.dirname(at)))) return;
  throw new FaultreelError(exitCodes.environment, { message: `${target} is the root of a file system, which cannot be replaced as a whole`, hint: `Give a folder in it: --out ${place}` });
};

/** A folder of a result's name is somebody's, and would have to go for the file. */
const refuseFolders = async (names: readonly string[], place: string, target: string, host: Host): Promise<void> => {
  for (const name of names) {
    if (await host.isFolder(path.join(place, name))) throw obstacle(`${path.join(target, name)} is a folder; a file of that name is needed for the results`);
  }
};

const obstacle = (message: string): FaultreelError => new FaultreelError(exitCodes.environment, { message, hint: 'Move it away, or give another folder with --out DIR' });

/** Asked twice what it is: another run may have moved a folder away in between. */
const isFile = async (place: string, host: Host): Promise<boolean> => {
  const seen = await host.identityOf(place);
  return seen !== null && !(await host.isFolder(place)) && (await host.identityOf(place)) === seen;
};

interface Work {
  readonly work: string;
  /** In `work`, not itself: a temporary folder is for nobody else to read, results are as the user's mask has them. */
  readonly folder: string;
  /** Removes it, and the folders around it that were made for it and hold nothing. */
  readonly discard: () => Promise<void>;
}

const workFolder = async (place: string, host: Host): Promise<Work> => {
  const around = path.dirname(path.resolve(host.cwd, place));
  const made = await missing(around, host);
  let work: string | null = null;
  const discard = async (): Promise<void> => {
    if (work !== null) await host.remove(work);
    for (const folder of made) await host.removeIfEmpty(folder);
  };
  try {
    await host.makeFolder(around);
    work = await host.makeTemporaryFolder(place);
    const folder = path.join(work, 'new');
    await host.makeFolder(folder);
    return { work, folder, discard };
  } catch (cause) {
    await discard();
    throw notWritable(path.dirname(place), host, cause);
  }
};

/** The folder and those around it that are not there, the innermost first. */
const missing = async (folder: string, host: Host): Promise<string[]> => ((await host.sizeOf(folder)) === null ? [folder, ...(await missing(path.dirname(folder), host))] : []);

const checkPromises = async (folder: string, drafts: readonly Promised[], host: Host): Promise<void> => {
  if (!(await host.isFolder(folder))) throw new FaultreelError(exitCodes.environment, { message: `${folder} is gone: somebody removed it while the results were made in it`, hint: 'Run again' });
  for (const { name } of drafts) {
    const bytes = await host.sizeOf(path.join(folder, name));
    if (!bytes) {
      throw new FaultreelError(exitCodes.rendering, { message: `${name} ${bytes === null ? 'was not written' : 'is empty'}, although it was promised`, hint: 'Nothing was replaced. Run again with --debug, and report it with the scenario.' });
    }
  }
};

interface Swap {
  readonly folder: string;
  readonly old: string;
  readonly place: string;
  readonly target: string;
}

/**
 * Two renames, and back again when the second fails: there is never half a folder. Another run may do the same at the same time. The last one wins, wholly:
 * what was taken away is looked at again when it is not what was looked at before, and what came in between is replaced like anything else.
 */
const swap = async ({ folder, old, place, target }: Swap, host: Host, notice: (text: string) => void): Promise<void> => {
  const own = new Set(await host.list(folder));
  for (let attempt = 1; ; attempt++) {
    const seen = await host.identityOf(place);
    if (await isFile(place, host)) throw obstacle(`${target} is a file; a folder of that name is needed for the results`);
    let isAway = false;
    try {
      let dropped: readonly string[] = [];
      if (seen !== null) {
        dropped = await carryOver(place, folder, own, host);
        await host.remove(old);
        await host.rename(place, old);
        isAway = true;
        if ((await host.identityOf(old)) !== seen) dropped = await carryOver(old, folder, own, host);
      }
      await host.rename(folder, place);
      if (dropped.length > 0) notice(`${target} now holds another study; removed what showed the old one: ${dropped.join(', ')}`);
      return;
    } catch (cause) {
      const stands = await host.identityOf(place);
      const isMoved = moved.includes(errnoOf(cause)) || (!isAway && stands !== seen);
      if (isMoved && attempt < mostAttempts) continue;
      if (isAway && stands === null) await host.rename(old, place).catch(() => Promise.reject(stranded(target, old, cause)));
      throw notPublished(target, host, cause);
    }
  }
};
/** Of a rename or copy: somebody else's folder stands there, or is there no more. */
const moved = ['ENOTEMPTY', 'EEXIST', 'ENOENT'];
/** So many other runs that put their results there in the same moment are an error of some other kind. */
const mostAttempts = 20;

/** Files that are not ours stay; ours that were not asked for this time stay while they show the very same study. Returns those that do not. */
const carryOver = async (from: string, to: string, own: ReadonlySet<string>, host: Host): Promise<string[]> => {
  const dropped: string[] = [];
  const sameStudy = await sameText(path.join(from, 'study.json'), path.join(to, 'study.json'), host);
  for (const name of await host.list(from)) {
    if (own.has(name)) continue;
    if (Object.hasOwn(artefacts, name) && !sameStudy) dropped.push(name);
    else await host.copy(path.join(from, name), path.join(to, name));
  }
  return dropped;
};

const sameText = async (one: string, other: string, host: Host): Promise<boolean> => {
  if ((await host.sizeOf(one)) === null) return false;
  return (await host.readText(one)) === (await host.readText(other));
};

/** Why nothing can be written into a folder, with what to do about that. */
export const notWritable = (folder: string, host: Host, cause: unknown): FaultreelError => refused(`cannot write into ${folder}`, host, cause);

const notPublished = (target: string, host: Host, cause: unknown): FaultreelError => refused(`cannot put the results in place at ${target}, where nothing was replaced`, host, cause);

const stranded = (target: string, old: string, cause: unknown): FaultreelError =>
  new FaultreelError(exitCodes.environment, { message: `cannot put the results in place at ${target}, nor the earlier ones back: ${reasonOf(cause)}`, hint: `The earlier ones are in ${old}: move them back by hand` }, { cause });

const refused = (message: string, host: Host, cause: unknown): FaultreelError => {
  const errno = errnoOf(cause);
  const advice = ['EACCES', 'EPERM'].includes(errno) ? null : machineAdvice(errno);
  return new FaultreelError(exitCodes.environment, { message: `${message}: ${reasonOf(cause)}`, hint: advice ?? notAllowed(host) }, { cause });
};

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

const notAllowed = ({ uid }: Host): string =>
  `Give a folder that you may write with --out; in a container, start it as the owner of the folder: docker run --user ${uid === null ? '"$(id -u)"' : '"$(id -u):$(id -g)"'} …`;
