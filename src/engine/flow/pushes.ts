import { pick } from '../kernel/keyed-draws.js';
import type { Op } from '../plan/program.js';
import type { Flow } from './flow.js';

/** Sending to open sockets of a traffic, one after another; what the pushing process cannot reach is missed. */
export class Pushes {
  constructor(private readonly flow: Flow) {}

  /** True: the call computes the first delivery. False: nothing to wait for. */
  begin(call: number, op: Op): boolean {
    const { calls, parts, listener } = this.flow;
    if (op.index < 0) return false;
    let reached = 0;
    for (const socket of this.chosen(call, op)) {
      if (!op.perInstance || parts.sockets.isAt(socket, calls.place[call])) reached++;
      else listener.delivered(op.index, false);
    }
    calls.left[call] = reached;
    return reached > 0 && this.next(call, op);
  }

  /** A delivery has been computed; true: the next one is. */
  made(call: number): boolean {
    const op = this.flow.opOf(call);
    this.flow.listener.delivered(op.index, true);
    return --this.flow.calls.left[call] > 0 && this.next(call, op);
  }

  private next(call: number, op: Op): boolean {
    const { calls, door, listener } = this.flow;
    while (calls.left[call] > 0) {
      if (door.compute(call, this.flow.ownTime(call, op, op.occurrence * op.count + calls.left[call]))) return true;
      listener.delivered(op.index, true);
      calls.left[call]--;
    }
    return false;
  }

  /** `count` of the open sockets (of the request's room where there are rooms), from a random one on. */
  private chosen(call: number, { index, count, site, occurrence }: Op): readonly number[] {
    const { calls, parts } = this.flow;
    const all = parts.sockets.of(index, calls.row[call]).numbers;
    this.flow.queue.spend(Math.min(all.length, count));
    if (all.length <= count) return [...all];
    const first = pick(all.length, calls.key0[call], calls.key1[call], site, occurrence);
    return Array.from({ length: count }, (_, i) => all[(first + i) % all.length]);
  }
}
