import { limits } from '../limits.js';
import { namePattern, onlyTrue, oneOf, plain, reference } from './basic.js';
import { either, isList, isScalar, mapped, object, pair } from './compound.js';
import type { Fault } from '../model.js';
import { type Type, defaulted, optional, required } from './type.js';
import { drawnType, setting, settingType, world } from './value.js';

const serviceOrInstance: Type<Fault['target']> = mapped(reference('a service or one of its instances, such as `order-api` or `order-api.2`', /^[a-z][a-z0-9-]*(\.[1-9]\d{0,5})?$/), (said) => {
  const [service = '', instance] = said.split('.');
  return { service, ...(instance !== undefined && { instance: Number(instance) }) };
});
const caller = reference('the name of a caller', namePattern);
const linkTarget: Type<Fault['target']> = mapped(pair('a link [caller, callee]', caller, caller), ([from, to]) => ({ caller: from, callee: to }));

const deployType = object('a deployment', {
  how: defaulted(oneOf('rolling', 'blue-green'), 'rolling', 'One after another, or a second fleet that takes over'),
  boot: world('duration', 'From start to serving'),
  batch: setting('count', 'Instances at a time', { fallback: 1, min: 1, max: limits.instances }),
  failing: setting('count', 'New instances that never answer', { fallback: 0, max: limits.instances }),
}, 'deploy');

/** What is done to the system. Exactly one verb; checked with the fault as a whole. */
export const faultType = object('a fault', {
  at: required(plain('duration'), 'When it begins'),
  for: optional(plain('duration', { min: 0.001 }), 'How long it lasts; to the end of the run when left out'),
  target: required(
    either('a service, an instance such as `order-api.2`, or a link [caller, callee]', { when: isScalar, type: serviceOrInstance }, { when: isList, type: linkTarget }),
    'What it happens to',
  ),
  crash: optional(onlyTrue, 'The process dies'),
  slow: optional(settingType('factor', { min: 1, max: 1_000_000 }), 'Own CPU and waiting take this much longer'),
  steal: optional(settingType('share', { max: 1 }), 'Of the CPU, taken away'),
  freeze: optional(onlyTrue, 'Nothing moves'),
  errors: optional(settingType('share', { max: 1 }), 'Of the requests, failing'),
  leak: optional(settingType('bytesPerSecond', { max: limits.bytes }), 'Memory lost each second'),
  hog: optional(settingType('bytes', { max: limits.bytes }), 'Memory taken away'),
  latency: optional(drawnType('duration'), 'On a service: every message that leaves its instances; on a link: each way'),
  loss: optional(settingType('share', { max: 1 }), 'Of the messages, lost and sent again'),
  blackhole: optional(onlyTrue, 'No answer'),
  cut: optional(onlyTrue, 'Refused at once'),
  deploy: optional(deployType, 'A new version is rolled out'),
}, 'fault');

export const faultVerbs = ['crash', 'slow', 'steal', 'freeze', 'errors', 'leak', 'hog', 'latency', 'loss', 'blackhole', 'cut', 'deploy'] as const;
