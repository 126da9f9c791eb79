import { numberAt } from '../study/columns.js';
import type { Column, LoggedEvent, OutcomeColumns, SimulatedRun } from '../study/types.js';

/** A stretch of a run, ms: from (inclusive) to (exclusive). */
export interface Window {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A phase's stretch, or the whole run; null for a phase that the run does not have. */
export const windowOf = (run: SimulatedRun, phase: string | null): Window | null => (phase === null ? { fromMs: 0, toMs: run.durationMs } : (run.phases[phase] ?? null));

/** What is in one tick after the other of a stretch. */
export class Ticks {
  private readonly ticks: readonly number[];
  /** How long they are together, ms; the last tick of a run may be a short one. */
  readonly lengthMs: number;

  constructor(run: SimulatedRun, tickMs: number, { fromMs, toMs }: Window) {
    this.ticks = Array.from({ length: run.ticks.count }, (_, tick) => tick).filter((tick) => tick * tickMs >= fromMs && tick * tickMs < toMs);
    this.lengthMs = this.ticks.reduce((sum, tick) => sum + Math.min(tickMs, run.durationMs - tick * tickMs), 0);
  }

  sum(column: Column): number {
    return this.ticks.reduce((total, tick) => total + numberAt(column, tick), 0);
  }

  mean(column: Column): number {
    return this.ticks.length === 0 ? 0 : this.sum(column) / this.ticks.length;
  }

  max(column: Column): number {
    return Math.max(0, ...this.ticks.map((tick) => numberAt(column, tick)));
  }

  /** How everything that several parts count ended. */
  outcomes(parts: readonly OutcomeColumns[]): Outcomes {
    const total = (what: keyof OutcomeColumns): number => parts.reduce((all, part) => all + this.sum(part[what]), 0);
    return { good: total('good'), declined: total('declined'), refused: total('refused'), failed: total('failed') };
  }

  perSecond(count: number): number {
    return this.lengthMs === 0 ? 0 : (count / this.lengthMs) * 1000;
  }
}

export type Outcomes = Record<keyof OutcomeColumns, number>;

export const eventsIn = (run: SimulatedRun, { fromMs, toMs }: Window): readonly LoggedEvent[] => run.eventLog.filter(({ tMs }) => tMs >= fromMs && (tMs < toMs || toMs >= run.durationMs));

/** Null = nothing to take a share of. */
export const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);
