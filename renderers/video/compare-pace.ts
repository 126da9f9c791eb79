import type { CompareScene } from '../stage/compare/compare-scene.js';
import { filmTimesOf } from '../stage/pace.js';
import { tellingTicks } from '../stage/telling-ticks.js';
import { fitCards } from './film-length.js';
import { fitPace, naturalPace, type TickPace } from './pacing.js';

/** Film time of the cards, ms; they have more to read than those of a single run, but not in a short film. */
export const cardsIn = (durationMs: number | undefined): { readonly titleMs: number; readonly closingMs: number } => {
  if (durationMs === undefined) return { titleMs: 5_000, closingMs: 9_000 };
  const { titleMs, verdictMs } = fitCards([], durationMs);
  return { titleMs, closingMs: verdictMs };
};

/**
 * One pace for all sides: a tick stays as long as it does on the side that makes most of it, and never shorter than one frame.
 * In a film of so many `frames` for its ticks as `fitPace` has it, with what tells most of each side.
 */
export const commonPace = (scene: CompareScene, fps: number, frames?: number): readonly TickPace[] => {
  const bySide = scene.sides.map(({ study, variant }) => filmTimesOf(study, variant));
  const wanted = Array.from({ length: scene.count }, (_, tick) => Math.max(...bySide.map((times) => times[tick] ?? 0)));
  const { tickMs } = scene.comparison;
  return frames === undefined ? naturalPace(wanted, tickMs, fps) : fitPace({ wanted, telling: tellingOf(scene), tickMs }, fps, frames);
};

/** What tells most, of each side in turn. */
const tellingOf = ({ sides }: CompareScene): readonly number[] => {
  const bySide = sides.map(({ study, variant }) => tellingTicks(study, variant));
  const most = Math.max(...bySide.map((ticks) => ticks.length));
  return [...new Set(Array.from({ length: most }, (_, i) => bySide.flatMap((ticks) => ticks[i] ?? [])).flat())];
};
