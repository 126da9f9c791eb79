import type { Box } from '../frame.js';
import type { StripPlace } from '../strip-plot.js';

/** Where everything of a comparison stands, in px of 1920 × 1080: two panels with their strips below, or a grid of quadrants. */
export interface Places {
  readonly width: number;
  readonly height: number;
  readonly margin: number;
  readonly right: number;
  readonly sides: readonly SidePlace[];
  /** Where what is different and the signs are explained. */
  readonly difference: Box | null;
  readonly legend: { readonly x: number; readonly y: number; readonly across: boolean };
}
export interface SidePlace {
  readonly panel: Box;
  readonly head: { readonly title: number; readonly line: number; readonly size: number; readonly rate: number };
  /** The system. */
  readonly system: Box;
  readonly caption: Box;
  readonly captionLines: 1 | 2;
  readonly strip: StripPlace & { readonly servingTop: number; readonly servingBottom: number };
  readonly figures: { readonly x: number; readonly right: number; readonly top: number };
}

const frame = { width: 1920, height: 1080, margin: 40, right: 1880 } as const;
const panelWidth = 910;
const columns = [40, 970] as const;

export const placesFor = (sides: number): Places => (sides <= 2 ? pair : grid(sides));

const pairSide = (x: number): SidePlace => ({
  panel: { x, y: 122, width: panelWidth, height: 442 },
  head: { title: 154, line: 178, size: 24, rate: 44 },
  system: { x: x + 16, y: 190, width: panelWidth - 32, height: 366 },
  caption: { x, y: 574, width: panelWidth, height: 64 },
  captionLines: 2,
  strip: { left: x + 122, right: x + 684, marks: 668, marksBelow: 690, top: 706, bottom: 846, objective: 858, latencyTop: 888, latencyBottom: 952, servingTop: 976, servingBottom: 1028, axis: 1058, size: 16 },
  figures: { x: x + 712, right: x + panelWidth, top: 672 },
});

const pair: Places = { ...frame, sides: columns.map(pairSide), difference: { x: columns[1] + 712, y: 918, width: panelWidth - 712, height: 140 }, legend: { x: columns[0] + 712, y: 944, across: false } };

const quadrant = (x: number, y: number): SidePlace => ({
  panel: { x, y, width: panelWidth, height: 454 },
  head: { title: y + 28, line: y + 48, size: 22, rate: 34 },
  system: { x: x + 12, y: y + 58, width: panelWidth - 24, height: 140 },
  caption: { x: x + 12, y: y + 204, width: panelWidth - 24, height: 32 },
  captionLines: 1,
  strip: { left: x + 134, right: x + 684, marks: y + 252, marksBelow: y + 273, top: y + 288, bottom: y + 350, objective: y + 358, latencyTop: y + 378, latencyBottom: y + 402, servingTop: y + 410, servingBottom: y + 424, axis: y + 446, size: 16 },
  figures: { x: x + 704, right: x + panelWidth - 14, top: y + 262 },
});

const rows = [120, 584] as const;

const grid = (sides: number): Places => {
  const corners = rows.flatMap((y) => columns.map((x) => [x, y] as const));
  return {
    ...frame,
    sides: corners.slice(0, sides).map(([x, y]) => quadrant(x, y)),
    difference: sides === 3 ? { x: columns[1], y: rows[1], width: panelWidth, height: 454 } : null,
    legend: { x: columns[0], y: 1066, across: true },
  };
};
