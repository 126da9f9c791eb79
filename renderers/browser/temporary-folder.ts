import path from 'node:path';
import { exitCodes, FaultreelError } from '../../src/errors.js';
import type { Host } from '../../src/host.js';

/**
 * A new empty folder in the machine's temporary one.
 *
 * @throws FaultreelError with exit code 5 that says how to name another one.
 */
export const temporaryFolder = async (host: Host, name: string): Promise<string> => {
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

export const temporaryFolderAdvice = 'Set TMPDIR to a folder that is there, that you may write, and that has 64 MB of room';

/** Makes one and removes it: before any work that would be lost. */
export const checkTemporaryFolder = async (host: Host): Promise<void> => host.remove(await temporaryFolder(host, 'faultreel-browser'));
