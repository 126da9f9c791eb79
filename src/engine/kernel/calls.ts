import { exitCodes, FaultreelError } from '../../errors.js';
import { bounds } from '../../scenario/limits.js';

/** How a call ended, as small numbers for the hot path; the order is that of the columns in the study. */
export const outcome = { good: 0, declined: 1, refused: 2, failed: 3 } as const;
export type Outcome = 0 | 1 | 2 | 3;

/**
 * Flags of a call. `abandoned`: nobody waits for its end. `offSlots`: takes neither slot nor queue. `granted`: what it waited for is its own, it goes on at this
 * instant. `branch`: one of several programs that a call runs at once. `message`: lies in a queue, or was taken out of one. `fresh`: its first turn of the event
 * loop has not begun. `lost`: no answer will ever come. `ended`: stands still with an end to be told when its process goes on.
 * `standing`: in the list of those that stand still; what is seen when its process goes on: `due`: its timer or the timeout of its attempt was due; `told`: the
 * answer of its attempt is there; `late`: its deadline has passed.
 */
export const flag = { abandoned: 1, probe: 2, holdsSlot: 4, inside: 8, offSlots: 16, granted: 32, branch: 64, message: 128, fresh: 256, lost: 512, ended: 1024, atDoor: 2048, standing: 4096, due: 8192, told: 16384, late: 32768 } as const;

/** What a call is in: what must be undone when it is taken out of it. `over`: there is none; its place waits for another. */
export const stage = {
  running: 0, travelling: 1, held: 2, queued: 3, computing: 4, waiting: 5, pooled: 6, asking: 7, backingOff: 8, locked: 9, branching: 10, frozen: 11, greeting: 12, greetingCaller: 13, greetingCallee: 14, over: 15,
} as const;

/**
 * All calls in flight, as a structure of typed arrays with recycled places: nothing is allocated per request once the pool has grown.
 * A call is one attempt of a request at a service, a request at its source, a probe, a message, or a branch of another call. −1 stands for none.
 */
export class CallPool {
  private capacity = 1024;

  /** `most`: calls that may exist at once. */
  constructor(private readonly most: number = bounds.calls) {}

  private freeCalls: number[] = [];
  private used = 0;
  /** Calls that exist now. */
  live = 0;

  /** Numbers of calls are below this, those that are over among them. */
  get everUsed(): number {
    return this.used;
  }

  /** The call that waits for this one; −1 for a request at its source, a probe, and one whose caller died. */
  parent = new Int32Array(this.capacity);
  /** The attempt this call waits for, or the first of its branches. */
  child = new Int32Array(this.capacity);
  /** Where it runs: index of an instance or a traffic source. */
  place = new Int32Array(this.capacity);
  /** Which link of the caller it came over, and the caller's place. */
  link = new Int32Array(this.capacity);
  caller = new Int32Array(this.capacity);
  /** Target among the callee's instances, from 0. */
  target = new Int32Array(this.capacity);
  /** Number of the request's name. */
  request = new Int32Array(this.capacity);
  program = new Int32Array(this.capacity);
  /** Next op of the program. */
  step = new Int32Array(this.capacity);
  flags = new Uint16Array(this.capacity);
  stage = new Uint8Array(this.capacity);
  outcome = new Uint8Array(this.capacity);
  reason = new Int32Array(this.capacity);
  /** Key of its draws. */
  key0 = new Int32Array(this.capacity);
  key1 = new Int32Array(this.capacity);
  /** Row that it is about: the same number is the same row for everybody; −1 = one of its own. */
  row = new Int32Array(this.capacity);
  /** Socket that it came over, and how many services that forward it lie behind it. */
  socket = new Int32Array(this.capacity);
  depth = new Int32Array(this.capacity);
  /** What the source wants to be told at its end. */
  tag = new Int32Array(this.capacity);
  /** Connection that an attempt goes over; −1 = none, or one that a transaction holds. */
  connection = new Int32Array(this.capacity);
  /** Attempts made in the call step that it is in: all, those since the step's own last retry, and those retries. */
  tries = new Int32Array(this.capacity);
  linkTries = new Int32Array(this.capacity);
  stepTries = new Int32Array(this.capacity);
  /** Branches that still run, or deliveries of a push still to be made. */
  left = new Int32Array(this.capacity);
  /** First of the transactions, locks and units that it holds. */
  holding = new Int32Array(this.capacity);
  /** Timer of what it is in (wait, pool wait, patience, lock, back-off), the caller's timeout on it, and its own deadline on the call it makes. */
  timer = new Int32Array(this.capacity);
  timeoutTimer = new Int32Array(this.capacity);
  deadlineTimer = new Int32Array(this.capacity);
  /** When the attempt was sent (a request at its source: when it arrived there), and when it reached the instance, ns. */
  sentNs = new Float64Array(this.capacity);
  arrivedNs = new Float64Array(this.capacity);
  /** When it began to wait for a connection or a lock, ns. */
  waitingNs = new Float64Array(this.capacity);
  /** Window of phases it arrived in (requests at their source). */
  segment = new Int32Array(this.capacity);
  /** Work that waits for its turn of the event loop, ns of one core. */
  demandNs = new Float64Array(this.capacity);
  /** Neighbours in the queue it stands in (slot, pool or lock). */
  next = new Int32Array(this.capacity);
  previous = new Int32Array(this.capacity);
  /** Neighbours among all calls inside the same instance, or among branches of one call. */
  nextInside = new Int32Array(this.capacity);
  previousInside = new Int32Array(this.capacity);
  /** Place in the heap of computing calls, and the service received at which it is done. */
  jobPosition = new Int32Array(this.capacity);
  jobStart = new Float64Array(this.capacity);

  /** A fresh call with nothing set but links to nobody. */
  take(): number {
    if (this.freeCalls.length === 0 && this.used === this.capacity) this.grow();
    const call = this.freeCalls.length > 0 ? this.freeCalls.pop()! : this.used++;
    this.live++;
    this.parent[call] = -1;
    this.child[call] = -1;
    this.timer[call] = -1;
    this.timeoutTimer[call] = -1;
    this.deadlineTimer[call] = -1;
    this.flags[call] = 0;
    this.stage[call] = 0;
    this.step[call] = 0;
    this.row[call] = -1;
    this.socket[call] = -1;
    this.depth[call] = 0;
    this.connection[call] = -1;
    this.holding[call] = -1;
    this.outcome[call] = 0;
    this.reason[call] = -1;
    return call;
  }

  /** The call is over. A second time would hand out its place twice: that is a fault of the engine. */
  give(call: number): void {
    if (this.stage[call] === stage.over) throw new Error(`call ${call} is over already`);
    this.stage[call] = stage.over;
    this.live--;
    this.freeCalls.push(call);
  }

  private grow(): void {
    if (this.capacity >= this.most) throw new FaultreelError(exitCodes.invalidScenario, { message: `more than ${this.capacity} calls at once: the scenario asks for more than can be simulated`, hint: 'Look for steps that multiply (`parallel`, `times`, `publish`), for queues without a limit, or for a load far above what the system can do. On a machine with memory to spare: --set bounds.calls=…' });
    this.capacity *= 2;
    const ints = ['parent', 'child', 'place', 'link', 'caller', 'target', 'request', 'program', 'step', 'reason', 'key0', 'key1', 'row', 'socket', 'depth', 'tag', 'connection', 'tries', 'linkTries', 'stepTries', 'left', 'holding', 'timer', 'timeoutTimer', 'deadlineTimer', 'segment', 'next', 'previous', 'nextInside', 'previousInside', 'jobPosition'] as const;
    for (const name of ints) this[name] = extended(this[name], new Int32Array(this.capacity));
    for (const name of ['sentNs', 'arrivedNs', 'waitingNs', 'demandNs', 'jobStart'] as const) this[name] = extended(this[name], new Float64Array(this.capacity));
    for (const name of ['stage', 'outcome'] as const) this[name] = extended(this[name], new Uint8Array(this.capacity));
    this.flags = extended(this.flags, new Uint16Array(this.capacity));
  }
}

const extended = <T extends Uint8Array | Uint16Array | Int32Array | Float64Array>(from: T, to: T): T => {
  to.set(from);
  return to;
};

/** A first-come-first-served queue of calls, threaded through `next` and `previous`. */
export class CallQueue {
  length = 0;
  private head = -1;
  private tail = -1;

  constructor(private readonly calls: CallPool) {}

  /** The call that has waited longest, −1 = none. */
  get first(): number {
    return this.head;
  }

  push(call: number): void {
    this.calls.next[call] = -1;
    this.calls.previous[call] = this.tail;
    if (this.tail >= 0) this.calls.next[this.tail] = call;
    else this.head = call;
    this.tail = call;
    this.length++;
  }

  /** The longest waiting call, taken out; −1 when the queue is empty. */
  shift(): number {
    const call = this.head;
    if (call >= 0) this.remove(call);
    return call;
  }

  remove(call: number): void {
    const { next, previous } = this.calls;
    if (previous[call] >= 0) next[previous[call]] = next[call];
    else this.head = next[call];
    if (next[call] >= 0) previous[next[call]] = previous[call];
    else this.tail = previous[call];
    this.length--;
  }

  clear(): void {
    this.head = -1;
    this.tail = -1;
    this.length = 0;
  }
}
