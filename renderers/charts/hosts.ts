import type { Drawing } from '../look/drawing.js';
import { bytes, cores, percent } from '../look/numbers.js';
import { print } from '../look/palette.js';
import type { Lang, Run } from '../../src/study/types.js';
import { reportWords } from '../../src/text/report.js';
import type { EventMark } from './event-marks.js';
import { estimatedFrame, grouped } from './fleet.js';
import { highest, keptTicks } from './sampling.js';
import { estimatedDash, estimatedHatch, stepArea, stepLine, type Span } from './time-plot.js';

export interface HostChart {
  readonly run: Run;
  readonly host: string;
  readonly durationMs: number;
  readonly tickMs: number;
  readonly width: number;
  readonly lang: Lang;
  readonly shaded: Span | null;
  /** Thin lines. */
  readonly events?: readonly EventMark[];
}

/** CPU of everything on a host, of the cores that it has: the mean of some ticks. */
export const hostCpuChart = (chart: HostChart): Drawing => {
  const { run, host } = chart;
  const { cpuCores } = run.ticks.hosts[host];
  const bound = pictureOf(run, host).cpus;
  const cpus = bound ?? Math.max(1, run.hosts[host].cpuCores.max);
  return estimatedFrame(chart, (canvas, axis, y) => {
    const { firsts, means } = grouped(cpuCores.mean, axis.count, Math.floor(axis.width / 2.4));
    canvas.path(stepArea(axis, firsts, 0, means, y), { fill: estimatedHatch });
    canvas.path(stepLine(axis, firsts, means, y), { stroke: print.text, strokeWidth: 1, dash: estimatedDash });
    if (bound !== null) canvas.line(axis.left, y(cpus), axis.left + axis.width, y(cpus), { stroke: print.text2, strokeWidth: 0.6 });
    if (bound !== null) canvas.text(axis.left + axis.width, y(cpus) - 2.5, `${cores(cpus)} ${reportWords[chart.lang].coresUnit}`, { size: 6.8, fill: print.text2, anchor: 'end' });
    for (const level of [0.5, 1]) canvas.text(axis.left - 3, y(level * cpus) + 2.4, bound === null ? cores(level * cpus) : percent(level), { size: 6.5, fill: print.text3, anchor: 'end' });
  }, cpus * 1.14);
};

/** Memory of everything on a host, and the limit at which the largest container is killed. */
export const hostMemoryChart = (chart: HostChart): Drawing => {
  const { run, host, lang } = chart;
  const { memoryBytes } = run.ticks.hosts[host];
  const bound = pictureOf(run, host).memoryBytes;
  const limit = bound ?? 0;
  return estimatedFrame(chart, (canvas, axis, y) => {
    const kept = keptTicks([memoryBytes.max], axis.count, axis.width * 2);
    canvas.path(stepArea(axis, kept, 0, memoryBytes.max, y), { fill: estimatedHatch });
    canvas.path(stepLine(axis, kept, memoryBytes.max, y), { stroke: print.text, strokeWidth: 1, dash: estimatedDash });
    if (bound === null) return;
    canvas.line(axis.left, y(limit), axis.left + axis.width, y(limit), { stroke: print.failed, strokeWidth: 1 });
    canvas.text(axis.left + axis.width, y(limit) - 2.5, `${reportWords[lang].limit} ${bytes(bound)}`, { size: 6.8, weight: 700, fill: print.failedText, anchor: 'end' });
  }, Math.max(limit, highest(memoryBytes.max, run.ticks.count)) * 1.12);
};

const pictureOf = (run: Run, host: string): Run['system']['hosts'][number] => run.system.hosts.find(({ name }) => name === host)!;
