import type { Link } from '../../src/scenario/model.js';
import type { Agenda } from './agenda.js';
import { makeBalancer, type Balancer } from './balancing.js';
import { Breaker } from './breaker.js';
import { Budget } from './budget.js';
import { Effects } from './effects.js';
import type { Instance } from './instance.js';
import { OutlierDetector } from './outlier.js';
import { Pool } from './pool.js';
import { type End, type Key, nsOf } from './words.js';

export type Belief = 'absent' | 'in' | 'out' | 'joining';

/** What all instances of a caller share of a link: what is believed of its targets, and what faults do to its messages (rule 33). */
export class SharedLink {
  readonly beliefs: Belief[];
  /** Probes in a row towards another verdict. */
  readonly towards: number[];
  readonly effects = new Effects();
  readonly copies: CallerLink[] = [];
  /** When each target became available after the start of the run. */
  private readonly availableSinceNs: number[];

  constructor(
    readonly agenda: Agenda,
    readonly link: Link,
    readonly callerName: string,
    readonly targets: readonly Instance[],
    /** Between a sidecar and its pod, or from a timer of a process to itself: whoever has the same number is asked. */
    readonly staysInPod: boolean,
  ) {
    this.beliefs = targets.map(() => 'absent');
    this.towards = targets.map(() => 0);
    this.availableSinceNs = targets.map(() => -Infinity);
  }

  believe(target: number, belief: Belief): void {
    if (belief === 'in' && this.beliefs[target] !== 'in' && this.agenda.now > 0) this.availableSinceNs[target] = this.agenda.now;
    this.beliefs[target] = belief;
    this.towards[target] = 0;
    for (const copy of this.copies) {
      if (belief === 'absent') copy.outlier?.forget(target);
      copy.changes++;
    }
  }

  /** Slow start: max(10 %, age ÷ window), an age of a second at least, as Envoy has it. */
  weightOf(target: number): number {
    const share = Math.max(this.agenda.now - this.availableSinceNs[target], 1e9) / nsOf(this.link.slowStart.value);
    return share >= 1 ? 1 : Math.max(0.1, share);
  }

  /** Nobody's slow start goes on. */
  get isLevel(): boolean {
    const windowNs = nsOf(this.link.slowStart.value);
    return windowNs === 0 || this.agenda.now >= Math.max(...this.availableSinceNs) + windowNs;
  }
}

/** A link as one caller instance has it (rule 27). */
export class CallerLink {
  readonly outstanding: number[];
  readonly pool: Pool | null;
  readonly breaker: Breaker | null;
  readonly outlier: OutlierDetector | null;
  /** Grows when anything changes about whom it may call. */
  changes = 0;
  readonly budget: Budget;
  private balancer: Balancer;

  constructor(readonly shared: SharedLink, readonly ordinal: number) {
    const { agenda, link, targets } = shared;
    this.outstanding = targets.map(() => 0);
    this.budget = new Budget(agenda);
    this.pool = link.pool ? new Pool(link.pool) : null;
    this.breaker = link.breaker ? new Breaker(agenda, link.breaker) : null;
    this.outlier = link.outlier ? new OutlierDetector(agenda, link.outlier, targets.length, () => this.changes++) : null;
    this.balancer = makeBalancer(this);
    shared.copies.push(this);
  }

  get callee(): string {
    return this.shared.link.callee;
  }

  /** Targets that are there at all. */
  get registered(): number[] {
    return this.shared.beliefs.flatMap((belief, target) => (belief === 'absent' ? [] : [target]));
  }

  /** Whom it may call now: those that are believed in and not ejected; all of them when these are too few (fail-open). */
  get rotation(): number[] {
    const { failOpen } = this.shared.link;
    const { registered } = this;
    const available = registered.filter((target) => this.shared.beliefs[target] === 'in' && !this.outlier?.ejected.has(target));
    const measure = failOpen.unit === 'share' ? available.length / registered.length : available.length;
    return registered.length > 0 && measure < failOpen.value ? registered : available;
  }

  choose(key: Key, row: number): Instance | null {
    const { targets, staysInPod } = this.shared;
    if (staysInPod) return targets[this.ordinal];
    const { rotation } = this;
    return rotation.length === 0 ? null : targets[this.balancer(rotation, key, row)];
  }

  sent(target: Instance): void {
    this.outstanding[target.ordinal]++;
  }

  /** An attempt has its end here. One whose caller is gone teaches nobody. */
  ended(target: Instance, end: End): void {
    this.outstanding[target.ordinal]--;
    if (end.why === `${this.shared.callerName}: killed`) return;
    if (this.shared.beliefs[target.ordinal] !== 'absent') this.outlier?.learn(target.ordinal, end, this.registered.length);
    this.breaker?.learn(end);
  }

  /** An attempt has its end before it has a target. */
  endedOnTheSpot(end: End): End {
    if (end.why !== `${this.callee}: breaker open`) this.breaker?.learn(end);
    return end;
  }

  /** The caller's process is gone with all that it knew. */
  reset(): void {
    this.balancer = makeBalancer(this);
    this.pool?.reset();
    this.breaker?.reset();
    this.outlier?.reset();
    this.budget.reset();
    this.changes++;
  }
}
