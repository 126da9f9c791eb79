import { growingPath, tenths, type Axis, type GrowingPath, type Pen } from './growing-path.js';

/** A value that is there in some ticks, as a line through their middles; equal neighbours are one stretch. `y` says where it stands, null where there is none. */
export const linePath = (place: Omit<Axis, 'extremes'>, y: (tick: number) => number | null): GrowingPath => {
  const axis: Axis = { ...place, extremes: (from, to) => extremesOf(y, from, to) };
  const { left, pxPerTick } = place;
  const pen: Pen<{ readonly y: string; readonly toX: string; readonly isDrawnTo: boolean } | null> = {
    start: null,
    step: (last, { tick }) => {
      const [at, x] = [y(tick), tenths(left + (tick + 0.5) * pxPerTick)];
      const rest = last === null || last.isDrawnTo ? '' : `H${last.toX}`;
      if (at === null) return { state: null, text: rest };
      const level = tenths(at);
      if (last === null) return { state: { y: level, toX: x, isDrawnTo: true }, text: `M${x} ${level}` };
      if (last.y === level) return { state: { y: level, toX: x, isDrawnTo: false }, text: '' };
      return { state: { y: level, toX: x, isDrawnTo: true }, text: `${rest}L${x} ${level}` };
    },
    finish: (last) => (last === null || last.isDrawnTo ? '' : `H${last.toX}`),
  };
  return growingPath(axis, pen);
};

/** Of the ticks that share a pixel the highest and the lowest; one without a value parts the line. */
const extremesOf = (y: (tick: number) => number | null, from: number, to: number): readonly number[] => {
  let [high, low, gap] = [from, from, -1];
  for (let tick = from; tick <= to; tick++) {
    const at = y(tick);
    if (at === null) gap = tick;
    else {
      if (at > (y(low) ?? -Infinity)) low = tick;
      if (at < (y(high) ?? Infinity)) high = tick;
    }
  }
  return [...new Set([high, low, ...(gap >= 0 ? [gap] : [])])].toSorted((a, b) => a - b);
};
