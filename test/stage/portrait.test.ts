import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Drawing, Shape } from '../../renderers/look/drawing.js';
import { questionCard } from '../../renderers/stage/cards/question-card.js';
import { titleCard } from '../../renderers/stage/cards/title-card.js';
import { verdictCard } from '../../renderers/stage/cards/verdict-card.js';
import { toSvg } from '../../renderers/look/svg.js';
import { captionsOf } from '../../renderers/stage/captions.js';
import { frameFor, landscape, portrait, type Box } from '../../renderers/stage/frame.js';
import { layoutOf } from '../../renderers/stage/layout.js';
import { sceneOf } from '../../renderers/stage/scene.js';
import { frameSvg, stageDrawing } from '../../renderers/stage/stage.js';
import { stopsInRun } from '../../renderers/stage/stops.js';
import { structureOf } from '../../renderers/stage/structure.js';
import { storyboard } from '../../renderers/video/storyboard.js';
import type { Study } from '../../src/study/types.js';
import { anyStudy } from '../support/any-study.js';
import { lintDrawing } from '../support/drawing-lint.js';
import { churn, hotRow, oddParts, oneBox, sixty, slowPods, troubledLanes } from '../support/example-systems.js';
import { expectGolden } from '../support/golden.js';
import { scriptedStudy } from '../support/scripted-study.js';
import { smallSystems } from '../support/small-systems.js';

const examples: Readonly<Record<string, () => Study>> = { 'lanes in trouble': troubledLanes, 'a hot row on one box': hotRow, 'a sidecar in the pod': churn, 'sidecars in three pods': () => churn(3), 'slow pods': slowPods, 'event loops on one box': oneBox, 'odd parts': oddParts, 'sixty instances': sixty };
const golden = (name: string): string => path.join(path.dirname(fileURLToPath(import.meta.url)), 'golden', `${name}.svg`);
const flat = (shapes: readonly Shape[]): readonly Shape[] => shapes.flatMap((shape) => (shape.kind === 'group' ? flat(shape.shapes) : [shape]));
const texts = (drawing: Drawing): string[] => flat(drawing.shapes).flatMap((shape) => (shape.kind === 'text' ? [shape.runs.map(({ text }) => text).join('')] : []));
const options = { theme: 'dark', frame: portrait } as const;
const pxPerUnit = 1080 / portrait.width;
/** Smallest type that is read on a phone that shows a picture of 1080 px, px. */
const leastPx = 22;

const flawsOf = (study: Study, variant: string): readonly string[] => {
  const flaws = new Set<string>();
  for (const lang of ['en', 'ko'] as const)
    for (let tick = 0; tick < study.runs[variant].ticks.count; tick++)
      for (const flaw of lintDrawing(stageDrawing(study, variant, tick, { ...options, lang, speed: tick % 2 ? 8 : 2 }), leastPx / pxPerUnit)) flaws.add(`${flaw} (${lang}, tick ${tick})`);
  return [...flaws].slice(0, 20);
};

test('a picture that is higher than wide is drawn in the portrait frame, every other one in the landscape frame', () => {
  expect([[1080, 1920], [720, 1280], [1920, 1080], [3840, 2160], [640, 360], [1000, 1000]].map(([width, height]) => frameFor(width, height).name)).toEqual(['portrait', 'portrait', 'landscape', 'landscape', 'landscape', 'landscape']);
  for (const { width, height } of [landscape, portrait]) expect(Math.max(width, height) / Math.min(width, height)).toBeCloseTo(16 / 9, 10);
});

test.each([[1920, 1080, '1920 1080'], [3840, 2160, '1920 1080'], [1280, 720, '1920 1080'], [640, 360, '1920 1080'], [1080, 1920, '783 1392'], [720, 1280, '783 1392']])('every picture of a film of %i × %i has that size and the coordinates of its frame', (width, height, box) => {
  const { shots } = storyboard(scriptedStudy(), { variant: 'as-it-is', lang: 'en', theme: 'dark', width, height });
  const question = shots.findIndex(({ svg }) => svg().includes('Stop 1 of'));
  expect(question).toBeGreaterThan(0);
  for (const shot of [shots[0], shots[20], shots[question], shots.at(-1)!]) expect(shot.svg().slice(0, 200)).toContain(` width="${width}" height="${height}" viewBox="0 0 ${box}"`);
});

test('no label of any tick of the scripted film overlaps, leaves its place or is under 22 px of 1080', () => {
  const study = scriptedStudy();
  for (const variant of Object.keys(study.runs)) expect(flawsOf(study, variant), variant).toEqual([]);
});

test.each(Object.keys(examples))('%s: no label of any tick overlaps, is cut or too small', (name) => expect(flawsOf(examples[name](), 'base')).toEqual([]));

test.each(Object.keys(smallSystems))('%s: no label overlaps, leaves its place or is too small', (name) => expect(flawsOf(smallSystems[name], 'base')).toEqual([]));

test.each([...Object.keys(examples), ...Object.keys(smallSystems)])('%s: no label of title and verdict overlaps, leaves its place or is too small', (name) => {
  const study = smallSystems[name] ?? examples[name]();
  for (const lang of ['en', 'ko'] as const) for (const card of [titleCard, verdictCard]) expect(lintDrawing(card(study, 'base', { ...options, lang }), leastPx / pxPerUnit)).toEqual([]);
});

test.each(['en', 'ko'] as const)('no label of any card of the scripted film overlaps, leaves its place or is too small (%s)', (lang) => {
  const study = scriptedStudy();
  for (const variant of Object.keys(study.runs)) {
    for (const card of [titleCard, verdictCard]) expect(lintDrawing(card(study, variant, { ...options, lang }), leastPx / pxPerUnit)).toEqual([]);
    const stops = stopsInRun(study, variant);
    stops.forEach(({ stop, tick }, i) => expect(lintDrawing(questionCard(study, variant, { stop, tick, number: i + 1, of: stops.length, passedS: 2 }, { ...options, lang }), leastPx / pxPerUnit)).toEqual([]));
  }
});

test('the question lies below the stage, so that all of the stage can be looked at while it is asked', () => {
  const study = scriptedStudy();
  const [{ stop, tick }] = stopsInRun(study, 'as-it-is');
  const card = questionCard(study, 'as-it-is', { stop, tick, number: 1, of: 2, passedS: 1 }, { ...options, lang: 'ko' });
  const own = card.shapes.filter((shape) => shape.kind === 'text' && shape.layer === 1);
  expect(own.length).toBeGreaterThan(4);
  for (const shape of own) expect(shape.kind === 'text' && shape.y).toBeGreaterThan(portrait.stage.bottom);
});

test.each([...Object.keys(examples), ...Object.keys(smallSystems)])('%s: no two boxes overlap and all are on the stage', (name) => {
  const layout = layoutOf(structureOf(smallSystems[name] ?? examples[name]()), portrait);
  const boxes = [...layout.nodes.map((node) => node.box), ...(layout.group ? [layout.group.box] : []), ...(layout.board?.cards.map((card) => card.box) ?? []), ...(layout.board?.hosts.map((host) => host.box) ?? [])];
  expect(boxes.length).toBeGreaterThan(1);
  for (const [i, box] of boxes.entries()) {
    expect(box.x).toBeGreaterThanOrEqual(portrait.margin);
    expect(box.x + box.width).toBeLessThanOrEqual(portrait.right + 0.01);
    expect(box.y).toBeGreaterThanOrEqual(portrait.stage.top);
    expect(box.y + box.height).toBeLessThanOrEqual(portrait.stage.bottom + 0.01);
    for (const other of boxes.slice(i + 1)) expect(meet(box, other), JSON.stringify([box, other])).toBe(false);
  }
});

test.each(Object.keys(examples))('%s: nothing is left out, and no ribbon runs through a card', (name) => {
  const { board, group, hidden } = layoutOf(structureOf(examples[name]()), portrait);
  expect(hidden).toEqual([]);
  if (group) return;
  expect(board!.routes.size).toBe(structureOf(examples[name]()).links.length);
  for (const [link, { points }] of board!.routes)
    for (const [i, from] of points.slice(0, -1).entries()) {
      const to = points[i + 1];
      // A straight stretch past a line of cards: between them.
      if (from.x === to.x) for (const { name: card, box } of board!.cards) expect(meet({ x: from.x - 1, y: from.y + 1, width: 2, height: Math.max(0, to.y - from.y - 2) }, box), `${link} through ${card}`).toBe(false);
    }
});

const meet = (a: Box, b: Box): boolean => a.x < b.x + b.width - 0.5 && b.x < a.x + a.width - 0.5 && a.y < b.y + b.height - 0.5 && b.y < a.y + a.height - 0.5;

test('layers lie from top to bottom, in lanes and on boards', () => {
  const lanes = layoutOf(structureOf(scriptedStudy()), portrait);
  const y = (name: string): number => (lanes.nodes.find((node) => node.name === name)?.box ?? lanes.group!.box).y;
  expect(['orders', 'alb', 'order-api', 'orders-db'].map(y)).toEqual(['orders', 'alb', 'order-api', 'orders-db'].map(y).toSorted((a, b) => a - b));
  const study = sixty();
  const { board } = layoutOf(structureOf(study), portrait);
  const boxOf = (name: string): Box => board!.cards.find((card) => card.name === name)!.box;
  for (const { caller, callee } of structureOf(study).links) expect(boxOf(callee).y, `${caller} to ${callee}`).toBeGreaterThan(boxOf(caller).y + boxOf(caller).height);
});

test('lanes stand under what their balancer believes of them', () => {
  const study = scriptedStudy();
  const { group } = layoutOf(structureOf(study), portrait);
  const drawing = stageDrawing(study, 'as-it-is', 60, { ...options, lang: 'en' });
  const wrongly = drawing.shapes.find((shape) => shape.kind === 'text' && shape.runs[0].text === 'wrongly');
  if (wrongly?.kind !== 'text') throw new Error('nobody is wrongly in rotation');
  const under = group!.lanes.findIndex((lane) => wrongly.x >= lane.x && wrongly.x <= lane.x + lane.width);
  expect(under).toBe(1);
});

test('every word of a caption is there, on at most three lines', () => {
  const study = scriptedStudy();
  const shape = frameSvg(study, 'as-it-is', 60, { ...options, lang: 'en' });
  expect(shape).toContain('viewBox="0 0 783 1392"');
  for (const lang of ['en', 'ko'] as const)
    captionsOf(sceneOf(study, 'as-it-is', portrait), lang).forEach(({ lead, rest }, tick) => {
      const { top, height } = portrait.caption;
      const lines = stageDrawing(study, 'as-it-is', tick, { ...options, lang }).shapes.filter((one) => one.kind === 'text' && one.y > top && one.y < top + height);
      expect(lines.length, `tick ${tick}`).toBeLessThanOrEqual(3);
      expect(lines.map((line) => (line.kind === 'text' ? line.runs.map(({ text }) => text).join('') : '')).join(' '), `tick ${tick}`).toBe(`${lead} ${rest}`.trim());
    });
});

test('the figures of every tick add up on the panel', () => {
  const study = scriptedStudy();
  for (const tick of [5, 24, 45, 58, 61, 90]) {
    const shown = texts(stageDrawing(study, 'as-it-is', tick, { ...options, lang: 'en' }));
    const number = (label: string, row: number): number => Number(shown[shown.lastIndexOf(label) + row].replaceAll(',', '').replace('−', '-').replace('+', ''));
    for (const row of [1, 2]) expect(number('offered', row)).toBe(number('good', row) + number('refused', row) + number('failed', row) + number('in-flight change', row));
  }
});

test('what finds no place even so is said', () => {
  const chain = Array.from({ length: 24 }, (_, i) => ({ name: `s${i}`, calls: i < 23 ? [`s${i + 1}`] : [] }));
  expect(texts(stageDrawing(anyStudy({ users: ['s0'] }, chain), 'base', 2, { ...options, lang: 'en' })).join('\n')).toMatch(/and \d+ more parts, not drawn/);
});

test('the kill in lanes from top to bottom looks as it did', () => expectGolden(frameSvg(scriptedStudy(), 'as-it-is', 58, { ...options, lang: 'en', speed: 2 }), golden('portrait-kill-dark-en')));
test('sixty instances from top to bottom look as they did', () => expectGolden(frameSvg(sixty(), 'base', 9, { theme: 'light', frame: portrait, lang: 'ko', speed: 2 }), golden('portrait-sixty-light-ko')));
test('the verdict from top to bottom looks as it did', () => expectGolden(toSvg(verdictCard(scriptedStudy(), 'as-it-is', { ...options, lang: 'en' })), golden('portrait-verdict-dark-en')));

test('cards stay inside of the picture, whatever passes between them', () => {
  const leaves = Array.from({ length: 14 }, (_, i) => `part-${i + 1}`);
  const study = anyStudy({ users: ['hub'] }, [{ name: 'hub', calls: leaves }, ...leaves.map((name) => ({ name, instances: 2 }))]);
  const { board } = layoutOf(structureOf(study), portrait);
  expect(board!.cards.length).toBeGreaterThan(8);
  for (const { name, box } of board!.cards) {
    expect(box.x, name).toBeGreaterThanOrEqual(portrait.margin);
    expect(box.x + box.width, name).toBeLessThanOrEqual(portrait.right + 1);
  }
});
