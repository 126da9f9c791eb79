import type { Phase } from '../../scenario/model.js';
import type { Ticks, TrafficTotals } from '../../study/types.js';
import { trailingMs } from '../../study/judging.js';
import type { Outcome } from '../kernel/outcome.js';
import type { EventQueue } from '../kernel/event-queue.js';
import { toNs, type SourcePlan } from '../plan/plan.js';
import { ColumnWriter, OutcomeWriter } from './columns.js';
import type { PhaseCuts } from './phase-cuts.js';
import { bucketOf, Histogram, rounded } from './histogram.js';

/** Stretch of time with the same set of phases: what is counted in it belongs to all of them. */
interface Segment {
  offered: number;
  dropped: number;
  /** Pushes to its sockets: made, missed. */
  readonly deliveries: [number, number];
  readonly ended: Float64Array;
  readonly reasons: Float64Array;
  readonly good: Histogram;
  readonly bad: Histogram;
}

/**
 * What is counted of one traffic. A request belongs to the phases in which it arrived, with its final outcome; tick columns count when it happens (rule 48).
 * The run is cut at every phase's ends into segments, so that overlapping phases are sums of them.
 */
export class TrafficRecord {
  private readonly segments: Segment[];
  private readonly tickEnded = new Float64Array(4);
  private tickOffered = 0;
  private tickDropped = 0;
  private readonly tickDeliveries: [number, number] = [0, 0];
  private readonly tickLatency = new Histogram();
  private readonly recent: Histogram[];
  private readonly trailing = new Histogram();
  private readonly columns;
  inFlight = 0;

  constructor(
    private readonly queue: EventQueue,
    private readonly cuts: PhaseCuts,
    private readonly plan: Pick<SourcePlan, 'model'>,
    ticks: number,
    tickNs: number,
    private readonly reasonTexts: readonly string[],
  ) {
    this.segments = cuts.startsNs.map(() => ({ offered: 0, dropped: 0, deliveries: [0, 0], ended: new Float64Array(4), reasons: new Float64Array(reasonTexts.length * 4), good: new Histogram(), bad: new Histogram() }));
    this.recent = Array.from({ length: Math.max(1, Math.min(ticks, Math.ceil(toNs(trailingMs) / tickNs))) }, () => new Histogram());
    const column = (): ColumnWriter => new ColumnWriter(ticks);
    this.columns = {
      offered: column(), inFlight: column(), dropped: column(), present: column(), made: column(), missed: column(), ended: new OutcomeWriter(ticks),
      p50: column(), p95: column(), p99: column(),
      trailing: { p50: column(), p95: column(), p99: column() },
    };
  }

  offered(segment: number): void {
    this.segments[segment].offered++;
    this.tickOffered++;
    this.inFlight++;
  }

  /** The generator could not make an arrival: it was never offered. */
  dropped(segment: number): void {
    this.segments[segment].dropped++;
    this.tickDropped++;
  }

  /** A push to one of its sockets arrived, or missed it. It counts when it happens. */
  delivered(made: boolean): void {
    const which = made ? 0 : 1;
    this.segments[this.cuts.at(this.queue.now)].deliveries[which]++;
    this.tickDeliveries[which]++;
  }

  ended(segment: number, outcome: Outcome, reason: number, latencyNs: number): void {
    const { ended, reasons, good, bad } = this.segments[segment];
    this.inFlight--;
    ended[outcome]++;
    this.tickEnded[outcome]++;
    if (reason >= 0) reasons[reason * 4 + outcome]++;
    if (outcome === 0) {
      const bucket = bucketOf(latencyNs);
      good.addTo(bucket, latencyNs);
      this.tickLatency.addTo(bucket, latencyNs);
    } else if (outcome >= 2) bad.add(latencyNs);
  }

  /** `present`: users or open sockets now; null for other traffic. */
  endTick(tick: number, present: number | null): void {
    const { columns } = this;
    columns.offered.set(tick, this.tickOffered);
    columns.dropped.set(tick, this.tickDropped);
    columns.present.set(tick, present);
    columns.made.set(tick, this.tickDeliveries[0]);
    columns.missed.set(tick, this.tickDeliveries[1]);
    columns.inFlight.set(tick, this.inFlight);
    for (let outcome = 0; outcome < 4; outcome++) columns.ended.write(tick, outcome, this.tickEnded[outcome]);
    writePercentiles(columns, tick, this.tickLatency);
    const oldest = this.recent[tick % this.recent.length];
    this.trailing.subtract(oldest);
    oldest.clear();
    oldest.merge(this.tickLatency);
    this.trailing.merge(this.tickLatency);
    writePercentiles(columns.trailing, tick, this.trailing);
    this.tickLatency.clear();
    this.tickEnded.fill(0);
    this.tickDeliveries.fill(0);
    this.tickOffered = 0;
    this.tickDropped = 0;
  }

  private get hasSockets(): boolean {
    return this.plan.model.source.kind === 'sockets';
  }

  /** Over the whole run. */
  totals(durationNs: number): TrafficTotals {
    return this.sum(this.segments.map((_, i) => i), durationNs);
  }

  phaseTotals(phase: Phase): TrafficTotals {
    return this.sum(this.cuts.segmentsOf(phase), toNs(phase.toMs - phase.fromMs));
  }

  tickColumns(): Ticks['traffic'][string] {
    const { offered, inFlight, dropped, present, made, missed, ended, p50, p95, p99, trailing } = this.columns;
    return {
      offered: offered.column(),
      ...ended.columns(),
      inFlight: inFlight.column(),
      dropped: dropped.column(),
      present: this.hasSockets || this.plan.model.source.kind === 'closed' ? present.column() : null,
      deliveries: this.hasSockets ? { made: made.column(), missed: missed.column() } : null,
      p50: p50.column(),
      p95: p95.column(),
      p99: p99.column(),
      trailing: { p50: trailing.p50.column(), p95: trailing.p95.column(), p99: trailing.p99.column() },
    };
  }

  private sum(segments: readonly number[], durationNs: number): TrafficTotals {
    const chosen = segments.map((i) => this.segments[i]);
    const total = (value: (segment: Segment) => number): number => chosen.reduce((sum, segment) => sum + value(segment), 0);
    const [good, bad, valid] = [new Histogram(), new Histogram(), new Histogram()];
    for (const segment of chosen) {
      good.merge(segment.good);
      bad.merge(segment.bad);
    }
    valid.merge(good);
    valid.merge(bad);
    const offered = total((segment) => segment.offered);
    const ended = [0, 1, 2, 3].map((outcome) => total((segment) => segment.ended[outcome])) as [number, number, number, number];
    const byReason = (outcome: number): Record<string, number> =>
      Object.fromEntries(this.reasonTexts.map((text, reason) => [text, total((segment) => segment.reasons[reason * 4 + outcome])] as const).filter(([, count]) => count > 0));
    return {
      offered,
      good: ended[0],
      declined: byReason(1),
      refused: byReason(2),
      failed: byReason(3),
      inFlight: offered - ended[0] - ended[1] - ended[2] - ended[3],
      dropped: total((segment) => segment.dropped),
      deliveries: this.hasSockets ? { made: total(({ deliveries }) => deliveries[0]), missed: total(({ deliveries }) => deliveries[1]) } : null,
      goodPerS: rounded(ended[0] / (durationNs / 1e9)),
      latencyMs: good.summary(),
      validLatencyMs: valid.summary(),
      badLatencyMs: bad.summary(),
      latencyBuckets: { good: good.coarse(), bad: bad.coarse() },
    };
  }
}

const writePercentiles = (columns: { p50: ColumnWriter; p95: ColumnWriter; p99: ColumnWriter }, tick: number, latency: Histogram): void => {
  const ms = (share: number): number | null => {
    const ns = latency.percentileNs(share);
    return ns === null ? null : ns / 1e6;
  };
  columns.p50.set(tick, ms(0.5));
  columns.p95.set(tick, ms(0.95));
  columns.p99.set(tick, ms(0.99));
};
