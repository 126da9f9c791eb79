import type { Sampler } from '../kernel/sampler.js';
import { uniform } from '../kernel/keyed-draws.js';

/** What a fault does to messages, or to an instance, while it lasts. Left out: nothing of that kind. */
export interface Effect {
  /** Added to every message, ns. */
  readonly latency?: Sampler;
  /** Share of messages that are lost and sent again. */
  readonly loss?: number;
  /** No message arrives. */
  readonly blackhole?: boolean;
  /** Every message is refused at once. */
  readonly cut?: boolean;
  /** Own CPU and waiting take this much longer. */
  readonly slow?: number;
  /** Share of requests that are answered with an error at once. */
  readonly errors?: number;
  /** Stands still. */
  readonly freeze?: boolean;
}

/** A lost segment is sent again after this, and after twice that the next time (RFC 6298 with Linux's least RTO). */
const resendNs = 200e6;
const lossSite = 0x10551055;

/** All effects on one target at present (rule 42): latencies add, factors multiply, the larger share wins. */
export class Effects {
  private readonly active: Effect[] = [];
  slowFactor = 1;
  errorShare = 0;
  isFrozen = false;
  isBlackholed = false;
  isCut = false;
  private lossShare = 0;
  /** A message takes longer or gets lost now; or does not arrive at all. */
  delaysMessages = false;
  touchesMessages = false;

  begin(effect: Effect): void {
    this.active.push(effect);
    this.review();
  }

  end(effect: Effect): void {
    const at = this.active.indexOf(effect);
    if (at >= 0) this.active.splice(at, 1);
    this.review();
  }

  /** What is added to one message, ns: latencies, and resends of a lost one. `occurrence` tells the messages of a key apart. */
  delayNs(key0: number, key1: number, occurrence: number): number {
    let delayNs = 0;
    for (const { latency } of this.active) if (latency) delayNs += latency.draw(key0, key1, occurrence);
    for (let attempt = 0; this.lossShare > 0 && uniform(key0, key1, (lossSite + attempt) | 0, occurrence) < this.lossShare && attempt < 16; attempt++) delayNs += resendNs * (1 << attempt);
    return Math.round(delayNs);
  }

  private review(): void {
    const { active } = this;
    this.slowFactor = active.reduce((factor, { slow = 1 }) => factor * slow, 1);
    this.errorShare = Math.max(0, ...active.map(({ errors = 0 }) => errors));
    this.lossShare = Math.max(0, ...active.map(({ loss = 0 }) => loss));
    this.isFrozen = active.some(({ freeze }) => freeze);
    this.isBlackholed = active.some(({ blackhole }) => blackhole);
    this.isCut = active.some(({ cut }) => cut);
    this.delaysMessages = this.lossShare > 0 || active.some(({ latency }) => latency !== undefined);
    this.touchesMessages = this.delaysMessages || this.isBlackholed;
  }
}
