import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { simulateScenario } from '../../src/pipeline/simulate.js';
import { parseScenario } from '../../src/scenario/index.js';
import type { Study } from '../../src/study/types.js';

const root = path.resolve(import.meta.dirname, '../..');
const table = path.join(import.meta.dirname, 'golden-figures.json');

/** Scenarios that take little and have much in them, with the one variant that is run where not all are. */
const files: readonly (readonly [file: string, variant?: string])[] = [
  ['scenarios/first-version/hot-row.yaml'],
  ['scenarios/first-version/journeys.yaml'],
  ['scenarios/mesh/screen-api.yaml'],
  ['scenarios/one-box/blue-green.yaml'],
  ['scenarios/one-box/push-own-process.yaml'],
  ['scenarios/one-box/state-in-one-process.yaml'],
  ['scenarios/order-api/black-hole.yaml'],
  ['scenarios/order-api/fail-open.yaml'],
  ['scenarios/order-api/recovery.yaml'],
  ['scenarios/order-api/two-kinds-of-work.yaml'],
  ['scenarios/pod-latency/blocked-partner.yaml'],
  ['templates/init/en.yaml'],
  ['test/scenario/fixtures/every-construct.yaml', 'reference'],
  ['test/scenario/fixtures/smallest.yaml'],
  ['test/support/short.yaml'],
];

/**
 * What a run came to, down to the last digit: all but how many events the engine needed for it, which is its own business. Neither the version of the tool nor
 * the words of the file are in it; keys are in the order of the schema, since a study is settled.
 */
const figuresOf = (file: string, variant?: string): Readonly<Record<string, { readonly requests: number; readonly good: number; readonly sha256: string }>> => {
  const { runs }: Study = simulateScenario(parseScenario(readFileSync(path.join(root, file), 'utf8'), { file, ...(variant !== undefined && { variant }) }), {});
  return Object.fromEntries(
    Object.entries(runs).map(([name, run]) => {
      const good = Object.values(run.traffic).reduce((sum, totals) => sum + totals.good, 0);
      return [name, { requests: run.requests, good, sha256: createHash('sha256').update(JSON.stringify({ ...run, events: 0 })).digest('hex') }];
    }),
  );
};

describe('figures changed: if they were meant to, say so in the commit and write the table anew with `npx vitest run --project unit test/engine/golden-figures.test.ts -u`. Otherwise these are', () => {
  it('what the table holds, the same on every machine and every Node', { timeout: 240_000 }, async () => {
    expect(existsSync(table), `${table} is not there`).toBe(true);
    const found = Object.fromEntries(files.map(([file, variant]) => [file, figuresOf(file, variant)]));
    await expect(`${JSON.stringify(found, null, 1)}\n`).toMatchFileSnapshot(table);
  });
});
