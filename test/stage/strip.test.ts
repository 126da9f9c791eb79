import { expect, test } from 'vitest';
import type { Drawing, Shape } from '../../renderers/look/drawing.js';
import { landscape as frame } from '../../renderers/stage/frame.js';
import { followedObjectives, isTelling, trailingAt } from '../../renderers/stage/objectives.js';
import { sceneOf } from '../../renderers/stage/scene.js';
import { stageDrawing } from '../../renderers/stage/stage.js';
import { scriptedStudy } from '../support/scripted-study.js';

const study = scriptedStudy();
const variant = 'as-it-is';
const drawing = (tick: number, speed = 2): Drawing => stageDrawing(study, variant, tick, { lang: 'en', theme: 'dark', speed });
const flat = (shapes: readonly Shape[]): readonly Shape[] => shapes.flatMap((shape) => (shape.kind === 'group' ? flat(shape.shapes) : [shape]));
const texts = (tick: number, speed?: number) => flat(drawing(tick, speed).shapes).flatMap((shape) => (shape.kind === 'text' ? [{ text: shape.runs.map(({ text }) => text).join(''), x: shape.x, y: shape.y }] : []));

/** Grounds of the event signs, as `x y`. */
const marks = (tick: number): string[] =>
  flat(drawing(tick).shapes).flatMap((shape) => (shape.kind === 'circle' && shape.r === 10 && (shape.y === frame.strip.marks || shape.y === frame.strip.marksBelow) ? [`${shape.x} ${shape.y}`] : []));

test('a sign that was drawn stays where it is', () => {
  let before: string[] = [];
  for (let tick = 0; tick < study.runs[variant].ticks.count; tick++) {
    const now = marks(tick);
    expect(now).toEqual(expect.arrayContaining(before));
    before = now;
  }
  expect(before.length).toBeGreaterThan(4);
});

test('two ejections of one moment are one sign with a count', () => {
  const run = study.runs[variant];
  const ejected = run.eventLog.find(({ kind }) => kind === 'ejected')!;
  const twice = { ...study, runs: { [variant]: { ...run, eventLog: [...run.eventLog.slice(0, 3), ejected, { ...ejected, subject: 'order-api.2' }] } } };
  const shown = flat(stageDrawing(twice, variant, 40, { lang: 'en', theme: 'dark' }).shapes).flatMap((shape) => (shape.kind === 'text' ? shape.runs.map(({ text }) => text) : []));
  expect(shown.filter((text) => /^×\d+$/.test(text)).length).toBe(1);
});

test('failed runs are outlined only where the outline leaves their colour', () => {
  const outlines = (tickCount: number): number => {
    const run = study.runs[variant];
    const failed = Array.from({ length: run.ticks.count }, (_, tick) => (tick >= 50 && tick < 50 + tickCount ? 40 : 0));
    const orders = { ...run.ticks.traffic['orders'], failed };
    const scene = { ...study, runs: { [variant]: { ...run, durationMs: 900_000, ticks: { ...run.ticks, traffic: { orders } } } } };
    return flat(stageDrawing(scene, variant, 90, { lang: 'en', theme: 'dark' }).shapes).filter((shape) => shape.kind === 'path' && 'strokeWidth' in shape && shape.strokeWidth === 1).length;
  };
  expect([outlines(1), outlines(2), outlines(3)]).toEqual([0, 0, 1]);
});

test('a latency of few good requests is shown but not judged, and none at all is no latency', () => {
  const run = study.runs[variant];
  const withGood = (good: number) => {
    const orders = { ...run.ticks.traffic['orders'], good, refused: 0 };
    return sceneOf({ ...study, runs: { [variant]: { ...run, ticks: { ...run.ticks, traffic: { orders } } } } }, variant);
  };
  const [many, few, none] = [withGood(10), withGood(9), withGood(0)];
  const latency = followedObjectives(many).find(({ kind }) => kind === 'latency')!;
  const window = { from: 30, to: 30 };
  expect([many, few].map((scene) => isTelling(latency, latency.goal, { scene, window }))).toEqual([true, false]);
  // That few answers are quick is no comfort while most requests are turned away; that they are late is news all the same.
  const refusing = { ...many, run: { ...many.run, ticks: { ...many.run.ticks, traffic: { orders: { ...many.run.ticks.traffic['orders'], refused: 30 } } } } };
  expect([latency.goal, latency.goal + 1].map((value) => isTelling(latency, value, { scene: refusing, window }))).toEqual([false, true]);
  expect(trailingAt(few, latency.objective, 30)).not.toBeNull();
  expect(trailingAt(none, latency.objective, 30)).toBeNull();
});

test('rates at the lanes keep their height in the whole film', () => {
  const edge = sceneOf(study, variant).layout.group!.box.x - 14;
  const heights = new Set<number>();
  for (let tick = 0; tick < study.runs[variant].ticks.count; tick += 3) for (const { text, x, y } of texts(tick)) if (x === edge && /^\d+\/s$/.test(text)) heights.add(y);
  // One for each of the five lanes that ever get traffic.
  expect(heights.size).toBe(5);
});

test('where numbers are means, the lanes say of how long; outside phases nothing is held against a goal', () => {
  const shown = texts(90, 8).map(({ text }) => text);
  expect(shown).toContain('mean of 4\u00A0s');
  expect(shown).toContain('good so far');
  expect(shown.filter((text) => text.startsWith('goal'))).toEqual([]);
});

test('in the tick of a kill the link says what was sent after it', () => {
  const shown = texts(58).map(({ text }) => text);
  expect(shown).toContain('lost in the kill');
  expect(shown.filter((text) => / failed$/.test(text))).toEqual([]);
});
