import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { catalogue, jsonSchema } from '../../src/scenario/index.js';
import { eventForms } from '../../src/study/events.js';
import { simulated } from '../support/simulated.js';

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const script = '../../scripts/language-reference.mjs';

describe('docs/language.md', () => {
  it('is what the grammar makes of it today (node scripts/language-reference.mjs writes it anew)', async () => {
    const { languageReference } = (await import(script)) as { languageReference: (schema: unknown, basics: string, names: unknown) => string };
    expect(read('docs/language.md')).toBe(languageReference(jsonSchema(), read('docs/language-basics.md'), { catalogue, eventForms }));
  });

  it('names every event and every machine of the catalogue', () => {
    for (const name of [...Object.keys(eventForms), ...catalogue.keys()]) expect(read('docs/language.md')).toContain(`| \`${name}\` | `);
  });

  it('begins with a scenario that runs as it stands there', () => {
    const [, example] = /```yaml\n([\s\S]*?)```/.exec(read('docs/language.md')) ?? [];
    const run = simulated(example);
    expect(run.traffic['customers'].refused['checkout: queue full']).toBeGreaterThan(1000);
  });
});
