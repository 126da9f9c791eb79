import { flag, stage, type CallPool } from '../kernel/calls.js';
import type { Instance } from '../parts/instance.js';
import type { CallerLink, SharedLink } from '../parts/link.js';
import type { Lock } from '../parts/locks.js';
import type { Op } from '../plan/program.js';

/** What there is at the end of a run, and what its parts say that there is. */
export interface Books {
  readonly calls: CallPool;
  readonly instances: readonly Instance[];
  readonly links: readonly { readonly shared: SharedLink; readonly callers: readonly CallerLink[] }[];
  /** Links of each place, in the order that calls number them. */
  readonly linksOf: readonly (readonly CallerLink[])[];
  readonly locks: readonly Lock[];
  /** Requests of all traffics that have not ended. */
  readonly requestsInFlight: number;
  /** The step that a call is in. */
  readonly opOf: (call: number) => Op;
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
  for (let call = 0; call < calls.everUsed; call++) if (calls.stage[call] !== stage.over) countCall(call, books, found);
  books.tellHeld((link) => on(found, link).connections++, (lock) => count(found.held, lock));
  return found;
};

const countCall = (call: number, { calls, linksOf, instances, locks, opOf }: Books, found: Found): void => {
  const has = (what: number): boolean => (calls.flags[call] & what) !== 0;
  const place = calls.place[call];
  const isBranch = has(flag.branch);
  if (has(flag.probe)) {
    if (!has(flag.abandoned)) count(found.probes, calls.link[call]);
  } else if (!isBranch && place >= instances.length) found.requests++;
  else if (!isBranch && (has(flag.message) ? calls.link[call] >= 0 : calls.parent[call] >= 0)) {
    const link = on(found, linksOf[calls.caller[call]][calls.link[call]]);
    if (!isGreeting(calls.stage[call])) link.outstanding++;
    if (calls.connection[call] >= 0) link.connections++;
  }
  if (has(flag.holdsSlot)) found.slots[place]++;
  const isGranted = has(flag.granted);
  if (calls.stage[call] === stage.queued && !isGranted) found.queued[place]++;
  if (calls.stage[call] === stage.locked && !isGranted) count(found.inLine, locks[opOf(call).index]);
  if (calls.stage[call] === stage.pooled) on(found, linksOf[place][opOf(call).link])[isGranted ? 'promised' : 'waiting']++;
};

const isGreeting = (at: number): boolean => at === stage.greeting || at === stage.greetingCaller || at === stage.greetingCallee;

const on = ({ links }: Found, link: CallerLink): FoundOnLink => {
  const known = links.get(link);
  if (known) return known;
  const made = { ...nothing };
  links.set(link, made);
  return made;
};

const count = <Key>(counts: Map<Key, number>, key: Key): void => void counts.set(key, (counts.get(key) ?? 0) + 1);
