import * as outcome from '../kernel/outcome.js';
import type { EventQueue } from '../kernel/event-queue.js';
import type { LinkPlan } from '../plan/plan.js';

export type OutlierPlan = NonNullable<LinkPlan['outlier']>;

/** Envoy's `max_ejection_time` unless the first ejection is longer (outlier_detection.proto). */
const longestNs = 300e9;

/**
 * Whether one more target may be ejected: those out afterwards are at most a share `maxEjected` of the registered ones (outlier_detection_impl.cc, with
 * `always_eject_one_host` false). So with the usual 10 % a fleet below ten never ejects anybody.
 */
export const ejectionAllowed = (ejected: number, registered: number, maxEjected: number): boolean => (ejected + 1) / registered <= maxEjected;

/** True when the rule of the largest share lets no target of so many ever be ejected. */
export const neverEjects = ({ maxEjected }: OutlierPlan, targets: number): boolean => !ejectionAllowed(0, targets, maxEjected);

/** How long an ejection lasts, ns, with so many before it that have not been forgiven yet; itself counted. It ends at the first sweep from then on. */
export const ejectionNs = (multiplier: number, baseNs: number): number => Math.min(multiplier * baseNs, Math.max(longestNs, baseNs));

/** What an outlier detector tells its link. */
export interface OutlierListener {
  /** After so many errors in a row. */
  ejected(target: number, bad: number): void;
  /** Its ejection is over: `time`, or a good probe has ended it. */
  returned(target: number, cause: 'time' | 'probes'): void;
}

/**
 * Outlier detection of one caller instance, as Envoy does it (outlier.rst, outlier_detection_impl.cc): so many errors in a row eject a target at once, if the
 * largest share allows it; allowed or not, the count begins anew. Every `every`, counted from the start of the run, those whose time is over come back, and a
 * target that has been back for a whole interval is forgiven one ejection. An error is a call that ended refused or failed, timeouts and broken connections
 * included (no split of local origin errors); Envoy's success rate and failure percentage are left out. Jitter is 0.
 */
export class OutlierDetector {
  /** By target: 1 while it is ejected. */
  readonly ejected: Uint8Array;
  private readonly badInARow: Int32Array;
  /** Ejections that are not forgiven, by which the next one is longer. */
  private readonly multiplier: Int32Array;
  private readonly ejectedNs: Float64Array;
  private readonly returnedNs: Float64Array;
  private ejectedCount = 0;
  private timer = -1;

  constructor(
    private readonly queue: EventQueue,
    private readonly plan: OutlierPlan,
    targetCount: number,
    private readonly listener: OutlierListener,
    /** Event that calls `sweep` of this detector, and its argument. */
    private readonly sweepKind: number,
    private readonly sweepArgument: number,
  ) {
    this.ejected = new Uint8Array(targetCount);
    this.badInARow = new Int32Array(targetCount);
    this.multiplier = new Int32Array(targetCount);
    this.ejectedNs = new Float64Array(targetCount);
    this.returnedNs = new Float64Array(targetCount);
  }

  /** A call to the target has ended, of `registered` that there are. */
  learn(target: number, end: number, registered: number): void {
    if (end === outcome.good || end === outcome.declined) {
      this.badInARow[target] = 0;
      return;
    }
    if (this.ejected[target] === 1 || ++this.badInARow[target] < this.plan.errors) return;
    this.badInARow[target] = 0;
    if (ejectionAllowed(this.ejectedCount, registered, this.plan.maxEjected)) this.eject(target);
  }

  /** Looks through the ejections. */
  sweep(): void {
    const { queue, plan, ejected, multiplier } = this;
    this.timer = -1;
    for (let target = 0; target < ejected.length; target++) {
      if (ejected[target] === 1 && queue.now - this.ejectedNs[target] >= ejectionNs(multiplier[target], plan.ejectNs)) this.takeBack(target, 'time');
    }
    for (let target = 0; target < ejected.length; target++) {
      if (ejected[target] === 0 && multiplier[target] > 0 && queue.now - this.returnedNs[target] >= plan.everyNs) multiplier[target]--;
    }
    this.sweepLater();
  }

  /** A probe of a target in rotation was good: it ends an ejection at once (`successful_active_health_check_uneject_host`). */
  probePassed(target: number): void {
    if (this.ejected[target] === 1) this.takeBack(target, 'probes');
  }

  /** The target is registered no more: nothing is known of it when it comes again. */
  forget(target: number): void {
    this.ejectedCount -= this.ejected[target];
    this.ejected[target] = 0;
    this.badInARow[target] = 0;
    this.multiplier[target] = 0;
  }

  /** The caller's process is gone with all that it knew. */
  reset(): void {
    for (let target = 0; target < this.ejected.length; target++) this.forget(target);
  }

  private eject(target: number): void {
    const { plan, multiplier } = this;
    this.ejected[target] = 1;
    this.ejectedCount++;
    this.ejectedNs[target] = this.queue.now;
    // Envoy lets the multiplier grow one step beyond the longest ejection, so that one interval forgives nothing yet.
    if (multiplier[target] * plan.ejectNs < Math.max(longestNs, plan.ejectNs) + plan.ejectNs) multiplier[target]++;
    this.sweepLater();
    this.listener.ejected(target, plan.errors);
  }

  private takeBack(target: number, cause: 'time' | 'probes'): void {
    this.ejected[target] = 0;
    this.ejectedCount--;
    this.returnedNs[target] = this.queue.now;
    this.listener.returned(target, cause);
  }

  /** Sweeps are due at whole multiples of `every`, but only while there is something to look through. */
  private sweepLater(): void {
    const { everyNs } = this.plan;
    if (this.timer >= 0 || !this.multiplier.some((ejections) => ejections > 0)) return;
    this.timer = this.queue.at((Math.floor(this.queue.now / everyNs) + 1) * everyNs, this.sweepKind, this.sweepArgument);
  }
}
