import { createHash } from 'node:crypto';
import { studyOf, type Origin } from '../analysis/index.js';
import { simulate, simulating } from '../engine/index.js';
import type { Scenario, System } from '../scenario/model.js';
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

/** Simulates every variant, one after the other, and judges the runs; an interrupt takes hold between two slices of the work. */
export const makeStudy = async (scenario: Scenario, options: SimulateOptions, around: Surroundings): Promise<Study> => {
  const runs: SimulatedRun[] = [];
  for (const system of scenario.variants) runs.push(await simulateOne(system, options, around));
  return settle(studyOf(scenario, runs, originOf(scenario, options)));
};

/** Below this nobody waits: no progress is told. */
const tellAfterMs = 3_000;

const simulateOne = async (system: System, options: SimulateOptions, { host, progress, signal }: Surroundings): Promise<SimulatedRun> => {
  progress.stage(`simulate ${system.variant}`);
  const startedAt = host.now();
  const slices = simulating(system, options);
  for (;;) {
    await host.breathe();
    signal.throwIfAborted();
    const slice = slices.next();
    if (slice.done) return slice.value;
    if (host.now() - startedAt > tellAfterMs) progress.step(Math.round((slice.value * system.durationMs) / 1000), Math.round(system.durationMs / 1000), 'simulated s');
  }
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
