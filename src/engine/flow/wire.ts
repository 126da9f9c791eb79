import { flag, outcome, stage, type Outcome } from '../kernel/calls.js';
import type { SharedLink } from '../parts/link.js';
import type { Flow } from './flow.js';

/** Who gets no sign of life waits this long for a connection when it has no timeout (rule 17). */
const connectTimeoutNs = 10e9;

/** Messages on their way between a caller and a callee, there and back, and those that get lost. */
export class Wire {
  private readonly arrivedKind: number;
  private readonly answeredKind: number;
  private readonly timedOutKind: number;

  constructor(private readonly flow: Flow) {
    this.arrivedKind = flow.queue.register((call) => flow.door.arrived(call));
    this.answeredKind = flow.queue.register((call) => flow.attempts.answered(call));
    this.timedOutKind = flow.queue.register((call) => flow.attempts.timedOut(call));
  }

  send(call: number, shared: SharedLink, timeoutNs: number): void {
    const { calls, queue } = this.flow;
    calls.sentNs[call] = queue.now;
    if (timeoutNs !== Infinity) calls.timeoutTimer[call] = queue.at(queue.now + timeoutNs, this.timedOutKind, call);
    calls.stage[call] = stage.travelling;
    this.travel(call, shared, 0, this.arrivedKind);
  }

  /** Takes the link's latency and what faults add, then goes on with `kind`; direction 0 there, 1 back. Without latency it goes on at once, after what is due now. */
  travel(call: number, shared: SharedLink, direction: 0 | 1, kind: number): void {
    const { calls, queue, instances } = this.flow;
    const { latency } = shared.plan;
    const key0 = calls.key0[call];
    const key1 = calls.key1[call];
    const callee = this.flow.wiring.instanceOf(shared, calls.target[call]);
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
    // Its caller stands still, and its patience is over already.
    if ((calls.flags[calls.parent[call]] & flag.due) !== 0) return;
    const dueNs = Math.max(queue.now, calls.sentNs[call] + connectTimeoutNs);
    if (calls.timeoutTimer[call] < 0) calls.timeoutTimer[call] = queue.at(dueNs, this.timedOutKind, call);
    else if (this.flow.wiring.sharedOf(call).plan.timeoutNs > connectTimeoutNs) queue.move(calls.timeoutTimer[call], dueNs);
  }

  /** An abandoned call is over. */
  forget(call: number): void {
    const { calls } = this.flow;
    // A message that got lost on its way was sent all the same.
    if ((calls.flags[call] & flag.message) !== 0) this.flow.wiring.callerLinkOf(call).ended(calls.target[call], outcome.failed, this.flow.wiring.sharedOf(call).plan.reasons.timeout);
    calls.give(call);
  }

  answer(call: number, end: Outcome, reason: number): void {
    const { calls } = this.flow;
    calls.outcome[call] = end;
    calls.reason[call] = reason;
    calls.stage[call] = stage.travelling;
    this.travel(call, this.flow.wiring.sharedOf(call), 1, this.answeredKind);
  }
}
