import { exitCodes, FaultreelError } from '../../errors.js';
import { grouped } from '../../scenario/grouped.js';

/** Work of one event that is nobody's any more: seconds of it, in which no interrupt takes hold. */
const mostAtOneGo = 50_000_000;

/**
 * The simulation's clock and agenda. Time is whole nanoseconds in a double; events at one time happen in the order they were scheduled.
 *
 * Timers live in a 4-ary heap of typed arrays, are cancelled and moved in place, and are known by a small integer.
 * What happens at the present instant goes through a ring instead (`soon`), which costs a tenth.
 */
export class EventQueue {
  /** Present time, ns. */
  now = 0;
  /** Events handled so far. */
  processed = 0;
  /** Work that is left before `runUntil` stops: an event is one, and so is each step inside it; below 0, the last event took more than there was. */
  left = 0;

  private handlers: ((argument: number) => void)[] = [];
  private sequence = 0;

  private capacity = 1024;
  private kinds = new Uint16Array(this.capacity);
  private arguments_ = new Int32Array(this.capacity);
  /** Heap position of each timer. */
  private positions = new Int32Array(this.capacity);
  private free: number[] = [];
  private used = 0;

  private heapSize = 0;
  private heapTimes = new Float64Array(this.capacity);
  private heapSequences = new Float64Array(this.capacity);
  private heapTimers = new Int32Array(this.capacity);

  private ringMask = 1023;
  private ringKinds = new Uint16Array(this.ringMask + 1);
  private ringArguments = new Int32Array(this.ringMask + 1);
  private ringSequences = new Float64Array(this.ringMask + 1);
  private ringHead = 0;
  private ringCount = 0;

  /** Says what to do with one kind of event; returns the kind's number. */
  register(handler: (argument: number) => void): number {
    if (this.handlers.length === 65_536) throw new RangeError('at most 65,536 kinds of events');
    return this.handlers.push(handler) - 1;
  }

  /** Schedules a timer at `timeNs` (not before now). Returns its number, valid until it has fired or been cancelled. */
  at(timeNs: number, kind: number, argument: number): number {
    const timer = this.free.length > 0 ? this.free.pop()! : this.grow();
    this.kinds[timer] = kind;
    this.arguments_[timer] = argument;
    this.siftUp(this.heapSize++, timer, timeNs, this.sequence++);
    return timer;
  }

  /** Moves a timer to another time; among events of that time it is the newest. */
  move(timer: number, timeNs: number): void {
    const position = this.positions[timer];
    const sequence = this.sequence++;
    if (timeNs < this.heapTimes[position]) this.siftUp(position, timer, timeNs, sequence);
    else this.siftDown(position, timer, timeNs, sequence);
  }

  cancel(timer: number): void {
    this.removeAt(this.positions[timer]);
    this.free.push(timer);
  }

  /** Schedules for the present instant, after everything that is already due now. */
  soon(kind: number, argument: number): void {
    if (this.ringCount > this.ringMask) this.growRing();
    const slot = (this.ringHead + this.ringCount++) & this.ringMask;
    this.ringKinds[slot] = kind;
    this.ringArguments[slot] = argument;
    this.ringSequences[slot] = this.sequence++;
  }

  /** Takes from what is left: work inside an event, which is as long as its steps are many. */
  spend(work: number): void {
    this.left -= work;
    if (this.left < -mostAtOneGo) throw tooMuchAtOneGo();
  }

  /** Handles every event before `untilNs`, then sets the clock there; or stops after `atMost` work: false, to be called again. */
  runUntil(untilNs: number, atMost = Infinity): boolean {
    this.left = atMost;
    for (;;) {
      if (this.left <= 0) return false;
      const timerDue = this.heapSize > 0;
      if (this.ringCount > 0 && !(timerDue && this.heapTimes[0] === this.now && this.heapSequences[0] < this.ringSequences[this.ringHead])) {
        const slot = this.ringHead;
        this.ringHead = (slot + 1) & this.ringMask;
        this.ringCount--;
        this.processed++;
        this.left--;
        this.handlers[this.ringKinds[slot]](this.ringArguments[slot]);
        continue;
      }
      if (!timerDue || this.heapTimes[0] >= untilNs) break;
      const timer = this.heapTimers[0];
      this.now = this.heapTimes[0];
      this.removeAt(0);
      this.free.push(timer);
      this.processed++;
      this.left--;
      this.handlers[this.kinds[timer]](this.arguments_[timer]);
    }
    this.now = untilNs;
    return true;
  }

  private removeAt(position: number): void {
    const last = --this.heapSize;
    if (position === last) return;
    const timer = this.heapTimers[last];
    const timeNs = this.heapTimes[last];
    const sequence = this.heapSequences[last];
    if (position > 0 && this.isBefore(timeNs, sequence, (position - 1) >> 2)) this.siftUp(position, timer, timeNs, sequence);
    else this.siftDown(position, timer, timeNs, sequence);
  }

  private isBefore(timeNs: number, sequence: number, position: number): boolean {
    const other = this.heapTimes[position];
    return timeNs < other || (timeNs === other && sequence < this.heapSequences[position]);
  }

  private siftUp(from: number, timer: number, timeNs: number, sequence: number): void {
    let position = from;
    while (position > 0) {
      const parent = (position - 1) >> 2;
      if (!this.isBefore(timeNs, sequence, parent)) break;
      this.copy(parent, position);
      position = parent;
    }
    this.place(position, timer, timeNs, sequence);
  }

  private siftDown(from: number, timer: number, timeNs: number, sequence: number): void {
    const times = this.heapTimes;
    const sequences = this.heapSequences;
    let position = from;
    for (;;) {
      const first = position * 4 + 1;
      if (first >= this.heapSize) break;
      let least = first;
      const end = Math.min(first + 4, this.heapSize);
      for (let child = first + 1; child < end; child++) {
        if (times[child] < times[least] || (times[child] === times[least] && sequences[child] < sequences[least])) least = child;
      }
      if (timeNs < times[least] || (timeNs === times[least] && sequence < sequences[least])) break;
      this.copy(least, position);
      position = least;
    }
    this.place(position, timer, timeNs, sequence);
  }

  private copy(from: number, to: number): void {
    const timer = this.heapTimers[from];
    this.heapTimes[to] = this.heapTimes[from];
    this.heapSequences[to] = this.heapSequences[from];
    this.heapTimers[to] = timer;
    this.positions[timer] = to;
  }

  private place(position: number, timer: number, timeNs: number, sequence: number): void {
    this.heapTimes[position] = timeNs;
    this.heapSequences[position] = sequence;
    this.heapTimers[position] = timer;
    this.positions[timer] = position;
  }

  private grow(): number {
    if (this.used === this.capacity) {
      this.capacity *= 2;
      this.kinds = resized(this.kinds, new Uint16Array(this.capacity));
      this.arguments_ = resized(this.arguments_, new Int32Array(this.capacity));
      this.positions = resized(this.positions, new Int32Array(this.capacity));
      this.heapTimes = resized(this.heapTimes, new Float64Array(this.capacity));
      this.heapSequences = resized(this.heapSequences, new Float64Array(this.capacity));
      this.heapTimers = resized(this.heapTimers, new Int32Array(this.capacity));
    }
    return this.used++;
  }

  private growRing(): void {
    const size = this.ringMask + 1;
    const unrolled = <T extends Uint16Array | Int32Array | Float64Array>(from: T, to: T): T => {
      to.set(from.subarray(this.ringHead), 0);
      to.set(from.subarray(0, this.ringHead), size - this.ringHead);
      return to;
    };
    this.ringKinds = unrolled(this.ringKinds, new Uint16Array(size * 2));
    this.ringArguments = unrolled(this.ringArguments, new Int32Array(size * 2));
    this.ringSequences = unrolled(this.ringSequences, new Float64Array(size * 2));
    this.ringHead = 0;
    this.ringMask = size * 2 - 1;
  }
}

const tooMuchAtOneGo = (): FaultreelError => new FaultreelError(exitCodes.invalidScenario, {
  message: `more than ${grouped(mostAtOneGo)} steps at one instant, of one request or one crash: the scenario asks for more than can be simulated`,
  hint: 'Give its steps some time, or let fewer follow each other: `times`, `take` and `put` inside one transaction, `push` to many sockets, crashes of what holds much',
});

const resized = <T extends Uint16Array | Int32Array | Float64Array>(from: T, to: T): T => {
  to.set(from);
  return to;
};
