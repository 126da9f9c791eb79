import { beganAtMs } from '../study/events.js';
import type { LoggedEvent } from '../study/types.js';

/** First time of an event: of a service or one of its instances, of a host, a link, a fault, or of a lock, which a file may name without its holder. */
export const firstTime = (events: readonly LoggedEvent[], kind: LoggedEvent['kind'], subject: string): number | null => {
  const isLock = (event: LoggedEvent): boolean => event.kind === 'lock-timeout' || event.cause === 'lock';
  const isMeant = (event: LoggedEvent): boolean => event.subject === subject || event.subject.startsWith(`${subject}.`) || (isLock(event) && event.subject.endsWith(`.${subject}`));
  const times = events.filter((event) => event.kind === kind && isMeant(event)).map(beganAtMs);
  return times.length > 0 ? Math.min(...times) : null;
};
