import { flag, outcome, stage, type Outcome } from '../kernel/calls.js';
import { block, encipher, uniform } from '../kernel/keyed-draws.js';
import type { Instance } from '../parts/instance.js';
import type { CallerLink, SharedLink } from '../parts/link.js';
import type { RetryPlan } from '../plan/plan.js';
import { nothingToRun } from '../plan/planner.js';
import { opCode, type Op } from '../plan/program.js';
import type { Flow } from './flow.js';

/** Who gets no sign of life waits this long for a connection when it has no timeout (rule 17). */
export const connectTimeoutNs = 10e9;
/** Tries after the first have draws of their own. */
const anotherTry = 0x9e3779b1;

/** Asking over a link: connection, target, handshake, timeout, answer; then perhaps again. */
export class Attempts {
  /** How the last call that ended on the spot did so. */
  end: Outcome = outcome.refused;
  reason = -1;

  private readonly kinds;

  constructor(private readonly flow: Flow) {
    const { queue } = flow;
    this.kinds = {
      arrived: queue.register((call) => flow.door.arrived(call)),
      answered: queue.register((call) => this.answered(call)),
      timedOut: queue.register((call) => this.timedOut(call)),
      deadline: queue.register((call) => this.deadlinePassed(call)),
    };
  }

  /** A call step begins. False: it has ended on the spot, as `end` and `reason` say. */
  ask(call: number, op: Op): boolean {
    const { calls, queue } = this.flow;
    calls.tries[call] = 0;
    calls.linkTries[call] = 0;
    calls.stepTries[call] = 0;
    const link = this.linkOf(call, op);
    const { deadlineNs } = link.shared.plan;
    if (deadlineNs !== Infinity) calls.deadlineTimer[call] = queue.at(queue.now + deadlineNs, this.kinds.deadline, call);
    link.called();
    return this.attempt(call, op, link);
  }

  /** A transaction begins: a connection is held from now on (stage `running`), or waited for. False: it ended on the spot. */
  begin(call: number, op: Op): boolean {
    const link = this.linkOf(call, op);
    if (link.shared.effects.isCut) return this.cutOff(call, op, link);
    if (link.pool) return this.connect(call, op, link, link.pool);
    const target = this.choose(call, op, link);
    if (target < 0) return this.endOnTheSpot(link, outcome.refused, link.shared.plan.reasons.noHealthy);
    this.open(call, op, link, target, -1);
    return true;
  }

  /** A transaction has its connection; where nobody is at the other end it finds that out as a call would. */
  private open(call: number, op: Op, link: CallerLink, target: number, connection: number): void {
    const { calls, holdings } = this.flow;
    if (!this.instanceOf(link.shared, target).serves) return this.dispatch(call, op, link, target, connection);
    calls.stage[call] = stage.running;
    holdings.open(call, op, target, connection);
  }

  /** Leaves a message: nobody waits for its end. */
  publish(call: number, op: Op): void {
    const link = this.linkOf(call, op);
    const target = this.choose(call, op, link);
    if (target < 0) return void this.endOnTheSpot(link, outcome.refused, link.shared.plan.reasons.noHealthy);
    const { calls } = this.flow;
    const child = this.child(call, op, link, target, -1);
    calls.flags[child] |= flag.message | flag.abandoned;
    calls.parent[child] = -1;
    calls.child[call] = -1;
    calls.stage[call] = stage.running;
    link.sent(target);
    this.send(child, link.shared, Infinity);
  }

  /** A message lies in its queue: whoever left it has nothing more to do with it. */
  acknowledge(call: number): void {
    const { calls } = this.flow;
    this.callerLinkOf(call).ended(calls.target[call], outcome.good, -1);
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
    this.send(call, shared, health.timeoutNs);
  }

  /** One attempt. False: it has ended on the spot, and is not tried again. */
  private attempt(call: number, op: Op, link: CallerLink): boolean {
    if (this.start(call, op, link)) return true;
    return this.triesAgain(call, this.end, this.reason);
  }

  private start(call: number, op: Op, link: CallerLink): boolean {
    const { reasons } = link.shared.plan;
    if (link.breaker && !link.breaker.allows()) return this.endOnTheSpot(link, outcome.refused, reasons.breakerOpen);
    if (link.shared.effects.isCut) return this.cutOff(call, op, link);
    if (op.heldBy >= 0) return this.goOverHeld(call, op, link);
    if (link.pool) return this.connect(call, op, link, link.pool);
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

  /** Takes a connection, or waits for one in order (rule 21). */
  private connect(call: number, op: Op, link: CallerLink, pool: NonNullable<CallerLink['pool']>): boolean {
    const { calls, queue } = this.flow;
    const { plan } = link.shared;
    if (pool.hasRoom) return this.useConnection(call, op, link, pool);
    if (pool.waiting.value >= plan.pool!.pending) return this.endOnTheSpot(link, outcome.refused, plan.reasons.poolFull);
    link.waiters.push(call);
    pool.waiting.add(1, queue.now);
    calls.waitingNs[call] = queue.now;
    calls.stage[call] = stage.pooled;
    if (plan.pool!.waitNs !== Infinity) this.flow.pause(call, plan.pool!.waitNs, stage.pooled);
    return true;
  }

  /** There is room for one more connection in use. */
  private useConnection(call: number, op: Op, link: CallerLink, pool: NonNullable<CallerLink['pool']>): boolean {
    const target = this.choose(call, op, link);
    if (target < 0) {
      this.passOn(link);
      return this.endOnTheSpot(link, outcome.refused, link.shared.plan.reasons.noHealthy);
    }
    const taken = pool.take(target);
    const connection = taken >= 0 ? taken : pool.lastTaken;
    const { handshake } = link.shared.plan.pool!;
    // Who is refused at once, or gets no sign of life, has opened nothing.
    const isNew = taken < 0 && this.instanceOf(link.shared, target).serves;
    if (isNew) link.shared.opened();
    const isGreeting = isNew && handshake !== null;
    if (op.code === opCode.begin && !isGreeting) this.open(call, op, link, target, connection);
    else if (!isGreeting) this.dispatch(call, op, link, target, connection);
    else this.greet(this.child(call, op, link, target, connection), link);
    return true;
  }

  /** The next in line may have a connection: it has been told so, and comes at this instant. */
  private passOn(link: CallerLink): void {
    const { pool } = link;
    if (!pool?.hasRoom) return;
    const { calls, queue } = this.flow;
    const call = link.waiters.shift();
    if (call < 0) return;
    pool.waiting.add(-1, queue.now);
    link.shared.poolWait.add(queue.now - calls.waitingNs[call]);
    pool.promised++;
    this.flow.grant(call);
  }

  /** The connection that the call waited for is there. */
  granted(call: number): void {
    const op = this.flow.opOf(call);
    const link = this.linkOf(call, op);
    link.pool!.promised--;
    if (!this.useConnection(call, op, link, link.pool!)) this.settle(call, this.end, this.reason);
    else if (this.flow.calls.stage[call] === stage.running) this.flow.run(call);
  }

  poolWaited(call: number): void {
    const link = this.linkOf(call, this.flow.opOf(call));
    this.leaveLine(call, link);
    this.endOnTheSpot(link, outcome.refused, link.shared.plan.reasons.poolWait);
    this.settle(call, this.end, this.reason);
  }

  leavePool(call: number, wasGranted: boolean): void {
    const link = this.linkOf(call, this.flow.opOf(call));
    if (!wasGranted) return this.leaveLine(call, link);
    link.pool!.promised--;
    this.passOn(link);
  }

  private leaveLine(call: number, link: CallerLink): void {
    const { calls, queue } = this.flow;
    link.waiters.remove(call);
    link.pool!.waiting.add(-1, queue.now);
    link.shared.poolWait.add(queue.now - calls.waitingNs[call]);
  }

  /** Opening a connection: time, then CPU of the caller, then CPU of the callee outside its slots (rule 23). */
  private greet(child: number, link: CallerLink): void {
    const { calls } = this.flow;
    const timeNs = Math.round(link.shared.plan.pool!.handshake!.time.draw(calls.key0[child], calls.key1[child], 0));
    calls.stage[child] = stage.greeting;
    if (!this.flow.pause(child, timeNs, stage.greeting)) this.greeted(child);
  }

  /** One part of a handshake is done. */
  greeted(child: number): void {
    const { calls, instances } = this.flow;
    const link = this.callerLinkOf(child);
    const { callerCpu, calleeCpu } = link.shared.plan.pool!.handshake!;
    const caller = calls.caller[child];
    if (calls.stage[child] === stage.greeting) {
      calls.stage[child] = stage.greetingCaller;
      const workNs = caller < instances.length ? Math.round(callerCpu.draw(calls.key0[child], calls.key1[child], 0)) : 0;
      if (workNs > 0) return instances[caller].container.begin(child, workNs);
    }
    const callee = this.instanceOf(link.shared, calls.target[child]);
    if (calls.stage[child] === stage.greetingCaller) {
      calls.stage[child] = stage.greetingCallee;
      const workNs = Math.round(calleeCpu.draw(calls.key0[child], calls.key1[child], 0));
      if (workNs > 0 && callee.serves) return callee.container.begin(child, workNs);
    }
    if (this.isOpening(child) && callee.serves) {
      callee.coming--;
      return this.isOpen(child);
    }
    link.sent(calls.target[child]);
    this.send(child, link.shared, link.shared.plan.timeoutNs);
  }

  /** For a transaction, which wants nothing but the connection. */
  private isOpening(child: number): boolean {
    const call = this.flow.calls.parent[child];
    return call >= 0 && this.flow.opOf(call).code === opCode.begin;
  }

  private isOpen(child: number): void {
    const { calls } = this.flow;
    const call = calls.parent[child];
    this.flow.holdings.open(call, this.flow.opOf(call), calls.target[child], calls.connection[child]);
    calls.child[call] = -1;
    calls.give(child);
    this.flow.resume(call, outcome.good, -1);
  }

  /** A process that dies ends the handshakes that it computes for: they go on, and find its door shut. */
  dropGreetings(instance: Instance): void {
    const greetings = instance.container.clear();
    for (const child of greetings) if (this.flow.calls.stage[child] === stage.greetingCallee) this.greeted(child);
  }

  private dispatch(call: number, op: Op, link: CallerLink, target: number, connection: number): void {
    const child = this.child(call, op, link, target, connection);
    link.sent(target);
    this.send(child, link.shared, link.shared.plan.timeoutNs);
  }

  /** The attempt as a call of its own; its key has been set. */
  private child(call: number, op: Op, link: CallerLink, target: number, connection: number): number {
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
    const instance = this.instanceOf(shared, target);
    instance.coming++;
    calls.place[call] = instance.place;
    calls.request[call] = request;
    calls.program[call] = request >= 0 ? instance.service.programs[request] : nothingToRun;
  }

  private send(call: number, shared: SharedLink, timeoutNs: number): void {
    const { calls, queue } = this.flow;
    calls.sentNs[call] = queue.now;
    if (timeoutNs !== Infinity) calls.timeoutTimer[call] = queue.at(queue.now + timeoutNs, this.kinds.timedOut, call);
    calls.stage[call] = stage.travelling;
    this.travel(call, shared, 0, this.kinds.arrived);
  }

  /** Takes the link's latency and what faults add, then goes on with `kind`; direction 0 there, 1 back. Without latency it goes on at once, after what is due now. */
  private travel(call: number, shared: SharedLink, direction: 0 | 1, kind: number): void {
    const { calls, queue, instances } = this.flow;
    const { latency } = shared.plan;
    const key0 = calls.key0[call];
    const key1 = calls.key1[call];
    const callee = this.instanceOf(shared, calls.target[call]);
    const callerPlace = (calls.flags[call] & flag.probe) !== 0 ? -1 : calls.caller[call];
    const caller = callerPlace >= 0 && callerPlace < instances.length ? instances[callerPlace] : null;
    const sender = direction === 0 ? caller : callee;
    let delayNs = latency === null ? 0 : Math.round(latency.draw(key0, key1, direction));
    if (shared.effects.delaysMessages) delayNs += shared.effects.delayNs(key0, key1, direction);
    if (sender?.effects.delaysMessages) delayNs += sender.effects.delayNs(key0, key1, direction + 2);
    if (shared.effects.isBlackholed || callee.effects.isBlackholed || caller?.effects.isBlackholed) {
      if (direction === 0) callee.coming--;
      return this.lose(call);
    }
    if (delayNs > 0) queue.at(queue.now + delayNs, kind, call);
    else queue.soon(kind, call);
  }

  /** No answer will ever come: the caller finds out by its timeout, or after the time that connecting takes at most. */
  lose(call: number): void {
    const { calls, queue } = this.flow;
    calls.flags[call] |= flag.lost;
    if ((calls.flags[call] & flag.abandoned) !== 0) return this.forget(call);
    if ((calls.flags[call] & flag.probe) !== 0) return;
    const dueNs = Math.max(queue.now, calls.sentNs[call] + connectTimeoutNs);
    if (calls.timeoutTimer[call] < 0) calls.timeoutTimer[call] = queue.at(dueNs, this.kinds.timedOut, call);
    else if (this.sharedOf(call).plan.timeoutNs > connectTimeoutNs) queue.move(calls.timeoutTimer[call], dueNs);
  }

  /** An abandoned call is over. */
  private forget(call: number): void {
    const { calls } = this.flow;
    // A message that got lost on its way was sent all the same.
    if ((calls.flags[call] & flag.message) !== 0) this.callerLinkOf(call).ended(calls.target[call], outcome.failed, this.sharedOf(call).plan.reasons.timeout);
    calls.give(call);
  }

  answer(call: number, end: Outcome, reason: number): void {
    const { calls } = this.flow;
    calls.outcome[call] = end;
    calls.reason[call] = reason;
    calls.stage[call] = stage.travelling;
    this.travel(call, this.sharedOf(call), 1, this.kinds.answered);
  }

  /** The answer is back at the caller, unless nobody waits for it any more. */
  private answered(call: number): void {
    const { calls, queue } = this.flow;
    const end = calls.outcome[call] as Outcome;
    const reason = calls.reason[call];
    if ((calls.flags[call] & flag.message) !== 0) {
      this.callerLinkOf(call).ended(calls.target[call], end, reason);
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
    const isBroken = !this.instanceOf(this.sharedOf(call), calls.target[call]).serves;
    if (end === outcome.good && this.isOpening(call)) {
      this.callerLinkOf(call).ended(calls.target[call], end, reason);
      return this.isOpen(call);
    }
    const parent = this.close(call, end, reason, isBroken);
    calls.give(call);
    this.settle(parent, end, reason);
  }

  /** The caller gives up: what it sent goes on and is served for nobody (rules 10 and 19). */
  private timedOut(call: number): void {
    const { calls, queue } = this.flow;
    calls.timeoutTimer[call] = -1;
    const shared = this.sharedOf(call);
    if ((calls.flags[call] & flag.probe) !== 0) {
      const [link, target] = [calls.link[call], calls.target[call]];
      this.letGo(call);
      return this.flow.listener.probeEnded(link, target, false, shared.plan.reasons.timeout);
    }
    const waitedNs = queue.now - calls.sentNs[call];
    const reason = waitedNs < shared.plan.timeoutNs ? this.instanceOf(shared, calls.target[call]).service.reasons.connectTimeout : shared.plan.reasons.timeout;
    const parent = this.close(call, outcome.failed, reason, true);
    this.letGo(call);
    this.settle(parent, outcome.failed, reason);
  }

  private deadlinePassed(call: number): void {
    const { calls } = this.flow;
    calls.deadlineTimer[call] = -1;
    const { reasons } = this.linkOf(call, this.flow.opOf(call)).shared.plan;
    this.flow.leave(call, reasons.deadline);
    this.flow.resume(call, outcome.failed, reasons.deadline);
  }

  /** Nobody waits for the attempt any more, for the given reason: it counts as failed on the link, and goes on as work for nobody. */
  abandon(call: number, reason: number): void {
    const { calls, queue } = this.flow;
    const child = calls.child[call];
    if (calls.timeoutTimer[child] >= 0) queue.cancel(calls.timeoutTimer[child]);
    calls.timeoutTimer[child] = -1;
    if (isGreeting(calls.stage[child])) return this.stopGreeting(child);
    this.close(child, outcome.failed, reason, true);
    this.letGo(child);
  }

  private stopGreeting(child: number): void {
    const { calls, queue, instances } = this.flow;
    const link = this.callerLinkOf(child);
    if (calls.timer[child] >= 0) queue.cancel(calls.timer[child]);
    const callee = this.instanceOf(link.shared, calls.target[child]);
    if (calls.stage[child] === stage.greetingCaller) instances[calls.caller[child]].container.remove(child);
    if (calls.stage[child] === stage.greetingCallee) callee.container.remove(child);
    callee.coming--;
    link.pool!.close(calls.connection[child]);
    this.passOn(link);
    calls.child[calls.parent[child]] = -1;
    calls.give(child);
  }

  /** Whoever asked has given up. A link with `cancel` tells the callee, which stops. */
  private letGo(call: number): void {
    const { calls } = this.flow;
    calls.flags[call] |= flag.abandoned;
    if ((calls.flags[call] & flag.lost) !== 0) return void calls.give(call);
    if ((calls.flags[call] & flag.inside) !== 0 && this.sharedOf(call).plan.cancel) this.flow.door.cancel(call);
  }

  /** Ends an attempt at its caller: counts it, frees its connection (never to be used again when broken). Returns the caller's call. */
  private close(call: number, end: Outcome, reason: number, isBroken: boolean): number {
    const { calls, queue } = this.flow;
    const parent = calls.parent[call];
    const link = this.callerLinkOf(call);
    link.ended(calls.target[call], end, reason);
    if (end === outcome.good) link.shared.latency.add(queue.now - calls.sentNs[call]);
    this.freeConnection(link, calls.connection[call], isBroken);
    if (isBroken) this.flow.holdings.breakConnection(parent, this.flow.opOf(parent).heldBy);
    calls.parent[call] = -1;
    calls.child[parent] = -1;
    return parent;
  }

  /** The connection goes to who has waited longest, at this instant (rule 21). */
  freeConnection(link: CallerLink, connection: number, isBroken: boolean): void {
    if (connection < 0) return;
    if (isBroken) link.pool!.close(connection);
    else link.pool!.give(connection);
    this.passOn(link);
  }

  /** An attempt of the call has ended: it is tried again, or the step is over. */
  settle(call: number, end: Outcome, reason: number): void {
    const { calls, queue } = this.flow;
    if (this.flow.standsStill(call)) return this.flow.stand(call, end, reason);
    if (end !== outcome.good && this.triesAgain(call, end, reason)) return;
    if (calls.deadlineTimer[call] >= 0) queue.cancel(calls.deadlineTimer[call]);
    calls.deadlineTimer[call] = -1;
    this.flow.resume(call, end, reason);
  }

  /** After a pause, when the link's policy or the step's own says so; false otherwise. A link never tries a "no" again (rule 26). */
  private triesAgain(call: number, end: Outcome, reason: number): boolean {
    const { calls } = this.flow;
    this.end = end;
    this.reason = reason;
    const op = this.flow.opOf(call);
    if (op.code !== opCode.call || (op.heldBy >= 0 && this.flow.holdings.isBrokenAt(call, op.heldBy))) return this.clearDeadline(call);
    const link = this.linkOf(call, op);
    const own = link.shared.plan.retries;
    if (own && end !== outcome.declined && calls.linkTries[call] < own.max && own.covers(end, reason) && link.mayRetry(own.budget)) {
      return this.backOff(call, own, ++calls.linkTries[call]);
    }
    if (!op.retries || calls.stepTries[call] >= op.retries.max || !op.retries.covers(end, reason)) return this.clearDeadline(call);
    calls.linkTries[call] = 0;
    if (op.retries.freshKey) calls.row[call] = this.flow.parts.freshRow(calls.place[call], calls.key0[call], calls.key1[call], calls.tries[call] + 1);
    return this.backOff(call, op.retries, ++calls.stepTries[call]);
  }

  private clearDeadline(call: number): false {
    const { calls, queue } = this.flow;
    if (calls.deadlineTimer[call] >= 0) queue.cancel(calls.deadlineTimer[call]);
    calls.deadlineTimer[call] = -1;
    return false;
  }

  /** Always true: the call pauses. */
  backOff(call: number, plan: RetryPlan, number: number): true {
    const { calls } = this.flow;
    calls.tries[call]++;
    let pauseNs = plan.backoffNs;
    for (let i = 1; i < number && pauseNs < plan.capNs; i++) pauseNs *= plan.factor;
    pauseNs = Math.min(pauseNs, plan.capNs);
    const random = plan.jitter === 'none' ? 1 : uniform(calls.key0[call], calls.key1[call], plan.site, calls.tries[call]);
    if (plan.jitter === 'full') pauseNs *= random;
    if (plan.jitter === 'equal') pauseNs *= (1 + random) / 2;
    calls.stage[call] = stage.backingOff;
    if (!this.flow.pause(call, Math.round(pauseNs), stage.backingOff)) this.flow.grant(call);
    return true;
  }

  /** The pause before another try is over. */
  again(call: number): void {
    const { calls } = this.flow;
    if (this.flow.standsStill(call)) return void this.flow.instances[calls.place[call]].standing.push(call);
    const op = this.flow.opOf(call);
    if (op.code === opCode.lock) return this.flow.holdings.lockAgain(call);
    calls.stage[call] = stage.running;
    const link = this.linkOf(call, op);
    link.shared.retried();
    if (!this.attempt(call, op, link)) this.flow.resume(call, this.end, this.reason);
  }

  /** The attempt is over before it has reached any target. */
  private endOnTheSpot(link: CallerLink, end: Outcome, reason: number): false {
    link.endedOnTheSpot(end, reason);
    this.end = end;
    this.reason = reason;
    return false;
  }

  /** Target of the next attempt: a socket stays where it is. */
  private choose(call: number, op: Op, link: CallerLink): number {
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

  private linkOf(call: number, op: Op): CallerLink {
    return this.flow.linksOf[this.flow.calls.place[call]][op.link];
  }

  private callerLinkOf(child: number): CallerLink {
    return this.flow.linksOf[this.flow.calls.caller[child]][this.flow.calls.link[child]];
  }

  sharedOf(call: number): SharedLink {
    const { calls, parts } = this.flow;
    return (calls.flags[call] & flag.probe) !== 0 ? parts.sharedLinks[calls.link[call]] : this.callerLinkOf(call).shared;
  }

  private instanceOf(shared: SharedLink, target: number): Instance {
    return this.flow.instances[this.flow.parts.firstPlace[shared.plan.callee] + target];
  }
}

const isGreeting = (at: number): boolean => at === stage.greeting || at === stage.greetingCaller || at === stage.greetingCallee;
