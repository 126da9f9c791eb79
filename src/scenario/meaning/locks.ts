import type { Step, System } from '../model.js';

/** Names of every lock that some step takes: alone, and with the service that has it (`mysql.companion`), or the traffic whose steps take it elsewhere. */
export const locksOf = function* ({ services, traffic }: System): Generator<string> {
  for (const { name, handlers } of services) for (const steps of Object.values(handlers)) yield* inSteps(steps, name);
  for (const { name, steps = [] } of traffic) yield* inSteps(steps, name);
};

const inSteps = function* (steps: readonly Step[], holder: string): Generator<string> {
  for (const step of steps) {
    if (step.verb === 'lock') yield* [step.name, `${holder}.${step.name}`];
    if (step.verb === 'parallel') for (const branch of step.branches) yield* inSteps(branch, holder);
    if (step.verb === 'choose') for (const option of step.options) yield* inSteps(option.steps, holder);
    if (step.verb === 'transaction') yield* inSteps(step.steps, step.service);
    if (step.verb === 'cache') yield* inSteps(step.miss, holder);
    if (step.orElse) yield* inSteps(step.orElse, holder);
  }
};
