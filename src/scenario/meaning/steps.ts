import { grouped } from '../grouped.js';
import { limits } from '../limits.js';
import type { Step } from '../model.js';
import type { Asking } from './asking.js';

/** What single steps name: stocks, sockets, services that a transaction holds a connection to. */
export const checkSteps = (asking: Asking): void => {
  checkCount(asking);
  for (const { name, handlers } of asking.system.services) for (const steps of Object.values(handlers)) checkList(asking, steps, name);
  for (const { steps } of asking.system.traffic) if (steps) checkList(asking, steps, undefined);
};

/** A step with `times` is as many steps; those inside it are as many times as many. */
const checkCount = (asking: Asking): void => {
  const { services, traffic } = asking.system;
  const lists = [
    ...services.flatMap(({ name, handlers }) => Object.entries(handlers).map(([request, steps]) => [`services.${name}.handlers.${request}`, steps] as const)),
    ...traffic.flatMap(({ name, steps }) => (steps ? [[`traffic.${name}.steps`, steps] as const] : [])),
  ];
  let sum = 0;
  for (const [path, steps] of lists) {
    const count = written(steps);
    sum += count;
    if (count > limits.steps) asking.complainKey(path, `expected at most ${grouped(limits.steps)} steps in \`${path}\` with all repetitions, found ${grouped(count)}`, 'steps inside a step with `times` are repeated as often: let one longer step stand for many short ones');
    else if (sum > limits.stepsOfAll) return asking.complainKey(path, `expected at most ${grouped(limits.stepsOfAll)} steps of all handlers together with all repetitions, found more`);
  }
};

/** How many steps a list is when repetitions are written out. */
const written = (steps: readonly Step[]): number => steps.reduce((sum, step) => sum + step.times.value * (1 + inside(step) + written(step.orElse ?? [])), 0);

const inside = (step: Step): number => {
  switch (step.verb) {
    case 'parallel':
      return step.branches.reduce((sum, branch) => sum + written(branch), 0);
    case 'choose':
      return step.options.reduce((sum, { steps }) => sum + written(steps), 0);
    case 'transaction':
      return written(step.steps);
    case 'cache':
      return written(step.miss);
    default:
      return 0;
  }
};

/** `holder`: whose stocks and locks these steps mean: the transaction's service, else the service that runs them. */
const checkList = (asking: Asking, steps: readonly Step[], holder: string | undefined): void => {
  for (const step of steps) {
    checkStep(asking, step, holder);
    if (step.verb === 'parallel') for (const branch of step.branches) checkList(asking, branch, holder);
    if (step.verb === 'choose') for (const option of step.options) checkList(asking, option.steps, holder);
    if (step.verb === 'transaction') checkList(asking, step.steps, step.service);
    if (step.verb === 'cache') checkList(asking, step.miss, holder);
    if (step.orElse) checkList(asking, step.orElse, holder);
  }
};

const checkStep = (asking: Asking, step: Step, holder: string | undefined): void => {
  if (step.verb === 'take' || step.verb === 'put') {
    const stock = (holder === undefined ? undefined : asking.services.get(holder)?.stock) ?? {};
    const where = holder === undefined ? 'the steps of a traffic, which has none: call a service that takes it' : `\`stock\` of \`${holder}\``;
    if (step.name !== '' && !Object.hasOwn(stock, step.name)) asking.expectKnown(`${step.path}.${step.verb}`, step.name, Object.keys(stock), `a stock from ${where}`, `stocks of \`${holder ?? 'a traffic'}\``);
  }
  if (step.verb === 'transaction') asking.expectKnown(`${step.path}.transaction`, step.service, asking.services.keys(), 'the name of a service', 'services');
  if (step.verb === 'push' && step.traffic !== '') checkPush(asking, `${step.path}.push`, step.traffic);
};

/** Pushing to a traffic that this variant leaves out reaches nobody, and is no mistake. */
const checkPush = (asking: Asking, path: string, name: string): void => {
  const target = asking.traffic.get(name);
  if (target && target.source.kind !== 'sockets') asking.complain(path, `expected a traffic with \`sockets\` for \`${path}\`, found \`${name}\`, which has none`);
  else if (!target) asking.expectKnown(path, name, asking.trafficOfFile, 'the name of a traffic with sockets', 'traffic');
};
