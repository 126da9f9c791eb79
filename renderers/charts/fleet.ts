import { Canvas, type Drawing } from '../look/drawing.js';
import { drawGlyph } from '../look/glyphs.js';
import { bytes, count, percent } from '../look/numbers.js';
import { print } from '../look/palette.js';
import { at, numberAt } from '../../src/study/columns.js';
import { splitSubject } from '../../src/study/events.js';
import { instanceStates, type Column, type Lang, type Run } from '../../src/study/types.js';
import { reportWords } from '../../src/text/report.js';
import { drawEventLines, type EventMark } from './event-marks.js';
import { highest, keptTicks } from './sampling.js';
import { drawTimes, estimatedDash, estimatedHatch, stepArea, stepLine, thinHatch, xOf, yScale, type Span, type TimeAxis } from './time-plot.js';

export interface FleetChart {
  readonly run: Run;
  readonly service: string;
  readonly durationMs: number;
  readonly tickMs: number;
  readonly width: number;
  readonly lang: Lang;
  readonly shaded: Span | null;
  /** Thin lines. */
  readonly events?: readonly EventMark[];
}

const head = 8;
const plot = 92;
/** Of a chart with its times. */
export const fleetHeight = head + plot + 12;

/** CPU of the instances that are up, as a share of what they may use: the mean of some ticks dashed, from the lowest to the highest of them hatched; the autoscaler's target as a line. */
export const cpuChart = (chart: FleetChart): Drawing => {
  const { run, service } = chart;
  const { cpus, autoscale } = pictureOf(run, service);
  const limit = cpus ?? 1;
  const mean = overUp(run, service, (instance, tick) => numberAt(instance.cpuCores.mean, tick) / limit, average);
  return estimatedFrame(chart, (canvas, axis, y) => {
    // Of a pod with sidecars the autoscaler sees all containers, and this is one of them.
    if (autoscale?.metric === 'cpu' && !run.system.services.some(({ beside }) => beside === service)) goal(canvas, axis, y(autoscale.target), `${reportWords[chart.lang].target} ${percent(autoscale.target)}`);
    const { firsts, means, lows, highs } = grouped(mean, axis.count, Math.floor(axis.width / 2.4));
    canvas.path(stepArea(axis, firsts, lows, highs, y), { fill: thinHatch });
    canvas.path(stepLine(axis, firsts, means, y), { stroke: print.text, strokeWidth: 1, dash: estimatedDash });
    for (const level of [0.5, 1]) canvas.text(axis.left - 3, y(level) + 2.4, percent(level), { size: 6.5, fill: print.text3, anchor: 'end' });
  }, 1.08);
};

/** Memory of the instances that are up, from the leanest to the fullest, and the limit at which they are killed. */
export const memoryChart = (chart: FleetChart): Drawing => {
  const { run, service, lang } = chart;
  const limit = pictureOf(run, service).memoryLimitBytes;
  const low = overUp(run, service, (instance, tick) => numberAt(instance.memoryBytes.end, tick), (values) => Math.min(...values));
  const high = overUp(run, service, (instance, tick) => numberAt(instance.memoryBytes.max, tick), (values) => Math.max(...values));
  const maximum = Math.max(limit ?? 0, highest(high, run.ticks.count));
  return estimatedFrame(chart, (canvas, axis, y) => {
    const kept = keptTicks([low, high], axis.count, axis.width * 2);
    canvas.path(stepArea(axis, kept, low, high, y), { fill: estimatedHatch });
    canvas.path(stepLine(axis, kept, high, y), { stroke: print.text, strokeWidth: 1, dash: estimatedDash });
    if (limit === null) return;
    canvas.line(axis.left, y(limit), axis.left + axis.width, y(limit), { stroke: print.failed, strokeWidth: 1 });
    canvas.text(axis.left + axis.width, y(limit) - 2.5, `${reportWords[lang].limit} ${bytes(limit)}`, { size: 6.8, weight: 700, fill: print.failedText, anchor: 'end' });
    for (const { kind, subject, tMs } of run.eventLog) if (kind === 'oom' && splitSubject(subject).service === service) drawGlyph(canvas, 'killed', xOf(axis, tMs), y(limit), 8, { color: print.failed, cut: print.bg });
  }, maximum * 1.12);
};

/** How many instances the autoscaler wants (dashed) and how many are up (hatched): a formula decides, so neither is solid. */
export const fleetChart = (chart: FleetChart): Drawing => {
  const { run, service, lang } = chart;
  const { desired } = run.ticks.services[service];
  const up = upCount(run, service);
  const maximum = Math.max(highest(desired, run.ticks.count), highest(up, run.ticks.count), 1);
  return estimatedFrame(chart, (canvas, axis, y) => {
    const kept = keptTicks([desired, up], axis.count, axis.width * 2);
    canvas.path(stepArea(axis, kept, 0, up, y), { fill: estimatedHatch });
    canvas.path(stepLine(axis, kept, desired, y), { stroke: print.text, strokeWidth: 1.2, dash: estimatedDash });
    for (let level = 1; level <= maximum; level++) if (maximum <= 6 || level === maximum) canvas.text(axis.left - 3, y(level) + 2.4, count(level), { size: 6.5, fill: print.text3, anchor: 'end' });
    canvas.text(axis.left + axis.width, y(maximum * 1.06) + 1, reportWords[lang].desired, { size: 6.8, weight: 700, anchor: 'end' });
  }, maximum * 1.25);
};

const pictureOf = (run: Run, service: string): Run['system']['services'][number] => run.system.services.find(({ name }) => name === service)!;

type Instance = Run['ticks']['services'][string]['instances'][number];
const isUp = ({ state }: Instance, tick: number): boolean => ['up', 'draining'].includes(instanceStates[numberAt(state, tick)] ?? 'off');

/** A value over the instances that are up in each tick; no sample where none is. */
const overUp = (run: Run, service: string, value: (instance: Instance, tick: number) => number, join: (values: readonly number[]) => number): Column => {
  const { instances } = run.ticks.services[service];
  return Array.from({ length: run.ticks.count }, (_, tick) => {
    const values = instances.filter((instance) => isUp(instance, tick)).map((instance) => value(instance, tick));
    return values.length === 0 ? null : join(values);
  });
};
const average = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Ticks in groups, each with its mean, lowest and highest value at the group's first tick; no value where the group has none. */
export const grouped = (column: Column, n: number, groups: number): { firsts: number[]; means: Column; lows: Column; highs: Column } => {
  const size = Math.max(1, Math.ceil(n / groups));
  const firsts = Array.from({ length: Math.ceil(n / size) }, (_, group) => group * size);
  const over = (join: (values: readonly number[]) => number): Column => {
    const values: (number | null)[] = Array.from({ length: n }, () => null);
    for (const first of firsts) {
      const own = Array.from({ length: Math.min(size, n - first) }, (_, i) => at(column, first + i)).filter((value) => value !== null);
      if (own.length > 0) values[first] = join(own);
    }
    return values;
  };
  return { firsts, means: over(average), lows: over((values) => Math.min(...values)), highs: over((values) => Math.max(...values)) };
};

const upCount = (run: Run, service: string): Column => {
  const { instances } = run.ticks.services[service];
  return Array.from({ length: run.ticks.count }, (_, tick) => instances.filter((instance) => isUp(instance, tick)).length);
};

const gutter = 22;

/** An axis of time with what formulas made of the run. */
export const estimatedFrame = (chart: Omit<FleetChart, 'service'>, draw: (canvas: Canvas, axis: TimeAxis, y: (value: number) => number) => void, maximum: number): Drawing => {
  const canvas = new Canvas(chart.width, fleetHeight, { fill: print.text, size: 7 });
  const axis: TimeAxis = { left: gutter, width: chart.width - gutter, durationMs: chart.durationMs, tickMs: chart.tickMs, count: chart.run.ticks.count };
  const { shaded } = chart;
  if (shaded) canvas.rect(xOf(axis, shaded.fromMs), head, xOf(axis, shaded.toMs) - xOf(axis, shaded.fromMs), plot, { fill: print.s1 });
  draw(canvas, axis, yScale(head, head + plot, maximum));
  drawEventLines(canvas, axis, chart.events ?? [], head, head + plot);
  canvas.line(axis.left, head + plot, axis.left + axis.width, head + plot, { stroke: print.line2, strokeWidth: 0.6 });
  drawTimes(canvas, axis, shaded ? [shaded.fromMs, shaded.toMs] : [], head + plot + 9);
  return canvas.drawing();
};

const goal = (canvas: Canvas, axis: TimeAxis, y: number, text: string): void => {
  canvas.line(axis.left, y, axis.left + axis.width, y, { stroke: print.text2, strokeWidth: 0.6 });
  canvas.text(axis.left + axis.width, y - 2.5, text, { size: 6.8, fill: print.text2, anchor: 'end' });
};
