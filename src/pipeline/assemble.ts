import { createHash } from 'node:crypto';
import type { Scenario, System, Value } from '../scenario/model.js';
import type { Input, Override, StudyScenario } from '../study/types.js';

/** What a study says of its scenario; `seed` is the one that ran. */
export const studyScenario = (scenario: Scenario, { seed, set }: { readonly seed: number; readonly set: readonly Override[] }): StudyScenario => {
  const { title, about, durationMs, tickMs, limits, rehearsal } = reference(scenario);
  return {
    name: scenario.name,
    title,
    ...(about && { about }),
    sha256: createHash('sha256').update(scenario.text, 'utf8').digest('hex'),
    seed,
    durationMs,
    tickMs,
    limits,
    text: scenario.text,
    set,
    rehearsal,
  };
};

/** The values of a system as the study keeps them: unlimited is null, since JSON knows no infinity. */
export const studyInputs = (system: System): Input[] =>
  system.inputs.map(({ path, value, unit, basis, setting, from, why, range, currency }: Value) => ({
    path,
    value: Number.isFinite(value) ? value : null,
    unit,
    basis,
    setting,
    ...(from !== undefined && { from }),
    ...(why !== undefined && { why }),
    ...(range && { range }),
    ...(currency !== undefined && { currency }),
  }));

export const reference = (scenario: Scenario): System => scenario.variants[0]!;
