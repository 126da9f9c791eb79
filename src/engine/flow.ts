import { flag, outcome, type CallPool, type Outcome } from './kernel/calls.js';
import type { EventQueue } from './kernel/event-queue.js';
import { block, encipher } from './kernel/keyed-draws.js';
import { type Instance } from './parts/instance.js';
import type { CallerLink, SharedLink } from './parts/link.js';
import { opCode, toNs, type Op, type Plan } from './plan/plan.js';

/** What a probe without a handler runs: it only passes the door. */
const emptyProgram = 0;

/** What the flow tells of requests at their source, and of probes. */
export interface FlowListener {
  requestEnded(source: number, call: number, outcome: Outcome, reason: number): void;
  probeEnded(link: number, target: number, good: boolean, reason: number): void;
}

/**
 * The life of a call: sent over a link, let in at the door, through the ops of its program, answered, taken up again by its caller.
 * Where a call waits for something it leaves the stack; everything goes on through the event queue.
 */
export class Flow {
  /** Links of each place: its own copies, in the order of the plan. Instances come first, then sources. */
  readonly linksOf: CallerLink[][] = [];
  listener!: FlowListener;

  private readonly kinds;
  /** Why the last `send` was refused on the spot. */
  private refusal = -1;

  constructor(
    private readonly queue: EventQueue,
    readonly calls: CallPool,
    private readonly plan: Plan,
    private readonly instances: readonly Instance[],
    private readonly sharedLinks: readonly SharedLink[],
    /** First instance of each service among all places. */
    private readonly firstPlace: readonly number[],
  ) {
    this.kinds = {
      arrived: queue.register((call) => this.arrived(call)),
      started: queue.register((call) => this.started(call)),
      waited: queue.register((call) => this.waited(call)),
      answered: queue.register((call) => this.answered(call)),
      timedOut: queue.register((call) => this.timedOut(call)),
      impatient: queue.register((call) => this.impatient(call)),
      granted: queue.register((call) => this.granted(call)),
      poolWaited: queue.register((call) => this.poolWaited(call)),
    };
  }

  /** A request begins at its source. Its key makes every draw below it. */
  beginRequest(place: number, program: number, key0: number, key1: number, segment: number): void {
    const { calls } = this;
    const call = calls.take();
    calls.place[call] = place;
    calls.program[call] = program;
    calls.request[call] = -1;
    calls.key0[call] = key0;
    calls.key1[call] = key1;
    calls.segment[call] = segment;
    calls.sentNs[call] = this.queue.now;
    this.run(call);
  }

  /** Sends a probe; its end is told to the listener. */
  sendProbe(link: number, target: number, key0: number, key1: number): void {
    const { calls } = this;
    const shared = this.sharedLinks[link];
    const health = shared.plan.health!;
    const call = calls.take();
    calls.flags[call] = flag.probe | (health.dedicated ? flag.offSlots : 0);
    calls.key0[call] = key0;
    calls.key1[call] = key1;
    calls.link[call] = link;
    calls.target[call] = target;
    this.aim(call, shared, target, health.request);
    calls.timeoutTimer[call] = this.queue.at(this.queue.now + health.timeoutNs, this.kinds.timedOut, call);
    this.travel(call, shared, 0, this.kinds.arrived);
  }

  /**
   * The process of an instance dies: everything inside ends `failed: killed` at its caller one latency later; calls it had sent go on as
   * abandoned work (rules 15 and 16). Returns how many requests were lost, running and queued.
   */
  kill(instance: Instance): { running: number; queued: number } {
    const { calls, queue } = this;
    let running = 0;
    let queued = 0;
    for (let call = instance.firstInside; call >= 0; ) {
      const next = calls.nextInside[call];
      if ((calls.flags[call] & flag.probe) === 0) {
        if ((calls.flags[call] & flag.holdsSlot) === 0) queued++;
        else running++;
      }
      this.detach(call, instance);
      this.depart(call, instance, outcome.failed, instance.service.reasons.killed);
      call = next;
    }
    instance.queue.clear();
    instance.queued.set(0, queue.now);
    instance.slots.set(0, queue.now);
    instance.container.clear();
    for (const link of this.linksOf[instance.place]) link.reset(queue.now);
    return { running, queued };
  }

  /** Calls a computing call back when its work is done. */
  computed(call: number): void {
    this.run(call);
  }

  private run(call: number): void {
    const { calls, queue } = this;
    const program = this.plan.programs[calls.program[call]];
    for (;;) {
      const step = calls.step[call]++;
      if (step >= program.length) return void this.finish(call, outcome.good, -1);
      const op = program[step];
      switch (op.code) {
        case opCode.cpu: {
          const demandNs = this.ownTime(call, op);
          if (demandNs === 0) continue;
          return void this.instances[calls.place[call]].container.begin(call, demandNs);
        }
        case opCode.wait: {
          const timeNs = this.ownTime(call, op);
          if (timeNs === 0) continue;
          calls.timer[call] = queue.at(queue.now + timeNs, this.kinds.waited, call);
          return;
        }
        case opCode.call:
          if (!this.send(call, op)) this.finish(call, outcome.refused, this.refusal);
          return;
        default:
          return void this.finish(call, op.outcome, op.reason);
      }
    }
  }

  /** A drawn time of the call's own, stretched while its process warms up; whole ns. */
  private ownTime(call: number, op: Op): number {
    const { calls } = this;
    return Math.round(op.sampler!.draw(calls.key0[call], calls.key1[call], 0) * this.instances[calls.place[call]].warmUpFactor(this.queue.now));
  }

  /** Asks the callee: takes a connection, or waits for one; false = refused on the spot, `refusal` says why. */
  private send(call: number, op: Op): boolean {
    const { calls, queue } = this;
    const link = this.linksOf[calls.place[call]][op.link];
    const { plan } = link.shared;
    if (plan.poolMax === Infinity) return this.dispatch(call, op, link);
    if (link.poolInUse.value < plan.poolMax) {
      link.poolInUse.add(1, queue.now);
      return this.dispatch(call, op, link);
    }
    if (link.poolWaiting.value >= plan.poolPending) return this.refuse(link, plan.reasons.poolFull);
    link.waiters.push(call);
    link.poolWaiting.add(1, queue.now);
    calls.pooledNs[call] = queue.now;
    if (plan.poolWaitNs !== Infinity) calls.timer[call] = queue.at(queue.now + plan.poolWaitNs, this.kinds.poolWaited, call);
    return true;
  }

  /** A connection is there: picks a target and sends the attempt. */
  private dispatch(call: number, op: Op, link: CallerLink): boolean {
    const { calls, queue } = this;
    const { shared } = link;
    encipher(calls.key0[call], calls.key1[call], op.site, 0);
    const key0 = block[0];
    const key1 = block[1];
    const target = link.choose(key0, key1);
    if (target < 0) {
      this.releaseConnection(link);
      return this.refuse(link, shared.plan.reasons.noHealthy);
    }
    const child = calls.take();
    calls.parent[child] = call;
    calls.child[call] = child;
    calls.key0[child] = key0;
    calls.key1[child] = key1;
    calls.link[child] = op.link;
    calls.caller[child] = calls.place[call];
    calls.target[child] = target;
    calls.sentNs[child] = queue.now;
    this.aim(child, shared, target, op.request >= 0 ? op.request : calls.request[call]);
    link.outstanding[target]++;
    shared.totals.sent++;
    shared.targets.sent(target);
    shared.callers.sent(link.callerOrdinal);
    if (shared.plan.timeoutNs !== Infinity) calls.timeoutTimer[child] = queue.at(queue.now + shared.plan.timeoutNs, this.kinds.timedOut, child);
    this.travel(child, shared, 0, this.kinds.arrived);
    return true;
  }

  private aim(call: number, shared: SharedLink, target: number, request: number): void {
    const { calls } = this;
    const place = this.firstPlace[shared.plan.callee] + target;
    this.instances[place].coming++;
    calls.place[call] = place;
    calls.request[call] = request;
    calls.program[call] = request >= 0 ? this.instances[place].service.programs[request] : emptyProgram;
  }

  /** The attempt is refused before it reaches any target. */
  private refuse(link: CallerLink, reason: number): false {
    const { shared } = link;
    shared.totals.sent++;
    shared.callers.sent(link.callerOrdinal);
    shared.countEnd(link.callerOrdinal, -1, outcome.refused, reason);
    this.refusal = reason;
    return false;
  }

  /** Takes the link's latency, then goes on with `kind`; direction 0 there, 1 back. Without latency it goes on at once, after what is due now. */
  private travel(call: number, shared: SharedLink, direction: number, kind: number): void {
    const { calls, queue } = this;
    const { latency } = shared.plan;
    const latencyNs = latency === null ? 0 : Math.round(latency.draw(calls.key0[call], calls.key1[call], direction));
    if (latencyNs > 0) queue.at(queue.now + latencyNs, kind, call);
    else queue.soon(kind, call);
  }

  /** At the door (rule 6): dead? free slot? room in the queue? else refused, in no time. */
  private arrived(call: number): void {
    const { calls, queue } = this;
    const instance = this.instances[calls.place[call]];
    const { reasons } = instance.service;
    const isProbe = (calls.flags[call] & flag.probe) !== 0;
    calls.arrivedNs[call] = queue.now;
    instance.coming--;
    if (!instance.serves) return void this.answer(call, outcome.failed, reasons.connectionRefused);
    if (!isProbe) instance.countArrival();
    if ((calls.flags[call] & flag.offSlots) !== 0) {
      this.comeIn(call, instance);
      return void this.run(call);
    }
    const slotFree = instance.slots.value < instance.slotLimit;
    if (!slotFree && instance.queued.value >= instance.queueLimit) {
      if (!isProbe) instance.countEnd(outcome.refused);
      return void this.answer(call, outcome.refused, reasons.queueFull);
    }
    if (slotFree) {
      calls.flags[call] |= flag.holdsSlot;
      instance.slots.add(1, queue.now);
    } else {
      instance.queue.push(call);
      instance.queued.add(1, queue.now);
    }
    this.comeIn(call, instance);
    // Over the limit the kill comes before the newcomer runs, and it dies too (rule 12).
    if (instance.isOutOfMemory) return void this.onOutOfMemory(instance);
    if (slotFree) return void this.run(call);
    const patienceNs = toNs(instance.service.model.queue.patience.value);
    if (patienceNs !== Infinity) calls.timer[call] = queue.at(queue.now + patienceNs, this.kinds.impatient, call);
  }

  /** Set by the lifecycle: what happens when an instance is over its memory limit. */
  onOutOfMemory: (instance: Instance) => void = () => {};
  /** Set by the autoscaler's drain: nothing is inside an instance or on its way to it any more. */
  onEmpty: (instance: Instance) => void = () => {};

  private comeIn(call: number, instance: Instance): void {
    this.calls.flags[call] |= flag.inside;
    instance.enter(call, (this.calls.flags[call] & flag.offSlots) === 0, this.queue.now);
  }

  /** The call has ended where it ran: leaves the instance, hands its slot on, answers. */
  private finish(call: number, end: Outcome, reason: number): void {
    const place = this.calls.place[call];
    if (place >= this.instances.length) {
      this.listener.requestEnded(place - this.instances.length, call, end, reason);
      this.calls.give(call);
      return;
    }
    const instance = this.instances[place];
    const heldSlot = (this.calls.flags[call] & flag.holdsSlot) !== 0;
    this.depart(call, instance, end, reason);
    // What it leaked may be too much; it has its answer, the others die (rule 12).
    if (instance.isOutOfMemory) return void this.onOutOfMemory(instance);
    if (heldSlot) this.handOnSlot(instance);
    if (instance.isIdle) this.onEmpty(instance);
  }

  private depart(call: number, instance: Instance, end: Outcome, reason: number): void {
    const { calls } = this;
    instance.leave(call, (calls.flags[call] & flag.offSlots) === 0, this.queue.now);
    calls.flags[call] &= ~(flag.inside | flag.holdsSlot);
    if ((calls.flags[call] & flag.probe) === 0) instance.countEnd(end);
    this.answer(call, end, reason);
  }

  /** The longest waiting call takes the slot over at this instant, so that no newcomer slips in between. */
  private handOnSlot(instance: Instance): void {
    const { calls, queue } = this;
    const call = instance.queue.shift();
    if (call < 0) return void instance.slots.add(-1, queue.now);
    instance.queued.add(-1, queue.now);
    if (calls.timer[call] >= 0) queue.cancel(calls.timer[call]);
    calls.timer[call] = -1;
    calls.flags[call] |= flag.holdsSlot | flag.granted;
    queue.soon(this.kinds.started, call);
  }

  private started(call: number): void {
    const { calls } = this;
    if ((calls.flags[call] & flag.granted) === 0) return; // killed at this very instant
    calls.flags[call] &= ~flag.granted;
    this.run(call);
  }

  private waited(call: number): void {
    this.calls.timer[call] = -1;
    this.run(call);
  }

  /** Patience counts the wait for the first slot only (rule 9). */
  private impatient(call: number): void {
    const instance = this.instances[this.calls.place[call]];
    this.calls.timer[call] = -1;
    instance.queue.remove(call);
    instance.queued.add(-1, this.queue.now);
    this.depart(call, instance, outcome.refused, instance.service.reasons.patience);
    if (instance.isOutOfMemory) this.onOutOfMemory(instance);
  }

  private answer(call: number, end: Outcome, reason: number): void {
    const { calls } = this;
    calls.outcome[call] = end;
    calls.reason[call] = reason;
    this.travel(call, this.sharedOf(call), 1, this.kinds.answered);
  }

  private sharedOf(call: number): SharedLink {
    const { calls } = this;
    return (calls.flags[call] & flag.probe) !== 0 ? this.sharedLinks[calls.link[call]] : this.linksOf[calls.caller[call]][calls.link[call]].shared;
  }

  /** The answer is back at the caller, unless nobody waits for it any more. */
  private answered(call: number): void {
    const { calls, queue } = this;
    const end = calls.outcome[call] as Outcome;
    const reason = calls.reason[call];
    if ((calls.flags[call] & flag.abandoned) !== 0) return void calls.give(call);
    if (calls.timeoutTimer[call] >= 0) queue.cancel(calls.timeoutTimer[call]);
    if ((calls.flags[call] & flag.probe) !== 0) {
      const link = calls.link[call];
      const target = calls.target[call];
      calls.give(call);
      return void this.listener.probeEnded(link, target, end === outcome.good, reason);
    }
    const parent = this.close(call, end, reason);
    calls.give(call);
    this.resume(parent, end, reason);
  }

  /** The caller gives up: what it sent goes on and is served for nobody (rules 10 and 19). */
  private timedOut(call: number): void {
    const { calls } = this;
    calls.timeoutTimer[call] = -1;
    if ((calls.flags[call] & flag.probe) !== 0) {
      calls.flags[call] |= flag.abandoned;
      return void this.listener.probeEnded(calls.link[call], calls.target[call], false, this.sharedLinks[calls.link[call]].plan.reasons.timeout);
    }
    const { reasons } = this.sharedOf(call).plan;
    const parent = this.close(call, outcome.failed, reasons.timeout);
    calls.flags[call] |= flag.abandoned;
    this.resume(parent, outcome.failed, reasons.timeout);
  }

  /** Ends an attempt at its caller: counts it, frees its connection. Returns the caller's call. */
  private close(call: number, end: Outcome, reason: number): number {
    const { calls, queue } = this;
    const parent = calls.parent[call];
    const link = this.linksOf[calls.caller[call]][calls.link[call]];
    link.outstanding[calls.target[call]]--;
    link.shared.countEnd(link.callerOrdinal, calls.target[call], end, end === outcome.good ? -1 : reason);
    if (end === outcome.good) link.shared.latency.add(queue.now - calls.sentNs[call]);
    this.releaseConnection(link);
    calls.parent[call] = -1;
    calls.child[parent] = -1;
    return parent;
  }

  /** The connection goes to who has waited longest, at this instant (rule 21). */
  private releaseConnection(link: CallerLink): void {
    if (link.shared.plan.poolMax === Infinity) return;
    const { calls, queue } = this;
    const call = link.waiters.shift();
    if (call < 0) return void link.poolInUse.add(-1, queue.now);
    link.poolWaiting.add(-1, queue.now);
    link.shared.poolWait.add(queue.now - calls.pooledNs[call]);
    if (calls.timer[call] >= 0) queue.cancel(calls.timer[call]);
    calls.timer[call] = -1;
    calls.flags[call] |= flag.granted;
    queue.soon(this.kinds.granted, call);
  }

  private granted(call: number): void {
    const { calls } = this;
    if ((calls.flags[call] & flag.granted) === 0) return; // killed at this very instant
    calls.flags[call] &= ~flag.granted;
    const op = this.opOf(call);
    if (!this.dispatch(call, op, this.linksOf[calls.place[call]][op.link])) this.finish(call, outcome.refused, this.refusal);
  }

  private poolWaited(call: number): void {
    const { calls, queue } = this;
    const link = this.linksOf[calls.place[call]][this.opOf(call).link];
    calls.timer[call] = -1;
    link.waiters.remove(call);
    link.poolWaiting.add(-1, queue.now);
    link.shared.poolWait.add(queue.now - calls.pooledNs[call]);
    this.refuse(link, link.shared.plan.reasons.poolWait);
    this.finish(call, outcome.refused, link.shared.plan.reasons.poolWait);
  }

  /** The op that the call is in. */
  private opOf(call: number): Op {
    return this.plan.programs[this.calls.program[call]][this.calls.step[call] - 1];
  }

  /** The first bad end travels up unchanged. */
  private resume(call: number, end: Outcome, reason: number): void {
    if (end === outcome.good) this.run(call);
    else this.finish(call, end, reason);
  }

  /** Takes a call of a dying process out of whatever it is in. */
  private detach(call: number, instance: Instance): void {
    const { calls, queue } = this;
    calls.flags[call] &= ~flag.granted;
    if (calls.timer[call] >= 0) queue.cancel(calls.timer[call]);
    calls.timer[call] = -1;
    const child = calls.child[call];
    if (child < 0) return;
    const link = this.linksOf[calls.caller[child]][calls.link[child]];
    if (calls.timeoutTimer[child] >= 0) queue.cancel(calls.timeoutTimer[child]);
    calls.timeoutTimer[child] = -1;
    link.shared.countEnd(link.callerOrdinal, calls.target[child], outcome.failed, instance.service.reasons.killed);
    calls.flags[child] |= flag.abandoned;
    calls.parent[child] = -1;
    calls.child[call] = -1;
  }
}
