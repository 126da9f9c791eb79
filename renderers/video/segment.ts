import type { Camera } from '../browser/camera.js';
import type { FilmMachine } from './film-machine.js';
import { frameCount, type Reel } from './reel.js';

/** A stretch of a film that is encoded by itself: shots from `from` to before `to`. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly frames: number;
}

/** One segment to be filmed: plain data. */
export interface SegmentTask extends Stretch {
  /** For people: `the film`, `part 2 of 5 of the film`. */
  readonly name: string;
  readonly machine: FilmMachine;
  readonly camera: Camera['name'];
  /** Browsers that draw side by side, where the camera is made of screenshots. */
  readonly browsers: number;
  /** Time in ms for one picture before its browser counts as stuck. */
  readonly pictureMs?: number | undefined;
  /** The file, absolute, as all of them. */
  readonly output: string;
  /** Title and chapters, and the captions' track, of a film that is one segment. */
  readonly metadata?: string;
  readonly captions?: string;
  /** Where the poster goes, when its shot is one of these. */
  readonly poster?: string;
}

/** A segment that was filmed. */
export interface Segment {
  /** Pictures drawn; the rest are repetitions. */
  readonly pictures: number;
}

/** About how long a segment is, seconds of film: long enough that a new encoder costs nothing, short enough that one that is lost is soon made again. */
const segmentS = 24;

/**
 * Cuts a reel between shots into segments of about the same length. It goes by the reel alone: every segment begins with a whole picture for the encoder,
 * so that where a film is cut is seen in its bytes.
 */
export const stretchesOf = (reel: Pick<Reel, 'shots' | 'fps'>): Stretch[] => {
  const total = frameCount(reel);
  const count = Math.max(1, Math.round(total / reel.fps / segmentS));
  const stretches: Stretch[] = [];
  let [from, start, at] = [0, 0, 0];
  reel.shots.forEach((shot, index) => {
    at += shot.frames;
    const isLast = index === reel.shots.length - 1;
    // Shots of no frames belong to what they follow.
    const nextHasFrames = !isLast && at < total && reel.shots[index + 1].frames > 0;
    if (!isLast && !(nextHasFrames && at > start && at >= (total * (stretches.length + 1)) / count)) return;
    stretches.push({ from, to: index + 1, frames: at - start });
    [from, start] = [index + 1, at];
  });
  return stretches;
};
