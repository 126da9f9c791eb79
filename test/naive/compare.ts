import { Simulation } from '../../src/engine/simulation.js';
import { parseScenario, type System } from '../../src/scenario/index.js';
import { World } from './world.js';

/** Two ends of one request may be so far apart, ns: rounding of computing times. */
const sameNs = 1_000;
const hows = ['good', 'declined', 'refused', 'failed'] as const;

interface Ended {
  readonly source: number;
  readonly sentNs: number;
  readonly endNs: number;
  readonly end: string;
}

/** Every request that ended in the engine, by the key of its draws. */
export const byEngine = (system: System): { readonly ended: ReadonlyMap<string, Ended>; readonly offered: number } => {
  const simulation = new Simulation(system, system.seed);
  const { queue, plan, flow, sources } = simulation;
  const ended = new Map<string, Ended>();
  const { listener } = flow;
  const tell = listener.requestEnded.bind(listener);
  listener.requestEnded = (call, outcome, reason) => {
    const end = outcome === 0 ? 'good' : `${hows[outcome]} ${plan.reasons.texts[reason]}`;
    ended.set(`${call.key0} ${call.key1}`, { source: sources.trafficOf(call), sentNs: call.sentNs, endNs: queue.now, end });
    tell(call, outcome, reason);
  };
  Array.from(simulation.run());
  return { ended, offered: simulation.sources.requests };
};

/** The first request of which the two say different things; null: they agree on all. */
export const disagreement = (system: System): string | null => {
  const engine = byEngine(system);
  const world = new World(system);
  const requests = world.run();
  for (const { source, ordinal, number, key, sentNs, end } of requests) {
    const found = engine.ended.get(`${key.a} ${key.b}`);
    const name = `request ${number} of ${source}.${ordinal}, sent at ${sentNs} ns`;
    const said = end && { end: end.how === 'good' ? 'good' : `${end.how} ${end.why}`, endNs: end.atNs };
    if (!found && !said) continue;
    const isSame = found && said && found.end === said.end && Math.abs(found.endNs - said.endNs) <= sameNs && Math.abs(found.sentNs - sentNs) <= sameNs;
    if (!isSame) return `${name}: the engine says ${found ? `${found.end} at ${found.endNs} ns, sent at ${found.sentNs} ns` : 'nothing'}, the twin ${said ? `${said.end} at ${said.endNs} ns` : 'nothing'}`;
  }
  return requests.length === engine.offered ? null : `the engine had ${engine.offered} requests, the twin ${requests.length}`;
};

export const parsed = (file: unknown): System => parseScenario(JSON.stringify(file), { file: 'test.yaml' }).variants[0];
