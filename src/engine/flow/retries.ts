import { outcome, stage, type Call, type Outcome, type Place } from '../kernel/calls.js';
import { uniform } from '../kernel/keyed-draws.js';
import { RetryBudget } from '../parts/retry-budget.js';
import type { RetryPlan } from '../plan/plan.js';
import { opCode } from '../plan/program.js';
import type { Flow } from './flow.js';

/** As many tries as no policy allows. */
const never = 0x7fffffff;

/** Trying again after a pause (rules 24 to 26). */
export class Retries {
  /** Budgets of steps, by the place that runs them and their number: those that were ever used. */
  private readonly stepBudgets = new Map<number, RetryBudget>();

  constructor(private readonly flow: Flow) {}

  /** A step with retries of its own begins: its first try. */
  stepBegan({ place }: Call, { stepBudget }: RetryPlan): void {
    if (stepBudget < 0) return;
    const number = this.numberOf(place, stepBudget);
    let budget = this.stepBudgets.get(number);
    if (!budget) this.stepBudgets.set(number, (budget = new RetryBudget(this.flow.queue)));
    budget.called();
  }

  /** Whether another try of a step keeps within its budget; if so it is counted. */
  stepMayRetry({ place }: Call, { stepBudget, budget }: RetryPlan): boolean {
    return stepBudget < 0 || this.stepBudgets.get(this.numberOf(place, stepBudget))!.spend(budget);
  }

  /** A process is gone, and knows no more what its steps have spent. */
  processDied(place: Place): void {
    for (let number = 0; number < this.flow.plan.stepBudgets; number++) this.stepBudgets.get(this.numberOf(place, number))?.reset();
  }

  /** After a pause, when the link's policy or the step's own says so; false otherwise. A link never tries a "no" again (rule 26). */
  triesAgain(call: Call, end: Outcome, reason: number): boolean {
    const op = call.op;
    if (op.code !== opCode.call || (op.heldBy >= 0 && this.flow.holdings.isBrokenAt(call, op.heldBy))) return this.clearDeadline(call);
    const link = call.place.links[op.link];
    const own = link.shared.plan.retries;
    if (own && end !== outcome.declined && call.linkTries < own.max && own.covers(end, reason) && link.mayRetry(own.budget)) {
      return this.backOff(call, own, ++call.linkTries);
    }
    if (!op.retries || call.stepTries >= op.retries.max || !op.retries.covers(end, reason)) return this.clearDeadline(call);
    if (!this.stepMayRetry(call, op.retries)) return this.clearDeadline(call);
    call.linkTries = 0;
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

  private numberOf(place: Place, stepBudget: number): number {
    return place.number * this.flow.plan.stepBudgets + stepBudget;
  }

  /** Always true: the call pauses; what it does next may be about another row. */
  backOff(call: Call, plan: RetryPlan, number: number): true {
    call.tries++;
    if (plan.freshKey) call.row = this.flow.parts.freshRow(call.place, call.key0, call.key1, call.tries);
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
