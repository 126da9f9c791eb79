import { locate } from '../document/tree.js';
import { exactlyOne } from '../grammar/compound.js';
import { faultVerbs } from '../grammar/fault.js';
import type { WrittenScenario } from '../grammar/scenario.js';
import type { Reading } from '../grammar/type.js';
import type { Drawn, Fault, Value } from '../model.js';

type Written = WrittenScenario['faults'] extends ReadonlyMap<string, infer F> ? F : never;

/** Undefined (reported) when it has no verb. */
export const faultOf = (name: string, written: Written, durationMs: number, reading: Reading): Fault | undefined => {
  const at = ['faults', name];
  const verb = exactlyOne(locate(reading.root, at), faultVerbs, at, reading, 'a verb');
  if (!verb) return undefined;
  return {
    name,
    atMs: written.at,
    untilMs: written.for === undefined ? durationMs : Math.min(written.at + written.for, durationMs),
    hasEnd: written.for !== undefined,
    target: written.target,
    what: whatOf(verb, written),
  };
};

const whatOf = (verb: (typeof faultVerbs)[number], written: Written): Fault['what'] => {
  if (verb === 'crash' || verb === 'freeze' || verb === 'blackhole' || verb === 'cut') return { verb };
  if (verb === 'latency') return { verb, latency: written.latency as Drawn };
  if (verb === 'deploy') return { verb, ...(written.deploy as NonNullable<Written['deploy']>) };
  return { verb, amount: written[verb] as Value };
};
