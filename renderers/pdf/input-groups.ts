import type { Input } from '../../src/study/types.js';
import type { InputGroup } from '../../src/text/report.js';
import { measureKind, type MeasureKind } from './how-to-measure.js';

/** What inputs are about, the largest group first; of equals, the one that the file names first. */
export const inputGroups = (inputs: readonly Input[], scenarioText: string): InputGroup[] => {
  const counts = new Map<InputGroup, number>();
  for (const input of inputs) {
    const group = groupOf(input, scenarioText);
    counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a).map(([group]) => group);
};

/** By the block that it stands in, else by the innermost key that tells; a named value by the key that uses it. */
const groupOf = (input: Input, scenarioText: string): InputGroup => {
  const keys = input.path.split('.');
  if (keys[0] === 'machines' || keys.includes('price')) return 'machines';
  const key = keys.slice(1).find((candidate) => candidate in byBlock) ?? keys.slice(1).findLast((candidate) => candidate in byKey);
  if (key) return byBlock[key] ?? byKey[key];
  if (keys[0] === 'traffic') return 'load';
  return byKind[measureKind(input, scenarioText)] ?? 'other';
};

const byBlock: Readonly<Record<string, InputGroup>> = { health: 'health', autoscale: 'autoscaling', memory: 'memory', warmUp: 'starting', recovery: 'starting', handlers: 'work', pool: 'calls', retries: 'calls' };
const byKey: Readonly<Record<string, InputGroup>> = {
  slots: 'capacity', queue: 'capacity', instances: 'capacity', cpus: 'capacity', limit: 'capacity',
  to: 'calls', timeout: 'calls', deadline: 'calls', latency: 'calls', failOpen: 'calls', slowStart: 'calls',
};
const byKind: Readonly<Partial<Record<MeasureKind, InputGroup>>> = {
  cpu: 'work', wait: 'work', leak: 'memory', 'per-request': 'memory', 'per-connection': 'memory', memory: 'memory',
  boot: 'starting', recovery: 'starting', 'warm-up': 'starting', load: 'load', users: 'load', latency: 'calls', price: 'machines',
};
