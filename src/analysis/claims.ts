import type { Claim, System } from '../scenario/model.js';
import type { ClaimResult, LoggedEvent, SimulatedRun } from '../study/types.js';
import { holds } from './condition.js';
import { measure } from './measure.js';
import { isExpected, phasesOf } from './verdicts.js';

/** What the file promises of its own run, judged in the variants that it is about; the first where a claim names none. Those of variants that did not run are left out. */
export const claimsOf = (runs: readonly SimulatedRun[], systems: readonly System[]): ClaimResult[] =>
  systems[0].claims.flatMap((claim) => {
    const index = claim.variant === undefined ? 0 : systems.findIndex(({ variant }) => variant === claim.variant);
    return index < 0 ? [] : judge(claim, runs[index], systems[index]);
  });

const judge = (claim: Claim, run: SimulatedRun, system: System): ClaimResult[] => {
  const common = { claim: claim.name, variant: run.variant, says: claim.says ?? null, from: claim.from ?? null };
  if (claim.order) return [{ ...common, ...inOrder(claim, claim.order, run.eventLog) }];
  return phasesOf(claim, run).map((phase) => {
    const actual = measure(run, system, claim, phase);
    return {
      ...common,
      phase,
      target: `${claim.metric} ${claim.condition!.text}`,
      unit: claim.condition!.unit,
      actual,
      held: holds(claim.condition!, actual) === true,
      expected: isExpected(claim, phase),
    };
  });
};

const inOrder = (claim: Claim, order: NonNullable<Claim['order']>, events: readonly LoggedEvent[]): Omit<ClaimResult, 'claim' | 'variant' | 'says' | 'from'> => {
  const found = order.map(({ kind, subject }) => ({ event: `${kind} ${subject}`, tMs: firstTime(events, kind, subject) }));
  return {
    phase: null,
    target: order.map(({ kind, subject }) => `${kind} ${subject}`).join(', '),
    unit: null,
    actual: null,
    order: found,
    held: found.every(({ tMs }, i) => tMs !== null && (i === 0 || tMs >= (found[i - 1].tMs ?? Infinity))),
    expected: isExpected(claim, null),
  };
};

/** First time of an event of a service, or of one of its instances. */
export const firstTime = (events: readonly LoggedEvent[], kind: LoggedEvent['kind'], subject: string): number | null =>
  events.find((event) => event.kind === kind && (event.subject === subject || event.subject.startsWith(`${subject}.`)))?.tMs ?? null;
