import type { System } from '../../scenario/model.js';
import type { Level as LevelTotals, LoggedEvent, Run, ServiceTotals, Ticks } from '../../study/types.js';
import type { EventQueue } from '../kernel/event-queue.js';
import type { Instance } from '../parts/instance.js';
import type { CallerLink, SharedLink } from '../parts/link.js';
import type { Plan, ServicePlan } from '../plan/plan.js';
import { ColumnWriter } from './columns.js';
import type { EventLog } from './event-log.js';
import { rounded } from './histogram.js';
import { InstanceRecord } from './instance-record.js';
import { LinkRecord } from './link-record.js';
import type { Begun, PoolSums, TickSums } from './saturation.js';
import { PhaseCuts } from './phase-cuts.js';
import { TrafficRecord } from './traffic-record.js';

/** Highest tick mean over all instances of a service together. */
interface ServicePeaks {
  cpu: number;
  slots: number;
  queue: number;
  memory: number;
}

/** Everything that is counted: called by the simulation at every tick's end, and asked for the result at the end of the run. */
export class Recorder {
  readonly cuts: PhaseCuts;
  readonly traffic: readonly TrafficRecord[];
  private readonly instances: readonly InstanceRecord[];
  private readonly links: readonly LinkRecord[];
  private readonly desired: readonly ColumnWriter[];
  private readonly peaks: readonly ServicePeaks[];
  private tick = 0;

  constructor(
    private readonly system: System,
    private readonly plan: Plan,
    private readonly queue: EventQueue,
    private readonly log: EventLog,
    instances: readonly Instance[],
    links: readonly { shared: SharedLink; callers: readonly CallerLink[] }[],
    /** How many instances each service wants now. */
    private readonly desiredOf: (service: number) => number,
    readonly ticks: number,
  ) {
    this.cuts = new PhaseCuts(system.phases, plan.durationNs);
    this.traffic = plan.sources.map(() => new TrafficRecord(this.cuts, ticks, plan.tickNs, plan.reasons.texts));
    this.instances = instances.map((instance) => new InstanceRecord(instance, ticks));
    this.links = links.map(({ shared, callers }) => new LinkRecord(shared, callers, ticks));
    this.desired = plan.services.map(() => new ColumnWriter(ticks));
    this.peaks = plan.services.map(() => ({ cpu: 0, slots: 0, queue: 0, memory: 0 }));
  }

  /** The tick of this length ends now. */
  endTick(tickNs: number): void {
    const nowNs = this.queue.now;
    const sums = this.plan.services.map((): TickSums & ServicePeaks => ({ cpu: 0, slots: 0, queue: 0, memory: 0 }));
    for (const record of this.instances) {
      const { service } = record.instance;
      record.watch.tellPools(this.poolsOf(service, record.instance.ordinal, nowNs));
      const own = record.endTick(this.tick, tickNs, nowNs);
      for (const what of ['cpu', 'slots', 'queue', 'memory'] as const) (sums[service.index] as ServicePeaks)[what] += own[what];
      for (const begun of record.watch.begun) this.logSaturation(record.instance, begun);
    }
    sums.forEach((sum, service) => {
      for (const what of ['cpu', 'slots', 'queue', 'memory'] as const) this.peaks[service][what] = Math.max(this.peaks[service][what], sum[what]);
      this.desired[service].set(this.tick, this.desiredOf(service));
    });
    for (const link of this.links) link.endTick(this.tick, nowNs);
    for (const traffic of this.traffic) traffic.endTick(this.tick);
    this.tick++;
  }

  private poolsOf(service: ServicePlan, ordinal: number, nowNs: number): PoolSums[] {
    return service.links.flatMap(({ index }) => this.links[index].poolSums(ordinal, nowNs) ?? []);
  }

  private logSaturation(instance: Instance, { what, sinceTick, level, limit }: Begun): void {
    const basis = what === 'cpu' || what === 'memory' ? 'estimated' : 'counted';
    this.log.add('saturated', instance.name, what, basis, { level: rounded(level), limit: rounded(limit), sinceMs: sinceTick * this.system.tickMs });
  }

  result(): Omit<Run, 'variant' | 'overrides' | 'events' | 'requests' | 'system' | 'cost' | 'firstToBreak'> {
    const { durationNs, sources, services, reasons } = this.plan;
    const byName = <T>(names: readonly { readonly name: string }[], value: (index: number) => T): Record<string, T> => Object.fromEntries(names.map(({ name }, i) => [name, value(i)]));
    return {
      traffic: byName(sources, (i) => this.traffic[i].totals(durationNs)),
      phases: Object.fromEntries(
        this.system.phases.map((phase) => [phase.name, { fromMs: phase.fromMs, toMs: phase.toMs, traffic: byName(sources, (i) => this.traffic[i].phaseTotals(phase)) }]),
      ),
      services: byName(services, (i) => this.serviceTotals(services[i])),
      links: Object.fromEntries(this.links.map((link) => [link.shared.plan.name, link.totals(durationNs, reasons.texts)])),
      eventLog: inOrder(this.log.events),
      ticks: this.tickColumns(byName),
    };
  }

  private serviceTotals(service: ServicePlan): ServiceTotals {
    const instances = this.instances.filter((record) => record.instance.service === service).map((record) => record.totals(this.plan.durationNs));
    const peaks = this.peaks[service.index];
    const together = (what: 'cpuCores' | 'slots' | 'queue' | 'memoryBytes', peak: number): LevelTotals => ({
      mean: rounded(instances.reduce((sum, instance) => sum + instance[what].mean, 0)),
      max: rounded(peak),
    });
    return {
      instances,
      cpuCores: together('cpuCores', peaks.cpu),
      slots: together('slots', peaks.slots),
      queue: together('queue', peaks.queue),
      memoryBytes: together('memoryBytes', peaks.memory),
      ooms: instances.reduce((sum, { ooms }) => sum + ooms, 0),
      launches: this.instances.reduce((sum, { instance }) => sum + (instance.service === service ? instance.launches : 0), 0),
    };
  }

  private tickColumns(byName: <T>(names: readonly { readonly name: string }[], value: (index: number) => T) => Record<string, T>): Ticks {
    const { sources, services } = this.plan;
    return {
      count: this.ticks,
      traffic: byName(sources, (i) => this.traffic[i].tickColumns()),
      services: byName(services, (i) => ({
        desired: this.desired[i].column(),
        instances: this.instances.filter((record) => record.instance.service.index === i).map((record) => record.tickColumns()),
      })),
      links: Object.fromEntries(this.links.map((link) => [link.shared.plan.name, link.tickColumns()])),
    };
  }
}

/** Events in the order of their times; saturation is told at a tick's end, everything else at once. */
const inOrder = (events: readonly LoggedEvent[]): LoggedEvent[] => events.toSorted((a, b) => a.tMs - b.tMs);
