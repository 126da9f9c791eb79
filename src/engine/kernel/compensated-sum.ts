import { zero } from './zero.js';

/**
 * A sum whose error does not grow with the number of its terms (Kahan, Further remarks on reducing truncation errors, 1965).
 *
 * Ten million times the same third of a microsecond, added to a sum of minutes in ns, round the same way each time: a plain sum is then off
 * by more than the 1e-9 that the laws of a run allow.
 */
export class CompensatedSum {
  value = zero;
  /** By how much `value` is too large. */
  private excess = zero;

  add(term: number): void {
    const exact = term - this.excess;
    const sum = this.value + exact;
    this.excess = sum - this.value - exact;
    this.value = sum;
  }

  reset(): void {
    this.value = 0;
    this.excess = 0;
  }
}
