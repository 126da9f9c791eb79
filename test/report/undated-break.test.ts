import { expect, it } from 'vitest';
import { isElement } from '../../renderers/pdf/book.js';
import { wordsOf } from '../../renderers/pdf/glyph-check.js';
import { layReport } from '../../renderers/pdf/report.js';
import type { Lang, Study } from '../../src/study/types.js';
import { undatedPhase, undatedStudy } from '../support/undated-study.js';

const phase = undatedPhase();

const firstPage = async (study: Study, lang: Lang): Promise<string> => {
  const { root } = await layReport(study, { lang, paper: 'a4', command: 'faultreel run x.yaml', attachments: [] });
  return wordsOf(root.children.filter(isElement)[0]).replaceAll('\u00A0', ' ').replace(/\s+/g, ' ');
};

it('the report of a run that breaks only what is not followed through time says what is broken, and that nobody knows since when', async () => {
  const en = await firstPage(undatedStudy(), 'en');
  expect(en).toContain(`backlog is broken in ${phase}.`);
  expect(en).toMatch(new RegExp(`is broken: over the phase ${phase} it is ?4,186\\. No first moment of that is known\\.`));
  expect(en).not.toContain('Nothing breaks');
  const ko = await firstPage(undatedStudy(), 'ko');
  expect(ko).toContain(`${phase}에서 backlog를 달성하지 못합니다.`);
  expect(ko).not.toContain('모든 목표를 달성합니다');
  expect(await firstPage(undatedStudy({ met: true }), 'en')).toContain('Nothing breaks in this run.');
}, 60_000);
