import { outcome, stage, type Call, type Outcome } from '../kernel/calls.js';
import { uniform } from '../kernel/keyed-draws.js';
import type { RetryPlan } from '../plan/plan.js';
import { opCode } from '../plan/program.js';
import type { Flow } from './flow.js';

/** As many tries as no policy allows. */
const never = 0x7fffffff;

/** Trying again after a pause (rules 24 to 26). */
export class Retries {
  constructor(private readonly flow: Flow) {}

  /** After a pause, when the link's policy or the step's own says so; false otherwise. A link never tries a "no" again (rule 26). */
  triesAgain(call: Call, end: Outcome, reason: number): boolean {
    const op = call.op;
    if (op.code !== opCode.call || (op.heldBy >= 0 && this.flow.holdings.isBrokenAt(call, op.heldBy))) return this.clearDeadline(call);
    const link = call.place.links[op.link];
    const own = link.shared.plan.retries;
    if (own && end !== outcome.declined && call.linkTries < own.max && own.covers(end, reason) && link.mayRetry(own.budget)) {
      if (own.freshKey) this.takeFreshRow(call);
      return this.backOff(call, own, ++call.linkTries);
    }
    if (!op.retries || call.stepTries >= op.retries.max || !op.retries.covers(end, reason)) return this.clearDeadline(call);
    call.linkTries = 0;
    if (op.retries.freshKey) this.takeFreshRow(call);
    return this.backOff(call, op.retries, ++call.stepTries);
  }

  /** Its deadline has passed, which covers every try there might have been. */
  giveUp(call: Call): void {
    call.linkTries = never;
    call.stepTries = never;
  }

  private clearDeadline(call: Call): false {
    this.flow.waits.stopDeadline(call);
    return false;
  }

  private takeFreshRow(call: Call): void {
    call.row = this.flow.parts.freshRow(call.place, call.key0, call.key1, call.tries + 1);
  }

  /** Always true: the call pauses. */
  backOff(call: Call, plan: RetryPlan, number: number): true {
    call.tries++;
    let pauseNs = plan.backoffNs;
    for (let i = 1; i < number && pauseNs < plan.capNs; i++) pauseNs *= plan.factor;
    pauseNs = Math.min(pauseNs, plan.capNs);
    const random = plan.jitter === 'none' ? 1 : uniform(call.key0, call.key1, plan.site, call.tries);
    if (plan.jitter === 'full') pauseNs *= random;
    if (plan.jitter === 'equal') pauseNs *= (1 + random) / 2;
    call.stage = stage.backingOff;
    if (!this.flow.waits.pause(call, Math.round(pauseNs), stage.backingOff)) this.flow.waits.grant(call);
    return true;
  }

  /** The pause before another try is over. */
  again(call: Call): void {
    if (this.flow.stillness.standsStill(call)) return this.flow.stillness.keepStill(call);
    const op = call.op;
    if (op.code === opCode.lock) return this.flow.holdings.lockAgain(call);
    call.stage = stage.running;
    const link = call.place.links[op.link];
    link.shared.retried();
    if (!this.flow.attempts.attempt(call, op, link)) this.flow.resume(call, this.flow.attempts.end, this.flow.attempts.reason);
  }
}
