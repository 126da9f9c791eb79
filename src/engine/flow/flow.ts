import { flag, outcome, stage, type Call, type CallPool, type Outcome, type Place } from '../kernel/calls.js';
import type { EventQueue } from '../kernel/event-queue.js';
import type { Host } from '../parts/host.js';
import type { Instance } from '../parts/instance.js';
import type { SharedLink } from '../parts/link.js';
import type { Lock } from '../parts/locks.js';
import type { Sockets } from '../parts/sockets.js';
import type { Stock } from '../parts/stock.js';
import type { Plan } from '../plan/plan.js';
import { opCode, type Op, type Program } from '../plan/program.js';
import { Attempts } from './attempts.js';
import { Branches } from './branches.js';
import { Connections } from './connections.js';
import { Door } from './door.js';
import { Handshakes } from './handshakes.js';
import { Holdings } from './holdings.js';
import { Interpreter } from './interpreter.js';
import { Messages } from './messages.js';
import { Pushes } from './pushes.js';
import { Retries } from './retries.js';
import { Stillness } from './stillness.js';
import { seenLater, Waits } from './waits.js';
import { Wire } from './wire.js';

/** What the flow tells of requests at their source, of probes, of deliveries over sockets, and of locks that could not be had. */
export interface FlowListener {
  requestEnded(call: Call, outcome: Outcome, reason: number): void;
  probeEnded(link: SharedLink, target: number, good: boolean, reason: number): void;
  delivered(traffic: number, made: boolean): void;
  lockTimedOut(lock: Lock, waitNs: number): void;
}

/** Everything that calls run through. */
export interface FlowParts {
  readonly queue: EventQueue;
  readonly calls: CallPool;
  readonly plan: Plan;
  readonly instances: readonly Instance[];
  readonly locks: readonly Lock[];
  readonly stocks: readonly Stock[];
  readonly sockets: Sockets;
  /** Another row for a request of this source place, or for one inside the system. */
  readonly freshRow: (place: Place, key0: number, key1: number, occurrence: number) => number;
}

/**
 * The life of a call: sent over a link, let in at the door, through the ops of its program, answered, taken up again by its caller.
 * Where a call waits for something it leaves the stack; everything goes on through the event queue.
 */
export class Flow {
  listener!: FlowListener;
  /** Set by the fleet: an instance is over its memory limit; a host is; nothing is inside an instance that leaves, or on its way to it, any more. */
  onOutOfMemory: (instance: Instance) => void = () => {};
  onHostOutOfMemory: (host: Host) => void = () => {};
  onEmpty: (instance: Instance) => void = () => {};
  /** Set by the simulation: the other side of a socket is gone. */
  onSocketBroken: (source: number, socket: number) => void = () => {};

  readonly queue: EventQueue;
  readonly calls: CallPool;
  readonly plan: Plan;
  readonly instances: readonly Instance[];
  readonly stillness: Stillness;
  readonly waits: Waits;
  readonly wire: Wire;
  readonly attempts: Attempts;
  readonly connections: Connections;
  readonly handshakes: Handshakes;
  readonly retries: Retries;
  readonly door: Door;
  readonly holdings: Holdings;
  readonly branches: Branches;
  readonly pushes: Pushes;
  readonly messages: Messages;
  private readonly interpreter: Interpreter;

  constructor(readonly parts: FlowParts) {
    this.queue = parts.queue;
    this.calls = parts.calls;
    this.plan = parts.plan;
    this.instances = parts.instances;
    this.stillness = new Stillness(this);
    this.waits = new Waits(this);
    this.wire = new Wire(this);
    this.attempts = new Attempts(this);
    this.connections = new Connections(this);
    this.handshakes = new Handshakes(this);
    this.retries = new Retries(this);
    this.door = new Door(this);
    this.holdings = new Holdings(this);
    this.branches = new Branches(this);
    this.pushes = new Pushes(this);
    this.messages = new Messages(this);
    this.interpreter = new Interpreter(this);
  }

  /** A request begins at its source. Its key makes every draw below it. */
  beginRequest(source: Place, program: Program, key0: number, key1: number, row: number, tag: number, socket: number, segment: number): void {
    const call = this.calls.take(source);
    call.program = program;
    call.request = -1;
    call.key0 = key0;
    call.key1 = key1;
    call.row = row;
    call.tag = tag;
    call.socket = socket;
    call.segment = segment;
    call.sentNs = this.queue.now;
    this.run(call);
  }

  /** Goes on with the next step of its program. */
  run(call: Call): void {
    this.interpreter.run(call);
  }

  /** The same, where the process is known not to be frozen. */
  runAwake(call: Call): void {
    this.interpreter.runAwake(call);
  }

  /** A drawn time of the call's own, whole ns. */
  ownTime(call: Call, op: Op, occurrence: number): number {
    return this.interpreter.ownTime(call, op, occurrence);
  }

  /** What the call waited for has ended. */
  resume(call: Call, end: Outcome, reason: number): void {
    if (this.stillness.standsStill(call)) this.stillness.stand(call, end, reason);
    else this.resumeAwake(call, end, reason);
  }

  resumeAwake(call: Call, end: Outcome, reason: number): void {
    if (end === outcome.good || this.interpreter.fell(call, end, reason)) this.interpreter.runAwake(call);
  }

  /** Goes on with a call that computes no more. */
  computed(call: Call): void {
    if (call.stage === stage.computing) {
      this.door.computed(call);
      if (call.op.code !== opCode.push || !this.pushes.made(call)) this.run(call);
    } else this.handshakes.greeted(call);
  }

  /** The call has ended where it ran. */
  finish(call: Call, end: Outcome, reason: number): void {
    this.holdings.releaseAll(call);
    if ((call.flags & flag.branch) !== 0) return this.branches.ended(call, end, reason);
    if (call.instance !== null) return this.door.finish(call, call.instance, end, reason);
    this.listener.requestEnded(call, end, reason);
    this.calls.give(call);
  }

  /** Takes a call out of whatever it is in; what it had asked for is abandoned, for the given reason. */
  leave(call: Call, reason: number): void {
    this.waits.stopTimer(call);
    this.waits.stopDeadline(call);
    const wasGranted = (call.flags & flag.granted) !== 0;
    call.flags &= ~(flag.granted | flag.ended | seenLater);
    this.stillness.leave(call);
    switch (call.stage) {
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

  /**
   * The process of an instance dies: everything inside ends `failed: killed` at its caller one latency later; calls it had sent go on as
   * abandoned work; what it held is given back (rules 15 and 16). Returns how many requests were lost, running and queued.
   */
  kill(instance: Instance): { running: number; queued: number } {
    const lost = this.inside(instance);
    this.holdings.processDied(instance);
    this.parts.sockets.breakAt(instance.place, (source, socket) => this.onSocketBroken(source, socket));
    for (let call = instance.firstInside; call !== null; ) {
      const next: Call | null = call.nextInside;
      this.leave(call, instance.service.reasons.killed);
      this.holdings.releaseAll(call);
      this.door.depart(call, instance, outcome.failed, instance.service.reasons.killed);
      call = next;
    }
    this.door.clear(instance);
    this.handshakes.dropGreetings(instance);
    for (const link of instance.home.links) link.reset();
    this.retries.processDied(instance.home);
    instance.slots.set(0, this.queue.now);
    return lost;
  }

  /** A freeze is over: what stood still goes on, in order. */
  thawed(instance: Instance): void {
    this.door.cancelAbandoned(instance);
    this.wake(instance);
    this.messages.openedAgain(instance);
  }

  /** What stands still goes on: with its process, or to find that it is gone. */
  wake(instance: Instance): void {
    for (const call of instance.standing.splice(0)) this.waits.wake(call);
  }

  /** An instance can be reached again. */
  openedAgain(instance: Instance): void {
    this.messages.openedAgain(instance);
  }

  /** A process runs now: a worker looks into its queue. */
  cameUp(instance: Instance): void {
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

  /** Requests inside now; counted before any of them is taken out, for that hands on slots. */
  private inside({ firstInside }: Instance): { running: number; queued: number } {
    const found = { running: 0, queued: 0 };
    for (let call = firstInside; call !== null; call = call.nextInside) {
      if ((call.flags & flag.probe) === 0) found[this.door.isWaitingForItsFirstSlot(call) ? 'queued' : 'running']++;
    }
    return found;
  }
}
