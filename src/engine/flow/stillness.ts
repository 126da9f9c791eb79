import { flag, stage, type Call, type Outcome } from '../kernel/calls.js';
import type { Flow } from './flow.js';

/** Calls of frozen processes: they stand still, in order, and see what came in the meantime when the process goes on. */
export class Stillness {
  constructor(private readonly flow: Flow) {}

  /** Whether the process that it runs in is frozen now. */
  standsStill(call: Call): boolean {
    const { instance } = call;
    return instance !== null && instance.effects.isFrozen && instance.serves;
  }

  /** Its process is frozen: the call goes on when it thaws; with an end of what it waited for, if there is one. */
  stand(call: Call, end: Outcome | null = null, reason = -1): void {
    call.stage = stage.frozen;
    if (end !== null) {
      call.outcome = end;
      call.reason = reason;
      call.flags |= flag.ended;
    }
    this.keepStill(call);
  }

  /** Its process is frozen: the call sees this when it thaws. */
  postpone(call: Call, what: number): void {
    call.flags |= what;
    this.keepStill(call);
  }

  /** Goes on when its process does, after those that stood still before it. */
  keepStill(call: Call): void {
    if ((call.flags & flag.standing) !== 0) return;
    call.flags |= flag.standing;
    call.instance!.standing.push(call);
  }

  /** It is taken out of what it is in. */
  leave(call: Call): void {
    if ((call.flags & flag.standing) === 0) return;
    call.flags &= ~flag.standing;
    const { standing } = call.instance!;
    this.flow.queue.spend(standing.length);
    standing.splice(standing.indexOf(call), 1);
  }
}
