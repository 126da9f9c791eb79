import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { main } from '../../src/cli/program.js';
import { readStudy } from '../../src/study/read.js';
import type { Lang, Study } from '../../src/study/types.js';
import { isElement, type Book, type Element, type InkShape } from '../../renderers/pdf/book.js';
import { Flow } from '../../renderers/pdf/flow.js';
import { partsOf } from '../../renderers/pdf/prose.js';
import { layReport } from '../../renderers/pdf/report.js';
import { bold, markOnly, say } from '../../renderers/pdf/rich.js';
import { drawTable } from '../../renderers/pdf/table.js';
import { writeBook } from '../../renderers/pdf/write-book.js';
import { markName } from '../../renderers/look/figure.js';
import { reportWords } from '../../src/text/report.js';
import { testHost } from '../support/host.js';
import { readPdf } from '../support/pdf-text.js';
import { scriptedStudy } from '../support/scripted-study.js';
import { scenario } from '../support/simulated.js';

/** A study with everything that can be tried. */
const tried = async (text: string, options: string): Promise<Study> => {
  const host = testHost(`run shop.yaml --only text --json --threads 1 ${options}`.split(' '));
  writeFileSync(path.join(host.cwd, 'shop.yaml'), text);
  expect(await main(host), host.written.stderr()).toBe(0);
  return readStudy(host.written.stdout(), 'stdout');
};

const short = readFileSync(path.resolve(import.meta.dirname, '../support/short.yaml'), 'utf8');
const stairs = scenario(`
duration: 30s
services: { app: { cpus: 1, slots: 1, handlers: { ask: [{ cpu: { assumed: 60ms, cv: 0, range: [10ms, 90ms], why: a guess } }] } } }
traffic: { users: { to: app, send: ask, open: { arrivals: even, rate: { stairs: [5/s, 30/s], each: 10s, gap: 5s } } } }
faults: { away: { at: 20s, for: 3s, target: app, crash: true } }
objectives: { quick: { of: users, p95: "<= 200ms", in: each } }
variants: { as-it-is: {}, faster: { services.app.handlers.ask.0.cpu.assumed: 20ms } }
claims: { busy: { of: app, cpu: "0.3 ± 20%", in: users-5, says: a third of a core } }`);
const box = scenario(`
duration: 20s
hosts: { box: { cpus: 2, memory: 2GiB } }
services:
  app:
    host: box
    slots: 20
    memory: { base: { assumed: 200MiB, range: [100MiB, 300MiB], why: a guess } }
    handlers: { join: [{ cpu: { assumed: 12ms, cv: 0, range: [6ms, 80ms], why: a guess } }, { call: db.write }] }
    to: { db: { pool: { max: 2 } } }
  db: { host: box, memory: { base: 300MiB }, handlers: { write: [{ wait: { assumed: 30ms, cv: 0, why: a guess } }] } }
traffic: { joins: { to: app, send: join, open: { rate: 50/s } } }
phases: { calm: [0s, 10s], end: [10s, 20s] }
objectives: { quick: { of: joins, p95: "<= 100ms", in: [calm, end] }, steady: { of: joins, mean: "<= 2x", vs: { in: calm }, in: end } }`);

const studies: Readonly<Record<string, () => Study | Promise<Study>>> = {
  'the scripted spike': scriptedStudy,
  'a shop with seeds, ends of ranges and a sweep': () => tried(short, '--seeds 6 --sensitivity ends --sweep values.normal=5/s..40/s:4'),
  'stairs with a fault and few seeds': () => tried(stairs, '--seeds 3 --sensitivity all'),
  'a box with a pool': () => tried(box, '--sensitivity ends --sweep services.app.slots=4..40:3'),
};

const laid = (study: Study, lang: Lang): Promise<Book> => layReport(study, { lang, command: 'faultreel run shop.yaml --seeds 6', attachments: [{ name: 'shop.yaml', bytes: new Uint8Array(9), description: 'The scenario' }] });

const sign = '¤';
/** The words of an element in their order, with a sign for every mark. */
const signed = (element: Element): string => element.children.map((child) => (isElement(child) ? signed(child) : shapesText(child.shapes))).join(' ').replace(/[\s\u00A0]+/g, ' ').trim();
const shapesText = (shapes: readonly InkShape[]): string => shapes.map((shape: InkShape): string => {
  if (shape.kind === 'mark') return `${sign}${shapesText(shape.shapes)}`;
  if (shape.kind === 'link' || shape.kind === 'group') return shapesText(shape.shapes);
  return shape.kind === 'text' ? shape.runs.map(({ text }) => text).join('') : '';
}).join(' ');

/** Numbers that are none of the study's: constants of the method, as the prose of the report says them. */
const constants: Readonly<Record<Lang, readonly RegExp[]>> = {
  en: [/last 10 s/g, /3 of 5 ticks/g, /100% means/g, /95% interval/g, /with 95%/g, /within 5%/g, /--seeds 10/g],
  ko: [/(직전|최근) 10초/g, /5틱 중 3틱/g, /100%는/g, /95% 구간/g, /95% 수준/g, /5% 이내/g, /시드가 6개보다/g, /--seeds 10/g],
};
const instructions = (lang: Lang): string[] => partsOf(readFileSync(new URL(`../../templates/report/${lang}/measure.hbs`, import.meta.url), 'utf8')).map(([, text]) => text);

/** What the report quotes: names and words of the scenario. */
const quoted = ({ scenario: { title, limits }, inputs, claims }: Study, lang: Lang): string[] =>
  [title[lang], ...limits.map((limit) => limit[lang]), ...inputs.flatMap(({ why, from }) => [why ?? '', from ?? '']), ...claims.flatMap(({ claim, says, from }) => [claim, says?.[lang] ?? '', from ?? ''])].map((text) => text.replace(/\s+/g, ' ').trim()).filter((text) => /\d/.test(text)).sort((a, b) => b.length - a.length);

/** A text without page numbers, seeds, times of axes, names, quotes and constants. */
const figuresLeft = (text: string, study: Study | null, lang: Lang): string => {
  const whole = [...(study ? quoted(study, lang) : []), ...instructions(lang)].reduce((rest, quote) => rest.replaceAll(quote, ''), text);
  return [...constants[lang], /(?:page|seed|시드) ?\d+/g, /faultreel \d+\.\d+\.\d+/g, /\d+쪽/g, /#\d+/g, /[A-Za-z_][\w.-]*\d[\w.-]*/g].reduce((rest, pattern) => rest.replace(pattern, ''), whole);
};

/** Every place with a digit that no mark covers: none in its sentence, cell, head of its row or column, or title. */
const bareFigures = (root: Element, study: Study | null, lang: Lang): string[] => {
  const bare: string[] = [];
  const exempt = new Set([reportWords[lang].title.versions, reportWords[lang].title.attachments]);
  const isBare = (text: string): boolean => !text.includes(sign) && /\d/.test(figuresLeft(text, study, lang));
  let [heading, isTitled, isUnderHeading, isCommand] = ['', false, false, false];
  const walkTable = (table: Element): void => {
    if (exempt.has(table.title ?? '') || isTitled) return;
    const [head, body] = table.children.filter(isElement).map(({ children }) => children.filter(isElement));
    const columns = head[0].children.filter(isElement).map(signed);
    for (const row of body) {
      const cells = row.children.filter(isElement).map(signed);
      if (cells[0]?.includes(sign)) continue;
      cells.forEach((cell, index) => {
        if (!columns[index]?.includes(sign) && isBare(cell)) bare.push(`${heading} | ${columns[index]}: ${cell}`);
      });
    }
  };
  const walk = (element: Element): void => {
    const text = signed(element);
    if (element.tag === 'TOC' || element.tag === 'H1') return;
    if (element.tag === 'Table') return walkTable(element);
    if (element.tag === 'H2') [heading, isTitled, isUnderHeading, isCommand] = [text, text.includes(sign), true, text === reportWords[lang].title.command];
    else if (element.tag === 'P' || element.tag === 'H3') {
      // The words right under a heading belong to it, and a line that begins with a time is a row.
      if (isUnderHeading && text.includes(sign)) isTitled = true;
      const isRow = new RegExp(`^(?:[A-Z] )?${sign} ?≈?\\d+:\\d\\d`).test(text);
      if (!isRow && !isCommand) bare.push(...text.split(/(?<=[.!?]) +/).filter(isBare).map((sentence) => `${heading} | ${sentence}`));
      [isUnderHeading, isCommand] = [false, false];
    } else if (element.tag === 'Figure') {
      if (!isTitled && isBare(text.replace(/\d+:\d\d/g, ''))) bare.push(`${heading} | figure: ${text.slice(0, 200)}`);
      isUnderHeading = false;
    } else element.children.filter(isElement).forEach(walk);
  };
  walk(root);
  return bare;
};

describe('a figure without a mark', () => {
  const found = (draw: (flow: Flow) => void): string[] => {
    const flow = new Flow('en');
    draw(flow);
    return bareFigures(flow.root, null, 'en');
  };
  const table = (rows: readonly (readonly string[])[], mark?: 'counted') => (flow: Flow): void => drawTable(flow, { title: 'Rows', empty: '', columns: [{ title: 'a', width: 90 }, { title: 'b', width: 90, ...(mark && { mark }) }], rows });

  it('is found in a sentence, whatever stands in the next one', () => {
    expect(found((flow) => flow.paragraph(`It took 12 s. Then ${say('3', 'counted')} failed.`))).toHaveLength(1);
    expect(found((flow) => flow.paragraph(`It took ${say('12 s', 'estimated')}. Then ${say('3', 'counted')} failed, p95 of api #2 (page 4).`))).toEqual([]);
  });

  it('is found in a cell, unless the cell, the head of its row or column, or the title has the mark', () => {
    expect(found(table([['x', '12']]))).toEqual([' | b: 12']);
    for (const rows of [[['x', say('12', 'spec')]], [[`${markOnly('assumed')}x`, '12']]]) expect(found(table(rows))).toEqual([]);
    expect(found(table([['x', '12']], 'counted'))).toEqual([]);
    expect(found((flow) => {
      flow.h2(`${markOnly('counted')}Rows`);
      table([['x', bold('12')]])(flow);
    })).toEqual([]);
  });

  it('is found under a heading', () => {
    expect(found((flow) => flow.h2('Rows', '12 of them'))).toHaveLength(1);
    expect(found((flow) => flow.h2('Rows', `${say('12', 'counted')} of them`))).toEqual([]);
  });
});

describe.each(Object.entries(studies))('the report of %s', (_, make) => {
  it('has no figure without a mark, in both languages', async () => {
    const study = await make();
    for (const lang of ['en', 'ko'] as const) expect(bareFigures((await laid(study, lang)).root, study, lang), lang).toEqual([]);
  }, 180_000);
});

describe('the file of a report', () => {
  /** Marks and words of each page, in the order in which they are read. */
  const ofBook = (book: Book): string[] => Array.from({ length: book.pages }, (_, page) => {
    const collect = (element: Element): string => element.children.map((child) => (isElement(child) ? collect(child) : child.page === page ? spoken(child.shapes) : '')).join('');
    const spoken = (shapes: readonly InkShape[]): string => shapes.map((shape: InkShape): string => {
      if (shape.kind === 'mark') return `[${markName(shape.mark, book.lang)}]`;
      if (shape.kind === 'link' || shape.kind === 'group') return spoken(shape.shapes);
      return shape.kind === 'text' ? shape.runs.map(({ text }) => text).join('') : '';
    }).join('');
    return collect(book.root).replace(/\s+/g, '');
  });

  it.each(['en', 'ko'] as const)('has the marks and words that were laid, each mark before its figure (%s)', async (lang) => {
    const book = await laid(scriptedStudy(), lang);
    const { pages } = readPdf(await writeBook(book));
    const read = pages.map(({ items }) => items.filter(({ artifact }) => !artifact).map(({ text, mark }) => `${mark === null || !markNames(lang).has(mark) ? '' : `[${mark}]`}${text}`).join('').replace(/\s+/g, ''));
    const bookPages = ofBook(book);
    read.forEach((text, page) => expect(text, `page ${page + 1}`).toBe(bookPages[page]));
  }, 60_000);
});

const markNames = (lang: Lang): ReadonlySet<string> => new Set((['measured', 'spec', 'chosen', 'assumed', 'default', 'counted', 'estimated'] as const).map((mark) => markName(mark, lang)));
