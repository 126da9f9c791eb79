import type { InstanceTotals, Level as LevelTotals, Ticks } from '../../study/types.js';
import { life, newCounts, type Instance } from '../parts/instance.js';
import { ColumnWriter, LevelWriter, OutcomeWriter } from './columns.js';
import { rounded } from './histogram.js';
import type { Level } from './level.js';
import { contendedUse, SaturationWatch, useOf, type Begun, type Use } from './saturation.js';
import { zero } from '../kernel/zero.js';

type InstanceColumns = Ticks['services'][string]['instances'][number];

/** Means of one tick. */
export interface TickSums {
  readonly cpu: number;
  readonly slots: number;
  readonly queue: number;
  readonly memory: number;
}

/** Tick columns and totals of one instance. */
export class InstanceRecord {
  /** What has become saturated in the last tick. */
  begun: readonly Begun[] = [];
  private readonly watch = new SaturationWatch();
  private readonly columns;
  private readonly ended: OutcomeWriter;
  private readonly slots: LevelWriter;
  private readonly queue: LevelWriter;
  private readonly cpu: LevelWriter;
  private readonly memory: LevelWriter;
  /** Counts at the beginning of the tick. */
  private readonly before = newCounts();
  private tickBusyNs = zero;
  private tickThrottledNs = zero;

  constructor(readonly instance: Instance, ticks: number) {
    const column = (): ColumnWriter => new ColumnWriter(ticks);
    this.columns = { state: column(), saturated: column(), arrived: column(), connections: column(), throttled: column(), frozen: column(), warmUpLeftMs: column(), bootLeftMs: column(), downLeftMs: column() };
    this.ended = new OutcomeWriter(ticks);
    [this.slots, this.queue, this.cpu, this.memory] = [new LevelWriter(ticks), new LevelWriter(ticks), new LevelWriter(ticks), new LevelWriter(ticks)];
  }

  /** Writes the tick that ends now; `pools`: how full the pools of its links were. Returns the tick's sums, for the service. */
  endTick(tick: number, tickNs: number, nowNs: number, pools: readonly Use[]): TickSums {
    const { instance, columns } = this;
    const { container } = instance;
    const busyNs = container.busyNsAt(nowNs);
    const cpuMean = (busyNs - this.tickBusyNs) / tickNs;
    this.tickBusyNs = busyNs;
    const sums = { cpu: cpuMean, slots: instance.slots.tickMean(nowNs), queue: instance.queued.tickMean(nowNs), memory: instance.memory.tickMean(nowNs) };
    this.begun = this.watch.endTick(tick, [...this.uses(sums), ...pools]);
    const throttledNs = container.throttledNsAt(nowNs);
    columns.throttled.set(tick, Math.min(1, (throttledNs - this.tickThrottledNs) / tickNs));
    this.tickThrottledNs = throttledNs;
    columns.connections.set(tick, instance.connections.value);
    columns.frozen.set(tick, instance.effects.isFrozen ? 1 : 0);
    columns.state.set(tick, instance.life);
    columns.saturated.set(tick, this.watch.isSaturated ? 1 : 0);
    columns.arrived.set(tick, instance.total.arrived - this.before.arrived);
    columns.warmUpLeftMs.set(tick, Math.round(instance.warmUpLeftNs(nowNs) / 1e6));
    columns.bootLeftMs.set(tick, instance.life === life.booting ? Math.round((instance.dueNs - nowNs) / 1e6) : 0);
    columns.downLeftMs.set(tick, instance.life === life.down ? Math.max(0, Math.round((instance.dueNs - nowNs) / 1e6)) : 0);
    this.before.arrived = instance.total.arrived;
    for (let outcome = 0; outcome < 4; outcome++) {
      this.ended.write(tick, outcome, instance.total.ended[outcome] - this.before.ended[outcome]);
      this.before.ended[outcome] = instance.total.ended[outcome];
    }
    this.cpu.write(tick, cpuMean, container.tickMaxCores, container.busyCores);
    this.slots.take(tick, instance.slots, nowNs);
    this.queue.take(tick, instance.queued, nowNs);
    this.memory.take(tick, instance.memory, nowNs);
    instance.connections.nextTick(nowNs);
    container.nextTick();
    return sums;
  }

  /** CPU on a host counts against the instance's own cap alone: without one it is the host that is saturated. What is stolen is not its own. */
  private uses(sums: TickSums): Use[] {
    const { instance } = this;
    const { allowedCores, cores } = instance.container;
    return [
      useOf('cpu', sums.cpu, instance.host ? allowedCores : cores),
      contendedUse('slots', sums.slots, instance.slotLimit, instance.queued.tickMax),
      useOf('memory', sums.memory, instance.memoryLimitBytes),
    ];
  }

  tickColumns(): InstanceColumns {
    const { state, saturated, arrived, connections, throttled, frozen, warmUpLeftMs, bootLeftMs, downLeftMs } = this.columns;
    return {
      state: state.column(),
      saturated: saturated.column(),
      arrived: arrived.column(),
      ...this.ended.columns(),
      slots: this.slots.columns(),
      queue: this.queue.columns(),
      cpuCores: this.cpu.columns(),
      memoryBytes: this.memory.columns(),
      connections: connections.column(),
      throttled: throttled.column(),
      frozen: frozen.column(),
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
      connections: levelTotals(instance.connections, durationNs),
      throttled: rounded(Math.min(1, instance.container.throttledNsAt(durationNs) / durationNs)),
      billedS: rounded(instance.billedNs / 1e9),
      billedMs: instance.billedSpansNs.map(([from, to]) => [from / 1e6, to / 1e6]),
    };
  }
}

export const levelTotals = (level: Level, durationNs: number): LevelTotals => ({ mean: rounded(level.integralAt(durationNs) / durationNs), max: rounded(level.max) });
