import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { families } from './catalogue.js';

const all = Object.values(families).flatMap(({ cases }) => cases);
const notRun = all.filter((one) => one.notRun !== undefined);
const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.includes('catalogue'))
  .map((name) => readFileSync(`${import.meta.dirname}/${name}`, 'utf8'))
  .join('\n');

describe('the catalogue of analytic cases', () => {
  it('names each once, with what it says and where that is from', () => {
    expect(all).toHaveLength(165);
    expect(new Set(all.map(({ id }) => id)).size).toBe(165);
    for (const [name, { about, formula, source }] of Object.entries(families)) expect([name, about !== '', formula !== '', source !== '']).toEqual([name, true, true, true]);
  });
  it('says why three of them are not run, and runs all others', () => {
    expect(notRun.map(({ id }) => id)).toEqual(['p3c-0.9', 'mm1-breakdown-eta0.0333', 'locust-bucketing']);
    for (const { notRun: why } of notRun) expect(why!.length).toBeGreaterThan(20);
    const run = Object.entries(families).filter(([, { cases }]) => cases.some((one) => one.notRun === undefined));
    expect(run.filter(([name]) => !sources.includes(`('${name}'`) && !sources.includes(`>('${name}'`)).map(([name]) => name)).toEqual([]);
  });
});
