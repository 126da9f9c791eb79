import { limits } from '../limits.js';
import { plain, text, versionNumber, wholeNumber } from './basic.js';
import { claimType, objectiveType, rehearsalType } from './check.js';
import { group, list, object, pair, record, records } from './compound.js';
import { faultType } from './fault.js';
import { hostType, machineType, serviceType } from './service.js';
import { trafficType } from './traffic.js';
import { type Shape, type Type, defaulted, optional, required } from './type.js';
import { namedValue } from './value.js';

/** `variants.<name>: {path: value}`; what stands under a path is read where the override puts it. */
const variantType: Type<undefined> = {
  expected: 'a map from paths to values, such as {services.api.instances: 2}',
  read(node, at, reading) {
    if (node.kind !== 'map') reading.unexpected(node, at, this.expected, node.kind === 'scalar' && node.value === null ? 'write `{}` for the scenario as it stands' : undefined);
    return undefined;
  },
  blank: () => undefined,
  schema: () => ({ type: 'object', description: 'Overrides: a path of names joined by dots, and the value that stands there in this variant; null leaves it out.' }),
};

/** Not a record: the names are checked, but their contents belong to other paths. */
const variantsType = record('a variant', variantType, { most: limits.variants });

/** The whole language, version 1. `values` comes first: everything after it may use their names. */
const fields = {
  faultreel: required(versionNumber, 'The version of the language', 'the first line of a scenario says the version of the language: `faultreel: 1`'),
  title: optional(text, 'What the scenario is called'),
  about: optional(text, 'What it is about, in a few sentences'),
  limits: optional(list(text, { most: 50 }), 'What this run does not prove; on page 1 of the report'),
  duration: required(plain('duration', { min: 1, max: limits.durationMs }), 'How long the run is, such as 15m'),
  tick: defaulted(plain('duration', { min: limits.tickMs, max: 3_600_000 }), 1_000, 'One sample of everything and one frame; at most 3,600 of them', '1s'),
  seed: defaulted(wholeNumber(0, 2 ** 32 - 1), 1, 'Of everything that is drawn'),
  values: records(record('a value', namedValue, { mayBeAdded: false }), 'Numbers that have a name: `$name` stands for them'),
  machines: records(record('a machine', machineType, { most: limits.machines }), 'Types of hardware, beside the built-in catalogue'),
  hosts: records(record('a host', hostType, { most: limits.hosts }), 'Machines that services share'),
  services: records(record('a service', serviceType, { most: limits.services }), 'What does the work'),
  traffic: records(record('a traffic', trafficType, { most: limits.traffics, reserved: ['probes'] }), 'Who asks'),
  faults: records(record('a fault', faultType, { most: limits.faults }), 'What is done to the system'),
  phases: records(record('a phase', pair('a pair [from, to] such as [4m, 9m]', plain('duration'), plain('duration')), { most: limits.phases, reserved: ['each', 'run'] }), 'Windows of time that are judged'),
  objectives: records(record('an objective', objectiveType, { most: limits.checks }), 'What the system should do'),
  claims: records(record('a claim', claimType, { most: limits.checks }), 'What the file promises of its own run'),
  variants: records(variantsType, 'The same scenario with some values replaced; the first is the reference'),
  rehearsal: group(rehearsalType, 'The film: its pace, and where it stops to ask'),
};

export const scenarioType = object('a scenario', fields);
export type WrittenScenario = Shape<typeof fields>;
