import path from 'node:path';
import type { Host } from '../host.js';

/** All files in a folder and the folders inside it, sorted. Links are passed over: they may lead back to where they stand. */
export const filesIn = async (folder: string, host: Host): Promise<readonly string[]> => {
  const files: string[] = [];
  for (const name of await host.list(folder)) {
    const inner = path.join(folder, name);
    if (await host.isLink(inner)) continue;
    if (await host.isFolder(inner)) files.push(...(await filesIn(inner, host)));
    else files.push(inner);
  }
  return files;
};
