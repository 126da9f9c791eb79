import type { EventKind, Study } from '../../src/study/types.js';
import { flowOf, sceneOf } from './scene.js';

/** What a film may not pass over, by gravity. */
const gravity: Partial<Record<EventKind, number>> = { oom: 6, crashed: 6, 'rolled-back': 5, 'breaker-open': 5, ejected: 4, fault: 4, deployed: 4, 'fault-end': 3, 'scale-out': 3, 'lock-timeout': 3, ready: 2, back: 2, booted: 2, 'scale-in': 2, saturated: 2 };
/** Each next event of the same kind tells a little less. */
const fading = 0.8;
/** A level counts as a spike from so many times both its neighbours, and so many requests more. */
const spike = { times: 1.5, requests: 5 } as const;

/** Ticks that tell most, those first: of events, the worst of each stretch of refused and failed requests, and spikes of load that last a single tick. */
export const tellingTicks = (study: Study, variant: string): readonly number[] => {
  const { run, tickMs } = sceneOf(study, variant);
  const weights = new Map<number, number>();
  const tell = (tick: number, weight: number): void => void weights.set(tick, Math.max(weight, weights.get(tick) ?? 0));
  const seen = new Map<EventKind, number>();
  for (const { kind, tMs } of run.eventLog) {
    const before = seen.get(kind) ?? 0;
    seen.set(kind, before + 1);
    const weight = (gravity[kind] ?? 0) * fading ** before;
    if (weight > 0) tell(Math.min(run.ticks.count - 1, Math.floor(tMs / tickMs + 1e-9)), weight);
  }
  const flows = Array.from({ length: run.ticks.count }, (_, tick) => flowOf(run, tick, tick));
  const bad = flows.map(({ refused, failed }) => refused + failed);
  worstOfStretches(bad).toSorted((a, b) => bad[b] - bad[a] || a - b).forEach((tick, rank) => tell(tick, 5.5 * fading ** rank));
  const offered = flows.map((flow) => flow.offered);
  offered.forEach((value, tick) => {
    const around = Math.max(offered[tick - 1] ?? 0, offered[tick + 1] ?? 0);
    if (value >= around * spike.times && value >= around + spike.requests) tell(tick, 3.5);
  });
  return [...weights].toSorted(([a, one], [b, other]) => other - one || a - b).map(([tick]) => tick);
};

const worstOfStretches = (levels: readonly number[]): readonly number[] => {
  const worst: number[] = [];
  for (let from = 0, to = 0; from < levels.length; from = to + 1) {
    let most = from;
    for (to = from; to < levels.length && levels[to] > 0; to++) if (levels[to] > levels[most]) most = to;
    if (to > from) worst.push(most);
  }
  return worst;
};
