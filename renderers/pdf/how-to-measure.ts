import type { Input } from '../../src/study/types.js';

/** Parts of `templates/report/<lang>/measure.hbs`: how a kind of parameter is measured. */
export type MeasureKind = 'cpu' | 'wait' | 'leak' | 'per-request' | 'per-connection' | 'memory' | 'boot' | 'recovery' | 'warm-up' | 'load' | 'users' | 'latency' | 'price' | 'share' | 'fault' | 'setting' | 'other';

/**
 * What kind of parameter an input is, by the key that it stands under. A named value stands under the key that uses it in the scenario's text:
 * `cpu: $order-cpu` makes `values.order-cpu` a CPU time.
 */
export const measureKind = ({ path, unit, setting }: Input, scenarioText: string): MeasureKind => {
  const name = path.startsWith('values.') ? path.slice('values.'.length) : null;
  if (path.startsWith('faults.') || (name !== null && blockOfUse(name, scenarioText) === 'faults')) return 'fault';
  const keys = name === null ? path.split('.') : keysOfUse(name, scenarioText);
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
  const use = useOf(name);
  const line = text.split('\n').find((candidate) => use.test(candidate)) ?? '';
  const keys = [...line.slice(0, Math.max(0, line.search(use))).matchAll(/([A-Za-z][\w-]*)\s*:/g)].map((match) => match[1]);
  // A name that the text does not use tells by its own words: `order-cpu`.
  return [...name.split('-').reverse(), ...keys];
};

/** The block of the scenario in which a named value is first used. */
const blockOfUse = (name: string, text: string): string | undefined => {
  const lines = text.split('\n');
  const block = lines.slice(0, lines.findIndex((line) => useOf(name).test(line)) + 1).findLast((line) => /^[A-Za-z]/.test(line));
  return block?.split(':')[0].trim();
};

const useOf = (name: string): RegExp => new RegExp(`\\$${name.replace(/[^\w-]/g, '')}(?![\\w-])`);
