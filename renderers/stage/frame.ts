/** Places of the parts of a frame at 1920 × 1080, all in px. */
export const frame = {
  width: 1920,
  height: 1080,
  margin: 40,
  right: 1880,
  stage: { top: 122, bottom: 750, middle: 436 },
  caption: { top: 762, height: 52 },
  strip: { left: 158, right: 1452, marks: 828, marksBelow: 848, top: 862, bottom: 960, objective: 970, latencyTop: 990, latencyBottom: 1036, axis: 1060 },
  panel: { left: 1500, now: 1698, phase: 1880 },
} as const;

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
