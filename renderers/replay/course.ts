/** Where playing has come to: the tick that is shown, and how long it has been shown, ms. */
export interface Course {
  readonly tick: number;
  readonly shownMs: number;
}

export interface Advanced extends Course {
  /** A tick that is not shown before its question was answered. */
  readonly heldBefore: number | null;
  /** The last tick has been shown for its time. */
  readonly isOver: boolean;
}

export interface Pace {
  /** How long a tick is shown, ms. */
  readonly msOf: (tick: number) => number;
  readonly ticks: number;
  /** Ticks before which a question is held. */
  readonly stops: ReadonlySet<number>;
}

/** Plays on for some time. No tick is passed over that a question stands before. */
export const advance = ({ tick, shownMs }: Course, elapsedMs: number, { msOf, ticks, stops }: Pace): Advanced => {
  let [at, leftMs] = [tick, shownMs + elapsedMs];
  while (leftMs >= msOf(at)) {
    if (at === ticks - 1) return { tick: at, shownMs: 0, heldBefore: null, isOver: true };
    if (stops.has(at + 1)) return { tick: at, shownMs: 0, heldBefore: at + 1, isOver: false };
    leftMs -= msOf(at);
    at++;
  }
  return { tick: at, shownMs: leftMs, heldBefore: null, isOver: false };
};
