import type { Study } from '../../src/study/types.js';
import { filmTimesOf } from '../stage/pace.js';

export { incidentTicks } from '../stage/pace.js';

/** How long each tick stays, and how fast that is. */
export interface TickPace {
  /** Film time in ms; never shorter than one frame, so that no tick is lost. */
  readonly filmMs: number;
  /** Simulated seconds in a second of film, as it really is. */
  readonly speed: number;
}

/** The pace of every tick of a variant's film. */
export const paceOf = (study: Study, variant: string, fps: number): readonly TickPace[] =>
  filmTimesOf(study, variant).map((wantedMs) => {
    const filmMs = Math.max(1000 / fps, wantedMs);
    return { filmMs, speed: study.scenario.tickMs / filmMs };
  });
