import { outcome, stage, type Outcome } from '../kernel/calls.js';
import { uniform } from '../kernel/keyed-draws.js';
import type { RetryPlan } from '../plan/plan.js';
import { opCode } from '../plan/program.js';
import type { Flow } from './flow.js';

/** Trying again after a pause (rules 24 to 26). */
export class Retries {
  constructor(private readonly flow: Flow) {}

  /** After a pause, when the link's policy or the step's own says so; false otherwise. A link never tries a "no" again (rule 26). */
  triesAgain(call: number, end: Outcome, reason: number): boolean {
    const { calls } = this.flow;
    const op = this.flow.opOf(call);
    if (op.code !== opCode.call || (op.heldBy >= 0 && this.flow.holdings.isBrokenAt(call, op.heldBy))) return this.clearDeadline(call);
    const link = this.flow.wiring.linkOf(call, op);
    const own = link.shared.plan.retries;
    if (own && end !== outcome.declined && calls.linkTries[call] < own.max && own.covers(end, reason) && link.mayRetry(own.budget)) {
      return this.backOff(call, own, ++calls.linkTries[call]);
    }
    if (!op.retries || calls.stepTries[call] >= op.retries.max || !op.retries.covers(end, reason)) return this.clearDeadline(call);
    calls.linkTries[call] = 0;
    if (op.retries.freshKey) calls.row[call] = this.flow.parts.freshRow(calls.place[call], calls.key0[call], calls.key1[call], calls.tries[call] + 1);
    return this.backOff(call, op.retries, ++calls.stepTries[call]);
  }

  clearDeadline(call: number): false {
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
    if (this.flow.stillness.standsStill(call)) return this.flow.stillness.keepStill(call);
    const op = this.flow.opOf(call);
    if (op.code === opCode.lock) return this.flow.holdings.lockAgain(call);
    calls.stage[call] = stage.running;
    const link = this.flow.wiring.linkOf(call, op);
    link.shared.retried();
    if (!this.flow.attempts.attempt(call, op, link)) this.flow.resume(call, this.flow.attempts.end, this.flow.attempts.reason);
  }
}
