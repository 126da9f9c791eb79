import { flag, outcome, stage, type Call, type Outcome } from '../kernel/calls.js';
import type { Kind, Lane } from '../kernel/event-queue.js';
import type { Instance } from '../parts/instance.js';
import type { SharedLink } from '../parts/link.js';
import type { Flow } from './flow.js';

/** Who gets no sign of life waits this long for a connection when it has no timeout (rule 17). */
const connectTimeoutNs = 10e9;

/** Directions of messages. */
const there = 0;
const back = 1;

/** Messages on their way between a caller and a callee, there and back, and those that get lost. */
export class Wire {
  private readonly arrivedKind: Kind<Call>;
  private readonly answeredKind: Kind<Call>;
  private readonly timedOutKind: Kind<Call>;

  constructor(private readonly flow: Flow) {
    this.arrivedKind = flow.queue.register<Call>((call) => flow.door.arrived(call));
    this.answeredKind = flow.queue.register<Call>((call) => flow.attempts.answered(call));
    this.timedOutKind = flow.queue.register<Call>((call) => flow.attempts.timedOut(call));
  }

  /** Sends an attempt, for whose answer its caller waits as long as the link says. */
  send(call: Call, shared: SharedLink): void {
    if (shared.plan.timeoutNs !== Infinity) {
      shared.timeouts ??= this.flow.queue.lane(shared.plan.timeoutNs, this.timedOutKind);
      call.timeoutTimer = this.flow.queue.after(shared.timeouts, call);
    }
    this.sendMessage(call, shared);
  }

  sendProbe(call: Call, shared: SharedLink): void {
    shared.probeTimeouts ??= this.flow.queue.lane(shared.plan.health!.timeoutNs, this.timedOutKind);
    call.timeoutTimer = this.flow.queue.after(shared.probeTimeouts, call);
    this.sendMessage(call, shared);
  }

  /** Sends something that nobody waits for. */
  sendMessage(call: Call, shared: SharedLink): void {
    call.sentNs = this.flow.queue.now;
    call.stage = stage.travelling;
    this.travel(call, shared, there);
  }

  /** The callee's last word. */
  answer(call: Call, end: Outcome, reason: number): void {
    call.outcome = end;
    call.reason = reason;
    call.stage = stage.travelling;
    this.travel(call, call.shared!, back);
  }

  /** No answer will ever come: the caller finds out by its timeout, or after the time that connecting takes at most. */
  lose(call: Call): void {
    const { queue } = this.flow;
    call.flags |= flag.lost;
    if ((call.flags & flag.abandoned) !== 0) return this.forget(call);
    if ((call.flags & flag.probe) !== 0) return;
    // Its caller stands still, and its patience is over already.
    if ((call.parent!.flags & flag.due) !== 0) return;
    const dueNs = Math.max(queue.now, call.sentNs + connectTimeoutNs);
    if (call.timeoutTimer < 0) call.timeoutTimer = queue.at(dueNs, this.timedOutKind, call);
    else if (call.shared!.plan.timeoutNs > connectTimeoutNs) queue.move(call.timeoutTimer, dueNs);
  }

  /** Takes the link's latency and what faults add. Without any it comes at once, after what is due now. */
  private travel(call: Call, shared: SharedLink, direction: typeof there | typeof back): void {
    const { queue } = this.flow;
    const callee = shared.instances[call.target];
    const caller = call.caller === null ? null : call.caller.instance;
    const { latency } = shared.plan;
    let delayNs = latency === null ? 0 : Math.round(latency.draw(call.key0, call.key1, direction));
    if (shared.effects.touchesMessages || callee.effects.touchesMessages || (caller !== null && caller.effects.touchesMessages)) {
      if (shared.effects.isBlackholed || callee.effects.isBlackholed || caller?.effects.isBlackholed) return this.fallIn(call, callee, direction);
      delayNs += this.addedNs(call, shared, direction === there ? caller : callee, direction);
    }
    if (delayNs === 0) queue.soon(direction === there ? this.arrivedKind : this.answeredKind, call);
    else queue.in(delayNs, this.laneOf(shared, direction), call);
  }

  /** What faults on the link and at the sender add to a message, ns. */
  private addedNs(call: Call, { effects }: SharedLink, sender: Instance | null, direction: number): number {
    let addedNs = 0;
    if (effects.delaysMessages) addedNs += effects.delayNs(call.key0, call.key1, direction);
    if (sender?.effects.delaysMessages) addedNs += sender.effects.delayNs(call.key0, call.key1, direction + 2);
    return addedNs;
  }

  /** Into a black hole. */
  private fallIn(call: Call, callee: Instance, direction: number): void {
    if (direction === there) callee.coming--;
    this.lose(call);
    this.flow.door.seeWhetherEmpty(callee);
  }

  /** Messages whose latency is always the same. */
  private laneOf({ lanes, plan }: SharedLink, direction: typeof there | typeof back): Lane<Call> {
    return (lanes[direction] ??= this.flow.queue.lane(plan.latency === null ? NaN : Math.round(plan.latency.always), direction === there ? this.arrivedKind : this.answeredKind));
  }

  /** An abandoned call is over. */
  private forget(call: Call): void {
    // A message that got lost on its way was sent all the same.
    if ((call.flags & flag.message) !== 0) call.link!.ended(call.target, outcome.failed, call.shared!.plan.reasons.timeout);
    this.flow.calls.give(call);
  }
}
