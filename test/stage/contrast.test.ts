import { beforeAll, expect, test } from 'vitest';
import { stageWords, type DisplayState } from '../../src/text/stage.js';
import { Canvas } from '../../renderers/look/drawing.js';
import { drawGlyph } from '../../renderers/look/glyphs.js';
import { themes, type Theme } from '../../renderers/look/palette.js';
import { questionCard } from '../../renderers/stage/cards/question-card.js';
import { titleCard } from '../../renderers/stage/cards/title-card.js';
import { verdictCard } from '../../renderers/stage/cards/verdict-card.js';
import { healthColors, healthGlyph } from '../../renderers/stage/display-state.js';
import { landscape, portrait } from '../../renderers/stage/frame.js';
import { stageDrawing } from '../../renderers/stage/stage.js';
import { stopsInRun } from '../../renderers/stage/stops.js';
import { contrast, contrastFlaws, luminance } from '../support/contrast.js';
import { churn, hotRow, oddParts, oneBox, sixty, slowPods, troubledLanes } from '../support/example-systems.js';
import { scriptedStudy } from '../support/scripted-study.js';
import { shippedStory } from '../support/story-studies.js';

const files = ['order-api-spike', 'order-api/fail-open', 'first-version/journeys', 'one-box/push-own-process', 'pod-latency/injected-latency'] as const;
// Runs take their time on a busy machine.
beforeAll(() => void files.map(shippedStory), 300_000);
const both = ['dark', 'light'] as const satisfies readonly Theme[];

test.each(both)('every text of a frame has 4.5 : 1 against what it stands on (%s)', (theme) => {
  const examples = [scriptedStudy(), hotRow(), churn(3), slowPods(), oneBox(), oddParts(), sixty(), troubledLanes()].map((study) => ({ study, variant: Object.keys(study.runs)[0] }));
  const flaws = new Set<string>();
  for (const { study, variant } of [...files.map(shippedStory), ...examples]) {
    const { count } = study.runs[variant].ticks;
    for (const frame of [landscape, portrait])
      for (let tick = 0; tick < count; tick += Math.max(1, Math.floor(count / 12)))
        for (const flaw of contrastFlaws(stageDrawing(study, variant, tick, { lang: tick % 2 ? 'en' : 'ko', theme, frame, speed: 1 }))) flaws.add(flaw);
  }
  expect([...flaws].slice(0, 20)).toEqual([]);
});

test.each(both)('every text of a card has 4.5 : 1 against what it stands on (%s)', (theme) => {
  const flaws = new Set<string>();
  for (const { study, variant } of files.map(shippedStory))
    for (const lang of ['en', 'ko'] as const) {
      const stops = stopsInRun(study, variant);
      const cards = [titleCard(study, variant, { lang, theme }), verdictCard(study, variant, { lang, theme }), ...stops.map(({ stop, tick }, i) => questionCard(study, variant, { stop, tick, number: i + 1, of: stops.length, passedS: 2 }, { lang, theme }))];
      for (const card of cards) for (const flaw of contrastFlaws(card)) flaws.add(flaw);
    }
  expect([...flaws]).toEqual([]);
});

test('the test finds a text on a ground that is too near', () => {
  const canvas = new Canvas(200, 100, { fill: '#777777', size: 20 });
  canvas.rect(0, 0, 200, 100, { fill: '#ffffff' });
  canvas.text(10, 30, 'grey on white');
  canvas.rect(0, 40, 200, 60, { fill: '#000000' });
  canvas.text(10, 60, 'grey on black');
  canvas.path('M0 70H200V100H0Z', { fill: '#888888' });
  canvas.text(10, 90, 'grey on grey');
  expect(contrastFlaws(canvas.drawing()).map((flaw) => /"(.+)"/.exec(flaw)?.[1])).toEqual(['grey on grey', 'grey on white']);
});

test.each(both)('fills have 3 : 1 on a lane, and areas differ in grey (%s)', (theme) => {
  const palette = themes[theme];
  for (const name of ['good', 'refused', 'failed', 'ejected', 'boot', 'hatch'] as const) expect(contrast(palette[name], palette.s2), name).toBeGreaterThanOrEqual(3);
  const grounds = [palette.bg, palette.s1, palette.s2];
  for (const name of ['text', 'text2', 'text3', 'goodText', 'refusedText', 'failedText', 'ejectedText', 'bootText', 'offText'] as const) for (const ground of grounds) expect(contrast(palette[name], ground), `${name} on ${ground}`).toBeGreaterThanOrEqual(5.2);
  const areas = [palette.goodArea, palette.refusedArea, palette.failed].map(luminance).toSorted((a, b) => a - b);
  expect((areas[1] + 0.05) / (areas[0] + 0.05)).toBeGreaterThanOrEqual(1.5);
  expect((areas[2] + 0.05) / (areas[1] + 0.05)).toBeGreaterThanOrEqual(1.5);
});

/** What a glyph looks like without its colour. */
const silhouette = (state: DisplayState): string => {
  const canvas = new Canvas(48, 48, { fill: '#000000', size: 16 });
  drawGlyph(canvas, healthGlyph(state), 24, 24, 24, { color: '#000000', cut: '#ffffff', progress: 0.3 });
  return JSON.stringify(canvas.drawing().shapes);
};

test('every state has a word in both languages and a glyph beside its colour; states of one colour differ in glyph or word', () => {
  const states = Object.keys(stageWords.en.state) as DisplayState[];
  expect(states.length).toBeGreaterThanOrEqual(13);
  for (const lang of ['en', 'ko'] as const) {
    const words = states.map((state) => stageWords[lang].state[state]);
    expect(new Set(words).size).toBe(states.length);
    for (const word of words) expect(word).not.toBe('');
  }
  // Killed and crashed end a process alike, restarting and dead are gone alike, joining and booting wait alike: their words part them.
  const alike = new Map<string, DisplayState[]>();
  for (const state of states) alike.set(silhouette(state), [...(alike.get(silhouette(state)) ?? []), state]);
  expect([...alike.values()].filter((group) => group.length > 1).toSorted()).toEqual([['joining', 'booting'], ['killed', 'crashed'], ['restarting', 'dead']].map((group) => group.toSorted((a, b) => states.indexOf(a as DisplayState) - states.indexOf(b as DisplayState))).toSorted());
  for (const group of alike.values()) expect(new Set(group.map((state) => healthColors(themes.dark, state).fill)).size).toBe(1);
});
