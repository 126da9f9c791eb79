import { describe, expect, it } from 'vitest';
import { isElement, type Element } from '../../renderers/pdf/book.js';
import { wordsOf } from '../../renderers/pdf/glyph-check.js';
import { layReport } from '../../renderers/pdf/report.js';
import type { Lang, Study } from '../../src/study/types.js';
import { reportWords } from '../../src/text/report.js';
import { scriptedStudy } from '../support/scripted-study.js';

const study = scriptedStudy();
/** With so many lines about what the run does not prove. */
const limited = (count: number): Study => ({ ...study, scenario: { ...study.scenario, limits: Array.from({ length: count }, (_, i) => ({ en: `Limit ${i}: nobody knows what it comes to.`, ko: `한계 ${i}: 얼마나 되는지 아무도 모릅니다.` })) } });

const pagesOf = (element: Element): number[] => element.children.flatMap((child) => (isElement(child) ? pagesOf(child) : [child.page]));

/** Whether the verdict is on one page, and what of it was kept there. */
const firstPageOf = async (count: number, lang: Lang): Promise<{ readonly isOnePage: boolean; readonly measurements: number }> => {
  const { root } = await layReport(limited(count), { lang, paper: 'letter', command: 'faultreel run x.yaml', attachments: [] });
  const section = root.children.filter(isElement)[0];
  const words = section.children.filter(isElement).map((element) => ({ tag: element.tag, text: wordsOf(element) }));
  const from = words.findIndex(({ tag, text }) => tag === 'H3' && text.includes(reportWords[lang].title.measureFirst));
  const to = words.findIndex(({ tag }, index) => index > from && tag !== 'P');
  return { isOnePage: pagesOf(section).every((page) => page === 0), measurements: to - from - 1 };
};

describe('the verdict on page 1', () => {
  it.each(['en', 'ko'] as const)('stays on one page as long as it can, and gives up measurements for that before it overflows: %s', async (lang) => {
    const laid = [];
    for (let count = 1; count <= 25; count += 3) laid.push(await firstPageOf(count, lang));
    const fitting = laid.filter(({ isOnePage }) => isOnePage);
    // Once it overflows it overflows with more; then nothing is left out any more.
    expect(laid.map(({ isOnePage }) => isOnePage)).toEqual([...fitting.map(() => true), ...laid.slice(fitting.length).map(() => false)]);
    const kept = fitting.map(({ measurements }) => measurements);
    expect(kept).toEqual(kept.toSorted((a, b) => b - a));
    expect([kept[0], kept.at(-1)]).toEqual([3, 1]);
    expect(laid.at(-1)).toEqual({ isOnePage: false, measurements: 3 });
  }, 60_000);
});
