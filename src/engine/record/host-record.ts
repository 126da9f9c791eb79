import type { HostTotals, Ticks } from '../../study/types.js';
import type { Host } from '../parts/host.js';
import { ColumnWriter, LevelWriter } from './columns.js';
import { rounded } from './histogram.js';
import { levelTotals } from './instance-record.js';
import { SaturationWatch, useOf, type Begun } from './saturation.js';
import { zero } from '../kernel/zero.js';

/** Tick columns and totals of a machine that services share: all its containers together. */
export class HostRecord {
  /** What has become saturated in the last tick. */
  begun: readonly Begun[] = [];
  private readonly watch = new SaturationWatch();
  private readonly cpu: LevelWriter;
  private readonly memory: LevelWriter;
  private readonly saturated: ColumnWriter;
  private tickBusyNs = zero;

  constructor(readonly host: Host, ticks: number) {
    this.cpu = new LevelWriter(ticks);
    this.memory = new LevelWriter(ticks);
    this.saturated = new ColumnWriter(ticks);
  }

  /** Writes the tick that ends now. */
  endTick(tick: number, tickNs: number, nowNs: number): void {
    const { pool, memory, memoryLimitBytes } = this.host;
    const busyNs = pool.busyNsAt(nowNs);
    const cpuMean = (busyNs - this.tickBusyNs) / tickNs;
    this.tickBusyNs = busyNs;
    this.begun = this.watch.endTick(tick, [useOf('cpu', cpuMean, pool.cores), useOf('memory', memory.tickMean(nowNs), memoryLimitBytes)]);
    this.saturated.set(tick, this.watch.isSaturated ? 1 : 0);
    this.cpu.write(tick, cpuMean, pool.tickMaxCores, pool.busyCores);
    this.memory.take(tick, memory, nowNs);
    pool.nextTick();
  }

  tickColumns(): Ticks['hosts'][string] {
    return { cpuCores: this.cpu.columns(), memoryBytes: this.memory.columns(), saturated: this.saturated.column() };
  }

  totals(durationNs: number): HostTotals {
    const { pool, memory } = this.host;
    return { cpuCores: { mean: rounded(pool.busyNsAt(durationNs) / durationNs), max: rounded(pool.maxCores) }, memoryBytes: levelTotals(memory, durationNs) };
  }
}
