import { beforeAll, expect, test } from 'vitest';
import type { Shape } from '../../renderers/look/drawing.js';
import { displayState } from '../../renderers/stage/display-state.js';
import { sceneOf } from '../../renderers/stage/scene.js';
import { stageDrawing } from '../../renderers/stage/stage.js';
import { shippedStories, shippedStory } from '../support/story-studies.js';

// A dozen runs take their time on a busy machine.
beforeAll(() => void shippedStories.map(shippedStory), 300_000);

const flat = (shapes: readonly Shape[]): readonly Shape[] => shapes.flatMap((shape) => (shape.kind === 'group' ? flat(shape.shapes) : [shape]));
/** The ticks of a story in which most happens, at most so many in a row. */
const most = 240;
const stretch = (count: number, eventTicks: readonly number[]): readonly number[] => {
  const middle = eventTicks[Math.floor(eventTicks.length / 2)] ?? Math.floor(count / 2);
  const from = Math.max(0, Math.min(count - most, middle - most / 2));
  return Array.from({ length: Math.min(count, most) }, (_, i) => from + i);
};
const ticksOf = (file: (typeof shippedStories)[number]): readonly number[] => {
  const { study, variant } = shippedStory(file);
  const { eventLog, ticks } = study.runs[variant];
  return stretch(ticks.count, eventLog.map(({ tMs }) => Math.floor(tMs / study.scenario.tickMs)));
};

test.each(shippedStories)('%s: no instance looks one way, another, and the first again within three ticks, unless something happened to it', (file) => {
  const { study, variant } = shippedStory(file);
  const scene = sceneOf(study, variant);
  const { count, services } = scene.run.ticks;
  for (const { name } of scene.run.system.services)
    services[name].instances.forEach((_, i) => {
      const states = Array.from({ length: count }, (__, tick) => displayState(scene, name, i, tick));
      for (let tick = 2; tick < count; tick++) {
        if (states[tick] !== states[tick - 2] || states[tick] === states[tick - 1]) continue;
        const happened = [tick - 1, tick].some((at) => scene.eventsIn(at).some(({ subject, kind }) => subject === `${name}.${i + 1}` || kind === 'fault' || kind === 'fault-end'));
        expect(happened, `${name} #${i + 1}: ${states.slice(tick - 2, tick + 1).join(', ')} at ${tick}`).toBe(true);
      }
    });
});

/** What goes wrong at a link, and what is done again, is there while it is so. */
const ofTrouble = /refused|failed|retries|opened|sent after/;

test.each(shippedStories)('%s: no label comes and goes more than three times in ten ticks, but for what goes wrong', (file) => {
  const { study, variant } = shippedStory(file);
  const { frame } = sceneOf(study, variant);
  const ticks = ticksOf(file);
  const seen = new Map<string, { readonly at: Set<number>; readonly text: string }>();
  ticks.forEach((tick, index) => {
    for (const shape of flat(stageDrawing(study, variant, tick, { lang: 'en', theme: 'dark', speed: 1 }).shapes)) {
      if (shape.kind !== 'text' || shape.y > frame.caption.top) continue;
      const text = shape.runs.map((run) => run.text).join('');
      const key = `${shape.x.toFixed(0)} ${shape.y.toFixed(0)}`;
      if (!seen.has(key)) seen.set(key, { at: new Set(), text });
      seen.get(key)!.at.add(index);
    }
  });
  expect(seen.size).toBeGreaterThan(20);
  const restless = [...seen].flatMap(([key, { at, text }]) => {
    if (ofTrouble.test(text)) return [];
    const turns = ticks.map((_, index) => Number(index > 0 && at.has(index) !== at.has(index - 1)));
    const worst = Math.max(...turns.map((_, index) => turns.slice(index, index + 10).reduce((sum, turn) => sum + turn, 0)));
    return worst > 3 ? [`"${text}" at ${key}: ${worst} times`] : [];
  });
  expect(restless).toEqual([]);
});

test.each(shippedStories)('%s: boxes stand where they stood in the first frame', (file) => {
  const { study, variant } = shippedStory(file);
  const boxes = (tick: number): string[] =>
    flat(stageDrawing(study, variant, tick, { lang: 'ko', theme: 'light', speed: 1 }).shapes).flatMap((shape) => (shape.kind === 'rect' && (shape.radius ?? 0) >= 10 && shape.stroke !== undefined && shape.opacity === undefined ? [`${shape.x} ${shape.y} ${shape.width} ${shape.height}`] : []));
  const ticks = ticksOf(file).filter((_, i) => i % 9 === 0);
  const first = boxes(ticks[0]);
  expect(first.length).toBeGreaterThan(0);
  for (const tick of ticks) expect(boxes(tick), `tick ${tick}`).toEqual(first);
});
