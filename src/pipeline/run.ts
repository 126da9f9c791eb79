import path from 'node:path';
import type { Scenario } from '../scenario/model.js';
import type { Study } from '../study/types.js';
import { findTools } from './environment.js';
import { loadScenario, planSweeps, type Setting, type SweepSetting } from './load.js';
import type { Look } from './look.js';
import { renderStudy } from './produce.js';
import type { Product } from './products.js';
import { startPending, type Made } from './publish.js';
import { studyFor } from './kept-study.js';
import type { StudyOptions } from './simulate.js';
import type { Surroundings } from './surroundings.js';

export interface RunOptions extends Look, Pick<StudyOptions, 'seed' | 'seeds' | 'sensitivity' | 'threads'> {
  /** Folder of all results; this run's are in a folder of the scenario's name in it. Absent: nothing is written. */
  readonly out?: string;
  readonly wanted: ReadonlySet<Product>;
  readonly set: readonly Setting[];
  readonly sweep?: readonly SweepSetting[];
}

export interface RunResult {
  readonly study: Study;
  readonly made: readonly Made[];
}

/**
 * From a scenario file to everything that is asked for. What cannot work is found out before anything is simulated; what stood in the folder of results
 * stays until all of the new is whole.
 * @throws FaultreelError with the exit code of what went wrong
 */
export const run = async (file: string, options: RunOptions, around: Surroundings): Promise<RunResult> => {
  const scenario = await loadScenario(file, options, around.host);
  const sweeps = planSweeps(scenario, options.sweep ?? [], options);
  const target = options.out === undefined ? null : path.join(options.out, scenario.name);
  const machine = await findTools(options.wanted, around);
  const pending = target === null ? null : await startPending(target, around.host, (text) => around.progress.notice(text));
  try {
    for (const text of overruled(scenario, options.set)) around.progress.notice(text);
    const { study } = await studyFor(scenario, { ...options, sweeps }, around);
    if (pending === null) return { study, made: [] };
    const files = await renderStudy(study, pending.folder, { ...options, machine }, around);
    around.signal.throwIfAborted();
    return { study, made: await pending.publish(files) };
  } finally {
    around.progress.end();
    await pending?.discard();
  }
};

/** `--set` comes last: what a variant sets itself at that path is gone, and the variant may be the reference again. */
const overruled = ({ variants }: Scenario, set: readonly Setting[]): string[] =>
  set.flatMap(({ path: at, value }) =>
    variants.flatMap(({ variant, overrides }) => overrides.slice(0, overrides.length - set.length).flatMap((own) => (own.path === at ? [`--set ${at}=${value} takes the place of ${own.value}, which variant ${variant} sets itself`] : []))),
  );
