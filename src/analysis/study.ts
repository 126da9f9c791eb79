import type { Drawn, Scenario, Spread, System, Value } from '../scenario/model.js';
import { studySchemaId, type Input, type Override, type Run, type Study, type StudyScenario, type SimulatedRun } from '../study/types.js';
import { claimsOf } from './claims.js';
import { costOf } from './cost.js';
import { firstToBreak } from './first-to-break.js';
import { verdictsOf } from './verdicts.js';

/** What a study says of where it came from. */
export interface Origin {
  readonly toolVersion: string;
  /** Of the scenario file's text, hex. */
  readonly sha256: string;
  readonly seed: number;
  /** What `--set` replaced. */
  readonly set: readonly Override[];
}

/** Runs of all variants, in the order of the scenario's variants, and what they mean. */
export const studyOf = (scenario: Scenario, runs: readonly SimulatedRun[], origin: Origin): Study => {
  const systems = runs.map(({ variant }) => scenario.variants.find((system) => system.variant === variant)!);
  const all = runs.map((run, i) => ({ run, system: systems[i] }));
  const judged = runs.map((run, i): Run => ({ ...run, cost: costOf(run, systems[i]), firstToBreak: firstToBreak(run, systems[i]) }));
  return {
    schema: studySchemaId,
    tool: { name: 'faultreel', version: origin.toolVersion },
    scenario: scenarioOf(scenario, systems[0], origin),
    inputs: systems[0].inputs.map(inputOf),
    runs: Object.fromEntries(judged.map((run) => [run.variant, run])),
    spread: null,
    sensitivity: null,
    verdicts: all.flatMap((own) => verdictsOf(own, all)),
    claims: claimsOf(all),
    firstToBreak: judged[0].firstToBreak,
  };
};

const scenarioOf = ({ name, text }: Scenario, system: System, { sha256, seed, set }: Origin): StudyScenario => ({
  name,
  title: system.title,
  ...(system.about ? { about: system.about } : {}),
  sha256,
  seed,
  durationMs: system.durationMs,
  tickMs: system.tickMs,
  limits: system.limits,
  text,
  set,
  rehearsal: system.rehearsal,
});

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
