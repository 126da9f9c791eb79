import { flag, stage } from '../kernel/calls.js';
import type { Instance } from '../parts/instance.js';
import type { CallerLink } from '../parts/link.js';
import { opCode } from '../plan/program.js';
import type { Flow } from './flow.js';

/** Opening connections that cost something (rule 23). */
export class Handshakes {
  constructor(private readonly flow: Flow) {}

  /** Opening a connection: time, then CPU of the caller, then CPU of the callee outside its slots (rule 23). */
  greet(child: number, link: CallerLink): void {
    const { calls } = this.flow;
    const timeNs = Math.round(link.shared.plan.pool!.handshake!.time.draw(calls.key0[child], calls.key1[child], 0));
    calls.stage[child] = stage.greeting;
    if (!this.flow.pause(child, timeNs, stage.greeting)) this.greeted(child);
  }

  /** One part of a handshake is done. */
  greeted(child: number): void {
    const { calls, instances } = this.flow;
    const call = calls.parent[child];
    if (call >= 0 && this.flow.stillness.standsStill(call)) {
      calls.flags[child] |= flag.due;
      return this.flow.stillness.postpone(call, flag.due);
    }
    calls.flags[child] &= ~flag.due;
    const link = this.flow.wiring.callerLinkOf(child);
    const { callerCpu, calleeCpu } = link.shared.plan.pool!.handshake!;
    const caller = calls.caller[child];
    if (calls.stage[child] === stage.greeting) {
      calls.stage[child] = stage.greetingCaller;
      const workNs = caller < instances.length ? Math.round(callerCpu.draw(calls.key0[child], calls.key1[child], 0)) : 0;
      if (workNs > 0) return instances[caller].container.begin(child, workNs);
    }
    const callee = this.flow.wiring.instanceOf(link.shared, calls.target[child]);
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
    this.flow.wire.send(child, link.shared, link.shared.plan.timeoutNs);
  }

  /** For a transaction, which wants nothing but the connection. */
  isOpening(child: number): boolean {
    const call = this.flow.calls.parent[child];
    return call >= 0 && this.flow.opOf(call).code === opCode.begin;
  }

  isOpen(child: number): void {
    const { calls } = this.flow;
    const call = calls.parent[child];
    this.flow.holdings.open(call, this.flow.opOf(call), calls.target[child], calls.connection[child]);
    calls.child[call] = -1;
    calls.give(child);
    // Not on this stack: a handshake that took no time is still inside the step that began it.
    calls.stage[call] = stage.waiting;
    this.flow.grant(call);
  }

  /** A process that dies ends the handshakes that it computes for: they go on, and find its door shut. */
  dropGreetings(instance: Instance): void {
    const greetings = instance.container.clear();
    for (const child of greetings) if (this.flow.calls.stage[child] === stage.greetingCallee) this.greeted(child);
  }

  stop(child: number): void {
    const { calls, queue, instances } = this.flow;
    const link = this.flow.wiring.callerLinkOf(child);
    if (calls.timer[child] >= 0) queue.cancel(calls.timer[child]);
    const callee = this.flow.wiring.instanceOf(link.shared, calls.target[child]);
    // What has computed, and waits for a caller that stands still, is in no container.
    const computes = (calls.flags[child] & flag.due) === 0;
    if (computes && calls.stage[child] === stage.greetingCaller) instances[calls.caller[child]].container.remove(child);
    if (computes && calls.stage[child] === stage.greetingCallee) callee.container.remove(child);
    callee.coming--;
    link.pool!.close(calls.connection[child]);
    this.flow.connections.passOn(link);
    calls.child[calls.parent[child]] = -1;
    calls.give(child);
  }
}

export const isGreeting = (at: number): boolean => at === stage.greeting || at === stage.greetingCaller || at === stage.greetingCallee;
