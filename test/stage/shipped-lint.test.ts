import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { studyOf } from '../../src/analysis/index.js';
import { simulate } from '../../src/engine/index.js';
import { parseScenario } from '../../src/scenario/index.js';
import { settle } from '../../src/study/settle.js';
import type { Study } from '../../src/study/types.js';
import { layoutOf } from '../../renderers/stage/layout.js';
import { structureOf } from '../../renderers/stage/structure.js';
import { flawsOnStage } from '../support/stage-lint.js';

const root = path.resolve(import.meta.dirname, '..', '..', 'scenarios');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.yaml')).toSorted();

/** A shipped scenario, its first variant simulated. */
const simulated = (file: string): Study => {
  const parsed = parseScenario(readFileSync(path.join(root, file), 'utf8'), { file });
  const [system] = parsed.variants;
  return settle(studyOf({ ...parsed, variants: [system] }, [simulate(system)], { toolVersion: '0.0.0', sha256: 'ab'.repeat(32), seeds: [system.seed], set: [] }));
};

/** The beginning, two thirds of quiet, the first of each kind of event, and the end. */
const ticksOf = ({ scenario, runs }: Study, variant: string): readonly number[] => {
  const { ticks, eventLog } = runs[variant];
  const firsts = new Map(eventLog.toReversed().map((event) => [event.kind === 'fault' ? `fault ${event.cause}` : event.kind, Math.min(ticks.count - 1, Math.floor(event.tMs / scenario.tickMs))]));
  return [...new Set([0, Math.floor(ticks.count / 3), Math.floor((2 * ticks.count) / 3), ticks.count - 1, ...firsts.values()])];
};

test('there are scenarios to look at', () => expect(files.length).toBeGreaterThan(20));

test.each(files)('%s: nothing is left out; no label overlaps, is cut, lies over what is not its own, or is too small', (file) => {
  const study = simulated(file);
  const [variant] = Object.keys(study.runs);
  expect(layoutOf(structureOf(study)).hidden).toEqual([]);
  const flaws = new Set<string>();
  for (const tick of ticksOf(study, variant)) for (const lang of ['en', 'ko'] as const) for (const flaw of flawsOnStage(study, variant, tick, lang)) flaws.add(`${lang}, tick ${tick}: ${flaw}`);
  expect([...flaws].slice(0, 10)).toEqual([]);
});
