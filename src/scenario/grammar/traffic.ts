import { type Node, type Path, type ScalarNode, emptyMap } from '../document/tree.js';
import { limits } from '../limits.js';
import type { Profile, Traffic } from '../model.js';
import type { QuantityKind } from '../quantities.js';
import { namePattern, oneOf, plain, reference, text } from './basic.js';
import { either, hasKey, isList, isMap, isScalar, list, mapped, object, pair, record, records } from './compound.js';
import { linkType, linksType } from './link.js';
import { basisKeys } from './statement.js';
import { stepsType } from './steps.js';
import { type Reading, type Type, defaulted, optional, required } from './type.js';
import { defaultValue, drawn, setting, world, worldType } from './value.js';

const requestName = reference('the name of a request');

/** A name that stands for a map with that one key: `alb` for `{alb: {}}`. An override can reach into it. */
const shortOr = <T>(expected: string, type: Type<ReadonlyMap<string, T>>, inner: (name: ScalarNode) => Node, readInner: (node: Node, at: Path, reading: Reading) => T): Type<ReadonlyMap<string, T>> => {
  const isName = (node: Node): node is ScalarNode => node.kind === 'scalar' && typeof node.value === 'string' && namePattern.test(node.value);
  return {
    ...type,
    expected,
    read(node, at, reading) {
      if (isName(node)) return new Map([[node.text, readInner(inner(node), [...at, node.text], reading)]]);
      if (node.kind === 'map') return type.read(node, at, reading);
      reading.unexpected(node, at, expected);
      return new Map();
    },
    unfold: (node) => (isName(node) ? { ...emptyMap(node.at, node.key), entries: new Map([[node.text, inner(node)]]) } : node),
    schema: (definitions) => ({ anyOf: [{ type: 'string', pattern: namePattern.source }, type.schema(definitions)] }),
  };
};

const toType = shortOr('the name of a service, or a map from services to links', linksType, (name) => emptyMap(name.at, name.at), (node, at, reading) => linkType.read(node, at, reading));
const sendType = shortOr(
  'the name of a request, or a map from requests to weights',
  record('a request', worldType('weight')),
  (name) => ({ kind: 'scalar', value: 1, text: '1', quoted: false, at: name.at }),
  // The weight of the only request changes nothing: no guess.
  (node, at, reading) => defaultValue('weight', 1, at, node, reading),
);

const constantProfile = (kind: QuantityKind, max: number): Type<Profile> => mapped(worldType(kind, { max }), (value): Profile => ({ kind: 'constant', value }));
const rampProfile = (kind: QuantityKind, max: number): Type<Profile> =>
  mapped(list(pair('a pair [time, value] such as [4m, 250/s]', plain('duration'), worldType(kind, { max })), { least: 1 }), (points): Profile => ({
    kind: 'ramp',
    points: points.map(([atMs, value]) => ({ atMs, value })),
  }));
const stairsProfile = (kind: QuantityKind, max: number): Type<Profile> =>
  mapped(object('stairs', {
    stairs: required(list(worldType(kind, { max }), { least: 1, most: 100 }), 'The value of each step; makes a phase `<traffic>-<value>` of each'),
    each: setting('duration', 'How long a step lasts', { min: 1 }),
    gap: setting('duration', 'Nothing is offered between two steps', { fallback: '0s' }),
    warmUp: setting('duration', 'At the first step, before it is judged', { fallback: '0s' }),
  }, `stairs-${kind}`), ({ stairs, ...rest }): Profile => ({ kind: 'stairs', steps: stairs, ...rest }));

const profile = (kind: QuantityKind, expected: string, max: number): Type<Profile> =>
  either<Profile>(
    `${expected}, a ramp [[time, value], …], or {stairs: […], each: …}`,
    { when: hasKey('stairs'), type: stairsProfile(kind, max) },
    { when: isList, type: rampProfile(kind, max) },
    { when: () => true, type: constantProfile(kind, max) },
  );

type Source = Traffic['source'];
const source = <K extends Source['kind']>(type: Type<Omit<Extract<Source, { kind: K }>, 'kind'>>, kind: K): Type<Source> => mapped(type, (read) => ({ kind, ...read }) as unknown as Source);

const openType = object('open traffic', {
  rate: required(profile('rate', 'a rate such as 250/s', limits.ratePerS), 'How often somebody comes, whether or not the others have been answered (the world decides)'),
  arrivals: defaulted(oneOf('poisson', 'even'), 'poisson', 'At random, or one after another at equal distance'),
}, 'open');
const closedType = object('closed traffic', {
  users: required(profile('count', 'a number of users such as 40', limits.users), 'Each sends, waits for the end, thinks, and sends again (the world decides)'),
  think: drawn('duration', 'Between an answer and the next request'),
}, 'closed');
const burstsType = object('bursts', {
  sizes: required(list(worldType('count', { min: 1, max: limits.users }), { least: 1 }), 'Requests of each burst, all at one instant'),
  every: world('duration', 'From one burst to the next', { min: 1 }),
  rounds: setting('count', 'How often the sizes are gone through', { fallback: 1, min: 1, max: limits.times }),
}, 'bursts');
const socketsType = mapped(object('sockets', {
  connect: world('rate', 'New sockets', { max: limits.ratePerS }),
  hold: drawn('duration', 'How long a socket stays open'),
  max: setting('count', 'Open at once at most', { fallback: 'unlimited', unlimited: true }),
  opening: optional(requestName, 'Sent when a socket opens'),
  every: drawn('duration', 'Each socket sends this often', { min: 0.001 }),
}, 'sockets'), ({ opening, ...rest }) => ({ ...rest, ...(opening !== undefined && { opening }) }));

type Keys = NonNullable<Traffic['keys']>;
const keyCount = { min: 1, max: limits.keys };
const keysType: Type<Keys> = either<Keys>(
  'a number of keys, {count, hot, share}, or {per: burst, count}',
  // A number, bare or with how it is known.
  { when: (node) => isScalar(node) || basisKeys.some((key) => hasKey(key)(node)), type: mapped(worldType('count', keyCount), (count): Keys => ({ kind: 'uniform', count })) },
  {
    when: hasKey('per'),
    type: mapped(object('keys per burst', { per: required(oneOf('burst'), 'Every burst has fresh ones'), count: world('count', 'Keys of a burst', { fallback: 1, ...keyCount }) }, 'keys-per-burst'), ({ count }): Keys => ({ kind: 'per-burst', count })),
  },
  {
    when: isMap,
    type: mapped(object('hot keys', { count: world('count', 'All keys', keyCount), hot: world('count', 'How many of them are hot', keyCount), share: world('share', 'Of the requests, what the hot ones take', { max: 1 }) }, 'hot-keys'), (read): Keys => ({ kind: 'hot', ...read })),
  },
);

/** Who asks. Which of the alternatives are there is checked with the traffic as a whole. */
export const trafficType = object('a traffic', {
  title: optional(text, 'Its name in pictures and report'),
  to: records(toType, 'Whom it calls: a name, or links'),
  send: optional(sendType, 'What it sends: a request, or requests with weights'),
  steps: optional(stepsType, 'A journey: what a user does'),
  open: optional(source(openType, 'open'), 'Somebody comes this often, whatever happens'),
  closed: optional(source(closedType, 'closed'), 'So many users, each waiting for the answer'),
  bursts: optional(source(burstsType, 'bursts'), 'Many at one instant'),
  sockets: optional(source(socketsType, 'sockets'), 'Long-lived sockets'),
  keys: optional(keysType, 'Which row a request is about; left out, every request its own'),
  limit: setting('count', 'In flight at most; beyond it dropped', { fallback: 'unlimited', unlimited: true, min: 1 }),
  start: optional(plain('duration'), 'When it begins; 0s when left out'),
  stop: optional(plain('duration'), 'When it ends; the end of the run when left out'),
  from: optional(reference('the name of a service'), 'Each running instance of it is such a source; what it asks of that service it asks of itself'),
}, 'traffic');

export const trafficSources = ['open', 'closed', 'bursts', 'sockets'] as const;
