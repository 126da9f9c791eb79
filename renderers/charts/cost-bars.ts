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

/** All cost is estimated, so every part is hatched. Stripes tell neighbours apart; from the fifth name on they repeat, so that what a part is its name says, not its stripes. */
const paints: readonly Paint[] = [{ period: 3.4, stripe: 1.1 }, { period: 6, stripe: 0.8 }, { period: 2.4, stripe: 1.1 }, { period: 4.6, stripe: 2.2 }].map(({ period, stripe }) => ({
  fill: { color: print.text2, ground: print.bg, period, stripe }, stroke: print.text, strokeWidth: 0.8,
}));

/** One bar a phase, cut by service. A name begins above its part where that is wide enough; the others are named under the bar, in its order, as far as one line goes. */
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
  const narrow: string[] = [];
  for (const { name, amount } of parts) {
    if (amount === null || amount === 0) continue;
    const [left, right] = [x(from), x(from + amount)];
    canvas.rect(left, top + 10, right - left, 12, paintOf(name, names));
    const own = textWidth(name, 6.5, 600);
    const at = Math.max(free, left + 1);
    if (at < right && at + own <= Math.min(right + 20, width)) free = canvas.text(at, top + 7.5, name, { size: 6.5, weight: 600 }) + 6;
    else narrow.push(name);
    from += amount;
  }
  canvas.text(x(from) + 4, top + 18.8, text, { size: 7.5, weight: 700 });
  const missing = parts.filter(({ amount }) => amount === null).map(({ name }) => name);
  const end = nameNarrow(canvas, narrow, top + 29, labels, missing.length > 0 ? (labels + width) / 2 : width, names);
  if (missing.length > 0) canvas.text(end, top + 29, shorten(unknown(missing), width - end, 6.5), { size: 6.5, fill: print.text2 });
};

const paintOf = (name: string, names: readonly string[]): Paint => paints[names.indexOf(name) % paints.length];

/** Names with their stripes, one after the other; an ellipsis stands for those beyond `to`. Returns where the next word may begin. */
const nameNarrow = (canvas: Canvas, narrow: readonly string[], baseline: number, from: number, to: number, names: readonly string[]): number => {
  const [swatch, gap] = [6, 8];
  let at = from;
  for (const [index, name] of narrow.entries()) {
    const isLast = index === narrow.length - 1;
    if (at + swatch + 2 + textWidth(name, 6.5, 600) + (isLast ? 0 : gap + textWidth('…', 6.5)) > to) return canvas.text(at, baseline, '…', { size: 6.5 }) + gap;
    canvas.rect(at + 0.4, baseline - 5.2, swatch - 0.8, swatch - 0.8, paintOf(name, names));
    at = canvas.text(at + swatch + 2, baseline, name, { size: 6.5, weight: 600 }) + gap;
  }
  return at;
};
