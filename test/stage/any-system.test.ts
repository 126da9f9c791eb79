import { expect, test } from 'vitest';
import { titleCard } from '../../renderers/stage/cards/title-card.js';
import { verdictCard } from '../../renderers/stage/cards/verdict-card.js';
import { landscape as frame } from '../../renderers/stage/frame.js';
import { layoutOf, type Box } from '../../renderers/stage/layout.js';
import { structureOf } from '../../renderers/stage/structure.js';
import { stageDrawing } from '../../renderers/stage/stage.js';
import type { Study } from '../../src/study/types.js';
import { anyBoard, boardTicks } from '../support/any-board.js';
import { anyStudy } from '../support/any-study.js';
import { lintDrawing } from '../support/drawing-lint.js';
import { scriptedStudy } from '../support/scripted-study.js';
import { flawsOnStage } from '../support/stage-lint.js';
import { smallSystems as systems } from '../support/small-systems.js';

test.each(Object.keys(systems))('%s: no label overlaps, leaves its place or is too small', (name) => {
  for (const lang of ['en', 'ko'] as const) {
    expect(lintDrawing(stageDrawing(systems[name], 'base', 2, { lang, theme: 'dark' }))).toEqual([]);
    expect(lintDrawing(titleCard(systems[name], 'base', { lang, theme: 'dark' }))).toEqual([]);
    expect(lintDrawing(verdictCard(systems[name], 'base', { lang, theme: 'dark' }))).toEqual([]);
  }
});

test.each(Object.keys(systems))('%s: no two boxes overlap and all are on the stage', (name) => {
  const layout = layoutOf(structureOf(systems[name]));
  const boxes = [...layout.nodes.map((node) => node.box), ...(layout.group ? [layout.group.box] : []), ...(layout.board?.cards.map((card) => card.box) ?? []), ...(layout.board?.hosts.map((host) => host.box) ?? [])];
  expect(boxes.length).toBeGreaterThan(1);
  for (const [i, a] of boxes.entries()) {
    expect(a.x).toBeGreaterThanOrEqual(frame.margin);
    expect(a.x + a.width).toBeLessThanOrEqual(frame.right + 0.01);
    expect(a.y).toBeGreaterThanOrEqual(frame.stage.top);
    expect(a.y + a.height).toBeLessThanOrEqual(frame.stage.bottom + 0.01);
    for (const b of boxes.slice(i + 1)) expect(intersect(a, b), JSON.stringify([a, b])).toBe(false);
  }
});

test('no part and no instance vanishes: what has no lane has a cell', () => {
  const drawn = (name: string): string => JSON.stringify(stageDrawing(systems[name], 'base', 2, { lang: 'en', theme: 'dark' }));
  expect(drawn('more services than places')).not.toContain('not drawn');
  for (const number of [1, 7, 59, 60]) expect(drawn('more instances than lanes')).toContain(`"text":"${number}"`);
});

const graph = (count: number, calls: (i: number) => readonly number[], instances: (i: number) => number = () => 1): Study =>
  anyStudy({ users: ['s0'] }, Array.from({ length: count }, (_, i) => ({ name: `s${i}`, instances: instances(i), calls: calls(i).filter((k) => k < count).map((k) => `s${k}`) })));
const shown = (study: Study, lang: 'en' | 'ko' = 'en'): string => JSON.stringify(stageDrawing(study, 'base', 2, { lang, theme: 'dark' }));
const cellsIn = (study: Study): number => stageDrawing(study, 'base', 2, { lang: 'en', theme: 'dark' }).shapes.filter((shape) => shape.kind === 'rect' && shape.radius === 5 && shape.width < 64).length;

test('up to a hundred and twenty instances have a cell each; beyond, they are told by state, with their number, in words', () => {
  expect(cellsIn(graph(3, (i) => [i + 1], (i) => (i === 1 ? 118 : 1)))).toBe(118);
  expect(cellsIn(graph(6, (i) => [i + 1], () => 20))).toBe(120);
  for (const count of [121, 500]) {
    const study = graph(3, (i) => [i + 1], (i) => (i === 1 ? count : 1));
    expect(shown(study)).toContain(`"text":"${count} instances, by state"`);
    expect(shown(study, 'ko')).toContain(`"text":"인스턴스 ${count}개, 상태별로"`);
    expect(shown(study)).toContain(`"text":"${count}"`);
  }
});

test('services of one size are drawn in one way: ten times fifteen are told by state, all of them', () => {
  expect(shown(graph(10, (i) => (i === 0 ? [1, 2, 3, 4, 5, 6, 7, 8, 9] : []), () => 15)).match(/15 instances, by state|"text":"15\/15"/g)?.length ?? 0).toBeGreaterThan(0);
});

test.each([
  ['a chain of thirty', graph(30, (i) => [i + 1])],
  ['thirty in a mesh', graph(30, (i) => [2 * i + 1, 2 * i + 2, 3 * i + 5])],
  ['one that calls twenty-nine others', graph(30, (i) => (i === 0 ? Array.from({ length: 29 }, (_, k) => k + 1) : []))],
] as const)('%s: every part is on the stage with its name, its state and its rate', (_, study) => {
  const { board, hidden } = layoutOf(structureOf(study));
  expect(hidden).toEqual([]);
  expect(board!.cards.filter(({ service }) => service !== null)).toHaveLength(30);
  const texts = shown(study);
  for (let i = 0; i < 30; i++) expect(texts).toContain(`"text":"s${i}"`);
  expect(texts.match(/"text":"\d+\/s"/g)!.length).toBeGreaterThanOrEqual(31);
  expect(lintDrawing(stageDrawing(study, 'base', 2, { lang: 'ko', theme: 'dark' }))).toEqual([]);
});

test.each([60, 80, 150])('of a chain of %i services, what finds no place is counted in words, and the rest stands on the stage', (count) => {
  const study = graph(count, (i) => [i + 1]);
  const left = Number(/and (\d+) more parts, not drawn/.exec(shown(study))?.[1]);
  const cards = layoutOf(structureOf(study)).board!.cards;
  expect(cards.length + left).toBe(count + 1);
  for (const { box } of cards) expect([box.width >= 150, box.x >= frame.margin, box.x + box.width <= frame.right]).toEqual([true, true, true]);
});

test('places are the same in every variant', () => {
  const study = scriptedStudy();
  const [first, second] = Object.values(study.runs).map((run) => layoutOf(structureOf({ ...study, runs: { [run.variant]: run } })));
  expect(second).toEqual({ ...first, nodes: second.nodes, group: second.group });
  expect(second.nodes.map((node) => node.box)).toEqual(first.nodes.map((node) => node.box));
});

const intersect = (a: Box, b: Box): boolean => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

const boards = Array.from({ length: 200 }, (_, i) => i);
test.each([0, 1, 2, 3].map((quarter) => [quarter * 50, quarter * 50 + 49] as const))('boards %i to %i of two hundred drawn by lot: no label overlaps, is cut, lies over what is not its own, or is too small', (first, last) => {
  const flaws = new Set<string>();
  for (const number of boards.slice(first, last + 1)) {
    const study = anyBoard(number);
    // Quiet, trouble as it begins, and all of it; the end.
    for (const lang of ['en', 'ko'] as const) for (const tick of [1, 2, 3, boardTicks - 1]) for (const flaw of flawsOnStage(study, 'base', tick, lang)) flaws.add(`board ${number}, ${lang}, tick ${tick}: ${flaw}`);
  }
  expect([...flaws].slice(0, 10)).toEqual([]);
});
