import type { Objective, System } from '../scenario/model.js';
import { at, numberAt } from '../study/columns.js';
import { splitSubject } from '../study/events.js';
import { trailingMs } from '../study/judging.js';
import type { FirstToBreak, LoggedEvent, OutcomeColumns, SimulatedRun } from '../study/types.js';
import { holds } from './condition.js';
import { reachable } from './graph.js';
import { measure } from './measure.js';
import { phasesOf } from './judgeable.js';
import { share } from './window.js';

/**
 * The objective that broke first, and the resource behind it: among those saturated at that time on the source's call graph (instances, hosts, locks), the one whose saturation began
 * first. What began later is as a rule its consequence: slots fill up behind a CPU at its ceiling, memory behind full slots. Where requests end badly, the reasons say where to look:
 * at the place that most of them name and behind it. Null: nothing broke.
 */
export const firstToBreak = (run: SimulatedRun, system: System): FirstToBreak | null => {
  const breaks = system.objectives.flatMap((objective) => brokenPhases(run, system, objective).flatMap((phase) => breakOf(run, system, objective, phase) ?? []));
  const first = breaks.toSorted((a, b) => a.tick - b.tick)[0];
  if (!first) return null;
  const tMs = Math.min((first.tick + 1) * system.tickMs, run.durationMs);
  const cause = resourceBehind(run, system, first);
  return {
    objective: first.objective.name,
    phase: first.phase,
    tMs,
    resource: cause ? { ...splitSubject(cause.subject), what: cause.cause as 'cpu', sinceMs: Number(cause.data['sinceMs']) } : null,
    evidence: cause ? { level: Number(cause.data['level']), limit: Number(cause.data['limit']) } : {},
  };
};

/** A phase that is kept as a whole is not broken by what the one before it left over. */
const brokenPhases = (run: SimulatedRun, system: System, objective: Objective): readonly (string | null)[] =>
  phasesOf(objective, run).filter((phase) => holds(objective.condition!, measure(run, system, objective, phase)) !== true);

interface Break {
  readonly objective: Objective;
  readonly phase: string | null;
  readonly tick: number;
}

/** First tick of the phase whose trailing window violates the objective; when the violation had begun before the phase, the tick in which it began. */
const breakOf = (run: SimulatedRun, system: System, objective: Objective, phase: string | null): Break | null => {
  const violated = violationOf(run, system, objective);
  if (violated === null) return null;
  const { fromMs, toMs } = phase === null ? { fromMs: 0, toMs: run.durationMs } : run.phases[phase];
  let tick = Math.ceil(fromMs / system.tickMs);
  while (tick * system.tickMs < toMs && !violated(tick)) tick++;
  if (tick * system.tickMs >= toMs) return null;
  while (tick > 0 && violated(tick - 1)) tick--;
  return { objective, phase, tick };
};

/** Whether an objective is violated over the window that ends with a tick; null for metrics that have no such window. */
const violationOf = (run: SimulatedRun, system: System, { of, metric, condition, over, vs }: Objective): ((tick: number) => boolean) | null => {
  const traffic = run.ticks.traffic[of!];
  if (!traffic || !condition || vs) return null;
  if (metric === 'good' || metric === 'refused' || metric === 'failed') {
    const ticks = Math.max(1, Math.ceil(trailingMs / system.tickMs));
    return (tick) => holds(condition, trailingShare(traffic, metric, Math.max(0, tick - ticks + 1), tick)) === false;
  }
  if ((metric === 'p50' || metric === 'p95' || metric === 'p99') && over === 'good') return (tick) => holds(condition, at(traffic.trailing[metric], tick)) === false;
  return null;
};

/** Good of the valid that ended in these ticks, refused or failed of all that did. */
const trailingShare = (traffic: OutcomeColumns, metric: 'good' | 'refused' | 'failed', from: number, to: number): number | null => {
  const ended = { good: 0, declined: 0, refused: 0, failed: 0 };
  for (let tick = from; tick <= to; tick++) for (const outcome of ['good', 'declined', 'refused', 'failed'] as const) ended[outcome] += numberAt(traffic[outcome], tick);
  const valid = ended.good + ended.refused + ended.failed;
  return share(ended[metric], metric === 'good' ? valid : valid + ended.declined);
};

/** A cause comes before its consequences where they began in the same tick. */
const causality = ['cpu', 'memory', 'lock', 'pool', 'slots'];

const resourceBehind = (run: SimulatedRun, system: System, { objective, phase, tick }: Break): LoggedEvent | null => {
  const parts = resourcesOf(run, system, objective.of!);
  const tMs = (tick + 1) * system.tickMs;
  const active = run.eventLog.filter(
    (event) => event.kind === 'saturated' && parts.has(splitSubject(event.subject).service) && Number(event.data['sinceMs']) <= tMs && lasts(run, event, tick, system.tickMs),
  );
  const ends = (phase === null ? run.traffic : run.phases[phase].traffic)[objective.of!];
  const named = worstReason({ ...ends.refused, ...ends.failed });
  const there = named === null ? [] : active.filter((event) => isBehind(run, system, event, named));
  const earliest = (there.length > 0 ? there : active).toSorted((a, b) => Number(a.data['sinceMs']) - Number(b.data['sinceMs']) || causality.indexOf(a.cause) - causality.indexOf(b.cause));
  return earliest[0] ?? killBefore(run, parts, tMs);
};

/** A process that goes from idle to killed in a tick or two is never seen saturated: the kill itself says that its memory was full. As an event of saturation, or null. */
const killBefore = (run: SimulatedRun, parts: ReadonlySet<string>, tMs: number): LoggedEvent | null => {
  const kill = run.eventLog.find((event) => event.kind === 'oom' && parts.has(splitSubject(event.subject).service) && event.tMs <= tMs && event.tMs >= tMs - trailingMs);
  if (!kill) return null;
  const { service } = splitSubject(kill.subject);
  const limit = run.system.services.find(({ name }) => name === service)?.memoryLimitBytes ?? 0;
  return { ...kill, kind: 'saturated', cause: 'memory', data: { sinceMs: kill.tMs, level: limit, limit } };
};

/** What most bad ends say, as place and reason: `sidecar: pool full`. */
const worstReason = (ends: Readonly<Record<string, number>>): { readonly place: string; readonly reason: string } | null => {
  const [worst] = Object.entries(ends).toSorted(([, a], [, b]) => b - a);
  const [place = '', reason = ''] = worst?.[0].split(': ') ?? [];
  return worst ? { place, reason } : null;
};

/** Whether a saturation can be why requests end at a place: a caller's pool, where they end for want of a connection, else something there or behind it. */
const isBehind = (run: SimulatedRun, system: System, { subject, cause }: LoggedEvent, { place, reason }: { readonly place: string; readonly reason: string }): boolean => {
  const { service } = splitSubject(subject);
  if (cause === 'pool' && reason.startsWith('pool') && system.services.some(({ name, links }) => name === service && links.some(({ callee }) => callee === place))) return true;
  return system.services.some(({ name }) => name === place) && resourcesOf(run, system, place).has(service);
};

/** What can be behind it: services on the call graph, the hosts that they stand on, and the locks that they hold. */
const resourcesOf = (run: SimulatedRun, system: System, of: string): ReadonlySet<string> => {
  const services = reachable(system, of);
  const hosts = system.services.flatMap(({ name, place }) => (services.has(name) && place.on === 'host' ? [place.host] : []));
  const locks = run.system.services.flatMap(({ name, locks: own }) => (services.has(name) ? own.map((lock) => `${name}.${lock}`) : []));
  return new Set([...services, ...hosts, ...locks]);
};

/** Whether the part has been saturated from the event up to the tick, or becomes so within it. */
const lasts = (run: SimulatedRun, { subject, tMs }: LoggedEvent, tick: number, tickMs: number): boolean => {
  const { service, instance } = splitSubject(subject);
  const { saturated } = instance === null ? (run.ticks.hosts[service] ?? run.ticks.locks[service]) : run.ticks.services[service].instances[instance - 1];
  for (let i = Math.round(tMs / tickMs) - 1; i <= tick; i++) if (numberAt(saturated, i) === 0) return false;
  return true;
};
