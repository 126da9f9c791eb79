import { chmod, lstat } from 'node:fs/promises';
import path from 'node:path';
import { exitCodes, FaultreelError } from '../../src/errors.js';
import type { Host } from '../../src/host.js';

/** Where what npm carries is kept unpacked: the user's cache, or a folder of the user's own in the temporary one where there is no home. */
export const cacheFolder = async (host: Host): Promise<string> => {
  const { FAULTREEL_CACHE: named, XDG_CACHE_HOME: cache, HOME: home } = host.env;
  if (named) return path.resolve(host.cwd, named);
  const usual = cache ? path.join(cache, 'faultreel') : home ? path.join(home, '.cache', 'faultreel') : null;
  if (usual && (await isWritable(host, usual))) return usual;
  return ownTemporaryFolder(host);
};

const isWritable = (host: Host, folder: string): Promise<boolean> =>
  host.makeFolder(folder).then(() => host.makeTemporaryFolder(path.join(folder, 'probe'))).then((probe) => host.remove(probe)).then(() => true, () => false);

/** A name that anyone can guess in a folder that anyone may write: used only when it is ours, or a program of another user would run. */
const ownTemporaryFolder = async (host: Host): Promise<string> => {
  const folder = path.join(host.tmpdir, `faultreel-${host.uid ?? 'cache'}`);
  await host.makeFolder(folder).catch(() => undefined);
  const entry = await lstat(folder).catch(() => null);
  const ours = entry?.isDirectory() && (host.uid === null || entry.uid === host.uid);
  if (!ours) {
    throw new FaultreelError(exitCodes.environment, {
      message: `Expected a folder of this user to unpack programs into, found that ${folder} cannot be used.`,
      hint: 'Set FAULTREEL_CACHE to a folder that you may write.',
    });
  }
  await chmod(folder, 0o700);
  return folder;
};
