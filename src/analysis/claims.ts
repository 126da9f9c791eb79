import type { Claim } from '../scenario/model.js';
import type { ClaimResult, FigureName } from '../study/types.js';
import { holds } from './condition.js';
import { knownIn, type Reading } from './figures.js';
import { canCompare, comparedWith, isExpected, phasesOf, type Judgeable } from './judgeable.js';
import { most, seedFigureOf } from './seeds.js';

/**
 * What the file promises of its own run, judged in the variants that it is about; the first where a claim names none. Those about variants that did not run are left out.
 * @param seeds what every variant came to, by seed; the first is that of the runs
 */
export const claimsOf = (all: readonly Judgeable[], seeds: readonly ReadonlyMap<string, Reading>[]): ClaimResult[] =>
  all[0].system.claims.flatMap((claim) => {
    const own = claim.variant === undefined ? all[0] : all.find(({ run }) => run.variant === claim.variant);
    return own && canCompare(claim, all) ? judge(claim, own, seeds) : [];
  });

type Judged = Omit<ClaimResult, 'claim' | 'variant' | 'says' | 'from'>;

const judge = (claim: Claim, own: Judgeable, seeds: readonly ReadonlyMap<string, Reading>[]): ClaimResult[] => {
  const common = { claim: claim.name, variant: own.run.variant, says: claim.says ?? null, from: claim.from ?? null };
  const judged = claim.order ? [inOrder(claim, claim.order, own, seeds)] : phasesOf(claim, own.run).map((phase) => inPhase(claim, own, phase, seeds));
  return judged.map((one) => ({ ...common, ...one }));
};

const inPhase = (claim: Claim, { run }: Judgeable, phase: string | null, seeds: readonly ReadonlyMap<string, Reading>[]): Judged => {
  const { of, metric, over, condition } = claim as Required<Pick<Claim, 'of' | 'metric' | 'over' | 'condition'>>;
  const name: FigureName = { variant: run.variant, of, metric, over, phase, vs: comparedWith(claim, run, phase), unit: condition.unit };
  const values = seeds.map((readings) => knownIn(readings, name));
  const actual = seedFigureOf(values).median;
  return {
    phase,
    target: `${metric} ${condition.text}`,
    unit: condition.unit,
    vs: name.vs,
    actual,
    held: holds(condition, actual) === true,
    seeds: heldUnder(values.map((value) => holds(condition, value) === true)),
    expected: isExpected(claim, phase),
  };
};

const inOrder = (claim: Claim, order: NonNullable<Claim['order']>, { run }: Judgeable, seeds: readonly ReadonlyMap<string, Reading>[]): Judged => {
  const times = seeds.map((readings) => readings.get(run.variant)!.orders[claim.name]);
  const held = times.map((own) => own.every((tMs, i) => tMs !== null && (i === 0 || tMs >= (own[i - 1] ?? Infinity))));
  return {
    phase: null,
    target: order.map(({ kind, subject }) => `${kind} ${subject}`).join(', '),
    unit: null,
    vs: null,
    actual: null,
    order: order.map(({ kind, subject }, i) => ({ event: `${kind} ${subject}`, tMs: times[0][i] })),
    held: most(held),
    seeds: heldUnder(held),
    expected: isExpected(claim, null),
  };
};

const heldUnder = (held: readonly boolean[]): ClaimResult['seeds'] => (held.length < 2 ? null : { of: held.length, held: held.filter(Boolean).length });
