import { flag, outcome, stage, type Call, type Outcome } from '../kernel/calls.js';
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
  arrived(call: Call): void {
    const instance = call.instance!;
    instance.coming--;
    if (instance.effects.isFrozen && instance.serves) {
      call.flags |= flag.atDoor;
      return this.flow.stillness.stand(call);
    }
    this.comeBefore(call);
  }

  /** It stands before the door, unless its caller has told in the meantime that it gave up. */
  comeBefore(call: Call): void {
    const instance = call.instance!;
    if ((call.flags & (flag.abandoned | flag.message)) === flag.abandoned && call.shared!.plan.cancel) this.flow.calls.give(call);
    else this.admit(call);
    this.seeWhetherEmpty(instance);
  }

  /** Rule 6: dead? rate limit? free slot? room in the queue? else refused, in no time. */
  admit(call: Call): void {
    const { queue } = this.flow;
    const instance = call.instance!;
    const { reasons } = instance.service;
    const isProbe = (call.flags & flag.probe) !== 0;
    if (!instance.serves && instance.isSilent) return this.flow.wire.lose(call);
    if (!instance.serves || instance.effects.isCut) return this.flow.wire.answer(call, outcome.failed, reasons.connectionRefused);
    if (!isProbe) instance.countArrival();
    if (call.socket >= 0) {
      this.flow.parts.sockets.arrive(call.socket, call.depth - 1);
      if (this.flow.checkMemory(instance)) return this.turnAway(call, instance, outcome.failed, reasons.killed);
    }
    if ((call.flags & flag.offSlots) !== 0) {
      this.comeIn(call, instance);
      return this.flow.run(call);
    }
    const { errorShare } = instance.effects;
    if (errorShare > 0 && uniform(call.key0, call.key1, errorSite, 0) < errorShare) return this.turnAway(call, instance, outcome.failed, reasons.error);
    const heldNs = instance.bucket && !isProbe ? instance.bucket.take(queue.now) : 0;
    if (heldNs < 0) return this.turnAway(call, instance, outcome.refused, reasons.rateLimited);
    if (heldNs === 0) this.pass(call);
    else this.hold(call, instance, heldNs);
  }

  /** Held by the rate limit until its token comes: inside the process, which it dies with. A message is held before it is taken over. */
  private hold(call: Call, instance: Instance, timeNs: number): void {
    const isMessage = (call.flags & flag.message) !== 0;
    this.flow.waits.pause(call, timeNs, stage.held);
    if (!isMessage) this.comeIn(call, instance);
    if (!isMessage) this.flow.checkMemory(instance);
  }

  /** Past the rate limit: a slot, or the queue. */
  pass(call: Call): void {
    const { queue } = this.flow;
    const instance = call.instance!;
    if (!instance.serves) return this.turnAway(call, instance, outcome.failed, instance.service.reasons.connectionRefused);
    const wasHeld = (call.flags & flag.inside) !== 0;
    if ((call.flags & flag.message) !== 0) return this.flow.messages.accept(call, instance);
    const isFree = instance.slots.value < instance.slotLimit;
    const waiting = instance.takesTurns ? instance.fresh : instance.queued.value;
    if (!isFree && waiting >= instance.queueLimit) {
      const { queueFull } = instance.service.reasons;
      return wasHeld ? this.finish(call, instance, outcome.refused, queueFull) : this.turnAway(call, instance, outcome.refused, queueFull);
    }
    if (instance.takesTurns) {
      call.flags |= flag.fresh;
      instance.fresh++;
    } else if (isFree) {
      call.flags |= flag.holdsSlot;
      instance.slots.add(1, queue.now);
    } else this.queueUp(call, instance);
    if (!wasHeld) this.comeIn(call, instance);
    // Over the limit the kill comes before the newcomer runs, and it dies too (rule 12); or its caller does, on the same host, and takes it back.
    if (this.flow.checkMemory(instance) || call.stage === stage.over) return;
    if (isFree || instance.takesTurns) this.flow.run(call);
  }

  /** Works for so long, one core alone; waits for its turn where there is an event loop. False: there is nothing to do. */
  compute(call: Call, demandNs: number): boolean {
    const { queue } = this.flow;
    if (demandNs === 0) return false;
    // A user's own work is no work of the system.
    if (call.instance === null) return this.flow.waits.pause(call, demandNs, stage.waiting);
    const instance = call.instance;
    if (!instance.takesTurns || (call.flags & flag.offSlots) !== 0) {
      call.stage = stage.computing;
      instance.container.begin(call, demandNs);
      return true;
    }
    call.demandNs = demandNs;
    if (instance.slots.value < instance.slotLimit) {
      instance.slots.add(1, queue.now);
      this.beginTurn(call, instance);
    } else this.queueUp(call, instance);
    return true;
  }

  /** The turn of the event loop is over; the next one in line has it at once (rule 8). */
  endTurn(call: Call): void {
    if ((call.flags & flag.holdsSlot) === 0) return;
    const instance = call.instance!;
    if (!instance.takesTurns) return;
    call.flags &= ~flag.holdsSlot;
    this.handOnTurn(instance);
  }

  /** It has computed: the turn is over, and a worker may have one for a message. */
  computed(call: Call): void {
    this.endTurn(call);
    if (call.instance !== null && call.instance.takesTurns) this.flow.messages.lookSoon(call.instance);
  }

  /** The call has ended where it ran: leaves the instance, hands its slot on, answers. */
  finish(call: Call, instance: Instance, end: Outcome, reason: number): void {
    const heldSlot = (call.flags & flag.holdsSlot) !== 0;
    this.depart(call, instance, end, reason);
    // What it leaked may be too much; it has its answer, the others die (rule 12).
    if (this.flow.checkMemory(instance)) return;
    this.left(instance, heldSlot);
  }

  /** Leaves, and answers; what it held of the instance is for the caller of this to hand on. */
  depart(call: Call, instance: Instance, end: Outcome, reason: number): void {
    this.goOut(call, instance, end);
    if ((call.flags & flag.message) !== 0 && call.link === null) this.flow.calls.give(call); // it lay in its queue: nobody is told
    else this.flow.wire.answer(call, end, reason);
  }

  /** Whoever asked has said that it gave up: the work stops, and nothing is answered. */
  cancel(call: Call): void {
    const instance = call.instance!;
    this.flow.leave(call, instance.service.reasons.killed);
    this.flow.holdings.releaseAll(call);
    const heldSlot = (call.flags & flag.holdsSlot) !== 0;
    this.goOut(call, instance, outcome.failed);
    this.flow.calls.give(call);
    this.left(instance, heldSlot);
  }

  /** A process goes on, and hears only now of those that have given up. */
  cancelAbandoned(instance: Instance): void {
    const mayStop = flag.abandoned | flag.message | flag.probe;
    for (let call = instance.firstInside; call !== null; ) {
      const next: Call | null = call.nextInside;
      if ((call.flags & mayStop) === flag.abandoned && call.shared!.plan.cancel) this.cancel(call);
      call = next;
    }
  }

  /** Patience counts the wait for the first slot only (rule 9). */
  impatient(call: Call): void {
    const instance = call.instance!;
    this.leaveQueue(call, false);
    this.flow.finish(call, outcome.refused, instance.service.reasons.patience);
  }

  leaveQueue(call: Call, wasGranted: boolean): void {
    if (wasGranted) return; // it has the slot already
    const instance = call.instance!;
    instance.queue.remove(call);
    instance.queued.add(-1, this.flow.queue.now);
  }

  stopComputing(call: Call): void {
    const instance = call.instance!;
    instance.container.remove(call);
    this.endTurn(call);
  }

  /** The process is gone: nobody waits and nobody is in. What stood frozen before the door finds it shut. */
  clear(instance: Instance): void {
    instance.fresh = 0;
    this.flow.wake(instance);
  }

  isWaitingForItsFirstSlot(call: Call): boolean {
    if (call.stage === stage.held) return true;
    if (call.stage !== stage.queued || (call.flags & flag.granted) !== 0) return false;
    return !call.instance!.takesTurns || (call.flags & flag.fresh) !== 0;
  }

  /** Comes inside, with memory of its own unless it is beside the requests. */
  comeIn(call: Call, instance: Instance): void {
    const { queue } = this.flow;
    call.flags |= flag.inside;
    call.arrivedNs = queue.now;
    instance.enter(call, (call.flags & flag.offSlots) === 0, queue.now);
  }

  /** A call has left: its slot is for the next, and a worker that takes turns may have one for a message. */
  private left(instance: Instance, heldSlot: boolean): void {
    if (heldSlot) this.handOnSlot(instance);
    else if (instance.takesTurns) this.flow.messages.takeFor(instance);
    this.seeWhetherEmpty(instance);
  }

  /** Nothing is inside any more, or on its way: who drains is done. */
  seeWhetherEmpty(instance: Instance): void {
    if (instance.isLeaving && instance.isIdle) this.flow.onEmpty(instance);
  }

  /** The longest waiting call takes the slot over at this instant, so that no newcomer slips in between; else a worker takes a message. */
  handOnSlot(instance: Instance): void {
    const { queue } = this.flow;
    const call = instance.queue.shift();
    if (call === null) {
      instance.slots.add(-1, queue.now);
      return this.flow.messages.takeFor(instance);
    }
    instance.queued.add(-1, queue.now);
    call.flags |= flag.holdsSlot;
    this.flow.waits.grant(call);
  }

  private goOut(call: Call, instance: Instance, end: Outcome): void {
    const { queue } = this.flow;
    if ((call.flags & flag.fresh) !== 0) instance.fresh--;
    instance.leave(call, (call.flags & flag.offSlots) === 0, queue.now);
    call.flags &= ~(flag.inside | flag.holdsSlot | flag.fresh);
    if ((call.flags & flag.probe) === 0) instance.countEnd(end);
  }

  private turnAway(call: Call, instance: Instance, end: Outcome, reason: number): void {
    if ((call.flags & flag.probe) === 0) instance.countEnd(end);
    this.flow.wire.answer(call, end, reason);
  }

  private queueUp(call: Call, instance: Instance): void {
    const { queue } = this.flow;
    instance.queue.push(call);
    instance.queued.add(1, queue.now);
    const isFirst = !instance.takesTurns || (call.flags & flag.fresh) !== 0;
    this.flow.waits.waitAtMost(call, isFirst ? toNs(instance.service.model.queue.patience.value) : Infinity, stage.queued);
  }

  private beginTurn(call: Call, instance: Instance): void {
    this.firstTurnBegins(this.requestOf(call), instance);
    call.flags |= flag.holdsSlot;
    call.stage = stage.computing;
    instance.container.begin(call, call.demandNs);
  }

  private firstTurnBegins(request: Call, instance: Instance): void {
    if ((request.flags & flag.fresh) === 0) return;
    request.flags &= ~flag.fresh;
    instance.fresh--;
  }

  /** The request that a branch of a parallel step belongs to. */
  private requestOf(call: Call): Call {
    let request = call;
    while ((request.flags & flag.branch) !== 0) request = request.parent!;
    return request;
  }

  private handOnTurn(instance: Instance): void {
    const { queue } = this.flow;
    const next = instance.queue.shift();
    if (next === null) return instance.slots.add(-1, queue.now);
    instance.queued.add(-1, queue.now);
    this.flow.waits.stopTimer(next);
    this.beginTurn(next, instance);
  }
}
