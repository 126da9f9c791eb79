import { outcome, stage, type Call, type Outcome } from '../kernel/calls.js';
import { pick, uniform } from '../kernel/keyed-draws.js';
import { opCode, type Op } from '../plan/program.js';
import type { Flow } from './flow.js';

/** Does the ops of programs, one after the other, until a call waits for something or is over; and finds the way out after a bad end. */
export class Interpreter {
  constructor(private readonly flow: Flow) {}

  run(call: Call): void {
    const { stillness } = this.flow;
    if (stillness.standsStill(call)) stillness.stand(call);
    else this.runAwake(call);
  }

  runAwake(call: Call): void {
    const { flow } = this;
    call.stage = stage.running;
    const { ops } = call.program;
    for (;;) {
      if (call.step >= ops.length) return flow.finish(call, outcome.good, -1);
      const op = ops[call.step++];
      call.op = op;
      flow.queue.spend(1);
      if (!this.does(call, op)) return;
    }
  }

  /**
   * A step has ended badly: the way out of everything around it, up to an `orElse`. True: it goes on there. False: the call has ended; the first bad end
   * travels up unchanged. A transaction on the way is rolled back; one whose connection is gone lets nothing inside it go on (rule 19).
   */
  fell(call: Call, end: Outcome, reason: number): boolean {
    const { flow } = this;
    const { scopes, base } = call.program;
    for (let scope = call.op.scope; scope !== base; scope = scopes[scope].outer) {
      if (scopes[scope].kind === 'transaction') flow.holdings.rollBack(call, scope);
      else if (!flow.holdings.isBroken(call, scopes, scopes[scope].outer)) {
        call.step = scopes[scope].to;
        return true;
      }
    }
    flow.finish(call, end, reason);
    return false;
  }

  /** A drawn time of the call's own, stretched while its process warms up or is slowed; whole ns. */
  ownTime(call: Call, op: Op, occurrence: number): number {
    const { instance } = call;
    const keepsTime = instance === null || instance.keepsTime;
    if (keepsTime && op.alwaysNs >= 0) return op.alwaysNs;
    const drawn = op.sampler!.draw(call.key0, call.key1, occurrence);
    return Math.round(keepsTime ? drawn : drawn * instance.warmUpFactor(this.flow.queue.now) * instance.effects.slowFactor);
  }

  /** Does one op; false when the call waits for something, or is over. */
  private does(call: Call, op: Op): boolean {
    const { flow } = this;
    switch (op.code) {
      case opCode.cpu:
        return !flow.door.compute(call, this.ownTime(call, op, op.occurrence));
      case opCode.wait:
        return !flow.waits.pauseFor(call, op, this.ownTime(call, op, op.occurrence));
      case opCode.call:
        return !flow.attempts.ask(call, op) && this.fell(call, flow.attempts.end, flow.attempts.reason);
      case opCode.jump:
        call.step = op.to;
        return true;
      case opCode.chance:
        if (this.draw(call, op) >= op.share) call.step = op.to;
        return true;
      case opCode.cache:
        if (this.draw(call, op) < op.share * this.filled(call, op)) call.step = op.to;
        return true;
      case opCode.choose:
        call.step = op.targets[this.chosen(call, op)];
        return true;
      case opCode.publish:
        flow.attempts.publish(call, op);
        return true;
      case opCode.push:
        return !flow.pushes.begin(call, op);
      case opCode.fork:
        return flow.branches.fork(call, op);
      case opCode.begin:
        return this.begins(call, op);
      case opCode.end:
        return this.fell(call, op.outcome, op.reason);
      default:
        return this.doesInTransaction(call, op);
    }
  }

  /** What a transaction does over its connection, calls apart. */
  private doesInTransaction(call: Call, op: Op): boolean {
    const { holdings } = this.flow;
    if (op.scope >= 0 && holdings.isBrokenAround(call, op)) return this.fell(call, outcome.failed, holdings.reasonOfLoss(call, op));
    switch (op.code) {
      case opCode.lock:
        return holdings.lock(call, op);
      case opCode.take:
        return holdings.take(call, op) || this.fell(call, outcome.declined, this.flow.parts.stocks[op.index].plan.emptyReason);
      case opCode.put:
        holdings.put(call, op);
        return true;
      default:
        holdings.commit(call, op.scope);
        return true;
    }
  }

  private begins(call: Call, op: Op): boolean {
    const { attempts } = this.flow;
    if (!attempts.begin(call, op)) return this.fell(call, attempts.end, attempts.reason);
    return call.stage === stage.running;
  }

  private chosen(call: Call, { weights, site, occurrence }: Op): number {
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    let left = pick(1e9, call.key0, call.key1, site, occurrence) * (total / 1e9);
    let i = 0;
    while (i < weights.length - 1 && left >= weights[i]) left -= weights[i++];
    return i;
  }

  private draw(call: Call, { site, occurrence }: Op): number {
    return uniform(call.key0, call.key1, site, occurrence);
  }

  /** How full a cache of its process is, 0 to 1: empty at a start, full from the beginning of the run on (rule 13). */
  private filled({ instance }: Call, { timeNs }: Op): number {
    return timeNs === 0 || instance === null ? 1 : Math.min(1, (this.flow.queue.now - instance.upSinceNs) / timeNs);
  }
}
