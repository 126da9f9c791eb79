import type { LatencySummary, Column, SimulatedRun, TrafficTotals } from '../../../src/study/types.js';
import { scenario } from '../../support/simulated.js';
import { numberAt, parseScenario, simulate } from './loaded-engine.js';

/** How a run is cut: a warm-up that nobody looks at, batches of equal length, and a tail in which the last of them can end. */
export interface Cut {
  readonly tickMs: number;
  readonly warmUpTicks: number;
  readonly ticksPerBatch: number;
  readonly batches: number;
  readonly tailTicks: number;
}

/** A stretch of a run: one batch, or all of them. */
export interface Stretch {
  readonly run: SimulatedRun;
  readonly seconds: number;
  /** Of those that arrived in it, with their ends. */
  traffic(name?: string): TrafficTotals;
  /** Attempts over a link that ended well in it, ms. */
  link(name: string): LatencySummary;
  /** Mean of a column of means over the ticks of the stretch. */
  mean(column: Column): number;
  /** Sum of a column of counts. */
  sum(column: Column): number;
}

/** Cuts a run so that about so many requests arrive, `perS` a second, within its batches. The warm-up is a twentieth of that, or `warmUpS`, if that is longer. */
export const cutFor = (requests: number, perS: number, { batches = 20, warmUpS = 0, tailS = 0 } = {}): Cut => {
  // Some eighty ticks a run, and none longer than an hour.
  const ticksPerBatch = Math.max(80 / batches, Math.ceil(requests / perS / batches / 3600));
  const tickMs = Math.max(1, Math.ceil((requests / perS / batches / ticksPerBatch) * 1000));
  return { tickMs, ticksPerBatch, batches, warmUpTicks: Math.max(Math.ceil((ticksPerBatch * batches) / 20), Math.ceil((warmUpS * 1000) / tickMs)), tailTicks: Math.max(1, Math.ceil((tailS * 1000) / tickMs)) };
};

/** The head of a scenario that is cut so: duration, tick, and a phase for each batch beside the one for all. */
export const headOf = ({ tickMs, warmUpTicks, ticksPerBatch, batches, tailTicks }: Cut): string => {
  const at = (ticks: number): string => `${ticks * tickMs}ms`;
  const end = warmUpTicks + batches * ticksPerBatch;
  const phases = Array.from({ length: batches }, (_, i) => `b${i}: [${at(warmUpTicks + i * ticksPerBatch)}, ${at(warmUpTicks + (i + 1) * ticksPerBatch)}]`);
  return `duration: ${at(end + tailTicks)}\ntick: ${at(1)}\nphases: { all: [${at(warmUpTicks)}, ${at(end)}], ${phases.join(', ')} }`;
};

/** The run of a system under this head: all batches together, and each by itself. */
export const stretchesOf = (cut: Cut, system: string, seed: number): { readonly all: Stretch; readonly batches: readonly Stretch[] } => {
  const { variants } = parseScenario(scenario(`${headOf(cut)}\n${system}`), { file: 'oracle.yaml', set: [] });
  const run = simulate(variants[0], { seed });
  const columns = new Map<Column, readonly number[]>();
  const stretch = (phase: string, fromTick: number, ticks: number): Stretch => {
    const part = (column: Column): readonly number[] => {
      if (!columns.has(column)) columns.set(column, Array.from({ length: run.ticks.count }, (_, tick) => numberAt(column, tick)));
      return columns.get(column)!.slice(fromTick, fromTick + ticks);
    };
    const sum = (column: Column): number => part(column).reduce((total, value) => total + value, 0);
    return {
      run,
      seconds: (ticks * cut.tickMs) / 1000,
      traffic: (name = 'load') => run.phases[phase].traffic[name],
      link: (name) => run.phases[phase].links[name].latencyMs!,
      mean: (column) => sum(column) / ticks,
      sum,
    };
  };
  const { warmUpTicks, ticksPerBatch, batches } = cut;
  return {
    all: stretch('all', warmUpTicks, batches * ticksPerBatch),
    batches: Array.from({ length: batches }, (_, i) => stretch(`b${i}`, warmUpTicks + i * ticksPerBatch, ticksPerBatch)),
  };
};
