import { exitCodes, FaultreelError } from '../../errors.js';
import { grouped } from '../../scenario/grouped.js';
import { zero } from './zero.js';

/** Work of one event that is nobody's any more: seconds of it, in which no interrupt takes hold. */
const mostAtOneGo = 50_000_000;
/** As much work as a small integer holds. */
const mostWork = 1_000_000_000;

/** Number of a kind of event, whose subject has the type. */
export type Kind<Subject> = number & { readonly subject?: Subject };

/** Timers of one kind that all wait equally long, so that whoever comes later is due later: a list, of which only the first is in the heap. */
export interface Lane<Subject> {
  readonly number: number;
  /** NaN: nobody's wait, so that nobody stands in it. */
  readonly waitNs: number;
  readonly kind: Kind<Subject>;
  /** Timer that stands in the heap for all of them: due when the first is, or earlier when those before it have been cancelled. */
  readonly sign: number;
  isInHeap: boolean;
  first: number;
  last: number;
}

/** Kind of the signs of lanes. */
const laneKind = 0;

/**
 * The simulation's clock and agenda. Time is whole nanoseconds in a double; events at one time happen in the order they were scheduled.
 *
 * Timers live in a 4-ary heap of typed arrays, are cancelled and moved in place, and are known by a small integer. One that fires stays on top until the next
 * timer takes its place, which saves half of the sifting. Timers that wait equally long, timeouts above all, stand in lanes: they come and go without any
 * sifting. What happens at the present instant goes through a ring (`soon`), which costs a tenth.
 */
export class EventQueue {
  /** Present time, ns. */
  now = zero;
  /** Events handled so far. */
  processed = 0;
  /** Work that was left when `runUntil` stopped: an event is one, and so is each step inside it; below 0, the last event took more than there was. */
  left = 0;

  private readonly handlers: ((subject: never) => void)[] = [() => undefined];
  private readonly lanes: Lane<unknown>[] = [];
  private sequence = 0;

  private capacity = 1024;
  /** By timer; of one in a lane its lane knows. */
  private kinds = new Uint16Array(this.capacity);
  private readonly subjects: unknown[] = [];
  /** Position in the heap; below 0: −1 − number of its lane. */
  private positions = new Int32Array(this.capacity);
  /** When it is due, and its turn among those of that time: of timers in lanes. */
  private times = new Float64Array(this.capacity);
  private sequences = new Float64Array(this.capacity);
  /** Neighbours in its lane; `later` threads the free numbers, too. */
  private earlier = new Int32Array(this.capacity);
  private later = new Int32Array(this.capacity);
  private free = -1;
  private used = 0;

  private heapSize = 0;
  /** An empty heap has Infinity on top. */
  private heapTimes = new Float64Array(this.capacity).fill(Infinity, 0, 1);
  private heapSequences = new Float64Array(this.capacity);
  private heapTimers = new Int32Array(this.capacity);
  /** What is on top has fired. */
  private topIsOver = false;

  private ringMask = 1023;
  private ringKinds = new Uint16Array(this.ringMask + 1);
  private ringSubjects = Array<unknown>(this.ringMask + 1).fill(null);
  private ringSequences = new Float64Array(this.ringMask + 1);
  private ringHead = 0;
  private ringCount = 0;

  /** Says what to do with one kind of event; returns the kind's number. */
  register<Subject = number>(handler: (subject: Subject) => void): Kind<Subject> {
    if (this.handlers.length === 65_536) throw new RangeError('at most 65,535 kinds of events');
    return this.handlers.push(handler) - 1;
  }

  /** Makes a lane, for timers that all wait equally long. */
  lane<Subject>(waitNs: number, kind: Kind<Subject>): Lane<Subject> {
    const lane: Lane<Subject> = { number: this.lanes.length, waitNs, kind, sign: this.take(), isInHeap: false, first: -1, last: -1 };
    this.kinds[lane.sign] = laneKind;
    this.subjects[lane.sign] = lane;
    this.lanes.push(lane);
    return lane;
  }

  /** Schedules a timer at `timeNs` (not before now). Returns its number, valid until it has fired or been cancelled. */
  at<Subject>(timeNs: number, kind: Kind<Subject>, subject: Subject): number {
    if (this.topIsOver) {
      this.topIsOver = false;
      const timer = this.heapTimers[0];
      this.kinds[timer] = kind;
      this.subjects[timer] = subject;
      this.siftDown(0, timer, timeNs, this.sequence++);
      return timer;
    }
    const timer = this.take();
    this.kinds[timer] = kind;
    this.subjects[timer] = subject;
    this.siftUp(this.heapSize++, timer, timeNs, this.sequence++);
    return timer;
  }

  /** Schedules a timer so long from now: in the lane when it waits as long as all there, else in the heap. */
  in<Subject>(delayNs: number, lane: Lane<Subject>, subject: Subject): number {
    return delayNs === lane.waitNs ? this.after(lane, subject) : this.at(this.now + delayNs, lane.kind, subject);
  }

  /** Schedules a timer at the end of the lane: what `at(now + waitNs, kind, subject)` does, and for less. */
  after<Subject>(lane: Lane<Subject>, subject: Subject): number {
    const timer = this.take();
    const timeNs = this.now + lane.waitNs;
    const sequence = this.sequence++;
    this.subjects[timer] = subject;
    this.positions[timer] = -1 - lane.number;
    this.times[timer] = timeNs;
    this.sequences[timer] = sequence;
    this.earlier[timer] = lane.last;
    this.later[timer] = -1;
    if (lane.last >= 0) this.later[lane.last] = timer;
    else lane.first = timer;
    lane.last = timer;
    if (!lane.isInHeap) {
      lane.isInHeap = true;
      this.siftUp(this.heapSize++, lane.sign, timeNs, sequence);
    }
    return timer;
  }

  /** Moves a timer to another time; among events of that time it is the newest. */
  move(timer: number, timeNs: number): void {
    const sequence = this.sequence++;
    const position = this.positions[timer];
    if (position < 0) {
      const lane = this.lanes[-1 - position];
      this.unlink(timer, lane);
      this.kinds[timer] = lane.kind;
      this.siftUp(this.heapSize++, timer, timeNs, sequence);
    } else if (timeNs < this.heapTimes[position]) this.siftUp(position, timer, timeNs, sequence);
    else this.siftDown(position, timer, timeNs, sequence);
  }

  cancel(timer: number): void {
    const position = this.positions[timer];
    if (position < 0) this.unlink(timer, this.lanes[-1 - position]);
    else this.removeAt(position);
    this.release(timer);
  }

  /** Schedules for the present instant, after everything that is already due now. */
  soon<Subject>(kind: Kind<Subject>, subject: Subject): void {
    if (this.ringCount > this.ringMask) this.growRing();
    const slot = (this.ringHead + this.ringCount++) & this.ringMask;
    this.ringKinds[slot] = kind;
    this.ringSubjects[slot] = subject;
    this.ringSequences[slot] = this.sequence++;
  }

  /** Takes from what is left: work inside an event, which is as long as its steps are many. */
  spend(work: number): void {
    this.left -= work;
    if (this.left < -mostAtOneGo) throw tooMuchAtOneGo();
  }

  /** Handles every event before `untilNs`, then sets the clock there; or stops after `atMost` work: false, to be called again. */
  runUntil(untilNs: number, atMost = mostWork): boolean {
    this.left = atMost;
    while (this.left > 0) {
      if (this.ringCount > 0 && !this.timerComesFirst()) this.handleSoon();
      else if (this.heapTimes[0] >= untilNs) {
        this.now = untilNs;
        return true;
      } else if (this.kinds[this.heapTimers[0]] === laneKind) this.handleLane();
      else this.handleTop();
    }
    return false;
  }

  /** Whether a timer is due at this instant that was scheduled before the first in the ring. */
  private timerComesFirst(): boolean {
    return this.heapTimes[0] === this.now && this.heapSequences[0] < this.ringSequences[this.ringHead];
  }

  private handleSoon(): void {
    const slot = this.ringHead;
    this.ringHead = (slot + 1) & this.ringMask;
    this.ringCount--;
    this.left--;
    this.processed++;
    this.handlers[this.ringKinds[slot]](this.ringSubjects[slot] as never);
  }

  private handleTop(): void {
    const timer = this.heapTimers[0];
    this.now = this.heapTimes[0];
    this.left--;
    this.processed++;
    this.topIsOver = true;
    this.handlers[this.kinds[timer]](this.subjects[timer] as never);
    if (!this.topIsOver) return;
    this.topIsOver = false;
    this.removeAt(0);
    this.release(timer);
  }

  /** The sign of a lane is on top: the first of the lane is due, or later than the sign says. */
  private handleLane(): void {
    const lane = this.subjects[this.heapTimers[0]] as Lane<unknown>;
    const timer = lane.first;
    const isDue = timer >= 0 && this.times[timer] === this.heapTimes[0] && this.sequences[timer] === this.heapSequences[0];
    if (isDue) this.unlink(timer, lane);
    if (lane.first >= 0) this.siftDown(0, lane.sign, this.times[lane.first], this.sequences[lane.first]);
    else {
      lane.isInHeap = false;
      this.removeAt(0);
    }
    if (!isDue) return;
    this.now = this.times[timer];
    this.left--;
    this.processed++;
    const subject = this.subjects[timer];
    this.release(timer);
    this.handlers[lane.kind](subject as never);
  }

  private unlink(timer: number, lane: Lane<unknown>): void {
    const { earlier, later } = this;
    if (earlier[timer] >= 0) later[earlier[timer]] = later[timer];
    else lane.first = later[timer];
    if (later[timer] >= 0) earlier[later[timer]] = earlier[timer];
    else lane.last = earlier[timer];
  }

  private removeAt(position: number): void {
    const last = --this.heapSize;
    if (last === 0) this.heapTimes[0] = Infinity;
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
    const { heapTimes, heapSequences, heapTimers, positions } = this;
    let position = from;
    while (position > 0) {
      const parent = (position - 1) >> 2;
      if (!(timeNs < heapTimes[parent] || (timeNs === heapTimes[parent] && sequence < heapSequences[parent]))) break;
      heapTimes[position] = heapTimes[parent];
      heapSequences[position] = heapSequences[parent];
      positions[(heapTimers[position] = heapTimers[parent])] = position;
      position = parent;
    }
    heapTimes[position] = timeNs;
    heapSequences[position] = sequence;
    heapTimers[position] = timer;
    positions[timer] = position;
  }

  private siftDown(from: number, timer: number, timeNs: number, sequence: number): void {
    const { heapTimes, heapSequences, heapTimers, positions, heapSize } = this;
    let position = from;
    for (;;) {
      const first = position * 4 + 1;
      if (first >= heapSize) break;
      let least = first;
      let leastNs = heapTimes[first];
      const end = Math.min(first + 4, heapSize);
      for (let child = first + 1; child < end; child++) {
        const childNs = heapTimes[child];
        if (childNs > leastNs || (childNs === leastNs && heapSequences[child] > heapSequences[least])) continue;
        least = child;
        leastNs = childNs;
      }
      if (timeNs < leastNs || (timeNs === leastNs && sequence < heapSequences[least])) break;
      heapTimes[position] = leastNs;
      heapSequences[position] = heapSequences[least];
      positions[(heapTimers[position] = heapTimers[least])] = position;
      position = least;
    }
    heapTimes[position] = timeNs;
    heapSequences[position] = sequence;
    heapTimers[position] = timer;
    positions[timer] = position;
  }

  /** A number that no timer has. */
  private take(): number {
    const timer = this.free;
    if (timer < 0) return this.grow();
    this.free = this.later[timer];
    return timer;
  }

  private release(timer: number): void {
    this.later[timer] = this.free;
    this.free = timer;
  }

  private grow(): number {
    if (this.used === this.capacity) {
      this.capacity *= 2;
      this.kinds = resized(this.kinds, new Uint16Array(this.capacity));
      for (const name of ['positions', 'earlier', 'later', 'heapTimers'] as const) this[name] = resized(this[name], new Int32Array(this.capacity));
      for (const name of ['times', 'sequences', 'heapTimes', 'heapSequences'] as const) this[name] = resized(this[name], new Float64Array(this.capacity));
    }
    this.subjects.push(null);
    return this.used++;
  }

  private growRing(): void {
    const size = this.ringMask + 1;
    const unrolled = <T extends Uint16Array | Float64Array>(from: T, to: T): T => {
      to.set(from.subarray(this.ringHead), 0);
      to.set(from.subarray(0, this.ringHead), size - this.ringHead);
      return to;
    };
    this.ringKinds = unrolled(this.ringKinds, new Uint16Array(size * 2));
    this.ringSequences = unrolled(this.ringSequences, new Float64Array(size * 2));
    this.ringSubjects = [...this.ringSubjects.slice(this.ringHead), ...this.ringSubjects.slice(0, this.ringHead), ...Array<unknown>(size).fill(null)];
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
