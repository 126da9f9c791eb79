import { flag, outcome, stage, type CallPool, type Outcome } from '../kernel/calls.js';
import type { EventQueue } from '../kernel/event-queue.js';
import { pick, uniform } from '../kernel/keyed-draws.js';
import type { Host } from '../parts/host.js';
import type { Instance } from '../parts/instance.js';
import type { CallerLink, SharedLink } from '../parts/link.js';
import type { Lock } from '../parts/locks.js';
import type { Sockets } from '../parts/sockets.js';
import type { Stock } from '../parts/stock.js';
import type { Plan } from '../plan/plan.js';
import { opCode, type Op } from '../plan/program.js';
import { Attempts } from './attempts.js';
import { Branches } from './branches.js';
import { Connections } from './connections.js';
import { Door } from './door.js';
import { Handshakes, isGreeting } from './handshakes.js';
import { Holdings } from './holdings.js';
import { Messages } from './messages.js';
import { Pushes } from './pushes.js';
import { Retries } from './retries.js';
import { Stillness } from './stillness.js';
import { Wire } from './wire.js';
import { Wiring } from './wiring.js';

/** What the flow tells of requests at their source, of probes, of deliveries over sockets, and of locks that could not be had. */
export interface FlowListener {
  requestEnded(sourcePlace: number, call: number, outcome: Outcome, reason: number): void;
  probeEnded(link: number, target: number, good: boolean, reason: number): void;
  delivered(traffic: number, made: boolean): void;
  lockTimedOut(lock: Lock, waitNs: number): void;
}

/** Everything that calls run through. */
export interface FlowParts {
  readonly queue: EventQueue;
  readonly calls: CallPool;
  readonly plan: Plan;
  readonly instances: readonly Instance[];
  readonly sharedLinks: readonly SharedLink[];
  /** First instance of each service among all places. */
  readonly firstPlace: readonly number[];
  readonly locks: readonly Lock[];
  readonly stocks: readonly Stock[];
  readonly sockets: Sockets;
  /** Another row for a request of this source place, or for one inside the system (place of an instance). */
  readonly freshRow: (place: number, key0: number, key1: number, occurrence: number) => number;
}

/**
 * The life of a call: sent over a link, let in at the door, through the ops of its program, answered, taken up again by its caller.
 * Where a call waits for something it leaves the stack; everything goes on through the event queue. A place is an instance, or (from `instances.length` on) a
 * source of requests.
 */
export class Flow {
  /** Links of each place: its own copies, in the order of the plan, then those over which a queue gives its messages away. */
  readonly linksOf: CallerLink[][] = [];
  listener!: FlowListener;
  /** Set by the fleet: an instance is over its memory limit; a host is; nothing is inside an instance or on its way to it any more. */
  onOutOfMemory: (instance: Instance) => void = () => {};
  onHostOutOfMemory: (host: Host) => void = () => {};
  onEmpty: (instance: Instance) => void = () => {};

  readonly queue: EventQueue;
  readonly calls: CallPool;
  readonly plan: Plan;
  readonly instances: readonly Instance[];
  readonly wiring: Wiring;
  readonly wire: Wire;
  readonly attempts: Attempts;
  readonly connections: Connections;
  readonly handshakes: Handshakes;
  readonly retries: Retries;
  readonly stillness: Stillness;
  readonly door: Door;
  readonly holdings: Holdings;
  readonly messages: Messages;
  private readonly branches: Branches;
  private readonly pushes: Pushes;
  private readonly goOnKind: number;
  private readonly timerKind: number;

  constructor(readonly parts: FlowParts) {
    this.queue = parts.queue;
    this.calls = parts.calls;
    this.plan = parts.plan;
    this.instances = parts.instances;
    this.goOnKind = this.queue.register((call) => this.goOn(call));
    this.timerKind = this.queue.register((call) => this.timerFired(call));
    this.wiring = new Wiring(this);
    this.wire = new Wire(this);
    this.attempts = new Attempts(this);
    this.connections = new Connections(this);
    this.handshakes = new Handshakes(this);
    this.retries = new Retries(this);
    this.stillness = new Stillness(this);
    this.door = new Door(this);
    this.holdings = new Holdings(this);
    this.branches = new Branches(this);
    this.pushes = new Pushes(this);
    this.messages = new Messages(this);
  }

  /** A request begins at its source. Its key makes every draw below it. */
  beginRequest(place: number, program: number, key0: number, key1: number, row: number, tag: number, socket: number, segment: number): void {
    const { calls } = this;
    const call = calls.take();
    calls.place[call] = place;
    calls.program[call] = program;
    calls.request[call] = -1;
    calls.key0[call] = key0;
    calls.key1[call] = key1;
    calls.row[call] = row;
    calls.tag[call] = tag;
    calls.socket[call] = socket;
    calls.segment[call] = segment;
    calls.sentNs[call] = this.queue.now;
    this.run(call);
  }

  /**
   * The process of an instance dies: everything inside ends `failed: killed` at its caller one latency later; calls it had sent go on as
   * abandoned work; what it held is given back (rules 15 and 16). Returns how many requests were lost, running and queued.
   */
  kill(instance: Instance): { running: number; queued: number } {
    const { calls, queue } = this;
    const lost = this.inside(instance);
    this.holdings.processDied(instance.place);
    this.parts.sockets.breakAt(instance.place, (source, socket) => this.onSocketBroken(source, socket));
    for (let call = instance.firstInside; call >= 0; ) {
      const next = calls.nextInside[call];
      this.leave(call, instance.service.reasons.killed);
      this.holdings.releaseAll(call);
      this.door.depart(call, instance, outcome.failed, instance.service.reasons.killed);
      call = next;
    }
    this.door.clear(instance);
    this.handshakes.dropGreetings(instance);
    for (const link of this.linksOf[instance.place]) link.reset();
    instance.slots.set(0, queue.now);
    return lost;
  }

  /** Requests inside now; counted before any of them is taken out, for that hands on slots. */
  private inside({ firstInside }: Instance): { running: number; queued: number } {
    const { calls, door } = this;
    const found = { running: 0, queued: 0 };
    for (let call = firstInside; call >= 0; call = calls.nextInside[call]) {
      if ((calls.flags[call] & flag.probe) === 0) found[door.isWaitingForItsFirstSlot(call) ? 'queued' : 'running']++;
    }
    return found;
  }

  /** Set by the simulation: the other side of a socket is gone. */
  onSocketBroken: (source: number, socket: number) => void = () => {};

  /** A freeze is over: what stood still goes on, in order. */
  thawed(instance: Instance): void {
    this.door.cancelAbandoned(instance);
    this.wake(instance);
    this.messages.openedAgain(instance);
  }

  /** What stands still goes on: with its process, or to find that it is gone. */
  wake(instance: Instance): void {
    const { flags } = this.calls;
    for (const call of instance.standing.splice(0)) {
      flags[call] &= ~flag.standing;
      if ((flags[call] & seenLater) === 0) flags[call] |= flag.granted;
      this.queue.soon(this.goOnKind, call);
    }
  }

  /** An instance can be reached again. */
  openedAgain(instance: Instance): void {
    this.messages.openedAgain(instance);
  }

  /** Memory has grown: over a limit the kill comes first (rule 12). */
  checkMemory(instance: Instance): boolean {
    if (instance.isOutOfMemory) {
      this.onOutOfMemory(instance);
      return true;
    }
    if (!instance.host?.isOutOfMemory) return false;
    this.onHostOutOfMemory(instance.host);
    return !instance.serves;
  }

  /** A process runs now: a worker looks into its queue. */
  cameUp(instance: Instance): void {
    this.messages.openedAgain(instance);
  }

  /** Goes on with a call that computes no more. */
  computed(call: number): void {
    switch (this.calls.stage[call]) {
      case stage.greetingCaller:
      case stage.greetingCallee:
        return this.handshakes.greeted(call);
      default:
        this.door.computed(call);
        if (this.opOf(call).code === opCode.push) return this.pushed(call);
        this.run(call);
    }
  }

  run(call: number): void {
    const { calls } = this;
    if (this.stillness.standsStill(call)) return this.stillness.stand(call);
    calls.stage[call] = stage.running;
    const { ops } = this.plan.programs[calls.program[call]];
    for (;;) {
      const step = calls.step[call]++;
      if (step >= ops.length) return this.finish(call, outcome.good, -1);
      this.queue.spend(1);
      if (!this.does(call, ops[step])) return;
    }
  }

  /** Does one op; false when the call waits for something, or is over. */
  private does(call: number, op: Op): boolean {
    const { calls } = this;
    if (op.scope >= 0 && goesOverItsConnection(op) && this.holdings.isBrokenAround(call, op)) return this.fell(call, outcome.failed, this.holdings.reasonOfLoss(call, op));
    switch (op.code) {
      case opCode.cpu:
        return !this.door.compute(call, this.ownTime(call, op, op.occurrence));
      case opCode.wait:
        return !this.pause(call, this.ownTime(call, op, op.occurrence), stage.waiting);
      case opCode.call:
        return !this.attempts.ask(call, op) && this.fell(call, this.attempts.end, this.attempts.reason);
      case opCode.publish:
        this.attempts.publish(call, op);
        return true;
      case opCode.push:
        return !this.pushes.begin(call, op);
      case opCode.fork:
        return this.branches.fork(call, op);
      case opCode.choose:
        calls.step[call] = op.targets[this.chosen(call, op)];
        return true;
      case opCode.begin:
        return this.begins(call, op);
      case opCode.commit:
        this.holdings.commit(call, op.scope);
        return true;
      case opCode.lock:
        return this.holdings.lock(call, op);
      case opCode.take:
        return this.holdings.take(call, op) || this.fell(call, outcome.declined, this.parts.stocks[op.index].plan.emptyReason);
      case opCode.put:
        this.holdings.put(call, op);
        return true;
      case opCode.cache:
        if (this.draw(call, op) < op.share * this.filled(call, op)) calls.step[call] = op.to;
        return true;
      case opCode.chance:
        if (this.draw(call, op) >= op.share) calls.step[call] = op.to;
        return true;
      case opCode.jump:
        calls.step[call] = op.to;
        return true;
      default:
        return this.fell(call, op.outcome, op.reason);
    }
  }

  /** What the call waited for has ended. */
  resume(call: number, end: Outcome, reason: number): void {
    if (this.stillness.standsStill(call)) return this.stillness.stand(call, end, reason);
    if (end === outcome.good || this.fell(call, end, reason)) this.run(call);
  }

  /**
   * A step has ended badly: the way out of everything around it, up to an `orElse`. True: it goes on there. False: the call has ended; the first bad end
   * travels up unchanged. A transaction on the way is rolled back; one whose connection is gone lets nothing inside it go on (rule 19).
   */
  private fell(call: number, end: Outcome, reason: number): boolean {
    const { scopes, base } = this.plan.programs[this.calls.program[call]];
    for (let scope = this.opOf(call).scope; scope !== base; scope = scopes[scope].outer) {
      if (scopes[scope].kind === 'transaction') this.holdings.rollBack(call, scope);
      else if (!this.holdings.isBroken(call, scopes, scopes[scope].outer)) {
        this.calls.step[call] = scopes[scope].to;
        return true;
      }
    }
    this.finish(call, end, reason);
    return false;
  }

  /** The call has ended where it ran. */
  private finish(call: number, end: Outcome, reason: number): void {
    const { calls, instances } = this;
    const place = calls.place[call];
    this.holdings.releaseAll(call);
    if ((calls.flags[call] & flag.branch) !== 0) return this.branches.ended(call, end, reason);
    if (place < instances.length) return this.door.finish(call, instances[place], end, reason);
    this.listener.requestEnded(place - instances.length, call, end, reason);
    calls.give(call);
  }

  /** Takes a call out of whatever it is in; what it had asked for is abandoned, for the given reason. */
  leave(call: number, reason: number): void {
    const { calls, queue } = this;
    if (calls.timer[call] >= 0) queue.cancel(calls.timer[call]);
    calls.timer[call] = -1;
    if (calls.deadlineTimer[call] >= 0) queue.cancel(calls.deadlineTimer[call]);
    calls.deadlineTimer[call] = -1;
    const wasGranted = (calls.flags[call] & flag.granted) !== 0;
    calls.flags[call] &= ~(flag.granted | flag.ended | seenLater);
    this.stillness.leave(call);
    switch (calls.stage[call]) {
      case stage.queued:
        return this.door.leaveQueue(call, wasGranted);
      case stage.computing:
        return this.door.stopComputing(call);
      case stage.pooled:
        return this.connections.leavePool(call, wasGranted);
      case stage.asking:
        return this.attempts.abandon(call, reason);
      case stage.locked:
        return this.holdings.leaveLine(call, wasGranted);
      case stage.branching:
        return this.branches.leave(call, reason);
    }
  }

  /** Waits; false when there is nothing to wait. */
  pause(call: number, timeNs: number, what: number): boolean {
    const { calls, queue } = this;
    if (timeNs === 0) return false;
    calls.stage[call] = what;
    calls.timer[call] = queue.at(queue.now + timeNs, this.timerKind, call);
    return true;
  }

  /** Waits for something, so long at most: not at all is until what is due now has come. */
  waitAtMost(call: number, timeNs: number, what: number): void {
    const { calls, queue } = this;
    calls.stage[call] = what;
    if (timeNs !== Infinity) calls.timer[call] = queue.at(queue.now + timeNs, this.timerKind, call);
  }

  /** What the call waited for is its own: it goes on at this instant, after what is due now. */
  grant(call: number): void {
    const { calls, queue } = this;
    if (calls.timer[call] >= 0) queue.cancel(calls.timer[call]);
    calls.timer[call] = -1;
    calls.flags[call] = (calls.flags[call] & ~flag.due) | flag.granted;
    queue.soon(this.goOnKind, call);
  }

  /** The op that the call is in. */
  opOf(call: number): Op {
    return this.plan.programs[this.calls.program[call]].ops[this.calls.step[call] - 1];
  }

  /** A drawn time of the call's own, stretched while its process warms up or is slowed; whole ns. */
  ownTime(call: number, op: Op, occurrence: number): number {
    const { calls, instances } = this;
    const drawn = op.sampler!.draw(calls.key0[call], calls.key1[call], occurrence);
    const place = calls.place[call];
    if (place >= instances.length) return Math.round(drawn);
    const instance = instances[place];
    return Math.round(drawn * instance.warmUpFactor(this.queue.now) * instance.effects.slowFactor);
  }

  private goOn(call: number): void {
    const { calls } = this;
    if ((calls.flags[call] & (flag.granted | seenLater)) === 0) return; // taken out at this very instant
    if (this.stillness.standsStill(call)) return this.stillness.keepStill(call);
    if ((calls.flags[call] & seenLater) !== 0) return this.seen(call);
    calls.flags[call] &= ~flag.granted;
    switch (calls.stage[call]) {
      case stage.pooled:
        return this.connections.granted(call);
      case stage.backingOff:
        return this.retries.again(call);
      case stage.frozen:
        return this.thaw(call);
      default:
        this.run(call);
    }
  }

  private timerFired(call: number): void {
    const { calls } = this;
    calls.timer[call] = -1;
    if (calls.stage[call] === stage.greeting) return this.handshakes.greeted(call);
    if (this.stillness.standsStill(call)) return this.stillness.postpone(call, flag.due);
    this.timerDue(call);
  }

  /** What a call saw while its process stood still: an answer first, then its deadline, then a timer or timeout. */
  private seen(call: number): void {
    const { calls } = this;
    const what = calls.flags[call];
    calls.flags[call] &= ~(flag.granted | seenLater);
    if (calls.stage[call] !== stage.asking && (what & flag.late) === 0) return this.timerDue(call);
    if ((what & flag.told) !== 0) return this.attempts.answered(calls.child[call]);
    if ((what & flag.late) !== 0) return this.attempts.deadlinePassed(call);
    if (isGreeting(calls.stage[calls.child[call]])) return this.handshakes.greeted(calls.child[call]);
    this.attempts.timedOut(calls.child[call]);
  }

  private timerDue(call: number): void {
    switch (this.calls.stage[call]) {
      case stage.queued:
        return this.door.impatient(call);
      case stage.held:
        return this.door.pass(call);
      case stage.pooled:
        return this.connections.poolWaited(call);
      case stage.backingOff:
        return this.retries.again(call);
      case stage.locked:
        return this.holdings.lockWaited(call);
      default:
        this.run(call);
    }
  }

  private pushed(call: number): void {
    if (!this.pushes.made(call)) this.run(call);
  }

  private begins(call: number, op: Op): boolean {
    const { attempts } = this;
    if (!attempts.begin(call, op)) return this.fell(call, attempts.end, attempts.reason);
    return this.calls.stage[call] === stage.running;
  }

  private thaw(call: number): void {
    const { calls } = this;
    if ((calls.flags[call] & flag.atDoor) !== 0) {
      calls.flags[call] &= ~flag.atDoor;
      return this.door.admit(call);
    }
    if ((calls.flags[call] & flag.ended) === 0) return this.run(call);
    calls.flags[call] &= ~flag.ended;
    this.attempts.settle(call, calls.outcome[call] as Outcome, calls.reason[call]);
  }

  private chosen(call: number, { weights, site, occurrence }: Op): number {
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    let left = pick(1e9, this.calls.key0[call], this.calls.key1[call], site, occurrence) * (total / 1e9);
    let i = 0;
    while (i < weights.length - 1 && left >= weights[i]) left -= weights[i++];
    return i;
  }

  private draw(call: number, { site, occurrence }: Op): number {
    return uniform(this.calls.key0[call], this.calls.key1[call], site, occurrence);
  }

  /** How full a cache of its process is, 0 to 1: empty at a start, full from the beginning of the run on (rule 13). */
  private filled(call: number, { timeNs }: Op): number {
    const place = this.calls.place[call];
    if (timeNs === 0 || place >= this.instances.length) return 1;
    return Math.min(1, (this.queue.now - this.instances[place].upSinceNs) / timeNs);
  }
}

/** What a transaction does with its connection, calls apart. */
const goesOverItsConnection = ({ code }: Op): boolean => code === opCode.commit || code === opCode.lock || code === opCode.take || code === opCode.put;

/** What a call that stands still will see when it goes on. */
const seenLater = flag.due | flag.told | flag.late;
