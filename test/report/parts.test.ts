import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { measureKind } from '../../renderers/pdf/how-to-measure.js';
import { keyMoments } from '../../renderers/pdf/key-moments.js';
import { momentSentence, momentsOf } from '../../renderers/pdf/moments.js';
import { timelineRows } from '../../renderers/pdf/timeline-rows.js';
import { loadProse, partsOf } from '../../renderers/pdf/prose.js';
import { writeBook } from '../../renderers/pdf/write-book.js';
import { isElement } from '../../renderers/pdf/book.js';
import { Flow } from '../../renderers/pdf/flow.js';
import { textsOf } from '../../renderers/pdf/glyph-check.js';
import { inputGroups } from '../../renderers/pdf/input-groups.js';
import { papers } from '../../renderers/pdf/paper.js';
import { settlingFirst, settlingOf } from '../../renderers/look/settling.js';
import { valueGroups } from '../../renderers/pdf/value-groups.js';
import { Canvas } from '../../renderers/look/drawing.js';
import type { Input, LoggedEvent, TestedVerdict, Verdict } from '../../src/study/types.js';
import { readPdf } from '../support/pdf-text.js';
import { scriptedStudy } from '../support/scripted-study.js';

describe('prose', () => {
  const parts = (lang: string, file: string): [string, string][] => partsOf(readFileSync(new URL(`../../templates/report/${lang}/${file}.hbs`, import.meta.url), 'utf8'));

  it.each(['verdict', 'sections', 'measure'])('has the same parts of %s in both languages, and names the same facts', (file) => {
    const [en, ko] = [parts('en', file), parts('ko', file)];
    expect(en.length).toBeGreaterThan(7);
    expect(ko.map(([name]) => name)).toEqual(en.map(([name]) => name));
    const facts = (text: string): string[] => [...new Set([...text.matchAll(/\{\{(?:#if )?([\w.]+)\}\}/g)].map((match) => match[1]))].filter((name) => !/^(else|ejectionsTimes|oomsKills|one|single)$/.test(name)).sort();
    en.forEach(([name, text], index) => expect(facts(ko[index][1]), name).toEqual(facts(text)));
  });

  it('says one line, without gaps where something is left out', async () => {
    const prose = await loadProse('en');
    const text = prose('verdict', 'why', { breaks: true, objective: 'availability', condition: 'c', breaksAt: '04:08', offered: '1', offeredPerS: '2/s', good: '3', goodPerS: '4/s', share: '5%' });
    expect(text).toContain('breaks at 04:08.');
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

  it('takes the size of a fault from an incident, wherever it stands', () => {
    const slow = `${text}faults:\n  disk: { at: 5m, target: pg, slow: $disk-slow }\nphases:\n  end: [5m, $pause]\n`;
    expect(measureKind({ ...input('values.disk-slow', 'factor'), setting: true }, slow)).toBe('fault');
    expect(measureKind(input('faults.disk.errors', 'share'), slow)).toBe('fault');
    expect(measureKind(input('values.pause'), slow)).toBe('wait');
  });

  it('falls back to the words of its name, then to its unit', () => {
    expect(measureKind(input('values.boot-time'), '')).toBe('boot');
    expect(measureKind(input('values.peak', '/s'), '')).toBe('load');
    expect(measureKind(input('values.oddity', 'count'), '')).toBe('other');
  });
});

describe('what to measure first', () => {
  const guess = (path: string, value: number, range: readonly [number, number], basis: Input['basis'] = 'assumed'): Input => ({ path, unit: 'ms', value, basis, setting: false, range });
  const study = scriptedStudy();
  const untested = (inputs: readonly Input[], restsOn: readonly string[]): string[] =>
    settlingFirst({ inputs, firstToBreak: study.firstToBreak, verdicts: study.verdicts.map((verdict) => ({ ...verdict, tested: null, restsOn })) }, 'as-it-is').map(({ input }) => input.path);

  it('are, where nothing was tried, the widest ranges that reach the broken objective, those of the team first', () => {
    const inputs = [guess('narrow', 10, [9, 11]), guess('wide', 10, [1, 50]), guess('zero', 0, [0, 4]), guess('tool', 1, [0, 90], 'default'), guess('elsewhere', 1, [0, 99]), guess('middling', 10, [5, 15])];
    expect(untested(inputs, ['narrow', 'wide', 'zero', 'tool', 'middling'])).toEqual(['wide', 'zero', 'middling']);
    expect(untested(inputs, ['narrow', 'tool'])).toEqual(['narrow', 'tool']);
  });

  it('are none when nothing was tried and nothing broke', () => {
    expect(settlingFirst({ ...study, verdicts: study.verdicts.map((verdict) => ({ ...verdict, tested: null })), firstToBreak: null }, 'as-it-is')).toEqual([]);
  });

  const move = (path: string, swing: number): TestedVerdict['moves'][number] => ({ path, low: 0, high: swing, swing });
  const flip = (path: string, value: number): TestedVerdict['flips'][number] => ({ path, value, holdsAt: value, end: 'high' });
  const own = study.verdicts.filter(({ variant }) => variant === 'as-it-is');
  const tested = (...each: readonly Partial<TestedVerdict>[]): Verdict[] =>
    own.slice(0, each.length).map((verdict, index) => ({ ...verdict, tested: { met: true, moves: [], flips: [], corner: null, together: [], unknownAt: [], ...each[index] } }));
  const inputs = [guess('still', 1, [0, 99]), guess('small', 1, [0, 9]), guess('large', 1, [0, 9]), guess('turns-one', 1, [0, 2]), guess('turns-two', 1, [0, 2])];

  it('are those that turn most verdicts, then those that move a figure most; never one that moves nothing', () => {
    const verdicts = tested({ moves: [move('large', 10), move('small', 4), move('turns-one', 2), move('turns-two', 1)], flips: [flip('turns-one', 2), flip('turns-two', 2)] }, { moves: [move('turns-two', 1)], flips: [flip('turns-two', 3)] });
    const first = (most: number): string[] => settlingFirst({ inputs, verdicts, firstToBreak: study.firstToBreak }, 'as-it-is', () => true, most).map(({ input }) => input.path);
    expect(first(9)).toEqual(['turns-two', 'turns-one', 'large', 'small']);
    expect(first(3)).toEqual(['turns-two', 'turns-one', 'large']);
  });

  it('are told with the verdict that they move most, relative to what else moves it, and each verdict once that they turn', () => {
    const verdicts = tested({ moves: [move('large', 100), move('small', 50)] }, { moves: [move('small', 3)], flips: [flip('small', 4), { ...flip('small', -4), end: 'low' }] });
    expect(settlingOf(inputs[1], verdicts)).toMatchObject({ turns: [{ verdict: verdicts[1], value: 4 }], most: { swing: 3, verdict: verdicts[1] } });
    expect(settlingOf(inputs[0], verdicts)).toBeNull();
  });

  it('are of the variant that the pages are about', () => {
    const verdicts = tested({ moves: [move('large', 10)] });
    expect(settlingFirst({ inputs, verdicts, firstToBreak: null }, 'another')).toEqual([]);
  });
});

describe('groups of inputs', () => {
  it('go by the block they stand in, else by the innermost key that tells, the largest first', () => {
    const input = (path: string): Input => ({ path, unit: 'ms', value: 1, basis: 'chosen', setting: true });
    const paths = ['services.lb.to.api.health.every', 'services.lb.to.api.health.timeout', 'services.api.slots', 'machines.m.cpus', 'services.api.handlers.a.0.wait', 'values.boot-time', 'traffic.orders.open.rate'];
    expect(inputGroups(paths.map(input), '')).toEqual(['health', 'capacity', 'machines', 'work', 'starting', 'load']);
  });
});

describe('values in groups', () => {
  it('say each value once, zero for all units, and go on to the next page', () => {
    const flow = new Flow('en');
    const inputs = Array.from({ length: 900 }, (_, i): Input => ({ path: `services.s${i}.queue.limit`, unit: i % 2 ? 'ms' : 'B', value: i < 600 ? 0 : null, basis: 'default', setting: true }));
    valueGroups(flow, inputs);
    const inks = flow.root.children.flatMap((child) => (isElement(child) ? child.children : [])).flatMap((ink) => (isElement(ink) ? [] : [ink]));
    const text = inks.flatMap(({ shapes }) => textsOf(shapes)).join(' ');
    expect(text.match(/≈0/g)).toHaveLength(1);
    expect(text.match(/unlimited/g)).toHaveLength(1);
    for (const i of [0, 599, 600, 899]) expect(text).toMatch(new RegExp(`\\bs${i}\\.queue\\.limit`));
    expect(new Set(inks.map(({ page }) => page)).size).toBeGreaterThan(1);
  });
});

const event = (kind: LoggedEvent['kind'], tS: number, subject = 'api.1', more: Partial<LoggedEvent> = {}): LoggedEvent => ({ tMs: tS * 1000, kind, subject, cause: 'queue full', basis: 'counted', data: { link: 'lb.api' }, ...more });
const full = (tS: number, sinceS: number, subject = 'api.1', cause = 'cpu'): LoggedEvent => event('saturated', tS, subject, { cause, basis: cause === 'cpu' ? 'estimated' : 'counted', data: { sinceMs: sinceS * 1000 } });

describe('moments', () => {
  it('merge what happened in one tick at one service, and tell saturation by when it began', () => {
    const moments = momentsOf([full(13, 10), full(14, 10, 'api.1', 'slots'), full(13, 10, 'api.2'), event('ejected', 12.2), event('ejected', 12.9, 'api.2')], 1000);
    expect(moments.map(({ kind, tMs, events }) => `${kind} ${tMs} ${events.length}`)).toEqual(['saturated 10000 3', 'ejected 12200 2']);
    expect(momentSentence(moments[0], 'en').lead).toBe('api #1 saturated: ≈CPU, slots. api #2 saturated: ≈CPU.');
    expect(momentSentence(moments[1], 'en').lead).toContain('api #1 and #2');
  });
});

describe('key moments', () => {
  const run = scriptedStudy().runs['as-it-is'];
  const tell = (eventLog: readonly LoggedEvent[]): string[] => keyMoments({ ...run, eventLog }, 'orders', 1000, 'en').map(({ letter, tMs }) => `${letter} ${tMs / 1000}`);

  it('are the turns of the run in order of time, with the recovery and the stretch of failures', () => {
    const letters = keyMoments(run, 'orders', 1000, 'en');
    expect(letters.map(({ letter }) => letter).join('')).toBe('ABCDEFG'.slice(0, letters.length));
    expect(letters.map(({ tMs }) => tMs)).toEqual(letters.map(({ tMs }) => tMs).sort((a, b) => a - b));
    expect(letters.some(({ lead }) => lead === 'availability is kept again.')).toBe(true);
    expect(letters.some(({ lead, rest }) => /requests fail until/.test(lead + rest))).toBe(true);
  });

  it('tell of a queue that refuses only of what refused for a full queue itself', () => {
    const told = (refused: Readonly<Record<string, number>>, cause = 'cpu'): string[] => keyMoments({ ...run, eventLog: [full(12, 10, 'api.1', cause)], system: { ...run.system, links: [{ ...run.system.links[0], caller: 'lb', callee: 'api' }] }, links: { 'lb.api': { ...Object.values(run.links)[0], refused } }, services: { api: { ...Object.values(run.services)[0], instances: [{ ...Object.values(run.services)[0].instances[0], number: 1, refused: 5 }] } } }, 'orders', 1000, 'en').map(({ rest }) => rest);
    expect(told({ 'api: queue full': 5 }).join(' ')).toContain('a full queue refuses the rest');
    expect(told({ 'db: queue full': 5 }).join(' ')).not.toContain('a full queue refuses the rest');
    // Who waits for a connection is no part of that queue.
    expect(told({ 'api: queue full': 5 }, 'pool')[0]).toBe('Requests wait for a connection.');
    expect(told({ 'api: queue full': 5 }, 'memory')[0]).toBe('More than the limit ends in an OOM kill.');
    expect(told({}, 'slots')[0]).toBe('Requests wait.');
  });

  it('are never more than seven, however many kills there are, and the recovery is among them', () => {
    const kills = Array.from({ length: 20 }, (_, i) => event('oom', 30 + i));
    expect(tell(kills)).toHaveLength(7);
    expect(keyMoments({ ...run, eventLog: kills }, 'orders', 1000, 'en').at(-1)!.lead).toBe('availability is kept again.');
  });

  it('are none in a run in which nothing happened', () => {
    const calm = { ...run, eventLog: [], firstToBreak: null, ticks: { ...run.ticks, traffic: { orders: { ...run.ticks.traffic['orders'], failed: 0 } } } };
    expect(keyMoments(calm, 'orders', 1000, 'en')).toEqual([]);
    expect(keyMoments(calm, null, 1000, 'ko')).toEqual([]);
  });
});

describe('rows of the timeline', () => {
  const flap = Array.from({ length: 8 }, (_, i) => event(i % 2 === 0 ? 'ejected' : 'ready', 60 + i * 5, 'api.1', i % 2 === 0 ? {} : { cause: 'probes' }));
  const rows = (log: readonly LoggedEvent[]): string[] => timelineRows(log, 1000, 'en').map(({ time, basis, what }) => `${time} ${basis} ${what}`);

  it('fold flapping, full again included, when nothing else happens in between', () => {
    expect(rows([full(12, 10), ...flap.slice(0, 4), full(76, 76), ...flap.slice(4)])).toEqual(['00:10 estimated api #1 saturated: ≈CPU.', '01:00–01:35 estimated lb → api: 4 ejections, 4 returns.']);
    expect(timelineRows(flap, 1000, 'en')[0].why).toBe('Checks failed: queue full 4.');
  });

  it('do not fold a few turns, nor over a kill', () => {
    expect(rows(flap.slice(0, 6))).toHaveLength(6);
    expect(rows([...flap.slice(0, 4), event('oom', 77), ...flap.slice(4)])).toHaveLength(9);
  });

  it('keep everything of one tick in one row', () => {
    expect(rows([event('ready', 318.9, 'api.1', { cause: 'probes' }), event('ejected', 318.9, 'api.2')])).toHaveLength(1);
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
      lang: 'ko', title: 't', subject: 's', pages: 1, artifacts: [], bookmarks: [{ level: 1, title: 't', page: 0, y: 60 }], places: new Map(), sheet: papers.a4, attachments: [],
      root: { tag: 'Document', children: [{ tag: 'Figure', alt: 'a', box: { x: 0, y: 0, width: 200, height: 100 }, children: [{ page: 0, at: { x: 50, y: 60 }, shapes: canvas.drawing().shapes }] }] },
    });
    const { pages, dictionaries } = readPdf(bytes);
    expect(pages[0].items.map(({ text }) => text)).toEqual(['지연 473 ms', 'turned', 'clipped']);
    expect(dictionaries.some((dictionary) => dictionary.includes('/PatternType'))).toBe(false);
  });
});
