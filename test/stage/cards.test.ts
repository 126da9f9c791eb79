import { expect, test } from 'vitest';
import { resultValue } from '../../renderers/look/numbers.js';
import type { Drawing, Shape } from '../../renderers/look/drawing.js';
import { themes } from '../../renderers/look/palette.js';
import { questionCard } from '../../renderers/stage/cards/question-card.js';
import { verdictCard } from '../../renderers/stage/cards/verdict-card.js';
import { balanced, wrapped } from '../../renderers/stage/fit.js';
import { stopsInRun } from '../../renderers/stage/stops.js';
import { scriptedStudy } from '../support/scripted-study.js';

const study = scriptedStudy();
const variant = 'as-it-is';
const flat = (shapes: readonly Shape[]): readonly Shape[] => shapes.flatMap((shape) => (shape.kind === 'group' ? flat(shape.shapes) : [shape]));
const texts = (drawing: Drawing): string[] => flat(drawing.shapes).flatMap((shape) => (shape.kind === 'text' ? [shape.runs.map(({ text }) => text).join('')] : []));

const card = (passedS: number, about?: string, lang: 'en' | 'ko' = 'en'): Drawing => {
  const { stop, tick } = stopsInRun(study, variant)[1];
  return questionCard(study, variant, { stop: about === undefined ? stop : { ...stop, about }, number: 2, of: 2, tick, passedS }, { lang, theme: 'dark' });
};

test('only a question about a balancer asks for its list', () => {
  expect(texts(card(0)).some((text) => text.includes('Fill in its rotation'))).toBe(false);
  expect(texts(card(0, 'alb')).some((text) => text.includes('Fill in its rotation'))).toBe(true);
  expect(texts(card(0, 'order-api.1')).some((text) => text.includes('Fill in its rotation'))).toBe(false);
});

test('a block is full when its second has passed', () => {
  const full = (passedS: number): number => flat(card(passedS).shapes).filter((shape) => shape.kind === 'rect' && shape.height === 14 && shape.fill === themes.dark.text).length;
  expect([0, 1, 5, 6].map(full)).toEqual([0, 1, 5, 6]);
});

test('balanced lines are as many as full ones, and leave no word alone that need not be', () => {
  const ask = '두 대 모두 CPU가 한계인데, 방금 LB가 서버를 제외하기 시작했습니다. 가장 먼저 어디를 보시겠습니까?';
  for (const room of [500, 700, 900, 1152]) {
    const [even, full] = [balanced(ask, 48, 700, room), wrapped(ask, 48, 700, room)];
    expect(even).toHaveLength(full.length);
    expect(even.join(' ')).toBe(ask);
    expect(even.every((line) => line.includes(' '))).toBe(true);
  }
});

test('the verdict tells the story in numbers of the run', () => {
  const shown = texts(verdictCard(study, variant, { lang: 'en', theme: 'dark' }));
  const { failed } = study.runs[variant].traffic['orders'];
  expect(shown.filter((text) => text.startsWith('order-api #1'))).toEqual([expect.stringMatching(/^order-api #1: CPU at the ceiling from ≈00:22\. “good\s≥\s99\.9%” breaks at 00:23: over the next 10\ss, \d+\/s offered, \d+\/s good\.$/)]);
  expect(shown.some((text) => text.startsWith('In the whole run: 2 ejections, ') && text.includes(`${failed['order-api: killed'].toLocaleString('en')} lost in kills`))).toBe(true);
});

test('the verdict compares the variants in the phase that broke, and says once what all verdicts rest on', () => {
  const untested = { ...study, verdicts: study.verdicts.map((verdict) => ({ ...verdict, sure: 'untested' as const, restsOn: ['values.order-cpu', 'values.boot'] })) };
  const shown = texts(verdictCard(untested, variant, { lang: 'en', theme: 'dark' }));
  const other = study.verdicts.find(({ variant: of, objective, phase }) => of === 'dedicated-health-path' && objective === 'availability' && phase === 'event')!;
  expect(shown.filter((text) => text.includes('with one line changed'))).toEqual([`In the same phase, event, good, with one line changed: dedicated-health-path ${resultValue(other.actual, other.unit, 'en')}`]);
  expect(shown.filter((text) => text.includes('order-cpu'))).toEqual(['All of them rest on guesses: order-cpu, boot']);
});

test('a verdict whose objectives are all kept breaks nothing, and says what was missed for a while', () => {
  const kept = { ...study, verdicts: study.verdicts.map((verdict) => ({ ...verdict, met: true })) };
  const shown = texts(verdictCard(kept, variant, { lang: 'en', theme: 'dark' }));
  expect(shown).toContain('Every objective is kept.');
  expect(shown.filter((text) => text.includes('missed for a while'))).toEqual([expect.stringContaining('seen at 00:23')]);
});

test('a verdict says whose objective it is where there are several, and names guesses by what they are of', () => {
  const run = study.runs[variant];
  const objectives = [...run.system.objectives, { ...run.system.objectives[0], of: 'others' }];
  const two = { ...study, runs: { [variant]: { ...run, system: { ...run.system, objectives } } }, verdicts: study.verdicts.map((verdict) => ({ ...verdict, sure: 'untested' as const, restsOn: ['services.api.handlers.work.0.wait', 'services.api.to.db.latency'] })) };
  const shown = texts(verdictCard(two, variant, { lang: 'en', theme: 'dark' }));
  expect(shown.filter((text) => /^orders good/.test(text)).length).toBeGreaterThan(0);
  expect(shown).toContain('All of them rest on guesses: api.work.wait, api.db.latency');
});

test('a question about a source promises no question marks, and one about all lanes leaves the killed one lit', () => {
  expect(texts(card(1, 'orders'))).not.toContain('What is marked with ? is shown when the film goes on.');
  const frames = (about?: string) => flat(card(1, about).shapes).filter((shape) => shape.kind === 'rect' && shape.radius === 13 && shape.strokeWidth === 2).length;
  expect([frames(), frames('order-api')]).toEqual([2, 1]);
});
