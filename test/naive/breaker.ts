import type { Link } from '../../src/scenario/model.js';
import type { Agenda } from './agenda.js';
import { type End, isBad, nsOf } from './words.js';

/**
 * A circuit breaker of one caller instance (resilience4j): a share of bad ends in the window opens it, after `open` it lets `probes` through, all good closes it,
 * one bad opens it again. The window is ten tenths, the running one included.
 */
export class Breaker {
  private state: 'closed' | 'open' | 'half-open' = 'closed';
  private ends: { readonly atNs: number; readonly isBad: boolean }[] = [];
  private sinceNs = 0;
  private probesLeft = 0;
  private goodWanted = 0;

  constructor(private readonly agenda: Agenda, private readonly plan: NonNullable<Link['breaker']>) {}

  /** Whether an attempt may be made. Probes without a verdict after another `open` are given up. */
  allows(): boolean {
    if (this.state === 'closed') return true;
    const isOver = this.agenda.now >= this.sinceNs + nsOf(this.plan.open.value);
    if (this.state === 'open' && !isOver) return false;
    if (isOver) {
      this.state = 'half-open';
      this.sinceNs = this.agenda.now;
      this.probesLeft = this.plan.probes.value;
      this.goodWanted = this.plan.probes.value;
    }
    return this.probesLeft > 0 && this.probesLeft-- > 0;
  }

  learn(end: End): void {
    if (this.state === 'open') return;
    if (this.state === 'closed') return this.count(isBad(end));
    if (isBad(end)) this.open();
    else if (--this.goodWanted === 0) this.reset();
  }

  reset(): void {
    this.state = 'closed';
    this.ends = [];
  }

  private count(bad: boolean): void {
    this.ends.push({ atNs: this.agenda.now, isBad: bad });
    const tenthOf = (ns: number): number => Math.floor((ns * 10) / nsOf(this.plan.window.value));
    const counted = this.ends.filter(({ atNs }) => tenthOf(this.agenda.now) - tenthOf(atNs) < 10);
    const share = counted.filter((end) => end.isBad).length / counted.length;
    if (counted.length >= this.plan.minimum.value && share > 0 && share >= this.plan.errors.value) this.open();
  }

  private open(): void {
    this.state = 'open';
    this.sinceNs = this.agenda.now;
  }
}
