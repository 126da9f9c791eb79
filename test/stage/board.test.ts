import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Drawing, Shape } from '../../renderers/look/drawing.js';
import type { Study } from '../../src/study/types.js';
import { questionCard } from '../../renderers/stage/cards/question-card.js';
import { titleCard } from '../../renderers/stage/cards/title-card.js';
import { verdictCard } from '../../renderers/stage/cards/verdict-card.js';
import { captionsOf } from '../../renderers/stage/captions.js';
import { displayState } from '../../renderers/stage/display-state.js';
import { faultsAt } from '../../renderers/stage/faults.js';
import type { Box } from '../../renderers/stage/frame.js';
import { layoutOf } from '../../renderers/stage/layout.js';
import { sceneOf } from '../../renderers/stage/scene.js';
import { frameSvg, stageDrawing } from '../../renderers/stage/stage.js';
import { structureOf } from '../../renderers/stage/structure.js';
import { lintDrawing } from '../support/drawing-lint.js';
import { churn, hotRow, oddParts, oneBox, sixty, slowPods, troubledLanes } from '../support/example-systems.js';
import { expectGolden } from '../support/golden.js';
import { eventAt, scriptedSystem } from '../support/scripted-systems.js';

const systems: Readonly<Record<string, () => Study>> = { 'a hot row on one box': hotRow, 'a sidecar in the pod': churn, 'sidecars in three pods': () => churn(3), 'slow pods': slowPods, 'event loops on one box': oneBox, 'odd parts': oddParts, 'sixty instances': sixty };
const golden = (name: string): string => path.join(path.dirname(fileURLToPath(import.meta.url)), 'golden', `${name}.svg`);
const flat = (shapes: readonly Shape[]): readonly Shape[] => shapes.flatMap((shape) => (shape.kind === 'group' ? flat(shape.shapes) : [shape]));
const texts = (drawing: Drawing): string[] => flat(drawing.shapes).flatMap((shape) => (shape.kind === 'text' ? [shape.runs.map(({ text }) => text).join('')] : []));
const at = (study: Study, tick: number, lang: 'en' | 'ko' = 'en'): string[] => texts(stageDrawing(study, 'base', tick, { lang, theme: 'dark', speed: 2 }));

test.each([
  ['locks-and-pool-dark-en', hotRow, 12, 'en', 'dark'],
  ['sidecar-churn-light-ko', churn, 8, 'ko', 'light'],
  ['latency-dark-en', slowPods, 10, 'en', 'dark'],
  ['nobody-in-rotation-light-ko', slowPods, 17, 'ko', 'light'],
  ['event-loops-deploy-dark-en', oneBox, 10, 'en', 'dark'],
  ['frozen-breaker-black-hole-dark-en', oddParts, 12, 'en', 'dark'],
  ['sixty-cells-dark-en', sixty, 9, 'en', 'dark'],
  ['troubled-lanes-dark-en', troubledLanes, 12, 'en', 'dark'],
] as const)('%s looks as it did', (name, study, tick, lang, theme) => expectGolden(frameSvg(study(), 'base', tick, { lang, theme, speed: 2 }), golden(name)));

test.each(Object.keys(systems))('%s: no label of any tick overlaps, is cut or too small', (name) => {
  const study = systems[name]();
  const flaws = new Set<string>();
  for (const lang of ['en', 'ko'] as const) {
    for (let tick = 0; tick < study.runs['base'].ticks.count; tick++) for (const flaw of lintDrawing(stageDrawing(study, 'base', tick, { lang, theme: 'dark', speed: tick % 2 ? 8 : 2 }))) flaws.add(`${flaw} (tick ${tick})`);
    for (const flaw of [...lintDrawing(titleCard(study, 'base', { lang, theme: 'dark' })), ...lintDrawing(verdictCard(study, 'base', { lang, theme: 'dark' }))]) flaws.add(flaw);
  }
  expect([...flaws].slice(0, 20)).toEqual([]);
});

test.each(Object.keys(systems))('%s: nothing is left out, no two cards overlap, no ribbon runs through a card', (name) => {
  const { board } = layoutOf(structureOf(systems[name]()));
  expect(board).not.toBeNull();
  expect(board!.hidden).toEqual([]);
  const boxes = [...board!.cards.map(({ box }) => box), ...board!.hosts.map(({ box }) => box)];
  boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b) => expect(meet(a, b), JSON.stringify([a, b])).toBe(false)));
  expect(board!.routes.size).toBe(structureOf(systems[name]()).links.length);
  for (const [link, { points }] of board!.routes)
    for (const [i, from] of points.slice(0, -1).entries()) {
      const to = points[i + 1];
      // A level stretch across a column: in the free channel.
      if (from.y === to.y) for (const { name: card, box } of board!.cards) expect(meet({ x: from.x + 1, y: from.y - 1, width: Math.max(0, to.x - from.x - 2), height: 2 }, box), `${link} through ${card}`).toBe(false);
    }
});

const meet = (a: Box, b: Box): boolean => a.x < b.x + b.width - 0.5 && b.x < a.x + a.width - 0.5 && a.y < b.y + b.height - 0.5 && b.y < a.y + a.height - 0.5;

test('a machine that services share tells its CPU, and whose part is whose', () => {
  const shown = at(hotRow(), 12);
  expect(shown).toContain('≈1.93/2');
  expect(shown).toContain('≈ nginx 0.03 · backend 0.99 · mysql 0.42');
});

test('who waits for a lock and for a connection is counted', () => {
  expect(at(hotRow(), 12)).toEqual(expect.arrayContaining(['1 held +41 wait', '10/10 +47 wait']));
  expect(at(hotRow(), 4)).toEqual(expect.arrayContaining(['0 held', '3/10']));
});

test('what the generator could not send is an empty frame at its source, and counted apart', () => {
  const [before, after] = [4, 14].map((tick) => at(hotRow(), tick));
  expect(before).not.toContain('4/s never sent');
  expect(after).toContain('4/s never sent');
  expect(after).toContain('never sent');
});

test('a ribbon and a card tell only what reached them: what a full pool refuses never left its caller', () => {
  const study = scriptedSystem({
    services: { web: {}, db: { kind: 'store' } },
    traffic: { visitors: { perS: 100, refused: 60 } },
    links: { 'visitors.web': { perS: 100, refused: 60 }, 'web.db': { perS: 100, refused: 60, reached: 40, pool: { max: 4, pending: 0, waitMs: null, reuse: null, handshakeMs: 0 }, inUse: 4 } },
  });
  const shown = at(study, 5);
  expect(shown).toContain('40/s');
  expect(shown.filter((text) => text === '60% refused')).toHaveLength(1);
});

test('a fault is marked while it lasts, on what it hits', () => {
  const chips = (tick: number): string[] => at(slowPods(), tick).filter((text) => text === 'latency');
  expect([4, 5, 12, 18, 19].map((tick) => chips(tick).length)).toEqual([0, 1, 1, 1, 0]);
  expect(at(oddParts(), 12)).toEqual(expect.arrayContaining(['#2 frozen', 'black hole', 'breaker open']));
});

test.each(['crash', 'slow', 'steal', 'freeze', 'errors', 'leak', 'hog', 'latency', 'loss', 'blackhole', 'cut', 'deploy'] as const)('a fault of the verb %s has words in both languages', (verb) => {
  for (const target of ['app', 'app.1', 'app → db']) {
    const study = scriptedSystem({ services: { app: {}, db: { kind: 'store' } }, traffic: { users: {} }, links: { 'users.app': {}, 'app.db': {} }, events: [eventAt(3, 'fault', 'trouble', verb, { target }), eventAt(9, 'fault-end', 'trouble', verb, { target })] });
    for (const lang of ['en', 'ko'] as const) {
      expect(lintDrawing(stageDrawing(study, 'base', 3, { lang, theme: 'dark', speed: 2 }))).toEqual([]);
      const { lead, rest } = captionsOf(sceneOf(study, 'base'), lang)[3];
      expect(`${lead} ${rest}`).toMatch(lang === 'en' ? /^(Fault|Deployment) trouble begins\. [A-Z].*app.*\.$/ : /^trouble (장애|배포)가 시작됩니다\. .*app.*\.$/);
    }
    expect(faultsAt(sceneOf(study, 'base'), 3).map((fault) => fault.target)).toEqual([target.replace(' → ', '.')]);
  }
});

test('a release and a breaker are told, with what became of them', () => {
  const told = (study: Study, lang: 'en' | 'ko'): string => captionsOf(sceneOf(study, 'base'), lang).map(({ lead, rest }) => `${lead} ${rest}`).join('\n');
  expect(told(oneBox(), 'en')).toContain('The release of api is called off. 1 new instance never answers; the old ones went on all the time.');
  expect(told(oneBox(), 'ko')).toContain('api 배포가 취소되었습니다.');
  expect(told(oddParts(), 'en')).toContain('The breaker web → prices opens. 60% of its calls failed');
  expect(told(hotRow(), 'en')).toContain('A wait for the lock mysql.companion timed out. After 50\u00A0s; 41 requests still wait for it.');
});

test('an instance that stands still, or that errors took out, looks like it', () => {
  const scene = sceneOf(oddParts(), 'base');
  expect([3, 7].map((tick) => displayState(scene, 'web', 1, tick))).toEqual(['saturated', 'frozen']);
  const ejected = { ...oddParts() };
  const { frozen, ...columns } = ejected.runs['base'].ticks.services['web'].instances[1];
  expect(frozen).toBeDefined();
  const thawed = { ...ejected, runs: { base: { ...ejected.runs['base'], ticks: { ...ejected.runs['base'].ticks, services: { ...ejected.runs['base'].ticks.services, web: { desired: 3, instances: [0, 1, 2].map(() => ({ ...columns, frozen: 0, queue: { mean: 0, max: 0, end: 0 } })) } } } } } };
  expect([9, 10].map((tick) => displayState(sceneOf(thawed, 'base'), 'web', 1, tick))).toEqual(['healthy', 'ejected']);
});

test('the run of a variant has its own length, and what it lacks keeps its place', () => {
  const [long, short] = [hotRow(), scriptedSystem({ ticks: 10, services: { nginx: { kind: 'balancer' } }, traffic: { reads: {} }, links: { 'reads.nginx': {} } })];
  const study = { ...long, runs: { base: long.runs['base'], short: { ...short.runs['base'], variant: 'short' } } };
  const shown = texts(stageDrawing(study, 'short', 5, { lang: 'en', theme: 'dark' }));
  expect(shown.filter((text) => text.includes('not in this variant')).length).toBe(8);
  expect(shown.filter((text) => text.endsWith('/ 00:10'))).toHaveLength(1);
  expect(lintDrawing(stageDrawing(study, 'short', 5, { lang: 'ko', theme: 'dark' }))).toEqual([]);
});

test('a question about an instance lights its cell and veils what is asked', () => {
  const study = sixty();
  const stop = { name: 'kill', at: { kind: 'oom', subject: 'order-api' }, ask: { en: 'What now?', ko: '이제 어떻게 될까요?' }, about: 'payment', holdMs: 4000 } as const;
  const card = questionCard(study, 'base', { stop, number: 1, of: 1, tick: 9, passedS: 1 }, { lang: 'en', theme: 'dark' });
  expect(texts(card)).toContain('−31');
  expect(texts(card)).toContain('?');
  expect(lintDrawing(card)).toEqual([]);
});

test('lanes tell the same troubles as cards', () => {
  const study = troubledLanes();
  expect(layoutOf(structureOf(study)).board).toBeNull();
  expect(at(study, 12)).toEqual(expect.arrayContaining(['frozen', '#2 frozen', 'stands still, answers nobody', '≈ CPU quota gone, 40%', 'its errors in a row', 'packet loss', '30/s retries', 'breaker open']));
  for (const lang of ['en', 'ko'] as const) for (let tick = 0; tick < 20; tick++) expect(lintDrawing(stageDrawing(study, 'base', tick, { lang, theme: 'dark', speed: 2 })), `tick ${tick}`).toEqual([]);
});

test('places do not move from tick to tick', () => {
  const places = (tick: number): string => JSON.stringify(flat(stageDrawing(hotRow(), 'base', tick, { lang: 'en', theme: 'dark' }).shapes).flatMap((shape) => (shape.kind === 'rect' && shape.radius === 10 ? [[shape.x, shape.y, shape.width, shape.height]] : [])));
  expect(places(3)).toBe(places(15));
});
