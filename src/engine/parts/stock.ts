import type { StockPlan } from '../plan/plan.js';

/** Units of each key: every row starts with the same number; a request with a row of its own finds a full one. */
export class Stock {
  private readonly left = new Map<number, number>();

  constructor(readonly plan: StockPlan) {}

  /** Takes one unit; false: none is left. */
  take(row: number): boolean {
    if (row < 0) return this.plan.atStart >= 1;
    const left = this.left.get(row) ?? this.plan.atStart;
    if (left < 1) return false;
    this.left.set(row, left - 1);
    return true;
  }

  put(row: number, units: number): void {
    if (row >= 0) this.left.set(row, (this.left.get(row) ?? this.plan.atStart) + units);
  }
}
