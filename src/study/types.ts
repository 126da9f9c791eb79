/**
 * The study: the contract between the simulation and everything that is shown. `study.json` is this, schema-checked and versioned.
 * Film, report, captions, CSV and terminal are made from it alone. Units live in names: ms, bytes, cores, per second; shares are 0..1.
 */
import type { Basis, EventKind, Lang, Metric, Policy, ServiceKind, Spread, Text, Unit } from '../scenario/model.js';
import type { ClaimResult, Compared, FirstToBreak, SeedSpread, Sensitivity, Sweep, Verdict } from './judgements.js';

export type * from './judgements.js';

export const studySchemaId = 'faultreel-study/1';

export interface Study {
  readonly schema: typeof studySchemaId;
  readonly tool: { readonly name: 'faultreel'; readonly version: string };
  readonly scenario: StudyScenario;
  /** Inputs of the reference variant, in file order, defaults last. */
  readonly inputs: readonly Input[];
  /** By variant, in file order; the first is the reference. A file without variants has one, `base`. */
  readonly runs: Readonly<Record<string, Run>>;
  /** Over seeds; null when one seed ran. */
  readonly spread: SeedSpread | null;
  /** By variant whose verdicts were tested; null when no sensitivity ran. */
  readonly sensitivity: Readonly<Record<string, Sensitivity>> | null;
  /** One for each `--sweep`; empty as a rule. */
  readonly sweeps: readonly Sweep[];
  readonly verdicts: readonly Verdict[];
  readonly claims: readonly ClaimResult[];
  /** Of the reference variant. */
  readonly firstToBreak: FirstToBreak | null;
}

export interface StudyScenario {
  readonly name: string;
  readonly title: Text;
  readonly about?: Text;
  /** Of the file's text. */
  readonly sha256: string;
  readonly seed: number;
  /** Of the reference; each run says its own. */
  readonly durationMs: number;
  readonly tickMs: number;
  /** What this run does not prove. */
  readonly limits: readonly Text[];
  /** The scenario file itself. */
  readonly text: string;
  /** What `--set` replaced, as written; empty as a rule. */
  readonly set: readonly Override[];
  readonly rehearsal: {
    readonly pacing: { readonly quiet: number; readonly incident: number };
    readonly stops: readonly {
      readonly name: string;
      readonly at: { readonly timeMs: number } | { readonly kind: EventKind; readonly subject: string };
      readonly ask: Text;
      readonly about?: string;
      readonly answer?: Text;
      readonly holdMs: number;
    }[];
  };
}

/** One value of the scenario; `value` and `range` in the base unit, `null` = unlimited. */
export interface Input {
  readonly path: string;
  readonly value: number | null;
  readonly unit: Unit;
  readonly basis: Basis;
  readonly setting: boolean;
  readonly from?: string;
  readonly why?: string;
  readonly range?: readonly [number, number];
  readonly currency?: string;
  /** How single draws spread around a drawn value; absent for one that is always the same. */
  readonly spread?: Spread;
}

export interface Override {
  readonly path: string;
  readonly value: string;
}

/** One variant under one seed. */
export interface Run {
  readonly variant: string;
  readonly overrides: readonly Override[];
  /** Kernel events and source requests simulated. */
  readonly events: number;
  readonly requests: number;
  /** How long this variant runs; ticks are as long as the scenario's. */
  readonly durationMs: number;
  readonly system: Picture;
  readonly traffic: Readonly<Record<string, TrafficTotals>>;
  readonly phases: Readonly<Record<string, PhaseTotals>>;
  readonly services: Readonly<Record<string, ServiceTotals>>;
  /** By `caller.callee`; messages that a worker takes from a queue by `queue.worker`. */
  readonly links: Readonly<Record<string, LinkTotals>>;
  /** Machines that services share, by name. */
  readonly hosts: Readonly<Record<string, HostTotals>>;
  /** By `holder.lock`: the service that the lock belongs to and its name. */
  readonly locks: Readonly<Record<string, LockTotals>>;
  /** What a reader must know before they trust a figure of this run; empty as a rule. */
  readonly warnings: readonly Warning[];
  readonly eventLog: readonly LoggedEvent[];
  readonly ticks: Ticks;
  readonly cost: Cost;
  readonly firstToBreak: FirstToBreak | null;
}

/** What the engine says of a run; its cost and what broke first are judged from it. */
export type SimulatedRun = Omit<Run, 'cost' | 'firstToBreak'>;

/** What was counted in one phase. */
export interface PhaseTotals {
  readonly fromMs: number;
  readonly toMs: number;
  /** Requests that arrived in it, with their final outcome. */
  readonly traffic: Readonly<Record<string, TrafficTotals>>;
  /** Attempts that ended well in it, and waits for a connection that ended in it. */
  readonly links: Readonly<Record<string, { readonly latencyMs: LatencySummary | null; readonly poolWaitMs: LatencySummary | null }>>;
  /** Waits for a lock that ended in it. */
  readonly locks: Readonly<Record<string, { readonly waitMs: LatencySummary | null }>>;
}

/**
 * `outlier-never`: by the rule of the largest ejected share this link can never eject anybody. `dropped`: the generator could not make the load that the
 * file asks for, so the phase says nothing about the system. `src/text/warnings.ts` has the words.
 */
export const warningKinds = ['outlier-never', 'dropped'] as const;
export interface Warning {
  readonly kind: (typeof warningKinds)[number];
  /** A link or a traffic. */
  readonly subject: string;
  /** Null = the whole run. */
  readonly phase: string | null;
  readonly data: Readonly<Record<string, number>>;
}

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
/** How latency is distributed over a stated set of requests; histogram error at most 1 %, mean exact. */
export interface LatencySummary {
  readonly count: number;
  readonly p50: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
  readonly 'p99.9': number;
  readonly mean: number;
  readonly max: number;
}

/** offered = good + declined + refused + failed + inFlight, as an equality of integers; dropped was never offered. */
export interface TrafficTotals {
  readonly offered: number;
  readonly good: number;
  /** By reason, with the place where it ended: `order-api: queue full`. */
  readonly declined: Readonly<Record<string, number>>;
  readonly refused: Readonly<Record<string, number>>;
  readonly failed: Readonly<Record<string, number>>;
  readonly inFlight: number;
  readonly dropped: number;
  /** Pushes to its sockets: those that arrived, and those that the pushing process could not reach; null for a traffic without sockets. */
  readonly deliveries: { readonly made: number; readonly missed: number } | null;
  readonly goodPerS: number;
  /** Of good requests; null when there were none. */
  readonly latencyMs: LatencySummary | null;
  /** Of good and bad ones together. */
  readonly validLatencyMs: LatencySummary | null;
  readonly badLatencyMs: LatencySummary | null;
  /** How the latencies of good and of bad (refused and failed) requests are distributed. */
  readonly latencyBuckets: { readonly good: LatencyBuckets; readonly bad: LatencyBuckets };
}
/** Exact counts in ascending buckets [fromMs, toMs), eight an octave; one without requests is left out. */
export interface LatencyBuckets {
  readonly fromMs: readonly number[];
  readonly toMs: readonly number[];
  readonly counts: readonly number[];
}

export interface Level {
  readonly mean: number;
  readonly max: number;
}
export interface InstanceTotals {
  /** 1-based. */
  readonly number: number;
  readonly arrived: number;
  readonly good: number;
  readonly declined: number;
  readonly refused: number;
  readonly failed: number;
  readonly cpuCores: Level;
  readonly slots: Level;
  readonly queue: Level;
  readonly memoryBytes: Level;
  readonly ooms: number;
  /** Inbound sockets held open. */
  readonly connections: Level;
  /** Share of the time in which its CPU quota was used up. */
  readonly throttled: number;
  /** Time billed, from decision to gone. */
  readonly billedS: number;
  /** When it was billed, from and to, ms; none for an instance that never was there. */
  readonly billedMs: readonly (readonly [number, number])[];
}
export interface ServiceTotals {
  readonly instances: readonly InstanceTotals[];
  /** Over all instances together. */
  readonly cpuCores: Level;
  readonly slots: Level;
  readonly queue: Level;
  readonly memoryBytes: Level;
  readonly ooms: number;
  readonly launches: number;
}
export interface HostTotals {
  /** Of all containers on it. */
  readonly cpuCores: Level;
  readonly memoryBytes: Level;
}
export interface LockTotals {
  /** Times that it was had at once or after waiting, and times that it could not be had. */
  readonly taken: number;
  readonly waited: number;
  readonly timeouts: number;
  /** Over those that waited, whether they got it or not. */
  readonly waitMs: LatencySummary | null;
  /** Requests that wait for it, all keys together. */
  readonly waiting: Level;
}
/** Attempts on a link, probes apart. */
export interface LinkTotals {
  readonly sent: number;
  readonly good: number;
  readonly declined: number;
  readonly refused: Readonly<Record<string, number>>;
  readonly failed: Readonly<Record<string, number>>;
  readonly inFlight: number;
  readonly probes: { readonly sent: number; readonly good: number; readonly bad: number };
  readonly ejections: number;
  /** Attempts after the first of a call. */
  readonly retries: number;
  readonly latencyMs: LatencySummary | null;
  /** Null when the link has no pool. `opened`: connections opened; means are of all callers together, maxima of any one of them. */
  readonly pool: { readonly opened: number; readonly inUse: Level; readonly waiting: Level; readonly waitMs: LatencySummary | null } | null;
}

export interface LoggedEvent {
  readonly tMs: number;
  readonly kind: EventKind;
  /** `order-api.2`, `order-api`, `alb.order-api`, or a fault's name. */
  readonly subject: string;
  /** Why, as a reason code that `src/text/events.ts` says in words. */
  readonly cause: string;
  readonly basis: 'counted' | 'estimated';
  /** What the sentence needs: lost requests, decisions, numbers with their unit in the name. */
  readonly data: Readonly<Record<string, number | string>>;
}

/** A column over ticks; a constant one is written once, as a bare number. `null` = no sample. */
export type Column = number | readonly (number | null)[];

/** What an instance is at the end of a tick, by code. */
export const instanceStates = ['off', 'booting', 'up', 'down', 'draining'] as const;
export type InstanceState = (typeof instanceStates)[number];
/** What a link believes of a target, by code; `out` = taken out by probes, `joining` = up, but not yet passed its first probe, `ejected` = taken out by outlier detection. */
export const beliefs = ['absent', 'in', 'out', 'joining', 'ejected'] as const;
export type Belief = (typeof beliefs)[number];
export const breakerStates = ['closed', 'open', 'half-open'] as const;

/** Time mean, maximum, and value at the end of a tick. */
export interface LevelColumns {
  readonly mean: Column;
  readonly max: Column;
  readonly end: Column;
}
export interface OutcomeColumns {
  readonly good: Column;
  readonly declined: Column;
  readonly refused: Column;
  readonly failed: Column;
}
/** One sample of everything a tick, at most 3,600, 4 significant digits. Tick i covers [i × tickMs, (i + 1) × tickMs). Counts count when it happens. */
export interface Ticks {
  readonly count: number;
  readonly traffic: Readonly<Record<string, OutcomeColumns & {
    readonly offered: Column;
    /** At the end of the tick. */
    readonly inFlight: Column;
    /** Arrivals that the generator could not make. */
    readonly dropped: Column;
    /** Users of closed traffic, or open sockets, at the end of the tick; null for other traffic. */
    readonly present: Column | null;
    /** Pushes to its sockets in the tick; null for a traffic without sockets. */
    readonly deliveries: { readonly made: Column; readonly missed: Column } | null;
    /** Of good requests that ended in the tick. */
    readonly p50: Column;
    readonly p95: Column;
    readonly p99: Column;
    /** Over the trailing 10 s. */
    readonly trailing: { readonly p50: Column; readonly p95: Column; readonly p99: Column };
  }>>;
  readonly services: Readonly<Record<string, {
    /** What the autoscaler wants; constant without one. */
    readonly desired: Column;
    readonly instances: readonly (OutcomeColumns & {
      /** Code into `instanceStates`. */
      readonly state: Column;
      /** 1 while CPU, slots or memory are saturated by the rule of docs/engine.md. */
      readonly saturated: Column;
      readonly arrived: Column;
      readonly slots: LevelColumns;
      readonly queue: LevelColumns;
      readonly cpuCores: LevelColumns;
      readonly memoryBytes: LevelColumns;
      /** Inbound sockets held open at the end of the tick. */
      readonly connections: Column;
      /** Share of the tick in which its CPU quota was used up. */
      readonly throttled: Column;
      /** 1 while it stands still (a fault freezes it). */
      readonly frozen: Column;
      /** What is left of warm-up, boot or recovery at the end of the tick, ms; 0 = none. */
      readonly warmUpLeftMs: Column;
      readonly bootLeftMs: Column;
      readonly downLeftMs: Column;
    })[];
  }>>;
  readonly links: Readonly<Record<string, {
    /** By callee instance: attempts sent to it, how those that ended in the tick ended, and what the link believes of it. */
    readonly targets: readonly (OutcomeColumns & {
      readonly sent: Column;
      /** Code into `beliefs`. */
      readonly belief: Column;
      /** Consecutive good probes towards `healthyAfter` (out, joining), or bad ones towards `unhealthyAfter` (in). */
      readonly probesTowards: Column;
    })[];
    /** By caller instance (one for a traffic). `refused` here includes what no target saw: nobody healthy, pool full, pool wait. */
    readonly callers: readonly (OutcomeColumns & { readonly sent: Column; readonly poolInUse: LevelColumns | null; readonly poolWaiting: LevelColumns | null })[];
    /** 1 while the link sends to everyone because too few are available. */
    readonly failingOpen: Column;
    /** Attempts that were not the first of their call. */
    readonly retries: Column;
    /** Connections opened. */
    readonly opened: Column;
    /** The worst state of any caller instance's breaker, by code into `breakerStates`. */
    readonly breaker: Column;
  }>>;
  readonly hosts: Readonly<Record<string, { readonly cpuCores: LevelColumns; readonly memoryBytes: LevelColumns; /** 1 while its CPU or memory is saturated. */ readonly saturated: Column }>>;
  /** Keys held and requests waiting, all keys of the lock together. */
  readonly locks: Readonly<Record<string, { readonly held: LevelColumns; readonly waiting: LevelColumns; readonly saturated: Column }>>;
}

export interface Cost {
  /** By service, and by host that services share; only what is on a machine is billed. */
  readonly services: Readonly<Record<string, Billed & { readonly machine: string }>>;
  /** Null = unknown; see `unknown`. */
  readonly amount: number | null;
  readonly currency: string | null;
  /** Services and hosts whose price nobody gave. */
  readonly unknown: readonly string[];
  /** Of all prices: more than one, and no sum can be made. */
  readonly currencies: readonly string[];
  /** The same in each phase. Phases may overlap. */
  readonly phases: Readonly<Record<string, { readonly services: Readonly<Record<string, Billed>>; readonly amount: number | null }>>;
  /** What was billed beyond the instances that were there at the start, from when it was first so; null = never. */
  readonly survival: { readonly fromMs: number; readonly extraS: number; /** Null = unknown. */ readonly amount: number | null } | null;
}

export interface Billed {
  /** Seconds of all instances. */
  readonly billedS: number;
  /** Of them, those beyond the instances that were there at the start. */
  readonly extraS: number;
  /** Null = unknown price. */
  readonly amount: number | null;
}

export type { Basis, EventKind, Lang, Metric, Policy, ServiceKind, Spread, Text, Unit };
