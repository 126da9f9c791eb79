import type { Service } from '../../src/scenario/model.js';
import type { Agenda, Due } from './agenda.js';
import type { Container } from './cpu.js';
import { Effects } from './effects.js';
import type { CallerLink } from './link.js';
import type { Run } from './run.js';
import { type Key, nsOf } from './words.js';

/** Where steps run: in an instance, or at a source of requests. It has links of its own. */
export interface Place {
  /** Of the service or the traffic: whose reasons its steps give. */
  readonly name: string;
  readonly instance: Instance | null;
  /** Among those of the same name. */
  readonly ordinal: number;
  /** Another row for a request here; undefined: one that nobody has had. */
  readonly anotherRow?: (key: Key, occurrence: number) => number | undefined;
  /** By callee. */
  readonly links: Map<string, CallerLink>;
}

/** Processes that share the memory of one machine (rule 14). */
export interface Host {
  readonly memoryBytes: number;
  readonly guests: Instance[];
}

/** A level over time and its integral, for what an autoscaler watches. */
export class Level {
  value = 0;
  private sum = 0;
  private sinceNs = 0;

  constructor(private readonly agenda: Agenda) {}

  set(value: number): void {
    this.sum = this.integral;
    this.sinceNs = this.agenda.now;
    this.value = value;
  }
  get integral(): number {
    return this.sum + this.value * (this.agenda.now - this.sinceNs);
  }
}

/** One instance of a service, or the place for one. */
export class Instance implements Place {
  life: 'off' | 'booting' | 'up' | 'down' | 'draining' = 'off';
  /** Down with its machine: no sign of life (rule 17). */
  isSilent = false;
  readonly instance = this;
  readonly links = new Map<string, CallerLink>();
  readonly effects = new Effects();
  /** In line for a slot, or for a turn of an event loop. */
  readonly queue: Run[] = [];
  /** Everybody inside, in the order of coming. */
  readonly inside: Run[] = [];
  readonly slots: Level;
  readonly waiting: Level;
  /** Sent to it and not yet there. */
  coming = 0;
  /** Who stands still while it is frozen, in order: what each does when it goes on. */
  readonly standing: { readonly goOn: () => void }[] = [];
  leakedBytes = 0;
  hoggedBytes = 0;
  upSinceNs = -Infinity;
  orderedNs = -1;
  /** In whose pod it stands; who stands in its own. */
  pod: Instance | null = null;
  readonly sidecars: Instance[] = [];
  /** Boot, recovery or end of a drain. */
  timer: Due | null = null;
  dueNs = 0;
  deathsInARow = 0;
  keptDownUntilNs = 0;
  /** When its bucket will be full again, ns; the counter of a service is shared by all. */
  bucket: { fullAtNs: number } = { fullAtNs: -Infinity };

  constructor(private readonly agenda: Agenda, readonly service: Service, readonly ordinal: number, readonly container: Container, readonly host: Host | null) {
    this.slots = new Level(agenda);
    this.waiting = new Level(agenda);
    host?.guests.push(this);
  }

  get name(): string {
    return this.service.name;
  }
  get serves(): boolean {
    return this.life === 'up' || this.life === 'draining';
  }
  get standsStill(): boolean {
    return this.serves && this.effects.isFrozen;
  }
  /** An event loop (rule 8). */
  get takesTurns(): boolean {
    return this.service.slotsHeld === 'cpu';
  }
  get hasFreeSlot(): boolean {
    return this.slots.value < this.service.slots.value;
  }
  /** Requests whose first turn has not begun. */
  get fresh(): number {
    return this.inside.filter(({ isFresh }) => isFresh).length;
  }
  get isIdle(): boolean {
    return this.inside.length === 0 && this.coming === 0;
  }

  /** All containers of its pod that come and go with it. */
  get containers(): Instance[] {
    return [this, ...this.sidecars];
  }

  /** Rules 11 to 13; whole bytes. A dead process holds none. */
  get memoryBytes(): number {
    if (!this.serves) return 0;
    const { base, perRequest } = this.service.memory;
    return Math.round(base.value + perRequest.value * this.inside.filter(({ isBesideSlots }) => !isBesideSlots).length + this.leakedBytes + this.hoggedBytes);
  }

  /** Slow faults, and the warm-up that falls in a straight line to 1 (rules 4 and 5). */
  get slowness(): number {
    const { for: length, factor } = this.service.warmUp;
    const leftNs = factor.value === 1 ? 0 : Math.max(0, nsOf(length.value) - (this.agenda.now - this.upSinceNs));
    return (leftNs > 0 ? 1 + ((factor.value - 1) * leftNs) / nsOf(length.value) : 1) * this.effects.slow;
  }

  /** A process starts or ends: nothing leaked, nothing hogged; a bucket of its own is full. */
  startAnew(): void {
    if (this.service.rateLimit?.scope === 'instance') this.bucket.fullAtNs = -Infinity;
    this.leakedBytes = 0;
    this.hoggedBytes = 0;
  }

  queueUp(run: Run): void {
    this.queue.push(run);
    this.waiting.set(this.queue.length);
  }
  /** The one that has waited longest, out of the line. */
  nextInLine(): Run | undefined {
    const run = this.queue.shift();
    this.waiting.set(this.queue.length);
    return run;
  }
  leaveLine(run: Run): void {
    const place = this.queue.indexOf(run);
    if (place >= 0) this.queue.splice(place, 1);
    this.waiting.set(this.queue.length);
  }

  /** Seconds until a token comes, as ns: 0 at once, −1 refused. A leaky bucket is the same count as tokens, told by the time at which it is full again. */
  takeToken(): number {
    const { rateLimit } = this.service;
    if (!rateLimit) return 0;
    const nsPerToken = 1e9 / rateLimit.rate.value;
    const owedNs = Math.max(0, this.bucket.fullAtNs - this.agenda.now);
    const most = rateLimit.delay ? rateLimit.burst.value + 1 : rateLimit.burst.value;
    // Sums of token times may be off by rounding.
    if (owedNs / nsPerToken + 1 > most + 1e-9) return -1;
    this.bucket.fullAtNs = this.agenda.now + owedNs + nsPerToken;
    return rateLimit.delay ? Math.round(owedNs) : 0;
  }
}
