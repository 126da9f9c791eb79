import { flag, outcome, stage, type Call, type Outcome } from '../kernel/calls.js';
import { block, encipher } from '../kernel/keyed-draws.js';
import type { Op, Program } from '../plan/program.js';
import type { Flow } from './flow.js';

/** Branches have keys of their own. */
const branchSite = 0x6a09e667;

/** Steps side by side: each branch is a call of its own in the same place; the step goes on when the last has ended, with the first bad end there was. */
export class Branches {
  constructor(private readonly flow: Flow) {}

  /** True: every branch has ended on the spot, and well. */
  fork(call: Call, op: Op): boolean {
    call.stage = stage.branching;
    call.left = op.branches.length;
    call.child = null;
    call.outcome = outcome.good;
    call.reason = -1;
    const made = op.branches.map((program, number) => this.branch(call, op, program, number));
    // They begin at this instant, one after another, each as if it came anew: so none runs on this stack.
    for (const branch of made) this.flow.waits.grant(branch);
    return false;
  }

  private branch(call: Call, op: Op, program: Program, number: number): Call {
    encipher(call.key0, call.key1, (op.site + Math.imul(number + 1, branchSite)) | 0, op.occurrence);
    const branch = this.flow.calls.take(call.place);
    branch.flags = flag.branch | (call.flags & flag.offSlots);
    branch.parent = call;
    branch.program = program;
    branch.request = call.request;
    branch.row = call.row;
    branch.socket = call.socket;
    branch.depth = call.depth;
    branch.key0 = block[0];
    branch.key1 = block[1];
    const first = call.child;
    branch.previousInside = null;
    branch.nextInside = first;
    if (first !== null) first.previousInside = branch;
    call.child = branch;
    return branch;
  }

  ended(branch: Call, end: Outcome, reason: number): void {
    const call = branch.parent!;
    if (end !== outcome.good && call.outcome === outcome.good) {
      call.outcome = end;
      call.reason = reason;
    }
    const [before, after] = [branch.previousInside, branch.nextInside];
    if (before !== null) before.nextInside = after;
    else call.child = after;
    if (after !== null) after.previousInside = before;
    this.flow.calls.give(branch);
    if (--call.left === 0) this.flow.resume(call, call.outcome, call.reason);
  }

  /** The call is taken out: so are its branches. */
  leave(call: Call, reason: number): void {
    for (let branch = call.child; branch !== null; ) {
      const next: Call | null = branch.nextInside;
      this.flow.leave(branch, reason);
      this.flow.holdings.releaseAll(branch);
      this.flow.calls.give(branch);
      branch = next;
    }
    call.child = null;
  }
}
