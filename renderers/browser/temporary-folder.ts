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

/** What is wrong when a browser finds room for itself, but none for so many bytes more; null when all is well. */
export const shortageOf = async (host: Host, bytes: number): Promise<string | null> => {
  const room = await host.roomIn(host.tmpdir);
  if (room === null || room < leastRoomBytes || room >= leastRoomBytes + bytes) return null;
  return `the disk of temporary files has only ${(room / 2 ** 20).toFixed(1)} MB left and it needs ${Math.ceil((leastRoomBytes + bytes) / 2 ** 20)} MB (TMPDIR names another place)`;
};

export const temporaryFolderAdvice = 'Set TMPDIR to a folder that is there, that you may write, and that has 64 MB of room';

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
