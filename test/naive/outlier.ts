import type { Link } from '../../src/scenario/model.js';
import type { Agenda, Due } from './agenda.js';
import { type End, isBad, nsOf } from './words.js';

const longestNs = 300e9;

/** Outlier detection of one caller instance, as Envoy does it: so many errors in a row eject, the k-th time for k × `eject`; sweeps at whole multiples of `every`. */
export class OutlierDetector {
  readonly ejected = new Map<number, { readonly sinceNs: number }>();
  private readonly inARow: number[];
  private readonly multiplier: number[];
  private readonly backSinceNs: number[];
  private sweepDue: Due | null = null;

  constructor(private readonly agenda: Agenda, private readonly plan: NonNullable<Link['outlier']>, targets: number, private readonly changed: () => void) {
    this.inARow = Array.from({ length: targets }, () => 0);
    this.multiplier = Array.from({ length: targets }, () => 0);
    this.backSinceNs = Array.from({ length: targets }, () => 0);
  }

  /** An error in a row more, or none any more. Whether it may be ejected or not, the count begins anew. */
  learn(target: number, end: End, registered: number): void {
    if (!isBad(end)) this.inARow[target] = 0;
    else if (!this.ejected.has(target) && ++this.inARow[target] >= this.plan.errors.value) {
      this.inARow[target] = 0;
      if ((this.ejected.size + 1) / registered <= this.plan.maxEjected.value) this.eject(target);
    }
  }

  /** A good probe of one that is believed in ends its ejection. */
  probePassed(target: number): void {
    if (this.ejected.has(target)) this.takeBack(target);
  }

  forget(target: number): void {
    this.ejected.delete(target);
    this.inARow[target] = 0;
    this.multiplier[target] = 0;
  }

  reset(): void {
    this.inARow.forEach((_, target) => this.forget(target));
  }

  private eject(target: number): void {
    const baseNs = nsOf(this.plan.eject.value);
    this.ejected.set(target, { sinceNs: this.agenda.now });
    // One step beyond the longest ejection, so that one interval forgives nothing yet.
    if (this.multiplier[target] * baseNs < Math.max(longestNs, baseNs) + baseNs) this.multiplier[target]++;
    this.sweepLater();
    this.changed();
  }

  private takeBack(target: number): void {
    this.ejected.delete(target);
    this.backSinceNs[target] = this.agenda.now;
    this.changed();
  }

  private sweep(): void {
    const { agenda: { now }, plan } = this;
    const baseNs = nsOf(plan.eject.value);
    this.sweepDue = null;
    this.multiplier.forEach((times, target) => {
      const ejection = this.ejected.get(target);
      if (ejection && now - ejection.sinceNs >= Math.min(times * baseNs, Math.max(longestNs, baseNs))) this.takeBack(target);
    });
    this.multiplier.forEach((times, target) => {
      if (!this.ejected.has(target) && times > 0 && now - this.backSinceNs[target] >= nsOf(plan.every.value)) this.multiplier[target]--;
    });
    this.sweepLater();
  }

  private sweepLater(): void {
    const everyNs = nsOf(this.plan.every.value);
    if (this.sweepDue || !this.multiplier.some((times) => times > 0)) return;
    this.sweepDue = this.agenda.at((Math.floor(this.agenda.now / everyNs) + 1) * everyNs, () => this.sweep());
  }
}
