import type { Autoscale } from '../../scenario/model.js';
import type { EventQueue } from '../kernel/event-queue.js';
import { life, type Instance } from '../parts/instance.js';
import type { Fleet } from './fleet.js';
import type { Seen } from './scaling-rule.js';

/** What of an instance is averaged: its integral since the start of the run, and what it is measured by. */
interface Quantity {
  integralAt(instance: Instance, nowNs: number): number;
  request(instance: Instance, setting: Autoscale): number;
}

const quantities: Readonly<Record<Autoscale['metric'], Quantity>> = {
  cpu: { integralAt: ({ container }, nowNs) => container.busyNsAt(nowNs), request: ({ service }) => service.model.cpuRequest.value },
  slots: { integralAt: ({ slots }, nowNs) => slots.integralAt(nowNs), request: ({ slotLimit }) => slotLimit },
  queue: { integralAt: ({ queued }, nowNs) => queued.integralAt(nowNs), request: (_, { target }) => target.value },
};

/** Integrals of all containers at one instant. */
export type Reading = ReadonlyMap<Instance, number>;

/**
 * Means over the window of an autoscaler, for each instance: over the whole window, or since its process came up where that is later (rule 38). With sidecars
 * that count too, use and request are those of the pod, and a pod with a dead one among them has no sample (as metrics-server leaves such a pod out).
 */
export class Gauge {
  private readonly quantity: Quantity;
  private readonly read: readonly Instance[];
  /** When its process came up, and what the place had used by then. */
  private readonly atStart = new Map<Instance, number>();

  constructor(private readonly queue: EventQueue, fleet: Fleet, instances: readonly Instance[], private readonly setting: Autoscale) {
    this.quantity = quantities[setting.metric];
    this.read = instances.flatMap((instance) => this.countedIn(instance));
    fleet.listen({ started: (instance) => void (this.read.includes(instance) && this.atStart.set(instance, this.quantity.integralAt(instance, queue.now))) });
  }

  reading(): Reading {
    return new Map(this.read.map((instance) => [instance, this.quantity.integralAt(instance, this.queue.now)]));
  }

  /** Those that are there or ordered and do not leave, seen over the window that began with this reading. */
  look(fleet: readonly Instance[], windowStartNs: number, windowStart: Reading): Seen[] {
    return fleet.map((instance) => {
      const counted = this.countedIn(instance);
      const usages = counted.map((container) => this.usage(container, windowStartNs, windowStart));
      return {
        usage: usages.includes(null) ? null : usages.reduce<number>((sum, usage) => sum + usage!, 0),
        request: counted.reduce((sum, container) => sum + this.quantity.request(container, this.setting), 0),
        ready: instance.life !== life.booting,
        isWarming: instance.serves && this.queue.now - instance.upSinceNs < instance.service.model.warmUp.for.value * 1e6,
        isIdleMachine: instance.life === life.down && !instance.isSilent,
      };
    });
  }

  private countedIn(instance: Instance): readonly Instance[] {
    return [instance, ...instance.sidecars.filter(({ service }) => this.setting.metric === 'cpu' && this.setting.with.includes(service.name))];
  }

  /** Null: no sample, as nothing runs there or has only just begun. */
  private usage(instance: Instance, windowStartNs: number, windowStart: Reading): number | null {
    const { now } = this.queue;
    const fromNs = Math.max(windowStartNs, instance.upSinceNs);
    if (!instance.serves || fromNs >= now) return null;
    return (this.quantity.integralAt(instance, now) - Math.max(windowStart.get(instance)!, this.atStart.get(instance) ?? 0)) / (now - fromNs);
  }
}
