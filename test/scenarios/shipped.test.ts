import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { realHost } from '../../src/host.js';
import { loadScenario } from '../../src/pipeline/load.js';
import type { System, Text } from '../../src/scenario/model.js';
import { generator, holesIn, parsed, read, shippedFiles } from './shipped.js';

const host = realHost();
const root = path.resolve(import.meta.dirname, '../..');

const isKorean = (text: string): boolean => /[가-힣]/.test(text);

/** Everything that a file says to people, with the place. */
const textsOf = ({ title, about, limits, claims, rehearsal }: System): readonly (readonly [string, Text | undefined])[] => [
  ['title', title],
  ['about', about],
  ...limits.map((limit, i) => [`limits.${i}`, limit] as const),
  ...claims.flatMap(({ name, says }) => (says ? [[`claims.${name}.says`, says] as const] : [])),
  ...rehearsal.stops.flatMap(({ name, ask, answer }) => [[`${name}.ask`, ask] as const, [`${name}.answer`, answer] as const]),
];

describe('every shipped scenario', () => {
  it('has a name of its own: results go into a folder of that name', () => {
    const names = shippedFiles.map(generator.nameOf);
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  });

  it('belongs to one system of the document, or is the one that was made from words', () => {
    const told = [...generator.systemNames.flatMap(generator.filesOf), 'from-words/from-words.yaml'];
    expect(shippedFiles.toSorted()).toEqual(told.toSorted());
  });

  it.each(shippedFiles)('%s is valid, and every character of it can be drawn', async (file) => {
    expect((await loadScenario(path.join(root, 'scenarios', file), {}, host)).variants.length).toBeGreaterThan(0);
  });

  it.each(shippedFiles)('%s speaks English and Korean in all that it says', (file) => {
    for (const [place, text] of textsOf(parsed(file).variants[0])) {
      expect(text, place).toBeDefined();
      expect([isKorean(text!.en), isKorean(text!.ko)], `${place}: ${text!.en}`).toEqual([false, true]);
    }
  });

  it.each(shippedFiles)('%s says what it does not prove, asks a question, and knows how it knows', (file) => {
    const { limits, rehearsal, inputs } = parsed(file).variants[0];
    expect(limits.length).toBeGreaterThan(0);
    expect(rehearsal.stops.length).toBeGreaterThan(0);
    // The spike is the introduction to the language: it shows bare values, too.
    if (file !== 'order-api-spike.yaml') expect(inputs.filter(({ basis, why }) => basis === 'assumed' && why === undefined).map(({ path }) => path)).toEqual([]);
  });

  it.each(shippedFiles)('%s names a source for each claim', (file) => {
    if (file === 'order-api-spike.yaml') return;
    expect(parsed(file).variants[0].claims.filter(({ from }) => from === undefined).map(({ name }) => name)).toEqual([]);
  });
});

describe('docs/reference-systems.md', () => {
  it('has a section for each system and nothing else', () => {
    const document = read('docs/reference-systems.md');
    expect(document.startsWith(generator.head())).toBe(true);
    expect(document.match(/^## .*$/gm)).toHaveLength(generator.systemNames.length);
  });
});

describe('the search for holes', () => {
  it('finds what JSON would lose', () => {
    expect(holesIn({ a: [1, Number.NaN], b: { c: Infinity, d: undefined, e: null, f: '' } })).toEqual(['a.1: NaN', 'b.c: Infinity', 'b.d: undefined']);
  });
});
