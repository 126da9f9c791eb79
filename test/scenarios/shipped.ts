import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { questionCard } from '../../renderers/stage/cards/question-card.js';
import { titleCard } from '../../renderers/stage/cards/title-card.js';
import { verdictCard } from '../../renderers/stage/cards/verdict-card.js';
import { stopsInRun } from '../../renderers/video/storyboard.js';
import { firstTime } from '../../src/analysis/first-time.js';
import { simulateScenario } from '../../src/pipeline/simulate.js';
import { parseScenario } from '../../src/scenario/index.js';
import type { Scenario } from '../../src/scenario/model.js';
import type { Study } from '../../src/study/types.js';
import { lintDrawing } from '../support/drawing-lint.js';

const root = new URL('../../', import.meta.url);
export const read = (file: string): string => readFileSync(new URL(file, root), 'utf8');

/** Every scenario file that is shipped, below `scenarios/`. */
export const shippedFiles: readonly string[] = readdirSync(new URL('scenarios', root), { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.yaml'))
  .toSorted();

export const parsed = (file: string): Scenario => parseScenario(read(`scenarios/${file}`), { file });

interface Generator {
  readonly systemNames: readonly string[];
  readonly filesOf: (system: string) => readonly string[];
  readonly nameOf: (file: string) => string;
  readonly head: () => string;
  readonly section: (system: string, studies: Readonly<Record<string, Study>>) => string;
}
const script = '../../scripts/reference-systems.mjs';
/** What writes docs/reference-systems.md. */
export const generator = (await import(script)) as Generator;

/** Numbers that are none, and fields that are not there, with their paths: such a study could not be written or would be read back as another. */
export const holesIn = (value: unknown): string[] => {
  const holes: string[] = [];
  // A study has millions of cells: the path is written down only where there is something to say.
  const visit = (inner: unknown, trail: readonly string[]): void => {
    if (inner === undefined || (typeof inner === 'number' && !Number.isFinite(inner))) holes.push(`${trail.join('.')}: ${String(inner)}`);
    else if (Array.isArray(inner)) inner.forEach((cell: unknown, i) => (typeof cell === 'number' && Number.isFinite(cell) ? undefined : visit(cell, [...trail, String(i)])));
    else if (typeof inner === 'object' && inner !== null) for (const [key, field] of Object.entries(inner)) visit(field, [...trail, key]);
  };
  visit(value, []);
  return holes;
};

type Stop = Study['scenario']['rehearsal']['stops'][number];

/** Of a question's card, only what is about the question: the picture of the system behind it has tests of its own. */
const flawsOfWords = (flaws: readonly string[], { ask, answer }: Stop): string[] => flaws.filter((flaw) => Object.values({ ...ask, ...answer }).some((text) => quoted(flaw).some((words) => text.includes(words))));
const quoted = (flaw: string): string[] => [...flaw.matchAll(/"([^"]+)"/g)].map(([, words]) => words);

const surprises = <T extends { readonly expected: boolean }>(results: readonly T[], held: (result: T) => boolean | null): T[] => results.filter((result) => held(result) !== result.expected);

/** Longest that one file may take, on a slow machine and with coverage. */
const longestMs = 240_000;

/** Tests of every file: simulating itself throws when a law of the engine is violated. */
export const testFile = (file: string): Study => {
  let study: Study | undefined;
  describe(file, () => {
    it('runs, and its claims end as the file expects', { timeout: longestMs }, () => {
      study = simulateScenario(parsed(file), {});
      expect(surprises(study.claims, ({ held }) => held).map(({ claim, variant, phase, target, actual, order }) => ({ claim, variant, phase, target, actual, order }))).toEqual([]);
    });

    it('keeps and breaks its objectives where the file says so', () => {
      expect(surprises(study!.verdicts, ({ met }) => met).map(({ objective, variant, phase, target, actual }) => ({ objective, variant, phase, target, actual }))).toEqual([]);
    });

    it('asks only what happens in some variant', () => {
      const runs = Object.values(study!.runs);
      const happens = ({ at }: Stop): boolean => 'timeMs' in at || runs.some(({ eventLog }) => firstTime(eventLog, at.kind, at.subject) !== null);
      expect(study!.scenario.rehearsal.stops.filter((stop) => !happens(stop)).map(({ name }) => name)).toEqual([]);
    });

    it('has words that fit the cards of its film, in English and Korean', () => {
      for (const variant of Object.keys(study!.runs)) {
        for (const lang of ['en', 'ko'] as const) {
          const look = { lang, theme: 'dark' } as const;
          const stops = stopsInRun(study!, variant);
          expect(lintDrawing(titleCard(study!, variant, look)), `${variant}, ${lang}`).toEqual([]);
          expect(lintDrawing(verdictCard(study!, variant, look)), `${variant}, ${lang}`).toEqual([]);
          for (const [i, { stop, tick }] of stops.entries()) expect(flawsOfWords(lintDrawing(questionCard(study!, variant, { stop, tick, number: i + 1, of: stops.length, passedS: 2 }, look)), stop), stop.name).toEqual([]);
        }
      }
    });

    it('has no hole in its study', () => {
      expect(holesIn(study)).toEqual([]);
    });
  });
  // Filled in by the first test; those that read it come later.
  return new Proxy({}, { get: (_, key) => Reflect.get(study!, key) }) as Study;
};

const sectionsOf = (document: string): string[] => document.split(/^(?=## )/m).map((text) => text.trim());

/** Tests of one reference system: each of its files, then its section of the document. */
export const testSystem = (system: string): void => {
  const studies = Object.fromEntries(generator.filesOf(system).map((file) => [generator.nameOf(file), testFile(file)]));

  it(`docs/reference-systems.md tells of ${system} what its runs say today (npm run build && node scripts/reference-systems.mjs writes it anew)`, () => {
    const section = generator.section(system, studies);
    const [title] = section.split('\n');
    expect(sectionsOf(read('docs/reference-systems.md')).find((text) => text.startsWith(title))).toBe(section.trim());
  });
};
