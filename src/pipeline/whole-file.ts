import path from 'node:path';
import type { Host } from '../host.js';
import { notWritable } from './publish.js';

/**
 * Writes a file that appears whole or not at all: what stands there stays until the new one is written. A link stays one: the file that it links to is replaced.
 * @throws FaultreelError (environment) where nothing can be written beside it
 */
export const writeWhole = async (file: string, content: string | Uint8Array, host: Host): Promise<void> => {
  const target = (await host.realPath(file)) ?? file;
  const beside = await host.makeTemporaryFolder(target).catch((cause: unknown) => {
    throw notWritable(path.dirname(target), host, cause);
  });
  try {
    const partial = path.join(beside, path.basename(target));
    await host.write(partial, content);
    await host.rename(partial, target);
  } finally {
    await host.remove(beside);
  }
};
