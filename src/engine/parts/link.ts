import { CallQueue, type CallPool } from '../kernel/calls.js';
import { pick } from '../kernel/keyed-draws.js';
import { Histogram } from '../record/histogram.js';
import { Level } from '../record/level.js';
import type { LinkPlan } from '../plan/plan.js';

/** Codes into the study's `beliefs`. */
export const belief = { absent: 0, in: 1, out: 2, joining: 3 } as const;
export type BeliefCode = (typeof belief)[keyof typeof belief];

/** Places of the counters of one side in a flat array: outcomes 0 to 3, then attempts sent. */
const sentAt = 4;
const stride = 5;

/** What was counted at one end of a link, by instance, in the running tick. */
export class EndCounts {
  readonly counts: Float64Array;
  constructor(instances: number) {
    this.counts = new Float64Array(instances * stride);
  }
  sent(instance: number): void {
    this.counts[instance * stride + sentAt]++;
  }
  ended(instance: number, outcome: number): void {
    this.counts[instance * stride + outcome]++;
  }
  read(instance: number, outcome: number): number {
    return this.counts[instance * stride + outcome];
  }
  readSent(instance: number): number {
    return this.counts[instance * stride + sentAt];
  }
}

/**
 * What all instances of a caller share of a link: which targets are registered, what the one prober believes of them (rule 33),
 * and so whom a call may go to. Without a health check a link knows nothing of death (rule 58).
 */
export class SharedLink {
  /** By target: code of `belief`. */
  readonly beliefs: Uint8Array;
  /** Consecutive good or bad probes towards the next verdict. */
  readonly towards: Uint16Array;
  /** Targets that a call may go to now, ascending. */
  readonly candidates: Int32Array;
  candidateCount = 0;
  /** Targets believed healthy. */
  availableCount = 0;
  failingOpen = false;

  readonly targets: EndCounts;
  readonly callers: EndCounts;
  readonly totals = { sent: 0, ended: [0, 0, 0, 0] as [number, number, number, number], probes: { sent: 0, good: 0, bad: 0 }, ejections: 0 };
  readonly latency = new Histogram();
  readonly poolWait = new Histogram();
  readonly reasons: Float64Array;

  constructor(readonly plan: LinkPlan, targetCount: number, callerCount: number, reasonCount: number) {
    this.beliefs = new Uint8Array(targetCount);
    this.towards = new Uint16Array(targetCount);
    this.candidates = new Int32Array(targetCount);
    this.targets = new EndCounts(targetCount);
    this.callers = new EndCounts(callerCount);
    this.reasons = new Float64Array(reasonCount * 4);
  }

  believe(target: number, code: BeliefCode): void {
    this.beliefs[target] = code;
    this.towards[target] = 0;
    this.review();
  }

  /** Fewer than `failOpen` available: send to all registered ones, whatever is believed of them. */
  private review(): void {
    let registered = 0;
    this.availableCount = 0;
    for (const code of this.beliefs) {
      if (code !== belief.absent) registered++;
      if (code === belief.in) this.availableCount++;
    }
    const { failOpen, failOpenIsShare } = this.plan;
    this.failingOpen = registered > 0 && failsOpen(this.availableCount, registered, failOpen, failOpenIsShare);
    this.candidateCount = 0;
    for (let target = 0; target < this.beliefs.length; target++) {
      const code = this.beliefs[target];
      if (code === belief.in || (this.failingOpen && code !== belief.absent)) this.candidates[this.candidateCount++] = target;
    }
  }

  countEnd(caller: number, target: number, outcome: number, reason: number): void {
    this.totals.ended[outcome]++;
    this.callers.ended(caller, outcome);
    if (target >= 0) this.targets.ended(target, outcome);
    if (reason >= 0) this.reasons[reason * 4 + outcome]++;
  }
}

/** AWS: fewer healthy targets than the minimum count, or a smaller share (ELB guide, target-group-health). */
export const failsOpen = (available: number, registered: number, minimum: number, minimumIsShare: boolean): boolean =>
  minimumIsShare ? available < minimum * registered : available < minimum;

/** A link as one caller instance has it: its own outstanding calls, its own pool of connections. Several instances do not see each other's (rule 27). */
export class CallerLink {
  /** By target: calls sent and not yet ended. */
  readonly outstanding: Int32Array;
  readonly poolInUse = new Level();
  readonly poolWaiting = new Level();
  readonly waiters: CallQueue;
  private lastTarget = -1;

  constructor(readonly shared: SharedLink, readonly callerOrdinal: number, calls: CallPool) {
    this.outstanding = new Int32Array(shared.beliefs.length);
    this.waiters = new CallQueue(calls);
  }

  /** Target of the next call, or −1: nobody to send to. Random choices come from the call's own key (rules 28 and 29). */
  choose(key0: number, key1: number): number {
    const { candidates, candidateCount: count, plan } = this.shared;
    if (count === 0) return -1;
    if (count === 1) return (this.lastTarget = candidates[0]);
    switch (plan.policy) {
      case 'random':
        return candidates[pick(count, key0, key1, plan.site, 0)];
      case 'two-choices':
        return this.lesserOfTwo(key0, key1);
      case 'least-outstanding':
        return this.leastOutstanding(key0, key1);
      default:
        return this.nextInTurn();
    }
  }

  /** The caller's process is gone: its connections closed, its calls nobody's (rule 16). */
  reset(nowNs: number): void {
    this.outstanding.fill(0);
    this.poolInUse.set(0, nowNs);
    this.poolWaiting.set(0, nowNs);
    this.waiters.clear();
  }

  private leastOutstanding(key0: number, key1: number): number {
    const { candidates, candidateCount: count, plan } = this.shared;
    let least = Infinity;
    let ties = 0;
    for (let i = 0; i < count; i++) {
      const outstanding = this.outstanding[candidates[i]];
      if (outstanding < least) {
        least = outstanding;
        ties = 1;
      } else if (outstanding === least) ties++;
    }
    let skip = ties === 1 ? 0 : pick(ties, key0, key1, plan.site, 0);
    for (let i = 0; ; i++) if (this.outstanding[candidates[i]] === least && skip-- === 0) return candidates[i];
  }

  private lesserOfTwo(key0: number, key1: number): number {
    const { candidates, candidateCount: count, plan } = this.shared;
    const first = pick(count, key0, key1, plan.site, 0);
    const shift = pick(count - 1, key0, key1, plan.site, 1);
    const a = candidates[first];
    const b = candidates[(first + 1 + shift) % count];
    if (this.outstanding[a] === this.outstanding[b]) return pick(2, key0, key1, plan.site, 2) === 0 ? a : b;
    return this.outstanding[a] < this.outstanding[b] ? a : b;
  }

  /** Round robin by instance number; the next above the last one, so newcomers wait their turn (rule 30). */
  private nextInTurn(): number {
    const { candidates, candidateCount: count } = this.shared;
    let i = 0;
    while (i < count && candidates[i] <= this.lastTarget) i++;
    this.lastTarget = candidates[i === count ? 0 : i];
    return this.lastTarget;
  }
}
