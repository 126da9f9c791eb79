/**
 * A quantity that changes in steps (slots in use, cores busy, bytes held), integrated over time: mean and maximum of the run and of each tick.
 * Integrals of whole numbers over whole nanoseconds stay exact.
 */
export class Level {
  value = 0;
  /** ∫ value dt since the start, value · ns, up to the last change. */
  integral = 0;
  max = 0;
  tickMax = 0;
  private sinceNs = 0;
  private tickIntegral = 0;
  private tickStartNs = 0;
  /** Time in the tick with a value above 0, up to the last change, ns. */
  private tickAboveNs = 0;

  set(value: number, nowNs: number): void {
    this.integral += this.value * (nowNs - this.sinceNs);
    this.tickAboveNs += this.aboveNs(nowNs);
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

  /** Share of the tick that ends now in which it was above 0. */
  tickShareAbove(nowNs: number): number {
    return (this.tickAboveNs + this.aboveNs(nowNs)) / (nowNs - this.tickStartNs);
  }

  nextTick(nowNs: number): void {
    if (this.tickMax > this.max) this.max = this.tickMax;
    this.tickIntegral = this.integralAt(nowNs);
    this.tickAboveNs = 0;
    this.tickStartNs = nowNs;
    this.tickMax = this.value;
  }

  /** Time since the last change in this tick, when it was above 0 then, ns. */
  private aboveNs(nowNs: number): number {
    return this.value > 0 ? nowNs - Math.max(this.sinceNs, this.tickStartNs) : 0;
  }
}
