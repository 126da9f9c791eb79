import { locate } from '../document/tree.js';
import type { WrittenScenario } from '../grammar/scenario.js';
import type { Reading } from '../grammar/type.js';
import { settleNamedValues } from '../grammar/value.js';
import type { Check, Claim, Condition, Rehearsal, System } from '../model.js';
import { metricNames } from '../grammar/condition.js';
import { faultOf } from './faults.js';
import { phasesOfStairs } from './phases.js';
import { placesOf } from './places.js';
import { present, sameText } from './present.js';
import { readsOf, registerOf } from './register.js';
import { servicesOf } from './services.js';
import { trafficOf } from './traffic.js';

/** What was read, put together: defaults that depend on other parts, links that nobody wrote, phases of stairs, the register. */
export const buildSystem = (written: WrittenScenario, reading: Reading, about: Pick<System, 'variant' | 'overrides' | 'bounds'> & { name: string }): System => {
  const places = placesOf(written, reading);
  const services = servicesOf(written, places, reading);
  const names = new Set(written.services.keys());
  const traffic = [...written.traffic].map(([name, source]) => trafficOf(name, source, written.duration, names, reading));
  const faults = [...written.faults].flatMap(([name, fault]) => faultOf(name, fault, written.duration, reading) ?? []);
  const phases = [...written.phases].map(([name, [fromMs, toMs]]) => ({ name, fromMs, toMs }));
  settleNamedValues(reading);
  const reads = readsOf({ services, traffic, faults, hosts: places.hosts });
  return {
    variant: about.variant,
    overrides: about.overrides,
    ...present({ bounds: about.bounds }),
    title: written.title ?? sameText(about.name),
    ...present({ about: written.about }),
    limits: written.limits ?? [],
    durationMs: written.duration,
    tickMs: written.tick,
    seed: written.seed,
    machines: Object.fromEntries(places.machines),
    hosts: places.hosts,
    services,
    traffic,
    faults,
    phases: [...phases, ...phasesOfStairs(traffic, reading)],
    objectives: [...written.objectives].map(([name, check]) => checkOf(['objectives', name], name, check, reading)),
    claims: [...written.claims].map(([name, claim]) => claimOf(name, claim, reading)),
    rehearsal: rehearsalOf(written.rehearsal),
    inputs: registerOf(reading.inputs, reading.root, reads),
    reads,
  };
};

type Entry<T> = T extends ReadonlyMap<string, infer V> ? V : never;
type WrittenCheck = Entry<WrittenScenario['objectives']>;
type WrittenClaim = Entry<WrittenScenario['claims']>;

const checkOf = (at: readonly string[], name: string, written: WrittenCheck, reading: Reading): Check => {
  const said = metricNames.filter((metric) => written[metric] !== undefined);
  const metric = said[0];
  if (said.length > 1) {
    const second = locate(reading.root, [...at, said[1]]);
    reading.problems.add(second.key ?? second.at, `expected one metric in \`${at.join('.')}\`, found ${said.map((word) => `\`${word}\``).join(' and ')}`, 'write a check of its own for each');
  }
  return {
    name,
    ...present({ of: written.of }),
    ...(metric && { metric, condition: written[metric] as Condition }),
    in: written.in ?? 'run',
    over: written.over,
    ...(written.vs && { vs: present(written.vs) }),
    breaks: written.breaks ?? false,
  };
};

const claimOf = (name: string, written: WrittenClaim, reading: Reading): Claim => ({
  ...checkOf(['claims', name], name, written, reading),
  ...present({ variant: written.variant, says: written.says, from: written.from, order: written.order }),
});

const rehearsalOf = ({ pacing, stops }: WrittenScenario['rehearsal']): Rehearsal => ({
  pacing,
  stops: [...stops].map(([name, { at, ask, about, answer, hold }]) => ({ name, at, ask, holdMs: hold, ...present({ about, answer }) })),
});

