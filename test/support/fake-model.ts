import { askedOf, askings, testing, trialFigures, type Reading, type Readings, type Testing } from '../../src/analysis/index.js';
import { idOf, type Asked, type Figure } from '../../src/analysis/figures.js';
import type { Judgeable } from '../../src/analysis/judgeable.js';
import { verdictsOf } from '../../src/analysis/verdicts.js';
import { parseScenario } from '../../src/scenario/index.js';
import type { SimulatedRun, TestedVerdict, Verdict } from '../../src/study/types.js';
import { scenario } from './simulated.js';

/** What a figure is where the guesses have these values, by path; the whole truth about a system, known exactly. */
export type FakeModel = (at: (path: string) => number, figure: Asked & { readonly variant: string }) => number | null | Figure;

export interface FakeTrials extends Testing {
  readonly verdicts: readonly Verdict[];
  /** Of the first verdict. */
  readonly first: TestedVerdict;
  /** Points that were asked for, round by round, each as `path=value`. */
  readonly rounds: readonly (readonly string[])[];
}

/** Tests the verdicts of the first variant of a scenario against a model in place of the engine. */
export const tryModel = (lines: string, model: FakeModel): FakeTrials => {
  const { variants } = parseScenario(scenario(lines), { file: 'test.yaml' });
  const own: Judgeable = { system: variants[0], run: { variant: variants[0].variant } as SimulatedRun };
  const readings = (point: Readonly<Record<string, number>>): Readings =>
    new Map(variants.map((system): [string, Reading] => {
      const at = (path: string): number => point[path] ?? system.inputs.find((input) => input.path === path)!.value;
      return [system.variant, readingAs(system.variant, askedOf(system, variants), (asked) => model(at, asked))];
    }));
  const written = readings({});
  const steps = testing(own.system, askings(own), trialFigures(own), written);
  const rounds: string[][] = [];
  let next = steps.next();
  while (!next.done) {
    rounds.push(next.value.map((point) => point.map(({ path, value }) => `${path}=${value}`).join(' ')));
    next = steps.next(next.value.map((point) => readings(Object.fromEntries(point.map(({ path, value }) => [path, value])))));
  }
  return { ...next.value, first: next.value.tested[0], rounds, verdicts: verdictsOf(own, [written], next.value.tested) };
};

export const readingAs = (variant: string, asked: readonly Asked[], figure: (asked: Asked & { readonly variant: string }) => number | null | Figure): Reading => ({
  variant,
  figures: Object.fromEntries(asked.map((one) => [idOf(one), asFigure(figure({ ...one, variant }))])),
  orders: {},
  firstToBreak: { objective: null, service: null, what: null },
});

const asFigure = (said: number | null | Figure): Figure => (typeof said === 'object' && said !== null ? said : { value: said, blind: false });
