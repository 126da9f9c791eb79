import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { studyOf } from '../../src/analysis/index.js';
import { simulate } from '../../src/engine/index.js';
import { parseScenario } from '../../src/scenario/index.js';
import { settle } from '../../src/study/settle.js';
import type { Input, Lang, Study } from '../../src/study/types.js';
import { Canvas } from '../../renderers/look/drawing.js';
import { isElement, type Book, type Element, type Ink, type InkShape } from '../../renderers/pdf/book.js';
import { Flow, styles } from '../../renderers/pdf/flow.js';
import type { Paper } from '../../renderers/pdf/paper.js';
import { layReport } from '../../renderers/pdf/report.js';
import { drawTable } from '../../renderers/pdf/table.js';
import { valueGroups } from '../../renderers/pdf/value-groups.js';
import { scriptedStudy } from '../support/scripted-study.js';

const isTitle = ({ tag }: Element): boolean => tag === 'H1' || tag === 'H2' || tag === 'H3';
interface Block {
  readonly page: number;
  readonly lowest: number;
  readonly isTitle: boolean;
}
const lowestOf = (shapes: readonly InkShape[]): number => Math.max(...shapes.map((shape: InkShape): number => ('shapes' in shape ? lowestOf(shape.shapes) : shape.kind === 'text' ? shape.y : -Infinity)));
/** Every piece of what is read, with the line that its text reaches down to; of a figure, its lower edge. */
const blocksOf = (element: Element, inTitle = false): Block[] => {
  const ofTitle = inTitle || isTitle(element);
  if (element.box) return inksOf(element).slice(0, 1).map(({ page }) => ({ page, lowest: element.box!.y + element.box!.height, isTitle: ofTitle }));
  return element.children.flatMap((child) => (isElement(child) ? blocksOf(child, ofTitle) : [{ page: child.page, lowest: lowestOf(child.shapes) + (child.at?.y ?? 0), isTitle: ofTitle }]));
};
const inksOf = (element: Element): Ink[] => element.children.flatMap((child) => (isElement(child) ? inksOf(child) : [child]));

/** Pages of titles under which what they are the title of does not begin; the words beside a title do not count. */
const lonely = ({ root }: Pick<Book, 'root'>): number[] => {
  const blocks = blocksOf(root).filter(({ lowest }) => Number.isFinite(lowest));
  return blocks.flatMap((title, index) => {
    if (!title.isTitle) return [];
    const next = blocks.slice(index + 1).find(({ page, lowest }) => page !== title.page || Math.abs(lowest - title.lowest) > 0.01);
    return next?.page === title.page && next.lowest > title.lowest ? [] : [title.page + 1];
  });
};

const read = (file: string, edit = (yaml: string): string => yaml): Study => {
  const yaml = edit(readFileSync(path.resolve(import.meta.dirname, '../..', file), 'utf8'));
  const parsed = parseScenario(yaml, { file });
  return settle(studyOf(parsed, parsed.variants.map((system) => simulate(system)), { toolVersion: '0.0.0', sha256: 'ab'.repeat(32), seeds: [parsed.variants[0].seed], set: [] }));
};

const studies: Readonly<Record<string, () => Study>> = {
  'the scripted spike': scriptedStudy,
  'a run with fourteen limits': () => read('test/support/short.yaml', (yaml) => yaml.replace('[This is a test.]', `[${Array.from({ length: 14 }, (_, i) => `"Limit ${i + 1} ${'says what else this leaves open '.repeat(4)}."`).join(', ')}]`)),
  ...Object.fromEntries(['test/support/short.yaml', 'scenarios/first-version/hot-row.yaml', 'scenarios/one-box/blue-green.yaml', 'scenarios/pod-latency/blocked-partner.yaml', 'scenarios/one-box/state-in-one-process.yaml', 'scenarios/order-api/recovery.yaml'].map((file) => [file, () => read(file)])),
};

describe('no title stands apart from what it is the title of', () => {
  it.each(Object.entries(studies))('in the report of %s', async (_, make) => {
    const study = make();
    for (const paper of ['a4', 'letter'] as const) {
      for (const lang of ['en', 'ko'] as const) expect(lonely(await layReport(study, { lang, paper, command: 'faultreel run x.yaml', attachments: [] })), `${paper} ${lang}`).toEqual([]);
    }
  }, 60_000);

  const blocks: Readonly<Record<string, (flow: Flow) => void>> = {
    'a paragraph': (flow) => flow.paragraph('word '.repeat(80)),
    'a paragraph of more than ten lines': (flow) => flow.paragraph('word '.repeat(280)),
    'a paragraph that is longer than a page': (flow) => flow.paragraph('word '.repeat(2000), styles.lead),
    'a table': (flow) => drawTable(flow, { title: 'Rows', empty: '', columns: [{ title: 'a', width: 100 }], rows: Array.from({ length: 9 }, () => ['word '.repeat(40)]) }),
    'a table without rows': (flow) => drawTable(flow, { title: 'Rows', empty: 'None.', columns: [{ title: 'a', width: 100 }], rows: [] }),
    'a figure': (flow) => flow.drawing(new Canvas(400, 300, { fill: '#000', size: 8 }).drawing(), 'A figure'),
    'a title and a paragraph': (flow) => {
      flow.h2('Another one', 'with words');
      flow.paragraph('word');
    },
    'a band with a figure': (flow) => flow.band('counted', '', () => flow.drawing(new Canvas(400, 120, { fill: '#000', size: 8 }).drawing(), 'A figure')),
    'values in three columns': (flow) => valueGroups(flow, Array.from({ length: 300 }, (_, i): Input => ({ path: `values.some-name-${i}`, value: i % 7, unit: 'count', basis: 'assumed', setting: false }))),
    'columns': (flow) => flow.beside(90, [() => flow.paragraph('word'), () => flow.paragraph('word')]),
    'columns of which one is long': (flow) => flow.beside(44, [() => flow.paragraph('word'), () => flow.paragraph('word '.repeat(300))]),
  };
  const filled = (left: number, lang: Lang = 'en', paper: Paper = 'letter'): Flow => {
    const flow = new Flow(lang, paper);
    flow.paragraph('text');
    flow.space(flow.left - left);
    return flow;
  };

  it.each(Object.entries(blocks))('before %s, however much of the page is left', (_, draw) => {
    for (let left = 1; left < 340; left += 3) {
      for (const title of ['h1', 'h2', 'h3'] as const) {
        const flow = filled(left);
        flow[title]('A title');
        draw(flow);
        expect(lonely(flow), `${title}, ${left} pt left`).toEqual([]);
        const titles = flow.root.children.filter(isElement).filter(isTitle);
        expect(new Set(titles.flatMap(inksOf).map(({ page }) => page)).size).toBe(1);
        expect(flow.bookmarks.every(({ page }) => page === inksOf(titles[0])[0].page)).toBe(true);
        expect(flow.bookmarks.length).toBe(titles.filter(({ tag }) => tag !== 'H3').length);
      }
    }
  });

  it('and a title that is all of its page stays there before what has no room under it', () => {
    const flow = new Flow('en');
    flow.h2('A title');
    flow.drawing(new Canvas(400, flow.height, { fill: '#000', size: 8 }).drawing(), 'A figure');
    flow.paragraph('after', styles.body);
    expect(flow.bookmarks[0].page).toBe(0);
    expect(flow.page).toBe(2);
  });
});
