import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { main } from '../../src/cli/program.js';
import { simulateScenario } from '../../src/pipeline/simulate.js';
import { parseScenario } from '../../src/scenario/index.js';
import { testHost, type TestHost } from '../support/host.js';
import { blocksOf, pages, read, scenarioBlocks, type Block } from './blocks.js';

const simulated = ({ page, line, text }: Block) => {
  const scenario = parseScenario(text, { file: `${page}:${line}` });
  return { scenario, study: simulateScenario(scenario, {}) };
};

/** A recipe is simulated once, and looked at as often as it tells to. */
const cache = mkdtempSync(path.join(os.tmpdir(), 'faultreel-recipes-'));
const hostFor = (...argv: string[]): TestHost => testHost(argv, { env: { ...process.env, FAULTREEL_RESULTS_CACHE: cache } });
afterAll(() => rmSync(cache, { recursive: true }));

describe('scenarios in the documents', () => {
  it.each(pages.filter((page) => !['docs/cookbook.md', 'docs/language-basics.md'].includes(page)).flatMap(scenarioBlocks).map((block) => [`${block.page}:${block.line}`, block] as const))('%s runs as it stands there', (_, block) => {
    const { study } = simulated(block);
    for (const run of Object.values(study.runs)) expect(run.requests).toBeGreaterThan(0);
  });

  it('are whole: YAML in a document that does not begin as a scenario is only where the language is explained', () => {
    const parts = pages.flatMap((page) => blocksOf(page).filter(({ language }) => language === 'yaml').length - scenarioBlocks(page).length > 0 ? [page] : []);
    expect(parts.filter((page) => !/^docs\/(language|engine|tutorial|film|how-sure|compare)/.test(page))).toEqual([]);
  });

  it.each(scenarioBlocks('docs/cookbook.md').map((block) => [/^title: (.*)$/m.exec(block.text)![1], block] as const))('cookbook, %s: the incident breaks what the file says, and the other variant keeps it', (_, block) => {
    const { scenario, study } = simulated(block);
    const [incident, helped, ...more] = scenario.variants.map(({ variant }) => variant);
    expect([incident, helped === undefined, more]).toEqual(['as-it-is', false, []]);
    const of = (variant: string) => study.verdicts.filter((verdict) => verdict.variant === variant);
    expect(of(incident).some(({ met }) => met === false)).toBe(true);
    expect(of(incident).filter(({ met, expected }) => met !== expected)).toEqual([]);
    expect(of(helped).filter(({ met }) => met !== true)).toEqual([]);
  });

  it.each([...['en', 'ko'].map((lang) => [`init, ${lang}`, read(`templates/init/${lang}.yaml`)] as const), ...scenarioBlocks('docs/cookbook.md').map(({ line, text }) => [`cookbook:${line}`, text] as const)])('%s: is as told in every variant, as a copy of it is checked', async (_, text) => {
    const host = hostFor('check', 'copy.yaml', '--seeds', '1');
    await host.write('copy.yaml', text);
    expect([await main(host), host.written.stderr()]).toEqual([0, '']);
  });

  it.each(momentsOf('docs/cookbook.md'))('cookbook, %s: a still of --at %s shows %s', async (_title, at, shown, text) => {
    const host = hostFor('still', 'incident.yaml', '--at', at, '--out', 'moment.svg');
    await host.write('incident.yaml', text);
    expect(await main(host), host.written.stderr()).toBe(0);
    const words = [...(await host.readText('moment.svg')).matchAll(/<text[^>]*>([^<]*)/g)].map(([, word]) => word).join(' ');
    for (const figure of shown) expect(words).toContain(figure);
  });
});

/** What a recipe tells to look at: its title, the moment, the figures that it quotes behind it, the scenario. */
function momentsOf(page: string): readonly (readonly [string, string, readonly string[], string])[] {
  return read(page)
    .split(/^## /m)
    .flatMap((recipe) => {
      const [, text] = /```yaml\n([\s\S]*?)```/.exec(recipe) ?? [];
      if (text === undefined) return [];
      return [...recipe.matchAll(/`--at ("?)([^"`]+)\1`([^]*)/g)].map(([, , at, after]) => [recipe.split('\n')[0], at, [...after.matchAll(/\(`([^`]+)`\)/g)].map(([, figure]) => figure), text] as const);
    });
}
