/**
 * The study: the contract between the simulation and everything that is shown. `study.json` is this, schema-checked and versioned.
 * Film, report, captions, CSV and terminal are made from it alone. Units live in names: ms, bytes, cores, per second; shares are 0..1.
 */
import type { Basis, EventKind, Lang, Metric, Policy, ServiceKind, Spread, Text, Unit } from '../scenario/model.js';
import type { ClaimResult, FirstToBreak, SeedSpread, Sensitivity, Sweep, Verdict } from './judgements.js';
import type { Picture } from './picture.js';
import type { Ticks } from './ticks.js';

export type * from './judgements.js';
export type * from './picture.js';
export * from './ticks.js';

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

export interface Cost {
  /** By service, and by host that services share; only what is on a machine is billed. */
  readonly services: Readonly<Record<string, Billed & { readonly machine: string }>>;
  /** Null = unknown; see `unknown`. */
  readonly amount: number | null;
  readonly currency: string | null;
  /** Services and hosts whose price nobody gave. */
  readonly unknown: readonly string[];
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
