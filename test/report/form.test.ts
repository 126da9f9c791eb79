import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { isElement, type Book, type Element } from '../../renderers/pdf/book.js';
import { wordsOf } from '../../renderers/pdf/glyph-check.js';
import { papers, type Paper } from '../../renderers/pdf/paper.js';
import { layReport, writeReport, type ReportOptions } from '../../renderers/pdf/report.js';
import { FaultreelError } from '../../src/errors.js';
import { againCommand } from '../../src/pipeline/again.js';
import { reportOf } from '../../src/pipeline/produce.js';
import type { Lang, Study } from '../../src/study/types.js';
import { filesIn, pageBoxes, readPdf } from '../support/pdf-text.js';
import { scriptedStudy } from '../support/scripted-study.js';

const study = scriptedStudy();
const [variant] = Object.keys(study.runs);
const options = (lang: Lang, paper: Paper): ReportOptions => ({ lang, paper, command: 'faultreel run scripted-spike.yaml', attachments: [] });
const all = [['en', 'a4'], ['en', 'letter'], ['ko', 'a4'], ['ko', 'letter']] as const;

const find = (element: Element, tag: string): Element[] => [...(element.tag === tag ? [element] : []), ...element.children.filter(isElement).flatMap((child) => find(child, tag))];
const pageOf = (element: Element): number => {
  const [child] = element.children;
  return isElement(child) ? pageOf(child) : child.page;
};
const linksOf = (book: Book): Element[] => find(book.root, 'Link');

describe.each(all)('the report in %s on %s', (lang, paper) => {
  let bytes: Uint8Array;
  let book: Book;
  beforeAll(async () => {
    bytes = await writeReport(study, options(lang, paper));
    book = await layReport(study, options(lang, paper));
  }, 60_000);

  it('is as large as its paper, and leaves no page empty', () => {
    const { width, height } = papers[paper];
    const boxes = pageBoxes(bytes);
    expect(boxes.length).toBe(readPdf(bytes).pages.length);
    for (const box of boxes) expect(box).toEqual([0, 0, width, height]);
    for (const { items } of readPdf(bytes).pages) {
      expect(items.filter(({ artifact }) => !artifact).length).toBeGreaterThan(0);
      for (const { y } of items) expect(y).toBeGreaterThan(0);
      for (const { y } of items) expect(y).toBeLessThan(height);
    }
  });

  it('has contents after the first page whose numbers are the pages of the headings', () => {
    const entries = find(book.root, 'TOCI').map((item) => item.children.filter(isElement).find(({ tag }) => tag === 'Link')!);
    expect(entries.length).toBeGreaterThan(20);
    expect(pageOf(entries[0])).toBe(1);
    const headings = [...find(book.root, 'H1'), ...find(book.root, 'H2')];
    for (const entry of entries) {
      const [, title, number] = /^(.*?)…? (\d+)$/.exec(wordsOf(entry))!;
      const pages = headings.filter((heading) => wordsOf(heading).startsWith(title)).map((heading) => pageOf(heading) + 1);
      expect(pages, title).toContain(Number(number));
      expect(book.places.get(entry.link!.to)!.page + 1).toBe(Number(number));
    }
    expect(entries.filter((entry) => find(book.root, 'H1').some((heading) => wordsOf(heading) === wordsOf(entry).replace(/ \d+$/, ''))).length).toBeGreaterThanOrEqual(6);
  });

  it('leads nowhere that is not there, and says the page where it says one', () => {
    expect(linksOf(book).length).toBeGreaterThan(30);
    for (const link of linksOf(book)) {
      const place = book.places.get(link.link!.to);
      expect(place, `the place "${link.link!.to}" of "${wordsOf(link)}"`).toBeDefined();
      const said = /(?:page (\d+)|(\d+)쪽)$/.exec(wordsOf(link));
      if (said) expect(Number(said[1] ?? said[2])).toBe(place!.page + 1);
      for (const { page, box } of link.link!.areas) {
        expect(page).toBe(pageOf(link));
        expect(box.x + box.width).toBeLessThanOrEqual(book.sheet.width);
      }
    }
  });

  it('is the same bytes twice', async () => {
    expect(Buffer.compare(Buffer.from(bytes), Buffer.from(await writeReport(scriptedStudy(), options(lang, paper))))).toBe(0);
  });
});

describe('links', () => {
  it('lead from a result to its row of the phases, and from a guess to its row of the register', async () => {
    const book = await layReport(study, options('en', 'a4'));
    const places = linksOf(book).filter((link) => pageOf(link) === 0).map(({ link }) => link!.to);
    const [verdict] = study.verdicts.filter((own) => own.variant === variant && own.basis === 'counted');
    expect(places).toContain(`phase ${verdict.of} ${verdict.phase ?? ''}`);
    expect(places.some((place) => place.startsWith('guess '))).toBe(true);
    expect(places).toContain('register');
    expect(places).toContain('timeline');
  });

  it('are elements of the file that hold their annotation and say where they lead', async () => {
    const { dictionaries } = readPdf(await writeReport(study, options('en', 'a4')));
    const annotations = dictionaries.filter((dictionary) => dictionary.includes('/Subtype /Link'));
    const elements = dictionaries.filter((dictionary) => dictionary.includes('/S /Link\n'));
    expect(annotations.length).toBeGreaterThan(30);
    expect(elements.length).toBe(linksOf(await layReport(study, options('en', 'a4'))).length);
    for (const annotation of annotations) {
      expect(annotation).toMatch(/\/StructParent \d+/);
      // Text beyond Latin is in two bytes a letter.
      expect(annotation.replaceAll('\0', '')).toMatch(/\/Contents \([\s\S]*to page \d+\)/);
    }
    for (const element of elements) expect(element).toContain('/OBJR');
  });
});

describe('the file', () => {
  it('is marked as tagged, with a language, a title to show, bookmarks, and a summary of every table', async () => {
    const bytes = await writeReport(study, options('ko', 'letter'));
    const { dictionaries } = readPdf(bytes);
    const catalog = dictionaries.find((dictionary) => dictionary.includes('/Type /Catalog'))!;
    for (const key of ['/MarkInfo', '/StructTreeRoot', '/Lang (ko)', '/Outlines', '/ViewerPreferences']) expect(catalog).toContain(key);
    expect(dictionaries.some((dictionary) => dictionary.includes('/Marked true'))).toBe(true);
    const tables = dictionaries.filter((dictionary) => dictionary.includes('/S /Table\n'));
    expect(tables.length).toBeGreaterThan(5);
    for (const table of tables) expect(table).toContain('/Summary (');
    const heads = dictionaries.filter((dictionary) => dictionary.includes('/S /TH\n'));
    for (const head of heads) expect(head).toMatch(/\/Scope \/(Column|Row)/);
  });

  it('carries files whose hashes it prints', async () => {
    const bytes = await reportOf(study, { lang: 'en', variant, paper: 'a4' });
    const text = readPdf(bytes).pages.map((page) => page.text).join('\n');
    const files = filesIn(bytes);
    expect(files.map(({ name }) => name).sort()).toEqual(['events.csv', 'scripted-spike.yaml', 'study.json', 'ticks.csv']);
    for (const { name, content } of files) expect(text, name).toContain(createHash('sha256').update(content).digest('hex'));
    expect(JSON.parse(Buffer.from(files.find(({ name }) => name === 'study.json')!.content).toString('utf8'))).toMatchObject({ schema: study.schema });
  });

  it('says in the command how to get this paper again, and names the variant where there are several', async () => {
    expect(againCommand(study, { variant, lang: 'en', paper: 'letter' })).toMatch(/ --paper letter$/);
    expect(againCommand(study, { variant, lang: 'en', paper: 'a4' })).not.toContain('--paper');
    const run = study.runs[variant];
    const headers = async (of: Study): Promise<string[]> => readPdf(await writeReport(of, options('ko', 'a4'))).pages[0].items.filter(({ artifact }) => artifact).map(({ text }) => text);
    expect((await headers({ ...study, runs: { [variant]: run } })).join(' ')).not.toContain(variant);
    expect((await headers({ ...study, runs: { [variant]: run, other: { ...run, variant: 'other' } } })).join(' ')).toContain(`·  ${variant}`);
  });
});

describe('a missing glyph', () => {
  const messageOf = async (broken: Study): Promise<string> => {
    const error = await writeReport(broken, options('en', 'a4')).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(FaultreelError);
    return (error as FaultreelError).message;
  };

  it('is told with its part and heading', async () => {
    const message = await messageOf({ ...study, scenario: { ...study.scenario, limits: [{ en: 'To the moon 🚀', ko: '' }] } });
    expect(message).toMatch(/"🚀" \(U\+1F680\) in "To the moon 🚀.*" on page 1 of the report \(part "Objectives", under "What this run does not prove"\)/u);
  });

  it('is told with its table, row and column', async () => {
    const inputs = study.inputs.map((input) => (input.basis === 'assumed' ? { ...input, why: 'felt 🚀' } : input));
    expect(await messageOf({ ...study, inputs })).toMatch(/"felt 🚀" on page \d+ of the report \(part "Assumed and estimated", under "The register of guesses", table "The register of guesses", row 1, column "why this value"\)/u);
  });
});
