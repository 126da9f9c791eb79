import { type Condition, type EventName, type Metric, eventKinds } from '../model.js';
import { suggest } from '../nearest.js';
import { flag, line, oneOf, plain, reference, text } from './basic.js';
import { conditionType, metricNames, metrics } from './condition.js';
import { either, group, isList, isScalar, list, mapped, object, record, records } from './compound.js';
import { type Field, type Type, defaulted, optional, required } from './type.js';

const phaseName = reference('the name of a phase');
const phaseList = either<readonly string[]>('a phase or a list of phases', { when: isList, type: list(phaseName, { least: 1 }) }, { when: isScalar, type: mapped(phaseName, (name) => [name]) });

const inType: Type<readonly string[] | 'each'> = mapped(phaseList, (names) => (names.length === 1 && names[0] === 'each' ? 'each' : names));
const breaksType = either<readonly string[] | boolean>(
  '`true` or a list of phases',
  { when: (node) => node.kind === 'scalar' && typeof node.value === 'boolean', type: flag },
  { when: (node) => node.kind !== 'map', type: phaseList },
);

const vsType = object('a comparison', { in: optional(phaseName, 'The phase to compare with'), variant: optional(reference('the name of a variant'), 'The variant to compare with') }, 'vs');

/** A kind of event and whom it happens to, joined by a space. */
export const eventName: Type<EventName> = {
  expected: 'an event and whom it happens to, such as `oom order-api`',
  read(node, at, reading) {
    const [, word = '', subject = ''] = (node.kind === 'scalar' && typeof node.value === 'string' && /^(\S+) (\S+)$/.exec(node.value)) || [];
    const kind = eventKinds.find((known) => known === word);
    if (kind === undefined) reading.unexpected(node, at, this.expected, suggest(word || (node.kind === 'scalar' ? node.text : ''), eventKinds, 'events'));
    return { kind: kind ?? 'fault', subject: kind === undefined ? '' : subject };
  },
  blank: () => ({ kind: 'fault', subject: '' }),
  schema: () => ({ type: 'string', pattern: `^(${eventKinds.join('|')}) \\S+$` }),
};

const conditions = Object.fromEntries(metricNames.map((metric) => [metric, optional(conditionType(metric), metrics[metric].doc)])) as Record<Metric, Field<Condition | undefined>>;

const checkFields = {
  of: optional(reference('a traffic, service, host, `caller.callee` or lock', /^[a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)?$/), 'What is judged'),
  ...conditions,
  in: optional(inType, 'A phase, a list of phases, or `each` stair; the whole run when left out'),
  over: defaulted(oneOf('good', 'valid', 'bad'), 'good', 'Whose latencies'),
  vs: optional(vsType, 'What a factor such as "<= 2x" compares with'),
  breaks: optional(breaksType, 'Where this rehearsal expects it not to hold'),
};

/** What the system should do. */
export const objectiveType = object('an objective', checkFields, 'objective');
/** What the file promises of its own run. */
export const claimType = object('a claim', {
  ...checkFields,
  variant: optional(reference('the name of a variant'), 'The variant that it is about; the first when left out'),
  says: optional(text, 'The claim in words'),
  from: optional(line, 'Where the number was published'),
  order: optional(list(eventName, { least: 2 }), 'First occurrences in this order'),
}, 'claim');

const pacingType = object('pacing', {
  quiet: defaulted(plain('factor', { min: 0.1, max: 3_600 }), 8, 'Simulated seconds in a second of film, while nothing happens', '8x'),
  incident: defaulted(plain('factor', { min: 0.1, max: 3_600 }), 2, 'The same around an incident', '2x'),
}, 'pacing');

const momentType = either<{ readonly timeMs: number } | EventName>(
  'a time such as 4m30s, or an event such as `oom order-api`',
  { when: (node) => node.kind === 'scalar' && /^[\d$-]/.test(node.text), type: mapped(plain('duration'), (timeMs) => ({ timeMs })) },
  { when: () => true, type: eventName },
);

const stopType = object('a stop', {
  at: required(momentType, 'A time, or the first event of a kind'),
  ask: required(text, 'The question on the card'),
  about: optional(reference('a service, an instance or an event', /^\S.*$/), 'What the question is about: its state is veiled while the card is up'),
  answer: optional(text, 'The answer, shown afterwards'),
  hold: defaulted(plain('duration', { min: 500, max: 120_000 }), 6_000, 'How long the card stays, in seconds of film', '6s'),
}, 'stop');

export const rehearsalType = object('a rehearsal', {
  pacing: group(pacingType, 'How time is compressed in the film'),
  stops: records(record('a stop', stopType), 'Questions on cards'),
}, 'rehearsal');
