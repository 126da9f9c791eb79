import { limits } from '../limits.js';
import { flag, oneOf, reference, text } from './basic.js';
import { group, list, lists, object, record, records } from './compound.js';
import { linksType } from './link.js';
import { stepsType } from './steps.js';
import { defaulted, optional } from './type.js';
import { setting, settingType, world, worldType } from './value.js';

const serviceName = reference('the name of a service');
const unlimited = { fallback: 'unlimited', unlimited: true } as const;
const instances = { min: 1, max: limits.instances };
const noBytes = { fallback: '0B', max: limits.bytes } as const;

export const machineType = object('a type of machine', {
  cpus: setting('cores', 'Cores', { min: 0.001, max: limits.cores }),
  memory: setting('bytes', 'Memory', { min: 1, max: limits.bytes }),
  price: optional(worldType('money'), 'What an hour costs; left out, cost is unknown'),
}, 'machine');

export const hostType = object('a host', {
  machine: optional(reference('a type of machine', /^[a-z][a-z0-9.-]*$/), 'From `machines` or the built-in catalogue'),
  cpus: optional(settingType('cores', { min: 0.001, max: limits.cores }), "Cores, in place of the machine's"),
  memory: optional(settingType('bytes', { min: 1, max: limits.bytes }), "Memory, in place of the machine's"),
}, 'host');

const queueType = object('a queue', {
  limit: setting('count', 'Requests that may wait for a slot; when it is full, refused at once', unlimited),
  patience: setting('duration', 'Refused after waiting this long', unlimited),
}, 'queue');

const memoryType = object('memory', {
  base: world('bytes', 'Of an idle instance', noBytes),
  limit: optional(settingType('bytes', { unlimited: true, min: 1, max: limits.bytes }), "Above it the instance is OOM-killed; the machine's memory when left out"),
  perRequest: world('bytes', 'For each request in flight', noBytes),
  perConnection: world('bytes', 'For each open inbound connection', noBytes),
  leakPerRequest: world('bytes', 'Kept for ever by each request', noBytes),
  leakPerSecond: world('bytes', 'Lost each second', noBytes),
}, 'memory');

const recoveryType = object('recovery', {
  by: defaulted(oneOf('restart', 'reboot', 'replace', 'none'), 'restart', 'What happens after an OOM kill or a crash'),
  after: world('duration', 'How long it is away', { fallback: '10s', fallbackRange: ['2s', '60s'] }),
  backoff: defaulted(oneOf('none', 'kubernetes'), 'none', 'Whether repeated restarts come later and later'),
}, 'recovery');

const warmUpType = object('a warm-up', {
  for: setting('duration', 'How long a new instance is slow', { fallback: '0s' }),
  factor: world('factor', 'How slow it is at first', { fallback: '1x', min: 1, max: 1_000 }),
}, 'warm-up');

const rateLimitType = object('a rate limit', {
  rate: setting('rate', 'Tokens', { min: 1e-6, max: limits.ratePerS }),
  burst: setting('count', 'Tokens that can be saved up', { fallback: 1, min: 1 }),
  delay: defaulted(flag, false, '`true` holds a request back instead of refusing it'),
  scope: defaulted(oneOf('instance', 'service'), 'instance', '`service`: one counter for all instances'),
}, 'rate-limit');

const autoscaleType = object('an autoscaler', {
  min: setting('count', 'Fewest instances', instances),
  max: setting('count', 'Most instances', instances),
  metric: defaulted(oneOf('cpu', 'slots', 'queue'), 'cpu', 'What it watches'),
  target: setting(['share', 'count'], 'A share for cpu and slots, a length for queue', { min: 0.01 }),
  rule: defaulted(oneOf('hpa', 'ec2'), 'hpa', 'How it decides'),
  every: setting('duration', 'Between two decisions', { fallback: '15s', min: 100 }),
  window: setting('duration', 'Over which the metric is averaged', { fallback: '15s', min: 100 }),
  boot: world('duration', 'From decision to serving'),
  outCooldown: setting('duration', 'No second scale-out within', { fallback: '0s' }),
  inWindow: setting('duration', 'Scale-in only after being too many for this long', { fallback: '300s' }),
  drain: setting('duration', 'How long one that goes may finish its work', { fallback: '30s' }),
  with: lists(list(serviceName), [], 'Sidecars whose CPU counts too'),
}, 'autoscaler');

/** Everything is per instance unless it says otherwise. */
export const serviceType = object('a service', {
  title: optional(text, 'Its name in pictures and report'),
  kind: defaulted(oneOf('service', 'balancer', 'store', 'cache', 'queue', 'worker', 'external'), 'service', 'The picture and the words only; it never changes a number'),
  machine: optional(reference('a type of machine', /^[a-z][a-z0-9.-]*$/), 'Each instance on a machine of its own'),
  host: optional(reference('the name of a host'), 'All instances on that host'),
  beside: optional(serviceName, 'One in every pod of that service'),
  instances: optional(settingType('count', instances), 'Instances at the start; 1 when left out'),
  cpus: optional(settingType('cores', { unlimited: true, min: 0.001, max: limits.cores }), "Cores that it may use at most; the machine's when left out"),
  cpuRequest: optional(settingType('cores', { unlimited: true, min: 0.001, max: limits.cores }), 'Weight under contention, and what the autoscaler divides by; `cpus` when left out'),
  throttle: defaulted(oneOf('smooth', 'cfs'), 'smooth', '`cfs`: the cap acts in periods of 100 ms'),
  slots: setting('count', 'Requests in service at once', { ...unlimited, min: 1 }),
  slotsHeld: defaulted(oneOf('request', 'cpu'), 'request', '`request`: held for the whole request (threads); `cpu`: only while it computes (an event loop)'),
  queue: group(queueType, 'First come, first served, for a slot'),
  memory: group(memoryType, 'What fills it'),
  recovery: group(recoveryType, 'After an OOM kill or a crash'),
  warmUp: group(warmUpType, 'Slow at first'),
  rateLimit: optional(rateLimitType, 'A token bucket before the queue'),
  stock: records(record('a stock', worldType('count')), 'Units that each key starts with'),
  autoscale: optional(autoscaleType, 'An autoscaler, of the service'),
  consumes: optional(serviceName, 'A worker: takes the messages of that queue'),
  handlers: records(record('a request', stepsType, { mayBeAdded: false }), 'What each request does; `any` catches the rest'),
  to: records(linksType, 'How it calls others, where that differs from the defaults'),
}, 'service');
