import { simulate } from '../../src/engine/index.js';
import { parseScenario } from '../../src/scenario/index.js';
import type { SimulatedRun } from '../../src/study/types.js';

/** A scenario file with this body; version and title are added. */
export const scenario = (body: string): string => `faultreel: 1\ntitle: a test\n${body.trim()}\n`;

/** Runs a scenario text through parser and engine; the first variant unless another is named. */
export const simulated = (text: string, { variant, seed, set = [] }: { variant?: string; seed?: number; set?: { path: string; value: string }[] } = {}): SimulatedRun => {
  const { variants } = parseScenario(text, { file: 'test.yaml', set });
  const system = variant === undefined ? variants[0] : variants.find((one) => one.variant === variant)!;
  return simulate(system, seed === undefined ? {} : { seed });
};
