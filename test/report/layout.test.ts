import { describe, expect, it } from 'vitest';
import { isElement, type Book, type Element, type Ink } from '../../renderers/pdf/book.js';
import { Flow, styles } from '../../renderers/pdf/flow.js';
import { textsOf, wordsOf } from '../../renderers/pdf/glyph-check.js';
import { bold, breakLines, clean, judged, linkTo, markedOnce, plainText, say, withoutMarks } from '../../renderers/pdf/rich.js';
import type { Paper } from '../../renderers/pdf/paper.js';
import { drawTable, tableHeight, type Table } from '../../renderers/pdf/table.js';
import { writeBook } from '../../renderers/pdf/write-book.js';
import { shorten } from '../../renderers/look/shorten.js';
import { textWidth } from '../../renderers/look/text-width.js';
import { readPdf } from '../support/pdf-text.js';

const rowsTable = (rows: readonly (readonly string[])[]): Table => ({ title: 'Rows', empty: 'None at all.', columns: [{ title: 'a', width: 120 }, { title: 'b', width: 300 }], rows });
const tableOf = (rows: readonly (readonly string[])[], lang: 'en' | 'ko' = 'en', paper: Paper = 'a4'): Flow => {
  const flow = new Flow(lang, paper);
  drawTable(flow, rowsTable(rows));
  return flow;
};
/** Of a row of one line. */
const rowHeight = tableHeight(rowsTable([['a', 'b']])) - tableHeight(rowsTable([]));
/** Heights of the rules on a page: one under each row. */
const rulesOf = ({ artifacts }: Flow, page: number): number[] => artifacts.filter((ink) => ink.page === page).flatMap(({ shapes }) => shapes.flatMap((shape) => (shape.kind === 'path' ? [Number(/^M[\d.]+ ([\d.]+)L/.exec(shape.d)![1])] : [])));
const inksOf = (element: Element): Ink[] => element.children.flatMap((child) => (isElement(child) ? inksOf(child) : [child]));
const find = (element: Element, tag: string): Element[] => [...(element.tag === tag ? [element] : []), ...element.children.filter(isElement).flatMap((child) => find(child, tag))];
const artifactTexts = (flow: Flow): string[] => flow.artifacts.flatMap(({ shapes }) => textsOf(shapes));

describe('tables', () => {
  it.each([0, 1, 3, 120, 2000])('with %i rows fill every page but the last', (count) => {
    const flow = tableOf(Array.from({ length: count }, (_, i) => [`row ${i}`, 'text']));
    expect(find(flow.root, 'TR').length).toBe(1 + Math.max(1, count));
    const ends = Array.from({ length: flow.page + 1 }, (_, page) => Math.max(...rulesOf(flow, page)));
    for (const end of ends) expect(end).toBeLessThanOrEqual(flow.bottom);
    for (const end of ends.slice(0, -1)) expect(end + rowHeight).toBeGreaterThan(flow.bottom);
    expect(flow.page > 0).toBe(count * rowHeight > flow.height);
  });

  it.each([0, 1, 3, 120, 2000])('with %i rows have text on each page of a file on Letter', async (count) => {
    const flow = tableOf(Array.from({ length: count }, (_, i) => [`row ${i}`, 'text']), 'en', 'letter');
    const book: Book = { lang: 'en', title: 'Rows', subject: 'Rows', sheet: flow.sheet, pages: flow.page + 1, root: flow.root, artifacts: flow.artifacts, bookmarks: [], places: flow.places, attachments: [] };
    const read = readPdf(await writeBook(book));
    expect(read.pages.length).toBe(flow.page + 1);
    for (const { items } of read.pages) expect(items.some(({ artifact }) => !artifact)).toBe(true);
    expect(read.pages.flatMap(({ items }) => items).filter(({ text, artifact }) => !artifact && text.startsWith('row ')).length).toBe(count);
  }, 30_000);

  it('say that there is nothing, instead of nothing', () => {
    expect(inksOf(tableOf([]).root).flatMap(({ shapes }) => textsOf(shapes))).toContain('None at all.');
  });

  it('never split a row, whatever its height', () => {
    const flow = tableOf(Array.from({ length: 80 }, (_, i) => [`row ${i}`, 'word '.repeat((i * 7) % 90)]));
    const rows = find(flow.root, 'TR');
    expect(flow.page).toBeGreaterThan(2);
    for (const row of rows) expect(new Set(inksOf(row).map(({ page }) => page)).size).toBeLessThanOrEqual(1);
    const lowest = Math.max(...inksOf(flow.root).flatMap(({ shapes }) => shapes.map((shape) => (shape.kind === 'text' ? shape.y : 0))));
    expect(lowest).toBeLessThanOrEqual(flow.bottom);
  });

  it('repeat their head on every further page, with the word for continued', () => {
    const rows = Array.from({ length: 120 }, (_, i) => [`row ${i}`, 'text']);
    expect(artifactTexts(tableOf(rows)).filter((text) => text === ' (continued)').length).toBe(2);
    expect(artifactTexts(tableOf(rows)).filter((text) => text === 'b').length).toBe(2);
    expect(artifactTexts(tableOf(rows, 'ko')).filter((text) => text === ' (계속)').length).toBe(2);
  });

  it('cut a row that is taller than a page, and say so with an ellipsis', () => {
    const flow = tableOf([['short', 'word '.repeat(9000)], ['next', 'text']]);
    const texts = inksOf(flow.root).flatMap(({ shapes }) => textsOf(shapes));
    expect(texts).toContain('…');
    expect(texts).toContain('next');
    expect(flow.y).toBeLessThanOrEqual(flow.bottom);
  });
});

describe('links', () => {
  it('become elements of their own, one for a link over two lines, and leave the words as they were', () => {
    const flow = new Flow('en');
    flow.paragraph(`before ${linkTo('there', 'a link that is so long that it takes two lines')} after.`, styles.body, 'P', { width: 120 });
    const [paragraph] = find(flow.root, 'P');
    const [link] = find(flow.root, 'Link');
    expect(find(flow.root, 'Link').length).toBe(1);
    expect(link.link!.to).toBe('there');
    expect(link.link!.areas.length).toBe(2);
    expect(wordsOf(link)).toBe('a link that is so long that it takes two lines');
    expect(wordsOf(paragraph)).toBe('before a link that is so long that it takes two lines after.');
    expect(plainText(linkTo('there', 'words'))).toBe('words');
  });

  it('cannot be forged by a scenario’s text', () => {
    const flow = new Flow('en');
    flow.paragraph(clean('\u0011there\u001Ewords\u0012'));
    expect(find(flow.root, 'Link')).toEqual([]);
  });

  it('lead to where what they name is drawn, also when the page turns after the name', () => {
    const flow = new Flow('en');
    flow.paragraph('text');
    flow.space(flow.left - 20);
    flow.anchor('heading');
    flow.h2('A heading');
    drawTable(flow, { title: 'Rows', empty: '', columns: [{ title: 'a', width: 100 }], rows: Array.from({ length: 120 }, (_, i) => [`row ${i}`]), places: Array.from({ length: 120 }, (_, i) => [`row ${i}`]) });
    expect(flow.places.get('heading')).toEqual({ page: 1, y: 54 });
    const rows = find(flow.root, 'TR').slice(1);
    rows.forEach((row, index) => expect(flow.places.get(`row ${index}`)!.page).toBe(inksOf(row)[0].page));
    expect(flow.places.get('row 119')!.page).toBe(3);
  });
});

describe('flow', () => {
  it('leaves no page empty, however often it is turned', () => {
    const flow = new Flow('en');
    flow.turn();
    flow.turn();
    flow.paragraph('text');
    flow.turn();
    flow.turn();
    flow.paragraph('text');
    expect(flow.page).toBe(1);
  });

  describe('sets columns', () => {
    const lines = (element: Element): { page: number; x: number; y: number }[] => inksOf(element).flatMap(({ page, shapes }) => shapes.flatMap((shape) => (shape.kind === 'text' ? [{ page, x: shape.x, y: shape.y }] : [])));
    const placeOf = ({ page, y }: { page: number; y: number }): number => page * 10_000 + y;
    /** A report whose columns are of so many words, with so much left of the page. */
    const laid = (left: number, words: readonly number[]): { flow: Flow; columns: { page: number; x: number; y: number }[][]; after: { page: number; y: number } } => {
      const flow = new Flow('en', 'letter');
      flow.paragraph('text');
      flow.space(flow.left - left);
      const body = (count: number, index: number): void => {
        flow.anchor(`column ${index}`);
        flow.h2('A heading');
        flow.paragraph('word '.repeat(count), styles.note);
      };
      flow.beside(44, words.map((count, index) => () => (index === 0 ? flow.band('guessed', '', () => body(count, index)) : body(count, index))));
      flow.paragraph('after');
      const heads = find(flow.root, 'H2');
      const texts = find(flow.root, 'P').slice(1);
      expect([heads.length, texts.length, flow.bookmarks.length]).toEqual([words.length, words.length + 1, words.length]);
      heads.forEach((head, index) => expect([flow.places.get(`column ${index}`)?.page, flow.bookmarks[index].page]).toEqual([lines(head)[0].page, lines(head)[0].page]));
      return { flow, columns: heads.map((head, index) => [...lines(head), ...lines(texts[index])]), after: lines(texts.at(-1)!)[0] };
    };

    it.each([[20, 20], [20, 500], [500, 20], [500, 700], [30, 2500], [20, 90, 300]])('of %i and %i words beside each other or one under the other, and goes on right below them', (...words) => {
      let beside = 0;
      for (let left = 5; left < 640; left += 9) {
        const { flow, columns, after } = laid(left, words);
        const [firsts, ends] = [columns.map((column) => column[0]), columns.map((column) => Math.max(...column.map(placeOf)))];
        if (new Set(firsts.map(({ x }) => x)).size > 1) {
          beside++;
          expect(new Set(firsts.map(placeOf)).size, `${left} pt left`).toBe(1);
          expect(new Set(columns.flat().map(({ page }) => page)).size, `${left} pt left`).toBe(1);
        } else firsts.slice(1).forEach((first, index) => expect(placeOf(first), `${left} pt left`).toBeGreaterThan(ends[index]));
        const end = Math.max(...ends);
        const [page, y] = [Math.floor(end / 10_000), end % 10_000];
        expect(after.page === page ? after.y - y : flow.bottom - y, `${left} pt left`).toBeLessThan(20);
        expect(placeOf(after)).toBeGreaterThan(end);
        const bands = flow.artifacts.map((artifact) => JSON.stringify(artifact));
        expect(new Set(bands).size).toBe(bands.length);
      }
      expect(beside > 0).toBe(Math.max(...words) < 2500);
    });

    it('under a title that goes along with them', () => {
      for (let left = 5; left < 300; left += 5) {
        const flow = new Flow('en');
        flow.paragraph('text');
        flow.space(flow.left - left);
        flow.h2('A title');
        flow.beside(44, [() => flow.paragraph('word'), () => flow.paragraph('word '.repeat(300))]);
        const [first] = lines(find(flow.root, 'P')[1]);
        expect([find(flow.root, 'H2').length, flow.bookmarks.length]).toEqual([1, 1]);
        expect(lines(find(flow.root, 'H2')[0])[0].page, `${left} pt left`).toBe(first.page);
      }
    });
  });

  it('draws a band on every page that its part reaches', () => {
    const flow = new Flow('en');
    flow.band('guessed', 'GUESSED', () => flow.paragraph('word '.repeat(4000), styles.body));
    const banded = flow.artifacts.filter(({ shapes }) => shapes.some((shape) => shape.kind === 'rect' && typeof shape.fill === 'object'));
    expect(banded.map(({ page }) => page)).toEqual(Array.from({ length: flow.page + 1 }, (_, page) => page));
  });
});

describe('lines', () => {
  const style = { size: 8 };
  const texts = (markup: string, width: number): string[] => breakLines(markup, width, style).map(({ atoms }) => atoms.map((atom) => ('mark' in atom ? '¤' : atom.text)).join('').trim());

  it('break Hangul between words only', () => {
    const sentence = '오토스케일러는 증설을 결정했고, 첫 새 인스턴스는 부팅을 마쳤습니다.';
    const lines = texts(sentence, 60);
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.join(' ')).toBe(sentence);
  });

  it.each([30, 44, 60, 90, 140])('break Hangul between words only, at %i points, and cut a word only where it is wider than that', (width) => {
    const sentence = '오토스케일러는 증설을 결정했고, 첫 새 인스턴스는 부팅을 마쳤습니다. 요청이 기다리기 시작합니다.';
    const pieces = texts(sentence, width);
    let at = 0;
    for (const piece of pieces) {
      const from = sentence.indexOf(piece, at);
      expect(from, piece).toBeGreaterThanOrEqual(at);
      at = from + piece.length;
      const word = sentence.split(' ').find((own) => sentence.indexOf(own) < at && sentence.indexOf(own) + own.length > at);
      if (at < sentence.length && sentence[at] !== ' ') expect(textWidth(word ?? '', style.size), word).toBeGreaterThan(width);
    }
    expect(pieces.join('').replaceAll(' ', '')).toBe(sentence.replaceAll(' ', ''));
  });

  it('break Hangul between words in the cells of a table too', () => {
    const flow = new Flow('ko', 'letter');
    const sentence = '요청이 기다리기 시작하고, 대기열이 차면 거부됩니다.';
    drawTable(flow, { title: '표', empty: '없음', columns: [{ title: '가', width: 60 }, { title: '나', width: 70 }], rows: [[sentence, sentence]] });
    const cells = [...find(flow.root, 'TD'), ...find(flow.root, 'TH').slice(2)];
    expect(cells.length).toBe(2);
    for (const cell of cells) {
      const lines = inksOf(cell).flatMap(({ shapes }) => textsOf(shapes)).map((line) => line.trim());
      expect(lines.length).toBeGreaterThan(2);
      expect(lines.join(' ')).toBe(sentence);
    }
  });

  it('keep a mark, its number and its unit together', () => {
    const lines = texts(`of ${say('473 ms', 'counted')} at ${say('3 min', 'assumed')}`, 46);
    expect(lines).toEqual(['of ¤473\u00A0ms', 'at ¤≈3\u00A0min']);
  });

  it('carry one mark a sentence where all its figures are of one basis, and one at each figure where not', () => {
    const once = (markup: string): string => texts(markedOnce(markup), 900).join(' ');
    expect(once(`Of ${say('12', 'counted')} requests, ${say('9', 'counted')} were good. It asked at ${say('04:15', 'estimated')}.`)).toBe('¤Of 12 requests, 9 were good. ¤It asked at ≈04:15.');
    expect(once(`${bold('api')} had ${say('12', 'counted')} of ${say('1.5 s', 'estimated')}. Nothing else.`)).toBe('api had ¤12 of ¤≈1.5\u00A0s. Nothing else.');
    expect(once('No figure here. None there.')).toBe('No figure here. None there.');
    expect(withoutMarks(`at ${say('04:04', 'estimated')}.`)).toBe('at ≈04:04.');
  });

  it('stay within their width, paths included', () => {
    const path = 'services.order-api.to.orders-db.pool.handshake.callerCpu';
    for (const line of breakLines(`see ${path} there`, 90, style)) expect(line.width).toBeLessThanOrEqual(90);
    expect(texts(path, 90).join('')).toBe(path);
    expect(texts(path, 90).slice(0, -1).every((line) => /[.\-_]$/.test(line))).toBe(true);
  });

  it('cannot be forged by a scenario’s text', () => {
    const evil = clean('\u0002measured\u001F42\u0003 \u000Eb\u202Ebold\n\tend');
    expect(plainText(evil)).toBe('measured42 bbold end');
    expect(breakLines(evil, 400, style)[0].atoms.every((atom) => 'text' in atom && atom.weight === 400)).toBe(true);
  });

  it('carry weight, verdict and sign', () => {
    const [line] = breakLines(`${bold('thick')} thin ${judged(false, 'broken')}`, 400, style);
    expect(line.atoms.map((atom) => ('mark' in atom ? atom.mark : `${atom.text.trim()} ${atom.weight}`))).toEqual(['thick 700', 'thin 400', 'broken', 'broken 700']);
  });

  it('are shortened with an ellipsis that fits', () => {
    const text = shorten('a long title of a scenario', 60, 8);
    expect(text.endsWith('…')).toBe(true);
    expect(textWidth(text, 8)).toBeLessThanOrEqual(60);
    expect(shorten('short', 60, 8)).toBe('short');
  });
});
