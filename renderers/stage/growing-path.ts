/**
 * Paths that grow with the run: what was drawn up to a tick stays the same text in every later frame.
 * Made once for a scene and a place; a frame takes as much of it as is past and adds its end.
 */

/** What is drawn of some ticks: a stretch of the x axis, in px, that stands for one of them. */
export interface Step {
  readonly fromPx: number;
  readonly toPx: number;
  readonly tick: number;
}

/** Draws step by step: `step` says what is added and what is to be remembered, `finish` how the path ends if it ends at `endPx`. */
export interface Pen<State> {
  readonly start: State;
  readonly step: (state: State, step: Step) => { readonly state: State; readonly text: string };
  readonly finish: (state: State, endPx: number) => string;
}

/** Text of a path up to and including a tick. */
export type GrowingPath = (tick: number) => string;

export interface Axis {
  readonly left: number;
  /** Where the run ends, be it within its last tick. */
  readonly right: number;
  readonly pxPerTick: number;
  readonly count: number;
  /** The ticks of a column that stand for it, in order of time, when it is narrower than they are: its extremes. */
  readonly extremes: (from: number, to: number) => readonly number[];
}

/** Where the data of a tick begin, px: whole ones, so that neighbours meet without a seam, and never right of the tick itself. */
export const startPx = ({ left, right, pxPerTick }: Axis, tick: number): number => Math.floor(Math.min(right, left + tick * pxPerTick) + 1e-6);

export const growingPath = <State>(axis: Axis, pen: Pen<State>): GrowingPath => {
  // By tick: the text up to its end, what is remembered there, and where that is. A column is drawn once it is whole.
  const ends: { readonly length: number; readonly state: State; readonly px: number }[] = [];
  let text = '';
  let state = pen.start;
  for (let tick = 0, from = 0; tick < axis.count; tick++) {
    const [fromPx, endPx] = [startPx(axis, from), startPx(axis, tick + 1)];
    if (endPx > fromPx) {
      for (const step of stepsOf(axis, from, tick, fromPx, endPx)) {
        const next = pen.step(state, step);
        text += next.text;
        state = next.state;
      }
      from = tick + 1;
    }
    ends.push({ length: text.length, state, px: endPx });
  }
  return (tick) => {
    const end = ends[tick];
    return text.slice(0, end.length) + pen.finish(end.state, end.px);
  };
};

/** A tick that has a pixel or more is one step; of several in one pixel, a few that stand for it share it. */
const stepsOf = (axis: Axis, from: number, to: number, fromPx: number, toPx: number): readonly Step[] => {
  const ticks = to - from < mostInColumn ? Array.from({ length: to - from + 1 }, (_, k) => from + k) : axis.extremes(from, to);
  const width = (toPx - fromPx) / ticks.length;
  return ticks.map((tick, k) => ({ fromPx: fromPx + k * width, toPx: fromPx + (k + 1) * width, tick }));
};
const mostInColumn = 2;

/** Steps along one level; equal neighbours are one. */
export const levelPen = (level: (tick: number) => string): Pen<string | null> => ({
  start: null,
  step: (last, { fromPx, tick }) => {
    const y = level(tick);
    if (y === last) return { state: y, text: '' };
    return { state: y, text: last === null ? `M${tenths(fromPx)} ${y}` : `H${tenths(fromPx)}V${y}` };
  },
  finish: (last, endPx) => (last === null ? '' : `H${tenths(endPx)}`),
});

interface Slab {
  readonly from: number;
  readonly top: string;
  readonly bottom: string;
}

/** Boxes between two levels wherever `between` has any; equal neighbours are one. `leastPx`: no box is narrower. */
export const slabPen = (between: (tick: number) => readonly [top: string, bottom: string] | null, leastPx = 0): Pen<Slab | null> => {
  const box = (slab: Slab | null, endPx: number): string => (slab === null || endPx <= slab.from ? '' : `M${tenths(slab.from)} ${slab.top}H${tenths(Math.max(endPx, slab.from + leastPx))}V${slab.bottom}H${tenths(slab.from)}Z`);
  return {
    start: null,
    step: (last, { fromPx, tick }) => {
      const levels = between(tick);
      if (last !== null && levels !== null && last.top === levels[0] && last.bottom === levels[1]) return { state: last, text: '' };
      return { state: levels && { from: fromPx, top: levels[0], bottom: levels[1] }, text: box(last, fromPx) };
    },
    finish: box,
  };
};

interface Outline {
  readonly from: number;
  /** Not yet drawn, because too narrow so far. */
  readonly held: string | null;
  readonly y: string;
  readonly back: string;
}

/** The edge of stretches that are at least `leastPx` wide: along `edge`, and at their ends across to `back` where that is given. */
export const edgePen = (edge: (tick: number) => readonly [y: string, back: string] | null, across: boolean, leastPx: number): Pen<Outline | null> => {
  const closed = (last: Outline | null, endPx: number): string => {
    if (last === null || endPx - last.from < leastPx) return '';
    return `${last.held ?? ''}H${tenths(endPx)}${across ? `V${last.back}` : ''}`;
  };
  return {
    start: null,
    step: (last, { fromPx, tick }) => {
      const levels = edge(tick);
      if (levels === null) return { state: null, text: closed(last, fromPx) };
      const [y, back] = levels;
      if (last === null) {
        const begun = across ? `M${tenths(fromPx)} ${back}V${y}` : `M${tenths(fromPx)} ${y}`;
        return { state: { from: fromPx, held: leastPx > 0 ? begun : null, y, back }, text: leastPx > 0 ? '' : begun };
      }
      const added = y === last.y ? '' : `H${tenths(fromPx)}V${y}`;
      if (last.held === null) return { state: { ...last, y, back }, text: added };
      const isWide = fromPx - last.from >= leastPx;
      return { state: { ...last, held: isWide ? null : last.held + added, y, back }, text: isWide ? last.held + added : '' };
    },
    finish: closed,
  };
};

/** A place as it is written: one decimal. */
export const tenths = (value: number): string => String(Math.round(value * 10) / 10);
