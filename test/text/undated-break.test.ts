import { describe, expect, it } from 'vitest';
import { closingText } from '../../renderers/text/closing.js';
import { summaryMarkdown } from '../../renderers/text/markdown.js';
import { terminalText } from '../../renderers/text/terminal.js';
import type { Lang, Study } from '../../src/study/types.js';
import { undatedPhase, undatedStudy, undatedVariant } from '../support/undated-study.js';

const phase = undatedPhase();
const closing = (study: Study, lang: Lang = 'en'): string => closingText(study, undatedVariant, lang);
const terminal = (study: Study, lang: Lang): string => terminalText(study, { variant: undatedVariant, lang, everyMs: 10_000 });

describe('the first to break of a run that breaks only what is not followed through time', () => {
  it('is not known, and what is broken is said', () => {
    const line = `No first moment is known: backlog (${phase}) is broken: 4,186, goal ≤ 100`;
    expect(closing(undatedStudy())).toContain(`First to break: ${line}\n`);
    expect(terminal(undatedStudy(), 'en')).toContain(`First to break: ${line}\n`);
    expect(summaryMarkdown(undatedStudy(), { variant: undatedVariant, lang: 'en' }).replaceAll('\u00A0', ' ')).toContain(`**First to break:** ${line}\n`);
    expect(closing(undatedStudy(), 'ko')).toContain(`가장 먼저 무너진 것: 처음 깨진 시점은 알 수 없음: backlog (${phase}) 미달, 4,186 (목표 ≤ 100)\n`);
  });

  it('says how many more are broken so, and of an estimate that it is one', () => {
    const study = undatedStudy({ basis: 'estimated', phase: null });
    const more = { ...study, verdicts: [...study.verdicts, { ...study.verdicts.at(-1)!, objective: 'other' }] };
    expect(closing(more)).toContain('No first moment is known: backlog is broken: ≈4,186, goal ≤ 100; and 1 more\n');
  });

  it.each([['is kept', { met: true }], ['is of a load that was not made', { blind: true }]] as const)('is nothing where it %s', (_, more) => {
    expect(closing(undatedStudy(more))).toContain('First to break: nothing: every objective held in every 10 s\n');
  });
});

describe('the line of objectives that ends a run', () => {
  const study = undatedStudy();
  const [own, other] = [study.verdicts.at(-1)!, study.verdicts.find(({ variant }) => variant !== undatedVariant)!];

  it('counts the verdicts of all variants, and names the variant of those that are not shown', () => {
    const both = { ...study, verdicts: [{ ...own, met: true, expected: true }, { ...other, objective: 'latency', phase: 'event', blind: false, met: true, expected: false }] };
    expect(closing(both)).toContain(`Objectives: 2 of 2 kept; not as the file expects: latency (event) of ${other.variant}\n`);
    expect(closing(both, 'ko')).toContain(`목표: 2개 중 2개 달성, 예상과 다름: ${other.variant}의 latency (event)\n`);
  });

  it('names the shown one alone, without its variant', () => {
    expect(closing({ ...study, verdicts: [{ ...own, expected: true }, { ...other, blind: false, met: true, expected: true }] })).toContain(`Objectives: 1 of 2 kept; not as the file expects: backlog (${phase})\n`);
  });
});
