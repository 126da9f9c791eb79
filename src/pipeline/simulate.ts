import { createHash } from 'node:crypto';
import { studyOf, type Origin, type Reading, type SweepPlan } from '../analysis/index.js';
import { simulate } from '../engine/index.js';
import { FaultreelError, exitCodes } from '../errors.js';
import type { Scenario, System } from '../scenario/model.js';
import { settle } from '../study/settle.js';
import type { Override, SimulatedRun, Study } from '../study/types.js';
import { mostCallsInMemory } from './call-memory.js';
import { openExecutor } from './executor.js';
import { letInlineFor } from './inlining.js';
import { noSuchVariant } from './load.js';
import type { Surroundings } from './surroundings.js';
import { runAndTry } from './trials.js';
import { toolVersion } from './version.js';

export interface SimulateOptions {
  /** Another seed than the file's. */
  readonly seed?: number;
  /** What `--set` replaced when the scenario was parsed, to be told in the study and to be kept where values are moved. */
  readonly set?: readonly Override[];
}

export interface StudyOptions extends SimulateOptions {
  /** How many seeds are run, from the first one on. */
  readonly seeds?: number;
  /** Variants whose verdicts are tested against the ranges of their guesses: none, the shown one, all. */
  readonly sensitivity?: 'off' | 'ends' | 'all';
  readonly sweeps?: readonly SweepPlan[];
  /** The shown variant; the first when absent. */
  readonly variant?: string;
  /** Threads that simulate at the same time; all cores when absent. */
  readonly threads?: number;
}

/** Seeds of one study, and threads that work on it. */
export const mostSeeds = 1000;
export const mostThreads = 256;

const requireWhole = (name: string, value: number, low: number, high: number): void => {
  if (!Number.isInteger(value) || value < low || value > high) throw new FaultreelError(exitCodes.usage, { message: `${name}: expected a whole number from ${low} to ${high}, found ${String(value)}` });
};

/** A study, and what every variant came to by seed, in the order of `study.spread.seeds`. */
export interface Simulated {
  readonly study: Study;
  readonly bySeed: readonly ReadonlyMap<string, Reading>[];
}

/** Simulates every variant, under every seed and with every value that is to be tried, and judges the runs; an interrupt takes hold between two slices of the work. */
export const simulateStudy = async (scenario: Scenario, options: StudyOptions, { host, progress, signal, openExecutor: open = openExecutor }: Surroundings): Promise<Simulated> => {
  const { seed = scenario.variants[0].seed, seeds: count = 1, sensitivity = 'off', sweeps = [], set = [], threads = host.cores } = options;
  const names = scenario.variants.map(({ variant }) => variant);
  const shown = options.variant ?? names[0];
  // The command line has looked at these already; a caller of the library has not.
  if (!names.includes(shown)) throw noSuchVariant(shown, names, scenario.file);
  if (!['off', 'ends', 'all'].includes(sensitivity)) throw new FaultreelError(exitCodes.usage, { message: `sensitivity: expected off, ends or all, found ${sensitivity as string}` });
  requireWhole('seed', seed, 0, 2 ** 32 - 1);
  requireWhole('seeds', count, 1, mostSeeds);
  requireWhole('threads', threads, 1, mostThreads);
  const seeds = Array.from({ length: count }, (_, nth) => (seed + nth) % 2 ** 32);
  const tested = { off: [], ends: [shown], all: names }[sensitivity];
  const executor = open({ host, signal, threads });
  try {
    const { runs, trials } = await runAndTry(scenario, { seeds, tested, sweeps, swept: shown, set }, { executor, progress, host });
    return { study: settle(studyOf(scenario, runs, originOf(scenario, seeds, set), trials)), bySeed: trials.bySeed };
  } catch (error) {
    throw withPlaces(error, scenario);
  } finally {
    await executor.close();
  }
};

/** As `simulateStudy`, the study alone. */
export const makeStudy = async (scenario: Scenario, options: StudyOptions, around: Surroundings): Promise<Study> => (await simulateStudy(scenario, options, around)).study;

/** Every variant under one seed, at once; nothing is tried beside it. */
export const simulateScenario = (scenario: Scenario, { seed = scenario.variants[0].seed, set = [] }: SimulateOptions): Study =>
  settle(studyOf(scenario, scenario.variants.map((system) => simulateOne(system, seed, scenario)), originOf(scenario, [seed], set)));

const simulateOne = (system: System, seed: number, scenario: Scenario): SimulatedRun => {
  letInlineFor(system);
  try {
    return simulate(system, { seed, mostCalls: mostCallsInMemory() });
  } catch (error) {
    throw withPlaces(error, scenario);
  }
};

/** The engine knows paths, the scenario where they stand in the file. */
const withPlaces = (error: unknown, { placeOf, variants }: Scenario): unknown =>
  error instanceof FaultreelError && error.problems.some(({ at }) => at)
    ? new FaultreelError(error.exitCode, error.problems.map(({ at, ...problem }) => (at ? { where: placeOf(at.path, at.variant ?? variants[0].variant), ...problem } : problem)), { cause: error })
    : error;

const originOf = ({ text }: Scenario, seeds: readonly number[], set: readonly Override[]): Origin => ({
  toolVersion,
  sha256: createHash('sha256').update(text, 'utf8').digest('hex'),
  seeds,
  set,
});
