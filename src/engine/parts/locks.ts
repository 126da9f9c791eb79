import { CallQueue, type Call } from '../kernel/calls.js';
import type { EventQueue } from '../kernel/event-queue.js';
import type { LockPlan } from '../plan/plan.js';
import { Level } from '../record/level.js';
import { TimeAbove } from '../record/time-above.js';
import type { PhasedHistogram } from '../record/phased-histogram.js';

/** One key of a lock while somebody holds it. */
interface Held {
  readonly waiters: CallQueue;
}

/**
 * A lock of one name: each key (row) is held by one request, the others wait in the order in which they came. A request with a row of its own meets nobody.
 * With `perInstance` every instance has a table of its own, and so two processes hold the "same" key at once.
 */
export class Lock {
  readonly held = new Level();
  readonly waiting = new Level();
  readonly contended = new TimeAbove();
  taken = 0;
  waited = 0;
  timeouts = 0;
  /** When a wait that came to nothing was told last, ns. */
  toldNs = -Infinity;
  private readonly tables = new Map<number, Map<number, Held>>();
  private readonly spare: Held[] = [];

  constructor(readonly plan: LockPlan, private readonly queue: EventQueue, readonly waits: PhasedHistogram) {}

  /** Takes the key, or stands in line for it: whether it was free. `table`: the place that has the lock, for one that others do not see. */
  take(call: Call, row: number, table: number): boolean {
    const { now } = this.queue;
    if (row < 0) {
      this.taken++;
      this.held.add(1, now);
      return true;
    }
    const rows = this.rows(table);
    const held = rows.get(row);
    if (held) {
      held.waiters.push(call);
      this.waited++;
      this.waitersChange(1, now);
      return false;
    }
    rows.set(row, this.spare.pop() ?? { waiters: new CallQueue() });
    this.taken++;
    this.held.add(1, now);
    return true;
  }

  /** Gives the key back; returns the call that has it now, if any. */
  release(row: number, table: number): Call | null {
    const { now } = this.queue;
    this.held.add(-1, now);
    if (row < 0) return null;
    const rows = this.rows(table);
    const held = rows.get(row)!;
    const next = held.waiters.shift();
    if (next === null) {
      rows.delete(row);
      this.spare.push(held);
      return null;
    }
    this.waitersChange(-1, now);
    this.waits.add(now - next.waitingNs);
    this.taken++;
    this.held.add(1, now);
    return next;
  }

  /** A call stops waiting. */
  leave(call: Call, row: number, table: number): void {
    const { now } = this.queue;
    this.rows(table).get(row)!.waiters.remove(call);
    this.waitersChange(-1, now);
    this.waits.add(now - call.waitingNs);
  }

  private waitersChange(change: 1 | -1, nowNs: number): void {
    this.waiting.add(change, nowNs);
    this.contended.set(this.waiting.value, nowNs);
  }

  private rows(table: number): Map<number, Held> {
    let rows = this.tables.get(table);
    if (!rows) this.tables.set(table, (rows = new Map<number, Held>()));
    return rows;
  }
}
