import { flag, stage, type Call } from '../kernel/calls.js';
import type { Instance } from '../parts/instance.js';
import type { CallerLink } from '../parts/link.js';
import { opCode } from '../plan/program.js';
import type { Flow } from './flow.js';

/** Opening connections that cost something (rule 23). */
export class Handshakes {
  constructor(private readonly flow: Flow) {}

  /** Opening a connection: time, then CPU of the caller, then CPU of the callee outside its slots (rule 23). */
  greet(child: Call, link: CallerLink): void {
    const timeNs = Math.round(link.shared.plan.pool!.handshake!.time.draw(child.key0, child.key1, 0));
    child.stage = stage.greeting;
    if (!this.flow.waits.pause(child, timeNs, stage.greeting)) this.greeted(child);
  }

  /** One part of a handshake is done. */
  greeted(child: Call): void {
    const call = child.parent;
    if (call !== null && this.flow.stillness.standsStill(call)) {
      child.flags |= flag.due;
      return this.flow.stillness.postpone(call, flag.due);
    }
    child.flags &= ~flag.due;
    const link = child.link!;
    const { callerCpu, calleeCpu } = link.shared.plan.pool!.handshake!;
    const caller = child.caller!.instance;
    if (child.stage === stage.greeting) {
      child.stage = stage.greetingCaller;
      const workNs = caller === null ? 0 : Math.round(callerCpu.draw(child.key0, child.key1, 0));
      if (workNs > 0) return caller!.container.begin(child, workNs);
    }
    const callee = link.shared.instances[child.target];
    if (child.stage === stage.greetingCaller) {
      child.stage = stage.greetingCallee;
      const workNs = Math.round(calleeCpu.draw(child.key0, child.key1, 0));
      if (workNs > 0 && callee.serves) return callee.container.begin(child, workNs);
    }
    if (this.isOpening(child) && callee.serves) {
      callee.coming--;
      return this.isOpen(child);
    }
    link.sent(child.target);
    this.flow.wire.send(child, link.shared);
  }

  /** For a transaction, which wants nothing but the connection. */
  private isOpening(child: Call): boolean {
    const call = child.parent;
    return call !== null && call.op.code === opCode.begin;
  }

  isOpen(child: Call): void {
    const call = child.parent!;
    this.flow.holdings.open(call, call.op, child.target, child.connection);
    call.child = null;
    this.flow.calls.give(child);
    // Not on this stack: a handshake that took no time is still inside the step that began it.
    call.stage = stage.waiting;
    this.flow.waits.grant(call);
  }

  /** A process that dies ends the handshakes that it computes for: they go on, and find its door shut. */
  dropGreetings(instance: Instance): void {
    const greetings = instance.container.clear();
    for (const child of greetings) if (child.stage === stage.greetingCallee) this.greeted(child);
  }

  stop(child: Call): void {
    const link = child.link!;
    this.flow.waits.stopTimer(child);
    const callee = link.shared.instances[child.target];
    // What has computed, and waits for a caller that stands still, is in no container.
    const computes = (child.flags & flag.due) === 0;
    if (computes && child.stage === stage.greetingCaller) child.caller!.instance!.container.remove(child);
    if (computes && child.stage === stage.greetingCallee) callee.container.remove(child);
    callee.coming--;
    link.pool!.close(child.connection);
    this.flow.connections.passOn(link);
    child.parent!.child = null;
    this.flow.calls.give(child);
    this.flow.door.seeWhetherEmpty(callee);
  }
}

export const isGreeting = (at: number): boolean => at === stage.greeting || at === stage.greetingCaller || at === stage.greetingCallee;
