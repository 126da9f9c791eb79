import type { Autoscale, Host, Link, Policy, Service, Traffic } from '../../scenario/model.js';
import type { Sampler } from '../kernel/sampler.js';
import type { Program } from './program.js';
import type { Reasons } from './reasons.js';

/** What the engine runs: a system with names turned into numbers, durations into nanoseconds, and handlers into programs. */
export interface Plan {
  readonly durationNs: number;
  readonly tickNs: number;
  readonly hosts: readonly Host[];
  readonly services: readonly ServicePlan[];
  readonly sources: readonly SourcePlan[];
  /** All links, traffic's first; `LinkPlan.index` points in here. */
  readonly links: readonly LinkPlan[];
  /** By request number. */
  readonly requests: readonly string[];
  readonly reasons: Reasons;
  readonly locks: readonly LockPlan[];
  readonly stocks: readonly StockPlan[];
  /** How many steps have a budget for their own retries. */
  readonly stepBudgets: number;
}

export interface ServicePlan {
  readonly index: number;
  readonly name: string;
  readonly model: Service;
  /** Instances that there can ever be, those of a deployment included. */
  readonly maxInstances: number;
  /** Cores of an instance's own machine; Infinity without one. */
  readonly machineCores: number;
  /** Service in whose pods it stands, or −1. */
  readonly pod: number;
  /** By request number: the program that handles it. */
  readonly programs: readonly Program[];
  readonly links: readonly LinkPlan[];
  readonly autoscale: Autoscale | null;
  /** Workers that take this queue's messages: which of its links go to them. */
  readonly deliveries: readonly LinkPlan[];
  readonly reasons: {
    readonly queueFull: number;
    readonly patience: number;
    readonly rateLimited: number;
    readonly killed: number;
    readonly connectionRefused: number;
    readonly connectTimeout: number;
    readonly error: number;
  };
}

export interface RetryPlan {
  readonly max: number;
  /** By reason number and class: whether an end of that kind is tried again. */
  readonly covers: (outcome: number, reason: number) => boolean;
  readonly backoffNs: number;
  readonly factor: number;
  readonly capNs: number;
  readonly jitter: 'none' | 'full' | 'equal';
  /** Retries as a share of the first tries, at most; Infinity = unlimited. */
  readonly budget: number;
  /** Number of its budget among those of all steps; −1: a link's, or without a limit. */
  readonly stepBudget: number;
  readonly freshKey: boolean;
  readonly site: number;
}

export interface PoolPlan {
  readonly max: number;
  readonly pending: number;
  readonly waitNs: number;
  /** Requests on a connection before it closes. */
  readonly reuse: number;
  readonly handshake: { readonly time: Sampler; readonly callerCpu: Sampler; readonly calleeCpu: Sampler } | null;
  /** True when single connections matter: they close, or opening one costs something. */
  readonly tracksConnections: boolean;
}

export interface LinkPlan {
  /** Among all links. */
  readonly index: number;
  /** `alb.order-api`. */
  readonly name: string;
  readonly callerName: string;
  readonly callerIsTraffic: boolean;
  readonly kind: 'call' | 'message';
  readonly model: Link;
  /** Service number of the callee. */
  readonly callee: number;
  /** A call between a sidecar and its pod stays in the pod; what a process asks of its own service on a timer, in the process. */
  readonly staysInPod: boolean;
  readonly policy: Policy;
  readonly latency: Sampler | null;
  readonly site: number;
  readonly timeoutNs: number;
  readonly deadlineNs: number;
  readonly retries: RetryPlan | null;
  readonly pool: PoolPlan | null;
  readonly cancel: boolean;
  /** A count, or a share of the fleet when `failOpenIsShare`. */
  readonly failOpen: number;
  readonly failOpenIsShare: boolean;
  readonly slowStartNs: number;
  readonly outlier: { readonly errors: number; readonly everyNs: number; readonly ejectNs: number; readonly maxEjected: number } | null;
  readonly breaker: { readonly errors: number; readonly windowNs: number; readonly minimum: number; readonly openNs: number; readonly probes: number } | null;
  readonly health: {
    readonly dedicated: boolean;
    /** −1: a probe without a handler. */
    readonly request: number;
    readonly everyNs: number;
    readonly timeoutNs: number;
    readonly unhealthyAfter: number;
    readonly healthyAfter: number;
  } | null;
  readonly reasons: {
    readonly timeout: number;
    readonly deadline: number;
    readonly noHealthy: number;
    readonly poolFull: number;
    readonly poolWait: number;
    readonly breakerOpen: number;
    readonly cut: number;
    /** The caller's own call is gone, killed or cancelled, while it waits for an attempt: says nothing of the callee. */
    readonly callerGone: number;
  };
}

export interface SourcePlan {
  readonly index: number;
  readonly name: string;
  readonly model: Traffic;
  readonly links: readonly LinkPlan[];
  /** Programs to choose from, by weight; one alone as a rule. */
  readonly programs: readonly Program[];
  readonly weights: readonly number[];
  /** Program that opens a socket, if one does. */
  readonly opening: Program | null;
  readonly site: number;
  /** Service whose every instance is such a source, or −1. */
  readonly from: number;
}

/** A lock: its keys are held one request each. */
export interface LockPlan {
  readonly index: number;
  /** `mysql.companion`. */
  readonly name: string;
  readonly service: number;
  /** Each instance of the running service has a table of its own, which the others do not see. */
  readonly perInstance: boolean;
  readonly timeoutReason: number;
}

export interface StockPlan {
  readonly index: number;
  /** `mysql.seat`. */
  readonly name: string;
  readonly atStart: number;
  readonly emptyReason: number;
}

const nsPerMs = 1e6;
/** Whole nanoseconds; Infinity stays. */
export const toNs = (ms: number): number => (Number.isFinite(ms) ? Math.round(ms * nsPerMs) : ms);
