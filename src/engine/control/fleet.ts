import type { EventQueue } from '../kernel/event-queue.js';
import { toNs } from '../plan/plan.js';
import type { EventLog } from '../record/event-log.js';
import type { Flow } from '../flow.js';
import { life, type Instance } from '../parts/instance.js';
import { belief, type SharedLink } from '../parts/link.js';

/**
 * Life and death of instances: start, kill, recovery, launch, drain. Tells the links that call a service who is registered.
 * A dead instance still counts as one of the fleet and returns only by its own recovery (rule 18).
 */
export class Fleet {
  private readonly recoveredKind: number;
  private readonly bootedKind: number;
  private readonly drainedKind: number;

  constructor(
    private readonly queue: EventQueue,
    private readonly flow: Flow,
    private readonly log: EventLog,
    private readonly instances: readonly Instance[],
    /** By service: the links that call it. */
    private readonly callersOf: readonly (readonly SharedLink[])[],
  ) {
    this.recoveredKind = queue.register((place) => this.recovered(instances[place]));
    this.bootedKind = queue.register((place) => this.booted(instances[place]));
    this.drainedKind = queue.register((place) => this.drained(instances[place]));
    flow.onOutOfMemory = (instance) => this.killOutOfMemory(instance);
    flow.onEmpty = (instance) => {
      if (instance.life === life.draining) this.gone(instance);
    };
  }

  /** The instances that are there when the run begins: up, warm, and believed healthy (rule 34). */
  startAll(): void {
    for (const instance of this.instances) {
      if (instance.ordinal >= instance.service.model.instances.value) continue;
      instance.life = life.up;
      instance.startBilling(0);
      instance.processStarts(0);
      this.tellCallers(instance, belief.in);
    }
  }

  /** Orders a new instance; it serves after its boot. */
  launch(instance: Instance, bootNs: number): void {
    const { now } = this.queue;
    instance.life = life.booting;
    instance.launches++;
    instance.startBilling(now);
    instance.dueNs = now + bootNs;
    instance.timer = this.queue.at(instance.dueNs, this.bootedKind, instance.place);
  }

  /** Takes an instance out of every rotation; what runs there or is on its way may end within `drainNs`, then it is killed. */
  drain(instance: Instance, drainNs: number): void {
    if (instance.life === life.booting) return void this.gone(instance);
    this.tellCallers(instance, belief.absent);
    if (instance.life === life.down || instance.isIdle) return void this.gone(instance);
    instance.life = life.draining;
    instance.timer = this.queue.at(this.queue.now + drainNs, this.drainedKind, instance.place);
  }

  private killOutOfMemory(instance: Instance): void {
    const memoryBytes = Math.round(instance.memory.value);
    instance.ooms++;
    const lost = this.die(instance);
    this.log.add('oom', instance.name, 'memory limit', 'estimated', { ...lost, memoryBytes, limitBytes: instance.memoryLimitBytes, recoveryMs: this.recoveryMs(instance) });
  }

  /** The process dies now, for the given cause. */
  crash(instance: Instance, cause: string): void {
    if (!instance.serves) return;
    const lost = this.die(instance);
    this.log.add('crashed', instance.name, cause, 'counted', { ...lost, recoveryMs: this.recoveryMs(instance) });
  }

  private die(instance: Instance): { lost: number; running: number; queued: number } {
    const { now } = this.queue;
    const wasDraining = instance.life === life.draining;
    const lost = this.flow.kill(instance);
    if (wasDraining) this.gone(instance);
    else {
      instance.life = life.down;
      instance.downSinceNs = now;
      instance.processEnds(now);
      const { by, after } = instance.service.model.recovery;
      if (by !== 'none') {
        instance.dueNs = now + toNs(after.value);
        instance.timer = this.queue.at(instance.dueNs, this.recoveredKind, instance.place);
      }
    }
    return { lost: lost.running + lost.queued, ...lost };
  }

  private recovered(instance: Instance): void {
    this.comeUp(instance);
    const downMs = (this.queue.now - instance.downSinceNs) / 1e6;
    this.log.add('back', instance.name, instance.service.model.recovery.by, 'estimated', { downMs, warmUpMs: instance.service.model.warmUp.for.value });
  }

  private booted(instance: Instance): void {
    this.comeUp(instance);
    this.tellCallers(instance, belief.joining);
    const { autoscale, warmUp } = instance.service.model;
    this.log.add('booted', instance.name, 'scale-out', 'estimated', { bootMs: autoscale!.boot.value, warmUpMs: warmUp.for.value });
  }

  private comeUp(instance: Instance): void {
    instance.timer = -1;
    instance.life = life.up;
    instance.upSinceNs = this.queue.now;
    instance.busyNsAtUp = instance.container.busyNsAt(this.queue.now);
    instance.processStarts(this.queue.now);
  }

  private drained(instance: Instance): void {
    instance.timer = -1;
    this.gone(instance);
  }

  private gone(instance: Instance): void {
    const { queue } = this;
    if (instance.timer >= 0) queue.cancel(instance.timer);
    instance.timer = -1;
    const lost = instance.serves ? this.flow.kill(instance) : { running: 0, queued: 0 };
    instance.life = life.off;
    instance.processEnds(queue.now);
    instance.stopBilling(queue.now);
    this.tellCallers(instance, belief.absent);
    this.log.add('gone', instance.name, 'scale-in', 'estimated', { lost: lost.running + lost.queued });
  }

  /** A link without a health check takes a new instance as it comes. */
  private tellCallers(instance: Instance, code: (typeof belief)[keyof typeof belief]): void {
    for (const link of this.callersOf[instance.service.index]) {
      link.believe(instance.ordinal, code === belief.joining && link.plan.health === null ? belief.in : code);
    }
  }

  private recoveryMs(instance: Instance): number {
    const { by, after } = instance.service.model.recovery;
    return by === 'none' ? -1 : after.value;
  }
}
