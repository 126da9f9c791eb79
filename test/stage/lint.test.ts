import { expect, test } from 'vitest';
import { Canvas } from '../../renderers/look/drawing.js';
import { questionCard } from '../../renderers/stage/cards/question-card.js';
import { titleCard } from '../../renderers/stage/cards/title-card.js';
import { verdictCard } from '../../renderers/stage/cards/verdict-card.js';
import { landscape, portrait } from '../../renderers/stage/frame.js';
import { stageDrawing } from '../../renderers/stage/stage.js';
import { stopsInRun } from '../../renderers/video/storyboard.js';
import { lintDrawing } from '../support/drawing-lint.js';
import { lintShapes } from '../support/shape-lint.js';
import { scriptedStudy } from '../support/scripted-study.js';

const study = scriptedStudy();
const variants = Object.keys(study.runs);
const langs = ['en', 'ko'] as const;

test.each(langs)('no label of any tick overlaps, leaves its place or is too small (%s)', (lang) => {
  const flaws = new Set<string>();
  for (const variant of variants)
    for (let tick = 0; tick < study.runs[variant].ticks.count; tick++)
      for (const flaw of lintDrawing(stageDrawing(study, variant, tick, { lang, theme: 'dark', speed: tick % 2 ? 8 : 2 }))) flaws.add(`${flaw} (${variant}, tick ${tick})`);
  expect([...flaws].slice(0, 20)).toEqual([]);
});

test.each(langs)('no label leaves its place however fast or slow time passes (%s)', (lang) => {
  for (const frame of [landscape, portrait])
    for (const speed of [0.05, 0.25, 1.5, 12, 76.4, 99, 142.4, 577, 6_500, 36_000]) expect(lintDrawing(stageDrawing(study, variants[0], 60, { lang, theme: 'dark', frame, speed })), `${frame.name} at ${speed}×`).toEqual([]);
});

test.each(langs)('no label of any card overlaps, leaves its place or is too small (%s)', (lang) => {
  for (const variant of variants) {
    const look = { lang, theme: 'light' as const };
    expect(lintDrawing(titleCard(study, variant, look))).toEqual([]);
    expect(lintDrawing(verdictCard(study, variant, look))).toEqual([]);
    const stops = stopsInRun(study, variant);
    stops.forEach(({ stop, tick }, i) => expect(lintDrawing(questionCard(study, variant, { stop, tick, number: i + 1, of: stops.length, passedS: 2 }, look))).toEqual([]));
  }
});

test('the lint finds what it looks for', () => {
  const canvas = new Canvas(200, 100, { fill: '#000', size: 20 });
  canvas.text(10, 50, 'one');
  canvas.text(20, 52, 'two');
  canvas.text(10, 90, 'small', { size: 12 });
  canvas.text(100, 90, 'too wide for it', { room: 40 });
  canvas.text(190, 20, 'outside');
  canvas.layer = 1;
  canvas.text(12, 50, 'another layer');
  expect(lintDrawing(canvas.drawing()).map((flaw) => flaw.split(/[:,]| by/)[0])).toEqual(['small', 'outside the frame', 'too wide', 'outside the frame', 'overlap']);
});

const drawn = (draw: (canvas: Canvas) => void): readonly string[] => {
  const canvas = new Canvas(400, 200, { fill: '#000', size: 20 });
  draw(canvas);
  return lintShapes(canvas.drawing()).map((flaw) => flaw.split(' (')[0]);
};
const word = (canvas: Canvas): void => void canvas.text(100, 100, 'words');

test.each<readonly [string, (canvas: Canvas) => void]>([
  ['over a ribbon', (canvas) => { canvas.path('M50 90L150 90L250 150L250 160L150 100L50 100Z', { fill: '#0a0' }); word(canvas); }],
  ['over a sign', (canvas) => { canvas.path('M95 85L110 85L110 100L95 100Z', { fill: '#0a0' }); word(canvas); }],
  ['over a sign', (canvas) => { canvas.circle(105, 92, 9, { fill: '#0a0' }); word(canvas); }],
  ['over a line', (canvas) => { canvas.line(50, 93, 300, 93, { stroke: '#000', strokeWidth: 2 }); word(canvas); }],
  ['on a bar', (canvas) => { canvas.rect(90, 80, 200, 30, { fill: '#0a0', radius: 2 }); word(canvas); }],
  ['over a bar or half in a box', (canvas) => { canvas.rect(110, 80, 200, 30, { fill: '#0a0', radius: 2 }); word(canvas); }],
  ['drawn over', (canvas) => { word(canvas); canvas.rect(110, 80, 200, 30, { fill: '#0a0' }); }],
])('the lint of shapes finds a text %s', (flaw, draw) => expect(drawn(draw)).toEqual([flaw]));

test('the lint of shapes lets a text stand in its box, beside a ribbon, and on what a box covers', () =>
  expect(
    drawn((canvas) => {
      canvas.path('M50 90L150 90L250 150L250 160L150 100L50 100Z', { fill: '#0a0' });
      canvas.rect(80, 70, 200, 60, { fill: '#fff', stroke: '#000', radius: 10 });
      word(canvas);
      canvas.text(10, 80, 'beside');
      canvas.rect(84, 104, 60, 9, { fill: '#0a0', radius: 2 });
    }),
  ).toEqual([]));
