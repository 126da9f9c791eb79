import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { numberAt } from '../../src/study/columns.js';
import type { LoggedEvent } from '../../src/study/types.js';
import { questionCard } from '../../renderers/stage/cards/question-card.js';
import { titleCard } from '../../renderers/stage/cards/title-card.js';
import { verdictCard } from '../../renderers/stage/cards/verdict-card.js';
import { flappingAt } from '../../renderers/stage/caption-states.js';
import { captionsOf } from '../../renderers/stage/captions.js';
import { displayState, isFullAt } from '../../renderers/stage/display-state.js';
import { flowOf, phaseAt, sceneOf } from '../../renderers/stage/scene.js';
import { frameSvg, stageDrawing } from '../../renderers/stage/stage.js';
import type { Drawing, Shape } from '../../renderers/look/drawing.js';
import { toSvg } from '../../renderers/look/svg.js';
import { stopsInRun } from '../../renderers/video/storyboard.js';
import { expectGolden } from '../support/golden.js';
import { scriptedStudy } from '../support/scripted-study.js';

const study = scriptedStudy();
const variant = 'as-it-is';
const golden = (name: string): string => path.join(path.dirname(fileURLToPath(import.meta.url)), 'golden', `${name}.svg`);
const texts = (drawing: Drawing): string[] => {
  const of = (shapes: readonly Shape[]): string[] => shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.runs.map((run) => run.text).join('')] : shape.kind === 'group' ? of(shape.shapes) : []));
  return of(drawing.shapes);
};
const at = (tick: number, lang: 'en' | 'ko' = 'en') => texts(stageDrawing(study, variant, tick, { lang, theme: 'dark', speed: 2 }));

test('the kill looks as it did', () => expectGolden(frameSvg(study, variant, 58, { lang: 'en', theme: 'dark', speed: 2 }), golden('kill-dark-en')));
test('the tick after the kill looks as it did', () => expectGolden(frameSvg(study, variant, 60, { lang: 'ko', theme: 'light', speed: 2 }), golden('dead-in-rotation-light-ko')));
test('a quiet tick at 8× looks as it did', () => expectGolden(frameSvg(study, variant, 10, { lang: 'en', theme: 'light', speed: 8 }), golden('quiet-light-en')));
test('the title card looks as it did', () => expectGolden(toSvg(titleCard(study, variant, { lang: 'en', theme: 'dark' })), golden('title-dark-en')));
test('the question card looks as it did', () => expectGolden(toSvg(questionOf(1, 'en')), golden('question-dark-en')));
test('the verdict card looks as it did', () => expectGolden(toSvg(verdictCard(study, variant, { lang: 'ko', theme: 'dark' })), golden('verdict-dark-ko')));

const questionOf = (index: number, lang: 'en' | 'ko'): Drawing => {
  const stops = stopsInRun(study, variant);
  return questionCard(study, variant, { ...stops[index], number: index + 1, of: stops.length, passedS: 1 }, { lang, theme: 'dark' });
};

test('one tick and the next are different pictures, and the same tick is the same text', () => {
  const options = { lang: 'en', theme: 'dark' } as const;
  expect(frameSvg(study, variant, 70, options)).not.toBe(frameSvg(study, variant, 71, options));
  expect(frameSvg(study, variant, 70, options)).toBe(frameSvg(scriptedStudy(), variant, 70, options));
});

test('health follows what is true, what is believed and what just happened', () => {
  const scene = sceneOf(study, variant);
  const state = (instance: number, tick: number) => displayState(scene, 'order-api', instance - 1, tick);
  expect([state(1, 10), state(1, 25), state(1, 35), state(3, 10), state(3, 40), state(3, 51)]).toEqual(['healthy', 'saturated', 'ejected', 'off', 'booting', 'joining']);
  expect([state(2, 58), state(2, 59), state(2, 67), state(5, 85), state(5, 108), state(5, 113)]).toEqual(['killed', 'restarting', 'ejected', 'warming', 'draining', 'off']);
});

test('an instance is saturated in the tick in which its slots are full and somebody waits, and for three ticks after', () => {
  const scene = sceneOf(study, variant);
  const { instances } = scene.run.ticks.services['order-api'];
  const signs = instances.map((_, i) => Array.from({ length: scene.run.ticks.count }, (__, tick) => isFullAt(scene, 'order-api', i, tick)));
  let entered = 0;
  signs.forEach((full, i) =>
    full.forEach((now, tick) => {
      const shown = displayState(scene, 'order-api', i, tick);
      if (now && !full[tick - 1] && shown === 'saturated') entered++;
      if (now) expect(['healthy', 'warming'], `#${i + 1} at ${tick}`).not.toContain(shown);
      if (shown === 'saturated') expect([tick, tick - 1, tick - 2].some((t) => full[t] || numberAt(instances[i].saturated, t) === 1 || numberAt(instances[i].refused, t) > 0), `#${i + 1} at ${tick}`).toBe(true);
    }),
  );
  expect(entered).toBeGreaterThan(0);
});

test('no lane is healthy while requests are refused there', () => {
  const scene = sceneOf(study, variant);
  scene.run.ticks.services['order-api'].instances.forEach((instance, i) => {
    for (let tick = 0; tick < scene.run.ticks.count; tick++) if (numberAt(instance.refused, tick) > 0) expect(displayState(scene, 'order-api', i, tick)).not.toBe('healthy');
  });
});

test('all is well only while nobody waits and nothing is refused, fails or is behind its goal', () => {
  const scene = sceneOf(study, variant);
  let calm = 0;
  captionsOf(scene, 'en').forEach(({ lead }, tick) => {
    if (lead !== 'All is well.') return;
    calm++;
    const { refused, failed } = flowOf(scene.run, tick, tick);
    expect(refused + failed, `tick ${tick}`).toBe(0);
    expect(phaseAt(scene, tick)?.name, `tick ${tick}`).not.toBe('event');
  });
  expect(calm).toBeGreaterThan(10);
});

test('while most goes to a dead process, the caption says so and how many fail', () => {
  expect(captionsOf(sceneOf(study, variant), 'en').slice(58, 66).map(({ lead, rest }) => `${lead} ${rest}`).some((text) => /^alb still sends to dead #2: \d+ of \d+ requests failed at 01:0\d\.$/.test(text))).toBe(true);
});

test('from the third time on, ejecting and returning the same instance is one caption with a count', () => {
  const times = [30, 40, 50, 60, 70, 80];
  const eventLog = times.map((s, i): LoggedEvent => (i % 2 === 0 ? { tMs: s * 1000, kind: 'ejected', subject: 'order-api.1', cause: 'queue full', basis: 'counted', data: { link: 'alb.order-api', bad: 2, inRotation: 1 } } : { tMs: s * 1000, kind: 'ready', subject: 'order-api.1', cause: 'probes', basis: 'counted', data: { link: 'alb.order-api', good: 3, inRotation: 2 } }));
  const scene = sceneOf({ ...study, runs: { [variant]: { ...study.runs[variant], eventLog } } }, variant);
  expect([49, 60, 69, 70, 90].map((tick) => flappingAt(scene, tick)?.ejections)).toEqual([undefined, undefined, undefined, 3, 3]);
  expect(flappingAt(scene, 100)).toBeNull();
});

test('what the balancer believes is drawn apart from what is true', () => {
  expect(at(60)).toContain('in, wrongly');
  expect(at(60)).toContain('all failed');
  expect(at(64)).not.toContain('in, wrongly');
});

test('the figures of every tick add up on the panel', () => {
  for (const tick of [5, 24, 45, 58, 61, 90]) {
    const shown = at(tick);
    const number = (label: string, column: number): number => Number(shown[shown.lastIndexOf(label) + column].replaceAll(',', '').replace('−', '-').replace('+', ''));
    for (const column of [1, 2]) expect(number('offered', column)).toBe(number('good', column) + number('refused', column) + number('failed', column) + number('in-flight change', column));
  }
});

test('a question does not show its answer', () => {
  const shown = texts(questionOf(1, 'en'));
  expect(shown.filter((text) => text === '?').length).toBeGreaterThanOrEqual(4);
  expect(shown).not.toContain('in, wrongly');
  expect(shown.filter((text) => text === 'in')).toEqual([]);
  expect(shown).not.toContain('106 failed');
  expect(shown).toContain('goes on in 5 s');
});

test('two events in one tick are both told', () => {
  expect(at(24).some((text) => text.startsWith('#1 and #2 are saturated.'))).toBe(true);
  expect(at(51, 'ko').some((text) => text.startsWith('#3, #4가 부팅을 마쳤습니다.'))).toBe(true);
});

test('numbers change at most twice a second of film at 8×', () => {
  const rates = Array.from({ length: 16 }, (_, i) => texts(stageDrawing(study, variant, 84 + i, { lang: 'en', theme: 'dark', speed: 8 })).find((text) => /^\d+\/s$/.test(text)));
  const changes = rates.filter((rate, i) => i > 0 && rate !== rates[i - 1]).length;
  // 16 ticks are 2 s of film.
  expect(changes).toBeLessThanOrEqual(4);
  expect(changes).toBeGreaterThan(0);
  expect(texts(stageDrawing(study, variant, 90, { lang: 'en', theme: 'dark', speed: 8 }))).toContain('offered, over 4\u00A0s');
});

test('a variant that the study does not have is named', () => {
  expect(() => stageDrawing(study, 'other', 0, { lang: 'en', theme: 'dark' })).toThrow('the study has no variant other; it has as-it-is, dedicated-health-path');
});

test('who does not come back is dead, not restarting, and does not count as running', () => {
  const run = study.runs[variant];
  const services = run.system.services.map((service) => (service.name === 'order-api' ? { ...service, recovery: { ...service.recovery, by: 'none' as const } } : service));
  const forGood = { ...study, runs: { [variant]: { ...run, system: { ...run.system, services } } } };
  expect(displayState(sceneOf(forGood, variant), 'order-api', 1, 59)).toBe('dead');
  const shown = texts(stageDrawing(forGood, variant, 60, { lang: 'en', theme: 'dark' }));
  expect(shown).toContain('dead');
  expect(shown).not.toContain('restarting');
  expect(shown).toContain('desired 5 · running 3 · booting 1');
});

test('numbers beside a question are those of the tick before it', () => {
  const { tick } = stopsInRun(study, variant)[1];
  const before = flowOf(sceneOf(study, variant).run, tick - 1, tick - 1).offered;
  expect(texts(questionOf(1, 'en'))).toContain(`${before}/s`);
});
