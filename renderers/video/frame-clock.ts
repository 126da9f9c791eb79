/** Turns film time into whole frames. Rounds the end of each shot, not its length, so that the film's total is exact. */
export class FrameClock {
  #frame = 0;

  constructor(readonly fps: number) {}

  /** Frames from the last end to this one, ms from the film's start. */
  advanceTo(filmMs: number): number {
    // A hair is added so that 2.5 frames are 3 on every path that leads there.
    const end = Math.floor((filmMs * this.fps) / 1000 + 0.5 + 1e-6);
    const frames = Math.max(0, end - this.#frame);
    this.#frame = Math.max(this.#frame, end);
    return frames;
  }
}
