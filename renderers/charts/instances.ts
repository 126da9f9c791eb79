import { Canvas, type Drawing } from '../look/drawing.js';
import { drawGlyph } from '../look/glyphs.js';
import { bytes, cores, count } from '../look/numbers.js';
import { print } from '../look/palette.js';
import { fontHeights, textWidth } from '../look/text-width.js';
import { numberAt } from '../../src/study/columns.js';
import { splitSubject } from '../../src/study/events.js';
import { instanceStates, type Column, type Lang, type OutcomeColumns, type Run } from '../../src/study/types.js';
import { reportWords } from '../../src/text/report.js';
import { stageWords } from '../../src/text/stage.js';
import { drawEventLines, type EventMark } from './event-marks.js';
import { highest, keptTicks, meansOf, sumOf } from './sampling.js';
import { drawTimes, estimatedDash, estimatedHatch, stepArea, stepLine, xOf, yScale, type Span, type TimeAxis } from './time-plot.js';

export interface InstancesChart {
  readonly run: Run;
  readonly service: string;
  /** 1-based numbers of the instances in this drawing, one row each. */
  readonly numbers: readonly number[];
  readonly durationMs: number;
  readonly tickMs: number;
  readonly width: number;
  readonly lang: Lang;
  /** Shaded in every panel. */
  readonly shaded: Span | null;
  /** Thin lines in every panel. */
  readonly events?: readonly EventMark[];
  /** Without times under it when more rows follow. */
  readonly times: boolean;
}

type Instance = Run['ticks']['services'][string]['instances'][number];
interface Measure {
  readonly title: string;
  readonly unit: string;
  readonly maximum: number;
  readonly color: string;
  readonly of: (instance: Instance) => Column;
  /** Highest value in a tick, drawn as a thin line where it differs. */
  readonly highest?: (instance: Instance) => Column;
  /** The one number of a panel. */
  readonly number: (instance: Instance) => string;
  /** Whether a kill is marked here: where it empties what the panel shows. */
  readonly marksKills?: boolean;
}

const label = 26;
const headHeight = 14;
const rowHeight = { counted: 38, estimated: 54 } as const;
const gap = 8;
/** Panels of a service of which little happened stay as small as this many columns make them. */
const fewestColumns = 4;

/**
 * What the run counted of each instance, one row each: slots, queue, and how what was sent to it ended, as its callers saw it. Same time axis everywhere,
 * same scale within a column, all solid. A column in which nothing happened is left out.
 */
export const countedInstances = (chart: InstancesChart): Drawing => panels(chart, countedMeasures(chart), false);

/** What formulas say of each instance: CPU and memory, hatched under a dashed line. */
export const estimatedInstances = (chart: InstancesChart): Drawing => panels(chart, estimatedMeasures(chart), true);

/** Rows of `estimatedInstances` that fit in a height, its times included. */
export const estimatedRows = (height: number): number => Math.floor((height - headHeight - 8) / rowHeight.estimated);

/** Instances that ever were more than an outline. */
export const launchedNumbers = (run: Run, service: string): number[] =>
  (run.ticks.services[service]?.instances ?? []).flatMap((instance, index) => {
    const off = instanceStates.indexOf('off');
    return typeof instance.state === 'number' ? (instance.state === off ? [] : [index + 1]) : instance.state.some((state) => state !== off) ? [index + 1] : [];
  });

const countedMeasures = ({ run, service, lang, tickMs }: InstancesChart): Measure[] => {
  const words = reportWords[lang];
  const { of } = stageWords[lang];
  const picture = run.system.services.find(({ name }) => name === service)!;
  const { instances } = run.ticks.services[service];
  const perS = 1000 / tickMs;
  const n = run.ticks.count;
  const level = (key: 'slots' | 'queue', limit: number | null, title: string): Measure => ({
    title,
    unit: limit === null ? '' : of(count(limit)),
    maximum: limit ?? Math.max(1, ...instances.map((instance) => highest(instance[key].max, n))),
    color: print.goodArea,
    of: (instance) => instance[key].mean,
    highest: (instance) => instance[key].max,
    number: (instance) => positive(highest(instance[key].max, n), (value) => words.most(count(value))),
  });
  const seen = new Map(seenByCallers(run, service).map((columns, index) => [instances[index], columns]));
  const ended = (key: keyof OutcomeColumns, color: string): Measure => ({
    title: words.head[key],
    unit: '/s',
    maximum: Math.max(1, ...[...seen.values()].map((columns) => highest(columns[key], n) * perS)),
    color,
    of: (instance) => sumOf([seen.get(instance)![key]], n, perS),
    number: (instance) => positive(total(seen.get(instance)![key], n), count),
  });
  const measures = [
    { ...level('slots', picture.slots, words.slotsInUse), marksKills: true },
    level('queue', picture.queueLimit, words.queued),
    ended('good', print.goodArea),
    ended('declined', print.trunk),
    ended('refused', print.refusedArea),
    ended('failed', print.failed),
  ];
  return measures.filter((measure) => instances.some((instance) => highest((measure.highest ?? measure.of)(instance), n) > 0));
};

const estimatedMeasures = ({ run, service, lang }: InstancesChart): Measure[] => {
  const { cpu, memory, of } = stageWords[lang];
  const words = reportWords[lang];
  const picture = run.system.services.find(({ name }) => name === service)!;
  const { instances } = run.ticks.services[service];
  const n = run.ticks.count;
  // CPU touches its ceiling in every tick that has a request: its means say more than its maxima. Memory kills by its maximum.
  // A dash is readable on a calm curve only, so CPU is drawn in groups of ticks; its number is the highest tick nevertheless.
  const size = Math.ceil(n / 90);
  const measure = (key: 'cpuCores' | 'memoryBytes', level: 'mean' | 'max', title: string, limit: number | null, format: (value: number) => string): Measure => {
    const most = Math.max(0, ...instances.map((instance) => highest(instance[key][level], n)));
    return {
      title: `≈ ${title}`,
      unit: limit === null ? '' : of(format(limit)),
      maximum: limit ?? Math.max(most, 1e-9),
      color: print.text,
      of: (instance) => (level === 'mean' ? meansOf(instance[key].mean, n, size) : instance[key].mean),
      highest: (instance) => (level === 'mean' ? meansOf(instance[key].mean, n, size) : instance[key].max),
      number: (instance) => positive(highest(instance[key][level], n), (value) => words.most(`≈${format(value)}`)),
    };
  };
  const measures = [measure('cpuCores', 'mean', `${cpu}, ${words.coresUnit}`, picture.cpus, cores), { ...measure('memoryBytes', 'max', memory, picture.memoryLimitBytes, bytes), marksKills: true }];
  return measures.filter((own) => instances.some((instance) => highest(own.highest!(instance), n) > 0));
};

/** How the attempts that each instance was sent ended, over all links that call its service: a request to a dead process never enters the instance. */
export const seenByCallers = (run: Run, service: string): OutcomeColumns[] => {
  const n = run.ticks.count;
  const links = run.system.links.filter(({ callee }) => callee === service).flatMap(({ caller }) => run.ticks.links[`${caller}.${service}`] ?? []);
  const seen = (index: number, key: keyof OutcomeColumns): Column => sumOf(links.map(({ targets }) => targets[index]?.[key] ?? 0), n);
  return run.ticks.services[service].instances.map((instance, index) =>
    links.length === 0 ? instance : { good: seen(index, 'good'), declined: seen(index, 'declined'), refused: seen(index, 'refused'), failed: seen(index, 'failed') },
  );
};

const panels = (chart: InstancesChart, measures: readonly Measure[], guessed: boolean): Drawing => {
  const height = guessed ? rowHeight.estimated : rowHeight.counted;
  const canvas = new Canvas(chart.width, headHeight + chart.numbers.length * height + (chart.times ? 8 : 0), { fill: print.text, size: 7 });
  const columns = Math.max(measures.length, guessed ? 1 : fewestColumns);
  const width = (chart.width - label - (columns - 1) * gap) / columns;
  measures.forEach((measure, column) => {
    const left = label + column * (width + gap);
    const axis: TimeAxis = { left, width, durationMs: chart.durationMs, tickMs: chart.tickMs, count: chart.run.ticks.count };
    canvas.runs(left, 8, [{ text: measure.title, weight: 700, size: 8 }, { text: measure.unit ? ` ${measure.unit}` : '', fill: print.text3 }]);
    chart.numbers.forEach((number, row) => {
      const top = headHeight + row * height;
      if (column === 0) canvas.text(0, top + height / 2 + 2, `#${number}`, { size: 10, weight: 700 });
      drawPanel(canvas, axis, chart, measure, number, { top: top + 1, bottom: top + height - 8 }, guessed);
    });
    if (chart.times) drawTimes(canvas, axis, chart.shaded ? [chart.shaded.fromMs, chart.shaded.toMs] : [], headHeight + chart.numbers.length * height + 4);
  });
  return canvas.drawing();
};

const drawPanel = (canvas: Canvas, axis: TimeAxis, chart: InstancesChart, measure: Measure, number: number, { top, bottom }: { top: number; bottom: number }, guessed: boolean): void => {
  const instance = chart.run.ticks.services[chart.service].instances[number - 1];
  const y = yScale(top, bottom, measure.maximum);
  const { shaded } = chart;
  if (shaded) canvas.rect(xOf(axis, shaded.fromMs), top, xOf(axis, shaded.toMs) - xOf(axis, shaded.fromMs), bottom - top, { fill: print.s1 });
  canvas.line(axis.left, top, axis.left + axis.width, top, { stroke: print.line, strokeWidth: 0.4 });
  const mean = measure.of(instance);
  const high = measure.highest?.(instance);
  const kept = keptTicks(high === undefined ? [mean] : [mean, high], axis.count, Math.floor(axis.width));
  canvas.path(stepArea(axis, kept, 0, mean, y), guessed ? { fill: estimatedHatch } : { fill: measure.color, stroke: measure.color, strokeWidth: 0.35 });
  if (high !== undefined) canvas.path(stepLine(axis, kept, above(high, mean, axis.count), y), guessed ? { stroke: print.text, strokeWidth: 0.8, dash: estimatedDash } : { stroke: print.line2, strokeWidth: 0.25 });
  drawEventLines(canvas, axis, chart.events ?? [], top, bottom);
  drawLife(canvas, axis, instance, bottom);
  if (measure.marksKills) drawDeaths(canvas, axis, chart, number, top, bottom);
  const text = measure.number(instance);
  if (text) drawNumber(canvas, axis.left + axis.width, top, text);
};

/** Inside of the panel, under its top line; a ground keeps it legible on an area. */
export const drawNumber = (canvas: Canvas, right: number, top: number, text: string): void => {
  const width = textWidth(text, 6.5, 600);
  canvas.rect(right - width - 2.5, top + 0.8, width + 2.5, 7.4, { fill: print.bg });
  canvas.text(right - 0.5, top + 2 + fontHeights.cap * 6.5, text, { size: 6.5, weight: 600, fill: print.text, anchor: 'end' });
};

/** The maximum where it says more than the mean; nothing where both are nothing. */
const above = (high: Column, mean: Column, n: number): Column => {
  if (typeof high === 'number' && typeof mean === 'number') return high > 0 ? high : Array.from({ length: n }, () => null);
  return Array.from({ length: n }, (_, tick) => {
    const value = numberAt(high, tick);
    return value > 0 ? value : null;
  });
};

/** A base line while the instance exists and has booted. */
export const drawLife = (canvas: Canvas, axis: TimeAxis, { state }: Instance, bottom: number): void => {
  const lives = (tick: number): boolean => ['up', 'down', 'draining'].includes(instanceStates[numberAt(state, tick)] ?? 'off');
  for (let tick = 0; tick < axis.count; tick++) {
    if (!lives(tick)) continue;
    const from = tick;
    while (tick < axis.count && lives(tick)) tick++;
    canvas.line(xOf(axis, from * axis.tickMs), bottom, xOf(axis, Math.min(axis.durationMs, tick * axis.tickMs)), bottom, { stroke: print.text, strokeWidth: 0.8 });
  }
};

const drawDeaths = (canvas: Canvas, axis: TimeAxis, { run, service }: InstancesChart, number: number, top: number, bottom: number): void => {
  for (const { kind, subject, tMs } of run.eventLog) {
    if (kind !== 'oom' && kind !== 'crashed') continue;
    const at = splitSubject(subject);
    if (at.service !== service || at.instance !== number) continue;
    canvas.line(xOf(axis, tMs), top, xOf(axis, tMs), bottom, { stroke: print.text, strokeWidth: 0.7 });
    drawGlyph(canvas, 'killed', xOf(axis, tMs), top, 8, { color: print.failed, cut: print.bg });
  }
};

const positive = (value: number, format: (value: number) => string): string => (value > 0 ? format(value) : '');
const total = (column: Column, n: number): number => (typeof column === 'number' ? column * n : column.reduce<number>((sum, value) => sum + (value ?? 0), 0));
