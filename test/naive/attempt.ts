import type { Due } from './agenda.js';
import type { Container, Job } from './cpu.js';
import type { Transaction } from './holdings.js';
import type { Instance, Place } from './instance.js';
import type { CallerLink, SharedLink } from './link.js';
import type { Connection } from './pool.js';
import type { Run } from './run.js';
import { good, type End, type Key } from './words.js';

/** What is asked over a link in one step, its tries apart. */
export interface Question {
  readonly link: CallerLink;
  /** Null: only a connection is wanted. */
  readonly request: string | null;
  /** Key of one of its tries. */
  readonly keyOf: (tries: number) => Key;
  /** The transaction over whose connection it goes. */
  readonly over: Transaction | null;
  tries: number;
  /** For a transaction: it has its connection. */
  readonly opened?: (target: Instance, connection: Connection | null) => void;
}

/** One message over a link and its answer: an attempt of a call, a message that is left, or a probe. */
export class Attempt {
  /** Who waits for its end. */
  caller: Run | null = null;
  /** The caller gave up. */
  isAbandoned = false;
  /** No answer will ever come. */
  isLost = false;
  sentNs = 0;
  timeout: Due | null = null;
  connection: Connection | null = null;
  /** What it is inside the instance. */
  visit: Run | null = null;
  end: End = good;
  /** Opening its connection: the timer or the work of that. */
  greeting: { timer: Due | null; job: Job | null; container: Container | null } | null = null;

  constructor(
    readonly shared: SharedLink,
    /** Null for a probe, which nobody counts. */
    public link: CallerLink | null,
    public callerPlace: Place | null,
    public target: Instance,
    readonly request: string | null,
    readonly key: Key,
    readonly row: number,
    readonly kind: 'call' | 'message' | 'probe',
    readonly question: Question | null = null,
  ) {}
}
