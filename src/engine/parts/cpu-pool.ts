import { CompensatedSum } from '../kernel/compensated-sum.js';
import type { EventQueue } from '../kernel/event-queue.js';
import type { Container } from './cpu.js';
import { zero } from '../kernel/zero.js';

/**
 * The cores of one machine, shared max-min fairly by weight (rule 1): under contention each container gets in proportion to its weight, none more than
 * it can use, and what one leaves goes to the rest. A model of Linux CPU shares (kernel.org, sched-design-CFS: group scheduling) without its time slices.
 */
export class CpuPool {
  /** Cores in use at present. */
  busyCores = zero;
  tickMaxCores = zero;
  maxCores = zero;

  private readonly containers: Container[] = [];
  /** Cores that are left after what is stolen. */
  private leftCores: number;
  /** Everybody has what it wants. */
  private hasRoom = true;
  private readonly busyNs = new CompensatedSum();
  private sinceNs = zero;

  constructor(
    private readonly queue: EventQueue,
    readonly cores: number,
  ) {
    this.leftCores = cores;
  }

  /** Called by each container as it is made; their order settles nothing but the order of timers that are due together. */
  join(container: Container): void {
    this.containers.push(container);
  }

  /** Takes this share (0 to 1) of all cores away from now on. */
  setStolen(share: number): void {
    this.leftCores = this.cores * (1 - share);
    this.share(null);
  }

  /** Core-nanoseconds used up to now by all containers. */
  busyNsAt(nowNs: number): number {
    return this.busyNs.value + this.busyCores * (nowNs - this.sinceNs);
  }

  /** Ends a tick of the recorder. */
  nextTick(): void {
    if (this.tickMaxCores > this.maxCores) this.maxCores = this.tickMaxCores;
    this.tickMaxCores = this.busyCores;
  }

  /** Shares anew because a container wants more or less. That one sets its timer itself; the others do only when they get more or less than before. */
  share(changed: Container | null): void {
    let wanted = 0;
    for (const { want } of this.containers) wanted += want;
    const hasRoom = wanted <= this.leftCores;
    if (hasRoom && this.hasRoom && changed !== null) changed.grant(changed.want);
    else this.giveAll(hasRoom ? Infinity : this.coresPerWeight(null, 0), changed);
    this.hasRoom = hasRoom;
    this.use(hasRoom ? wanted : this.leftCores);
  }

  /** What a container would get now if it wanted so many cores. */
  coresFor(container: Container, want: number): number {
    if (this.leftCores === Infinity) return want;
    return Math.min(want, container.weight * this.coresPerWeight(container, want));
  }

  private giveAll(coresPerWeight: number, changed: Container | null): void {
    for (const container of this.containers) {
      const cores = Math.min(container.want, container.weight * coresPerWeight);
      if (cores === container.busyCores) continue;
      container.grant(cores);
      if (container !== changed) container.reschedule();
    }
  }

  /**
   * The level of max-min fairness: everybody gets min(what it wants, weight × level), all cores together; Infinity when there is room for all.
   * It rises from 0: whoever wants no more than the level gives is served, and the rest divide what remains, until nobody more is served.
   * `asking` is taken to want `itsWant` instead of what it wants.
   */
  private coresPerWeight(asking: Container | null, itsWant: number): number {
    for (let level = 0; ; ) {
      let cores = this.leftCores;
      let weights = 0;
      for (const container of this.containers) {
        const want = container === asking ? itsWant : container.want;
        if (want <= container.weight * level) cores -= want;
        else weights += container.weight;
      }
      if (weights === 0) return Infinity;
      const higher = cores / weights;
      if (higher <= level) return level;
      level = higher;
    }
  }

  private use(cores: number): void {
    const { now } = this.queue;
    this.busyNs.add(this.busyCores * (now - this.sinceNs));
    this.sinceNs = now;
    this.busyCores = cores;
    if (cores > this.tickMaxCores) this.tickMaxCores = cores;
  }
}
