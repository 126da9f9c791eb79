import { nearNs, stepsTo } from '../kernel/clock-steps.js';
import { zero } from '../kernel/zero.js';

/** CFS bandwidth control hands out its quota every 100 ms (Linux, Documentation/scheduler/sched-bwc.rst); here at whole multiples of simulated time. */
const periodNs = 100e6;

/**
 * The CPU that a container may use in each period: cap × 100 ms, at any speed; when it is used up, the container stands still until the next period.
 * Without the slices of 5 ms that Linux hands to each processor. Nothing has to happen at the turn of a period in which nothing ran out.
 */
export class CpuQuota {
  isUsedUp = false;
  private quotaNs: number;
  private periodStartNs = zero;
  /** Core-nanoseconds used in the present period. */
  private usedNs = zero;
  /** What rounding to steps of the clock gave too much, or (negative) too little: settled in the next period. */
  private carriedNs = zero;

  constructor(private cores: number) {
    this.quotaNs = cores * periodNs;
  }

  /** Other cores from now on. What was used already counts; what is more than that can be used at once. */
  setCores(cores: number): void {
    this.cores = cores;
    this.quotaNs = cores * periodNs;
    this.isUsedUp &&= this.usedNs >= this.quotaNs;
  }

  /** So many cores were busy for the time that ends now, without a change. */
  use(busyCores: number, elapsedNs: number, nowNs: number): void {
    if (nowNs < this.nextPeriodNs) {
      this.usedNs += busyCores * elapsedNs;
      return;
    }
    this.periodStartNs = Math.floor(nowNs / periodNs) * periodNs;
    this.usedNs = this.carriedNs + busyCores * Math.min(elapsedNs, nowNs - this.periodStartNs);
    this.carriedNs = 0;
    this.isUsedUp = false;
  }

  /** Finds out whether it is used up now. */
  review(busyCores: number): void {
    if (this.nsLeft(busyCores) > nearNs) return;
    const overNs = this.usedNs - this.quotaNs;
    this.isUsedUp = true;
    this.carriedNs = overNs <= busyCores * nearNs ? overNs : 0;
    this.usedNs = this.quotaNs;
  }

  get nextPeriodNs(): number {
    return this.periodStartNs + periodNs;
  }

  /** When it will be used up; Infinity when it lasts. Who uses more than the cap but not all of this period's quota runs out in the next one. */
  endNs(busyCores: number, nowNs: number): number {
    const endNs = nowNs + stepsTo(this.nsLeft(busyCores));
    if (endNs < this.nextPeriodNs) return endNs;
    return busyCores > this.cores ? this.nextPeriodNs + stepsTo(this.quotaNs / busyCores) : Infinity;
  }

  private nsLeft(busyCores: number): number {
    return busyCores > 0 ? (this.quotaNs - this.usedNs) / busyCores : Infinity;
  }
}
