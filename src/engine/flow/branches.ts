import { flag, outcome, type Outcome, stage } from '../kernel/calls.js';
import { block, encipher } from '../kernel/keyed-draws.js';
import type { Op } from '../plan/program.js';
import type { Flow } from './flow.js';

/** Branches have keys of their own. */
const branchSite = 0x6a09e667;

/** Steps side by side: each branch is a call of its own in the same place; the step goes on when the last has ended, with the first bad end there was. */
export class Branches {
  constructor(private readonly flow: Flow) {}

  /** True: every branch has ended on the spot, and well. */
  fork(call: number, op: Op): boolean {
    const { calls } = this.flow;
    calls.stage[call] = stage.branching;
    calls.left[call] = op.targets.length;
    calls.child[call] = -1;
    calls.outcome[call] = outcome.good;
    calls.reason[call] = -1;
    const made = op.targets.map((program, number) => this.branch(call, op, program, number));
    // They begin at this instant, one after another, each as if it came anew: so none runs on this stack.
    for (const branch of made) this.flow.grant(branch);
    return false;
  }

  private branch(call: number, op: Op, program: number, number: number): number {
    const { calls } = this.flow;
    encipher(calls.key0[call], calls.key1[call], (op.site + Math.imul(number + 1, branchSite)) | 0, op.occurrence);
    const branch = calls.take();
    calls.flags[branch] = flag.branch | (calls.flags[call] & flag.offSlots);
    calls.parent[branch] = call;
    calls.place[branch] = calls.place[call];
    calls.program[branch] = program;
    calls.request[branch] = calls.request[call];
    calls.row[branch] = calls.row[call];
    calls.socket[branch] = calls.socket[call];
    calls.depth[branch] = calls.depth[call];
    calls.key0[branch] = block[0];
    calls.key1[branch] = block[1];
    const first = calls.child[call];
    calls.previousInside[branch] = -1;
    calls.nextInside[branch] = first;
    if (first >= 0) calls.previousInside[first] = branch;
    calls.child[call] = branch;
    return branch;
  }

  ended(branch: number, end: Outcome, reason: number): void {
    const { calls } = this.flow;
    const call = calls.parent[branch];
    if (end !== outcome.good && calls.outcome[call] === outcome.good) {
      calls.outcome[call] = end;
      calls.reason[call] = reason;
    }
    const [before, after] = [calls.previousInside[branch], calls.nextInside[branch]];
    if (before >= 0) calls.nextInside[before] = after;
    else calls.child[call] = after;
    if (after >= 0) calls.previousInside[after] = before;
    calls.give(branch);
    if (--calls.left[call] === 0) this.flow.resume(call, calls.outcome[call] as Outcome, calls.reason[call]);
  }

  /** The call is taken out: so are its branches. */
  leave(call: number, reason: number): void {
    const { calls } = this.flow;
    for (let branch = calls.child[call]; branch >= 0; ) {
      const next = calls.nextInside[branch];
      this.flow.leave(branch, reason);
      this.flow.holdings.releaseAll(branch);
      calls.give(branch);
      branch = next;
    }
    calls.child[call] = -1;
  }
}
