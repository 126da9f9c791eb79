import type { Canvas } from '../look/drawing.js';
import type { Palette } from '../look/palette.js';
import { edgePen, growingPath, levelPen, slabPen, tenths, type Axis, type GrowingPath } from './growing-path.js';
import { flowOf, type Flow, type Scene } from './scene.js';

/** Where the stack of outcomes stands, and how many requests in one tick reach its top. */
export interface AreaPlace {
  readonly top: number;
  readonly bottom: number;
  readonly mostInTick: number;
}

/** How the requests of a run's past ended, stacked, and what was offered as a line. */
export interface Areas {
  readonly draw: (canvas: Canvas, tick: number, palette: Palette) => void;
}

/** Narrowest run of failures that keeps its colour beside an outline, px. */
const outlinedFrom = 4;

/** Steps, not smoothed: what is drawn is what was counted. */
export const areasOf = (scene: Scene, ticks: Omit<Axis, 'extremes'>, place: AreaPlace): Areas => {
  const rows = Array.from({ length: ticks.count }, (_, tick) => flowOf(scene.run, tick, tick));
  const axis: Axis = { ...ticks, extremes: (from, to) => extremesOf(rows, from, to) };
  const y = (requests: number): string => tenths(place.bottom - ((place.bottom - place.top) * Math.min(requests, place.mostInTick)) / place.mostInTick);
  const levels = rows.map(({ good, declined, refused, failed }) => ({ good: y(good), valid: y(good + declined), refused: y(good + declined + refused), all: y(good + declined + refused + failed) }));
  const slab = (has: keyof Flow, bottom: keyof (typeof levels)[number], top: keyof (typeof levels)[number]) => (tick: number) => (rows[tick][has] > 0 ? ([levels[tick][top], levels[tick][bottom]] as const) : null);
  const declined = slab('declined', 'good', 'valid');
  const refused = slab('refused', 'valid', 'refused');
  const failed = slab('failed', 'refused', 'all');
  const good = growingPath(axis, levelPen((tick) => levels[tick].good));
  const offered = growingPath(axis, levelPen((tick) => y(rows[tick].offered)));
  const [declinedFill, refusedFill, failedFill] = [declined, refused, failed].map((between) => growingPath(axis, slabPen(between)));
  const declinedEdge = outlineOf(axis, declined, 0);
  const failedEdge = outlineOf(axis, failed, outlinedFrom);
  return {
    draw: (canvas, tick, palette) => {
      const stack = good(tick);
      if (stack) canvas.path(`${stack}V${tenths(place.bottom)}H${tenths(ticks.left)}Z`, { fill: palette.goodArea });
      // A valid no is neither good nor bad: an empty frame, as in the legend.
      canvas.path(declinedFill(tick), { fill: palette.s2 });
      canvas.path(declinedEdge(tick), { stroke: palette.good, strokeWidth: 1.2 });
      canvas.path(refusedFill(tick), { fill: palette.refusedArea });
      canvas.path(failedFill(tick), { fill: palette.failed });
      canvas.path(failedEdge(tick), { stroke: palette.bg, strokeWidth: 1 });
      canvas.path(offered(tick), { stroke: palette.offered, strokeWidth: 1.8 });
    },
  };
};

const outlineOf = (axis: Axis, between: (tick: number) => readonly [top: string, bottom: string] | null, leastPx: number): GrowingPath => {
  const upper = growingPath(axis, edgePen(between, true, leastPx));
  const lower = growingPath(axis, edgePen((tick) => between(tick)?.toReversed() as [string, string] | undefined ?? null, false, leastPx));
  return (tick) => upper(tick) + lower(tick);
};

/** Of the ticks that share a pixel: where most came or ended, where most went wrong, and where least ended. */
const extremesOf = (rows: readonly Flow[], from: number, to: number): readonly number[] => {
  const ended = ({ good, declined, refused, failed }: Flow): number => good + declined + refused + failed;
  const most = (of: (row: Flow) => number): number => {
    let best = from;
    for (let tick = from + 1; tick <= to; tick++) if (of(rows[tick]) > of(rows[best])) best = tick;
    return best;
  };
  const picked = [most((row) => Math.max(row.offered, ended(row))), most(({ refused, failed }) => refused + failed), most((row) => -ended(row))];
  return [...new Set(picked)].toSorted((a, b) => a - b);
};
