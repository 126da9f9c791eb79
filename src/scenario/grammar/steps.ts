import { type Node, type Path, dotted, headOf } from '../document/tree.js';
import { limits } from '../limits.js';
import type { Step, Target, Verb } from '../model.js';
import { suggest } from '../nearest.js';
import { oneOf, reference } from './basic.js';
import { lazy, list, mapped, object } from './compound.js';
import { retriesType } from './link.js';
import { type Fields, type Reading, type Shape, type Type, defaulted, optional, required } from './type.js';
import { drawn, setting, world } from './value.js';

/** `service.request`, or `service` for the same request there. */
const target: Type<Target> = mapped(reference('a service and its request, such as `orders-db.insert`', /^[a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)?$/), (said) => {
  const [service = '', request] = said.split('.');
  return { service, ...(request !== undefined && { request }) };
});

export const stepsType: Type<readonly Step[]> = lazy('a list of steps', () => listOfSteps);

const common = {
  times: setting('count', 'How often the step runs, one after another', { fallback: 1, max: limits.times }),
  chance: world('share', 'How likely the step runs at all', { fallback: '100%', max: 1 }),
  orElse: optional(stepsType, 'Runs when the step did not end well; its end is then theirs'),
};

type Part = Step extends infer S ? (S extends Step ? Omit<S, 'path' | 'times' | 'chance' | 'orElse'> : never) : never;
interface VerbType {
  readonly keys: readonly string[];
  readonly type: Type<Step>;
}

const verb = <F extends Fields>(name: Verb, fields: F, make: (read: Shape<F>) => Part): VerbType => {
  const type = object(`a step \`${name}\``, { ...fields, ...common }, `step-${name}`) as unknown as Type<Shape<F> & Shape<typeof common>>;
  return {
    keys: Object.keys(fields),
    type: {
      ...type,
      read: (node, at, reading) => assemble(type.read(node, at, reading), at, make),
      blank: (at, parent, reading) => assemble(type.blank(at, parent, reading), at, make),
    },
  };
};
const assemble = <F extends Fields>(read: Shape<F> & Shape<typeof common>, at: Path, make: (read: Shape<F>) => Part): Step =>
  ({ path: dotted(at), times: read.times, chance: read.chance, ...(read.orElse && { orElse: read.orElse }), ...make(read) });

const scope = (fallback: 'instance' | 'service', doc: string) => defaulted(oneOf('service', 'instance'), fallback, doc);
const reason = required(reference('a reason in small letters, such as `full`', /^[a-z][a-z0-9 -]*$/), 'The reason, in a word or two');
const optionType = object('an option', { weight: world('weight', 'Only proportions matter'), steps: required(stepsType, 'What it does') }, 'option');

const verbs: Readonly<Record<Verb, VerbType>> = {
  cpu: verb('cpu', { cpu: drawn('duration', 'Computing, one core alone', { cv: 1 }) }, ({ cpu }) => ({ verb: 'cpu', demand: cpu })),
  wait: verb('wait', { wait: drawn('duration', 'Time without CPU', { cv: 1 }) }, ({ wait }) => ({ verb: 'wait', time: wait })),
  call: verb('call', { call: required(target, 'Ask and wait'), retries: optional(retriesType, 'Trying again, for this call') }, ({ call, retries }) => ({ verb: 'call', target: call, ...(retries && { retries }) })),
  publish: verb('publish', { publish: required(target, 'Leave a message in a queue and go on') }, ({ publish }) => ({ verb: 'publish', target: publish })),
  push: verb('push', {
    push: required(reference('the name of a traffic with sockets'), 'Send to its open sockets, one after another'),
    count: world('count', 'Sockets', { fallback: 1 }),
    cpu: drawn('duration', 'CPU for each', { fallback: '0s' }),
    scope: scope('service', '`instance` reaches only sockets held here'),
  }, ({ push, ...rest }) => ({ verb: 'push', traffic: push, count: rest.count, cpu: rest.cpu, scope: rest.scope })),
  parallel: verb('parallel', { parallel: required(list(stepsType, { least: 1, most: 100 }), 'All at once; goes on when the last has ended') }, ({ parallel }) => ({ verb: 'parallel', branches: parallel })),
  choose: verb('choose', { choose: required(list(optionType, { least: 1, most: 100 }), 'One of them') }, ({ choose }) => ({ verb: 'choose', options: choose })),
  transaction: verb('transaction', {
    transaction: required(reference('the name of a service'), 'Hold one connection to it throughout'),
    steps: required(stepsType, 'What happens inside'),
  }, ({ transaction, steps }) => ({ verb: 'transaction', service: transaction, steps })),
  lock: verb('lock', {
    lock: required(reference('the name of a lock'), "The lock of this name and this request's key"),
    wait: setting('duration', 'Longest wait for it', { unlimited: true }),
    retries: optional(retriesType, 'Trying again'),
    scope: scope('service', '`instance` is a lock that other instances do not see'),
  }, ({ lock, wait, retries, ...rest }) => ({ verb: 'lock', name: lock, wait, scope: rest.scope, ...(retries && { retries }) })),
  take: verb('take', { take: required(reference('the name of a stock'), "One unit of the key's stock, or declined") }, ({ take }) => ({ verb: 'take', name: take })),
  put: verb('put', { put: required(reference('the name of a stock'), 'Add units'), count: setting('count', 'Units', { fallback: 1 }) }, ({ put, count }) => ({ verb: 'put', name: put, count })),
  cache: verb('cache', {
    cache: world('share', 'Hit ratio once it is full', { max: 1 }),
    fill: world('duration', 'From empty to that ratio after a start', { fallback: '0s' }),
    miss: required(stepsType, 'What a miss does'),
  }, ({ cache, fill, miss }) => ({ verb: 'cache', hit: cache, fill, miss })),
  decline: verb('decline', { decline: reason }, ({ decline }) => ({ verb: 'decline', reason: decline })),
  refuse: verb('refuse', { refuse: reason }, ({ refuse }) => ({ verb: 'refuse', reason: refuse })),
  fail: verb('fail', { fail: reason }, ({ fail }) => ({ verb: 'fail', reason: fail })),
};
const verbNames = Object.keys(verbs) as Verb[];

/** `wait` and `cpu` are verbs of their own, but inside `lock` and `push` they are a detail. */
const verbOf = (node: Node, at: Path, reading: Reading): VerbType | undefined => {
  if (node.kind !== 'map') return undefined;
  const there = verbNames.filter((name) => node.entries.has(name));
  const leading = there.find((name) => there.every((other) => verbs[name].keys.includes(other)));
  if (leading) return verbs[leading];
  if (there.length > 1) {
    reading.problems.add(headOf(node.entries.get(there[1])!), `expected one verb in the step \`${dotted(at)}\`, found ${there.map((name) => `\`${name}\``).join(' and ')}`, 'give each its own step: a line of its own that begins with a hyphen');
    return undefined;
  }
  const keys = [...node.entries.keys()];
  const unknown = keys.find((key) => !(key in common)) ?? keys[0] ?? '';
  const at1 = node.entries.get(unknown);
  reading.problems.add(at1 ? headOf(at1) : node.at, `expected a verb in the step \`${dotted(at)}\`, found ${keys.length > 0 ? keys.map((key) => `\`${key}\``).join(', ') : 'none'}`, suggest(unknown, verbNames, 'verbs'));
  return undefined;
};

const stepType: Type<Step | undefined> = {
  expected: 'a step such as `cpu: 4ms` or `call: orders-db.insert`',
  read(node, at, reading) {
    if (node.kind !== 'map') {
      const [, word, rest] = (node.kind === 'scalar' && /^([a-z]+)[: ]+(\S.*)$/.exec(node.text)) || [];
      reading.unexpected(node, at, this.expected, verbNames.some((name) => name === word) ? `write a colon and a space after the verb: \`${word}: ${rest}\`` : undefined);
      return undefined;
    }
    return verbOf(node, at, reading)?.type.read(node, at, reading);
  },
  blank: () => undefined,
  inside(segment) {
    for (const { type } of [...Object.values(verbs)].sort((a, b) => Number(b.keys[0] === segment) - Number(a.keys[0] === segment))) {
      const inside = type.inside?.(segment);
      if (inside) return inside;
    }
    return undefined;
  },
  names: [...new Set(Object.values(verbs).flatMap(({ keys }) => [...keys, ...Object.keys(common)]))],
  schema: (definitions) => ({ anyOf: verbNames.map((name) => verbs[name].type.schema(definitions)) }),
};

const listOfSteps: Type<readonly Step[]> = (() => {
  const plain = list(stepType, { most: 200 });
  const whole = mapped(plain, (steps) => steps.filter((step) => step !== undefined));
  return {
    ...whole,
    expected: 'a list of steps',
    schema: (definitions) => {
      if (!definitions.has('steps')) {
        definitions.set('steps', {});
        definitions.set('steps', { description: 'Steps, one after another; each has one verb.', ...plain.schema(definitions) });
      }
      return { $ref: '#/$defs/steps' };
    },
  };
})();
