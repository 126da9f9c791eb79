import { studyOf } from '../../src/analysis/index.js';
import { simulate } from '../../src/engine/index.js';
import { parseScenario } from '../../src/scenario/index.js';
import { settle } from '../../src/study/settle.js';
import type { Study } from '../../src/study/types.js';
import { scenario } from './simulated.js';

/** The study of a scenario without its head: every variant simulated, judged, and as its schema says. `only`: the variants that run. */
export const studied = (lines: string, only?: readonly string[]): Study => {
  const parsed = parseScenario(scenario(lines), { file: 'test.yaml' });
  const systems = parsed.variants.filter(({ variant }) => only?.includes(variant) ?? true);
  return settle(studyOf({ ...parsed, variants: systems }, systems.map((system) => simulate(system)), { toolVersion: '0.0.0', sha256: 'ab'.repeat(32), seeds: [systems[0].seed], set: [] }));
};
