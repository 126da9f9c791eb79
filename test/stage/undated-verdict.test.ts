import { describe, expect, it } from 'vitest';
import { verdictCard } from '../../renderers/stage/cards/verdict-card.js';
import { landscape, portrait } from '../../renderers/stage/frame.js';
import type { Lang, Study } from '../../src/study/types.js';
import { lintDrawing } from '../support/drawing-lint.js';
import { flat, textsOf } from '../support/shapes.js';
import { undatedPhase, undatedStudy, undatedVariant } from '../support/undated-study.js';

const phase = undatedPhase();
/** Where a result begins in the table of the landscape card, and the sign after it. */
const [resultLeft, signLeft] = [718, 879];

/** The same run without a refused or failed request. */
const calm = (study: Study): Study => {
  const run = study.runs[undatedVariant];
  const traffic = Object.fromEntries(Object.entries(run.ticks.traffic).map(([name, columns]) => [name, { ...columns, refused: 0, failed: 0 }]));
  return { ...study, runs: { ...study.runs, [undatedVariant]: { ...run, ticks: { ...run.ticks, traffic } } } };
};
const said = (study: Study, lang: Lang, frame = landscape): string => textsOf(verdictCard(study, undatedVariant, { lang, theme: 'dark', frame })).join(' ').replaceAll('\u00A0', ' ');

describe('the closing card of a run that breaks only what is not followed through time', () => {
  it.each([['en', `backlog is broken in ${phase}.`, 'No first moment is known.'], ['ko', `${phase}에서 backlog를 달성하지 못합니다.`, '처음 깨진 시점은 알 수 없습니다.']] as const)('says what is broken and never that all is well: %s', (lang, headline, unknown) => {
    for (const frame of [landscape, portrait]) {
      const text = said(calm(undatedStudy()), lang, frame);
      expect(text).toContain(headline);
      expect(text).toContain(unknown);
      expect(text).not.toMatch(/none of|모두 잘|Every objective|모든 목표/);
    }
  });

  it('tells how many requests went wrong where some did', () => {
    expect(said(undatedStudy(), 'en')).toMatch(/In the whole run [\d,]+ of [\d,]+ requests went wrong/);
  });

  it('says that every objective is kept where all are', () => {
    expect(said(calm(undatedStudy({ met: true })), 'en')).toMatch(/Every objective is kept\. .*none of [\d,]+ requests went wrong/);
  });

  it.each([4185.5167, 12_345_678, 1_234_567_890])('keeps the result %d clear of the sign beside it', (actual) => {
    const drawing = verdictCard(undatedStudy({ actual, basis: 'estimated' }), undatedVariant, { lang: 'en', theme: 'dark' });
    const results = flat(drawing.shapes).filter((shape) => shape.kind === 'text' && shape.x === resultLeft && shape.runs[0].text.startsWith('≈'));
    expect(results.length).toBeGreaterThan(0);
    for (const result of results) if (result.kind === 'text') expect(result.x + result.width).toBeLessThanOrEqual(signLeft - 6);
    expect(lintDrawing(drawing)).toEqual([]);
  });
});
