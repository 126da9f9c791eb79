import { exitCodes, FaultreelError } from '../../errors.js';
import { bounds } from '../../scenario/limits.js';
import type { Holding } from '../flow/holdings.js';
import type { Instance } from '../parts/instance.js';
import type { CallerLink, SharedLink } from '../parts/link.js';
import { good, type Outcome } from './outcome.js';
import { over, running } from './stage.js';
import { emptyProgram, Op, type Program } from '../plan/program.js';

export * as flag from './flag.js';
export * as outcome from './outcome.js';
export * as stage from './stage.js';
export type { Outcome } from './outcome.js';


/** What a call is in before its first op. */
const blank = new Op();

/** Somewhere that programs run: an instance, or (`instance` is null) a source of requests. */
export class Place {
  /** Its own copies of its links, in the order of the plan, then those over which a queue gives its messages away. */
  readonly links: CallerLink[] = [];

  /** `number`: among all places, instances first, then sources. */
  constructor(readonly number: number, readonly instance: Instance | null) {}
}

/**
 * One attempt of a request at a service, a request at its source, a probe, a message, or a branch of another call. Calls are used again and again, so that
 * none is allocated once there are enough. Every field has its one type from the start: V8 then reads and writes it in place.
 */
export class Call {
  /** Flags of `flag`, code of `stage`. */
  flags = 0;
  stage: number = over;
  /** Where it runs. */
  place: Place;
  /** The same, when it is an instance. */
  instance: Instance | null = null;
  /** The call that waits for this one; null for a request at its source, a probe, and one whose caller died. */
  parent: Call | null = null;
  /** The attempt this call waits for, or the first of its branches. */
  child: Call | null = null;
  program: Program = emptyProgram;
  /** Number of the next op, and the op that it is in. */
  step = 0;
  op: Op = blank;
  /** Key of its draws. */
  key0 = 0;
  key1 = 0;
  /** Number of the request's name; −1 at its source. */
  request = -1;
  /** Row that it is about: the same number is the same row for everybody; −1 = one of its own. */
  row = -1;
  /** The caller's copy of the link that it came over, and where the caller is; null for a probe, and for a message that lies in its queue. */
  link: CallerLink | null = null;
  caller: Place | null = null;
  /** What all callers share of that link; also of a probe. */
  shared: SharedLink | null = null;
  /** Target among the callee's instances, from 0. */
  target = -1;
  /** Connection that it goes over; −1 = none, or one that a transaction holds. */
  connection = -1;
  outcome: Outcome = 0;
  reason = -1;
  /** Timer of what it is in (wait, pool wait, patience, lock, back-off), the caller's timeout on it, and its own deadline on the call it makes. */
  timer = -1;
  timeoutTimer = -1;
  deadlineTimer = -1;
  /** When the attempt was sent (a request at its source: when it arrived there), when it reached the instance, when it began to wait for a connection or a lock, ns. */
  sentNs = NaN;
  arrivedNs = NaN;
  waitingNs = NaN;
  /** Work that waits for its turn of the event loop, ns of one core; and the service that others had received when it began to compute. */
  demandNs = NaN;
  jobStart = NaN;
  /** Place in the heap of computing calls, and which of them it is in the order of their beginnings. */
  jobPosition = -1;
  jobNumber = 0;
  /** Neighbours among all calls inside the same instance, or among branches of one call. */
  nextInside: Call | null = null;
  previousInside: Call | null = null;
  /** Neighbours in the queue it stands in (slot, pool or lock). */
  next: Call | null = null;
  previous: Call | null = null;
  /** Attempts made in the call step that it is in: all, those since the step's own last retry, and those retries. */
  tries = 0;
  linkTries = 0;
  stepTries = 0;
  /** Branches that still run, or deliveries of a push still to be made. */
  left = 0;
  /** First of the transactions, locks and units that it holds. */
  holding: Holding | null = null;
  /** Socket that it came over, and how many services that forward it lie behind it. */
  socket = -1;
  depth = 0;
  /** What the source wants to be told at its end, and the stretch of the run in which it arrived there (requests at their source). */
  tag = -1;
  segment = 0;

  constructor(place: Place) {
    this.place = place;
  }
}

/** All calls that there are. */
export class CallPool {
  /** Calls that exist now. */
  live = 0;
  /** Every call that was ever made, those that are over among them. */
  readonly all: Call[] = [];
  /** Those that are over, threaded through `next`. */
  private free: Call | null = null;

  /** `most`: calls that may exist at once. */
  constructor(private readonly most: number = bounds.calls) {}

  /** A fresh call at a place, in no program, with nothing set but links to nobody. */
  take(place: Place): Call {
    const call = this.free ?? this.make(place);
    this.free = call.next;
    this.live++;
    call.place = place;
    call.instance = place.instance;
    call.flags = 0;
    call.stage = running;
    call.parent = null;
    call.child = null;
    call.step = 0;
    call.row = -1;
    call.link = null;
    call.connection = -1;
    call.outcome = good;
    call.reason = -1;
    call.timer = -1;
    call.timeoutTimer = -1;
    call.deadlineTimer = -1;
    call.holding = null;
    call.socket = -1;
    call.depth = 0;
    return call;
  }

  /** The call is over. A second time would hand it out twice: that is a fault of the engine. */
  give(call: Call): void {
    if (call.stage === over) throw new Error('a call is over already');
    call.stage = over;
    this.live--;
    call.next = this.free;
    this.free = call;
  }

  private make(place: Place): Call {
    if (this.all.length >= this.most) throw new FaultreelError(exitCodes.invalidScenario, { message: `more than ${this.most} calls at once: the scenario asks for more than can be simulated`, hint: 'Look for steps that multiply (`parallel`, `times`, `publish`), for queues without a limit, or for a load far above what the system can do. On a machine with memory to spare: --set bounds.calls=…' });
    const call = new Call(place);
    this.all.push(call);
    return call;
  }
}

/** A first-come-first-served queue of calls, threaded through `next` and `previous`. */
export class CallQueue {
  length = 0;
  /** The call that has waited longest. */
  first: Call | null = null;
  private last: Call | null = null;

  push(call: Call): void {
    call.next = null;
    call.previous = this.last;
    if (this.last !== null) this.last.next = call;
    else this.first = call;
    this.last = call;
    this.length++;
  }

  /** The longest waiting call, taken out; null when the queue is empty. */
  shift(): Call | null {
    const call = this.first;
    if (call !== null) this.remove(call);
    return call;
  }

  remove(call: Call): void {
    const { next, previous } = call;
    if (previous !== null) previous.next = next;
    else this.first = next;
    if (next !== null) next.previous = previous;
    else this.last = previous;
    this.length--;
  }

  clear(): void {
    this.first = null;
    this.last = null;
    this.length = 0;
  }
}
