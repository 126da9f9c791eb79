import { expect, test } from 'vitest';
import { titleCard } from '../../renderers/stage/cards/title-card.js';
import { verdictCard } from '../../renderers/stage/cards/verdict-card.js';
import { landscape as frame } from '../../renderers/stage/frame.js';
import { layoutOf, type Box } from '../../renderers/stage/layout.js';
import { structureOf } from '../../renderers/stage/structure.js';
import { stageDrawing } from '../../renderers/stage/stage.js';
import { anyStudy } from '../support/any-study.js';
import { lintDrawing } from '../support/drawing-lint.js';
import { scriptedStudy } from '../support/scripted-study.js';
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

test('beyond sixty of a service its instances are told by state, with their number', () => {
  const study = anyStudy({ users: ['web'] }, [{ name: 'web', instances: 200, calls: ['db'] }, { name: 'db', kind: 'store' }]);
  expect(JSON.stringify(stageDrawing(study, 'base', 2, { lang: 'en', theme: 'dark' }))).toContain('"text":"200"');
  expect(lintDrawing(stageDrawing(study, 'base', 2, { lang: 'ko', theme: 'dark' }))).toEqual([]);
});

test('what finds no place even so is said', () => {
  const chain = Array.from({ length: 16 }, (_, i) => ({ name: `s${i}`, calls: i < 15 ? [`s${i + 1}`] : [] }));
  expect(JSON.stringify(stageDrawing(anyStudy({ users: ['s0'] }, chain), 'base', 2, { lang: 'en', theme: 'dark' }))).toMatch(/and \d more parts, not drawn/);
});

test('places are the same in every variant', () => {
  const study = scriptedStudy();
  const [first, second] = Object.values(study.runs).map((run) => layoutOf(structureOf({ ...study, runs: { [run.variant]: run } })));
  expect(second).toEqual({ ...first, nodes: second.nodes, group: second.group });
  expect(second.nodes.map((node) => node.box)).toEqual(first.nodes.map((node) => node.box));
});

const intersect = (a: Box, b: Box): boolean => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
