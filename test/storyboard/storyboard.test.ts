import { expect, test } from 'vitest';
import { FrameClock } from '../../renderers/video/frame-clock.js';
import { incidentTicks, paceOf } from '../../renderers/video/pacing.js';
import { frameCount, type Reel } from '../../renderers/video/reel.js';
import { planFilm, stopsInRun, storyboard } from '../../renderers/video/storyboard.js';
import { scriptedStudy } from '../support/scripted-study.js';

const study = scriptedStudy();
const film = (options: Partial<Parameters<typeof storyboard>[1]> = {}): Reel => storyboard(study, { variant: 'as-it-is', lang: 'en', theme: 'dark', ...options });

test.each([24, 25, 30, 60])('the film at %i fps is as long as its plan, to the frame', (fps) => {
  const plan = planFilm(study, 'as-it-is', fps);
  expect(frameCount(film({ fps }))).toBe(Math.round((plan.verdict.toMs * fps) / 1000));
});

test('every tick is shown, once, in order', () => {
  const clocks = film().shots.map((shot) => /font-size="66" font-weight="700"[^>]*>(\d\d:\d\d)</.exec(shot.svg())?.[1]).filter((clock) => clock !== undefined);
  const seen = clocks.filter((clock, i) => clock !== clocks[i - 1]);
  expect(seen).toHaveLength(study.runs['as-it-is'].ticks.count);
  expect(seen).toEqual(seen.toSorted());
});

test('quiet runs at 8×, an incident at 2×', () => {
  const pace = paceOf(study, 'as-it-is', 30);
  expect(pace[5].speed).toBe(8);
  expect(pace[45].speed).toBe(2);
});

test('after a question the film goes on in real time until its answer has stood for 4 s', () => {
  const pace = paceOf(study, 'as-it-is', 30);
  expect([57, 58, 59, 60, 61, 62].map((tick) => pace[tick].speed)).toEqual([2, 1, 1, 1, 1, 2]);
});

test('no caption between cards is shorter than can be read', () => {
  for (const variant of Object.keys(study.runs))
    for (const lang of ['en', 'ko'] as const) {
      const { captions } = film({ variant, lang });
      expect(captions.filter(({ fromMs, toMs }) => toMs - fromMs < 2499).map(({ text }) => text)).toEqual([]);
    }
});

test('the answer of a question is what is said when the film goes on', () => {
  const [ejection, oom] = study.scenario.rehearsal.stops;
  const answer = { en: 'Yes. It has not missed two probes yet.', ko: '그렇습니다. 아직 두 번 실패하지 않았습니다.' };
  const answering = { ...study, scenario: { ...study.scenario, rehearsal: { ...study.scenario.rehearsal, stops: [ejection, { ...oom, answer }] } } };
  const { captions } = storyboard(answering, { variant: 'as-it-is', lang: 'en', theme: 'dark' });
  const asked = captions.findIndex(({ text }) => text === oom.ask.en);
  expect(captions[asked + 1].text).toBe(answer.en);
  expect(captions[asked + 1].toMs - captions[asked + 1].fromMs).toBeGreaterThanOrEqual(4000);
});

test('an incident begins before its first event and lasts beyond its last', () => {
  const incident = incidentTicks(study, 'as-it-is');
  expect(incident.slice(0, 12)).toEqual(Array.from({ length: 12 }, () => false));
  expect(incident.slice(22, 93).every(Boolean)).toBe(true);
});

test('no tick is shorter than a frame, and its speed is the real one', () => {
  const hasty = { ...study, scenario: { ...study.scenario, rehearsal: { ...study.scenario.rehearsal, pacing: { quiet: 100, incident: 50 } } } };
  const pace = paceOf(hasty, 'as-it-is', 30);
  expect(pace.every(({ filmMs }) => filmMs >= 1000 / 30 - 1e-9)).toBe(true);
  expect(pace[5].speed).toBeCloseTo(30, 9);
  expect(storyboard(hasty, { variant: 'as-it-is', lang: 'en', theme: 'dark' }).shots.every((shot) => shot.frames > 0)).toBe(true);
});

test('a stop holds its question before the first picture of its tick, one block a second', () => {
  const reel = film();
  const svgs = reel.shots.map((shot) => shot.svg());
  const cards = svgs.flatMap((svg, i) => (svg.includes('Stop 2 of 2') ? [i] : []));
  expect(cards).toHaveLength(6);
  expect(cards.map((i) => reel.shots[i].frames)).toEqual([30, 30, 30, 30, 30, 30]);
  expect(new Set(cards.map((i) => svgs[i])).size).toBe(6);
  expect(svgs[cards.at(-1)! + 1]).toContain('in, wrongly');
  expect(svgs.slice(0, cards[0]).some((svg) => svg.includes('in, wrongly'))).toBe(false);
});

test('a stop whose event does not happen is left out', () => {
  const { rehearsal } = study.scenario;
  const never = { ...rehearsal.stops[0], name: 'never', at: { kind: 'crashed', subject: 'order-api' } as const };
  const timed = { ...never, name: 'timed', at: { timeMs: 90_000 } };
  const stops = [never, ...rehearsal.stops, timed];
  expect(stopsInRun({ ...study, scenario: { ...study.scenario, rehearsal: { ...rehearsal, stops } } }, 'as-it-is').map(({ stop, tick }) => [stop.name, tick])).toEqual([['first-ejection', 31], ['first-oom', 58], ['timed', 90]]);
});

test('chapters cover the film without gaps and none is shorter than 3 s', () => {
  for (const lang of ['en', 'ko'] as const) {
    const reel = film({ lang });
    const endMs = planFilm(study, 'as-it-is', 30).verdict.toMs;
    expect(reel.chapters[0].fromMs).toBe(0);
    expect(reel.chapters.at(-1)!.toMs).toBe(endMs);
    reel.chapters.forEach((chapter, i) => {
      expect(chapter.toMs - chapter.fromMs).toBeGreaterThanOrEqual(3000);
      if (i > 0) expect(chapter.fromMs).toBe(reel.chapters[i - 1].toMs);
    });
    expect(reel.chapters.map((chapter) => chapter.title)).toContain(lang === 'en' ? '00:58 #2 was OOM-killed' : '00:58 #2가 OOM으로 강제 종료되었습니다');
  }
});

test('captions follow each other without gaps, in the language of the film', () => {
  const { captions } = film({ lang: 'ko' });
  captions.forEach((caption, i) => {
    expect(caption.toMs).toBeGreaterThan(caption.fromMs);
    if (i > 0) expect(caption.fromMs).toBe(captions[i - 1].toMs);
    expect(caption.text.trim()).not.toBe('');
  });
  expect(captions.some((caption) => caption.text.includes('LB는 아직 그쪽으로 보내고 있을까요?'))).toBe(true);
});

test('the poster is the first kill, unveiled', () => {
  const reel = film();
  expect(reel.shots[reel.poster].svg()).toContain('lost in the kill');
  expect(reel.shots[reel.poster].svg()).not.toContain('Stop 2 of 2');
});

test('another size scales the same drawing', () => {
  expect(film({ width: 1280, height: 720 }).shots[0].svg()).toMatch(/^<svg [^>]*width="1280" height="720" viewBox="0 0 1920 1080"/);
});

test('a pair of studies that differ only in variants makes the same film of the same variant', () => {
  const alone = { ...study, runs: { 'as-it-is': study.runs['as-it-is'] } };
  expect(storyboard(alone, { variant: 'as-it-is', lang: 'en', theme: 'dark' }).shots[40].svg()).toBe(film().shots[40].svg());
});

test('frames of many shots sum up to the rounded end of the last', () => {
  const clock = new FrameClock(30);
  let total = 0;
  for (let k = 1; k <= 1000; k++) total += clock.advanceTo(k * 125);
  expect(total).toBe(3750);
});
