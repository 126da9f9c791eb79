import type { Call } from '../kernel/calls.js';
import { pick } from '../kernel/keyed-draws.js';
import type { Op } from '../plan/program.js';
import type { Flow } from './flow.js';

/** Sending to open sockets of a traffic, one after another; what the pushing process cannot reach is missed. */
export class Pushes {
  constructor(private readonly flow: Flow) {}

  /** True: the call computes the first delivery. False: nothing to wait for. */
  begin(call: Call, op: Op): boolean {
    const { parts, listener } = this.flow;
    if (op.index < 0) return false;
    let reached = 0;
    for (const socket of this.chosen(call, op)) {
      if (!op.perInstance || parts.sockets.isAt(socket, call.place.number)) reached++;
      else listener.delivered(op.index, false);
    }
    call.left = reached;
    return reached > 0 && this.next(call, op);
  }

  /** A delivery has been computed; true: the next one is. */
  made(call: Call): boolean {
    const op = call.op;
    this.flow.listener.delivered(op.index, true);
    return --call.left > 0 && this.next(call, op);
  }

  private next(call: Call, op: Op): boolean {
    const { door, listener } = this.flow;
    while (call.left > 0) {
      if (door.compute(call, this.flow.ownTime(call, op, op.occurrence * op.count + call.left))) return true;
      listener.delivered(op.index, true);
      call.left--;
    }
    return false;
  }

  /** `count` of the open sockets (of the request's room where there are rooms), from a random one on. */
  private chosen(call: Call, { index, count, site, occurrence }: Op): readonly number[] {
    const { parts } = this.flow;
    const all = parts.sockets.of(index, call.row).numbers;
    this.flow.queue.spend(Math.min(all.length, count));
    if (all.length <= count) return [...all];
    const first = pick(all.length, call.key0, call.key1, site, occurrence);
    return Array.from({ length: count }, (_, i) => all[(first + i) % all.length]);
  }
}
