import type { EventQueue } from '../kernel/event-queue.js';
import type { Instance } from '../parts/instance.js';
import type { FlowDoor } from './flow-door.js';
import { zero } from '../kernel/zero.js';

/** Leaks grow in steps of this, ns, or of a tick where that is shorter: the kill of one that is full comes so much late at most. */
const coarsestStepNs = 100e6;

/**
 * Memory that processes lose as time goes by: their own `leakPerSecond`, and faults. It grows in steps at whole multiples of the step; a process takes part from
 * its start, a fault from its begin to its end. What has leaked stays until the process ends (rule 13).
 */
export class Leaks {
  /** Bytes per second, by place. */
  private readonly rates: Float64Array;
  private readonly stepNs: number;
  private readonly stepKind: number;
  private settledNs = zero;
  private timer = -1;

  constructor(private readonly queue: EventQueue, private readonly flow: FlowDoor, private readonly instances: readonly Instance[], tickNs: number) {
    this.rates = new Float64Array(instances.length);
    this.stepNs = Math.min(tickNs, coarsestStepNs);
    this.stepKind = queue.register(() => {
      this.timer = -1;
      this.settle();
      this.stepLater();
    });
    for (const { place, service } of instances) this.rates[place] = service.model.memory.leakPerSecond.value;
    this.stepLater();
  }

  /** From now on these places leak so much more (or, negative, less) than before. */
  change(hit: readonly Instance[], bytesPerSecond: number): void {
    this.settle();
    for (const { place } of hit) this.rates[place] += bytesPerSecond;
    this.stepLater();
  }

  /** What has leaked since the last time. */
  private settle(): void {
    const { now } = this.queue;
    const sinceNs = this.settledNs;
    this.settledNs = now;
    for (const instance of this.instances) {
      const leakedNs = now - Math.max(sinceNs, instance.upSinceNs);
      if (this.rates[instance.place] === 0 || !instance.serves || leakedNs <= 0) continue;
      instance.leak((this.rates[instance.place] * leakedNs) / 1e9, now);
      this.flow.checkMemory(instance);
    }
  }

  private stepLater(): void {
    if (this.timer >= 0 || !this.rates.some((rate) => rate > 0)) return;
    this.timer = this.queue.at((Math.floor(this.queue.now / this.stepNs) + 1) * this.stepNs, this.stepKind, 0);
  }
}
