import { limits } from '../limits.js';
import { flag, oneOf, reference } from './basic.js';
import { group, list, lists, object, record } from './compound.js';
import { defaulted, optional } from './type.js';
import { drawn, setting } from './value.js';

/** A class of outcome (`failed`, `refused`, `declined`) or a reason: `full`, `queue full`. */
const outcome = reference('a class such as `refused`, or a reason such as `full`', /^[a-z][a-z0-9 -]*$/);

export const retriesType = object('a retry policy', {
  max: setting('count', 'Attempts after the first', { fallback: 0, max: limits.retries }),
  when: lists(list(outcome), ['failed', 'refused'], 'Classes (`failed`, `refused`) or reasons (`full`) that are tried again'),
  backoff: setting('duration', 'Pause before the first retry', { fallback: '0s' }),
  factor: setting('factor', 'The pause grows by this each time', { fallback: '2x', min: 1 }),
  cap: setting('duration', 'Longest pause', { fallback: 'unlimited', unlimited: true }),
  jitter: defaulted(oneOf('none', 'full', 'equal'), 'none', 'How much of the pause is random'),
  budget: setting('share', 'Retries as a share of the first tries, at most: over the link, or in the step whose retries they are', { fallback: 'unlimited', unlimited: true }),
  key: defaulted(oneOf('same', 'fresh'), 'same', '`fresh`: the next try is about another row'),
}, 'retries');

const healthType = object('a health check', {
  request: optional(reference('the name of a request'), 'The handler that a probe runs; left out, it only passes the door'),
  path: defaulted(oneOf('shared', 'dedicated'), 'shared', '`shared`: a probe takes a slot and queues like any request; `dedicated`: it takes neither'),
  every: setting('duration', 'Between two probes of an instance', { min: 1 }),
  timeout: setting('duration', 'A probe without a good answer by then is bad', { min: 0.001 }),
  unhealthyAfter: setting('count', 'Bad probes in a row that take an instance out', { min: 1 }),
  healthyAfter: setting('count', 'Good probes in a row that bring it back', { min: 1 }),
}, 'health');

const handshakeType = object('a handshake', {
  time: drawn('duration', 'Waiting, without CPU', { fallback: '0s' }),
  callerCpu: drawn('duration', 'CPU of the caller', { fallback: '0s' }),
  calleeCpu: drawn('duration', 'CPU of the callee, outside its slots', { fallback: '0s' }),
}, 'handshake');

const poolType = object('a connection pool', {
  max: setting('count', 'Connections of each caller instance', { fallback: 'unlimited', unlimited: true, min: 1 }),
  pending: setting('count', 'Requests that may wait for one; more are refused at once', { fallback: 'unlimited', unlimited: true }),
  wait: setting('duration', 'Longest wait for one; then refused', { fallback: 'unlimited', unlimited: true }),
  reuse: setting('count', 'Requests on a connection before it is closed', { fallback: 'unlimited', unlimited: true, min: 1 }),
  handshake: group(handshakeType, 'What opening a connection costs'),
}, 'pool');

const outlierType = object('outlier detection', {
  errors: setting('count', 'Errors in a row that eject an instance', { fallback: 5, min: 1 }),
  every: setting('duration', 'How often ejections are looked through', { fallback: '10s', min: 1 }),
  eject: setting('duration', 'How long the first ejection lasts', { fallback: '30s' }),
  maxEjected: setting('share', 'Of the fleet, out at once at most', { fallback: '10%', max: 1 }),
}, 'outlier');

const breakerType = object('a circuit breaker', {
  errors: setting('share', 'Share of bad calls that opens it', { fallback: '50%', max: 1 }),
  window: setting('duration', 'Over which the share is taken', { fallback: '10s', min: 1 }),
  minimum: setting('count', 'Calls in the window before it can open', { fallback: 20, min: 1 }),
  open: setting('duration', 'How long it refuses everything', { fallback: '30s' }),
  probes: setting('count', 'Calls let through to see whether it can close', { fallback: 1, min: 1 }),
}, 'breaker');

/** How one caller calls one callee; kept by each caller instance. */
export const linkType = object('a link', {
  latency: drawn('duration', 'Each way', { fallback: '0s', fallbackRange: ['0s', '1ms'] }),
  policy: defaulted(oneOf('round-robin', 'random', 'two-choices', 'least-outstanding', 'hash'), 'round-robin', 'Which instance gets the next call'),
  health: optional(healthType, 'Active probes'),
  failOpen: setting(['count', 'share'], 'Fewer than this many (or this share) available: send to all', { fallback: 0 }),
  outlier: optional(outlierType, 'Ejection after errors, as Envoy does it'),
  slowStart: setting('duration', "A new instance's weight grows from 10 % over this time", { fallback: '0s' }),
  pool: optional(poolType, 'Connections'),
  timeout: setting('duration', 'One attempt, from the moment it is sent', { fallback: 'unlimited', unlimited: true }),
  deadline: setting('duration', 'The whole call, with pool wait and retries', { fallback: 'unlimited', unlimited: true }),
  retries: group(retriesType, 'Trying again'),
  breaker: optional(breakerType, 'A circuit breaker'),
  cancel: defaulted(flag, false, "Stop the callee's work when the caller gave up"),
}, 'link');

/** Links by callee; one that only the handlers name has the defaults. */
export const linksType = record('a link', linkType, { mayBeEntered: true });
