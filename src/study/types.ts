/**
 * The study: the contract between the simulation and everything that is shown. `study.json` is this, schema-checked and versioned.
 * Film, report, captions, CSV and terminal are made from it alone. Units live in names: ms, bytes, cores, per second; shares are 0..1.
 */
import type { Basis, EventKind, Lang, Metric, Policy, ServiceKind, Spread, Text, Unit } from '../scenario/model.js';

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
  readonly spread: null;
  /** Null when no sensitivity ran. */
  readonly sensitivity: null;
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
  readonly system: Picture;
  readonly traffic: Readonly<Record<string, TrafficTotals>>;
  readonly phases: Readonly<Record<string, { readonly fromMs: number; readonly toMs: number; readonly traffic: Readonly<Record<string, TrafficTotals>> }>>;
  readonly services: Readonly<Record<string, ServiceTotals>>;
  /** By `caller.callee`. */
  readonly links: Readonly<Record<string, LinkTotals>>;
  readonly eventLog: readonly LoggedEvent[];
  readonly ticks: Ticks;
  readonly cost: Cost;
  readonly firstToBreak: FirstToBreak | null;
}

/** What the engine says of a run; its cost and what broke first are judged from it. */
export type SimulatedRun = Omit<Run, 'cost' | 'firstToBreak'>;

/** The system's structure as the stage and the report draw it. */
export interface Picture {
  readonly services: readonly PictureService[];
  readonly links: readonly PictureLink[];
  readonly traffic: readonly PictureTraffic[];
  readonly objectives: readonly PictureObjective[];
}
export interface PictureService {
  readonly name: string;
  readonly title: Text;
  readonly kind: ServiceKind;
  /** Machine type, or null where CPU and memory are without bound. */
  readonly machine: { readonly name: string; readonly cpus: number; readonly memoryBytes: number } | null;
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
  readonly policy: Policy;
  readonly health: { readonly path: 'shared' | 'dedicated'; readonly everyMs: number; readonly firstMs: number; readonly timeoutMs: number; readonly unhealthyAfter: number; readonly healthyAfter: number } | null;
  readonly failOpen: number;
  readonly timeoutMs: number | null;
  readonly pool: { readonly max: number | null; readonly waitMs: number | null } | null;
}
export interface PictureTraffic {
  readonly name: string;
  readonly title: Text;
  readonly kind: 'open' | 'closed' | 'bursts' | 'sockets';
  /** Offered load as scripted, per second (open) or users (closed), straight lines between the points; and how it is known. */
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
  readonly goodPerS: number;
  /** Of good requests; null when there were none. */
  readonly latencyMs: LatencySummary | null;
  /** Of good and bad ones together. */
  readonly validLatencyMs: LatencySummary | null;
  readonly badLatencyMs: LatencySummary | null;
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
  /** Time billed, from decision to gone. */
  readonly billedS: number;
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
  readonly latencyMs: LatencySummary | null;
  /** Null when the link has no pool. */
  readonly pool: { readonly inUse: Level; readonly waiting: Level; readonly waitMs: LatencySummary | null } | null;
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
/** What a link believes of a target, by code; `joining` = up, but not yet passed its first probe. */
export const beliefs = ['absent', 'in', 'out', 'joining'] as const;
export type Belief = (typeof beliefs)[number];

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
  }>>;
}

export interface Cost {
  /** Billed seconds by service; only services on a machine are billed. */
  readonly services: Readonly<Record<string, { readonly billedS: number; /** Beyond those that were there at the start. */ readonly extraS: number; readonly machine: string; /** Null = unknown price. */ readonly amount: number | null }>>;
  /** Null = unknown; see `unknown`. */
  readonly amount: number | null;
  readonly currency: string | null;
  /** Services whose price nobody gave. */
  readonly unknown: readonly string[];
}

export interface FirstToBreak {
  readonly objective: string;
  readonly phase: string | null;
  /** First tick whose trailing 10 s violate the objective. */
  readonly tMs: number;
  /** `order-api.1 cpu`, or null: none saturated. */
  readonly resource: { readonly service: string; readonly instance: number; readonly what: 'cpu' | 'slots' | 'pool' | 'memory'; readonly sinceMs: number } | null;
  readonly evidence: Readonly<Record<string, number>>;
}

/** How sure a verdict is. `untested`: it rests on a guess that no sensitivity run has moved. */
export type Sureness = 'firm' | 'hinges' | 'untested';

export interface Verdict {
  readonly objective: string;
  /** Null = the whole run. */
  readonly phase: string | null;
  readonly variant: string;
  readonly of: string;
  readonly metric: Metric;
  readonly target: string;
  readonly unit: Unit;
  /** Null = no sample: unknown. */
  readonly actual: number | null;
  /** Null when unknown. */
  readonly met: boolean | null;
  /** Whether the file expects it to hold there. */
  readonly expected: boolean;
  readonly basis: 'counted' | 'estimated';
  readonly sure: Sureness;
  /** Paths of the guesses that reach it. */
  readonly restsOn: readonly string[];
  readonly flipsAt?: { readonly path: string; readonly value: number };
}

export interface ClaimResult {
  readonly claim: string;
  readonly variant: string;
  readonly phase: string | null;
  readonly says: Text | null;
  readonly from: string | null;
  readonly target: string;
  readonly unit: Unit | null;
  readonly actual: number | null;
  /** For an order of events: when each first happened. */
  readonly order?: readonly { readonly event: string; readonly tMs: number | null }[];
  readonly held: boolean;
  /** Whether the file expects it to hold (`breaks`). */
  readonly expected: boolean;
}

export type { Basis, EventKind, Lang, Metric, Policy, ServiceKind, Spread, Text, Unit };
