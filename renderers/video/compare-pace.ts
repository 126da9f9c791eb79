import type { CompareScene } from '../stage/compare/compare-scene.js';
import { filmTimesOf } from '../stage/pace.js';

/** Film time of cards, ms. */
export const compareCards = { titleMs: 5_000, closingMs: 9_000 } as const;
/** Shortest film that a comparison can be asked for, ms: its cards, and a second between them. */
export const shortestCompareMs = compareCards.titleMs + compareCards.closingMs + 1_000;

export interface CommonPace {
  /** Film time in ms; 0 for a tick that a short film passes over. */
  readonly filmMs: number;
  /** Simulated seconds in a second of film. */
  readonly speed: number;
}

/**
 * One pace for all sides: a tick stays as long as it does on the side that makes most of it, and never shorter than one frame.
 * With `durationMs` the whole film with its cards is that long: quiet and incident keep their proportion, and where there are more ticks than frames,
 * quiet ones are passed over, but never one in which a side is killed, ejected or hit.
 */
export const commonPace = (scene: CompareScene, fps: number, durationMs?: number): readonly CommonPace[] => {
  const bySide = scene.sides.map(({ study, variant }) => filmTimesOf(study, variant));
  const weights = Array.from({ length: scene.count }, (_, tick) => Math.max(...bySide.map((times) => times[tick] ?? 0)));
  const frameMs = 1000 / fps;
  const { tickMs } = scene.comparison;
  if (durationMs === undefined) return weights.map((ms) => Math.max(frameMs, ms)).map((filmMs) => ({ filmMs, speed: tickMs / filmMs }));
  const times = fitted(weights, tellingOf(scene), frameMs, durationMs - compareCards.titleMs - compareCards.closingMs);
  return times.map((filmMs, tick) => ({ filmMs, speed: speedAt(weights, times, tick, tickMs) }));
};

/** A picture that stands shorter is not seen. */
const fewestHeld = 3;

/** Times in proportion to the weights that add up to `totalMs`; what tells most stands for at least 3 frames. */
const fitted = (weights: readonly number[], telling: ReadonlySet<number>, frameMs: number, totalMs: number): readonly number[] => {
  const held = new Set([...telling].slice(0, Math.floor(totalMs / frameMs / 2 / fewestHeld)));
  const least = weights.length * frameMs + held.size * (fewestHeld - 1) * frameMs <= totalMs ? frameMs : 0;
  const at = (scale: number): readonly number[] => weights.map((weight, tick) => Math.max(held.has(tick) ? fewestHeld * frameMs : least, weight * scale));
  const sum = (scale: number): number => at(scale).reduce((all, one) => all + one, 0);
  let [low, high] = [0, 1];
  while (sum(high) < totalMs) high *= 2;
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (sum(middle) < totalMs) low = middle;
    else high = middle;
  }
  return at(high);
};

const graveKinds: readonly string[] = ['oom', 'crashed', 'ejected', 'breaker-open', 'fault', 'rolled-back'];

/** Ticks in which something grave happens on some side, the first of each kind before the others. */
const tellingOf = ({ scenes, comparison: { tickMs } }: CompareScene): ReadonlySet<number> => {
  const events = scenes.flatMap(({ run }) => graveKinds.flatMap((kind) => run.eventLog.filter((event) => event.kind === kind).map(({ tMs }, order) => ({ tick: Math.min(run.ticks.count - 1, Math.floor(tMs / tickMs + 1e-9)), order }))));
  return new Set(events.toSorted((a, b) => a.order - b.order || a.tick - b.tick).map(({ tick }) => tick));
};

/** Over the stretch of one weight around a tick: what really passes in a second of film. */
const speedAt = (weights: readonly number[], times: readonly number[], tick: number, tickMs: number): number => {
  let [from, to] = [tick, tick];
  while (from > 0 && weights[from - 1] === weights[tick]) from--;
  while (to + 1 < weights.length && weights[to + 1] === weights[tick]) to++;
  let filmMs = 0;
  for (let at = from; at <= to; at++) filmMs += times[at];
  return ((to - from + 1) * tickMs) / Math.max(filmMs, 1e-3);
};
