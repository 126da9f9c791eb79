import type { CompareScene } from '../stage/compare/compare-scene.js';
import { filmTimesOf } from '../stage/pace.js';
import { tellingTicks } from '../stage/telling-ticks.js';
import { fitCards } from './film-length.js';

/** Film time of the cards, ms; they have more to read than those of a single run, but not in a short film. */
export const cardsIn = (durationMs: number | undefined): { readonly titleMs: number; readonly closingMs: number } => {
  if (durationMs === undefined) return { titleMs: 5_000, closingMs: 9_000 };
  const { titleMs, verdictMs } = fitCards([], durationMs);
  return { titleMs, closingMs: verdictMs };
};

export interface CommonPace {
  /** Film time in ms; 0 for a tick that a short film passes over. */
  readonly filmMs: number;
  /** Simulated seconds in a second of film. */
  readonly speed: number;
  /** A tick that a short film holds: its numbers are its own. */
  readonly isHeld: boolean;
}

/**
 * One pace for all sides: a tick stays as long as it does on the side that makes most of it, and never shorter than one frame.
 * With `durationMs` the whole film with its cards is that long: quiet and incident keep their proportion, and where there are more ticks than frames,
 * quiet ones are passed over, but never those that tell most of a side.
 */
export const commonPace = (scene: CompareScene, fps: number, durationMs?: number): readonly CommonPace[] => {
  const bySide = scene.sides.map(({ study, variant }) => filmTimesOf(study, variant));
  const weights = Array.from({ length: scene.count }, (_, tick) => Math.max(...bySide.map((times) => times[tick] ?? 0)));
  const frameMs = 1000 / fps;
  const { tickMs } = scene.comparison;
  if (durationMs === undefined) return weights.map((ms) => Math.max(frameMs, ms)).map((filmMs) => ({ filmMs, speed: tickMs / filmMs, isHeld: false }));
  const { titleMs, closingMs } = cardsIn(durationMs);
  const totalMs = durationMs - titleMs - closingMs;
  const held = new Set(tellingOf(scene).slice(0, Math.floor(totalMs / frameMs / 2 / fewestHeld)));
  const times = fitted(weights, held, frameMs, totalMs);
  return times.map((filmMs, tick) => ({ filmMs, speed: speedAt(weights, times, tick, tickMs), isHeld: held.has(tick) }));
};

/** A picture that stands shorter is not seen. */
const fewestHeld = 3;

/** Times in proportion to the weights that add up to `totalMs`; what tells most stands for at least 3 frames. */
const fitted = (weights: readonly number[], held: ReadonlySet<number>, frameMs: number, totalMs: number): readonly number[] => {
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

/** What tells most, of each side in turn. */
const tellingOf = ({ sides }: CompareScene): readonly number[] => {
  const bySide = sides.map(({ study, variant }) => tellingTicks(study, variant));
  const most = Math.max(...bySide.map((ticks) => ticks.length));
  return [...new Set(Array.from({ length: most }, (_, i) => bySide.flatMap((ticks) => ticks[i] ?? [])).flat())];
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
