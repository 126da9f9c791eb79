import type { Check, Metric, System } from '../scenario/model.js';
import { splitSubject } from '../study/events.js';
import type { LatencySummary, SimulatedRun, TrafficTotals } from '../study/types.js';
import { amountIn } from './cost.js';
import { locksNamed } from './locks-named.js';
import { eventsIn, share, Ticks, windowOf, type Outcomes, type Window } from './window.js';

/**
 * What a check asks for, in the metric's base unit (shares 0..1, ms, cores, bytes, per second, money); null = no sample, unknown.
 * Of a traffic: its requests that arrived in the phase. Of a service or link: what happened in it then. cpu, slots and queue are means over all
 * instances together, memory is the highest of any one instance; of a host, of all that is on it. poolWait and lockWait are means over those that waited, 0 when nobody had to.
 */
export const measure = (run: SimulatedRun, system: System, check: Pick<Check, 'of' | 'metric' | 'over'>, phase: string | null): number | null => {
  const { of, metric } = check as { of: string; metric: Metric };
  const window = windowOf(run, phase);
  if (window === null) return null;
  const traffic = phase === null ? run.traffic[of] : run.phases[phase].traffic[of];
  if (traffic) return ofTraffic(traffic, metric, check.over);
  if (run.links[of]) return ofLink(run, system.tickMs, of, metric, window, phase);
  if (run.services[of]) return ofService(run, system, of, metric, window);
  if (run.hosts[of]) return ofHost(run, system, of, metric, window);
  return metric === 'lockWait' ? lockWait(run, of, phase) : null;
};

const sum = (counts: Readonly<Record<string, number>>): number => Object.values(counts).reduce((total, count) => total + count, 0);

const ofTraffic = (totals: TrafficTotals, metric: Metric, over: Check['over']): number | null => {
  const ended = { good: totals.good, declined: sum(totals.declined), refused: sum(totals.refused), failed: sum(totals.failed) };
  switch (metric) {
    case 'good':
    case 'declined':
    case 'refused':
    case 'failed':
      return outcomeShare(metric, ended, totals.offered);
    case 'dropped':
      return share(totals.dropped, totals.offered);
    case 'rate':
      return totals.goodPerS;
    default:
      return latency({ good: totals.latencyMs, valid: totals.validLatencyMs, bad: totals.badLatencyMs }[over], metric);
  }
};

/** Good of valid; everything else of all. */
const outcomeShare = (metric: keyof Outcomes, { good, declined, refused, failed }: Outcomes, all = good + declined + refused + failed): number | null =>
  metric === 'good' ? share(good, good + refused + failed) : share({ declined, refused, failed }[metric], all);

const latency = (summary: LatencySummary | null, metric: Metric): number | null => {
  if (summary === null || !(metric in summary)) return null;
  return summary[metric as keyof LatencySummary];
};

const ofLink = (run: SimulatedRun, tickMs: number, name: string, metric: Metric, window: Window, phase: string | null): number | null => {
  const totals = run.links[name];
  const times = phase === null ? { latencyMs: totals.latencyMs, poolWaitMs: totals.pool?.waitMs ?? null } : run.phases[phase].links[name];
  if (metric === 'ejections') return phase === null ? totals.ejections : eventsIn(run, window).filter(({ kind, data }) => kind === 'ejected' && data['link'] === name).length;
  if (metric === 'poolWait') return times.poolWaitMs?.mean ?? (totals.pool && totals.sent > 0 ? 0 : null);
  return ofOutcomes(run.ticks.links[name].callers, new Ticks(run, tickMs, window), metric) ?? latency(times.latencyMs, metric);
};

const ofOutcomes = (parts: Parameters<Ticks['outcomes']>[0], ticks: Ticks, metric: Metric): number | null => {
  const ended = ticks.outcomes(parts);
  if (metric === 'rate') return ticks.perSecond(ended.good);
  return metric === 'good' || metric === 'declined' || metric === 'refused' || metric === 'failed' ? outcomeShare(metric, ended) : null;
};

const ofService = (run: SimulatedRun, system: System, name: string, metric: Metric, window: Window): number | null => {
  const { instances } = run.ticks.services[name];
  const ticks = new Ticks(run, system.tickMs, window);
  const events = eventsIn(run, window);
  const mean = (pick: (instance: (typeof instances)[number]) => number): number => instances.reduce((total, instance) => total + pick(instance), 0);
  switch (metric) {
    case 'cpu':
      return mean(({ cpuCores }) => ticks.mean(cpuCores.mean));
    case 'slots':
      return mean(({ slots }) => ticks.mean(slots.mean));
    case 'queue':
      return mean(({ queue }) => ticks.mean(queue.mean));
    case 'memory':
      return Math.max(...instances.map(({ memoryBytes }) => ticks.max(memoryBytes.max)));
    case 'ooms':
      return events.filter(({ kind, subject }) => kind === 'oom' && splitSubject(subject).service === name).length;
    case 'launches':
      return events.filter(({ kind, subject }) => kind === 'scale-out' && subject === name).reduce((total, { data }) => total + Number(data['to']) - Number(data['from']), 0);
    case 'cost':
      return costPerHour(run, system, name, window);
    default:
      return ofOutcomes(instances, ticks, metric);
  }
};

/** What was billed in a stretch, as a rate: that is what a condition on cost is written in. */
const costPerHour = (run: SimulatedRun, system: System, name: string, window: Window): number | null => {
  const amount = amountIn(run, system, name, window);
  return amount === null || window.toMs <= window.fromMs ? null : (amount / (window.toMs - window.fromMs)) * 3_600_000;
};

const ofHost = (run: SimulatedRun, system: System, name: string, metric: Metric, window: Window): number | null => {
  const { cpuCores, memoryBytes } = run.ticks.hosts[name];
  const ticks = new Ticks(run, system.tickMs, window);
  if (metric === 'cost') return costPerHour(run, system, name, window);
  if (metric === 'cpu') return ticks.mean(cpuCores.mean);
  return metric === 'memory' ? ticks.max(memoryBytes.max) : null;
};

/** Over all that waited for a lock of this name, whoever holds it. */
const lockWait = (run: SimulatedRun, of: string, phase: string | null): number | null => {
  const names = locksNamed(run, of);
  const waits = names.flatMap((name) => (phase === null ? run.locks[name].waitMs : run.phases[phase].locks[name].waitMs) ?? []);
  const mean = share(waits.reduce((total, { mean: own, count }) => total + own * count, 0), waits.reduce((total, { count }) => total + count, 0));
  return mean ?? (names.some((name) => run.locks[name].taken > 0) ? 0 : null);
};
