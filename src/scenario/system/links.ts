import { type Path, dotted, emptyMap, headOf, locate } from '../document/tree.js';
import { linkType } from '../grammar/link.js';
import type { Reading } from '../grammar/type.js';
import type { Link, Step } from '../model.js';
import { present } from './present.js';

type WrittenLink = ReturnType<(typeof linkType)['read']>;

/** The links that a caller has: those it writes under `to`, then those that its steps need without saying more. */
export const linksOf = (at: Path, written: ReadonlyMap<string, WrittenLink>, steps: readonly (readonly Step[])[], services: ReadonlySet<string>, reading: Reading): readonly Link[] => {
  const links = [...written].map(([callee, link]) => linkOf([...at, 'to'], callee, link));
  const called = new Set(steps.flatMap((list) => [...calleesOf(list)]));
  for (const callee of called) {
    if (written.has(callee) || !services.has(callee)) continue;
    const parent = locate(reading.root, at);
    links.push(linkOf([...at, 'to'], callee, linkType.read(emptyMap(headOf(parent)), [...at, 'to', callee], reading)));
  }
  return links;
};

const linkOf = (at: Path, callee: string, { health, outlier, pool, breaker, ...rest }: WrittenLink): Link => ({
  path: dotted([...at, callee]),
  callee,
  ...rest,
  ...present({ health: health && (present(health) as Link['health']), outlier, pool, breaker }),
});

/** Every step of a list, those inside others too. */
export const everyStep = function* (steps: readonly Step[]): Generator<Step> {
  for (const step of steps) {
    yield step;
    if (step.verb === 'parallel') for (const branch of step.branches) yield* everyStep(branch);
    if (step.verb === 'choose') for (const option of step.options) yield* everyStep(option.steps);
    if (step.verb === 'transaction') yield* everyStep(step.steps);
    if (step.verb === 'cache') yield* everyStep(step.miss);
    if (step.orElse) yield* everyStep(step.orElse);
  }
};

const calleesOf = function* (steps: readonly Step[]): Generator<string> {
  for (const step of everyStep(steps)) {
    if (step.verb === 'call' || step.verb === 'publish') yield step.target.service;
    if (step.verb === 'transaction') yield step.service;
  }
};

