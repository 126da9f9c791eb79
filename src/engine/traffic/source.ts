import type { EventQueue } from '../kernel/event-queue.js';
import { toNs, type SourcePlan } from '../plan/plan.js';
import type { Program } from '../plan/program.js';
import type { Outcome } from '../kernel/outcome.js';

/** Sockets of a traffic, as the sources open and close them. */
export interface SocketDoor {
  /** A socket comes to be; its number. `row` = the room it is in (key), or −1. */
  open(source: number, row: number): number;
  /** The user hangs up. */
  close(socket: number): void;
}

/** What a source of requests works with. A traffic that comes `from` a service has one source an instance. */
export interface SourceContext {
  readonly queue: EventQueue;
  readonly plan: SourcePlan;
  readonly seed: number;
  /** End of the run or of the traffic, ns. */
  readonly stopNs: number;
  /** Instance that it is in, from 0; 0 for one outside. */
  readonly ordinal: number;
  /** False while the instance that it is in does not run: then nothing is sent. */
  readonly isAlive: () => boolean;
  readonly sockets: SocketDoor;
  /**
   * Offers a request: which program, the key of its draws, the row that it is about (−1: one of its own), what the source wants to be told at its end, and the
   * socket that it comes over (−1: none). False: beyond the generator's limit, so dropped.
   */
  offer(program: Program, key0: number, key1: number, row: number, tag: number, socket: number): boolean;
  /** A row number that nobody has had. */
  freshRow(): number;
}

export interface Source {
  /** A request that was offered with this tag has ended at its source. */
  ended(tag: number, outcome: Outcome): void;
  /** The other side of a socket is gone. */
  socketBroken(socket: number): void;
  /** Users or open sockets now; null for other traffic. */
  readonly present: number | null;
}

/** When a source ends, ns: with the run or at its traffic's own `stop`. Nothing is sent then or later. */
export const stopOf = ({ stopNs, plan }: SourceContext): number => Math.min(stopNs, toNs(plan.model.stopMs));
