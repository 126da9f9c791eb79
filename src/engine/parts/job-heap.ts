import type { CallPool } from '../kernel/calls.js';

/**
 * The computing calls of one container, as a binary heap by the service at which each is done. A call's place is in `CallPool.jobPosition`,
 * so that one that stops early is taken out in O(log n), too.
 */
export class JobHeap {
  count = 0;
  private calls: Int32Array = new Int32Array(64);
  private ends: Float64Array = new Float64Array(64);

  constructor(private readonly pool: CallPool) {}

  /** The call that is done first; only when there is one. */
  get first(): number {
    return this.calls[0];
  }

  /** The service at which it is done, ns of one core. */
  get firstEnd(): number {
    return this.ends[0];
  }

  /** The calls in the order of the heap, from 0 to `count` − 1. */
  at(position: number): number {
    return this.calls[position];
  }

  add(call: number, end: number): void {
    if (this.count === this.calls.length) this.grow();
    this.siftUp(this.count++, call, end);
  }

  remove(call: number): void {
    const position = this.pool.jobPosition[call];
    const last = --this.count;
    if (position === last) return;
    const moved = this.calls[last];
    const end = this.ends[last];
    if (position > 0 && end < this.ends[(position - 1) >> 1]) this.siftUp(position, moved, end);
    else this.siftDown(position, moved, end);
  }

  clear(): void {
    this.count = 0;
  }

  private siftUp(from: number, call: number, end: number): void {
    let position = from;
    while (position > 0) {
      const parent = (position - 1) >> 1;
      if (this.ends[parent] <= end) break;
      this.place(position, this.calls[parent], this.ends[parent]);
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
      this.place(position, this.calls[child], this.ends[child]);
      position = child;
    }
    this.place(position, call, end);
  }

  private place(position: number, call: number, end: number): void {
    this.calls[position] = call;
    this.ends[position] = end;
    this.pool.jobPosition[call] = position;
  }

  private grow(): void {
    const calls = new Int32Array(this.calls.length * 2);
    calls.set(this.calls);
    this.calls = calls;
    const ends = new Float64Array(this.ends.length * 2);
    ends.set(this.ends);
    this.ends = ends;
  }
}
