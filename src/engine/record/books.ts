import { flag, stage, type Call, type CallPool } from '../kernel/calls.js';
import type { Instance } from '../parts/instance.js';
import type { CallerLink, SharedLink } from '../parts/link.js';
import type { Lock } from '../parts/locks.js';

/** What there is at the end of a run, and what its parts say that there is. */
export interface Books {
  readonly calls: CallPool;
  readonly instances: readonly Instance[];
  readonly links: readonly { readonly shared: SharedLink; readonly callers: readonly CallerLink[] }[];
  readonly locks: readonly Lock[];
  /** Requests of all traffics that have not ended. */
  readonly requestsInFlight: number;
  /** Tells of each connection that a transaction has, by its link, and of each lock that a call has. */
  readonly tellHeld: (connection: (link: CallerLink) => void, lock: (lock: Lock) => void) => void;
}

/** Two figures that must be the same. */
export interface Entry {
  readonly law: string;
  readonly counted: number;
  readonly found: number;
}

/**
 * Every count that a part keeps against the calls that there are: requests, attempts under way, connections, places in line, slots, locks. Whatever is left over
 * after its call is gone, or is missing, shows here.
 */
export function* entriesOf(books: Books): Generator<Entry> {
  const found = countCalls(books);
  yield { law: 'requests in flight = calls at their sources', counted: books.requestsInFlight, found: found.requests };
  for (const { shared: { plan, totals }, callers } of books.links) {
    const { sent, good, bad } = totals.probes;
    yield { law: `link ${plan.name}: probes sent = ended + in flight`, counted: sent - good - bad, found: found.probes.get(plan.index) ?? 0 };
    for (const caller of callers) yield* entriesOfCaller(caller, found);
  }
  for (const lock of books.locks) {
    yield { law: `lock ${lock.plan.name}: held = by calls that are there`, counted: lock.held.value, found: found.held.get(lock) ?? 0 };
    yield { law: `lock ${lock.plan.name}: waiting = calls in line`, counted: lock.waiting.value, found: found.inLine.get(lock) ?? 0 };
  }
  for (const { name, place, slots, queued, queue } of books.instances) {
    yield { law: `${name}: slots taken = by calls that are there`, counted: slots.value, found: found.slots[place] };
    yield { law: `${name}: queued = calls in line`, counted: queued.value, found: found.queued[place] };
    yield { law: `${name}: queued = length of the queue`, counted: queued.value, found: queue.length };
  }
}

function* entriesOfCaller(caller: CallerLink, found: Found): Generator<Entry> {
  const { shared: { plan }, callerOrdinal, outstanding, pool, waiters } = caller;
  const name = `link ${plan.name} of ${callerOrdinal + 1}`;
  const own = found.links.get(caller) ?? nothing;
  yield { law: `${name}: outstanding = attempts under way`, counted: outstanding.reduce((sum, count) => sum + count, 0), found: own.outstanding };
  if (!pool) return;
  yield { law: `${name}: connections in use = by calls that are there`, counted: pool.inUse.value, found: own.connections };
  yield { law: `${name}: waiting for a connection = calls in line`, counted: pool.waiting.value, found: own.waiting };
  yield { law: `${name}: waiting for a connection = length of the line`, counted: pool.waiting.value, found: waiters.length };
  yield { law: `${name}: connections promised = calls that come for them`, counted: pool.promised, found: own.promised };
}

interface FoundOnLink {
  outstanding: number;
  connections: number;
  waiting: number;
  promised: number;
}
const nothing: FoundOnLink = { outstanding: 0, connections: 0, waiting: 0, promised: 0 };

interface Found {
  requests: number;
  readonly links: Map<CallerLink, FoundOnLink>;
  /** By number of the link. */
  readonly probes: Map<number, number>;
  readonly held: Map<Lock, number>;
  readonly inLine: Map<Lock, number>;
  /** By place. */
  readonly slots: Int32Array;
  readonly queued: Int32Array;
}

const countCalls = (books: Books): Found => {
  const { calls, instances } = books;
  const places = instances.length;
  const found: Found = { requests: 0, links: new Map(), probes: new Map(), held: new Map(), inLine: new Map(), slots: new Int32Array(places), queued: new Int32Array(places) };
  for (const call of calls.all) if (call.stage !== stage.over) countCall(call, books, found);
  books.tellHeld((link) => foundOn(found, link).connections++, (lock) => count(found.held, lock));
  return found;
};

const countCall = (call: Call, { locks }: Books, found: Found): void => {
  const has = (what: number): boolean => (call.flags & what) !== 0;
  const { place, instance, shared, link } = call;
  const isBranch = has(flag.branch);
  if (has(flag.probe)) {
    if (!has(flag.abandoned)) count(found.probes, shared!.plan.index);
  } else if (!isBranch && instance === null) found.requests++;
  else if (!isBranch && link !== null && (has(flag.message) || call.parent !== null)) {
    const on = foundOn(found, link);
    if (!isGreeting(call.stage)) on.outstanding++;
    if (call.connection >= 0) on.connections++;
  }
  if (has(flag.holdsSlot)) found.slots[place.number]++;
  const isGranted = has(flag.granted);
  if (call.stage === stage.queued && !isGranted) found.queued[place.number]++;
  if (call.stage === stage.locked && !isGranted) count(found.inLine, locks[call.op.index]);
  if (call.stage === stage.pooled) foundOn(found, place.links[call.op.link])[isGranted ? 'promised' : 'waiting']++;
};

const isGreeting = (at: number): boolean => at === stage.greeting || at === stage.greetingCaller || at === stage.greetingCallee;

const foundOn = ({ links }: Found, link: CallerLink): FoundOnLink => {
  const known = links.get(link);
  if (known) return known;
  const made = { ...nothing };
  links.set(link, made);
  return made;
};

const count = <Key>(counts: Map<Key, number>, key: Key): void => void counts.set(key, (counts.get(key) ?? 0) + 1);
