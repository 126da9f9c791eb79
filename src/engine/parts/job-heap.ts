import type { Call } from '../kernel/calls.js';

/**
 * The computing calls of one container, as a binary heap by the service at which each is done. A call knows its place in it, so that one that stops early is
 * taken out in O(log n), too.
 */
export class JobHeap {
  count = 0;
  private readonly calls: Call[] = [];
  private ends = new Float64Array(64);

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
    this.siftUp(this.count++, call, end);
  }

  remove(call: Call): void {
    const position = call.jobPosition;
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

  private siftUp(from: number, call: Call, end: number): void {
    const { calls, ends } = this;
    let position = from;
    while (position > 0) {
      const parent = (position - 1) >> 1;
      if (ends[parent] <= end) break;
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
      if (child + 1 < count && ends[child + 1] < ends[child]) child++;
      if (end <= ends[child]) break;
      this.place(position, calls[child], ends[child]);
      position = child;
    }
    this.place(position, call, end);
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
