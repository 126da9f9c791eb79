import type { Drawn } from '../../src/scenario/model.js';
import { drawn, drawnNs, without, type Key } from './words.js';

/** What one fault does to messages or to an instance while it lasts. */
export interface Effect {
  readonly latency?: { readonly time: Drawn; readonly site: string };
  readonly loss?: number;
  readonly blackhole?: true;
  readonly cut?: true;
  readonly slow?: number;
  readonly errors?: number;
  readonly freeze?: true;
}

const lossSite = 0x10551055;

/** All faults on one target at present (rule 42): latencies add, factors multiply, the larger share wins. */
export class Effects {
  private readonly list: Effect[] = [];

  begin(effect: Effect): void {
    this.list.push(effect);
  }
  end(effect: Effect): void {
    without(this.list, effect);
  }

  get slow(): number {
    return this.list.reduce((product, { slow = 1 }) => product * slow, 1);
  }
  get errors(): number {
    return Math.max(0, ...this.list.map(({ errors = 0 }) => errors));
  }
  get isFrozen(): boolean {
    return this.list.some(({ freeze }) => freeze);
  }
  get isBlackholed(): boolean {
    return this.list.some(({ blackhole }) => blackhole);
  }
  get isCut(): boolean {
    return this.list.some(({ cut }) => cut);
  }

  /** What one message takes longer, ns: latencies, and 200 ms for being sent again, twice that for the next time and so on, sixteen times at most. */
  delayNs(key: Key, occurrence: number): number {
    const loss = Math.max(0, ...this.list.map(({ loss: share = 0 }) => share));
    let delayNs = 0;
    for (const { latency } of this.list) if (latency) delayNs += drawnNs(latency.time, latency.site, key, occurrence);
    for (let again = 0; again < 16 && loss > 0 && drawn(key, (lossSite + again) | 0, occurrence) < loss; again++) delayNs += 200e6 * 2 ** again;
    return Math.round(delayNs);
  }
}
