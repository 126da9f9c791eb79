import path from 'node:path';
import type { Host } from '../host.js';
import type { Scenario, System } from '../scenario/model.js';
import { estimates, type Estimates } from './estimates.js';
import { expectedRequests, type ExpectedRequests } from './expected-requests.js';
import { filmRange, type FilmRange } from './film-range.js';
import { loadScenario, planSweeps, type SweepSetting } from './load.js';
import { artefacts, promised, type Artefact } from './products.js';
import type { RunOptions } from './run.js';
import { checkEnds, comparedIn } from './trials.js';

/** What a run would do, as far as that is known before one. */
export interface DryRun {
  readonly scenario: string;
  readonly file: string;
  readonly title: System['title'];
  readonly variants: readonly string[];
  /** The variant that is filmed and printed. */
  readonly variant: string;
  readonly durationMs: number;
  readonly tickMs: number;
  readonly ticks: number;
  readonly seeds: readonly number[];
  readonly runs: PlannedRuns;
  /** Of each variant, in one run. */
  readonly requests: readonly { readonly variant: string; readonly traffic: readonly ExpectedRequests[] }[];
  readonly film: FilmRange | null;
  /** Null where nothing is written. */
  readonly folder: string | null;
  readonly files: readonly PlannedFile[];
  /** Our files of an earlier run that go, unless the study comes out the same. */
  readonly mayGo: readonly string[];
  readonly estimates: Estimates;
}

export interface PlannedRuns {
  /** One a variant and seed. */
  readonly shown: number;
  /** Both ends of every range. */
  readonly ends: number;
  readonly sweeps: number;
  /** Verdicts that are tested: each may take further runs, for its worst corner and for where it turns, which only the runs before them tell. */
  readonly testedVerdicts: number;
}

export interface PlannedFile {
  readonly file: string;
  readonly replaces: boolean;
  /** A guess from runs of the shipped scenarios. */
  readonly aboutBytes: number;
}

export interface DryRunOptions extends Omit<RunOptions, 'sweep'> {
  readonly sweep: readonly SweepSetting[];
}

/**
 * Loads and checks all that `run` would before it simulates, and says what it would do. Simulates, films and writes nothing; looks for no browser and no encoder.
 * @throws FaultreelError with the exit code of what is wrong
 */
export const dryRun = async (file: string, options: DryRunOptions, host: Host): Promise<DryRun> => {
  const scenario = await loadScenario(file, options, host);
  const sweeps = planSweeps(scenario, options.sweep, options);
  const names = scenario.variants.map(({ variant }) => variant);
  const { variant = names[0], seed = scenario.variants[0].seed, seeds = 1, sensitivity = 'off' } = options;
  const tested = { off: [], ends: [variant], all: names }[sensitivity];
  const shown = systemOf(scenario, variant);
  const runs: PlannedRuns = {
    shown: names.length * seeds,
    ends: sum(tested.map((name) => checkEnds(scenario, name, { set: options.set, sweeps }))),
    sweeps: sum(sweeps.map(({ values }) => values.length * (1 + comparedIn(shown).length))),
    testedVerdicts: sum(tested.map((name) => verdictsOf(systemOf(scenario, name)))),
  };
  const requests = scenario.variants.map((system) => ({ variant: system.variant, traffic: expectedRequests(system) }));
  const film = options.wanted.has('video') ? filmRange(shown, options) : null;
  const folder = options.out === undefined ? null : path.join(options.out, scenario.name);
  const there = folder === null ? [] : await host.list(folder);
  const estimated = estimates({ scenario, requests: requests.map(({ traffic }) => sum(traffic.map(({ count }) => count ?? 0))), runs, film, look: options, wanted: options.wanted, threads: options.threads ?? host.cores });
  const files = folder === null ? [] : promised(options.wanted).map((name): PlannedFile => ({ file: path.join(folder, name), replaces: there.includes(name), aboutBytes: estimated.bytes[name] ?? 0 }));
  return {
    scenario: scenario.name,
    file,
    title: shown.title,
    variants: names,
    variant,
    durationMs: shown.durationMs,
    tickMs: shown.tickMs,
    ticks: Math.ceil(shown.durationMs / shown.tickMs - 1e-9),
    seeds: Array.from({ length: seeds }, (_, nth) => (seed + nth) % 2 ** 32),
    runs,
    requests,
    film,
    folder,
    files,
    mayGo: there.filter((name) => Object.hasOwn(artefacts, name) && !promised(options.wanted).includes(name as Artefact)).map((name) => path.join(folder!, name)),
    estimates: estimated,
  };
};

const systemOf = (scenario: Scenario, variant: string): System => scenario.variants.find((system) => system.variant === variant)!;

/** One an objective and phase that it is judged in. */
const verdictsOf = ({ objectives, phases }: System): number => sum(objectives.map((objective) => (objective.in === 'run' ? 1 : objective.in === 'each' ? phases.length : objective.in.length)));

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
