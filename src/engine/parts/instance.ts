import { CallQueue, Place, type Call, type Outcome } from '../kernel/calls.js';
import { Level } from '../record/level.js';
import { toNs, type ServicePlan } from '../plan/plan.js';
import type { Container } from './cpu.js';
import { Effects } from './effects.js';
import type { Host } from './host.js';
import * as life from './life.js';
import type { Life } from './life.js';
import type { TokenBucket } from './token-bucket.js';
import { zero } from '../kernel/zero.js';

export * as life from './life.js';
export type { Life } from './life.js';


/** Counts of requests at one instance so far; probes apart. */
export interface Counts {
  arrived: number;
  /** Ends by outcome: good, declined, refused, failed. */
  readonly ended: Float64Array;
}
export const newCounts = (): Counts => ({ arrived: 0, ended: new Float64Array(4) });

/**
 * One instance of a service: its life, its slots and queue, its memory, and what was counted there.
 * Memory is base + perRequest × (in slots + queued + parked in waits) + perConnection × open sockets + what leaked and what a fault hogs (rules 11 to 13);
 * a dead process holds none.
 */
export class Instance {
  life: Life = life.off;
  readonly slots = new Level();
  readonly queued = new Level();
  /** Everything inside, probes on the dedicated path included: what Little's law is about. */
  readonly inside = new Level();
  readonly memory = new Level();
  /** Inbound sockets held open. */
  readonly connections = new Level();
  /** What faults do to it now. */
  readonly effects = new Effects();
  /** Machine that it shares; the instance in whose pod it stands; those that stand in its pod. */
  host: Host | null = null;
  pod: Instance | null = null;
  readonly sidecars: Instance[] = [];
  /** Down with its machine: no answer, not even a refusal (rule 17). */
  isSilent = false;
  /** Rate limit of its own, or of its service. */
  bucket: TokenBucket | null = null;
  /** Calls that stand still while it is frozen, in order. */
  readonly standing: Call[] = [];
  /** Inside, and their first turn of the event loop has not begun (rule 8). */
  fresh = 0;
  readonly queue = new CallQueue();
  /** Where its programs run. */
  readonly home: Place;
  /** Calls sent to it that have not reached it yet. */
  coming = 0;
  /** First of the calls inside, threaded through `nextInside`. */
  firstInside: Call | null = null;

  /** An event loop: a slot is held only while it computes. */
  readonly takesTurns: boolean;
  readonly slotLimit: number = zero;
  readonly queueLimit: number = zero;
  readonly memoryLimitBytes: number = zero;
  private readonly baseBytes: number = zero;
  private readonly perRequestBytes: number = zero;
  private readonly perConnectionBytes: number = zero;
  private readonly leakPerRequestBytes: number = zero;
  private readonly warmUpNs: number = zero;
  private readonly warmUpExtra: number = zero;
  private readonly holdsMemory: boolean;
  private leakedBytes = zero;
  private hoggedBytes = zero;
  private holding = 0;

  /** When it came up last by a start of its own, ns; −Infinity = before the run, so warm. */
  upSinceNs = -Infinity;
  /** When it went down, or will be up again, ns. */
  downSinceNs = zero;
  dueNs = zero;
  /** Timer of boot, recovery or drain. */
  timer = -1;

  /** Billing: decided at (−Infinity: not billed), and the sum of closed spans, ns. */
  billedSinceNs = -Infinity;
  billedNs = zero;
  readonly billedSpansNs: [number, number][] = [];
  ooms = 0;
  launches = 0;

  readonly total = newCounts();
  /** Every call that came in and went, probes too, and how long they were inside: for the laws. */
  entered = 0;
  left = 0;
  sojournNs = zero;

  constructor(
    /** Among all places. */
    readonly place: number,
    readonly service: ServicePlan,
    /** From 0; shown from 1. */
    readonly ordinal: number,
    readonly container: Container,
  ) {
    const { slots, slotsHeld, queue, memory, warmUp } = service.model;
    this.home = new Place(place, this);
    this.takesTurns = slotsHeld === 'cpu';
    this.slotLimit = slots.value;
    this.queueLimit = queue.limit.value;
    this.memoryLimitBytes = memory.limit.value;
    this.baseBytes = memory.base.value;
    this.perRequestBytes = memory.perRequest.value;
    this.perConnectionBytes = memory.perConnection.value;
    this.leakPerRequestBytes = memory.leakPerRequest.value;
    this.holdsMemory = this.baseBytes + this.perRequestBytes + this.perConnectionBytes + this.leakPerRequestBytes > 0;
    this.warmUpNs = toNs(warmUp.for.value);
    this.warmUpExtra = warmUp.factor.value - 1;
  }

  get name(): string {
    return `${this.service.name}.${this.ordinal + 1}`;
  }

  /** True when requests that reach it are let in. */
  get serves(): boolean {
    return this.life === life.up || this.life === life.draining;
  }

  /** It, or the instance in whose pod it stands, takes its leave: what is inside may end, nothing more comes. */
  get isLeaving(): boolean {
    return (this.pod ?? this).life === life.draining;
  }

  /** True when nothing is inside or on its way to it. */
  get isIdle(): boolean {
    return this.inside.value === 0 && this.coming === 0;
  }

  /** Neither warming up nor slowed, ever or now: its own times are what is drawn. */
  get keepsTime(): boolean {
    return this.warmUpExtra === 0 && this.effects.slowFactor === 1;
  }

  /** Factor on its own CPU and wait times now (rules 4 and 5): falls in a straight line to 1. */
  warmUpFactor(nowNs: number): number {
    const left = this.warmUpLeftNs(nowNs);
    return left > 0 ? 1 + (this.warmUpExtra * left) / this.warmUpNs : 1;
  }

  warmUpLeftNs(nowNs: number): number {
    return this.warmUpExtra === 0 || !this.serves ? 0 : Math.max(0, this.warmUpNs - (nowNs - this.upSinceNs));
  }

  /** A call comes inside; `holds` = it occupies memory as a request. */
  enter(call: Call, holds: boolean, nowNs: number): void {
    const { firstInside } = this;
    call.previousInside = null;
    call.nextInside = firstInside;
    if (firstInside !== null) firstInside.previousInside = call;
    this.firstInside = call;
    this.inside.add(1, nowNs);
    this.entered++;
    if (holds) this.hold(1, nowNs);
  }

  leave(call: Call, held: boolean, nowNs: number): void {
    const { nextInside, previousInside } = call;
    if (previousInside !== null) previousInside.nextInside = nextInside;
    else this.firstInside = nextInside;
    if (nextInside !== null) nextInside.previousInside = previousInside;
    this.inside.add(-1, nowNs);
    this.left++;
    this.sojournNs += nowNs - call.arrivedNs;
    if (held) {
      this.leakedBytes += this.leakPerRequestBytes;
      this.hold(-1, nowNs);
    }
  }

  countArrival(): void {
    this.total.arrived++;
  }

  countEnd(outcome: Outcome): void {
    this.total.ended[outcome]++;
  }

  get isOutOfMemory(): boolean {
    return this.memory.value > this.memoryLimitBytes;
  }

  /** The process starts anew: nothing held, nothing leaked (rule 13). */
  processStarts(nowNs: number): void {
    this.forget(nowNs);
    this.setMemory(this.baseBytes, nowNs);
  }

  processEnds(nowNs: number): void {
    this.forget(nowNs);
    this.setMemory(0, nowNs);
  }

  private forget(nowNs: number): void {
    if (this.service.model.rateLimit?.scope === 'instance') this.bucket?.refill();
    this.leakedBytes = 0;
    this.hoggedBytes = 0;
    this.holding = 0;
    this.connections.set(0, nowNs);
  }

  /** Memory that stays until the process ends. */
  leak(bytes: number, nowNs: number): void {
    this.leakedBytes += bytes;
    this.review(nowNs);
  }

  /** Memory that something else in the process takes (or, negative, gives back). */
  hog(bytes: number, nowNs: number): void {
    this.hoggedBytes = Math.max(0, this.hoggedBytes + bytes);
    this.review(nowNs);
  }

  /** A socket opens (1) or closes (−1). */
  connect(change: 1 | -1, nowNs: number): void {
    this.connections.add(change, nowNs);
    if (this.perConnectionBytes > 0) this.review(nowNs);
  }

  startBilling(nowNs: number): void {
    this.billedSinceNs = nowNs;
  }

  stopBilling(nowNs: number): void {
    if (this.billedSinceNs >= 0 && nowNs > this.billedSinceNs) {
      this.billedNs += nowNs - this.billedSinceNs;
      this.billedSpansNs.push([this.billedSinceNs, nowNs]);
    }
    this.billedSinceNs = -Infinity;
  }

  private hold(change: number, nowNs: number): void {
    this.holding += change;
    if (this.holdsMemory) this.review(nowNs);
  }

  private review(nowNs: number): void {
    this.setMemory(this.baseBytes + this.perRequestBytes * this.holding + this.perConnectionBytes * this.connections.value + this.leakedBytes + this.hoggedBytes, nowNs);
  }

  private setMemory(bytes: number, nowNs: number): void {
    // Whole bytes: the sums of hosts stay exact.
    const whole = Math.round(bytes);
    const change = whole - this.memory.value;
    if (change === 0) return;
    this.memory.set(whole, nowNs);
    this.host?.memoryChanged(change, nowNs);
  }
}
