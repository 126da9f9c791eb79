import type { Traffic } from '../model.js';
import type { Asking } from './asking.js';

/** What one traffic says about others, and what its parts say about each other. Its callees are checked with all links. */
export const checkTraffic = (asking: Asking): void => {
  if (asking.system.traffic.length === 0 && !asking.has('traffic')) asking.complainKey('', 'expected `traffic`: who asks the system; found none', 'for example `traffic: {users: {to: api, send: get, open: {rate: 50/s}}}`');
  if (asking.system.services.length === 0) asking.complainKey('', 'expected at least one entry under `services`, found none', 'for example `services: {api: {handlers: {get: [{cpu: 5ms}]}}}`');
  for (const source of asking.system.traffic) checkOne(asking, source);
};

const checkOne = (asking: Asking, { name, source, send, steps, keys, from }: Traffic): void => {
  const path = `traffic.${name}`;
  if (from !== undefined) asking.expectKnown(`${path}.from`, from, asking.services.keys(), 'the name of a service', 'services');
  if (keys?.kind === 'hot' && keys.hot.value > keys.count.value) asking.complain(`${path}.keys.hot`, `expected at most as many hot keys as keys (${keys.count.value}) in \`${path}.keys\`, found ${keys.hot.value}`);
  if (keys?.kind === 'per-burst' && source.kind !== 'bursts') asking.complainKey(`${path}.keys`, `expected \`bursts\` beside \`keys: {per: burst}\` in \`${path}\`, found none`, 'keys that are fresh in each burst need bursts; `keys: 600` is 600 keys, drawn evenly');
  if (source.kind === 'sockets' && steps) asking.complainKey(`${path}.steps`, `expected \`send\` in \`${path}\`, found \`steps\`: a socket sends one request again and again`);
  if (send && send.length > 0 && send.every(({ weight }) => weight.value === 0)) asking.complain(`${path}.send`, `expected a weight above 0 in \`${path}.send\`, found none`);
};
