import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { FaultreelError } from '../../src/errors.js';
import { simulateScenario } from '../../src/pipeline/simulate.js';
import { jsonSchema, parseScenario } from '../../src/scenario/index.js';
import { everything, smallest } from '../scenario/reading.js';

interface Fuzzing {
  readonly randomOf: (seed: number) => () => number;
  readonly mutator: (random: () => number, words: readonly string[]) => (text: string) => string;
  readonly wordsOf: (schema: unknown) => readonly string[];
  readonly faultIn: (text: string, product: object) => string | null;
}
// Programs of the fuzzer, which runs on the compiled product.
const load = async (file: string): Promise<Fuzzing> => (await import(path.join(import.meta.dirname, file))) as Fuzzing;
const { randomOf, mutator, wordsOf } = await load('mutate.mjs');
const { faultIn } = await load('check.mjs');
const product = { parse: parseScenario, simulate: (scenario: ReturnType<typeof parseScenario>) => simulateScenario(scenario, {}), FaultreelError };

const corpus = path.join(import.meta.dirname, 'corpus');

test.each(readdirSync(corpus).filter((file) => file.endsWith('.yaml')))('%s, which once was a fault, is none', (file) => {
  expect(faultIn(readFileSync(path.join(corpus, file), 'utf8'), product)).toBeNull();
});

test('a hundred changed scenarios are simulated or told off, with a line each', { timeout: 240_000 }, () => {
  const random = randomOf(20);
  const mutate = mutator(random, wordsOf(jsonSchema()));
  const kinds = { simulated: 0, refused: 0 };
  for (let nth = 0; nth < 100; nth++) {
    const text = mutate(nth % 4 === 0 ? everything : smallest);
    expect(faultIn(text, { ...product, simulate: (scenario: ReturnType<typeof parseScenario>) => (kinds.simulated++, product.simulate(scenario)) }), text).toBeNull();
    kinds.refused++;
  }
  // Both ends of the road are reached, or the changes are too wild or too tame.
  expect(kinds.simulated).toBeGreaterThan(5);
  expect(kinds.refused - kinds.simulated).toBeGreaterThan(25);
});
