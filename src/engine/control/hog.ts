import type { EventQueue } from '../kernel/event-queue.js';
import type { Instance } from '../parts/instance.js';
import type { Fleet } from './fleet.js';
import type { FlowDoor } from './flow-door.js';

/**
 * The fault `hog`: memory is taken at once in every instance that runs, and in new ones as they come up, and given back at the end.
 * What takes it dies with the process: one that restarts meanwhile is free of it.
 */
export class Hog {
  /** Start of the process that it is in, ns. */
  private readonly since = new Map<Instance, number>();
  private goesOn = false;

  constructor(
    private readonly queue: EventQueue,
    fleet: Fleet,
    private readonly flow: FlowDoor,
    private readonly hit: readonly Instance[],
    private readonly bytes: number,
  ) {
    fleet.listen({ started: (instance, isNew) => void (isNew && this.goesOn && hit.includes(instance) && this.take(instance)) });
  }

  begin(): void {
    this.goesOn = true;
    for (const instance of this.hit) if (instance.serves) this.take(instance);
  }

  end(): void {
    this.goesOn = false;
    for (const [instance, upSinceNs] of this.since) if (instance.serves && instance.upSinceNs === upSinceNs) instance.hog(-this.bytes, this.queue.now);
  }

  private take(instance: Instance): void {
    this.since.set(instance, instance.upSinceNs);
    instance.hog(this.bytes, this.queue.now);
    this.flow.checkMemory(instance);
  }
}
