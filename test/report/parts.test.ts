import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { measureKind } from '../../renderers/pdf/how-to-measure.js';
import { keyEvents } from '../../renderers/pdf/key-events.js';
import { loadProse, partsOf } from '../../renderers/pdf/prose.js';
import { writeBook } from '../../renderers/pdf/write-book.js';
import { Canvas } from '../../renderers/look/drawing.js';
import type { Input, LoggedEvent } from '../../src/study/types.js';
import { readPdf } from '../support/pdf-text.js';

describe('prose', () => {
  const parts = (lang: string, file: string): [string, string][] => partsOf(readFileSync(new URL(`../../templates/report/${lang}/${file}.hbs`, import.meta.url), 'utf8'));

  it.each(['verdict', 'sections', 'measure'])('has the same parts of %s in both languages, and names the same facts', (file) => {
    const [en, ko] = [parts('en', file), parts('ko', file)];
    expect(en.length).toBeGreaterThan(7);
    expect(ko.map(([name]) => name)).toEqual(en.map(([name]) => name));
    const facts = (text: string): string[] => [...new Set([...text.matchAll(/\{\{(?:#if )?([\w.]+)\}\}/g)].map((match) => match[1]))].filter((name) => !/^(else|ejectionsTimes|oomsKills|one)$/.test(name)).sort();
    en.forEach(([name, text], index) => expect(facts(ko[index][1]), name).toEqual(facts(text)));
  });

  it('says one line, without gaps where something is left out', async () => {
    const prose = await loadProse('en');
    const text = prose('verdict', 'why', { breaks: true, objective: 'availability', condition: 'c', breaksAt: '04:08', offered: '1', offeredPerS: '2/s', good: '3', goodPerS: '4/s', share: '5%' });
    expect(text).toContain('is broken from 04:08 on.');
    expect(text).not.toMatch(/\n| {2}|undefined/);
  });

  it('refuses a part that no template has', async () => {
    const prose = await loadProse('ko');
    expect(() => prose('verdict', 'nothing')).toThrow('no part nothing');
  });
});

describe('how to measure', () => {
  const input = (path: string, unit: Input['unit'] = 'ms'): Input => ({ path, unit, value: 1, basis: 'assumed', setting: false });
  const text = 'services:\n  api:\n    memory: { base: 1GiB, perRequest: $order-size, leakPerRequest: $drip }\n    handlers: { a: [{ wait: $pause }, { cpu: $work }] }\n';

  it('goes by the key under which a value stands', () => {
    expect(measureKind(input('services.api.handlers.a.0.wait'), text)).toBe('wait');
    expect(measureKind(input('services.api.to.db.latency'), text)).toBe('latency');
    expect(measureKind(input('services.api.autoscale.boot'), text)).toBe('boot');
  });

  it('goes by the key that uses a named value', () => {
    expect(['order-size', 'drip', 'pause', 'work'].map((name) => measureKind(input(`values.${name}`, 'B'), text))).toEqual(['per-request', 'leak', 'wait', 'cpu']);
  });

  it('falls back to the words of its name, then to its unit', () => {
    expect(measureKind(input('values.boot-time'), '')).toBe('boot');
    expect(measureKind(input('values.peak', '/s'), '')).toBe('load');
    expect(measureKind(input('values.oddity', 'count'), '')).toBe('other');
  });
});

describe('key events', () => {
  const event = (kind: LoggedEvent['kind'], tS: number, subject = 'api.1'): LoggedEvent => ({ tMs: tS * 1000, kind, subject, cause: '', basis: 'counted', data: {} });

  it('tell each turn once before anything twice, in order of time', () => {
    const log = [event('saturated', 10), event('saturated', 11, 'api.2'), event('ejected', 12), event('ready', 20), event('ejected', 60), event('oom', 90), event('scale-out', 12, 'api')];
    const letters = keyEvents(log, 30_000, 5).map(({ letter, event: { kind, tMs } }) => `${letter} ${kind} ${tMs / 1000}`);
    expect(letters).toEqual(['A saturated 10', 'B ejected 12', 'C scale-out 12', 'D ejected 60', 'E oom 90']);
  });

  it('are none in a run without events', () => {
    expect(keyEvents([], 1000)).toEqual([]);
  });
});

describe('a drawing on a page', () => {
  it('keeps its texts as text, turned and clipped ones too, and its hatches as lines', async () => {
    const canvas = new Canvas(200, 100, { fill: '#11171C', size: 8 });
    canvas.text(10, 10, '지연 473 ms');
    canvas.text(10, 90, 'turned', { rotate: -90, weight: 700, anchor: 'end' });
    canvas.clipped({ x: 0, y: 0, width: 50, height: 50 }, (inner) => inner.text(20, 20, 'clipped'));
    canvas.path('M10 10L60 10A20 20 0 0 1 60 50Z', { fill: { color: '#3F4A54', ground: null, period: 3, stripe: 1 }, stroke: '#000000', dash: [3, 2], opacity: 0.5 });
    const bytes = await writeBook({
      lang: 'ko', title: 't', subject: 's', pages: 1, artifacts: [], bookmarks: [{ level: 1, title: 't', page: 0, y: 60 }], links: [{ page: 0, box: { x: 0, y: 0, width: 9, height: 9 }, toPage: 0 }], attachments: [],
      root: { tag: 'Document', children: [{ tag: 'Figure', alt: 'a', box: { x: 0, y: 0, width: 200, height: 100 }, children: [{ page: 0, at: { x: 50, y: 60 }, shapes: canvas.drawing().shapes }] }] },
    });
    const { pages, dictionaries } = readPdf(bytes);
    expect(pages[0].items.map(({ text }) => text)).toEqual(['지연 473 ms', 'turned', 'clipped']);
    expect(dictionaries.some((dictionary) => dictionary.includes('/PatternType'))).toBe(false);
  });
});
