/** Cap, weight and kind of throttle of one container. */
export interface ContainerTold {
  readonly cap: number;
  readonly weight: number;
  readonly cfs: boolean;
}
type Container = ContainerTold & ReturnType<typeof fresh>;

const fresh = () => ({ stolen: 0, frozen: false, throttled: false, usedNs: 0, carriedNs: 0, throttledNs: 0, busyNs: 0, jobs: [] as { readonly job: number; leftNs: number }[] });

const periodNs = 100e6;
const steps = (ns: number): number => Math.max(0, Math.ceil(ns - 0.5));

/**
 * The same rules as those of the engine's containers, told as naively as can be: what is left of each job is counted down, everything is worked out anew
 * at every instant at which anything happens, and shares are found by sorting. No virtual time, no timers, nothing remembered but what the rules speak of.
 */
export class CpuReference {
  now = 0;
  poolStolen = 0;
  /** By job. */
  readonly endsNs: number[] = [];
  readonly containers: readonly Container[];

  /** `poolCores` null: nothing is shared. */
  constructor(
    containers: readonly ContainerTold[],
    private readonly poolCores: number | null,
  ) {
    this.containers = containers.map((told) => ({ ...told, ...fresh() }));
  }

  /** So much is stolen from now on; what comes back is there at once, even where all seemed used up. */
  steal(container: Container, share: number): void {
    container.stolen = share;
    container.throttled &&= container.usedNs >= this.quotaNs(container);
  }

  /** Goes on to a time; what is due at that very time has not happened yet. */
  goTo(timeNs: number): void {
    for (;;) {
      const rates = this.rates();
      const next = Math.min(timeNs, ...this.containers.map((container, i) => this.nextNs(container, rates[i])));
      if (this.now >= timeNs) return;
      const isBoundary = next > this.now && next % periodNs === 0;
      this.pass(next - this.now, rates);
      this.now = next;
      if (isBoundary) for (const container of this.containers) Object.assign(container, { usedNs: container.carriedNs, carriedNs: 0, throttled: false });
      if (next < timeNs) this.happen(rates);
    }
  }

  private happen(rates: readonly number[]): void {
    this.containers.forEach((container, i) => {
      const rate = rates[i];
      if (rate === 0) return;
      const over = container.usedNs - this.quotaNs(container);
      if (this.hasQuota(container) && over / rate >= -0.5) {
        Object.assign(container, { throttled: true, usedNs: this.quotaNs(container), carriedNs: over / rate <= 0.5 ? over : 0 });
      }
      const each = container.jobs.length / rate;
      for (const { job } of container.jobs.filter(({ leftNs }) => leftNs * each <= 0.5)) this.endsNs[job] = this.now;
      container.jobs = container.jobs.filter(({ leftNs }) => leftNs * each > 0.5);
    });
  }

  private nextNs(container: Container, rate: number): number {
    const boundary = (Math.floor(this.now / periodNs) + 1) * periodNs;
    if (rate === 0) return boundary;
    const each = container.jobs.length / rate;
    const quota = this.hasQuota(container) ? steps((this.quotaNs(container) - container.usedNs) / rate) : Infinity;
    return Math.min(boundary, this.now + Math.min(quota, ...container.jobs.map(({ leftNs }) => steps(leftNs * each))));
  }

  private pass(elapsedNs: number, rates: readonly number[]): void {
    this.containers.forEach((container, i) => {
      container.busyNs += rates[i] * elapsedNs;
      container.usedNs += rates[i] * elapsedNs;
      for (const job of container.jobs) job.leftNs -= (rates[i] / container.jobs.length) * elapsedNs;
      if (container.throttled && !container.frozen && container.jobs.length > 0) container.throttledNs += elapsedNs;
    });
  }

  /** Cores of each container now: the most modest in proportion to their weights first, each what it wants or its share of what is left. */
  private rates(): number[] {
    const wants = this.containers.map((container) => this.want(container));
    if (this.poolCores === null) return wants;
    const rates = wants.map(() => 0);
    let left = this.poolCores * (1 - this.poolStolen);
    const weights = this.containers.map(({ weight }) => (weight === Infinity ? this.poolCores! : weight));
    const order = wants.map((_, i) => i).filter((i) => wants[i] > 0).sort((a, b) => wants[a] / weights[a] - wants[b] / weights[b]);
    order.forEach((i, at) => {
      const rest = order.slice(at).reduce((sum, other) => sum + weights[other], 0);
      rates[i] = Math.min(wants[i], (left * weights[i]) / rest);
      left -= rates[i];
    });
    return rates;
  }

  private want(container: Container): number {
    const jobs = container.jobs.length;
    if (container.frozen || container.throttled || container.stolen === 1) return 0;
    if (this.hasQuota(container)) return jobs;
    return Math.min(jobs * (1 - container.stolen), this.cap(container));
  }

  private hasQuota({ cfs, cap }: Container): boolean {
    return cfs && cap !== Infinity;
  }

  private cap({ cap, stolen }: Container): number {
    return stolen === 1 ? 0 : Math.min(cap, this.poolCores ?? Infinity) * (1 - stolen);
  }

  private quotaNs(container: Container): number {
    return this.cap(container) * periodNs;
  }
}
