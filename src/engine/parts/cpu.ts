import type { CallPool } from '../kernel/calls.js';
import type { EventQueue } from '../kernel/event-queue.js';

/** How near its end a job must be to be done, ns of the clock: half a step, so that ends are rounded to the nearest. */
const doneWithinNs = 0.5;

/**
 * Processor sharing inside one container (rule 1): all computing calls share its cores equally, none gets more than one core.
 *
 * Virtual time makes a change cost O(log n): `service` is what one job has received since the container was last idle, a job is done when that has
 * grown by its demand, and only the nearest end has a timer. The arithmetic is the symmetric queue with rate min(n, cores).
 */
export class Container {
  /** Cores it may use now: the smaller of its cap and what its pool gives. */
  cores: number;
  /** Jobs, as a heap by the service at which each is done. */
  private jobs: Int32Array = new Int32Array(64);
  private ends: Float64Array = new Float64Array(64);
  count = 0;

  /** Service that each job present has received, ns of one core. */
  private service = 0;
  private sinceNs = 0;
  private timer = -1;

  /** Core-nanoseconds used: ∫ busy cores dt up to the last change. */
  busyNs = 0;
  /** Core-nanoseconds received by jobs that have left; with those present it equals `busyNs` (utilisation law). */
  receivedNs = 0;
  tickMaxCores = 0;
  maxCores = 0;

  /** `finished` is called for each job that is done, at that instant. */
  constructor(
    private readonly queue: EventQueue,
    private readonly calls: CallPool,
    cores: number,
    private readonly kind: number,
    private readonly index: number,
  ) {
    this.cores = cores;
  }

  /** Cores in use at present. */
  get busyCores(): number {
    return Math.min(this.count, this.cores);
  }

  /** A call begins to compute `demandNs` of one core. */
  begin(call: number, demandNs: number): void {
    this.advance();
    if (this.count === this.jobs.length) this.grow();
    this.calls.jobStart[call] = this.service;
    this.siftUp(this.count++, call, this.service + demandNs);
    this.changed();
  }

  /** The call stops computing before it is done. */
  remove(call: number): void {
    this.advance();
    this.takeOut(this.calls.jobPosition[call]);
    this.receivedNs += this.service - this.calls.jobStart[call];
    this.changed();
  }

  /** The timer fired: hands over every job that is done. */
  fire(finished: (call: number) => void): void {
    this.timer = -1;
    this.advance();
    while (this.count > 0 && this.leftNs() <= doneWithinNs) {
      const call = this.jobs[0];
      this.takeOut(0);
      this.receivedNs += this.service - this.calls.jobStart[call];
      finished(call);
      this.advance();
    }
    this.changed();
  }

  /** Gives it other cores from now on. */
  setCores(cores: number): void {
    this.advance();
    this.cores = cores;
    this.changed();
  }

  /** Forgets every job (its process died). */
  clear(): void {
    this.advance();
    for (let i = 0; i < this.count; i++) this.receivedNs += this.service - this.calls.jobStart[this.jobs[i]];
    this.count = 0;
    this.changed();
  }

  /** Core-nanoseconds used up to now. */
  busyNsAt(nowNs: number): number {
    return this.busyNs + this.busyCores * (nowNs - this.sinceNs);
  }

  /** Core-nanoseconds received up to now by all jobs, gone and present. */
  receivedNsAt(nowNs: number): number {
    const service = this.count === 0 ? this.service : this.service + (this.busyCores / this.count) * (nowNs - this.sinceNs);
    let received = this.receivedNs;
    for (let i = 0; i < this.count; i++) received += service - this.calls.jobStart[this.jobs[i]];
    return received;
  }

  /** Ends a tick of the recorder. */
  nextTick(): void {
    if (this.tickMaxCores > this.maxCores) this.maxCores = this.tickMaxCores;
    this.tickMaxCores = this.busyCores;
  }

  private advance(): void {
    const elapsedNs = this.queue.now - this.sinceNs;
    if (elapsedNs > 0 && this.count > 0) {
      const busy = this.busyCores;
      this.service += (busy / this.count) * elapsedNs;
      this.busyNs += busy * elapsedNs;
    }
    this.sinceNs = this.queue.now;
  }

  private changed(): void {
    const busy = this.busyCores;
    if (busy > this.tickMaxCores) this.tickMaxCores = busy;
    if (this.count === 0 || busy === 0) {
      if (this.count === 0) this.service = 0;
      if (this.timer >= 0) this.queue.cancel(this.timer);
      this.timer = -1;
      return;
    }
    const dueNs = this.queue.now + Math.max(0, Math.ceil(this.leftNs() - doneWithinNs));
    if (this.timer >= 0) this.queue.move(this.timer, dueNs);
    else this.timer = this.queue.at(dueNs, this.kind, this.index);
  }

  /** Time until the next job is done if nothing changes, ns of the clock. */
  private leftNs(): number {
    return (this.ends[0] - this.service) * (this.count / this.busyCores);
  }

  private takeOut(position: number): void {
    const last = --this.count;
    if (position === last) return;
    const call = this.jobs[last];
    const end = this.ends[last];
    if (position > 0 && end < this.ends[(position - 1) >> 1]) this.siftUp(position, call, end);
    else this.siftDown(position, call, end);
  }

  private siftUp(from: number, call: number, end: number): void {
    let position = from;
    while (position > 0) {
      const parent = (position - 1) >> 1;
      if (this.ends[parent] <= end) break;
      this.place(position, this.jobs[parent], this.ends[parent]);
      position = parent;
    }
    this.place(position, call, end);
  }

  private siftDown(from: number, call: number, end: number): void {
    let position = from;
    for (;;) {
      let child = position * 2 + 1;
      if (child >= this.count) break;
      if (child + 1 < this.count && this.ends[child + 1] < this.ends[child]) child++;
      if (end <= this.ends[child]) break;
      this.place(position, this.jobs[child], this.ends[child]);
      position = child;
    }
    this.place(position, call, end);
  }

  private place(position: number, call: number, end: number): void {
    this.jobs[position] = call;
    this.ends[position] = end;
    this.calls.jobPosition[call] = position;
  }

  private grow(): void {
    const jobs = new Int32Array(this.jobs.length * 2);
    jobs.set(this.jobs);
    this.jobs = jobs;
    const ends = new Float64Array(this.ends.length * 2);
    ends.set(this.ends);
    this.ends = ends;
  }
}
