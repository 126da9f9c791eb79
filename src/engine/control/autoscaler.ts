import type { Autoscale } from '../../scenario/model.js';
import type { EventQueue } from '../kernel/event-queue.js';
import { toNs } from '../plan/plan.js';
import type { EventLog } from '../record/event-log.js';
import { life, type Instance } from '../parts/instance.js';
import type { Fleet } from './fleet.js';
import { desiredReplicas, scaleUpLimit, type Observed } from './hpa.js';

/**
 * The autoscaler of one service (rules 38 to 41): at every k × `every` it compares the mean CPU of the serving instances over `window`, divided by
 * `cpuRequest`, with the target, and orders or drains instances. Rule `hpa`; defaults of stabilisation as in Kubernetes (300 s down, none up).
 */
export class Autoscaler {
  /** How many instances it wants now. */
  desired: number;
  private readonly setting: Autoscale;
  private readonly everyNs: number;
  private readonly windowNs: number;
  private readonly decideKind: number;
  private readonly sampleKind: number;
  /** CPU used by each instance at the start of the windows whose decisions are still to come. */
  private readonly samples: { readonly atNs: number; readonly busyNs: readonly number[] }[] = [];
  private readonly recommendations: { readonly atNs: number; readonly count: number }[] = [];
  private readonly additions: { readonly atNs: number; readonly count: number }[] = [];
  private lastOutNs = -Infinity;
  private round = 1;
  private sampled = 0;

  constructor(
    private readonly queue: EventQueue,
    private readonly fleet: Fleet,
    private readonly log: EventLog,
    private readonly serviceName: string,
    /** All that there can be, by number. */
    private readonly instances: readonly Instance[],
    setting: Autoscale,
  ) {
    this.setting = setting;
    this.desired = instances.filter((instance) => instance.ordinal < instance.service.model.instances.value).length;
    this.everyNs = toNs(setting.every.value);
    this.windowNs = toNs(setting.window.value);
    // What is there when it begins counts as its first recommendation (horizontal.go, recordInitialRecommendation): a quiet start is not scaled in at once.
    this.recommendations.push({ atNs: 0, count: this.desired });
    this.decideKind = queue.register(() => this.decide());
    this.sampleKind = queue.register(() => this.sample());
    queue.at(this.everyNs, this.decideKind, 0);
    this.scheduleSample();
  }

  /** Windows open in the order of their decisions; those that would open before the run open with it. */
  private scheduleSample(): void {
    const atNs = this.sampled * this.everyNs + this.everyNs - this.windowNs;
    if (atNs <= this.queue.now) this.sample();
    else this.queue.at(atNs, this.sampleKind, 0);
  }

  private sample(): void {
    const atNs = this.queue.now;
    this.sampled++;
    this.samples.push({ atNs, busyNs: this.instances.map((instance) => instance.container.busyNsAt(atNs)) });
    this.scheduleSample();
  }

  private decide(): void {
    const { now } = this.queue;
    const { min, max, target, boot, drain } = this.setting;
    const windowStart = this.samples.shift()!;
    const fleet = this.instances.filter((instance) => instance.life !== life.off && instance.life !== life.draining);
    const targetPercent = target.value * 100;
    const { desired, utilisationPercent } = desiredReplicas(fleet.length, fleet.map((instance) => this.observe(instance, windowStart)), targetPercent);
    const wanted = this.stabilised(desired, fleet.length);
    // The places of those that still drain are not free yet: nobody is ordered for them.
    const off = this.instances.filter((instance) => instance.life === life.off);
    const bounded = Math.min(max.value, Math.max(min.value, wanted), fleet.length + off.length);
    const data = { from: fleet.length, to: bounded, metric: utilisationPercent === null ? -1 : utilisationPercent / 100, target: target.value };
    if (bounded > fleet.length) {
      this.desired = bounded;
      this.lastOutNs = now;
      this.additions.push({ atNs: now, count: bounded - fleet.length });
      this.log.add('scale-out', this.serviceName, this.setting.metric, 'estimated', { ...data, bootMs: boot.value });
      for (const instance of off.slice(0, bounded - fleet.length)) this.fleet.launch(instance, toNs(boot.value));
    } else if (bounded < fleet.length) {
      this.desired = bounded;
      this.log.add('scale-in', this.serviceName, this.setting.metric, 'estimated', { ...data, drainMs: drain.value });
      for (const instance of newestFirst(fleet).slice(0, fleet.length - bounded)) this.fleet.drain(instance, toNs(drain.value));
    }
    this.round++;
    this.queue.at(this.round * this.everyNs, this.decideKind, 0);
  }

  /** Mean CPU over the window, or since it came up when that is later; nothing of a dead process (rule 18). */
  private observe(instance: Instance, windowStart: { readonly atNs: number; readonly busyNs: readonly number[] }): Observed {
    const { now } = this.queue;
    const request = instance.service.model.cpuRequest.value;
    if (instance.life === life.booting) return { usage: null, request, ready: false };
    const fromNs = Math.max(windowStart.atNs, instance.upSinceNs);
    if (instance.life === life.down || fromNs >= now) return { usage: null, request, ready: true };
    const usedNs = instance.container.busyNsAt(now) - Math.max(windowStart.busyNs[instance.ordinal], instance.busyNsAtUp);
    return { usage: usedNs / (now - fromNs), request, ready: true };
  }

  /** Out: not within the cool-down, not faster than the default policies. In: the highest recommendation of the last `inWindow`, without its far end (horizontal.go). */
  private stabilised(recommended: number, current: number): number {
    const { now } = this.queue;
    const { inWindow, outCooldown } = this.setting;
    while (this.recommendations.length > 0 && this.recommendations[0].atNs <= now - toNs(inWindow.value)) this.recommendations.shift();
    this.recommendations.push({ atNs: now, count: recommended });
    if (recommended > current) {
      if (now - this.lastOutNs < toNs(outCooldown.value)) return current;
      const recent = this.additions.filter(({ atNs }) => now - atNs < 15e9).reduce((sum, { count }) => sum + count, 0);
      return Math.min(recommended, Math.max(current, scaleUpLimit(current - recent)));
    }
    return Math.min(current, Math.max(...this.recommendations.map(({ count }) => count)));
  }
}

/** Scale-in takes the newest (rule 40): what came up last, and of those the highest number. */
const newestFirst = (fleet: readonly Instance[]): Instance[] =>
  fleet.toSorted((a, b) => bornAt(b) - bornAt(a) || b.ordinal - a.ordinal);
const bornAt = (instance: Instance): number => instance.billedSinceNs;
