/** What a run was like from tick to tick, in columns. */
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
