import type { Call } from '../kernel/calls.js';

/**
 * The computing calls of one container, as a binary heap by the service at which each is done, and among equals by when they began (rule 53). A call knows its
 * place in it, so that one that stops early is taken out in O(log n), too.
 */
export class JobHeap {
  count = 0;
  private readonly calls: Call[] = [];
  private ends = new Float64Array(64);
  private begun = 0;

  /** The call that is done first; only when there is one. */
  get first(): Call {
    return this.calls[0];
  }

  /** The service at which it is done, ns of one core. */
  get firstEnd(): number {
    return this.ends[0];
  }

  /** The calls in the order of the heap, from 0 to `count` − 1. */
  at(position: number): Call {
    return this.calls[position];
  }

  add(call: Call, end: number): void {
    if (this.count === this.ends.length) this.grow();
    if (this.count === 0) this.begun = 0;
    call.jobNumber = this.begun++;
    this.siftUp(this.count++, call, end);
  }

  remove(call: Call): void {
    const position = call.jobPosition;
    const last = --this.count;
    if (position === last) return;
    const moved = this.calls[last];
    const end = this.ends[last];
    if (position > 0 && this.isBefore(moved, end, (position - 1) >> 1)) this.siftUp(position, moved, end);
    else this.siftDown(position, moved, end);
  }

  clear(): void {
    this.count = 0;
  }

  private siftUp(from: number, call: Call, end: number): void {
    const { calls, ends } = this;
    let position = from;
    while (position > 0) {
      const parent = (position - 1) >> 1;
      if (!this.isBefore(call, end, parent)) break;
      this.place(position, calls[parent], ends[parent]);
      position = parent;
    }
    this.place(position, call, end);
  }

  private siftDown(from: number, call: Call, end: number): void {
    const { calls, ends, count } = this;
    let position = from;
    for (;;) {
      let child = position * 2 + 1;
      if (child >= count) break;
      if (child + 1 < count && this.isBefore(calls[child + 1], ends[child + 1], child)) child++;
      if (this.isBefore(call, end, child)) break;
      this.place(position, calls[child], ends[child]);
      position = child;
    }
    this.place(position, call, end);
  }

  private isBefore(call: Call, end: number, position: number): boolean {
    const other = this.ends[position];
    return end < other || (end === other && call.jobNumber < this.calls[position].jobNumber);
  }

  private place(position: number, call: Call, end: number): void {
    this.calls[position] = call;
    this.ends[position] = end;
    call.jobPosition = position;
  }

  private grow(): void {
    const ends = new Float64Array(this.ends.length * 2);
    ends.set(this.ends);
    this.ends = ends;
  }
}
