import type { Claim } from '../scenario/model.js';
import type { ClaimResult, LoggedEvent } from '../study/types.js';
import { canCompare, figureOf, type Judgeable } from './compare.js';
import { holds } from './condition.js';
import { isExpected, phasesOf } from './verdicts.js';

/** What the file promises of its own run, judged in the variants that it is about; the first where a claim names none. Those about variants that did not run are left out. */
export const claimsOf = (all: readonly Judgeable[]): ClaimResult[] =>
  all[0].system.claims.flatMap((claim) => {
    const own = claim.variant === undefined ? all[0] : all.find(({ run }) => run.variant === claim.variant);
    return own && canCompare(claim, all) ? judge(claim, own, all) : [];
  });

const judge = (claim: Claim, own: Judgeable, all: readonly Judgeable[]): ClaimResult[] => {
  const { run } = own;
  const common = { claim: claim.name, variant: run.variant, says: claim.says ?? null, from: claim.from ?? null };
  if (claim.order) return [{ ...common, ...inOrder(claim, claim.order, run.eventLog) }];
  return phasesOf(claim, run).map((phase) => {
    const { actual, vs } = figureOf(claim, own, phase, all);
    return {
      ...common,
      phase,
      target: `${claim.metric} ${claim.condition!.text}`,
      unit: claim.condition!.unit,
      vs,
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
    vs: null,
    actual: null,
    order: found,
    held: found.every(({ tMs }, i) => tMs !== null && (i === 0 || tMs >= (found[i - 1].tMs ?? Infinity))),
    expected: isExpected(claim, null),
  };
};

/** First time of an event: of a service or one of its instances, of a host, a link, a fault, or of a lock, which a file may name without its holder. */
export const firstTime = (events: readonly LoggedEvent[], kind: LoggedEvent['kind'], subject: string): number | null => {
  const isLock = (event: LoggedEvent): boolean => event.kind === 'lock-timeout' || event.cause === 'lock';
  const isMeant = (event: LoggedEvent): boolean => event.subject === subject || event.subject.startsWith(`${subject}.`) || (isLock(event) && event.subject.endsWith(`.${subject}`));
  return events.find((event) => event.kind === kind && isMeant(event))?.tMs ?? null;
};
