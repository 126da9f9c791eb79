import { scaleLinear } from 'd3';
import { Canvas, type Drawing, type Paint } from '../look/drawing.js';
import { print } from '../look/palette.js';
import { shorten } from '../look/shorten.js';
import { textWidth } from '../look/text-width.js';

export interface CostPart {
  /** A service or a host. */
  readonly name: string;
  /** Null = unknown price. */
  readonly amount: number | null;
}
export interface CostRow {
  /** A phase, or the whole run. */
  readonly label: string;
  readonly parts: readonly CostPart[];
  /** The sum as it is printed; of an unknown one the word. */
  readonly text: string;
}
export interface CostBars {
  readonly width: number;
  readonly rows: readonly CostRow[];
  /** An amount with its currency. */
  readonly tick: (amount: number) => string;
  /** The word for what nobody knows, with the names: `unknown: db, cache`. */
  readonly unknown: (names: readonly string[]) => string;
}

/** All cost is estimated, so every part is hatched; neighbours differ by how dense their stripes are. */
const paints: readonly Paint[] = [{ period: 3.4, stripe: 1.1 }, { period: 6, stripe: 0.8 }, { period: 2.4, stripe: 1.1 }, { period: 4.6, stripe: 2.2 }].map(({ period, stripe }) => ({
  fill: { color: print.text2, ground: print.bg, period, stripe }, stroke: print.text, strokeWidth: 0.8,
}));

/** One bar a phase, cut by service. Names stand above the first bar in which their part is wide enough; the rest are named at the end of the row. */
export const costBars = ({ width, rows, tick, unknown }: CostBars): Drawing => {
  const labels = Math.min(130, Math.max(60, ...rows.map(({ label }) => textWidth(label, 8, 600) + 10)));
  const rowHeight = 34;
  const bottom = rows.length * rowHeight + 2;
  const canvas = new Canvas(width, bottom + 13, { fill: print.text, size: 7 });
  const totals = rows.map(({ parts }) => parts.reduce((sum, { amount }) => sum + (amount ?? 0), 0));
  const room = Math.max(...rows.map(({ text }) => textWidth(text, 7.5, 700))) + 10;
  const x = scaleLinear([0, Math.max(...totals, 1e-12)], [labels, width - room]);
  for (const value of x.ticks(4)) {
    canvas.line(x(value), 0, x(value), bottom, { stroke: print.line, strokeWidth: 0.5 });
    canvas.text(x(value), bottom + 9, value === 0 ? '0' : tick(value), { size: 6.5, fill: print.text3, anchor: 'middle' });
  }
  const names = [...new Set(rows.flatMap(({ parts }) => parts.map(({ name }) => name)))];
  rows.forEach((row, index) => drawRow(canvas, row, index * rowHeight, { x, labels, width, names, unknown }));
  return canvas.drawing();
};

const drawRow = (canvas: Canvas, { label, parts, text }: CostRow, top: number, { x, labels, width, names, unknown }: { x: (amount: number) => number; labels: number; width: number; names: readonly string[]; unknown: CostBars['unknown'] }): void => {
  canvas.text(0, top + 19.5, shorten(label, labels - 8, 8, 600), { size: 8, weight: 600 });
  let from = 0;
  let free = labels;
  for (const { name, amount } of parts) {
    if (amount === null || amount === 0) continue;
    const [left, right] = [x(from), x(from + amount)];
    canvas.rect(left, top + 10, right - left, 12, paints[names.indexOf(name) % paints.length]);
    const own = textWidth(name, 6.5, 600);
    const at = Math.max(free, left + 1);
    if (at + own <= Math.max(right + 20, left + own) && at + own <= width) free = canvas.text(at, top + 7.5, name, { size: 6.5, weight: 600 }) + 6;
    from += amount;
  }
  canvas.text(x(from) + 4, top + 18.8, text, { size: 7.5, weight: 700 });
  const missing = parts.filter(({ amount }) => amount === null).map(({ name }) => name);
  if (missing.length === 0) return;
  const said = unknown(missing);
  canvas.text(labels, top + 29, shorten(said, width - labels, 6.5), { size: 6.5, fill: print.text2 });
};
