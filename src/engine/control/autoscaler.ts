import type { Autoscale } from '../../scenario/model.js';
import type { EventQueue } from '../kernel/event-queue.js';
import { toNs, type ServicePlan } from '../plan/plan.js';
import type { EventLog } from '../record/event-log.js';
import type { Instance } from '../parts/instance.js';
import type { Fleet } from './fleet.js';
import { Gauge, type Reading } from './gauge.js';
import { scalingRule, type ScalingRule } from './scaling-rule.js';

/** The autoscaler of a service, at work from now on; null where it has none. */
export const makeAutoscaler = (queue: EventQueue, fleet: Fleet, log: EventLog, service: ServicePlan): Autoscaler | null =>
  service.autoscale ? new Autoscaler(queue, fleet, log, service, service.autoscale) : null;

/**
 * The autoscaler of one service (rules 38 to 41): at every k × `every` it compares the mean of its metric over `window` with the target, and orders or drains
 * instances. How it decides is its rule. While a deployment replaces the service it decides nothing.
 */
export class Autoscaler {
  /** How many instances it wants now. */
  desired: number;
  private readonly instances: readonly Instance[];
  private readonly rule: ScalingRule;
  private readonly gauge: Gauge;
  private readonly everyNs: number;
  private readonly windowNs: number;
  private readonly decideKind: number;
  private readonly sampleKind: number;
  /** What was read at the start of the windows whose decisions are still to come. */
  private readonly windowStarts: { readonly atNs: number; readonly reading: Reading }[] = [];
  private round = 1;
  private sampled = 0;

  constructor(
    private readonly queue: EventQueue,
    private readonly fleet: Fleet,
    private readonly log: EventLog,
    private readonly service: ServicePlan,
    private readonly setting: Autoscale,
  ) {
    this.instances = fleet.instances.filter((instance) => instance.service.index === service.index);
    this.desired = service.model.instances.value;
    this.rule = scalingRule(setting, this.desired);
    this.gauge = new Gauge(queue, fleet, this.instances, setting);
    this.everyNs = toNs(setting.every.value);
    this.windowNs = toNs(setting.window.value);
    this.decideKind = queue.register(() => this.decide());
    this.sampleKind = queue.register(() => this.sample());
    queue.at(this.everyNs, this.decideKind, 0);
    this.scheduleSample();
  }

  /** Windows open in the order of their decisions; those that would open before the run open with it. */
  private scheduleSample(): void {
    const openingNs = (): number => this.sampled * this.everyNs + this.everyNs - this.windowNs;
    while (openingNs() <= this.queue.now) this.open();
    this.queue.at(openingNs(), this.sampleKind, 0);
  }

  private sample(): void {
    this.open();
    this.scheduleSample();
  }

  private open(): void {
    this.sampled++;
    this.windowStarts.push({ atNs: this.queue.now, reading: this.gauge.reading() });
  }

  private decide(): void {
    const { atNs, reading } = this.windowStarts.shift()!;
    if (!this.fleet.deploying.has(this.service.index)) this.scale(this.fleet.present(this.service.index), atNs, reading);
    this.round++;
    this.queue.at(this.round * this.everyNs, this.decideKind, 0);
  }

  private scale(present: readonly Instance[], windowStartNs: number, windowStart: Reading): void {
    const { min, max, metric, target, boot, drain } = this.setting;
    const wish = this.rule.decide(this.gauge.look(present, windowStartNs, windowStart), this.queue.now);
    // The places of those that still drain are not free yet: nobody is ordered for them.
    const free = this.fleet.free(this.service.index);
    const bounded = Math.min(max.value, Math.max(min.value, wish.count), present.length + free.length);
    const data = { from: present.length, to: bounded, metric: wish.metric ?? -1, target: target.value };
    if (bounded > present.length) {
      this.desired = bounded;
      this.rule.added(bounded - present.length, this.queue.now);
      this.log.add('scale-out', this.service.name, metric, 'estimated', { ...data, bootMs: boot.value });
      for (const instance of free.slice(0, bounded - present.length)) this.fleet.launch(instance, { bootNs: toNs(boot.value), cause: 'scale-out' });
    } else if (bounded < present.length) {
      this.desired = bounded;
      this.log.add('scale-in', this.service.name, metric, 'estimated', { ...data, drainMs: drain.value });
      for (const instance of newestFirst(present).slice(0, present.length - bounded)) this.fleet.drain(instance, toNs(drain.value));
    }
  }
}

/** Scale-in takes the newest (rule 40): what came up last, and of those the highest number. */
const newestFirst = (fleet: readonly Instance[]): Instance[] => fleet.toSorted((a, b) => b.billedSinceNs - a.billedSinceNs || b.ordinal - a.ordinal);
