import type { Scenario } from '../scenario/model.js';
import type { CheckedGoal } from '../study/checked.js';
import { basisOfMetric, isAsTold } from '../study/judging.js';
import type { ClaimResult, Study, Verdict } from '../study/types.js';

/** Objectives and claims of a study, and whether each ended as the file tells, with the place where it tells it. */
export const goalsOf = (scenario: Scenario, { verdicts, claims }: Study): CheckedGoal[] => [...verdicts.map((verdict) => goalOfVerdict(verdict, scenario)), ...claims.map((claim) => goalOfClaim(claim, scenario))];

const goalOfVerdict = ({ objective, variant, phase, of, metric, target, vs, unit, actual, basis, blind, expected, seeds, ...judged }: Verdict, { placeOf }: Scenario): CheckedGoal => {
  const met = blind ? null : judged.met;
  const { line, column } = placeOf(`objectives.${objective}`, variant);
  return { kind: 'objective', name: objective, variant, phase, of, metric, target, vs, unit, actual, basis, met, expected, asTold: blind || met === expected || (met === null && !expected), blind, seeds: seeds && { of: seeds.of, met: seeds.met }, says: null, line, column };
};

const goalOfClaim = (claim: ClaimResult, { placeOf, variants }: Scenario): CheckedGoal => {
  const { claim: name, variant, phase, target, vs, unit, actual, held, expected, seeds, says, order } = claim;
  const { metric = null, of: subject = null } = variants[0].claims.find((one) => one.name === name) ?? {};
  const { line, column } = placeOf(`claims.${name}`, variant);
  const basis = metric === null ? 'counted' : basisOfMetric(metric);
  const met = actual === null && order === undefined ? null : held;
  return { kind: 'claim', name, variant, phase, of: subject, metric, target, vs, unit, actual, basis, met, expected, asTold: isAsTold(claim), blind: false, seeds: seeds && { of: seeds.of, met: seeds.held }, says, line, column };
};
