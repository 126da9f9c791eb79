import { createHash } from 'node:crypto';
import { studyOf, type Origin } from '../analysis/index.js';
import { simulate } from '../engine/index.js';
import type { Scenario } from '../scenario/model.js';
import { settle } from '../study/settle.js';
import type { Override, SimulatedRun, Study } from '../study/types.js';
import type { Surroundings } from './surroundings.js';
import { toolVersion } from './version.js';

export interface SimulateOptions {
  /** Another seed than the file's. */
  readonly seed?: number;
  /** What `--set` replaced when the scenario was parsed, to be told in the study. */
  readonly set?: readonly Override[];
}

/** Simulates every variant, one after the other, and judges the runs; an interrupt takes hold between two variants. */
export const makeStudy = async (scenario: Scenario, options: SimulateOptions, { host, progress, signal }: Surroundings): Promise<Study> => {
  const runs: SimulatedRun[] = [];
  for (const system of scenario.variants) {
    progress.stage(`simulate ${system.variant}`);
    await host.breathe();
    signal.throwIfAborted();
    runs.push(simulate(system, options));
  }
  await host.breathe();
  signal.throwIfAborted();
  return settle(studyOf(scenario, runs, originOf(scenario, options)));
};

/** As `makeStudy`, at once. */
export const simulateScenario = (scenario: Scenario, options: SimulateOptions): Study =>
  settle(studyOf(scenario, scenario.variants.map((system) => simulate(system, options)), originOf(scenario, options)));

const originOf = ({ text, variants }: Scenario, { seed = variants[0].seed, set = [] }: SimulateOptions): Origin => ({
  toolVersion,
  sha256: createHash('sha256').update(text, 'utf8').digest('hex'),
  seed,
  set,
});
