import type { LatencySummary, LevelColumns, LinkTotals, Ticks } from '../../study/types.js';
import type { CallerLink, SharedLink } from '../parts/link.js';
import { ColumnWriter, LevelWriter, OutcomeWriter } from './columns.js';
import { rounded } from './histogram.js';
import { levelTotals } from './instance-record.js';
import type { PoolSums } from './saturation.js';

type LinkColumns = Ticks['links'][string];

/** Tick columns and totals of one link: by target, and by caller instance. */
export class LinkRecord {
  private readonly targets;
  private readonly callers;
  private readonly failingOpen: ColumnWriter;

  constructor(readonly shared: SharedLink, private readonly callerLinks: readonly CallerLink[], ticks: number) {
    const column = (): ColumnWriter => new ColumnWriter(ticks);
    this.targets = Array.from(shared.beliefs, () => ({ sent: column(), ended: new OutcomeWriter(ticks), belief: column(), towards: column() }));
    this.callers = callerLinks.map(() => ({ sent: column(), ended: new OutcomeWriter(ticks), inUse: new LevelWriter(ticks), waiting: new LevelWriter(ticks) }));
    this.failingOpen = column();
  }

  /** What each caller instance's pool had in the tick that ends now; to be read before `endTick`. */
  poolSums(caller: number, nowNs: number): PoolSums | null {
    const { poolMax } = this.shared.plan;
    if (poolMax === Infinity) return null;
    const { poolInUse, poolWaiting } = this.callerLinks[caller];
    return { inUse: poolInUse.tickMean(nowNs), max: poolMax, waitedMax: poolWaiting.tickMax };
  }

  endTick(tick: number, nowNs: number): void {
    const { shared } = this;
    this.failingOpen.set(tick, shared.failingOpen ? 1 : 0);
    this.targets.forEach((target, i) => {
      target.sent.set(tick, shared.targets.readSent(i));
      for (let outcome = 0; outcome < 4; outcome++) target.ended.write(tick, outcome, shared.targets.read(i, outcome));
      target.belief.set(tick, shared.beliefs[i]);
      target.towards.set(tick, shared.towards[i]);
    });
    this.callers.forEach((caller, i) => {
      caller.sent.set(tick, shared.callers.readSent(i));
      for (let outcome = 0; outcome < 4; outcome++) caller.ended.write(tick, outcome, shared.callers.read(i, outcome));
      caller.inUse.take(tick, this.callerLinks[i].poolInUse, nowNs);
      caller.waiting.take(tick, this.callerLinks[i].poolWaiting, nowNs);
    });
    shared.targets.counts.fill(0);
    shared.callers.counts.fill(0);
  }

  tickColumns(): LinkColumns {
    const pool = (writer: LevelWriter): LevelColumns | null => (this.shared.plan.poolMax === Infinity ? null : writer.columns());
    return {
      targets: this.targets.map(({ sent, ended, belief, towards }) => ({ sent: sent.column(), ...ended.columns(), belief: belief.column(), probesTowards: towards.column() })),
      callers: this.callers.map(({ sent, ended, inUse, waiting }) => ({ sent: sent.column(), ...ended.columns(), poolInUse: pool(inUse), poolWaiting: pool(waiting) })),
      failingOpen: this.failingOpen.column(),
    };
  }

  totals(durationNs: number, reasonTexts: readonly string[]): LinkTotals {
    const { totals, reasons, latency, plan } = this.shared;
    const [good, declined, refused, failed] = totals.ended;
    const byReason = (outcome: number): Record<string, number> =>
      Object.fromEntries(reasonTexts.map((text, reason) => [text, reasons[reason * 4 + outcome]] as const).filter(([, count]) => count > 0));
    return {
      sent: totals.sent,
      good,
      declined,
      refused: byReason(2),
      failed: byReason(3),
      inFlight: totals.sent - good - declined - refused - failed,
      probes: totals.probes,
      ejections: totals.ejections,
      latencyMs: latency.summary(),
      pool: plan.poolMax === Infinity ? null : this.poolTotals(durationNs),
    };
  }

  private poolTotals(durationNs: number): { inUse: { mean: number; max: number }; waiting: { mean: number; max: number }; waitMs: LatencySummary | null } {
    const sum = (pick: (link: CallerLink) => { mean: number; max: number }): { mean: number; max: number } => ({
      mean: rounded(this.callerLinks.reduce((total, link) => total + pick(link).mean, 0)),
      max: Math.max(...this.callerLinks.map((link) => pick(link).max)),
    });
    return {
      inUse: sum((link) => levelTotals(link.poolInUse, durationNs)),
      waiting: sum((link) => levelTotals(link.poolWaiting, durationNs)),
      waitMs: this.shared.poolWait.summary(),
    };
  }
}
