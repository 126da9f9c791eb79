import type { Axis } from './ribbon.js';

/** Where the bands of a frame are: one for each shape of the picture. All in units of its own drawing; the picture is that drawing at any size. */
export interface Frame {
  readonly name: 'landscape' | 'portrait';
  readonly width: number;
  readonly height: number;
  readonly margin: number;
  readonly right: number;
  /** Which way calls run on the stage. */
  readonly calls: Axis;
  /** Width of the ribbon of the link that carries most. */
  readonly widestRibbon: number;
  readonly header: {
    /** A long title is set smaller before it is cut. */
    readonly title: { readonly y: number; readonly room: number; readonly sizes: readonly number[] };
    readonly variant: { readonly y: number; readonly room: number };
    /** Base lines of what stands beside each other: what it is, and its value. */
    readonly label: number;
    readonly value: number;
    readonly phase: { readonly x: number; readonly bar: number };
    readonly objectives: readonly [number, number];
    /** Width of an objective's label. */
    readonly objectiveRoom: number;
    /** Base line of the goal; null = beside the value. */
    readonly goal: number | null;
    readonly speed: { readonly x: number; readonly room: number };
    readonly clock: { readonly y: number; readonly size: number };
    readonly rule: number;
    /** The clock and the speed: what stays lit while a question is held. */
    readonly lit: readonly Box[];
  };
  readonly stage: { readonly top: number; readonly bottom: number; readonly middle: number };
  readonly caption: { readonly top: number; readonly height: number; readonly size: number; readonly lines: number };
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
  readonly panel: { readonly top: number; readonly left: number; readonly now: number; readonly phase: number; readonly legend: number };
}

/** 1920 × 1080, of which every other landscape size is a scaled picture. */
export const landscape: Frame = {
  name: 'landscape',
  width: 1920,
  height: 1080,
  margin: 40,
  right: 1880,
  calls: 'across',
  widestRibbon: 38,
  header: {
    title: { y: 62, room: 648, sizes: [34, 29, 25] },
    variant: { y: 92, room: 580 },
    label: 50,
    value: 84,
    phase: { x: 706, bar: 95 },
    objectives: [850, 1134],
    objectiveRoom: 276,
    goal: null,
    speed: { x: 1426, room: 174 },
    clock: { y: 88, size: 66 },
    rule: 110,
    lit: [{ x: 1400, y: 20, width: 484, height: 86 }],
  },
  stage: { top: 122, bottom: 750, middle: 436 },
  caption: { top: 762, height: 52, size: 27, lines: 1 },
  strip: { left: 158, right: 1452, marks: 828, marksBelow: 848, top: 862, bottom: 960, objective: 970, latencyTop: 990, latencyBottom: 1036, axis: 1060 },
  panel: { top: 846, left: 1500, now: 1698, phase: 1880, legend: 1028 },
};

/** 1080 × 1920 in units of which 16, the smallest type, are 22 px: it is looked at on a phone. */
export const portrait: Frame = {
  name: 'portrait',
  width: 783,
  height: 1392,
  margin: 24,
  right: 759,
  calls: 'down',
  widestRibbon: 28,
  header: {
    title: { y: 48, room: 472, sizes: [34, 29, 25] },
    variant: { y: 76, room: 490 },
    label: 106,
    value: 138,
    phase: { x: 24, bar: 151 },
    objectives: [182, 396],
    objectiveRoom: 206,
    goal: 162,
    speed: { x: 610, room: 149 },
    clock: { y: 74, size: 60 },
    rule: 174,
    lit: [{ x: 500, y: 14, width: 267, height: 72 }, { x: 602, y: 88, width: 165, height: 62 }],
  },
  stage: { top: 186, bottom: 924, middle: 555 },
  caption: { top: 932, height: 104, size: 23, lines: 3 },
  strip: { left: 148, right: 759, marks: 1056, marksBelow: 1076, top: 1090, bottom: 1168, objective: 1176, latencyTop: 1196, latencyBottom: 1232, axis: 1254 },
  panel: { top: 1292, left: 24, now: 0, phase: 759, legend: 1380 },
};

/** The frame for a picture of so many px: higher than wide is portrait. */
export const frameFor = (width: number, height: number): Frame => (height > width ? portrait : landscape);

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A box as calls see it: x along them, y across; and back. */
export const alongCalls = ({ calls }: Pick<Frame, 'calls'>, box: Box): Box => (calls === 'across' ? box : { x: box.y, y: box.x, width: box.height, height: box.width });
