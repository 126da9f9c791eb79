import type { Drawn, Scenario, Spread, System, Value } from '../scenario/model.js';
import { studySchemaId, type FigureName, type Input, type Override, type Run, type Study, type StudyScenario, type SimulatedRun, type Sweep } from '../study/types.js';
import { claimsOf } from './claims.js';
import { costOf } from './cost.js';
import { askedOf, outcomesAsked, readingOf, unitOfMetric, type Reading } from './figures.js';
import { firstToBreak } from './first-to-break.js';
import type { Judgeable } from './judgeable.js';
import { spreadOf } from './seeds.js';
import type { Testing } from './testing.js';
import { askings, verdictsOf } from './verdicts.js';

/** What a study says of where it came from. */
export interface Origin {
  readonly toolVersion: string;
  /** Of the scenario file's text, hex. */
  readonly sha256: string;
  /** All that ran; the first is the one that is shown. */
  readonly seeds: readonly number[];
  /** What `--set` replaced. */
  readonly set: readonly Override[];
}

/** What was run beside the runs that are shown. */
export interface Trials {
  /** What every variant came to, by seed in the order of `Origin.seeds`. */
  readonly bySeed: readonly ReadonlyMap<string, Reading>[];
  /** By variant whose verdicts were tested. */
  readonly testing: ReadonlyMap<string, Testing>;
  readonly sweeps: readonly Sweep[];
}

/** Runs of all variants, in the order of the scenario's variants, and what they mean. */
export const studyOf = (scenario: Scenario, runs: readonly SimulatedRun[], origin: Origin, trials: Trials = noTrials(scenario, runs)): Study => {
  const { bySeed, testing, sweeps } = trials;
  const all = judgeables(scenario, runs);
  const systems = all.map(({ system }) => system);
  const judged = all.map(({ run, system }): Run => ({ ...run, cost: costOf(run, system), firstToBreak: firstToBreak(run, system) }));
  const names = systems.flatMap((system) => outcomeNames(system));
  return {
    schema: studySchemaId,
    tool: { name: 'faultreel', version: origin.toolVersion },
    scenario: scenarioOf(scenario, systems[0], origin),
    inputs: systems[0].inputs.map(inputOf),
    runs: Object.fromEntries(judged.map((run) => [run.variant, run])),
    spread: origin.seeds.length > 1 ? spreadOf(origin.seeds, names, bySeed) : null,
    sensitivity: testing.size === 0 ? null : Object.fromEntries([...testing].map(([variant, { sensitivity }]) => [variant, { guesses: guessesOf(systems.find((system) => system.variant === variant)!, sensitivity), ...sensitivity }])),
    sweeps,
    verdicts: all.flatMap((own) => verdictsOf(own, bySeed, testing.get(own.run.variant)?.tested ?? null)),
    claims: claimsOf(all, bySeed),
    firstToBreak: judged[0].firstToBreak,
  };
};

/** Nothing but the runs themselves. */
const noTrials = (scenario: Scenario, runs: readonly SimulatedRun[]): Trials => ({
  bySeed: [new Map(judgeables(scenario, runs).map(({ run, system }) => [run.variant, readingOf(run, system, askedOf(system, scenario.variants))]))],
  testing: new Map(),
  sweeps: [],
});

/** Runs with the systems that they are of. */
export const judgeables = (scenario: Scenario, runs: readonly SimulatedRun[]): Judgeable[] =>
  runs.map((run) => ({ run, system: scenario.variants.find(({ variant }) => variant === run.variant)! }));

/** Figures that trials of a variant are told by: its objectives in the order of its verdicts, then what every traffic comes to and every machine costs. */
export const trialFigures = (own: Judgeable): FigureName[] => [...askings(own).map(({ name }) => name), ...outcomeNames(own.system)];

const outcomeNames = (system: System): FigureName[] => outcomesAsked(system).map((asked) => ({ variant: system.variant, ...asked, vs: null, unit: unitOfMetric(asked.metric) }));

const scenarioOf = ({ name, text }: Scenario, system: System, { sha256, seeds, set }: Origin): StudyScenario => ({
  name,
  title: system.title,
  ...(system.about ? { about: system.about } : {}),
  sha256,
  seed: seeds[0],
  durationMs: system.durationMs,
  tickMs: system.tickMs,
  limits: system.limits,
  text,
  set,
  rehearsal: system.rehearsal,
});

/** Those that were moved. */
const guessesOf = ({ inputs }: System, { ends }: Testing['sensitivity']): Input[] => inputs.filter(({ path }) => ends.some((end) => end.path === path)).map(inputOf);

const inputOf = ({ path, value, unit, basis, setting, from, why, range, currency, ...more }: Value | Drawn): Input => ({
  path,
  value: Number.isFinite(value) ? value : null,
  unit,
  basis,
  setting,
  ...(from === undefined ? {} : { from }),
  ...(why === undefined ? {} : { why }),
  ...(range === undefined ? {} : { range }),
  ...(currency === undefined ? {} : { currency }),
  ...('spread' in more && varies(more.spread) ? { spread: more.spread } : {}),
});

const varies = (spread: Spread): boolean => spread.kind === 'quantiles' || spread.cv > 0;
