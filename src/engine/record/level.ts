import { zero } from '../kernel/zero.js';

/**
 * A quantity that changes in steps (slots in use, cores busy, bytes held), integrated over time: mean and maximum of the run and of each tick.
 * Integrals of whole numbers over whole nanoseconds stay exact.
 */
export class Level {
  value = zero;
  /** ∫ value dt since the start, value · ns, up to the last change. */
  integral = zero;
  max = zero;
  tickMax = zero;
  private sinceNs = zero;
  private tickIntegral = zero;
  private tickStartNs = zero;

  set(value: number, nowNs: number): void {
    this.integral += this.value * (nowNs - this.sinceNs);
    this.sinceNs = nowNs;
    this.value = value;
    if (value > this.tickMax) this.tickMax = value;
  }

  add(delta: number, nowNs: number): void {
    this.set(this.value + delta, nowNs);
  }

  /** ∫ value dt up to now. */
  integralAt(nowNs: number): number {
    return this.integral + this.value * (nowNs - this.sinceNs);
  }

  /** Ends a tick: its mean; the maximum is in `tickMax` until `nextTick`. */
  tickMean(nowNs: number): number {
    return (this.integralAt(nowNs) - this.tickIntegral) / (nowNs - this.tickStartNs);
  }

  nextTick(nowNs: number): void {
    if (this.tickMax > this.max) this.max = this.tickMax;
    this.tickIntegral = this.integralAt(nowNs);
    this.tickStartNs = nowNs;
    this.tickMax = this.value;
  }
}
