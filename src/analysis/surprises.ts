import type { Claim, Scenario } from '../scenario/model.js';
import type { CheckedScenario, Surprise } from '../study/checked.js';
import { basisOfMetric, isAsTold } from '../study/judging.js';
import type { ClaimResult, Study, Verdict } from '../study/types.js';

/** How objectives and claims of a study ended against what the file tells of them. What is told to hold and cannot be judged is a surprise, too. */
export const surprisesOf = ({ placeOf, variants }: Scenario, { verdicts, claims }: Study): Pick<CheckedScenario, 'surprises' | 'objectives' | 'claims'> => {
  const at = (path: string, variant: string): Pick<Surprise, 'line' | 'column'> => {
    const { line, column } = placeOf(path, variant);
    return { line, column };
  };
  const turnedVerdicts = verdicts.filter((verdict) => !isExpectedVerdict(verdict));
  const deniedClaims = claims.filter((claim) => !isAsTold(claim));
  const asked = ({ claim }: ClaimResult): Claim | undefined => variants[0].claims.find(({ name }) => name === claim);
  return {
    objectives: { asTold: verdicts.length - turnedVerdicts.length, of: verdicts.length },
    claims: { asTold: claims.length - deniedClaims.length, of: claims.length },
    surprises: [
      ...turnedVerdicts.map((verdict): Surprise => {
        const { objective, variant, phase, of, metric, target, vs, unit, actual, basis, met, expected, seeds, blind } = verdict;
        return { kind: 'objective', name: objective, variant, phase, of, metric, target, vs, unit, actual, basis, met: blind ? null : met, expected, seeds: seeds && { of: seeds.of, met: seeds.met }, says: null, ...at(`objectives.${objective}`, variant) };
      }),
      ...deniedClaims.map((claim): Surprise => {
        const { variant, phase, target, vs, unit, actual, held, expected, seeds, says, order } = claim;
        const { metric = null, of: subject = null } = asked(claim) ?? {};
        const judged = { met: actual === null && order === undefined ? null : held, seeds: seeds && { of: seeds.of, met: seeds.held } };
        return { kind: 'claim', name: claim.claim, variant, phase, of: subject, metric, target, vs, unit, actual, basis: metric === null ? 'counted' : basisOfMetric(metric), expected, ...judged, says, ...at(`claims.${claim.claim}`, variant) };
      }),
    ],
  };
};

const isExpectedVerdict = ({ blind, met, expected }: Verdict): boolean => (blind || met === null ? !expected : met === expected);
