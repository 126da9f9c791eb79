import { baselineSchemaId, type Baseline } from '../study/baseline.js';
import type { FigureName, Study } from '../study/types.js';
import type { Scenario } from '../scenario/model.js';
import { claimsOf } from './claims.js';
import { idOf, knownIn, type Reading } from './figures.js';
import { judgeables, trialFigures } from './study.js';
import { verdictsOf } from './verdicts.js';

/** Figures are kept this exactly: more than anything prints, less than what another processor may round. */
const significantDigits = 6;

/**
 * What a study comes to, to be held against later ones.
 * @param bySeed what every variant came to, by seed in the order of `study.spread.seeds`
 * @param build of the tool
 */
export const baselineOf = (scenario: Scenario, { tool, scenario: { name, sha256, set, seed }, runs, spread }: Study, bySeed: readonly ReadonlyMap<string, Reading>[], build: string): Baseline => {
  const all = judgeables(scenario, Object.values(runs));
  const figures = [...new Map(all.flatMap(trialFigures).map((figure) => [nameOf(figure), figure])).values()];
  const verdicts = bySeed.map((readings) => all.flatMap((own) => verdictsOf(own, [readings], null)));
  const claims = bySeed.map((readings) => claimsOf(all, [readings]));
  return {
    schema: baselineSchemaId,
    tool: { version: tool.version, build },
    scenario: { name, sha256, set },
    seeds: spread?.seeds ?? [seed],
    events: Object.values(runs).reduce((sum, { events }) => sum + events, 0),
    figures: figures.map((figure) => ({ ...figure, values: bySeed.map((readings) => rounded(knownIn(readings, figure))) })),
    verdicts: verdicts[0].map(({ objective, variant, phase }, i) => ({ objective, variant, phase, met: verdicts.map((judged) => (judged[i].blind ? null : judged[i].met)) })),
    claims: claims[0].map(({ claim, variant, phase }, i) => ({ claim, variant, phase, held: claims.map((judged) => judged[i].held) })),
    firstToBreak: Object.fromEntries(Object.keys(runs).map((variant) => [variant, bySeed.map((readings) => brokenText(readings.get(variant)!))])),
  };
};

/** Which figure, as a text that no other figure has. */
export const nameOf = ({ variant, vs, ...asked }: FigureName): string => `${variant}: ${idOf(asked)}${vs === null ? '' : ` against ${vs.variant} ${vs.phase ?? ''}`}`;

const rounded = (value: number | null): number | null => (value === null ? null : Number(value.toPrecision(significantDigits)));

const brokenText = ({ firstToBreak: { objective, service, what } }: Reading): string => [objective, service, what].filter((part) => part !== null).join(' ');
