import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { studyOf } from '../../src/analysis/index.js';
import { simulate } from '../../src/engine/index.js';
import { parseScenario } from '../../src/scenario/index.js';
import { settle } from '../../src/study/settle.js';
import type { Study } from '../../src/study/types.js';
import { anyScenario } from './any-scenario.js';

export interface Story {
  readonly name: string;
  readonly study: Study;
  readonly variant: string;
}

/** Shipped scenarios in which much happens, each with one variant. */
const shipped = {
  'order-api-spike': 'as-it-is',
  'order-api/fail-open': 'closed',
  'order-api/black-hole': 'with-health-checks',
  'order-api/recovery': 'reboot',
  'order-api/two-kinds-of-work': 'own-machines',
  'first-version/chat-rooms': 'too-many',
  'first-version/hot-row': 'impatient',
  'first-version/journeys': 'database-too-slow',
  'one-box/blue-green': 'one-does-not',
  'one-box/push-own-process': 'two-processes',
  'pod-latency/injected-latency': 'plus-500ms',
} as const;
export type ShippedStory = keyof typeof shipped;

/** Made when asked for, once in a test file. */
export const shippedStory = (file: ShippedStory): Story => {
  let story = made.get(file);
  if (!story) made.set(file, (story = { name: file, variant: shipped[file], study: studyFrom(readFileSync(new URL(`../../scenarios/${file}.yaml`, import.meta.url), 'utf8'), shipped[file]) }));
  return story;
};
const made = new Map<ShippedStory, Story>();

export const shippedStories = Object.keys(shipped) as readonly ShippedStory[];

/** Systems out of everything that the language has, the same ones each time. */
export const anyStories = (count: number): readonly Story[] =>
  fc.sample(anyScenario, { numRuns: count, seed: 4 }).flatMap((file, i) => {
    try {
      const study = studyFrom(JSON.stringify(file));
      return [{ name: `generated ${i}`, study, variant: Object.keys(study.runs)[0] }];
    } catch {
      // Some break a rule of the language.
      return [];
    }
  });

const studyFrom = (text: string, only?: string): Study => {
  const parsed = parseScenario(text, { file: 'story.yaml' });
  const systems = parsed.variants.filter(({ variant }) => only === undefined || variant === only);
  return settle(studyOf({ ...parsed, variants: systems }, systems.map((system) => simulate(system)), { toolVersion: '0.0.0', sha256: 'ab'.repeat(32), seeds: [systems[0].seed], set: [] }));
};
