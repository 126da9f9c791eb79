import type { Phase } from '../../scenario/model.js';
import type { LockTotals, PhaseTotals, Ticks } from '../../study/types.js';
import type { Lock } from '../parts/locks.js';
import { ColumnWriter, LevelWriter } from './columns.js';
import { Histogram, rounded } from './histogram.js';
import type { Level } from './level.js';
import { SaturationWatch, useOf, type Begun } from './saturation.js';

/**
 * Tick columns and totals of one lock. One that instances have for themselves beside one that all share is the same lock in the study: means and ends add up,
 * and the maximum is the sum of each one's own.
 */
export class LockRecord {
  readonly name: string;
  /** Whether it has become saturated in the last tick. */
  begun: readonly Begun[] = [];
  private readonly watch = new SaturationWatch();
  private readonly held: LevelWriter;
  private readonly waiting: LevelWriter;
  private readonly saturated: ColumnWriter;

  constructor(private readonly locks: readonly [Lock, ...Lock[]], ticks: number) {
    this.name = locks[0].plan.name;
    this.held = new LevelWriter(ticks);
    this.waiting = new LevelWriter(ticks);
    this.saturated = new ColumnWriter(ticks);
  }

  /** Writes the tick that ends now. */
  endTick(tick: number, nowNs: number): void {
    // Busy is the time in which somebody waits (rule 52): a lock of many keys is held all the time and harms nobody.
    this.begun = this.watch.endTick(tick, this.locks.map(({ contended }) => useOf('lock', contended.tickShare(nowNs), 1)));
    for (const { contended } of this.locks) contended.nextTick(nowNs);
    this.saturated.set(tick, this.watch.isSaturated ? 1 : 0);
    takeSum(this.held, tick, this.locks.map(({ held }) => held), nowNs);
    takeSum(this.waiting, tick, this.locks.map(({ waiting }) => waiting), nowNs);
  }

  tickColumns(): Ticks['locks'][string] {
    return { held: this.held.columns(), waiting: this.waiting.columns(), saturated: this.saturated.column() };
  }

  totals(durationNs: number): LockTotals {
    const sum = (value: (lock: Lock) => number): number => this.locks.reduce((total, lock) => total + value(lock), 0);
    return {
      taken: sum(({ taken }) => taken),
      waited: sum(({ waited }) => waited),
      timeouts: sum(({ timeouts }) => timeouts),
      waitMs: this.waits(null).summary(),
      waiting: { mean: rounded(sum(({ waiting }) => waiting.integralAt(durationNs)) / durationNs), max: sum(({ waiting }) => waiting.max) },
    };
  }

  phaseTotals(phase: Phase): PhaseTotals['locks'][string] {
    return { waitMs: this.waits(phase).summary() };
  }

  private waits(phase: Phase | null): Histogram {
    const all = new Histogram();
    for (const { waits } of this.locks) all.merge(waits.of(phase));
    return all;
  }
}

/** Locks as the study has them: those of one name together. */
export const lockRecords = (locks: readonly Lock[], ticks: number): LockRecord[] => {
  const byName = new Map<string, [Lock, ...Lock[]]>();
  for (const lock of locks) {
    const own = byName.get(lock.plan.name);
    if (own) own.push(lock);
    else byName.set(lock.plan.name, [lock]);
  }
  return [...byName.values()].map((own) => new LockRecord(own, ticks));
};

const takeSum = (writer: LevelWriter, tick: number, levels: readonly Level[], nowNs: number): void => {
  const sum = (value: (level: Level) => number): number => levels.reduce((total, level) => total + value(level), 0);
  writer.write(tick, sum((level) => level.tickMean(nowNs)), sum((level) => level.tickMax), sum((level) => level.value));
  for (const level of levels) level.nextTick(nowNs);
};
