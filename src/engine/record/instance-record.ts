import type { InstanceTotals, Level as LevelTotals, Ticks } from '../../study/types.js';
import { life, type Instance } from '../parts/instance.js';
import { ColumnWriter, LevelWriter, OutcomeWriter } from './columns.js';
import { rounded } from './histogram.js';
import type { Level } from './level.js';
import { SaturationWatch, type TickSums } from './saturation.js';

type InstanceColumns = Ticks['services'][string]['instances'][number];

/** Tick columns and totals of one instance. */
export class InstanceRecord {
  readonly watch: SaturationWatch;
  private readonly columns;
  private readonly ended: OutcomeWriter;
  private readonly slots: LevelWriter;
  private readonly queue: LevelWriter;
  private readonly cpu: LevelWriter;
  private readonly memory: LevelWriter;
  private tickBusyNs = 0;

  constructor(readonly instance: Instance, ticks: number) {
    const column = (): ColumnWriter => new ColumnWriter(ticks);
    this.columns = { state: column(), saturated: column(), arrived: column(), warmUpLeftMs: column(), bootLeftMs: column(), downLeftMs: column() };
    this.ended = new OutcomeWriter(ticks);
    [this.slots, this.queue, this.cpu, this.memory] = [new LevelWriter(ticks), new LevelWriter(ticks), new LevelWriter(ticks), new LevelWriter(ticks)];
    this.watch = new SaturationWatch(instance);
  }

  /** Writes the tick that ends now. Returns its sums, for the service. */
  endTick(tick: number, tickNs: number, nowNs: number): TickSums {
    const { instance, columns } = this;
    const { container } = instance;
    const busyNs = container.busyNsAt(nowNs);
    const cpuMean = (busyNs - this.tickBusyNs) / tickNs;
    this.tickBusyNs = busyNs;
    const sums = { cpu: cpuMean, slots: instance.slots.tickMean(nowNs), queue: instance.queued.tickMean(nowNs), memory: instance.memory.tickMean(nowNs) };
    this.watch.endTick(tick, sums);
    columns.state.set(tick, instance.life);
    columns.saturated.set(tick, this.watch.isSaturated ? 1 : 0);
    columns.arrived.set(tick, instance.tick.arrived);
    columns.warmUpLeftMs.set(tick, Math.round(instance.warmUpLeftNs(nowNs) / 1e6));
    columns.bootLeftMs.set(tick, instance.life === life.booting ? Math.round((instance.dueNs - nowNs) / 1e6) : 0);
    columns.downLeftMs.set(tick, instance.life === life.down ? Math.max(0, Math.round((instance.dueNs - nowNs) / 1e6)) : 0);
    for (let outcome = 0; outcome < 4; outcome++) this.ended.write(tick, outcome, instance.tick.ended[outcome]);
    this.cpu.write(tick, cpuMean, container.tickMaxCores, container.busyCores);
    this.slots.take(tick, instance.slots, nowNs);
    this.queue.take(tick, instance.queued, nowNs);
    this.memory.take(tick, instance.memory, nowNs);
    container.nextTick();
    instance.tick.arrived = 0;
    instance.tick.ended.fill(0);
    return sums;
  }

  tickColumns(): InstanceColumns {
    const { state, saturated, arrived, warmUpLeftMs, bootLeftMs, downLeftMs } = this.columns;
    return {
      state: state.column(),
      saturated: saturated.column(),
      arrived: arrived.column(),
      ...this.ended.columns(),
      slots: this.slots.columns(),
      queue: this.queue.columns(),
      cpuCores: this.cpu.columns(),
      memoryBytes: this.memory.columns(),
      warmUpLeftMs: warmUpLeftMs.column(),
      bootLeftMs: bootLeftMs.column(),
      downLeftMs: downLeftMs.column(),
    };
  }

  totals(durationNs: number): InstanceTotals {
    const { instance } = this;
    const [good, declined, refused, failed] = instance.total.ended;
    return {
      number: instance.ordinal + 1,
      arrived: instance.total.arrived,
      good,
      declined,
      refused,
      failed,
      cpuCores: { mean: rounded(instance.container.busyNsAt(durationNs) / durationNs), max: rounded(instance.container.maxCores) },
      slots: levelTotals(instance.slots, durationNs),
      queue: levelTotals(instance.queued, durationNs),
      memoryBytes: levelTotals(instance.memory, durationNs),
      ooms: instance.ooms,
      billedS: rounded(instance.billedNs / 1e9),
    };
  }
}

export const levelTotals = (level: Level, durationNs: number): LevelTotals => ({ mean: rounded(level.integralAt(durationNs) / durationNs), max: rounded(level.max) });
