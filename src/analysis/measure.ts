import type { Check, Metric, System } from '../scenario/model.js';
import { numberAt } from '../study/columns.js';
import { splitSubject } from '../study/events.js';
import type { LatencySummary, LoggedEvent, OutcomeColumns, TrafficTotals, SimulatedRun } from '../study/types.js';
import { costOf } from './cost.js';

/** A stretch of the run, ms. */
interface Window {
  readonly fromMs: number;
  readonly toMs: number;
}

/** How a metric is known: the engine counted it, or a formula made it. */
export const basisOf = (metric: Metric): 'counted' | 'estimated' =>
  ['cpu', 'memory', 'ooms', 'launches', 'cost'].includes(metric) ? 'estimated' : 'counted';

/**
 * What a check asks for, in the metric's base unit (shares 0..1, ms, cores, bytes, per second, money); null = no sample, unknown.
 * Of a traffic: its requests that arrived in the phase. Of a service or link: what happened in it then. cpu, slots and queue are means over all
 * instances together, memory is the highest of any one instance.
 */
export const measure = (run: SimulatedRun, system: System, check: Pick<Check, 'of' | 'metric' | 'over'>, phase: string | null): number | null => {
  const { of, metric } = check as { of: string; metric: Metric };
  const window = phase === null ? null : (run.phases[phase] ?? null);
  const traffic = phase === null ? run.traffic[of] : run.phases[phase]?.traffic[of];
  if (traffic) return ofTraffic(traffic, metric, check.over);
  if (run.links[of]) return ofLink(run, system.tickMs, of, metric, window);
  if (run.services[of]) return ofService(run, system, of, metric, window);
  return null;
};

const sum = (counts: Readonly<Record<string, number>>): number => Object.values(counts).reduce((total, count) => total + count, 0);
const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

const ofTraffic = (totals: TrafficTotals, metric: Metric, over: Check['over']): number | null => {
  const bad = sum(totals.refused) + sum(totals.failed);
  switch (metric) {
    case 'good':
      return share(totals.good, totals.good + bad);
    case 'declined':
    case 'refused':
    case 'failed':
      return share(sum(totals[metric]), totals.offered);
    case 'dropped':
      return share(totals.dropped, totals.offered);
    case 'rate':
      return totals.goodPerS;
    default:
      return latency({ good: totals.latencyMs, valid: totals.validLatencyMs, bad: totals.badLatencyMs }[over], metric);
  }
};

const latency = (summary: LatencySummary | null, metric: Metric): number | null => {
  if (summary === null || !(metric in summary)) return null;
  return summary[metric as keyof LatencySummary];
};

const ofLink = (run: SimulatedRun, tickMs: number, name: string, metric: Metric, window: Window | null): number | null => {
  const totals = run.links[name];
  if (metric === 'ejections') return window === null ? totals.ejections : eventsIn(run, window).filter(({ kind, data }) => kind === 'ejected' && data['link'] === name).length;
  if (metric === 'poolWait') return totals.pool?.waitMs?.mean ?? null;
  const ticks = ticksIn(run, tickMs, window);
  const ended = outcomesOf(run.ticks.links[name].callers, ticks);
  const all = ended.good + ended.declined + ended.refused + ended.failed;
  switch (metric) {
    case 'good':
      return share(ended.good, ended.good + ended.refused + ended.failed);
    case 'declined':
    case 'refused':
    case 'failed':
      return share(ended[metric], all);
    case 'rate':
      return (ended.good / (ticks.length * tickMs)) * 1000;
    default:
      return latency(totals.latencyMs, metric);
  }
};

const ofService = (run: SimulatedRun, system: System, name: string, metric: Metric, window: Window | null): number | null => {
  const { instances } = run.ticks.services[name];
  const ticks = ticksIn(run, system.tickMs, window);
  const mean = (pick: (instance: (typeof instances)[number], tick: number) => number): number =>
    ticks.reduce((total, tick) => total + instances.reduce((level, instance) => level + pick(instance, tick), 0), 0) / ticks.length;
  const events = eventsIn(run, window);
  switch (metric) {
    case 'cpu':
      return mean((instance, tick) => numberAt(instance.cpuCores.mean, tick));
    case 'slots':
      return mean((instance, tick) => numberAt(instance.slots.mean, tick));
    case 'queue':
      return mean((instance, tick) => numberAt(instance.queue.mean, tick));
    case 'memory':
      return Math.max(...ticks.flatMap((tick) => instances.map((instance) => numberAt(instance.memoryBytes.max, tick))));
    case 'ooms':
      return events.filter(({ kind, subject }) => kind === 'oom' && splitSubject(subject).service === name).length;
    case 'launches':
      return events.filter(({ kind, subject }) => kind === 'scale-out' && subject === name).reduce((total, { data }) => total + Number(data['to']) - Number(data['from']), 0);
    case 'cost':
      return costOf(run, system).services[name]?.amount ?? null;
    default: {
      const ended = outcomesOf(instances, ticks);
      if (metric === 'rate') return (ended.good / (ticks.length * system.tickMs)) * 1000;
      if (metric === 'good') return share(ended.good, ended.good + ended.refused + ended.failed);
      if (metric === 'declined' || metric === 'refused' || metric === 'failed') return share(ended[metric], ended.good + ended.declined + ended.refused + ended.failed);
      return null;
    }
  }
};

const ticksIn = (run: SimulatedRun, tickMs: number, window: Window | null): number[] =>
  Array.from({ length: run.ticks.count }, (_, tick) => tick).filter((tick) => window === null || (tick * tickMs >= window.fromMs && tick * tickMs < window.toMs));

const eventsIn = (run: SimulatedRun, window: Window | null): readonly LoggedEvent[] =>
  run.eventLog.filter(({ tMs }) => window === null || (tMs >= window.fromMs && tMs < window.toMs));

const outcomesOf = (parts: readonly OutcomeColumns[], ticks: readonly number[]): Record<keyof OutcomeColumns, number> => {
  const total = (what: keyof OutcomeColumns): number => parts.reduce((all, part) => all + ticks.reduce((count, tick) => count + numberAt(part[what], tick), 0), 0);
  return { good: total('good'), declined: total('declined'), refused: total('refused'), failed: total('failed') };
};
