import type { Study, Verdict } from '../../src/study/types.js';
import { scriptedStudy } from './scripted-study.js';

export const undatedVariant = 'as-it-is';

/** A study whose shown variant breaks a queue, of which nobody knows since when, and keeps everything else. With `more`, of that verdict; with `met`, it is kept too. */
export const undatedStudy = (more: Partial<Verdict> = {}): Study => {
  const study = scriptedStudy();
  const run = { ...study.runs[undatedVariant], firstToBreak: null };
  const kept = study.verdicts.map((verdict): Verdict => (verdict.variant === undatedVariant ? { ...verdict, met: true } : verdict));
  const model = kept.find(({ variant }) => variant === undatedVariant)!;
  const phase = Object.keys(run.phases)[0];
  const queue: Verdict = { ...model, objective: 'backlog', phase, of: 'order-api', metric: 'queue', target: '<= 100', unit: 'count', actual: 4185.5167, met: false, expected: false, vs: null, basis: 'counted', seeds: null, ...more };
  const objective = { ...run.system.objectives[0], name: 'backlog', of: 'order-api', metric: 'queue' as const, condition: '<= 100', unit: 'count' as const, low: null, high: 100 };
  return { ...study, firstToBreak: null, verdicts: [...kept, queue], runs: { ...study.runs, [undatedVariant]: { ...run, system: { ...run.system, objectives: [...run.system.objectives, objective] } } } };
};
export const undatedPhase = (): string => Object.keys(scriptedStudy().runs[undatedVariant].phases)[0];
