import { Canvas, coordinate, type Drawing } from '../look/drawing.js';
import { count, latency, percent } from '../look/numbers.js';
import { print } from '../look/palette.js';
import { shorten } from '../look/shorten.js';
import { textWidth } from '../look/text-width.js';
import type { Lang, LatencyBuckets, PictureObjective, TrafficTotals } from '../../src/study/types.js';
import { chartWords } from '../../src/text/report-charts.js';
import { reportWords } from '../../src/text/report.js';
import { placed } from './event-marks.js';
import { goalLabels } from './goal-labels.js';
import { logScale, logTicks } from './log-axis.js';

export interface LatencyPanel {
  /** A phase, or the whole run. */
  readonly name: string;
  readonly totals: TrafficTotals;
  /** Bounds on a percentile that hold here. */
  readonly goals: readonly PictureObjective[];
}
export interface LatencyDistribution {
  readonly panels: readonly LatencyPanel[];
  readonly width: number;
  readonly lang: Lang;
}

/** Latencies below this are none: a refusal without network delay. */
const leastMs = 0.001;
const gap = 14;
const gutter = 26;
const goalRow = 9;
const headHeight = 13;
const plotHeight = 70;
/** Under what hangs down, for its name. */
const nameRow = 9;

/**
 * How latencies are distributed: good ones upwards, refused and failed ones downwards, each side in shares of its own and on a scale of its own, the same in every panel.
 * Buckets differ a little in width, so heights are shares in a doubling. What took no time at all has no place on a logarithmic axis and is told in words.
 */
export const latencyDistribution = ({ panels, width, lang }: LatencyDistribution): Drawing => {
  const parts = panels.map(({ totals: { latencyBuckets: { good, bad } } }) => ({ good: barsOf(good), bad: barsOf(bad) }));
  const all = parts.flatMap(({ good, bad }) => [...good, ...bad]);
  const goals = panels.flatMap((panel) => panel.goals.map(({ high }) => high!));
  const domain = [Math.max(leastMs, Math.min(...all.map(({ from }) => from), ...goals) / 1.15), Math.max(leastMs * 4, Math.max(...all.map(({ to }) => to), ...goals) * 1.15)] as const;
  const goalRows = Math.max(...panels.map((panel) => rowsOf(panel.goals))) * goalRow;
  const [up, down] = [highestOf(parts.map(({ good }) => good)), highestOf(parts.map(({ bad }) => bad))];
  const top = headHeight + goalRows + 12;
  const hasBad = panels.some(({ totals }) => totals.latencyBuckets.bad.counts.length > 0);
  const base = top + plotHeight * (!hasBad ? 1 : 0.62);
  const scale = { up: up > 0 ? (base - top) / up : 0, down: down > 0 ? (top + plotHeight - nameRow - base) / down : 0 };
  const canvas = new Canvas(width, top + plotHeight + 14, { fill: print.text, size: 7 });
  const panelWidth = (width - gutter - (panels.length - 1) * gap) / panels.length;
  panels.forEach((panel, index) => {
    const left = gutter + index * (panelWidth + gap);
    const x = logScale(domain, [left, left + panelWidth]);
    drawPanel(canvas, panel, parts[index], { left, right: left + panelWidth, top, base, bottom: top + plotHeight, x, domain, scale, lang, hasBad });
  });
  if (up > 0) drawShares(canvas, scale.up, base, -1, base - top);
  if (down > 0) drawShares(canvas, scale.down, base, 1, top + plotHeight - nameRow - base);
  return canvas.drawing();
};

interface Bar {
  readonly from: number;
  readonly to: number;
  /** Share of all that ended, in a doubling of latency. */
  readonly density: number;
}

/** Buckets as heights whose areas on a logarithmic axis are shares. */
const barsOf = ({ fromMs, toMs, counts }: LatencyBuckets): Bar[] =>
  counts.flatMap((own, i) => {
    if (toMs[i] <= leastMs) return [];
    const [from, to] = [Math.max(leastMs, fromMs[i]), toMs[i]];
    return [{ from, to, density: own / sum(counts) / Math.log2(to / from) }];
  });

/** How many took less than the axis can show. */
const atOnce = ({ toMs, counts }: LatencyBuckets): number => sum(counts.filter((_, i) => toMs[i] <= leastMs));

interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly base: number;
  readonly bottom: number;
  readonly x: (ms: number) => number;
  readonly domain: readonly [number, number];
  /** Points for a share of 1. */
  readonly scale: { readonly up: number; readonly down: number };
  readonly lang: Lang;
  readonly hasBad: boolean;
}

const drawPanel = (canvas: Canvas, { name, totals, goals }: LatencyPanel, { good, bad }: { good: readonly Bar[]; bad: readonly Bar[] }, frame: Frame): void => {
  const { left, right, base, bottom, x, domain, scale, lang } = frame;
  const ended = sum(totals.latencyBuckets.good.counts) + sum(totals.latencyBuckets.bad.counts);
  const samples = chartWords[lang].samples(count(ended));
  canvas.runs(left, 8, [{ text: shorten(name, right - left - textWidth(samples, 7) - 8, 8, 700), weight: 700, size: 8 }, { text: `  ${samples}`, fill: print.text3 }]);
  canvas.path(skyline(good, x, base, -scale.up), { fill: print.goodArea });
  canvas.path(skyline(bad, x, base, scale.down), { fill: print.failed });
  canvas.line(left, base, right, base, { stroke: print.text, strokeWidth: 0.6 });
  for (const ms of logTicks(domain, Math.floor((right - left) / 34))) {
    canvas.line(x(ms), bottom, x(ms), bottom + 2.5, { stroke: print.line2, strokeWidth: 0.5 });
    const half = textWidth(latency(ms), 6.5) / 2;
    canvas.text(Math.min(right - half, Math.max(left + half, x(ms))), bottom + 10, latency(ms), { size: 6.5, fill: print.text3, anchor: 'middle' });
  }
  canvas.line(left, bottom, right, bottom, { stroke: print.line, strokeWidth: 0.5 });
  drawGoals(canvas, goals, frame);
  drawPercentiles(canvas, totals, frame);
  nameSides(canvas, totals, good, bad, frame);
};

/** Rows for the names of goals, and one for how many more there are. */
const rowsOf = (goals: readonly PictureObjective[]): number => {
  const { shown, leftOut } = goalLabels(goals);
  return shown.length + (leftOut > 0 ? 1 : 0);
};

/** Each bound in a row of its own above the plot, so that none covers another. */
const drawGoals = (canvas: Canvas, goals: readonly PictureObjective[], { left, right, top, bottom, x, lang }: Frame): void => {
  const line = (at: number, from: number, to: number): void => canvas.line(at, from, at, to, { stroke: print.failed, strokeWidth: 1 });
  const { shown, leftOut } = goalLabels(goals);
  // Not through the row of the percentiles, nor through the name under the plot.
  for (const at of new Set(goals.map(({ high }) => x(high!)))) line(at, top - 2, bottom - nameRow);
  const baselineOf = (row: number): number => headHeight + row * goalRow + 6.5;
  shown.forEach(({ text, level }, row) => {
    const [at, width, baseline] = [x(level), textWidth(text, 7, 700), baselineOf(row)];
    line(at, baseline - 6, baseline + 1);
    const fits = at + 3 + width <= right;
    canvas.text(fits ? at + 3 : Math.max(left + width, at - 3), baseline, text, { weight: 700, fill: print.failedText, anchor: fits ? 'start' : 'end' });
  });
  if (leftOut > 0) canvas.text(right, baselineOf(shown.length), chartWords[lang].rest(count(leftOut)), { fill: print.text3, anchor: 'end' });
};

/** Lines at the percentiles of good requests; their names move apart, and a slanted line leads back. */
const drawPercentiles = (canvas: Canvas, { latencyMs }: TrafficTotals, { left, right, top, base, x }: Frame): void => {
  if (latencyMs === null) return;
  const full = (['p50', 'p95', 'p99'] as const).map((key) => ({ key, value: latency(latencyMs[key]), at: x(latencyMs[key]) }));
  const texts = full.map(({ key, value }) => `${key} ${value}`);
  const widths = texts.map((text) => textWidth(text, 6.5, 600));
  const fits = widths.reduce((a, b) => a + b, 0) + 12 <= right - left;
  const shown = full.filter((_, i) => fits || i !== 2);
  const places = placed(shown.map(({ at }) => at), shown.map((_, i) => widths[i]), 6, left, right);
  shown.forEach(({ at }, index) => {
    canvas.path(`M${coordinate(places[index])} ${coordinate(top - 4.5)}L${coordinate(at)} ${coordinate(top + 1)}L${coordinate(at)} ${coordinate(base)}`, { stroke: print.text, strokeWidth: 0.5 });
    canvas.rect(places[index] - widths[index] / 2 - 1, top - 11.6, widths[index] + 2, 7.2, { fill: print.bg });
    canvas.text(places[index], top - 6, texts[index], { size: 6.5, weight: 600, anchor: 'middle' });
  });
};

/** The names of both directions with their counts, where their own side has room: at the end of the panel that is emptier. */
const nameSides = (canvas: Canvas, totals: TrafficTotals, good: readonly Bar[], bad: readonly Bar[], { left, right, base, bottom, x, lang, hasBad, scale }: Frame): void => {
  const words = chartWords[lang];
  const write = (bars: readonly Bar[], perShare: number, text: string, baseline: number, fill: string): void => {
    const width = textWidth(text, 7, 700) + 4;
    const reach = (from: number, to: number): number => Math.max(0, ...bars.filter((bar) => x(bar.to) > from && x(bar.from) < to).map(({ density }) => density * perShare));
    const [leftReach, rightReach] = [reach(left, left + width), reach(right - width, right)];
    const atRight = rightReach <= leftReach;
    // Lines of goals do not go through it; bars are never covered.
    if (Math.min(leftReach, rightReach) < 10) canvas.rect(atRight ? right - width : left, baseline - 6, width, 7, { fill: print.bg });
    canvas.text(atRight ? right - 1 : left + 1, baseline, text, { weight: 700, fill, anchor: atRight ? 'end' : 'start' });
  };
  const { good: goods, bad: bads } = totals.latencyBuckets;
  const told = (name: string, buckets: LatencyBuckets): string => {
    const [all, none] = [sum(buckets.counts), atOnce(buckets)];
    return all === 0 ? `${name}: ${words.none}` : `${name} ${count(all)}${none === 0 ? '' : none === all ? `, ${words.atOnce}` : `, ${count(none)} ${words.atOnce}`}`;
  };
  write(good, scale.up, told(reportWords[lang].head.good, goods), base - 12, print.goodText);
  if (hasBad) write(bad, scale.down, told(words.bad, bads), bottom - 2.2, print.failedText);
};

/** Shares at the left of one side: as much of it as a doubling holds. */
const drawShares = (canvas: Canvas, perShare: number, base: number, direction: 1 | -1, room: number): void => {
  const step = [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10].find((value) => value * perShare >= 12) ?? 10;
  if (direction < 0) canvas.text(gutter - 4, base + 2.3, '0', { size: 6.5, fill: print.text3, anchor: 'end' });
  for (let level = step; level * perShare <= room + 0.5; level += step) canvas.text(gutter - 4, base + direction * level * perShare + 2.3, percent(level), { size: 6.5, fill: print.text3, anchor: 'end' });
};

/** Outline of bars that stand side by side; a gap between two of them begins a new one. */
const skyline = (bars: readonly Bar[], x: (ms: number) => number, base: number, perShare: number): string => {
  const point = (ms: number, level: number): string => `${coordinate(x(ms))} ${coordinate(level)}`;
  return bars.map(({ from, to, density }, i) => {
    const [isFirst, isLast] = [i === 0 || bars[i - 1].to < from * 0.999, i === bars.length - 1 || bars[i + 1].from > to * 1.001];
    const level = base + density * perShare;
    return `${isFirst ? `M${point(from, base)}` : ''}L${point(from, level)}L${point(to, level)}${isLast ? `L${point(to, base)}Z` : ''}`;
  }).join('');
};

const highestOf = (sides: readonly (readonly Bar[])[]): number => Math.max(0, ...sides.flat().map(({ density }) => density));
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
