import type { EventKind, LoggedEvent } from '../../src/study/types.js';

/** An event that gets a letter in the chart of the first page. */
export interface KeyEvent {
  readonly letter: string;
  readonly event: LoggedEvent;
}

// Kills first, then what takes capacity away, then what the autoscaler does; what ends well needs no letter.
const weights: Readonly<Partial<Record<EventKind, number>>> = { oom: 9, crashed: 9, fault: 8, 'rolled-back': 8, 'breaker-open': 7, ejected: 6, saturated: 5, 'lock-timeout': 5, 'scale-out': 4, deployed: 4, booted: 3, back: 2, 'scale-in': 1 };

// Kinds whose first time at a service is a turn of the run.
const turns: ReadonlySet<EventKind> = new Set(['oom', 'crashed', 'fault', 'rolled-back', 'breaker-open', 'ejected', 'saturated', 'lock-timeout', 'scale-out', 'booted']);

/**
 * The events that tell the run, at most `most`, in order of time and no two of one service and kind closer than `apartMs`.
 * The first of a kind at a service goes before its repetitions; among equals the heavier kind, then the earlier one.
 */
export const keyEvents = (log: readonly LoggedEvent[], apartMs: number, most = 6): KeyEvent[] => {
  const seen = new Set<string>();
  const ranked = log.flatMap((event) => {
    const weight = weights[event.kind];
    if (weight === undefined) return [];
    const key = `${event.kind} ${event.subject.replace(/\.\d+$/, '')}`;
    const isFirst = !seen.has(key);
    seen.add(key);
    return [{ event, key, rank: weight + (isFirst && turns.has(event.kind) ? 10 : 0) }];
  });
  const chosen: { event: LoggedEvent; key: string }[] = [];
  for (const { event, key } of ranked.sort((a, b) => b.rank - a.rank || a.event.tMs - b.event.tMs)) {
    if (chosen.length < most && chosen.every((other) => other.key !== key || Math.abs(other.event.tMs - event.tMs) >= apartMs)) chosen.push({ event, key });
  }
  return chosen.map(({ event }) => event).sort((a, b) => a.tMs - b.tMs).map((event, index) => ({ letter: String.fromCharCode(65 + index), event }));
};
