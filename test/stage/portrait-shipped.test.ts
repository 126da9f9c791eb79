import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { questionCard } from '../../renderers/stage/cards/question-card.js';
import { titleCard } from '../../renderers/stage/cards/title-card.js';
import { verdictCard } from '../../renderers/stage/cards/verdict-card.js';
import { portrait } from '../../renderers/stage/frame.js';
import { layoutOf } from '../../renderers/stage/layout.js';
import { stageDrawing } from '../../renderers/stage/stage.js';
import { stopsInRun } from '../../renderers/stage/stops.js';
import { structureOf } from '../../renderers/stage/structure.js';
import { simulateScenario } from '../../src/pipeline/simulate.js';
import { parseScenario } from '../../src/scenario/index.js';
import { lintDrawing } from '../support/drawing-lint.js';

/** Ticks of each variant that are looked at, spread over the run. */
const looks = 24;

test.each(['first-version/hot-row.yaml', 'one-box/blue-green.yaml', 'pod-latency/blocked-partner.yaml', 'order-api/black-hole.yaml'])('%s from top to bottom: all of it is drawn, and no label overlaps, leaves its place or is too small', { timeout: 120_000 }, (file) => {
  const study = simulateScenario(parseScenario(readFileSync(new URL(`../../scenarios/${file}`, import.meta.url), 'utf8'), { file }), {});
  expect(layoutOf(structureOf(study), portrait).hidden).toEqual([]);
  const flaws = new Set<string>();
  for (const variant of Object.keys(study.runs))
    for (const lang of ['en', 'ko'] as const) {
      const look = { lang, theme: 'light', frame: portrait } as const;
      const { count } = study.runs[variant].ticks;
      const stops = stopsInRun(study, variant);
      const drawings = [
        ...Array.from({ length: looks }, (_, i) => stageDrawing(study, variant, Math.floor(((i + 0.5) * count) / looks), { ...look, speed: i % 2 ? 8 : 2 })),
        titleCard(study, variant, look),
        verdictCard(study, variant, look),
        ...stops.map(({ stop, tick }, i) => questionCard(study, variant, { stop, tick, number: i + 1, of: stops.length, passedS: 1 }, look)),
      ];
      for (const flaw of drawings.flatMap((drawing) => lintDrawing(drawing))) flaws.add(`${flaw} (${variant}, ${lang})`);
    }
  expect([...flaws].slice(0, 20)).toEqual([]);
});
