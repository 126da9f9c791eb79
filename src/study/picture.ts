import type { Basis, Metric, Policy, ServiceKind, Text, Unit } from '../scenario/model.js';
import type { Compared } from './judgements.js';

/** The system's structure as the stage and the report draw it. */
export interface Picture {
  readonly hosts: readonly PictureHost[];
  readonly services: readonly PictureService[];
  readonly links: readonly PictureLink[];
  readonly traffic: readonly PictureTraffic[];
  readonly objectives: readonly PictureObjective[];
}
export interface PictureHost {
  readonly name: string;
  /** Null = without bound. */
  readonly cpus: number | null;
  readonly memoryBytes: number | null;
}
export interface PictureService {
  readonly name: string;
  readonly title: Text;
  readonly kind: ServiceKind;
  /** Machine type, or null where CPU and memory are without bound. */
  readonly machine: { readonly name: string; readonly cpus: number; readonly memoryBytes: number } | null;
  /** The host that all its instances share, or null. */
  readonly host: string | null;
  /** The service in whose every pod one instance of this one stands (a sidecar), or null. */
  readonly beside: string | null;
  /** `request`: a slot is a thread; `cpu`: it is a turn of an event loop. */
  readonly slotsHeld: 'request' | 'cpu';
  readonly rateLimit: { readonly perS: number; readonly burst: number; readonly delay: boolean; readonly scope: 'instance' | 'service' } | null;
  /** The queue service whose messages it takes, or null. */
  readonly consumes: string | null;
  /** Names of the locks that its requests hold, and units that each key of a stock starts with. */
  readonly locks: readonly string[];
  readonly stock: Readonly<Record<string, number>>;
  /** Null = unlimited, as everywhere below. */
  readonly cpus: number | null;
  readonly slots: number | null;
  readonly queueLimit: number | null;
  readonly memoryLimitBytes: number | null;
  readonly instancesAtStart: number;
  /** The most that there can ever be: the lanes that the stage keeps. */
  readonly instancesMax: number;
  readonly warmUp: { readonly forMs: number; readonly factor: number };
  readonly recovery: { readonly by: 'restart' | 'reboot' | 'replace' | 'none'; readonly afterMs: number };
  readonly autoscale: { readonly min: number; readonly max: number; readonly metric: 'cpu' | 'slots' | 'queue'; readonly target: number; readonly everyMs: number; readonly bootMs: number; readonly bootBasis: Basis } | null;
}
export interface PictureLink {
  /** A traffic's or a service's name. */
  readonly caller: string;
  readonly callerKind: 'traffic' | 'service';
  readonly callee: string;
  /** `call`: asks and waits; `message`: the callee takes messages out of the caller, a queue. */
  readonly kind: 'call' | 'message';
  readonly policy: Policy;
  readonly health: { readonly path: 'shared' | 'dedicated'; readonly everyMs: number; readonly firstMs: number; readonly timeoutMs: number; readonly unhealthyAfter: number; readonly healthyAfter: number } | null;
  readonly failOpen: number;
  readonly timeoutMs: number | null;
  readonly deadlineMs: number | null;
  readonly retries: number;
  readonly outlier: { readonly errors: number; readonly everyMs: number; readonly ejectMs: number; readonly maxEjected: number } | null;
  readonly breaker: { readonly errors: number; readonly windowMs: number; readonly minimum: number; readonly openMs: number } | null;
  readonly slowStartMs: number;
  /** `handshakeMs`: mean time without CPU that opening a connection takes. */
  readonly pool: { readonly max: number | null; readonly pending: number | null; readonly waitMs: number | null; readonly reuse: number | null; readonly handshakeMs: number } | null;
}
export interface PictureTraffic {
  readonly name: string;
  readonly title: Text;
  readonly kind: 'open' | 'closed' | 'bursts' | 'sockets';
  /** Several steps with thinking between them. */
  readonly isJourney: boolean;
  /** The service whose every instance is such a source, or null. */
  readonly from: string | null;
  /** Requests that the generator can have open; null = unlimited. */
  readonly limit: number | null;
  /** Offered load as scripted, per second (open), users (closed), requests of each burst or sockets opened per second, straight lines between the points; and how it is known. */
  readonly scripted: readonly { readonly atMs: number; readonly value: number; readonly basis: Basis }[];
}
export interface PictureObjective {
  readonly name: string;
  readonly of: string;
  readonly metric: Metric;
  /** As written: `>= 99.9%`. */
  readonly condition: string;
  readonly op: '<=' | '>=' | '<' | '>' | '=' | '±' | '..';
  readonly low: number | null;
  readonly high: number | null;
  readonly unit: Unit;
  readonly over: 'good' | 'valid' | 'bad';
  readonly in: readonly string[] | 'run';
  /** Judged on every stair (`each`): `in` has them as they rise, and the first that breaks is what is asked for. */
  readonly isEach: boolean;
  /** What a factor compares with; null for a bound of its own. */
  readonly vs: Compared | null;
  readonly breaks: readonly string[] | boolean;
}
