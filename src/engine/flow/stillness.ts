import { flag, stage, type Outcome } from '../kernel/calls.js';
import type { Flow } from './flow.js';

/** Calls of frozen processes: they stand still, in order, and see what came in the meantime when the process goes on. */
export class Stillness {
  constructor(private readonly flow: Flow) {}

  /** Whether the process that it runs in is frozen now. */
  standsStill(call: number): boolean {
    const { calls, instances } = this.flow;
    const place = calls.place[call];
    return place < instances.length && instances[place].effects.isFrozen && instances[place].serves;
  }

  /** Its process is frozen: the call goes on when it thaws; with an end of what it waited for, if there is one. */
  stand(call: number, end: Outcome | null = null, reason = -1): void {
    const { calls } = this.flow;
    calls.stage[call] = stage.frozen;
    if (end !== null) {
      calls.outcome[call] = end;
      calls.reason[call] = reason;
      calls.flags[call] |= flag.ended;
    }
    this.keepStill(call);
  }

  /** Its process is frozen: the call sees this when it thaws. */
  postpone(call: number, what: number): void {
    this.flow.calls.flags[call] |= what;
    this.keepStill(call);
  }

  /** Goes on when its process does, after those that stood still before it. */
  keepStill(call: number): void {
    const { flags, place } = this.flow.calls;
    if ((flags[call] & flag.standing) !== 0) return;
    flags[call] |= flag.standing;
    this.flow.instances[place[call]].standing.push(call);
  }

  /** It is taken out of what it is in. */
  leave(call: number): void {
    const { flags, place } = this.flow.calls;
    if ((flags[call] & flag.standing) === 0) return;
    flags[call] &= ~flag.standing;
    const { standing } = this.flow.instances[place[call]];
    this.flow.queue.spend(standing.length);
    standing.splice(standing.indexOf(call), 1);
  }
}
