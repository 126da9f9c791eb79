import path from 'node:path';
import type { Host } from '../host.js';
import type { Study } from '../study/types.js';
import { findTools } from './environment.js';
import { loadScenario, type Setting } from './load.js';
import { renderStudy, type Made } from './produce.js';
import type { Product } from './products.js';
import type { Progress } from './progress.js';
import { startPartial } from './publish.js';
import { makeStudy } from './simulate.js';
import type { Look } from './look.js';

export interface RunOptions extends Look {
  /** Folder of all results; this run's are in a folder of the scenario's name in it. Absent: nothing is written. */
  readonly out?: string;
  readonly wanted: ReadonlySet<Product>;
  readonly set: readonly Setting[];
  readonly seed?: number;
}

/** What every part of the pipeline works with. */
export interface Surroundings {
  readonly host: Host;
  readonly progress: Progress;
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal;
}

export interface RunResult {
  readonly study: Study;
  /** The variant that is filmed and printed. */
  readonly variant: string;
  readonly made: readonly Made[];
}

/**
 * From a scenario file to everything it is asked for. What cannot work is found out before anything is simulated; what stood in the folder of results
 * stays until all of the new is whole.
 */
export const run = async (file: string, options: RunOptions, around: Surroundings): Promise<RunResult> => {
  const scenario = await loadScenario(file, options, around.host);
  const tools = await findTools(options.wanted, options, around);
  const target = options.out === undefined ? null : path.join(options.out, scenario.name);
  const partial = target === null ? null : await startPartial(target, around.host);
  try {
    const study = await makeStudy(scenario, options.seed, around);
    const variant = options.variant ?? Object.keys(study.runs)[0]!;
    if (!partial || target === null) return { study, variant, made: [] };
    const made = await renderStudy(study, { ...options, variant, folder: partial.folder, target, tools }, around);
    await partial.publish(made.map(({ name }) => name));
    return { study, variant, made };
  } finally {
    await partial?.discard();
    around.progress.end();
  }
};
