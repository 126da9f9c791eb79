/**
 * The system that one variant of a scenario describes: every `$name` resolved, every default filled in, every quantity in the base unit of its type.
 * Pure data. Made by `parseScenario`, read by the engine, the analysis and the study.
 *
 * Base units: durations in milliseconds, rates per second, bytes, shares from 0 to 1, factors and weights bare, money per hour.
 */

import type { Place } from '../errors.js';
import type { Bounds } from './limits.js';

/** How a figure in the file is known; `default` is filled in by the tool. */
export type Basis = 'measured' | 'spec' | 'chosen' | 'assumed' | 'default';

/** The base unit that a value's number is in. */
export type Unit = 'ms' | '/s' | 'B' | 'B/s' | 'count' | 'cores' | 'factor' | 'share' | 'weight' | 'money/h';

/** One number of the file and how it is known. `Infinity` is the language's `unlimited`. */
export interface Value {
  /** Where it stands: `services.order-api.to.orders-db.pool.max`; a named value keeps the path of its definition, `values.order-cpu`. */
  readonly path: string;
  readonly value: number;
  readonly unit: Unit;
  readonly basis: Basis;
  /** True where the key is a setting (we configure it) or a default means "not modelled"; false where the world decides. */
  readonly setting: boolean;
  /** Source of a measured or spec value. */
  readonly from?: string;
  /** Reason of a chosen or assumed value. */
  readonly why?: string;
  /** Both ends in the base unit; what sensitivity runs use. */
  readonly range?: readonly [number, number];
  /** Currency of a `money/h` value: `USD`. */
  readonly currency?: string;
}

/** How single draws spread around a drawn value's mean. */
export type Spread =
  | { readonly kind: 'gamma'; /** 0 constant, 1 exponential */ readonly cv: number }
  | { readonly kind: 'lognormal'; readonly cv: number }
  | { readonly kind: 'quantiles'; /** [share, value], ascending */ readonly points: readonly (readonly [number, number])[] };

/** A mean and the spread of its draws. */
export interface Drawn extends Value {
  readonly spread: Spread;
}

export type Lang = 'en' | 'ko';
/** A text in both languages; one given as a plain string is the same in both. */
export type Text = Readonly<Record<Lang, string>>;

/** One scenario file, parsed and valid in every variant. */
export interface Scenario {
  /** The file's name without folder and ending. */
  readonly name: string;
  readonly file: string;
  /** The file's text, to be carried in study and report. */
  readonly text: string;
  /** One system a variant, in file order; a file without variants has one, called `base`. The first is the reference. */
  readonly variants: readonly System[];
  /** Where a path of a variant stands in the file, or the deepest part on the way to it: for messages of those who read the system. */
  readonly placeOf: (path: string, variant: string) => Place;
}

export interface System {
  readonly variant: string;
  /** What this variant and `--set` replaced, as written. */
  readonly overrides: readonly { readonly path: string; readonly value: string }[];
  /** What its run may take; the usual when absent. */
  readonly bounds?: Bounds;
  readonly title: Text;
  readonly about?: Text;
  /** What a run does not prove. */
  readonly limits: readonly Text[];
  readonly durationMs: number;
  readonly tickMs: number;
  readonly seed: number;
  readonly machines: Readonly<Record<string, Machine>>;
  readonly hosts: readonly Host[];
  readonly services: readonly Service[];
  readonly traffic: readonly Traffic[];
  readonly faults: readonly Fault[];
  /** Named windows, then those that stairs make; each from (inclusive) to (exclusive). */
  readonly phases: readonly Phase[];
  readonly objectives: readonly Objective[];
  readonly claims: readonly Claim[];
  readonly rehearsal: Rehearsal;
  /** Every value of this system once, in file order, defaults last; a named value once under its name. */
  readonly inputs: readonly Value[];
  /** Which inputs a part of the system reads: `services.order-api` → paths of its values (a `$name` gives `values.name`). */
  readonly reads: Readonly<Record<string, readonly string[]>>;
}

export interface Phase {
  readonly name: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** A type of hardware. */
export interface Machine {
  readonly name: string;
  readonly cpus: Value;
  readonly memoryBytes: Value;
  /** Absent when nobody said it: then cost is unknown, never 0. */
  readonly price?: Value;
}

/** One named machine that services share. */
export interface Host {
  readonly name: string;
  readonly machine?: Machine;
  readonly cpus: Value;
  readonly memoryBytes: Value;
}

export type ServiceKind = 'service' | 'balancer' | 'store' | 'cache' | 'queue' | 'worker' | 'external';

export interface Service {
  readonly name: string;
  readonly title: Text;
  /** The picture and the words only: it never changes a number. */
  readonly kind: ServiceKind;
  /** Each instance on a machine of its own, on a shared host, in every pod of another service, or (none) without bound. */
  readonly place:
    | { readonly on: 'machine'; readonly machine: Machine }
    | { readonly on: 'host'; readonly host: string }
    | { readonly on: 'beside'; readonly service: string }
    | { readonly on: 'nothing' };
  readonly instances: Value;
  /** CPU cap of an instance in cores; the machine's or host's when the file gives none; `Infinity` without either. */
  readonly cpus: Value;
  /** Weight under contention, and what the autoscaler divides by; defaults to `cpus`. */
  readonly cpuRequest: Value;
  readonly throttle: 'smooth' | 'cfs';
  readonly slots: Value;
  readonly slotsHeld: 'request' | 'cpu';
  readonly queue: { readonly limit: Value; readonly patience: Value };
  readonly memory: {
    readonly base: Value;
    /** The machine's memory when the file gives none; `Infinity` without either. */
    readonly limit: Value;
    readonly perRequest: Value;
    readonly perConnection: Value;
    readonly leakPerRequest: Value;
    /** Bytes per second. */
    readonly leakPerSecond: Value;
  };
  readonly recovery: { readonly by: 'restart' | 'reboot' | 'replace' | 'none'; readonly after: Value; readonly backoff: 'none' | 'kubernetes' };
  readonly warmUp: { readonly for: Value; readonly factor: Value };
  readonly rateLimit?: { readonly rate: Value; readonly burst: Value; readonly delay: boolean; readonly scope: 'instance' | 'service' };
  readonly stock: Readonly<Record<string, Value>>;
  readonly autoscale?: Autoscale;
  /** The queue service whose messages this worker takes. */
  readonly consumes?: string;
  /** Empty when the service forwards every request to its one callee. */
  readonly handlers: Readonly<Record<string, readonly Step[]>>;
  /** One link a callee, in file order; also those that the handlers call without saying more. */
  readonly links: readonly Link[];
}

export interface Autoscale {
  readonly min: Value;
  readonly max: Value;
  readonly metric: 'cpu' | 'slots' | 'queue';
  /** A share for cpu and slots, a length for queue. */
  readonly target: Value;
  readonly rule: 'hpa' | 'ec2';
  readonly every: Value;
  readonly window: Value;
  readonly boot: Value;
  readonly outCooldown: Value;
  readonly inWindow: Value;
  readonly drain: Value;
  /** Sidecars whose CPU counts too. */
  readonly with: readonly string[];
}

export type Policy = 'round-robin' | 'random' | 'two-choices' | 'least-outstanding' | 'hash';

/** How one caller calls one callee service; kept by each caller instance. */
export interface Link {
  /** `services.alb.to.order-api` or `traffic.orders.to.alb`. */
  readonly path: string;
  readonly callee: string;
  readonly latency: Drawn;
  readonly policy: Policy;
  readonly health?: {
    /** The handler that a probe runs; none: it only passes the door. */
    readonly request?: string;
    readonly path: 'shared' | 'dedicated';
    readonly every: Value;
    readonly timeout: Value;
    readonly unhealthyAfter: Value;
    readonly healthyAfter: Value;
  };
  /** A count, or (unit `share`) a share of the fleet. */
  readonly failOpen: Value;
  readonly outlier?: { readonly errors: Value; readonly every: Value; readonly eject: Value; readonly maxEjected: Value };
  readonly slowStart: Value;
  readonly pool?: {
    readonly max: Value;
    readonly pending: Value;
    readonly wait: Value;
    readonly reuse: Value;
    readonly handshake: { readonly time: Drawn; readonly callerCpu: Drawn; readonly calleeCpu: Drawn };
  };
  /** `Infinity` = none, as for `deadline`. */
  readonly timeout: Value;
  readonly deadline: Value;
  readonly retries: Retries;
  readonly breaker?: { readonly errors: Value; readonly window: Value; readonly minimum: Value; readonly open: Value; readonly probes: Value };
  readonly cancel: boolean;
}

export interface Retries {
  readonly max: Value;
  /** Classes (`failed`, `refused`) or reasons (`full`). */
  readonly when: readonly string[];
  readonly backoff: Value;
  readonly factor: Value;
  readonly cap: Value;
  readonly jitter: 'none' | 'full' | 'equal';
  readonly budget: Value;
  readonly key: 'same' | 'fresh';
}

/** What every step may add. */
interface StepBase {
  /** `services.order-api.handlers.place-order.1`. */
  readonly path: string;
  readonly times: Value;
  readonly chance: Value;
  readonly orElse?: readonly Step[];
}
/** A service and the request asked of it; `request` absent: the same request there. */
export interface Target {
  readonly service: string;
  readonly request?: string;
}
export type Step = StepBase &
  (
    | { readonly verb: 'cpu'; readonly demand: Drawn }
    | { readonly verb: 'wait'; readonly time: Drawn }
    | { readonly verb: 'call'; readonly target: Target; readonly retries?: Retries }
    | { readonly verb: 'publish'; readonly target: Target }
    | { readonly verb: 'push'; /** may be one that this variant leaves out: then it reaches nobody */ readonly traffic: string; readonly count: Value; readonly cpu: Drawn; readonly scope: 'instance' | 'service' }
    | { readonly verb: 'parallel'; readonly branches: readonly (readonly Step[])[] }
    | { readonly verb: 'choose'; readonly options: readonly { readonly weight: Value; readonly steps: readonly Step[] }[] }
    | { readonly verb: 'transaction'; readonly service: string; readonly steps: readonly Step[] }
    | { readonly verb: 'lock'; readonly name: string; readonly wait: Value; readonly retries?: Retries; readonly scope: 'instance' | 'service' }
    | { readonly verb: 'take'; readonly name: string }
    | { readonly verb: 'put'; readonly name: string; readonly count: Value }
    | { readonly verb: 'cache'; readonly hit: Value; readonly fill: Value; readonly miss: readonly Step[] }
    | { readonly verb: 'decline' | 'refuse' | 'fail'; readonly reason: string }
  );
export type Verb = Step['verb'];

/** A rate or a number of users over time. */
export type Profile =
  | { readonly kind: 'constant'; readonly value: Value }
  | { readonly kind: 'ramp'; /** straight lines between the points */ readonly points: readonly { readonly atMs: number; readonly value: Value }[] }
  | { readonly kind: 'stairs'; readonly steps: readonly Value[]; readonly each: Value; readonly gap: Value; readonly warmUp: Value };

export interface Traffic {
  readonly name: string;
  readonly title: Text;
  /** One link a service that the traffic calls, in file order. */
  readonly links: readonly Link[];
  /** What is sent to the one callee; absent for a journey. */
  readonly send?: readonly { readonly request: string; readonly weight: Value }[];
  readonly steps?: readonly Step[];
  readonly source:
    | { readonly kind: 'open'; readonly rate: Profile; readonly arrivals: 'poisson' | 'even' }
    | { readonly kind: 'closed'; readonly users: Profile; readonly think: Drawn }
    | { readonly kind: 'bursts'; readonly sizes: readonly Value[]; readonly every: Value; readonly rounds: Value }
    | { readonly kind: 'sockets'; readonly connect: Value; readonly hold: Drawn; readonly max: Value; readonly opening?: string; readonly every: Drawn };
  readonly keys?:
    | { readonly kind: 'uniform'; readonly count: Value }
    | { readonly kind: 'hot'; readonly count: Value; readonly hot: Value; readonly share: Value }
    | { readonly kind: 'per-burst'; readonly count: Value };
  readonly limit: Value;
  readonly startMs: number;
  readonly stopMs: number;
  /** Each running instance of this service is such a source. */
  readonly from?: string;
}

export interface Fault {
  readonly name: string;
  readonly atMs: number;
  /** The end of the run when the file gives no `for`. */
  readonly untilMs: number;
  /** The file gives a `for`. */
  readonly hasEnd: boolean;
  readonly target: { readonly service: string; /** 1-based */ readonly instance?: number } | { readonly caller: string; readonly callee: string };
  readonly what:
    | { readonly verb: 'crash' | 'freeze' | 'blackhole' | 'cut' }
    | { readonly verb: 'slow' | 'steal' | 'errors' | 'leak' | 'hog' | 'loss'; readonly amount: Value }
    | { readonly verb: 'latency'; readonly latency: Drawn }
    | { readonly verb: 'deploy'; readonly how: 'rolling' | 'blue-green'; readonly boot: Value; readonly batch: Value; readonly failing: Value };
}

export type Metric =
  | 'good' | 'declined' | 'refused' | 'failed' | 'dropped' | 'rate'
  | 'mean' | 'p50' | 'p90' | 'p95' | 'p99' | 'p99.9' | 'max'
  | 'cpu' | 'queue' | 'slots' | 'memory' | 'poolWait' | 'lockWait' | 'ooms' | 'ejections' | 'launches' | 'cost';

/** `low` and `high` in the metric's base unit (`factor` compared with `vs`); a bound that is not there is ±Infinity. */
export interface Condition {
  /** As written: `>= 99.9%`. */
  readonly text: string;
  readonly op: '<=' | '>=' | '<' | '>' | '=' | '±' | '..';
  readonly low: number;
  readonly high: number;
  readonly unit: Unit;
  /** Of `money/h`: `USD`. */
  readonly currency?: string;
}

export interface Check {
  readonly name: string;
  /** A traffic, service, host, `caller.callee` or lock; absent for a claim about the order of events. */
  readonly of?: string;
  readonly metric?: Metric;
  readonly condition?: Condition;
  /** Phases, `each` stair, or the whole run. */
  readonly in: readonly string[] | 'each' | 'run';
  readonly over: 'good' | 'valid' | 'bad';
  readonly vs?: { readonly in?: string; readonly variant?: string };
  /** Where this rehearsal expects it not to hold. */
  readonly breaks: readonly string[] | boolean;
}
export type Objective = Check;
export interface Claim extends Check {
  readonly variant?: string;
  readonly says?: Text;
  readonly from?: string;
  /** `saturated order-api`: first occurrences in this order. */
  readonly order?: readonly EventName[];
}
export interface EventName {
  readonly kind: EventKind;
  readonly subject: string;
}
export const eventKinds = [
  'saturated', 'ejected', 'ready', 'oom', 'crashed', 'back', 'scale-out', 'scale-in', 'booted', 'gone',
  'breaker-open', 'breaker-closed', 'lock-timeout', 'fault', 'fault-end', 'deployed', 'rolled-back',
] as const;
export type EventKind = (typeof eventKinds)[number];

export interface Rehearsal {
  /** Simulated seconds in a second of film. */
  readonly pacing: { readonly quiet: number; readonly incident: number };
  readonly stops: readonly Stop[];
}
export interface Stop {
  readonly name: string;
  readonly at: { readonly timeMs: number } | EventName;
  readonly ask: Text;
  /** A service, an instance or an event whose state is veiled. */
  readonly about?: string;
  readonly answer?: Text;
  readonly holdMs: number;
}
