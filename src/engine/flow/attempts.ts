import { flag, outcome, stage, type Call, type Outcome } from '../kernel/calls.js';
import type { Kind } from '../kernel/event-queue.js';
import { block, encipher } from '../kernel/keyed-draws.js';
import type { CallerLink, SharedLink } from '../parts/link.js';
import { emptyProgram, opCode, type Op } from '../plan/program.js';
import type { Flow } from './flow.js';
import { isGreeting } from './handshakes.js';

/** Tries after the first have draws of their own. */
const anotherTry = 0x9e3779b1;

/** Asking over a link: connection, target, handshake, timeout, answer; then perhaps again. */
export class Attempts {
  /** How the last call that ended on the spot did so. */
  end: Outcome = outcome.refused;
  reason = -1;

  /** Key of the attempt that is being made. */
  private key0 = 0;
  private key1 = 0;
  private readonly deadlineKind: Kind<Call>;

  constructor(private readonly flow: Flow) {
    this.deadlineKind = flow.queue.register<Call>((call) => this.deadlinePassed(call));
  }

  /** A call step begins. False: it has ended on the spot, as `end` and `reason` say. */
  ask(call: Call, op: Op): boolean {
    call.tries = 0;
    call.linkTries = 0;
    call.stepTries = 0;
    const link = call.place.links[op.link];
    const { shared } = link;
    const { deadlineNs } = shared.plan;
    if (deadlineNs !== Infinity) call.deadlineTimer = this.flow.queue.after((shared.deadlines ??= this.flow.queue.lane(deadlineNs, this.deadlineKind)), call);
    link.called();
    if (op.retries !== null) this.flow.retries.stepBegan(call, op.retries);
    return this.attempt(call, op, link);
  }

  /** One attempt. False: it has ended on the spot, and is not tried again. */
  attempt(call: Call, op: Op, link: CallerLink): boolean {
    return this.start(call, op, link) || this.flow.retries.triesAgain(call, this.end, this.reason);
  }

  /** A transaction begins: a connection is held from now on (stage `running`), or waited for. False: it ended on the spot. */
  begin(call: Call, op: Op): boolean {
    const link = call.place.links[op.link];
    if (link.shared.effects.isCut) return this.cutOff(call, op, link);
    if (link.pool) return this.flow.connections.connect(call, op, link, link.pool);
    const target = this.choose(call, op, link);
    if (target < 0) return this.endOnTheSpot(link, outcome.refused, link.shared.plan.reasons.noHealthy);
    this.open(call, op, link, target, -1);
    return true;
  }

  /** A transaction has its connection; where nobody is at the other end it finds that out as a call would. */
  open(call: Call, op: Op, link: CallerLink, target: number, connection: number): void {
    if (!link.shared.instances[target].serves) return this.dispatch(call, op, link, target, connection);
    call.stage = stage.running;
    this.flow.holdings.open(call, op, target, connection);
  }

  /** Leaves a message: nobody waits for its end. */
  publish(call: Call, op: Op): void {
    const link = call.place.links[op.link];
    if (link.shared.effects.isCut) return void this.cutOff(call, op, link);
    const target = this.choose(call, op, link);
    if (target < 0) return void this.endOnTheSpot(link, outcome.refused, link.shared.plan.reasons.noHealthy);
    const child = this.child(call, op, link, target, -1);
    child.flags |= flag.message | flag.abandoned;
    child.parent = null;
    call.child = null;
    call.stage = stage.running;
    link.sent(target);
    this.flow.wire.sendMessage(child, link.shared);
  }

  /** A message lies in its queue: whoever left it has nothing more to do with it. */
  acknowledge(call: Call): void {
    call.link!.ended(call.target, outcome.good, -1);
    call.link = null;
  }

  /** Sends a probe; its end is told to the listener. */
  sendProbe(shared: SharedLink, target: number, key0: number, key1: number): void {
    const { dedicated, request } = shared.plan.health!;
    const call = this.flow.calls.take(shared.instances[target].home);
    call.flags = flag.probe | (dedicated ? flag.offSlots : 0);
    call.key0 = key0;
    call.key1 = key1;
    call.shared = shared;
    call.caller = null;
    this.aim(call, shared, target, request);
    this.flow.wire.sendProbe(call, shared);
  }

  /** Sends an attempt to its target. */
  dispatch(call: Call, op: Op, link: CallerLink, target: number, connection: number): void {
    const child = this.child(call, op, link, target, connection);
    link.sent(target);
    this.flow.wire.send(child, link.shared);
  }

  /** The attempt as a call of its own; its key has been set. */
  child(call: Call, op: Op, link: CallerLink, target: number, connection: number): Call {
    const { shared } = link;
    const child = this.flow.calls.take(shared.instances[target].home);
    child.parent = call;
    call.child = child;
    call.stage = stage.asking;
    child.key0 = this.key0;
    child.key1 = this.key1;
    child.row = call.row;
    child.link = link;
    child.shared = shared;
    child.caller = call.place;
    child.connection = connection;
    if (isPinned(call, op)) {
      child.socket = call.socket;
      child.depth = call.depth + 1;
    }
    this.aim(child, shared, target, op.code === opCode.begin ? -1 : op.request >= 0 ? op.request : call.request);
    return child;
  }

  /** The answer is back at the caller, unless nobody waits for it any more. */
  answered(call: Call): void {
    const { flow } = this;
    if ((call.flags & (flag.message | flag.abandoned | flag.probe)) !== 0) return this.answeredToNobody(call);
    flow.waits.stopTimeout(call);
    const parent = call.parent!;
    if (flow.stillness.standsStill(parent)) return this.readLater(call, parent);
    const end = call.outcome;
    const { reason } = call;
    const isBroken = !call.instance!.serves;
    if (end === outcome.good && parent.op.code === opCode.begin) {
      call.link!.ended(call.target, end, reason);
      return flow.handshakes.isOpen(call);
    }
    this.close(call, parent, end, reason, isBroken);
    flow.calls.give(call);
    this.settleAwake(parent, end, reason);
  }

  /** The caller gives up: what it sent goes on and is served for nobody (rules 10 and 19). */
  timedOut(call: Call): void {
    const { flow } = this;
    call.timeoutTimer = -1;
    const shared = call.shared!;
    if ((call.flags & flag.probe) !== 0) {
      const { target } = call;
      this.letGo(call);
      return flow.listener.probeEnded(shared, target, false, shared.plan.reasons.timeout);
    }
    const parent = call.parent!;
    if (flow.stillness.standsStill(parent)) return flow.stillness.postpone(parent, flag.due);
    const waitedNs = flow.queue.now - call.sentNs;
    const reason = waitedNs < shared.plan.timeoutNs ? call.instance!.service.reasons.connectTimeout : shared.plan.reasons.timeout;
    this.close(call, parent, outcome.failed, reason, true);
    this.letGo(call);
    this.settle(parent, outcome.failed, reason);
  }

  deadlinePassed(call: Call): void {
    const { flow } = this;
    call.deadlineTimer = -1;
    if (flow.stillness.standsStill(call)) return flow.stillness.postpone(call, flag.late);
    const link = call.place.links[call.op.link];
    const { deadline } = link.shared.plan.reasons;
    const hadNoTarget = call.stage === stage.pooled || (call.stage === stage.asking && isGreeting(call.child!.stage));
    flow.leave(call, deadline);
    if (hadNoTarget) this.endOnTheSpot(link, outcome.failed, deadline);
    flow.retries.giveUp(call);
    this.settle(call, outcome.failed, deadline);
  }

  /** Nobody waits for the attempt of a call any more, for the given reason: it counts as failed on the link, and goes on as work for nobody. */
  abandon(call: Call, reason: number): void {
    const child = call.child!;
    this.flow.waits.stopTimeout(child);
    if (isGreeting(child.stage)) return this.flow.handshakes.stop(child);
    this.close(child, call, outcome.failed, reason, true);
    this.letGo(child);
  }

  /** An attempt of the call has ended: it is tried again, or the step is over. */
  settle(call: Call, end: Outcome, reason: number): void {
    const { stillness } = this.flow;
    if (stillness.standsStill(call)) stillness.stand(call, end, reason);
    else this.settleAwake(call, end, reason);
  }

  private settleAwake(call: Call, end: Outcome, reason: number): void {
    const { flow } = this;
    if (end !== outcome.good && flow.retries.triesAgain(call, end, reason)) return;
    flow.waits.stopDeadline(call);
    flow.resumeAwake(call, end, reason);
  }

  /** The attempt is over before it has reached any target. */
  endOnTheSpot(link: CallerLink, end: Outcome, reason: number): false {
    link.endedOnTheSpot(end, reason);
    this.end = end;
    this.reason = reason;
    return false;
  }

  /** Target of the next attempt: a socket stays where it is. */
  choose(call: Call, op: Op, link: CallerLink): number {
    this.setKey(call, op);
    if (!isPinned(call, op)) return link.choose(this.key0, this.key1, call.row);
    const { sockets } = this.flow.parts;
    const first = link.shared.instances[0].place;
    const place = sockets.pinned(call.socket, call.depth);
    if (place >= 0) return place - first;
    const target = link.choose(this.key0, this.key1, call.row);
    if (target >= 0) sockets.pin(call.socket, call.depth, first + target);
    return target;
  }

  private start(call: Call, op: Op, link: CallerLink): boolean {
    const { shared } = link;
    if (link.breaker && !link.breaker.allows()) return this.endOnTheSpot(link, outcome.refused, shared.plan.reasons.breakerOpen);
    if (shared.effects.isCut) return this.cutOff(call, op, link);
    if (op.heldBy >= 0) return this.goOverHeld(call, op, link);
    if (link.pool) return this.flow.connections.connect(call, op, link, link.pool);
    const target = this.choose(call, op, link);
    if (target < 0) return this.endOnTheSpot(link, outcome.refused, shared.plan.reasons.noHealthy);
    this.dispatch(call, op, link, target, -1);
    return true;
  }

  private cutOff(call: Call, op: Op, link: CallerLink): false {
    this.flow.holdings.breakConnection(call, op.heldBy);
    return this.endOnTheSpot(link, outcome.failed, link.shared.plan.reasons.cut);
  }

  /** Over the connection that a transaction holds, if it is still there. */
  private goOverHeld(call: Call, op: Op, link: CallerLink): boolean {
    const { holdings, plan } = this.flow;
    if (holdings.isBrokenAt(call, op.heldBy)) return this.endOnTheSpot(link, outcome.failed, plan.services[link.shared.plan.callee].reasons.killed);
    this.setKey(call, op);
    this.dispatch(call, op, link, holdings.targetOf(call, op.heldBy), -1);
    return true;
  }

  private aim(call: Call, shared: SharedLink, target: number, request: number): void {
    const instance = shared.instances[target];
    instance.coming++;
    call.target = target;
    call.request = request;
    call.program = request >= 0 ? instance.service.programs[request] : emptyProgram;
  }

  /** The answer to a message, to a probe, or to somebody who has given up. */
  private answeredToNobody(call: Call): void {
    const { flow } = this;
    const { shared, target, reason } = call;
    const end = call.outcome;
    if ((call.flags & flag.message) !== 0) {
      call.link!.ended(target, end, reason);
      return flow.calls.give(call);
    }
    if ((call.flags & flag.abandoned) !== 0) return flow.calls.give(call);
    flow.waits.stopTimeout(call);
    flow.calls.give(call);
    flow.listener.probeEnded(shared!, target, end === outcome.good, reason);
  }

  /** The caller stands still: it reads the answer when it goes on, unless its patience was over before. */
  private readLater(call: Call, parent: Call): void {
    // Nothing more will come.
    call.flags |= flag.lost;
    if ((parent.flags & (flag.due | flag.late)) === 0) this.flow.stillness.postpone(parent, flag.told);
  }

  /** Whoever asked has given up. A link with `cancel` tells the callee, which stops. */
  private letGo(call: Call): void {
    const { flow } = this;
    call.flags |= flag.abandoned;
    if ((call.flags & flag.lost) !== 0) return flow.calls.give(call);
    if ((call.flags & flag.inside) !== 0 && call.shared!.plan.cancel && !flow.stillness.standsStill(call)) flow.door.cancel(call);
  }

  /** Ends an attempt at its caller: counts it, frees its connection (never to be used again when broken). */
  private close(call: Call, parent: Call, end: Outcome, reason: number, isBroken: boolean): void {
    const { flow } = this;
    const link = call.link!;
    link.ended(call.target, end, reason);
    if (end === outcome.good) link.shared.latency.add(flow.queue.now - call.sentNs);
    flow.connections.freeConnection(link, call.connection, isBroken);
    if (isBroken) flow.holdings.breakConnection(parent, parent.op.heldBy);
    call.parent = null;
    parent.child = null;
  }

  private setKey(call: Call, op: Op): void {
    const tries = op.code === opCode.call ? call.tries : 0;
    encipher(call.key0, call.key1, (op.site + Math.imul(tries, anotherTry)) | 0, op.occurrence);
    this.key0 = block[0];
    this.key1 = block[1];
  }
}

/** A request that came over a socket and is passed on as it is. */
const isPinned = (call: Call, op: Op): boolean => call.socket >= 0 && (op.request < 0 || call.instance === null);
