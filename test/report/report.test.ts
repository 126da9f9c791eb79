import { createHash } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { FaultreelError } from '../../src/errors.js';
import type { Study } from '../../src/study/types.js';
import { writeReport, type ReportOptions } from '../../renderers/pdf/report.js';
import { markName, marks } from '../../renderers/look/figure.js';
import { readPdf, type PdfRead } from '../support/pdf-text.js';
import { scriptedStudy } from '../support/scripted-study.js';

const scenario = new TextEncoder().encode('faultreel: 1\n');
const options = (lang: 'en' | 'ko'): ReportOptions => ({
  lang,
  command: 'faultreel run scripted-spike.yaml --seed 1017',
  attachments: [{ name: 'scripted-spike.yaml', bytes: scenario, description: 'The scenario' }],
});
const study = scriptedStudy();

afterEach(() => void vi.useRealTimers());

describe('the report', () => {
  let en: Uint8Array;
  let read: PdfRead;
  let korean: PdfRead;
  beforeAll(async () => {
    en = await writeReport(study, options('en'));
    read = readPdf(en);
    korean = readPdf(await writeReport(study, options('ko')));
  }, 60_000);
  const textOf = (pdf: PdfRead): string => pdf.pages.map(({ text }) => text).join('\n');

  it('is the same bytes twice, also at another date', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2031-05-06T07:08:09Z') });
    const again = await writeReport(scriptedStudy(), options('en'));
    expect(Buffer.compare(Buffer.from(again), Buffer.from(en))).toBe(0);
  });

  it('says on page 1 what breaks first, when, and what it rests on', () => {
    const [first] = read.pages;
    expect(first.text.replace(/\s+/g, ' ')).toContain('order-api runs out of CPU first, at ≈00:22.');
    for (const title of ['Objectives', 'What happened', 'What went in', 'What it cost', 'What this run does not prove']) expect(first.text).toContain(title);
    expect(first.text).toContain('untested');
    expect(first.text.replace(/\s+/g, ' ')).toMatch(/All (two|three|four) are untested: they rest on 3 guesses \( ?page \d+ ?\) and none was moved in this run\./);
  });

  it('prints the figures of the study', () => {
    const { orders } = study.runs['as-it-is'].traffic;
    const text = textOf(read);
    for (const value of [orders.offered, orders.good]) expect(text).toContain(value.toLocaleString('en'));
    expect(text).toContain('exact');
  });

  it('keeps the three parts apart, each under its own name, and lets none begin at the foot of a page', () => {
    const titles = ['Measured, stated, chosen', 'Counted in the simulation', 'Assumed and estimated'];
    const places = titles.map((title) => {
      const page = read.pages.findIndex(({ items }) => items.some(({ text, artifact }) => !artifact && text.trim() === title));
      return { page, y: read.pages[page].items.find(({ text, artifact }) => !artifact && text.trim() === title)!.y };
    });
    expect(places.every(({ page }) => page > 0)).toBe(true);
    for (const [before, after] of [[places[0], places[1]], [places[1], places[2]]]) expect(after.page > before.page || (after.page === before.page && after.y !== before.y)).toBe(true);
    expect(places.map(({ page }) => page).sort((a, b) => a - b)).toEqual(places.map(({ page }) => page));
  });

  it('gives every sentence of the first page that holds a figure its mark, and the headline none', () => {
    for (const [pdf, lang, title] of [[read, 'en', 'Objectives'], [korean, 'ko', '목표와 판정']] as const) {
      const items = pdf.pages[0].items.filter(({ artifact }) => !artifact);
      const prose = items.slice(0, items.findIndex(({ text }) => text === title));
      const known = new Set(marks.map((mark) => markName(mark, lang)));
      for (const { mark } of prose) if (mark !== null) expect(known).toContain(mark);
      const sentences = prose.map(({ text, mark }) => `${mark === null ? '' : '¤'}${text.trim()}`).join(' ').split(/(?<=[.!?]) +/);
      const [headline, ...others] = lang === 'en' ? sentences : [sentences[0].split('¤')[0], ...sentences];
      expect(headline).toContain('≈');
      if (lang === 'en') expect(headline).not.toContain('¤');
      const withFigures = others.filter((sentence) => /\d/.test(sentence.replace(/\(.*?≥ 99\.9%\)/, '')));
      expect(withFigures.length).toBeGreaterThan(3);
      expect(withFigures.filter((sentence) => !sentence.includes('¤'))).toEqual([]);
    }
  });

  it('is wholly in Korean when asked, with whole syllables', () => {
    const text = textOf(korean);
    for (const words of ['설계 검토 보고서', '먼저 한계에 닿는 곳: order-api CPU,', '시뮬레이션에서 집계', '가정과 추정', '미검증', '변형 비교']) expect(text).toContain(words);
    expect(text).not.toContain('\uFFFD');
    const words = korean.pages.flatMap(({ items }) => items.flatMap((item) => item.text.split(/\s+/)));
    expect(words.filter((word) => /[가-힣]/.test(word)).length).toBeGreaterThan(200);
    expect(text).not.toMatch(/counted|estimated|untested|broken/);
  });

  it('says on every page which of how many it is', () => {
    read.pages.forEach(({ items }, index) => expect(items.map(({ text }) => text)).toContain(`${index + 1} of ${read.pages.length}`));
    for (const { items } of read.pages) expect(items.filter(({ artifact }) => !artifact).length).toBeGreaterThan(3);
  });

  it('says what the variants do to the objective that breaks first, from their verdicts', async () => {
    const keep = async (met: (variant: string) => boolean): Promise<string> => {
      const verdicts = study.verdicts.map((verdict) => ({ ...verdict, met: met(verdict.variant) }));
      return textOf(readPdf(await writeReport({ ...study, verdicts }, options('en')))).replace(/\s+/g, ' ');
    };
    expect(await keep(() => false)).toContain('No bar reaches the goal.');
    expect(await keep(() => true)).toContain('Every variant keeps availability in event.');
    expect(await keep((variant) => variant !== 'as-it-is')).toContain('dedicated-health-path keeps availability in event; not so: as-it-is.');
  });

  it('leaves out of the comparison the phases in which all variants agree, and names them', async () => {
    const runs = { one: { ...study.runs['as-it-is'], variant: 'one' }, two: { ...study.runs['as-it-is'], variant: 'two' } };
    const text = textOf(readPdf(await writeReport({ ...study, runs }, options('en')))).replace(/\s+/g, ' ');
    expect(text).toContain('All variants agree in before, surge, event and after');
    expect(textOf(read).replace(/\s+/g, ' ')).toMatch(/All variants agree in before( and after)?:/);
  });

  it('leaves out the column of declined requests where nobody declined, and says in the equation what there is', async () => {
    expect(textOf(read)).not.toContain('declined');
    const { orders } = study.runs['as-it-is'].traffic;
    const declining: Study = { ...study, runs: { 'as-it-is': { ...study.runs['as-it-is'], traffic: { orders: { ...orders, good: orders.good - 7, declined: { 'order-api: sold out': 7 } } } } } };
    expect(textOf(readPdf(await writeReport(declining, options('en')))).replace(/\s+/g, ' ')).toContain('+ 7 declined +');
    expect(textOf(readPdf(await writeReport(declining, options('ko')))).replace(/\s+/g, ' ')).toContain('+ 반려 7 +');
  });

  it('shows no solid band of known inputs where nothing was measured', async () => {
    const bands = async (inputs: Study['inputs']): Promise<string[]> => readPdf(await writeReport({ ...study, inputs }, options('en'))).pages.flatMap(({ items }) => items.filter(({ artifact }) => artifact).map(({ text }) => text));
    const known = study.inputs.filter(({ basis }) => basis === 'chosen');
    expect(await bands(known)).toContain('STATED, CHOSEN');
    expect(await bands([...known, { ...known[0], path: 'x', basis: 'measured', from: 'a run' }])).toContain('MEASURED, STATED, CHOSEN');
  });

  it('is tagged: a language, a title, headings, tables, and a box and words for every figure', () => {
    const of = (type: string): string[] => read.dictionaries.filter((dictionary) => dictionary.includes(`/S /${type}\n`));
    expect(read.dictionaries.some((dictionary) => dictionary.includes('/Lang (en)'))).toBe(true);
    expect(read.dictionaries.some((dictionary) => dictionary.includes('/DisplayDocTitle true'))).toBe(true);
    expect(of('H1').length).toBe(7);
    for (const type of ['Table', 'THead', 'TBody', 'TH', 'TD', 'H2', 'P']) expect(of(type).length, type).toBeGreaterThan(5);
    const figures = of('Figure');
    expect(figures.length).toBeGreaterThanOrEqual(5);
    for (const figure of figures) expect(figure).toMatch(/\/Alt \([\s\S]*\/BBox \[/);
  });

  it('carries the scenario and prints its hash', () => {
    expect(textOf(read)).toContain(createHash('sha256').update(scenario).digest('hex'));
    expect(read.dictionaries.some((dictionary) => dictionary.includes('/Type /EmbeddedFile'))).toBe(true);
  });

  it('names a character that the fonts lack, and where it stands', async () => {
    const rocket: Study = { ...study, scenario: { ...study.scenario, limits: [{ en: 'To the moon 🚀', ko: '' }] } };
    const error = await writeReport(rocket, options('en')).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(FaultreelError);
    expect(error).toMatchObject({ exitCode: 5 });
    expect((error as FaultreelError).message).toMatch(/"🚀" \(U\+1F680\) in "To the moon 🚀.*" on page 1/u);
  });

  it('refuses a variant that the study does not have', async () => {
    await expect(writeReport(study, { ...options('en'), variant: 'other' })).rejects.toMatchObject({ exitCode: 2 });
  });

  it('says unknown for a cost that nobody priced, and never 0', async () => {
    const run = study.runs['as-it-is'];
    const unpriced: Study = { ...study, runs: { 'as-it-is': { ...run, cost: { services: { 'order-api': { billedS: 415, extraS: 175, machine: 'own', amount: null } }, amount: null, currency: null, unknown: ['order-api'], phases: {}, survival: null } } } };
    const text = textOf(readPdf(await writeReport(unpriced, options('en'))));
    expect(text).toContain(': nobody gave a price for order-api.');
    expect(text).toContain('This scenario has one variant');
    expect(text).not.toContain('0.00');
  });

  it('stands a run in which nothing happened', async () => {
    const run = study.runs['as-it-is'];
    const calm: Study = { ...study, inputs: [], verdicts: [], claims: [], firstToBreak: null, runs: { 'as-it-is': { ...run, firstToBreak: null, eventLog: [], system: { ...run.system, objectives: [] } } } };
    const text = textOf(readPdf(await writeReport(calm, options('en'))));
    expect(text).toContain('This scenario states no objective.');
    expect(text).toContain('Nothing to list.');
  });
});
