import type { Phase, System } from '../../scenario/model.js';
import type { Level as LevelTotals, LoggedEvent, PhaseTotals, ServiceTotals, SimulatedRun, Ticks } from '../../study/types.js';
import type { EventQueue } from '../kernel/event-queue.js';
import type { Host } from '../parts/host.js';
import type { Instance } from '../parts/instance.js';
import type { CallerLink, SharedLink } from '../parts/link.js';
import type { Lock } from '../parts/locks.js';
import type { Plan, ServicePlan } from '../plan/plan.js';
import { ColumnWriter } from './columns.js';
import type { EventLog } from './event-log.js';
import { rounded } from './histogram.js';
import { HostRecord } from './host-record.js';
import { InstanceRecord, type TickSums } from './instance-record.js';
import { LinkRecord } from './link-record.js';
import { lockRecords, type LockRecord } from './lock-record.js';
import type { PhaseCuts } from './phase-cuts.js';
import type { Begun, Use } from './saturation.js';
import { TrafficRecord } from './traffic-record.js';
import { warningsOf } from './warnings.js';

/** The parts of a run that are counted. */
export interface Recorded {
  readonly system: System;
  readonly plan: Plan;
  readonly queue: EventQueue;
  readonly log: EventLog;
  readonly cuts: PhaseCuts;
  readonly instances: readonly Instance[];
  readonly links: readonly { readonly shared: SharedLink; readonly callers: readonly CallerLink[] }[];
  readonly hosts: readonly Host[];
  readonly locks: readonly Lock[];
  /** How many instances a service wants now. */
  readonly desiredOf: (service: number) => number;
  /** Users or open sockets of a source now; null for other traffic. */
  readonly presentOf: (source: number) => number | null;
  readonly ticks: number;
}

/** Everything that is counted: called by the simulation at every tick's end, and asked for the result at the end of the run. */
export class Recorder {
  readonly cuts: PhaseCuts;
  readonly ticks: number;
  readonly traffic: readonly TrafficRecord[];
  private readonly instances: readonly InstanceRecord[];
  private readonly links: readonly LinkRecord[];
  private readonly hosts: readonly HostRecord[];
  private readonly locks: readonly LockRecord[];
  private readonly desired: readonly ColumnWriter[];
  /** By service: highest tick mean over all its instances together. */
  private readonly peaks: readonly Writable<TickSums>[];
  private tick = 0;

  constructor(private readonly of: Recorded) {
    const { plan, queue, cuts, ticks } = of;
    this.cuts = cuts;
    this.ticks = ticks;
    this.traffic = plan.sources.map((source) => new TrafficRecord(queue, cuts, source, ticks, plan.tickNs, plan.reasons.texts));
    this.instances = of.instances.map((instance) => new InstanceRecord(instance, ticks));
    this.links = of.links.map(({ shared, callers }) => new LinkRecord(shared, callers, ticks));
    this.hosts = of.hosts.map((host) => new HostRecord(host, ticks));
    this.locks = lockRecords(of.locks, ticks);
    this.desired = plan.services.map(() => new ColumnWriter(ticks));
    this.peaks = plan.services.map(() => ({ ...nothing }));
  }

  /** The tick of this length ends now. */
  endTick(tickNs: number): void {
    const { tick } = this;
    const nowNs = this.of.queue.now;
    this.endInstances(tickNs, nowNs);
    for (const record of this.hosts) {
      record.endTick(tick, tickNs, nowNs);
      this.logSaturation(record.host.name, record.begun);
    }
    for (const record of this.locks) {
      record.endTick(tick, nowNs);
      this.logSaturation(record.name, record.begun);
    }
    for (const link of this.links) link.endTick(tick, nowNs);
    this.traffic.forEach((traffic, source) => traffic.endTick(tick, this.of.presentOf(source)));
    this.tick++;
  }

  private endInstances(tickNs: number, nowNs: number): void {
    const sums = this.of.plan.services.map(() => ({ ...nothing }));
    for (const record of this.instances) {
      const { service, ordinal, name } = record.instance;
      const own = record.endTick(this.tick, tickNs, nowNs, this.poolsOf(service, ordinal, nowNs));
      for (const what of levels) sums[service.index][what] += own[what];
      this.logSaturation(name, record.begun);
    }
    sums.forEach((sum, service) => {
      for (const what of levels) this.peaks[service][what] = Math.max(this.peaks[service][what], sum[what]);
      this.desired[service].set(this.tick, this.of.desiredOf(service));
    });
  }

  private poolsOf(service: ServicePlan, ordinal: number, nowNs: number): Use[] {
    return service.links.flatMap(({ index }) => this.links[index].poolUse(ordinal, nowNs) ?? []);
  }

  private logSaturation(subject: string, begun: readonly Begun[]): void {
    for (const { what, sinceTick, level, limit } of begun) {
      const basis = what === 'cpu' || what === 'memory' ? 'estimated' : 'counted';
      this.of.log.add('saturated', subject, what, basis, { level: rounded(level), limit: rounded(limit), sinceMs: sinceTick * this.of.system.tickMs });
    }
  }

  result(): Omit<SimulatedRun, 'variant' | 'overrides' | 'events' | 'requests' | 'system'> {
    const { system, plan, log, links } = this.of;
    const { durationNs, sources, services, reasons } = plan;
    const traffic = byName(sources, (i) => this.traffic[i].totals(durationNs));
    const phases = Object.fromEntries(system.phases.map((phase) => [phase.name, this.phaseTotals(phase)]));
    return {
      durationMs: system.durationMs,
      traffic,
      phases,
      services: byName(services, (i) => this.serviceTotals(services[i])),
      links: Object.fromEntries(this.links.map((link) => [link.shared.plan.name, link.totals(durationNs, reasons.texts)])),
      hosts: byName(this.hosts.map(({ host }) => host), (i) => this.hosts[i].totals(durationNs)),
      locks: byName(this.locks, (i) => this.locks[i].totals(durationNs)),
      warnings: warningsOf(links.map(({ shared }) => shared), traffic, phases),
      eventLog: inOrder(log.events),
      ticks: this.tickColumns(),
    };
  }

  private phaseTotals(phase: Phase): PhaseTotals {
    return {
      fromMs: phase.fromMs,
      toMs: phase.toMs,
      traffic: byName(this.of.plan.sources, (i) => this.traffic[i].phaseTotals(phase)),
      links: Object.fromEntries(this.links.map((link) => [link.shared.plan.name, link.phaseTotals(phase)])),
      locks: byName(this.locks, (i) => this.locks[i].phaseTotals(phase)),
    };
  }

  private serviceTotals(service: ServicePlan): ServiceTotals {
    const instances = this.instances.filter((record) => record.instance.service === service).map((record) => record.totals(this.of.plan.durationNs));
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

  private tickColumns(): Ticks {
    const { sources, services } = this.of.plan;
    return {
      count: this.ticks,
      traffic: byName(sources, (i) => this.traffic[i].tickColumns()),
      services: byName(services, (i) => ({
        desired: this.desired[i].column(),
        instances: this.instances.filter((record) => record.instance.service.index === i).map((record) => record.tickColumns()),
      })),
      links: Object.fromEntries(this.links.map((link) => [link.shared.plan.name, link.tickColumns()])),
      hosts: byName(this.hosts.map(({ host }) => host), (i) => this.hosts[i].tickColumns()),
      locks: byName(this.locks, (i) => this.locks[i].tickColumns()),
    };
  }
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };
const levels = ['cpu', 'slots', 'queue', 'memory'] as const;
const nothing: TickSums = { cpu: 0, slots: 0, queue: 0, memory: 0 };

const byName = <T>(names: readonly { readonly name: string }[], value: (index: number) => T): Record<string, T> => Object.fromEntries(names.map(({ name }, i) => [name, value(i)]));

/** Events in the order of their times; saturation is told at a tick's end, everything else at once. */
const inOrder = (events: readonly LoggedEvent[]): LoggedEvent[] => events.toSorted((a, b) => a.tMs - b.tMs);
