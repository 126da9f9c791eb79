import type { Host } from '../../src/host.js';
import { frameCount, type Reel } from './reel.js';
import type { Stretch } from './segment.js';

/** Film frames handed to the encoders, of all segments; never falls. */
export interface FilmProgress {
  readonly done: number;
  readonly total: number;
  /** Null until the first picture shows how long one takes. */
  readonly etaMs: number | null;
}

/**
 * Makes of shares of segments the frames that are done, and the time that is left: that goes by pictures, since one that stays costs next to nothing.
 * @param onStart called once, when the first camera is open
 */
export const progressOf = (reel: Reel, stretches: readonly Stretch[], { host, onProgress }: { readonly host: Pick<Host, 'now'>; readonly onProgress: (progress: FilmProgress) => void }, onStart: () => void): ((shares: readonly number[]) => void) => {
  const total = frameCount(reel);
  const shotsBy = stretches.map(({ from, to }) => shotCounter(reel.shots.slice(from, to)));
  let startMs: number | null = null;
  return (shares) => {
    if (startMs === null) {
      startMs = host.now();
      onStart();
      onProgress({ done: 0, total, etaMs: null });
    }
    const frames = stretches.map((stretch, nth) => Math.round((shares[nth] ?? 0) * stretch.frames));
    const done = frames.reduce((sum, one) => sum + one, 0);
    const shots = frames.reduce((sum, one, nth) => sum + shotsBy[nth](one), 0);
    if (shots > 0) onProgress({ done, total, etaMs: Math.max(0, Math.round(((host.now() - startMs) / shots) * (reel.shots.length - shots))) });
  };
};

/** How many shots are over after so many frames, which only grow. */
const shotCounter = (shots: Reel['shots']): ((frames: number) => number) => {
  let [shot, end] = [0, 0];
  return (frames) => {
    while (shot < shots.length && end + shots[shot].frames <= frames) end += shots[shot++].frames;
    return shot;
  };
};

/** A film that begins again says nothing new until it is as far as it was. */
export const rising = (say: (progress: FilmProgress) => void): { readonly say: (progress: FilmProgress) => void; readonly highest: () => number } => {
  let highest = -1;
  return {
    say: (progress) => {
      if (progress.done <= highest) return;
      highest = progress.done;
      say(progress);
    },
    highest: () => highest,
  };
};
