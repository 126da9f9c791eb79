import { childOf, headOf, locate } from '../document/tree.js';
import { exactlyOne } from '../grammar/compound.js';
import type { WrittenScenario } from '../grammar/scenario.js';
import { trafficSources } from '../grammar/traffic.js';
import type { Reading } from '../grammar/type.js';
import type { Traffic, Value } from '../model.js';
import { linksOf } from './links.js';
import { present, sameText } from './present.js';

type Written = WrittenScenario['traffic'] extends ReadonlyMap<string, infer T> ? T : never;

export const trafficOf = (name: string, written: Written, durationMs: number, services: ReadonlySet<string>, reading: Reading): Traffic => {
  const at = ['traffic', name];
  const node = locate(reading.root, at);
  exactlyOne(node, ['send', 'steps'], at, reading, 'what is sent');
  const kind = exactlyOne(node, trafficSources, at, reading, 'a kind of arrival');
  const toNode = childOf(node, 'to');
  if (written.send && written.to.size !== 1 && (!toNode || toNode.kind === 'map')) {
    const to = toNode ?? node;
    reading.problems.add(headOf(to), `expected one service in \`${[...at, 'to'].join('.')}\` to send to, found ${written.to.size === 0 ? 'none' : [...written.to.keys()].join(', ')}`, 'a user who calls several services is a journey: `steps` in place of `send`');
  }
  const source = kind && written[kind];
  return {
    name,
    title: written.title ?? sameText(name),
    links: linksOf(at, written.to, written.steps ? [written.steps] : [], services, reading),
    ...(written.send && { send: [...written.send].map(([request, weight]) => ({ request, weight })) }),
    ...present({ steps: written.steps, keys: written.keys, from: written.from }),
    source: source ?? nothingArrives(at.join('.')),
    limit: written.limit,
    startMs: written.start ?? 0,
    stopMs: written.stop ?? durationMs,
  };
};

/** Stands in for a missing kind of arrival, which has been reported. */
const nothingArrives = (path: string): Traffic['source'] => {
  const value: Value = { path, value: Number.NaN, unit: '/s', basis: 'default', setting: false };
  return { kind: 'open', rate: { kind: 'constant', value }, arrivals: 'even' };
};
