import { flag, stage, type Call } from '../kernel/calls.js';
import type { Kind } from '../kernel/event-queue.js';
import type { Op } from '../plan/program.js';
import type { Flow } from './flow.js';
import { isGreeting } from './handshakes.js';

/** What a call that stands still will see when it goes on. */
export const seenLater = flag.due | flag.told | flag.late;

/** Calls that wait: for a time, for something that they are granted, or for what is seen when their process goes on; and how each goes on. */
export class Waits {
  private readonly goOnKind: Kind<Call>;
  private readonly timerKind: Kind<Call>;

  constructor(private readonly flow: Flow) {
    this.goOnKind = flow.queue.register<Call>((call) => this.goOn(call));
    this.timerKind = flow.queue.register<Call>((call) => this.timerFired(call));
  }

  /** Waits for the time of an op; false when there is nothing to wait. */
  pauseFor(call: Call, op: Op, timeNs: number): boolean {
    if (timeNs === 0) return false;
    op.lane ??= this.flow.queue.lane(op.alwaysNs, this.timerKind);
    call.stage = stage.waiting;
    call.timer = this.flow.queue.in(timeNs, op.lane, call);
    return true;
  }

  /** Waits; false when there is nothing to wait. */
  pause(call: Call, timeNs: number, what: number): boolean {
    if (timeNs === 0) return false;
    const { queue } = this.flow;
    call.stage = what;
    call.timer = queue.at(queue.now + timeNs, this.timerKind, call);
    return true;
  }

  /** Waits for something, so long at most: not at all is until what is due now has come. */
  waitAtMost(call: Call, timeNs: number, what: number): void {
    const { queue } = this.flow;
    call.stage = what;
    if (timeNs !== Infinity) call.timer = queue.at(queue.now + timeNs, this.timerKind, call);
  }

  /** What the call waited for is its own: it goes on at this instant, after what is due now. */
  grant(call: Call): void {
    this.stopTimer(call);
    call.flags = (call.flags & ~flag.due) | flag.granted;
    this.flow.queue.soon(this.goOnKind, call);
  }

  stopTimer(call: Call): void {
    if (call.timer >= 0) this.flow.queue.cancel(call.timer);
    call.timer = -1;
  }

  stopDeadline(call: Call): void {
    if (call.deadlineTimer >= 0) this.flow.queue.cancel(call.deadlineTimer);
    call.deadlineTimer = -1;
  }

  stopTimeout(call: Call): void {
    if (call.timeoutTimer >= 0) this.flow.queue.cancel(call.timeoutTimer);
    call.timeoutTimer = -1;
  }

  /** A call that stood still goes on with its process, or finds that it is gone. */
  wake(call: Call): void {
    call.flags &= ~flag.standing;
    if ((call.flags & seenLater) === 0) call.flags |= flag.granted;
    this.flow.queue.soon(this.goOnKind, call);
  }

  private goOn(call: Call): void {
    const { flow } = this;
    if ((call.flags & (flag.granted | seenLater)) === 0) return; // taken out at this very instant
    if (flow.stillness.standsStill(call)) return flow.stillness.keepStill(call);
    if ((call.flags & seenLater) !== 0) return this.seen(call);
    call.flags &= ~flag.granted;
    switch (call.stage) {
      case stage.pooled:
        return flow.connections.granted(call);
      case stage.backingOff:
        return flow.retries.again(call);
      case stage.locked:
        return flow.holdings.lockGranted(call);
      case stage.frozen:
        return this.thaw(call);
      default:
        flow.run(call);
    }
  }

  private timerFired(call: Call): void {
    const { flow } = this;
    call.timer = -1;
    if (call.stage === stage.greeting) return flow.handshakes.greeted(call);
    if (flow.stillness.standsStill(call)) return flow.stillness.postpone(call, flag.due);
    this.timerDue(call);
  }

  private timerDue(call: Call): void {
    const { flow } = this;
    switch (call.stage) {
      case stage.queued:
        return flow.door.impatient(call);
      case stage.held:
        return flow.door.pass(call);
      case stage.pooled:
        return flow.connections.poolWaited(call);
      case stage.backingOff:
        return flow.retries.again(call);
      case stage.locked:
        return flow.holdings.lockWaited(call);
      default:
        flow.runAwake(call);
    }
  }

  /** What a call saw while its process stood still: an answer first, then its deadline, then a timer or timeout. */
  private seen(call: Call): void {
    const { flow } = this;
    const what = call.flags;
    call.flags &= ~seenLater;
    if ((what & flag.told) !== 0) {
      if ((what & flag.late) !== 0) flow.retries.giveUp(call);
      return flow.attempts.answered(call.child!);
    }
    // What it was granted in the meantime it gives back.
    if ((what & flag.late) !== 0) return flow.attempts.deadlinePassed(call);
    call.flags &= ~flag.granted;
    if (call.stage !== stage.asking) return this.timerDue(call);
    if (isGreeting(call.child!.stage)) return flow.handshakes.greeted(call.child!);
    flow.attempts.timedOut(call.child!);
  }

  private thaw(call: Call): void {
    const { flow } = this;
    if ((call.flags & flag.atDoor) !== 0) {
      call.flags &= ~flag.atDoor;
      return flow.door.comeBefore(call);
    }
    if ((call.flags & flag.ended) === 0) return flow.run(call);
    call.flags &= ~flag.ended;
    flow.attempts.settle(call, call.outcome, call.reason);
  }
}
