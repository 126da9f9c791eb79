import type { Call } from '../kernel/calls.js';
import { nearNs, stepsTo } from '../kernel/clock-steps.js';
import { CompensatedSum } from '../kernel/compensated-sum.js';
import type { EventQueue, Kind } from '../kernel/event-queue.js';
import type { CpuPool } from './cpu-pool.js';
import { CpuQuota } from './cpu-quota.js';
import { JobHeap } from './job-heap.js';
import { zero } from '../kernel/zero.js';

export interface ContainerOptions {
  /** Cap, cores; Infinity = unlimited. */
  readonly capCores: number;
  /** Share of the pool under contention: `cpuRequest`. Infinity counts as all cores of the pool, so several such containers are equals. */
  readonly weight: number;
  /** `smooth`: never above its cap. `cfs`: as fast as it can until cap × 100 ms are used up, then nothing until the next period. */
  readonly throttle: 'smooth' | 'cfs';
  /** What it shares with other containers; null: only its cap bounds it. */
  readonly pool: CpuPool | null;
}

/**
 * Processor sharing inside one container (rule 1): all computing calls share equally what the container has, none gets more than one core.
 *
 * Virtual time makes a change cost O(log n): `service` is what one job has received since the container was last idle, a job is done when that has
 * grown by its demand, and only the nearest thing to happen has a timer. The arithmetic is the symmetric queue with rate min(n, cores).
 */
export class Container {
  readonly capCores: number = zero;
  readonly weight: number = zero;
  /** What it shares with other containers. */
  readonly pool: CpuPool | null;
  /** Cores that its jobs would use now, had it the pool to itself. */
  want = zero;
  /** Cores in use at present: what the pool gives of `want`. */
  busyCores = zero;
  tickMaxCores = zero;
  maxCores = zero;

  private readonly jobs: JobHeap;
  private readonly quota: CpuQuota | null;

  /** Service that each job present has received, ns of one core. */
  private readonly service = new CompensatedSum();
  private sinceNs = zero;
  private timer = -1;
  /** While `fire` hands over what is done, the timer waits for its end. */
  private isFiring = false;

  private isFrozen = false;
  private stolen = zero;
  /** Cap now, without what is stolen. */
  allowedCores: number = zero;

  private throttledNs = zero;
  /** Core-nanoseconds used: ∫ busy cores dt up to the last change. */
  private readonly busyNs = new CompensatedSum();
  /** Core-nanoseconds received by jobs that have left; with those present it equals `busyNs` (utilisation law). */
  private readonly receivedNs = new CompensatedSum();

  /** The timer is an event of this kind; who handles it calls `fire`. */
  constructor(
    private readonly queue: EventQueue,
    private readonly kind: Kind<Container>,
    { capCores, weight, throttle, pool }: ContainerOptions,
  ) {
    this.capCores = capCores;
    this.pool = pool;
    this.weight = pool !== null && weight === Infinity ? pool.cores : weight;
    this.allowedCores = this.mostCores;
    this.quota = throttle === 'cfs' && Number.isFinite(capCores) ? new CpuQuota(this.allowedCores) : null;
    this.jobs = new JobHeap();
    pool?.join(this);
  }

  /** Cores that it may use now: what it would get if it had jobs without end, averaged over the periods of its quota. Infinity: one for each job. */
  get cores(): number {
    if (this.isFrozen) return 0;
    return this.pool === null ? this.allowedCores : this.pool.coresFor(this, this.allowedCores);
  }

  /** A call begins to compute `demandNs` of one core. */
  begin(call: Call, demandNs: number): void {
    this.advance();
    call.jobStart = this.service.value;
    this.jobs.add(call, this.service.value + demandNs);
    this.changed();
  }

  /** The call stops computing before it is done. */
  remove(call: Call): void {
    this.advance();
    this.leave(call);
    this.changed();
  }

  /** The timer fired: hands over every job that is done, and stops or goes on as the quota says. */
  fire(finished: (call: Call) => void): void {
    this.timer = -1;
    this.advance();
    this.quota?.review(this.busyCores);
    const nsPerService = this.nsPerService();
    this.isFiring = true;
    while (this.jobs.count > 0 && (this.jobs.firstEnd - this.service.value) * nsPerService <= nearNs) {
      const call = this.jobs.first;
      this.leave(call);
      this.settle();
      finished(call);
    }
    this.isFiring = false;
    this.changed();
  }

  /** Forgets every job (its process died). Returns them. */
  clear(): readonly Call[] {
    this.advance();
    const jobs = Array.from({ length: this.jobs.count }, (_, i) => this.jobs.at(i));
    for (const job of jobs) this.receivedNs.add(this.service.value - job.jobStart);
    this.jobs.clear();
    this.changed();
    return jobs;
  }

  /** Takes this share (0 to 1) of every core away from now on, and so of its cap: a hypervisor that lets its virtual cores wait. A quota shrinks by it. */
  setStolen(share: number): void {
    this.advance();
    this.stolen = share;
    this.allowedCores = share < 1 ? this.mostCores * (1 - share) : 0;
    this.quota?.setCores(this.allowedCores);
    this.changed();
  }

  /** Frozen: no job goes on, none is lost. */
  setFrozen(isFrozen: boolean): void {
    this.advance();
    this.isFrozen = isFrozen;
    this.changed();
  }

  /** Core-nanoseconds used up to now. */
  busyNsAt(nowNs: number): number {
    return this.busyNs.value + this.busyCores * (nowNs - this.sinceNs);
  }

  /** Core-nanoseconds received up to now by all jobs, gone and present. */
  receivedNsAt(nowNs: number): number {
    const { jobs } = this;
    if (jobs.count === 0) return this.receivedNs.value;
    const service = this.service.value + (this.busyCores / jobs.count) * (nowNs - this.sinceNs);
    let presentNs = 0;
    for (let i = 0; i < jobs.count; i++) presentNs += service - jobs.at(i).jobStart;
    return this.receivedNs.value + presentNs;
  }

  /** Time up to now in which jobs stood still because the quota was used up, ns. */
  throttledNsAt(nowNs: number): number {
    return this.throttledNs + (this.waitsForPeriod ? nowNs - this.sinceNs : 0);
  }

  /** Ends a tick of the recorder. */
  nextTick(): void {
    if (this.tickMaxCores > this.maxCores) this.maxCores = this.tickMaxCores;
    this.tickMaxCores = this.busyCores;
  }

  /** The pool gives it so many cores from now on; `reschedule` must follow. */
  grant(cores: number): void {
    this.advance();
    this.busyCores = cores;
    if (cores > this.tickMaxCores) this.tickMaxCores = cores;
  }

  /** Sets the timer to what happens next. */
  reschedule(): void {
    if (this.isFiring) return;
    if (this.jobs.count === 0) this.service.reset();
    const dueNs = this.dueNs();
    if (dueNs !== Infinity) {
      if (this.timer >= 0) this.queue.move(this.timer, dueNs);
      else this.timer = this.queue.at(dueNs, this.kind, this);
    } else if (this.timer >= 0) {
      this.queue.cancel(this.timer);
      this.timer = -1;
    }
  }

  private get mostCores(): number {
    return this.pool === null ? this.capCores : Math.min(this.capCores, this.pool.cores);
  }

  private get waitsForPeriod(): boolean {
    return this.quota !== null && this.quota.isUsedUp && !this.isFrozen && this.jobs.count > 0;
  }

  private changed(): void {
    this.settle();
    this.reschedule();
  }

  /** Tells the pool when it wants more or less. */
  private settle(): void {
    const want = this.wanted();
    if (want === this.want) return;
    this.want = want;
    if (this.pool === null) this.grant(want);
    else this.pool.share(this);
  }

  private wanted(): number {
    const { count } = this.jobs;
    if (this.isFrozen || this.allowedCores === 0) return 0;
    if (this.quota !== null) return this.quota.isUsedUp ? 0 : Math.min(count, this.pool?.cores ?? Infinity);
    return Math.min(count * (1 - this.stolen), this.allowedCores);
  }

  private leave(call: Call): void {
    this.jobs.remove(call);
    this.receivedNs.add(this.service.value - call.jobStart);
  }

  private advance(): void {
    const { now } = this.queue;
    const elapsedNs = now - this.sinceNs;
    if (elapsedNs === 0) return;
    if (this.busyCores > 0) {
      this.service.add((this.busyCores / this.jobs.count) * elapsedNs);
      this.busyNs.add(this.busyCores * elapsedNs);
    } else if (this.waitsForPeriod) this.throttledNs += elapsedNs;
    this.quota?.use(this.busyCores, elapsedNs, now);
    this.sinceNs = now;
  }

  /** When something happens if nothing changes before; Infinity: nothing. */
  private dueNs(): number {
    const { quota, queue, busyCores } = this;
    if (busyCores === 0) return quota !== null && this.waitsForPeriod ? quota.nextPeriodNs : Infinity;
    const doneNs = queue.now + stepsTo((this.jobs.firstEnd - this.service.value) * this.nsPerService());
    return quota === null ? doneNs : Math.min(doneNs, quota.endNs(busyCores, queue.now));
  }

  /** Time that a job takes for one unit of service, ns of the clock. */
  private nsPerService(): number {
    return this.jobs.count / this.busyCores;
  }
}
