import type { EventKind, LoggedEvent } from '../../study/types.js';
import type { EventQueue } from '../kernel/event-queue.js';

/** What happened, in order, with its cause. */
export class EventLog {
  readonly events: LoggedEvent[] = [];

  constructor(private readonly queue: EventQueue) {}

  /** Something happened now (to the microsecond); forms are in `src/study/events.ts`. */
  add(kind: EventKind, subject: string, cause: string, basis: LoggedEvent['basis'], data: LoggedEvent['data']): void {
    this.events.push({ tMs: Math.round(this.queue.now / 1e3) / 1e3, kind, subject, cause, basis, data });
  }
}
