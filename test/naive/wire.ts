import type { Attempt } from './attempt.js';
import type { SharedLink } from './link.js';
import type { World } from './world.js';
import { drawnNs, type End, failed, nsOf } from './words.js';

/** Who gets no sign of life waits so long when it has no shorter timeout (rule 17). */
const connectNs = 10e9;

/** Messages on their way, there (0) and back (1), and those that get lost. */
export class Wire {
  constructor(private readonly world: World) {}

  /** The timeout runs from here on (rule 20). */
  send(attempt: Attempt, timeoutNs: number): void {
    const { agenda, door, asking } = this.world;
    attempt.sentNs = agenda.now;
    if (timeoutNs !== Infinity) attempt.timeout = agenda.after(timeoutNs, () => asking.timedOut(attempt));
    this.travel(attempt, attempt.shared, 0, () => door.arrived(attempt));
  }

  answer(attempt: Attempt, end: End): void {
    attempt.end = end;
    this.travel(attempt, attempt.shared, 1, () => this.world.asking.answered(attempt));
  }

  /** The link's latency, what a fault adds on the link, and what one adds to every message that leaves an instance (rule 43). */
  private travel(attempt: Attempt, shared: SharedLink, direction: 0 | 1, arrive: () => void): void {
    const { link, effects } = shared;
    const caller = attempt.kind === 'probe' ? null : (attempt.callerPlace?.instance ?? null);
    const callee = attempt.target;
    const sender = direction === 0 ? caller : callee;
    const ns = Math.round(drawnNs(link.latency, `${link.path}.latency`, attempt.key, direction)) + effects.delayNs(attempt.key, direction) + (sender?.effects.delayNs(attempt.key, direction + 2) ?? 0);
    if (effects.isBlackholed || callee.effects.isBlackholed || caller?.effects.isBlackholed) {
      if (direction === 0) callee.coming--;
      this.lose(attempt);
      return this.world.door.mayBeEmpty(callee);
    }
    this.world.agenda.after(ns, arrive);
  }

  /** No answer will ever come: whoever waits finds out by its timeout, or when connecting has taken too long. */
  lose(attempt: Attempt): void {
    const { agenda, asking } = this.world;
    attempt.isLost = true;
    if (attempt.kind === 'message') attempt.link?.ended(attempt.target, failed(attempt.link.callee, 'timeout'));
    if (attempt.isAbandoned || attempt.kind !== 'call' || attempt.caller?.hasSeen('due')) return;
    const timeoutNs = nsOf(attempt.shared.link.timeout.value);
    if (attempt.timeout && timeoutNs <= connectNs) return;
    agenda.cancel(attempt.timeout);
    attempt.timeout = agenda.at(Math.max(agenda.now, attempt.sentNs + connectNs), () => asking.timedOut(attempt));
  }
}
