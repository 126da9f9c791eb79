/** Where the bands of a frame are: one for each shape of the picture. All in px of its own size. */
export interface Frame {
  readonly name: 'landscape';
  readonly width: number;
  readonly height: number;
  readonly margin: number;
  readonly right: number;
  readonly stage: { readonly top: number; readonly bottom: number; readonly middle: number };
  readonly caption: { readonly top: number; readonly height: number };
  readonly strip: {
    readonly left: number;
    readonly right: number;
    readonly marks: number;
    readonly marksBelow: number;
    readonly top: number;
    readonly bottom: number;
    readonly objective: number;
    readonly latencyTop: number;
    readonly latencyBottom: number;
    readonly axis: number;
  };
  readonly panel: { readonly left: number; readonly now: number; readonly phase: number };
}

/** 1920 × 1080, of which every other landscape size is a scaled picture. */
export const landscape: Frame = {
  name: 'landscape',
  width: 1920,
  height: 1080,
  margin: 40,
  right: 1880,
  stage: { top: 122, bottom: 750, middle: 436 },
  caption: { top: 762, height: 52 },
  strip: { left: 158, right: 1452, marks: 828, marksBelow: 848, top: 862, bottom: 960, objective: 970, latencyTop: 990, latencyBottom: 1036, axis: 1060 },
  panel: { left: 1500, now: 1698, phase: 1880 },
};

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
