import type { EventQueue } from '../kernel/event-queue.js';
import { life, type Instance } from '../parts/instance.js';
import type { EventLog } from '../record/event-log.js';
import type { Departure, FleetListener, Launch } from './fleet-listener.js';
import type { FlowDoor } from './flow-door.js';
import { containersOf, isEmpty, podOf } from './pod.js';
import { Recovery } from './recovery.js';
import { Registry, type LinkCopies } from './registry.js';

/**
 * Life and death of instances: start, kill, recovery, launch, drain (rules 14 to 18, 40, 41). A dead instance still counts as one of the fleet.
 *
 * An instance that others stand beside is a pod: sidecars are launched, drained and removed with it. Each of the containers dies and restarts alone (kubernetes
 * pod-lifecycle); only when the machine itself goes, by `reboot` or `replace`, the whole pod is silent.
 *
 * Needs all places (`instances`, by their number, with `pod` and `sidecars` set) and every link with the copies of its callers. Sets the three `on…` of the flow.
 */
export class Fleet {
  readonly registry: Registry;
  /** Numbers of services that a deployment replaces at present: their autoscalers wait. */
  readonly deploying = new Set<number>();
  private readonly listeners: FleetListener[] = [];
  private readonly recovery: Recovery;
  /** By place. */
  private readonly launches: Launch[] = [];
  private readonly departures: Departure[] = [];
  private readonly recoveredKind: number;
  private readonly bootedKind: number;
  private readonly drainedKind: number;

  constructor(
    private readonly queue: EventQueue,
    private readonly flow: FlowDoor,
    private readonly log: EventLog,
    readonly instances: readonly Instance[],
    links: readonly LinkCopies[],
  ) {
    this.registry = new Registry(Math.max(0, ...instances.map(({ service }) => service.index + 1)), links);
    this.recovery = new Recovery(queue, instances.length);
    const timed = (happens: (instance: Instance) => void): number =>
      queue.register((place) => {
        instances[place].timer = -1;
        happens(instances[place]);
      });
    this.recoveredKind = timed((instance) => this.recovered(instance));
    this.bootedKind = timed((instance) => this.booted(instance));
    this.drainedKind = timed((instance) => this.gone(instance));
    flow.onOutOfMemory = (instance) => this.outOfMemory(instance, 'memory limit', instance.memoryLimitBytes);
    flow.onHostOutOfMemory = (host) => {
      for (let largest = host.largest(); host.isOutOfMemory && largest; largest = host.largest()) this.outOfMemory(largest, 'host memory', host.memoryLimitBytes);
    };
    flow.onEmpty = (instance) => {
      const pod = podOf(instance);
      if (isEmpty(pod)) this.gone(pod);
    };
  }

  listen(listener: FleetListener): void {
    this.listeners.push(listener);
  }

  /** The instances that are there when the run begins: up, warm, and believed healthy (rule 34). */
  startAll(): void {
    for (const instance of this.instances) {
      if (instance.ordinal >= podOf(instance).service.model.instances.value) continue;
      instance.life = life.up;
      instance.startBilling(0);
      instance.processStarts(0);
      this.registry.presents(instance);
    }
  }

  /** Those of a service that are there, dead ones too; not those that leave. */
  present(service: number): Instance[] {
    return this.instances.filter((instance) => instance.service.index === service && instance.life !== life.off && instance.life !== life.draining);
  }

  free(service: number): Instance[] {
    return this.instances.filter((instance) => instance.service.index === service && instance.life === life.off);
  }

  /** Orders a new instance; it serves after its boot and is billed from now on. */
  launch(instance: Instance, launch: Launch): void {
    const { now } = this.queue;
    for (const container of containersOf(instance)) {
      this.recovery.forget(container);
      container.life = life.booting;
      container.isSilent = false;
      container.launches++;
      container.startBilling(now);
      container.dueNs = now + launch.bootNs;
    }
    this.launches[instance.place] = launch;
    instance.timer = this.queue.at(instance.dueNs, this.bootedKind, instance.place);
  }

  /** One that was kept back gets traffic from now on. */
  letIn(instance: Instance): void {
    for (const container of containersOf(instance)) this.registry.keepBack(container, false);
  }

  /** Takes an instance out of every rotation; what runs there or is on its way may end within `drainNs`, then it is killed. */
  drain(instance: Instance, drainNs: number, departure: Departure = 'scale-in'): void {
    this.departures[instance.place] = departure;
    if (instance.life === life.booting) return void this.gone(instance);
    for (const container of containersOf(instance)) this.registry.leaves(container);
    if (instance.life === life.down || isEmpty(instance)) return void this.gone(instance);
    this.stopTimer(instance);
    for (const container of containersOf(instance)) if (container.life === life.up) container.life = life.draining;
    instance.timer = this.queue.at(this.queue.now + drainNs, this.drainedKind, instance.place);
  }

  /** Takes an instance away at once, whatever runs there. */
  remove(instance: Instance, departure: Departure): void {
    this.departures[instance.place] = departure;
    this.gone(instance);
  }

  /** The process dies now, for the given cause. */
  crash(instance: Instance, cause: string): void {
    if (!instance.serves) return;
    const wasLeaving = instance.isLeaving;
    this.log.add('crashed', instance.name, cause, 'counted', this.die(instance));
    this.died(instance, wasLeaving);
  }

  /** A crash goes on: no process comes back in this place before `untilNs`. */
  keepDown(instance: Instance, untilNs: number): void {
    this.recovery.keepDown(instance, untilNs);
  }

  private outOfMemory(instance: Instance, cause: string, limitBytes: number): void {
    const wasLeaving = instance.isLeaving;
    const memoryBytes = Math.round(instance.memory.value);
    instance.ooms++;
    const { recoveryMs, ...lost } = this.die(instance);
    this.log.add('oom', instance.name, cause, 'estimated', { ...lost, memoryBytes, limitBytes, recoveryMs });
    this.died(instance, wasLeaving);
  }

  private die(instance: Instance): { lost: number; running: number; queued: number; recoveryMs: number } {
    const recoverNs = this.recovery.delayNs(instance);
    const lost = this.fall(instance, recoverNs);
    if (recoverNs !== Infinity) {
      instance.timer = this.queue.at(instance.dueNs, this.recoveredKind, instance.place);
      if (instance.service.model.recovery.by !== 'restart') this.loseMachine(instance, recoverNs);
    }
    return { lost: lost.running + lost.queued, ...lost, recoveryMs: recoverNs === Infinity ? -1 : recoverNs / 1e6 };
  }

  /** The whole pod is silent. A new machine is ordered at once: the old one's bill ends here. */
  private loseMachine(instance: Instance, recoverNs: number): void {
    const { now } = this.queue;
    for (const sidecar of instance.sidecars) this.fall(sidecar, recoverNs);
    for (const container of containersOf(instance)) {
      container.isSilent = true;
      if (instance.service.model.recovery.by !== 'replace') continue;
      container.stopBilling(now);
      container.startBilling(now);
      container.launches++;
    }
  }

  private died(instance: Instance, wasLeaving: boolean): void {
    for (const listener of this.listeners) listener.died?.(instance);
    const pod = podOf(instance);
    if (wasLeaving && (pod === instance || isEmpty(pod))) this.gone(pod);
  }

  /** What runs in it ends, and so do the connections of others to it. */
  private fall(instance: Instance, recoverNs: number): { running: number; queued: number } {
    const { now } = this.queue;
    this.stopTimer(instance);
    const lost = instance.serves ? this.flow.kill(instance) : { running: 0, queued: 0 };
    this.registry.dropsConnections(instance);
    instance.life = life.down;
    instance.downSinceNs = now;
    instance.dueNs = recoverNs === Infinity ? 0 : now + recoverNs;
    instance.processEnds(now);
    return lost;
  }

  private recovered(instance: Instance): void {
    const { by } = instance.service.model.recovery;
    const { warmUp } = instance.service.model;
    const downMs = (this.queue.now - instance.downSinceNs) / 1e6;
    const others = by === 'restart' ? [] : instance.sidecars;
    this.log.add('back', instance.name, by, 'estimated', { downMs, warmUpMs: warmUp.for.value });
    for (const container of [instance, ...others]) {
      this.comeUp(container, false);
      // A new machine is a new target; one that has only restarted is what its callers believed it to be.
      if (by === 'replace') this.registry.joins(container);
    }
  }

  private booted(instance: Instance): void {
    const { bootNs, cause, keptBack = false } = this.launches[instance.place];
    this.log.add('booted', instance.name, cause, 'estimated', { bootMs: bootNs / 1e6, warmUpMs: instance.service.model.warmUp.for.value });
    for (const container of containersOf(instance)) {
      if (keptBack) this.registry.keepBack(container, true);
      this.registry.joins(container);
    }
    // A start may fail at once, and the pod be taken away.
    for (const container of containersOf(instance)) if (container.life === life.booting) this.comeUp(container, true);
  }

  private comeUp(instance: Instance, isNew: boolean): void {
    const { now } = this.queue;
    this.stopTimer(instance);
    instance.life = life.up;
    instance.isSilent = false;
    instance.upSinceNs = now;
    instance.processStarts(now);
    // Any of them may end it again: a crash that goes on, a version that hangs.
    for (const listener of this.listeners) if (instance.serves) listener.started?.(instance, isNew);
    if (instance.serves) this.flow.checkMemory(instance);
  }

  private gone(instance: Instance): void {
    const { now } = this.queue;
    let lost = 0;
    for (const container of containersOf(instance)) {
      this.stopTimer(container);
      const { running, queued } = container.serves ? this.flow.kill(container) : { running: 0, queued: 0 };
      // A request that is in several containers of a pod is lost once.
      lost = Math.max(lost, running + queued);
      this.registry.dropsConnections(container);
      container.life = life.off;
      container.isSilent = false;
      container.processEnds(now);
      container.stopBilling(now);
      this.registry.leaves(container);
    }
    this.log.add('gone', instance.name, this.departures[instance.place], 'estimated', { lost });
    for (const listener of this.listeners) listener.gone?.(instance);
  }

  private stopTimer(instance: Instance): void {
    if (instance.timer >= 0) this.queue.cancel(instance.timer);
    instance.timer = -1;
  }
}
