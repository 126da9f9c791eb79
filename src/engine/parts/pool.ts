import type { EventQueue } from '../kernel/event-queue.js';
import type { PoolPlan } from '../plan/plan.js';
import { Level } from '../record/level.js';

/**
 * The connections of one caller instance over one link (rules 19 to 23): at most `max`, each to one target and for one request at a time. The one used last
 * is taken first; none is closed for idleness. When all are open and none is idle to the wanted target, the one that has been idle longest is closed, and one
 * to that target opened in its place. With `reuse` a connection closes after so many requests.
 *
 * A pool whose plan does not track connections (opening one costs nothing, none wears out) only counts places, whichever target they go to: every
 * connection has the number 0.
 */
export class Pool {
  /** Connections with a request on them. */
  readonly inUse = new Level();
  /** Requests in line for one; counted by who keeps the line. */
  readonly waiting = new Level();
  /** Places that are promised to requests out of the line, which take them later at this instant. */
  promised = 0;
  /** Number that the last `take` was about. */
  lastTaken = 0;

  private capacity = 16;
  private target = new Int32Array(this.capacity);
  private uses = new Int32Array(this.capacity);
  /** The target's `era` in which the connection was opened: a dropped target begins a new one. */
  private born = new Int32Array(this.capacity);
  /** Neighbours among the idle ones to the same target, used last first; `below` threads the free numbers too. */
  private above = new Int32Array(this.capacity);
  private below = new Int32Array(this.capacity);
  /** Neighbours among all idle ones, idle longest first. */
  private earlier = new Int32Array(this.capacity);
  private later = new Int32Array(this.capacity);
  private free = -1;
  private numbered = 0;

  /** By target. */
  private readonly top: Int32Array;
  private readonly era: Int32Array;
  private longestIdle = -1;
  private lastIdle = -1;
  /** Connections that are open, idle ones included. */
  private open = 0;

  constructor(private readonly queue: EventQueue, private readonly plan: PoolPlan, targetCount: number) {
    this.top = new Int32Array(targetCount).fill(-1);
    this.era = new Int32Array(targetCount);
  }

  /** One more request may have a connection now: one is idle, another may be opened, or an idle one to another target be closed for it. */
  get hasRoom(): boolean {
    return this.inUse.value + this.promised < this.plan.max;
  }

  /** A connection to the target; there must be room. Its number, or −1: `lastTaken` is a new one, its handshake is still to be paid. */
  take(target: number): number {
    this.inUse.add(1, this.queue.now);
    if (!this.plan.tracksConnections) return this.takePlace();
    const idle = this.top[target];
    if (idle >= 0) {
      this.unlink(idle);
      return (this.lastTaken = idle);
    }
    if (this.open >= this.plan.max) this.discard(this.longestIdle);
    this.lastTaken = this.opened(target);
    return -1;
  }

  /** A request on it has ended: it is idle again, or closed when its uses are up or its target is gone. */
  give(connection: number): void {
    this.inUse.add(-1, this.queue.now);
    if (!this.plan.tracksConnections) return;
    const isWornOut = ++this.uses[connection] >= this.plan.reuse;
    if (isWornOut || this.born[connection] !== this.era[this.target[connection]]) this.forget(connection);
    else this.link(connection);
  }

  /** It is never to be used again: a timeout, or its process is gone (rule 19). */
  close(connection: number): void {
    this.inUse.add(-1, this.queue.now);
    if (this.plan.tracksConnections) this.forget(connection);
    else this.open--;
  }

  /** The target's process is gone: idle connections to it close now, used ones when their request ends. */
  dropTarget(target: number): void {
    while (this.top[target] >= 0) this.discard(this.top[target]);
    this.era[target]++;
  }

  /** The caller's process is gone, and all its connections with it. */
  reset(): void {
    this.inUse.set(0, this.queue.now);
    this.waiting.set(0, this.queue.now);
    this.promised = 0;
    this.top.fill(-1);
    this.longestIdle = -1;
    this.lastIdle = -1;
    this.free = -1;
    this.numbered = 0;
    this.open = 0;
  }

  /** Without single connections: a place is new when more are in use than ever were at once. */
  private takePlace(): number {
    if (this.inUse.value <= this.open) return 0;
    this.open++;
    return -1;
  }

  private opened(target: number): number {
    const connection = this.freeNumber();
    this.target[connection] = target;
    this.uses[connection] = 0;
    this.born[connection] = this.era[target];
    this.open++;
    return connection;
  }

  private freeNumber(): number {
    const connection = this.free;
    if (connection >= 0) {
      this.free = this.below[connection];
      return connection;
    }
    if (this.numbered === this.capacity) this.grow();
    return this.numbered++;
  }

  /** Becomes idle: on top of those to its target, and last among all. */
  private link(connection: number): void {
    const target = this.target[connection];
    const next = this.top[target];
    this.above[connection] = -1;
    this.below[connection] = next;
    if (next >= 0) this.above[next] = connection;
    this.top[target] = connection;
    this.earlier[connection] = this.lastIdle;
    this.later[connection] = -1;
    if (this.lastIdle >= 0) this.later[this.lastIdle] = connection;
    else this.longestIdle = connection;
    this.lastIdle = connection;
  }

  private unlink(connection: number): void {
    const { above, below, earlier, later } = this;
    if (above[connection] >= 0) below[above[connection]] = below[connection];
    else this.top[this.target[connection]] = below[connection];
    if (below[connection] >= 0) above[below[connection]] = above[connection];
    if (earlier[connection] >= 0) later[earlier[connection]] = later[connection];
    else this.longestIdle = later[connection];
    if (later[connection] >= 0) earlier[later[connection]] = earlier[connection];
    else this.lastIdle = earlier[connection];
  }

  /** Closes an idle one. */
  private discard(connection: number): void {
    this.unlink(connection);
    this.forget(connection);
  }

  /** Its number is free again. */
  private forget(connection: number): void {
    this.below[connection] = this.free;
    this.free = connection;
    this.open--;
  }

  private grow(): void {
    this.capacity *= 2;
    for (const name of ['target', 'uses', 'born', 'above', 'below', 'earlier', 'later'] as const) {
      const larger = new Int32Array(this.capacity);
      larger.set(this[name]);
      this[name] = larger;
    }
  }
}
