import { flag, outcome, stage, type Outcome } from '../kernel/calls.js';
import { block, encipher } from '../kernel/keyed-draws.js';
import type { CallerLink, SharedLink } from '../parts/link.js';
import { nothingToRun } from '../plan/planner.js';
import { opCode, type Op } from '../plan/program.js';
import type { Flow } from './flow.js';
import { isGreeting } from './handshakes.js';

/** Tries after the first have draws of their own. */
const anotherTry = 0x9e3779b1;
/** As many tries as no policy allows. */
const never = 0x7fffffff;

/** Asking over a link: connection, target, handshake, timeout, answer; then perhaps again. */
export class Attempts {
  /** How the last call that ended on the spot did so. */
  end: Outcome = outcome.refused;
  reason = -1;

  private readonly deadlineKind: number;

  constructor(private readonly flow: Flow) {
    this.deadlineKind = flow.queue.register((call) => this.deadlinePassed(call));
  }

  /** A call step begins. False: it has ended on the spot, as `end` and `reason` say. */
  ask(call: number, op: Op): boolean {
    const { calls, queue } = this.flow;
    calls.tries[call] = 0;
    calls.linkTries[call] = 0;
    calls.stepTries[call] = 0;
    const link = this.flow.wiring.linkOf(call, op);
    const { deadlineNs } = link.shared.plan;
    if (deadlineNs !== Infinity) calls.deadlineTimer[call] = queue.at(queue.now + deadlineNs, this.deadlineKind, call);
    link.called();
    return this.attempt(call, op, link);
  }

  /** A transaction begins: a connection is held from now on (stage `running`), or waited for. False: it ended on the spot. */
  begin(call: number, op: Op): boolean {
    const link = this.flow.wiring.linkOf(call, op);
    if (link.shared.effects.isCut) return this.cutOff(call, op, link);
    if (link.pool) return this.flow.connections.connect(call, op, link, link.pool);
    const target = this.choose(call, op, link);
    if (target < 0) return this.endOnTheSpot(link, outcome.refused, link.shared.plan.reasons.noHealthy);
    this.open(call, op, link, target, -1);
    return true;
  }

  /** A transaction has its connection; where nobody is at the other end it finds that out as a call would. */
  open(call: number, op: Op, link: CallerLink, target: number, connection: number): void {
    const { calls, holdings } = this.flow;
    if (!this.flow.wiring.instanceOf(link.shared, target).serves) return this.dispatch(call, op, link, target, connection);
    calls.stage[call] = stage.running;
    holdings.open(call, op, target, connection);
  }

  /** Leaves a message: nobody waits for its end. */
  publish(call: number, op: Op): void {
    const link = this.flow.wiring.linkOf(call, op);
    const target = this.choose(call, op, link);
    if (target < 0) return void this.endOnTheSpot(link, outcome.refused, link.shared.plan.reasons.noHealthy);
    const { calls } = this.flow;
    const child = this.child(call, op, link, target, -1);
    calls.flags[child] |= flag.message | flag.abandoned;
    calls.parent[child] = -1;
    calls.child[call] = -1;
    calls.stage[call] = stage.running;
    link.sent(target);
    this.flow.wire.send(child, link.shared, Infinity);
  }

  /** A message lies in its queue: whoever left it has nothing more to do with it. */
  acknowledge(call: number): void {
    const { calls } = this.flow;
    this.flow.wiring.callerLinkOf(call).ended(calls.target[call], outcome.good, -1);
    calls.link[call] = -1;
  }

  /** Sends a probe; its end is told to the listener. */
  sendProbe(link: number, target: number, key0: number, key1: number): void {
    const { calls, parts } = this.flow;
    const shared = parts.sharedLinks[link];
    const health = shared.plan.health!;
    const call = calls.take();
    calls.flags[call] = flag.probe | (health.dedicated ? flag.offSlots : 0);
    calls.key0[call] = key0;
    calls.key1[call] = key1;
    calls.link[call] = shared.plan.index;
    calls.target[call] = target;
    this.aim(call, shared, target, health.request);
    this.flow.wire.send(call, shared, health.timeoutNs);
  }

  /** One attempt. False: it has ended on the spot, and is not tried again. */
  attempt(call: number, op: Op, link: CallerLink): boolean {
    if (this.start(call, op, link)) return true;
    return this.flow.retries.triesAgain(call, this.end, this.reason);
  }

  private start(call: number, op: Op, link: CallerLink): boolean {
    const { reasons } = link.shared.plan;
    if (link.breaker && !link.breaker.allows()) return this.endOnTheSpot(link, outcome.refused, reasons.breakerOpen);
    if (link.shared.effects.isCut) return this.cutOff(call, op, link);
    if (op.heldBy >= 0) return this.goOverHeld(call, op, link);
    if (link.pool) return this.flow.connections.connect(call, op, link, link.pool);
    const target = this.choose(call, op, link);
    if (target < 0) return this.endOnTheSpot(link, outcome.refused, reasons.noHealthy);
    this.dispatch(call, op, link, target, -1);
    return true;
  }

  private cutOff(call: number, op: Op, link: CallerLink): false {
    this.flow.holdings.breakConnection(call, op.heldBy);
    return this.endOnTheSpot(link, outcome.failed, link.shared.plan.reasons.cut);
  }

  /** Over the connection that a transaction holds, if it is still there. */
  private goOverHeld(call: number, op: Op, link: CallerLink): boolean {
    const { holdings, plan } = this.flow;
    if (holdings.isBrokenAt(call, op.heldBy)) return this.endOnTheSpot(link, outcome.failed, plan.services[link.shared.plan.callee].reasons.killed);
    this.setKey(call, op);
    this.dispatch(call, op, link, holdings.targetOf(call, op.heldBy), -1);
    return true;
  }

  dispatch(call: number, op: Op, link: CallerLink, target: number, connection: number): void {
    const child = this.child(call, op, link, target, connection);
    link.sent(target);
    this.flow.wire.send(child, link.shared, link.shared.plan.timeoutNs);
  }

  /** The attempt as a call of its own; its key has been set. */
  child(call: number, op: Op, link: CallerLink, target: number, connection: number): number {
    const { calls } = this.flow;
    const child = calls.take();
    calls.parent[child] = call;
    calls.child[call] = child;
    calls.stage[call] = stage.asking;
    calls.key0[child] = this.key0;
    calls.key1[child] = this.key1;
    calls.row[child] = calls.row[call];
    calls.link[child] = op.link;
    calls.caller[child] = calls.place[call];
    calls.target[child] = target;
    calls.connection[child] = connection;
    if (this.isPinned(call, op)) {
      calls.socket[child] = calls.socket[call];
      calls.depth[child] = calls.depth[call] + 1;
    }
    const request = op.request >= 0 ? op.request : calls.request[call];
    this.aim(child, link.shared, target, op.code === opCode.begin ? -1 : request);
    return child;
  }

  private aim(call: number, shared: SharedLink, target: number, request: number): void {
    const { calls } = this.flow;
    const instance = this.flow.wiring.instanceOf(shared, target);
    instance.coming++;
    calls.place[call] = instance.place;
    calls.request[call] = request;
    calls.program[call] = request >= 0 ? instance.service.programs[request] : nothingToRun;
  }

  /** The answer is back at the caller, unless nobody waits for it any more. */
  answered(call: number): void {
    const { calls, queue } = this.flow;
    const end = calls.outcome[call] as Outcome;
    const reason = calls.reason[call];
    if ((calls.flags[call] & flag.message) !== 0) {
      this.flow.wiring.callerLinkOf(call).ended(calls.target[call], end, reason);
      return void calls.give(call);
    }
    if ((calls.flags[call] & flag.abandoned) !== 0) return void calls.give(call);
    if (calls.timeoutTimer[call] >= 0) queue.cancel(calls.timeoutTimer[call]);
    if ((calls.flags[call] & flag.probe) !== 0) {
      const link = calls.link[call];
      const target = calls.target[call];
      calls.give(call);
      return this.flow.listener.probeEnded(link, target, end === outcome.good, reason);
    }
    if (this.flow.stillness.standsStill(calls.parent[call])) return this.readLater(call);
    const isBroken = !this.flow.wiring.instanceOf(this.flow.wiring.sharedOf(call), calls.target[call]).serves;
    if (end === outcome.good && this.flow.handshakes.isOpening(call)) {
      this.flow.wiring.callerLinkOf(call).ended(calls.target[call], end, reason);
      return this.flow.handshakes.isOpen(call);
    }
    const parent = this.close(call, end, reason, isBroken);
    calls.give(call);
    this.settle(parent, end, reason);
  }

  /** The caller stands still: it reads the answer when it goes on, unless its patience was over before. */
  private readLater(call: number): void {
    const { flags, timeoutTimer, parent } = this.flow.calls;
    // Nothing more will come.
    flags[call] |= flag.lost;
    timeoutTimer[call] = -1;
    if ((flags[parent[call]] & (flag.due | flag.late)) === 0) this.flow.stillness.postpone(parent[call], flag.told);
  }

  /** The caller gives up: what it sent goes on and is served for nobody (rules 10 and 19). */
  timedOut(call: number): void {
    const { calls, queue } = this.flow;
    calls.timeoutTimer[call] = -1;
    const shared = this.flow.wiring.sharedOf(call);
    if ((calls.flags[call] & flag.probe) !== 0) {
      const [link, target] = [calls.link[call], calls.target[call]];
      this.letGo(call);
      return this.flow.listener.probeEnded(link, target, false, shared.plan.reasons.timeout);
    }
    if (this.flow.stillness.standsStill(calls.parent[call])) return this.flow.stillness.postpone(calls.parent[call], flag.due);
    const waitedNs = queue.now - calls.sentNs[call];
    const reason = waitedNs < shared.plan.timeoutNs ? this.flow.wiring.instanceOf(shared, calls.target[call]).service.reasons.connectTimeout : shared.plan.reasons.timeout;
    const parent = this.close(call, outcome.failed, reason, true);
    this.letGo(call);
    this.settle(parent, outcome.failed, reason);
  }

  deadlinePassed(call: number): void {
    const { calls } = this.flow;
    calls.deadlineTimer[call] = -1;
    if (this.flow.stillness.standsStill(call)) return this.flow.stillness.postpone(call, flag.late);
    const link = this.flow.wiring.linkOf(call, this.flow.opOf(call));
    const { deadline } = link.shared.plan.reasons;
    const hadNoTarget = calls.stage[call] === stage.pooled || (calls.stage[call] === stage.asking && isGreeting(calls.stage[calls.child[call]]));
    this.flow.leave(call, deadline);
    if (hadNoTarget) this.endOnTheSpot(link, outcome.failed, deadline);
    // It covers every try there might have been.
    calls.linkTries[call] = never;
    calls.stepTries[call] = never;
    this.settle(call, outcome.failed, deadline);
  }

  /** Nobody waits for the attempt any more, for the given reason: it counts as failed on the link, and goes on as work for nobody. */
  abandon(call: number, reason: number): void {
    const { calls, queue } = this.flow;
    const child = calls.child[call];
    if (calls.timeoutTimer[child] >= 0) queue.cancel(calls.timeoutTimer[child]);
    calls.timeoutTimer[child] = -1;
    if (isGreeting(calls.stage[child])) return this.flow.handshakes.stop(child);
    this.close(child, outcome.failed, reason, true);
    this.letGo(child);
  }

  /** Whoever asked has given up. A link with `cancel` tells the callee, which stops. */
  private letGo(call: number): void {
    const { calls } = this.flow;
    calls.flags[call] |= flag.abandoned;
    if ((calls.flags[call] & flag.lost) !== 0) return void calls.give(call);
    if ((calls.flags[call] & flag.inside) !== 0 && this.flow.wiring.sharedOf(call).plan.cancel && !this.flow.stillness.standsStill(call)) this.flow.door.cancel(call);
  }

  /** Ends an attempt at its caller: counts it, frees its connection (never to be used again when broken). Returns the caller's call. */
  private close(call: number, end: Outcome, reason: number, isBroken: boolean): number {
    const { calls, queue } = this.flow;
    const parent = calls.parent[call];
    const link = this.flow.wiring.callerLinkOf(call);
    link.ended(calls.target[call], end, reason);
    if (end === outcome.good) link.shared.latency.add(queue.now - calls.sentNs[call]);
    this.flow.connections.freeConnection(link, calls.connection[call], isBroken);
    if (isBroken) this.flow.holdings.breakConnection(parent, this.flow.opOf(parent).heldBy);
    calls.parent[call] = -1;
    calls.child[parent] = -1;
    return parent;
  }

  /** An attempt of the call has ended: it is tried again, or the step is over. */
  settle(call: number, end: Outcome, reason: number): void {
    const { calls, queue } = this.flow;
    if (this.flow.stillness.standsStill(call)) return this.flow.stillness.stand(call, end, reason);
    if (end !== outcome.good && this.flow.retries.triesAgain(call, end, reason)) return;
    if (calls.deadlineTimer[call] >= 0) queue.cancel(calls.deadlineTimer[call]);
    calls.deadlineTimer[call] = -1;
    this.flow.resume(call, end, reason);
  }

  /** The attempt is over before it has reached any target. */
  endOnTheSpot(link: CallerLink, end: Outcome, reason: number): false {
    link.endedOnTheSpot(end, reason);
    this.end = end;
    this.reason = reason;
    return false;
  }

  /** Target of the next attempt: a socket stays where it is. */
  choose(call: number, op: Op, link: CallerLink): number {
    const { calls, parts } = this.flow;
    this.setKey(call, op);
    if (!this.isPinned(call, op)) return link.choose(this.key0, this.key1, calls.row[call]);
    const first = parts.firstPlace[link.shared.plan.callee];
    const place = parts.sockets.pinned(calls.socket[call], calls.depth[call]);
    if (place >= 0) return place - first;
    const target = link.choose(this.key0, this.key1, calls.row[call]);
    if (target >= 0) parts.sockets.pin(calls.socket[call], calls.depth[call], first + target);
    return target;
  }

  /** A request that came over a socket and is passed on as it is. */
  private isPinned(call: number, op: Op): boolean {
    const { calls, instances } = this.flow;
    return calls.socket[call] >= 0 && (op.request < 0 || calls.place[call] >= instances.length);
  }

  /** Key of the attempt that a call makes now. */
  private key0 = 0;
  private key1 = 0;
  private setKey(call: number, op: Op): void {
    const { calls } = this.flow;
    const tries = op.code === opCode.call ? calls.tries[call] : 0;
    encipher(calls.key0[call], calls.key1[call], (op.site + Math.imul(tries, anotherTry)) | 0, op.occurrence);
    this.key0 = block[0];
    this.key1 = block[1];
  }

}
