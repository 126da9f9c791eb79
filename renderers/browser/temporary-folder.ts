import path from 'node:path';
import { exitCodes, FaultreelError } from '../../src/errors.js';
import type { Host } from '../../src/host.js';

/**
 * A new empty folder in the machine's temporary one.
 *
 * @throws FaultreelError with exit code 5 that says how to name another one.
 */
export const temporaryFolder = async (host: Host, name: string): Promise<string> => {
  const room = await host.roomIn(host.tmpdir);
  if (room !== null && room < leastRoomBytes) {
    throw new FaultreelError(exitCodes.environment, { message: `The browser needs a temporary folder, but the disk of ${host.tmpdir} has only ${(room / 2 ** 20).toFixed(1)} MB left`, hint: temporaryFolderAdvice });
  }
  try {
    return await host.makeTemporaryFolder(path.join(host.tmpdir, name));
  } catch (cause) {
    throw new FaultreelError(
      exitCodes.environment,
      { message: `The browser needs a temporary folder, but none can be made in ${host.tmpdir}: ${cause instanceof Error ? cause.message : String(cause)}`, hint: temporaryFolderAdvice },
      { cause },
    );
  }
};

/** Fonts, profile and a few of the smallest pictures take 22 MB. With less a browser starts, and fails at its page without saying why. */
const leastRoomBytes = 24 * 2 ** 20;

/**
 * What may be why a browser failed at pictures of a size, when it has left again what it held: on a disk that is too small it says no more than that it failed.
 * Null where there was room.
 */
export const shortageOf = async (host: Host, { width, height }: { readonly width: number; readonly height: number }, cause: unknown): Promise<FaultreelError | null> => {
  const room = await host.roomIn(host.tmpdir);
  const neededBytes = leastRoomBytes + picturesInRoom * 4 * width * height;
  if (room === null || room >= neededBytes) return null;
  const inMegabytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(1);
  return new FaultreelError(
    exitCodes.environment,
    { message: `The browser failed, and the disk of ${host.tmpdir} has only ${inMegabytes(room)} MB left, where pictures of this size may take ${inMegabytes(neededBytes)} MB: ${cause instanceof Error ? cause.message : String(cause)}`, hint: adviceFor(Math.ceil(neededBytes / 2 ** 20)) },
    { cause },
  );
};
/** Those that wait and those that are drawn, in memory that is shared by files there: 71 MB were seen at 1920×1080. */
const picturesInRoom = 10;

const adviceFor = (megabytes: number): string => `Set TMPDIR to a folder that is there, that you may write, and that has ${megabytes} MB of room`;

export const temporaryFolderAdvice = adviceFor(64);

/** Makes one and removes it: before any work that would be lost. What killed runs left there goes too. */
export const checkTemporaryFolder = async (host: Host, onNotice: (notice: string) => void = () => undefined): Promise<void> => {
  await host.remove(await temporaryFolder(host, browserFolder));
  const removed: string[] = [];
  for (const left of await host.abandoned(path.join(host.tmpdir, browserFolder))) {
    // What is another user's cannot be removed, and is none of our business.
    await host.remove(left).then(() => removed.push(left), () => undefined);
  }
  if (removed.length > 0) onNotice(`removed what a run that was killed left behind: ${removed.join(', ')}`);
};
const browserFolder = 'faultreel-browser';

/** Processes that were just killed may still write into it. */
export const removeFolder = async (host: Host, folder: string): Promise<void> => {
  for (let attempt = 0; ; attempt++) {
    try {
      await host.remove(folder);
      return;
    } catch (error) {
      if (attempt === 20) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50).unref());
    }
  }
};
