import type { Agenda } from './agenda.js';

/** Retries may be so many of the first tries; both of the last 10 s, in tenths, the running one included. */
export class Budget {
  private firstNs: number[] = [];
  private retriedNs: number[] = [];

  constructor(private readonly agenda: Agenda) {}

  /** A call or a lock begins, its retries apart. */
  began(): void {
    this.firstNs.push(this.agenda.now);
  }

  mayRetry(share: number): boolean {
    if (share === Infinity) return true;
    const lately = (times: readonly number[]): number => times.filter((ns) => Math.floor(this.agenda.now / 1e9) - Math.floor(ns / 1e9) < 10).length;
    const isWithin = (lately(this.retriedNs) + 1) / lately(this.firstNs) <= share;
    if (isWithin) this.retriedNs.push(this.agenda.now);
    return isWithin;
  }

  reset(): void {
    this.firstNs = [];
    this.retriedNs = [];
  }
}
