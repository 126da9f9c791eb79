import { baselineOf, driftOf, goalsOf, isUnchanged } from '../analysis/index.js';
import { FaultreelError, exitCodes } from '../errors.js';
import { fewestSeeds, type Baseline } from '../study/baseline.js';
import { checkedSchemaId, type Checked, type CheckedScenario } from '../study/checked.js';
import { baselinesIn, type Baselines } from './baselines.js';
import { changesSince } from './changed-since.js';
import { openExecutor, sharedExecutor } from './executor.js';
import { studyFor } from './kept-study.js';
import { loadScenario } from './load.js';
import type { Progress } from './progress.js';
import { findScenarios } from './scenario-files.js';
import { filesOfShard, type Shard } from './shards.js';
import type { Surroundings } from './surroundings.js';
import { toolBuild } from './tool-build.js';
import { toolVersion } from './version.js';

export interface CheckOptions {
  readonly seeds: number;
  /** Folder of baselines; absent: figures are not compared. */
  readonly baseline?: string;
  /** The baselines become what was found. */
  readonly update: boolean;
  /** Only scenarios that changed since this commit. */
  readonly changedSince?: string;
  readonly shard?: Shard;
  readonly threads?: number;
  /** Called as each scenario is done. */
  readonly onChecked: (scenario: CheckedScenario) => void;
}

/**
 * Simulates scenarios over seeds and holds them against what their files tell and against their baselines. A scenario that is invalid does not keep the others from being checked.
 * @throws FaultreelError (usage) for options that do not go together, files that are not there, broken baselines
 */
export const check = async (paths: readonly string[], options: CheckOptions, around: Surroundings): Promise<Checked> => {
  const { host, progress } = around;
  const { seeds, update, onChecked } = options;
  if (update && options.baseline === undefined) throw usage('--update writes baselines, but --baseline does not say where', 'Write --baseline baseline --update');
  if (options.baseline !== undefined && seeds < fewestSeeds) throw usage(`--baseline: expected at least ${fewestSeeds} seeds, found ${seeds}: with fewer, chance cannot be told from change`, 'Write --seeds 10, or leave out --baseline');
  const baselines = options.baseline === undefined ? null : baselinesIn(options.baseline, host);
  const build = await toolBuild(host);
  const found = await findScenarios(paths, host);
  refuseShared(found, baselines);
  const before = new Map<string, Baseline | null>();
  for (const file of found) before.set(file, (await baselines?.read(file).catch(unless(update, progress))) ?? null);
  const reasons = options.changedSince === undefined ? new Map(found.map((file) => [file, 'asked'] as const)) : await changedFiles(found, options.changedSince, { baselines, before, build }, around);
  const changed = [...reasons.keys()];
  const mine = options.shard ? filesOfShard(changed, costsOf(before), options.shard) : changed;
  const scenarios: CheckedScenario[] = [];
  const made = new Map<string, Baseline>();
  const executor = sharedExecutor(around.openExecutor ?? openExecutor);
  try {
    for (const file of mine) {
      const { checked, baseline } = await checkOne(file, { because: reasons.get(file)!, before: before.get(file) ?? null, build }, options, { ...around, progress: ofScenario(file, progress), openExecutor: executor.open });
      if (baseline) made.set(file, baseline);
      scenarios.push(checked);
      progress.end();
      onChecked(checked);
    }
  } finally {
    progress.end();
    await executor.close();
  }
  if (update) await baselines!.write(made);
  return {
    schema: checkedSchemaId,
    tool: { name: 'faultreel', version: toolVersion },
    passed: scenarios.every(({ passed }) => passed),
    seeds,
    scenarios,
    leftOut: { unchanged: found.filter((file) => !changed.includes(file)), otherShard: changed.filter((file) => !mine.includes(file)) },
    orphans: (await baselines?.orphans()) ?? [],
  };
};

/** A baseline that is to be written anew may be broken. */
const unless = (update: boolean, progress: Progress) => (error: unknown): null => {
  if (!update || !(error instanceof FaultreelError)) throw error;
  progress.notice(`${error.problems[0].message}; it is written anew`);
  return null;
};

/** Whose names differ in their endings alone would have one baseline. */
const refuseShared = (found: readonly string[], baselines: Baselines | null): void => {
  const owners = new Map<string, string>();
  for (const file of baselines ? found : []) {
    const own = baselines!.fileOf(file);
    const other = owners.get(own);
    if (other !== undefined) throw usage(`--baseline: ${other} and ${file} would share ${own}`, 'Rename one of them');
    owners.set(own, file);
  }
};

/** Says of which scenario a part is; that it was simulated before is told with its outcome. */
const ofScenario = (file: string, progress: Progress): Progress => ({ ...progress, stage: (name) => progress.stage(`${file}: ${name}`), detail: () => undefined });

/** Recorded costs, the same on every machine: a cache would differ. */
const costsOf = (before: ReadonlyMap<string, Baseline | null>): ReadonlyMap<string, number> => new Map([...before].flatMap(([file, baseline]) => (baseline ? [[file, baseline.events]] : [])));

interface Known {
  readonly baselines: Baselines | null;
  readonly before: ReadonlyMap<string, Baseline | null>;
  readonly build: string;
}

type Because = CheckedScenario['because'];

/** Those that changed, whose baseline changed or is of another tool, or that have none yet; all where the tool changed. Each with the reason. */
const changedFiles = async (found: readonly string[], ref: string, { baselines, before, build }: Known, { host, progress }: Surroundings): Promise<ReadonlyMap<string, Because>> => {
  const changes = await changesSince(ref, host);
  if (changes.everything !== null) progress.notice(`all scenarios are checked: ${changes.everything}`);
  const reasonFor = async (file: string): Promise<Because | null> => {
    if (await changes.has(file)) return 'file';
    if (changes.everything !== null) return 'tool';
    if (!baselines) return null;
    const own = before.get(file);
    if (!own) return 'new';
    if (await changes.has(baselines.fileOf(file))) return 'baseline';
    return own.tool.build === build ? null : 'tool';
  };
  const reasons = new Map<string, Because>();
  for (const file of found) {
    const because = await reasonFor(file);
    if (because !== null) reasons.set(file, because);
  }
  return reasons;
};

interface One {
  readonly checked: CheckedScenario;
  /** Null where it could not be simulated. */
  readonly baseline: Baseline | null;
}

const checkOne = async (file: string, { because, before, build }: { readonly because: Because; readonly before: Baseline | null; readonly build: string }, options: CheckOptions, around: Surroundings): Promise<One> => {
  const { seeds, update, threads, baseline: folder } = options;
  try {
    const scenario = await loadScenario(file, {}, around.host);
    const { study, bySeed, cached } = await studyFor(scenario, { seeds, ...(threads !== undefined && { threads }) }, around);
    const goals = goalsOf(scenario, study);
    const baseline = baselineOf(scenario, study, bySeed, build);
    const drift = folder !== undefined && before ? driftOf(before, baseline) : null;
    const status = folder === undefined ? 'absent' : update ? 'written' : drift === null ? 'missing' : isUnchanged(drift) ? 'unchanged' : 'changed';
    const passed = goals.every(({ asTold }) => asTold) && status !== 'missing' && status !== 'changed';
    return { checked: { file, passed, because, status: passed ? 'passed' : 'failed', name: scenario.name, title: study.scenario.title, problems: [], goals, baseline: status, drift, cached }, baseline };
  } catch (error) {
    // What is wrong with the file is its finding; what is wrong with the machine, or with us, ends the check.
    if (!(error instanceof FaultreelError) || !ofTheFile.has(error.exitCode)) throw error;
    const problems = error.problems.map(({ message, hint, where }) => ({ message, hint: hint ?? null, line: where?.line ?? null, column: where?.column ?? null }));
    return { checked: { file, passed: false, because, status: 'invalid', name: null, title: null, problems, goals: [], baseline: 'absent', drift: null, cached: false }, baseline: null };
  }
};

const ofTheFile: ReadonlySet<number> = new Set([exitCodes.usage, exitCodes.invalidScenario, exitCodes.timedOut]);

const usage = (message: string, hint: string): FaultreelError => new FaultreelError(exitCodes.usage, { message, hint });

