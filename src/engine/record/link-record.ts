import type { Phase } from '../../scenario/model.js';
import { breakerStates, type Level as LevelTotals, type LevelColumns, type LinkTotals, type PhaseTotals, type Ticks } from '../../study/types.js';
import type { CallerLink, SharedLink } from '../parts/link.js';
import { ColumnWriter, LevelWriter, OutcomeWriter } from './columns.js';
import { rounded } from './histogram.js';
import { levelTotals } from './instance-record.js';
import { contendedUse, type Use } from './saturation.js';

type LinkColumns = Ticks['links'][string];

/** States of a breaker, the worst last: one that is half open lets some calls through. */
const worse = (['closed', 'half-open', 'open'] as const).map((state) => breakerStates.indexOf(state));

/** Tick columns and totals of one link: by target, and by caller instance. */
export class LinkRecord {
  private readonly targets;
  private readonly callers;
  private readonly columns;
  private retries = 0;
  private opened = 0;

  constructor(readonly shared: SharedLink, private readonly callerLinks: readonly CallerLink[], ticks: number) {
    const column = (): ColumnWriter => new ColumnWriter(ticks);
    this.targets = Array.from(shared.beliefs, () => ({ sent: column(), ended: new OutcomeWriter(ticks), belief: column(), towards: column() }));
    this.callers = callerLinks.map(({ pool }) => ({ sent: column(), ended: new OutcomeWriter(ticks), inUse: pool && new LevelWriter(ticks), waiting: pool && new LevelWriter(ticks) }));
    this.columns = { failingOpen: column(), retries: column(), opened: column(), breaker: column() };
  }

  /** How full the pool of a caller instance was in the tick that ends now, null without one that can be full; to be read before `endTick`. */
  poolUse(caller: number, nowNs: number): Use | null {
    const { pool } = this.callerLinks[caller];
    const max = this.shared.plan.pool?.max ?? Infinity;
    return pool && max < Infinity ? contendedUse('pool', pool.inUse.tickMean(nowNs), max, pool.waiting.tickMax) : null;
  }

  endTick(tick: number, nowNs: number): void {
    const { shared, columns } = this;
    const { totals } = shared;
    columns.failingOpen.set(tick, shared.failingOpen ? 1 : 0);
    columns.retries.set(tick, totals.retries - this.retries);
    columns.opened.set(tick, totals.opened - this.opened);
    this.retries = totals.retries;
    this.opened = totals.opened;
    columns.breaker.set(tick, worse[Math.max(...this.callerLinks.map(({ breaker }) => worse.indexOf(breaker?.state ?? 0)))]);
    this.targets.forEach((target, i) => {
      target.sent.set(tick, shared.targets.tickSent(i));
      for (let outcome = 0; outcome < 4; outcome++) target.ended.write(tick, outcome, shared.targets.tickEnded(i, outcome));
      target.belief.set(tick, shared.shownBelief(i));
      target.towards.set(tick, shared.towards[i]);
    });
    this.callers.forEach((caller, i) => {
      caller.sent.set(tick, shared.callers.tickSent(i));
      for (let outcome = 0; outcome < 4; outcome++) caller.ended.write(tick, outcome, shared.callers.tickEnded(i, outcome));
      const { pool } = this.callerLinks[i];
      if (!pool) return;
      caller.inUse!.take(tick, pool.inUse, nowNs);
      caller.waiting!.take(tick, pool.waiting, nowNs);
    });
    shared.targets.nextTick();
    shared.callers.nextTick();
  }

  tickColumns(): LinkColumns {
    const { failingOpen, retries, opened, breaker } = this.columns;
    const pool = (writer: LevelWriter | null): LevelColumns | null => writer && writer.columns();
    return {
      targets: this.targets.map(({ sent, ended, belief, towards }) => ({ sent: sent.column(), ...ended.columns(), belief: belief.column(), probesTowards: towards.column() })),
      callers: this.callers.map(({ sent, ended, inUse, waiting }) => ({ sent: sent.column(), ...ended.columns(), poolInUse: pool(inUse), poolWaiting: pool(waiting) })),
      failingOpen: failingOpen.column(),
      retries: retries.column(),
      opened: opened.column(),
      breaker: breaker.column(),
    };
  }

  totals(durationNs: number, reasonTexts: readonly string[]): LinkTotals {
    const { sent, totals, reasons, latency } = this.shared;
    const [good, declined, refused, failed] = [0, 1, 2, 3].map((outcome) => this.shared.ended(outcome)) as [number, number, number, number];
    const byReason = (outcome: number): Record<string, number> =>
      Object.fromEntries(reasonTexts.map((text, reason) => [text, reasons[reason * 4 + outcome]] as const).filter(([, count]) => count > 0));
    return {
      sent,
      good,
      declined,
      refused: byReason(2),
      failed: byReason(3),
      inFlight: sent - good - declined - refused - failed,
      probes: totals.probes,
      ejections: totals.ejections,
      retries: totals.retries,
      latencyMs: latency.of(null).summary(),
      pool: this.poolTotals(durationNs),
    };
  }

  phaseTotals(phase: Phase): PhaseTotals['links'][string] {
    const { latency, poolWait, plan } = this.shared;
    return { latencyMs: latency.of(phase).summary(), poolWaitMs: plan.pool ? poolWait.of(phase).summary() : null };
  }

  private poolTotals(durationNs: number): LinkTotals['pool'] {
    const pools = this.callerLinks.flatMap(({ pool }) => pool ?? []);
    if (!this.shared.plan.pool) return null;
    const sum = (levels: readonly LevelTotals[]): LevelTotals => ({
      mean: rounded(levels.reduce((total, { mean }) => total + mean, 0)),
      max: Math.max(0, ...levels.map(({ max }) => max)),
    });
    return {
      opened: this.shared.totals.opened,
      inUse: sum(pools.map(({ inUse }) => levelTotals(inUse, durationNs))),
      waiting: sum(pools.map(({ waiting }) => levelTotals(waiting, durationNs))),
      waitMs: this.shared.poolWait.of(null).summary(),
    };
  }
}
