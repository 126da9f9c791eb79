import { flag, outcome, stage, type Outcome } from '../kernel/calls.js';
import { uniform } from '../kernel/keyed-draws.js';
import type { Instance } from '../parts/instance.js';
import { toNs } from '../plan/plan.js';
import type { Flow } from './flow.js';

/** Draw of whether a request is answered with an error while a fault makes errors. */
const errorSite = 0x0e550001;

/** The door of an instance: who is let in, slots and turns, the queue before them, leaving. */
export class Door {
  constructor(private readonly flow: Flow) {}

  /** A message of a caller has come. */
  arrived(call: number): void {
    const { calls } = this.flow;
    const instance = this.instanceOf(call);
    instance.coming--;
    // Its caller has told in the meantime that it gave up.
    if ((calls.flags[call] & (flag.abandoned | flag.message)) === flag.abandoned && this.flow.wiring.sharedOf(call).plan.cancel) return void calls.give(call);
    if (instance.effects.isFrozen && instance.serves) {
      calls.flags[call] |= flag.atDoor;
      return this.flow.stillness.stand(call);
    }
    this.admit(call);
  }

  /** Rule 6: dead? rate limit? free slot? room in the queue? else refused, in no time. */
  admit(call: number): void {
    const { calls, queue } = this.flow;
    const instance = this.instanceOf(call);
    const { reasons } = instance.service;
    const isProbe = (calls.flags[call] & flag.probe) !== 0;
    if (!instance.serves && instance.isSilent) return this.flow.wire.lose(call);
    if (!instance.serves || instance.effects.isCut) return this.flow.wire.answer(call, outcome.failed, reasons.connectionRefused);
    if (!isProbe) instance.countArrival();
    if (calls.socket[call] >= 0) {
      this.flow.parts.sockets.arrive(calls.socket[call], calls.depth[call] - 1);
      if (this.flow.checkMemory(instance)) return this.turnAway(call, instance, outcome.failed, reasons.killed);
    }
    if ((calls.flags[call] & flag.offSlots) !== 0) {
      this.comeIn(call, instance);
      return this.flow.run(call);
    }
    const { errorShare } = instance.effects;
    if (errorShare > 0 && uniform(calls.key0[call], calls.key1[call], errorSite, 0) < errorShare) return this.turnAway(call, instance, outcome.failed, reasons.error);
    const heldNs = instance.bucket && !isProbe ? instance.bucket.take(queue.now) : 0;
    if (heldNs < 0) return this.turnAway(call, instance, outcome.refused, reasons.rateLimited);
    if (heldNs === 0) this.pass(call);
    else this.hold(call, instance, heldNs);
  }

  /** Held by the rate limit until its token comes: inside the process, which it dies with. A message is held before it is taken over. */
  private hold(call: number, instance: Instance, timeNs: number): void {
    const isMessage = (this.flow.calls.flags[call] & flag.message) !== 0;
    this.flow.pause(call, timeNs, stage.held);
    if (!isMessage) this.comeIn(call, instance);
    if (!isMessage) this.flow.checkMemory(instance);
  }

  /** Past the rate limit: a slot, or the queue. */
  pass(call: number): void {
    const { calls, queue } = this.flow;
    const instance = this.instanceOf(call);
    if (!instance.serves) return this.turnAway(call, instance, outcome.failed, instance.service.reasons.connectionRefused);
    const wasHeld = (calls.flags[call] & flag.inside) !== 0;
    if ((calls.flags[call] & flag.message) !== 0) return this.flow.messages.accept(call, instance);
    const isFree = instance.slots.value < instance.slotLimit;
    const waiting = instance.takesTurns ? instance.fresh : instance.queued.value;
    if (!isFree && waiting >= instance.queueLimit) {
      const { queueFull } = instance.service.reasons;
      return wasHeld ? this.finish(call, instance, outcome.refused, queueFull) : this.turnAway(call, instance, outcome.refused, queueFull);
    }
    if (instance.takesTurns) {
      calls.flags[call] |= flag.fresh;
      instance.fresh++;
    } else if (isFree) {
      calls.flags[call] |= flag.holdsSlot;
      instance.slots.add(1, queue.now);
    } else this.queueUp(call, instance);
    if (!wasHeld) this.comeIn(call, instance);
    // Over the limit the kill comes before the newcomer runs, and it dies too (rule 12); or its caller does, on the same host, and takes it back.
    if (this.flow.checkMemory(instance) || calls.stage[call] === stage.over) return;
    if (isFree || instance.takesTurns) this.flow.run(call);
  }

  /** Works for so long, one core alone; waits for its turn where there is an event loop. False: there is nothing to do. */
  compute(call: number, demandNs: number): boolean {
    const { calls, instances, queue } = this.flow;
    if (demandNs === 0) return false;
    // A user's own work is no work of the system.
    if (calls.place[call] >= instances.length) return this.flow.pause(call, demandNs, stage.waiting);
    const instance = this.instanceOf(call);
    if (!instance.takesTurns || (calls.flags[call] & flag.offSlots) !== 0) {
      calls.stage[call] = stage.computing;
      instance.container.begin(call, demandNs);
      return true;
    }
    calls.demandNs[call] = demandNs;
    if (instance.slots.value < instance.slotLimit) {
      instance.slots.add(1, queue.now);
      this.beginTurn(call, instance);
    } else this.queueUp(call, instance);
    return true;
  }

  /** The turn of the event loop is over; the next one in line has it at once (rule 8). */
  endTurn(call: number): void {
    const { calls } = this.flow;
    if ((calls.flags[call] & flag.holdsSlot) === 0) return;
    const instance = this.instanceOf(call);
    if (!instance.takesTurns) return;
    calls.flags[call] &= ~flag.holdsSlot;
    this.handOnTurn(instance);
  }

  /** It has computed: the turn is over, and a worker may have one for a message. */
  computed(call: number): void {
    this.endTurn(call);
    const { calls, instances, messages } = this.flow;
    if (calls.place[call] < instances.length && this.instanceOf(call).takesTurns) messages.lookSoon(this.instanceOf(call));
  }

  /** The call has ended where it ran: leaves the instance, hands its slot on, answers. */
  finish(call: number, instance: Instance, end: Outcome, reason: number): void {
    const heldSlot = (this.flow.calls.flags[call] & flag.holdsSlot) !== 0;
    this.depart(call, instance, end, reason);
    // What it leaked may be too much; it has its answer, the others die (rule 12).
    if (this.flow.checkMemory(instance)) return;
    this.left(instance, heldSlot);
  }

  /** Leaves, and answers; what it held of the instance is for the caller of this to hand on. */
  depart(call: number, instance: Instance, end: Outcome, reason: number): void {
    this.goOut(call, instance, end);
    if (this.flow.calls.link[call] < 0) this.flow.calls.give(call); // a message in its queue: nobody is told
    else this.flow.wire.answer(call, end, reason);
  }

  /** Whoever asked has said that it gave up: the work stops, and nothing is answered. */
  cancel(call: number): void {
    const { calls } = this.flow;
    const instance = this.instanceOf(call);
    this.flow.leave(call, instance.service.reasons.killed);
    this.flow.holdings.releaseAll(call);
    const heldSlot = (calls.flags[call] & flag.holdsSlot) !== 0;
    this.goOut(call, instance, outcome.failed);
    calls.give(call);
    this.left(instance, heldSlot);
  }

  /** A process goes on, and hears only now of those that have given up. */
  cancelAbandoned(instance: Instance): void {
    const { calls, wiring } = this.flow;
    const mayStop = flag.abandoned | flag.message | flag.probe;
    for (let call = instance.firstInside; call >= 0; ) {
      const next = calls.nextInside[call];
      if ((calls.flags[call] & mayStop) === flag.abandoned && wiring.sharedOf(call).plan.cancel) this.cancel(call);
      call = next;
    }
  }

  /** Patience counts the wait for the first slot only (rule 9). */
  impatient(call: number): void {
    const instance = this.instanceOf(call);
    this.leaveQueue(call, false);
    this.finish(call, instance, outcome.refused, instance.service.reasons.patience);
  }

  leaveQueue(call: number, wasGranted: boolean): void {
    if (wasGranted) return; // it has the slot already
    const instance = this.instanceOf(call);
    instance.queue.remove(call);
    instance.queued.add(-1, this.flow.queue.now);
  }

  stopComputing(call: number): void {
    const instance = this.instanceOf(call);
    instance.container.remove(call);
    this.endTurn(call);
  }

  /** The process is gone: nobody waits and nobody is in. What stood frozen before the door finds it shut. */
  clear(instance: Instance): void {
    instance.fresh = 0;
    this.flow.wake(instance);
  }

  isWaitingForItsFirstSlot(call: number): boolean {
    const { calls } = this.flow;
    if (calls.stage[call] === stage.held) return true;
    if (calls.stage[call] !== stage.queued || (calls.flags[call] & flag.granted) !== 0) return false;
    return !this.instanceOf(call).takesTurns || (calls.flags[call] & flag.fresh) !== 0;
  }

  /** Comes inside, with memory of its own unless it is beside the requests. */
  comeIn(call: number, instance: Instance): void {
    const { calls, queue } = this.flow;
    calls.flags[call] |= flag.inside;
    calls.arrivedNs[call] = queue.now;
    instance.enter(call, (calls.flags[call] & flag.offSlots) === 0, queue.now);
  }

  /** A call has left: its slot is for the next, and a worker that takes turns may have one for a message. */
  private left(instance: Instance, heldSlot: boolean): void {
    if (heldSlot) this.handOnSlot(instance);
    else if (instance.takesTurns) this.flow.messages.takeFor(instance);
    if (instance.isIdle) this.flow.onEmpty(instance);
  }

  /** The longest waiting call takes the slot over at this instant, so that no newcomer slips in between; else a worker takes a message. */
  handOnSlot(instance: Instance): void {
    const { calls, queue } = this.flow;
    const call = instance.queue.shift();
    if (call < 0) {
      instance.slots.add(-1, queue.now);
      return this.flow.messages.takeFor(instance);
    }
    instance.queued.add(-1, queue.now);
    calls.flags[call] |= flag.holdsSlot;
    this.flow.grant(call);
  }

  private goOut(call: number, instance: Instance, end: Outcome): void {
    const { calls, queue } = this.flow;
    if ((calls.flags[call] & flag.fresh) !== 0) instance.fresh--;
    instance.leave(call, (calls.flags[call] & flag.offSlots) === 0, queue.now);
    calls.flags[call] &= ~(flag.inside | flag.holdsSlot | flag.fresh);
    if ((calls.flags[call] & flag.probe) === 0) instance.countEnd(end);
  }

  private turnAway(call: number, instance: Instance, end: Outcome, reason: number): void {
    if ((this.flow.calls.flags[call] & flag.probe) === 0) instance.countEnd(end);
    this.flow.wire.answer(call, end, reason);
  }

  private queueUp(call: number, instance: Instance): void {
    const { calls, queue } = this.flow;
    instance.queue.push(call);
    instance.queued.add(1, queue.now);
    const isFirst = !instance.takesTurns || (calls.flags[call] & flag.fresh) !== 0;
    this.flow.waitAtMost(call, isFirst ? toNs(instance.service.model.queue.patience.value) : Infinity, stage.queued);
  }

  private beginTurn(call: number, instance: Instance): void {
    const { calls } = this.flow;
    this.firstTurnBegins(this.requestOf(call), instance);
    calls.flags[call] |= flag.holdsSlot;
    calls.stage[call] = stage.computing;
    instance.container.begin(call, calls.demandNs[call]);
  }

  private firstTurnBegins(request: number, instance: Instance): void {
    const { flags } = this.flow.calls;
    if ((flags[request] & flag.fresh) === 0) return;
    flags[request] &= ~flag.fresh;
    instance.fresh--;
  }

  /** The request that a branch of a parallel step belongs to. */
  private requestOf(call: number): number {
    const { flags, parent } = this.flow.calls;
    let request = call;
    while ((flags[request] & flag.branch) !== 0) request = parent[request];
    return request;
  }

  private handOnTurn(instance: Instance): void {
    const { calls, queue } = this.flow;
    const next = instance.queue.shift();
    if (next < 0) return instance.slots.add(-1, queue.now);
    instance.queued.add(-1, queue.now);
    if (calls.timer[next] >= 0) queue.cancel(calls.timer[next]);
    calls.timer[next] = -1;
    this.beginTurn(next, instance);
  }

  private instanceOf(call: number): Instance {
    return this.flow.instances[this.flow.calls.place[call]];
  }
}
