/** A film before it is filmed: pictures in order and how long each stays. Made from a study alone; what is filmed is this and nothing else. */
export interface Reel {
  readonly width: number;
  readonly height: number;
  /** Film frames per second. */
  readonly fps: number;
  readonly title: string;
  /** Name and version of the program that made the study, for the film's own description. */
  readonly madeBy?: string;
  readonly lang: 'en' | 'ko';
  readonly shots: readonly Shot[];
  /** Film time in ms; they cover the film without gaps. */
  readonly chapters: readonly { readonly fromMs: number; readonly toMs: number; readonly title: string }[];
  readonly captions: readonly { readonly fromMs: number; readonly toMs: number; readonly text: string }[];
  /** Index of the shot that makes the poster. */
  readonly poster: number;
}

/** One picture and the number of consecutive film frames that show it. */
export interface Shot {
  readonly frames: number;
  /** SVG text; the same text each time it is asked for. */
  readonly svg: () => string;
}

/** Exact length of a reel in frames. */
export const frameCount = (reel: Pick<Reel, 'shots'>): number => reel.shots.reduce((sum, shot) => sum + shot.frames, 0);
