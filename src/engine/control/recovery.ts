import type { EventQueue } from '../kernel/event-queue.js';
import { life, type Instance } from '../parts/instance.js';
import { toNs } from '../plan/plan.js';
import { forgottenAfterNs, restartBackoffNs } from './restart-backoff.js';

/** A process that dies at the very instant at which it came up is started again after this, at the earliest (as systemd's RestartSec), so that time goes on. */
const leastRestartNs = 100e6;

/** When dead processes come back, by `recovery`. */
export class Recovery {
  /** By place. */
  private readonly deathsInARow: Int32Array;
  private readonly keptDownUntilNs: Float64Array;

  constructor(private readonly queue: EventQueue, placeCount: number) {
    this.deathsInARow = new Int32Array(placeCount);
    this.keptDownUntilNs = new Float64Array(placeCount);
  }

  /** The process dies now. How long the place will be without one, ns; Infinity: for good. */
  delayNs(instance: Instance): number {
    const { now } = this.queue;
    const { by, after, backoff } = instance.service.model.recovery;
    const { place, upSinceNs } = instance;
    if (now - upSinceNs >= forgottenAfterNs) this.deathsInARow[place] = 0;
    this.deathsInARow[place]++;
    if (by === 'none' || instance.isLeaving) return Infinity;
    const delayNs = toNs(after.value) + (backoff === 'kubernetes' ? restartBackoffNs(this.deathsInARow[place]) : 0);
    return Math.max(delayNs, this.keptDownUntilNs[place] - now, upSinceNs === now ? leastRestartNs : 0);
  }

  /** A crash goes on: no process comes back in this place before `untilNs`. */
  keepDown(instance: Instance, untilNs: number): void {
    this.keptDownUntilNs[instance.place] = Math.max(this.keptDownUntilNs[instance.place], untilNs);
    if (instance.life !== life.down || instance.timer < 0 || instance.dueNs >= untilNs) return;
    instance.dueNs = untilNs;
    this.queue.move(instance.timer, untilNs);
  }

  /** Another instance takes the place. */
  forget(instance: Instance): void {
    this.deathsInARow[instance.place] = 0;
  }
}
