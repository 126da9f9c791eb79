import type { Instance } from './instance.js';
import type { SharedLink } from './link.js';
import type { World } from './world.js';
import { nsOf } from './words.js';

const secondNs = 1e9;

/**
 * Life and death of instances (rules 14 to 18, 34, 39 to 41). Sidecars are ordered, drained and removed with the pod in which they stand; each container dies
 * and restarts alone, unless the machine goes, by `reboot` or `replace`.
 */
export class Fleet {
  /** Told of each process that starts, and whether its instance is new. */
  readonly onStart: ((instance: Instance, isNew: boolean) => void)[] = [];

  constructor(private readonly world: World) {}

  /** What is there when the run begins is up, warm, and believed healthy. */
  startAll(): void {
    for (const instance of this.world.instances) {
      if (instance.ordinal >= podOf(instance).service.instances.value) continue;
      instance.life = 'up';
      instance.orderedNs = 0;
      for (const link of this.linksTo(instance)) link.believe(instance.ordinal, 'in');
    }
  }

  present(service: string): Instance[] {
    return this.world.instances.filter(({ name, life }) => name === service && life !== 'off' && life !== 'draining');
  }
  free(service: string): Instance[] {
    return this.world.instances.filter(({ name, life }) => name === service && life === 'off');
  }

  /** Ordered now, serving after its boot, believed in after its first good probe. */
  launch(pod: Instance, bootNs: number): void {
    for (const instance of pod.containers) {
      instance.deathsInARow = 0;
      instance.life = 'booting';
      instance.isSilent = false;
      instance.orderedNs = this.world.agenda.now;
    }
    pod.timer = this.world.agenda.after(bootNs, () => {
      pod.timer = null;
      for (const instance of pod.containers) this.join(instance);
      for (const instance of pod.containers) if (instance.life === 'booting') this.comeUp(instance, true);
    });
  }

  /** Out of every rotation; what runs there or is on its way may end. */
  drain(pod: Instance, drainNs: number): void {
    if (pod.life === 'booting') return this.gone(pod);
    for (const instance of pod.containers) this.leave(instance);
    if (pod.life === 'down' || hasNothing(pod)) return this.gone(pod);
    this.stopTimer(pod);
    for (const instance of pod.containers) if (instance.life === 'up') instance.life = 'draining';
    pod.timer = this.world.agenda.after(drainNs, () => this.gone(pod));
  }

  /** Nothing is inside this container or on its way there any more. */
  isEmpty(instance: Instance): void {
    const pod = podOf(instance);
    if (pod.life === 'draining' && hasNothing(pod)) this.gone(pod);
  }

  /** The process dies, by a crash or for its memory. */
  die(instance: Instance): void {
    const { by } = instance.service.recovery;
    const { agenda } = this.world;
    const pod = podOf(instance);
    const wasLeaving = pod.life === 'draining';
    const downNs = this.downNs(instance);
    this.fall(instance, downNs);
    if (downNs !== Infinity) {
      instance.timer = agenda.after(downNs, () => this.recovered(instance));
      // Its machine is gone, and so is the whole pod.
      if (by !== 'restart') for (const sidecar of instance.sidecars) this.fall(sidecar, downNs);
      for (const one of by === 'restart' ? [] : instance.containers) {
        one.isSilent = true;
        if (by === 'replace') one.orderedNs = agenda.now;
      }
    }
    if (wasLeaving && (pod === instance || hasNothing(pod))) this.gone(pod);
  }

  private fall(instance: Instance, downNs: number): void {
    this.stopTimer(instance);
    if (instance.serves) this.world.door.kill(instance);
    this.closeConnectionsTo(instance);
    instance.life = 'down';
    instance.dueNs = this.world.agenda.now + downNs;
    instance.startAnew();
  }

  /** A crash that goes on: nobody comes up here before this instant. */
  keepDown(instance: Instance, untilNs: number): void {
    instance.keptDownUntilNs = Math.max(instance.keptDownUntilNs, untilNs);
    if (instance.life !== 'down' || !instance.timer || instance.dueNs >= untilNs) return;
    this.stopTimer(instance);
    instance.dueNs = untilNs;
    instance.timer = this.world.agenda.at(untilNs, () => this.recovered(instance));
  }

  /**
   * `after`, plus Kubernetes' back-off (0, 10, 20 … 300 s, forgotten after ten minutes of running). One that dies at the very instant at which it came up is
   * tried again after 100 ms.
   */
  private downNs(instance: Instance): number {
    const { now } = this.world.agenda;
    const { by, after, backoff } = instance.service.recovery;
    if (now - instance.upSinceNs >= 600 * secondNs) instance.deathsInARow = 0;
    const before = instance.deathsInARow++;
    if (by === 'none' || podOf(instance).life === 'draining') return Infinity;
    const backoffNs = backoff === 'none' || before === 0 ? 0 : Math.min(300, 10 * 2 ** (before - 1)) * secondNs;
    return Math.max(nsOf(after.value) + backoffNs, instance.keptDownUntilNs - now, instance.upSinceNs === now ? 100e6 : 0);
  }

  private recovered(instance: Instance): void {
    const { by } = instance.service.recovery;
    instance.timer = null;
    for (const one of by === 'restart' ? [instance] : instance.containers) {
      this.comeUp(one, false);
      // A new machine is a new target; a process that has only restarted is what its callers believed it to be.
      if (by === 'replace') this.join(one);
    }
  }

  private comeUp(instance: Instance, isNew: boolean): void {
    this.stopTimer(instance);
    instance.life = 'up';
    instance.isSilent = false;
    instance.upSinceNs = this.world.agenda.now;
    instance.startAnew();
    this.world.messages.openedAgain(instance);
    for (const tell of this.onStart) if (instance.serves) tell(instance, isNew);
    if (instance.serves) this.world.door.checkMemory(instance);
  }

  /** The place is free. */
  private gone(pod: Instance): void {
    for (const instance of pod.containers) {
      this.stopTimer(instance);
      if (instance.serves) this.world.door.kill(instance);
      this.closeConnectionsTo(instance);
      instance.life = 'off';
      instance.isSilent = false;
      instance.startAnew();
      instance.orderedNs = -1;
      this.leave(instance);
    }
  }

  private join(instance: Instance): void {
    for (const link of this.linksTo(instance)) link.believe(instance.ordinal, link.link.health ? 'joining' : 'in');
  }
  private leave(instance: Instance): void {
    for (const link of this.linksTo(instance)) link.believe(instance.ordinal, 'absent');
  }
  private closeConnectionsTo(instance: Instance): void {
    for (const { copies } of this.linksTo(instance)) for (const { pool } of copies) pool?.drop(instance);
  }
  private linksTo({ name }: Instance): SharedLink[] {
    return this.world.links.filter(({ link }) => link.callee === name);
  }
  private stopTimer(instance: Instance): void {
    this.world.agenda.cancel(instance.timer);
    instance.timer = null;
  }
}

const podOf = (instance: Instance): Instance => instance.pod ?? instance;
/** Nothing is inside any container of the pod, or on its way there. */
const hasNothing = (pod: Instance): boolean => pod.containers.every(({ serves, isIdle }) => !serves || isIdle);
