import { describe, expect, it } from 'vitest';
import { compareSceneOf } from '../../renderers/stage/compare/compare-scene.js';
import { readableMs } from '../../renderers/stage/captions.js';
import { filmTimesOf } from '../../renderers/stage/pace.js';
import { commonPace } from '../../renderers/video/compare-pace.js';
import { compareStoryboard } from '../../renderers/video/compare-storyboard.js';
import { frameCount } from '../../renderers/video/reel.js';
import { scriptedStudy } from '../support/scripted-study.js';
import { allOf, comparedOf } from './compared.js';

const study = scriptedStudy();
const pair = allOf(study);
const look = { lang: 'en', theme: 'dark', fps: 10 } as const;
const reel = compareStoryboard(pair, look);

describe('the pace of a comparison', () => {
  it('gives each tick the time of the side that makes most of it', () => {
    const scene = compareSceneOf(pair);
    const bySide = scene.sides.map((side) => filmTimesOf(side.study, side.variant));
    commonPace(scene, 30).forEach(({ filmMs }, tick) => expect(filmMs).toBeCloseTo(Math.max(1000 / 30, ...bySide.map((times) => times[tick])), 9));
  });

  it.each([10_000, 20_000, 60_000])('makes a film of exactly %d ms in which every kill and ejection is seen', (durationMs) => {
    const film = compareStoryboard(pair, { ...look, durationMs });
    expect(frameCount(film)).toBe(durationMs / 100);
    const scene = compareSceneOf(pair);
    const pace = commonPace(scene, 10, frameCount(film));
    const grave = scene.scenes.flatMap(({ run }) => run.eventLog.filter(({ kind }) => kind === 'oom' || kind === 'ejected').slice(0, 2).map(({ tMs }) => Math.floor(tMs / 1000)));
    expect(grave.length).toBeGreaterThan(1);
    for (const tick of grave) expect(pace[tick].filmMs).toBeGreaterThanOrEqual(300 - 1e-6);
  });

  it('tells the speed as it is', () => {
    const pace = commonPace(compareSceneOf(pair), 10, 160);
    const simulatedMs = pace.reduce((sum, { filmMs, speed }) => sum + filmMs * speed, 0);
    expect(simulatedMs).toBeCloseTo(120_000, 0);
  });
});

describe('the film of a comparison', () => {
  it('covers its time with chapters, and ends with the closing sentence', () => {
    const lengthMs = (frameCount(reel) * 1000) / 10;
    expect(reel.chapters[0].fromMs).toBe(0);
    reel.chapters.slice(1).forEach(({ fromMs }, i) => expect(fromMs).toBe(reel.chapters[i].toMs));
    expect(Math.abs(reel.chapters.at(-1)!.toMs - lengthMs)).toBeLessThanOrEqual(50);
    expect(reel.captions.at(-1)!.text).toMatch(/^dedicated-health-path keeps [\d.]+.points more good in event/);
    expect(reel.title).toBe('Order API: an event triples the traffic: as-it-is against dedicated-health-path');
  });

  it('has captions that follow each other and can be read, with the letter of each side', () => {
    reel.captions.slice(1).forEach(({ fromMs }, i) => expect(fromMs).toBeCloseTo(reel.captions[i].toMs, 6));
    for (const { fromMs, toMs } of reel.captions.slice(1, -2)) expect(toMs - fromMs).toBeGreaterThanOrEqual(readableMs - 1);
    expect(reel.captions.some(({ text }) => /^A: .+\nB: .+/.test(text))).toBe(true);
    expect(reel.captions.some(({ text }) => text.startsWith('In both: '))).toBe(true);
  });

  it('asks no question, and so answers none', () => {
    const { scenario } = study;
    const answering = { ...study, scenario: { ...scenario, rehearsal: { ...scenario.rehearsal, stops: scenario.rehearsal.stops.map((stop) => ({ ...stop, answer: { en: 'Yes: the answer.', ko: '예.' } })) } } };
    expect(compareStoryboard(allOf(answering), look).captions).toEqual(reel.captions);
  });

  it('is drawn again to the letter, at any size', () => {
    const again = compareStoryboard(comparedOf([study, 'as-it-is'], [study, 'dedicated-health-path']), look);
    const at = reel.poster;
    expect(again.shots[at].svg()).toBe(reel.shots[at].svg());
    expect(compareStoryboard(pair, { ...look, width: 640, height: 360 }).shots[0].svg()).toMatch(/^<svg [^>]*width="640" height="360" viewBox="0 0 1920 1080"/);
  });

  it('shows a picture that changes', () => {
    expect(new Set(reel.shots.map(({ svg }) => svg())).size).toBe(reel.shots.length);
  });
});
