import { expect, test } from 'vitest';
import { frameSvg } from '../../renderers/stage/stage.js';
import { simulateScenario } from '../../src/pipeline/simulate.js';
import { parsed } from '../scenarios/shipped.js';
import { goTo, htmlOf, shows, withReplay } from './opened.js';

test('the replay of the spike is under 3 MB with all its variants, and shows its frames', { timeout: 300_000 }, async () => {
  const study = simulateScenario(parsed('order-api-spike.yaml'), {});
  const html = await htmlOf(study);
  expect(Buffer.byteLength(html)).toBeLessThan(3_000_000);
  expect(Object.keys(study.runs).length).toBeGreaterThan(1);
  await withReplay(html, async (opened) => {
    for (const variant of Object.keys(study.runs)) {
      await goTo(opened, { tick: 484, variant });
      expect([variant, await shows(opened, frameSvg(study, variant, 484, { lang: 'en', theme: 'dark' }))]).toEqual([variant, true]);
    }
    expect(opened.complaints).toEqual([]);
  });
});
