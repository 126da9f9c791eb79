import type { Input } from '../../src/study/types.js';

/** Parts of `templates/report/<lang>/measure.hbs`: how a kind of parameter is measured. */
export type MeasureKind = 'cpu' | 'wait' | 'leak' | 'per-request' | 'per-connection' | 'memory' | 'boot' | 'recovery' | 'warm-up' | 'load' | 'users' | 'latency' | 'price' | 'share' | 'setting' | 'other';

/**
 * What kind of parameter an input is, by the key that it stands under. A named value stands under the key that uses it in the scenario's text:
 * `cpu: $order-cpu` makes `values.order-cpu` a CPU time.
 */
export const measureKind = ({ path, unit, setting }: Input, scenarioText: string): MeasureKind => {
  const keys = path.startsWith('values.') ? keysOfUse(path.slice('values.'.length), scenarioText) : path.split('.');
  for (const key of [...keys].reverse()) {
    const kind = byKey[key];
    if (kind) return kind;
  }
  return setting ? 'setting' : (byUnit[unit] ?? 'other');
};

const byKey: Readonly<Record<string, MeasureKind>> = {
  cpu: 'cpu', callerCpu: 'cpu', calleeCpu: 'cpu',
  wait: 'wait', time: 'wait',
  leakPerRequest: 'leak', leakPerSecond: 'leak', leak: 'leak',
  memory: 'memory', perRequest: 'per-request', perConnection: 'per-connection', base: 'memory', hog: 'memory',
  boot: 'boot', recovery: 'recovery', warmUp: 'warm-up', fill: 'warm-up',
  rate: 'load', open: 'load', bursts: 'load', sizes: 'load', connect: 'load', closed: 'users', users: 'users', think: 'users', hold: 'users',
  latency: 'latency', handshake: 'latency', price: 'price',
  chance: 'share', cache: 'share', weight: 'share', share: 'share', errors: 'share', loss: 'share',
};
const byUnit: Readonly<Partial<Record<Input['unit'], MeasureKind>>> = { ms: 'wait', '/s': 'load', 'money/h': 'price', share: 'share', B: 'memory' };

/** Words of a named value's own name, then the keys that stand before its first use on that line. */
const keysOfUse = (name: string, text: string): string[] => {
  const use = new RegExp(`\\$${name.replace(/[^\w-]/g, '')}(?![\\w-])`);
  const line = text.split('\n').find((candidate) => use.test(candidate)) ?? '';
  const keys = [...line.slice(0, Math.max(0, line.search(use))).matchAll(/([A-Za-z][\w-]*)\s*:/g)].map((match) => match[1]);
  // A name that the text does not use tells by its own words: `order-cpu`.
  return [...name.split('-').reverse(), ...keys];
};
