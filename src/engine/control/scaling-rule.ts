import type { Autoscale } from '../../scenario/model.js';
import { toNs } from '../plan/plan.js';
import { inPoints, targetTracking } from './ec2.js';
import { desiredReplicas, hundredthsOfRequest, scaleUpLimit, thousandths, type Observed } from './hpa.js';

/** One of the fleet as an autoscaler sees it. */
export interface Seen extends Observed {
  /** It came up less than its warm-up ago. */
  readonly isWarming: boolean;
  /** Its machine is there, but no process runs on it. */
  readonly isIdleMachine: boolean;
}

export interface Wish {
  readonly count: number;
  /** What the decision goes by, in the unit of `target`; null: nothing was measured. */
  readonly metric: number | null;
}

/** How an autoscaler decides. `fleet`: all that are there or ordered and do not leave. */
export interface ScalingRule {
  decide(fleet: readonly Seen[], nowNs: number): Wish;
  /** So many were ordered. */
  added(count: number, nowNs: number): void;
}

export const scalingRule = (setting: Autoscale, atStart: number): ScalingRule => (setting.rule === 'ec2' ? new Ec2Rule(setting) : new HpaRule(setting, atStart));

/** `hpa.ts` with what comes after the recommendation (kubernetes horizontal.go): stabilisation of scale-in, cool-down and the default policies of scale-out. */
class HpaRule implements ScalingRule {
  private readonly recommendations: { readonly atNs: number; readonly count: number }[] = [];
  private readonly additions: { readonly atNs: number; readonly count: number }[] = [];
  private lastOutNs = -Infinity;

  constructor(private readonly setting: Autoscale, atStart: number) {
    // What is there when it begins counts as its first recommendation (recordInitialRecommendation): a quiet start is not scaled in at once.
    this.recommendations.push({ atNs: 0, count: atStart });
  }

  decide(fleet: readonly Seen[], nowNs: number): Wish {
    const { metric, target } = this.setting;
    // A queue's length is a metric per pod: its mean in whole thousandths. CPU and slots are shares of what one has: in whole percent (metrics/utilization.go).
    const isLength = metric === 'queue';
    const { desired, utilisationPercent } = desiredReplicas(fleet.length, fleet, isLength ? 100 : target.value * 100, isLength ? thousandths : hundredthsOfRequest);
    const level = utilisationPercent === null ? null : (utilisationPercent / 100) * (isLength ? target.value : 1);
    return { count: this.stabilised(desired, fleet.length, nowNs), metric: level };
  }

  added(count: number, nowNs: number): void {
    this.lastOutNs = nowNs;
    this.additions.push({ atNs: nowNs, count });
  }

  /** Out: not within the cool-down, not faster than the default policies. In: the highest recommendation of the last `inWindow`, without its far end. */
  private stabilised(recommended: number, current: number, nowNs: number): number {
    const { inWindow, outCooldown } = this.setting;
    while (this.recommendations.length > 0 && this.recommendations[0].atNs <= nowNs - toNs(inWindow.value)) this.recommendations.shift();
    this.recommendations.push({ atNs: nowNs, count: recommended });
    if (recommended > current) {
      if (nowNs - this.lastOutNs < toNs(outCooldown.value)) return current;
      const recent = this.additions.filter(({ atNs }) => nowNs - atNs < 15e9).reduce((sum, { count }) => sum + count, 0);
      return Math.min(recommended, Math.max(current, scaleUpLimit(current - recent)));
    }
    return Math.min(current, Math.max(...this.recommendations.map(({ count }) => count)));
  }
}

/**
 * `ec2.ts` with a data point at each `every`. Scale-in needs fifteen of them below, and as many more as `inWindow` is longer; one scale-in begins that count
 * anew. The machine of a dead process is idle, one that is gone has no data.
 */
class Ec2Rule implements ScalingRule {
  private points: (number | null)[] = [];
  private lastOutNs = -Infinity;
  private readonly quietPoints: number;

  constructor(private readonly setting: Autoscale) {
    this.quietPoints = Math.max(inPoints, Math.ceil(setting.inWindow.value / setting.every.value));
  }

  decide(fleet: readonly Seen[], nowNs: number): Wish {
    const { metric, target, outCooldown } = this.setting;
    const warming = fleet.filter(({ ready, isWarming }) => !ready || isWarming).length;
    const measured = fleet.filter(({ usage, isWarming, isIdleMachine }) => isIdleMachine || (usage !== null && !isWarming));
    const sum = (of: (one: Seen) => number): number => measured.reduce((total, one) => total + of(one), 0);
    const used = sum(({ usage }) => usage ?? 0);
    const point = measured.length === 0 ? null : metric === 'queue' ? used / measured.length : used / sum(({ request }) => request);
    this.points = [...this.points, point].slice(-this.quietPoints);
    const count = targetTracking(this.points, { capacity: fleet.length, measured: measured.length, warming }, target.value, this.quietPoints);
    if (count > fleet.length && nowNs - this.lastOutNs < toNs(outCooldown.value)) return { count: fleet.length, metric: point };
    if (count < fleet.length) this.points = [];
    return { count, metric: point };
  }

  added(_: number, nowNs: number): void {
    this.lastOutNs = nowNs;
  }
}
