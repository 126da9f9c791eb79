import { zero } from '../kernel/zero.js';

/** For how much of each tick a level was above 0. */
export class TimeAbove {
  private isAbove = false;
  private sinceNs = zero;
  private tickNs = zero;
  private tickStartNs = zero;

  /** The level is this from now on. */
  set(value: number, nowNs: number): void {
    this.tickNs += this.openNs(nowNs);
    this.sinceNs = nowNs;
    this.isAbove = value > 0;
  }

  /** Share of the tick that ends now. */
  tickShare(nowNs: number): number {
    return (this.tickNs + this.openNs(nowNs)) / (nowNs - this.tickStartNs);
  }

  nextTick(nowNs: number): void {
    this.tickNs = 0;
    this.tickStartNs = nowNs;
  }

  /** Time above 0 in this tick since the last change, ns. */
  private openNs(nowNs: number): number {
    return this.isAbove ? nowNs - Math.max(this.sinceNs, this.tickStartNs) : 0;
  }
}
