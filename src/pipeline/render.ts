import path from 'node:path';
import { readStudy } from '../study/read.js';
import { findTools } from './environment.js';
import { noSuchVariant, readFile } from './load.js';
import type { Look } from './look.js';
import { renderStudy } from './produce.js';
import type { Product } from './products.js';
import { startPending, type Made } from './publish.js';
import type { Surroundings } from './surroundings.js';

export interface RenderFileOptions extends Look {
  /** Where the files go; the study's own folder when absent. */
  readonly out?: string;
  readonly wanted: ReadonlySet<Product>;
}

/** Film and report again from a study.json, without simulating: the same bytes as the run made. */
export const renderFile = async (file: string, options: RenderFileOptions, around: Surroundings): Promise<readonly Made[]> => {
  const study = readStudy(await readFile(file, around.host), file);
  if (options.variant !== undefined && !Object.hasOwn(study.runs, options.variant)) throw noSuchVariant(options.variant, Object.keys(study.runs), file);
  const machine = await findTools(options.wanted, around);
  const pending = await startPending(options.out ?? path.dirname(path.resolve(around.host.cwd, file)), around.host, (text) => around.progress.notice(text));
  try {
    const files = await renderStudy(study, pending.folder, { ...options, machine }, around);
    around.signal.throwIfAborted();
    return await pending.publish(files);
  } finally {
    around.progress.end();
    await pending.discard();
  }
};
