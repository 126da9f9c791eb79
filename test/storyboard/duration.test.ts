import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitCards, shortestFilmMs } from '../../renderers/video/film-length.js';
import { fitPace, paceIn } from '../../renderers/video/pacing.js';
import { frameCount } from '../../renderers/video/reel.js';
import { planFilm, storyboard } from '../../renderers/video/storyboard.js';
import { sceneOf, windowsOf } from '../../renderers/stage/scene.js';
import { tellingTicks } from '../../renderers/stage/telling-ticks.js';
import type { Study } from '../../src/study/types.js';
import { scriptedStudy } from '../support/scripted-study.js';

const study = scriptedStudy();
const variant = 'as-it-is';
const look = { variant, lang: 'en', theme: 'dark' } as const;

test.each([
  [10_000, 30],
  [60_000, 30],
  [60_000, 24],
  [47_777, 25],
  [600_000, 60],
])('a film of %i ms at %i fps is that long, to the frame', (durationMs, fps) => {
  const reel = storyboard(study, { ...look, fps, durationMs });
  expect(frameCount(reel)).toBe(Math.round((durationMs * fps) / 1000));
  expect(reel.chapters.at(-1)!.toMs).toBeCloseTo((frameCount(reel) * 1000) / fps, 6);
  expect(reel.captions.every(({ fromMs, toMs }, i) => toMs > fromMs && (i === 0 || fromMs === reel.captions[i - 1].toMs))).toBe(true);
});

test('any pace fits any number of frames, and what tells most is never passed over', () => {
  const paces = fc.record({
    wanted: fc.array(fc.integer({ min: 1, max: 2_000 }), { minLength: 1, maxLength: 4_000 }),
    telling: fc.uniqueArray(fc.nat(3_999), { maxLength: 60 }),
    frames: fc.integer({ min: 120, max: 4_000 }),
    fps: fc.constantFrom(24, 30, 60),
  });
  fc.assert(
    fc.property(paces, ({ wanted, telling, frames, fps }) => {
      const inRun = telling.filter((tick) => tick < wanted.length);
      const pace = fitPace({ wanted, telling: inRun, tickMs: 1_000 }, fps, frames);
      const lengths = pace.map(({ filmMs }) => (filmMs * fps) / 1000);
      expect(lengths.reduce((sum, length) => sum + Math.round(length), 0)).toBe(frames);
      for (const length of lengths) expect(Math.abs(length - Math.round(length))).toBeLessThan(1e-6);
      for (const tick of inRun.slice(0, Math.floor(frames / 6))) expect(Math.round(lengths[tick])).toBeGreaterThanOrEqual(3);
    }),
    { seed: 4, numRuns: 200 },
  );
});

test('in a film with more ticks than frames the speed is what really passes, all of it', () => {
  const pace = fitPace({ wanted: [...Array.from({ length: 3_000 }, () => 125), ...Array.from({ length: 100 }, () => 500)], telling: [], tickMs: 1_000 }, 30, 600);
  const [quiet, incident] = [pace[0].speed, pace[3_050].speed];
  expect(quiet).toBeGreaterThan(incident);
  expect(new Set(pace.map(({ speed }) => speed)).size).toBe(2);
  const filmS = (from: number, to: number): number => pace.slice(from, to).reduce((sum, { filmMs }) => sum + filmMs, 0) / 1000;
  expect(quiet * filmS(0, 3_000)).toBeCloseTo(3_000, 6);
  expect(incident * filmS(3_000, 3_100)).toBeCloseTo(100, 6);
});

test('no speed holds shorter than a second and a half, however many turns the natural pace takes', () => {
  const turns = Array.from({ length: 40 }, (_, turn) => Array.from({ length: 5 + ((turn * 37) % 90) }, () => [125, 500, 1_000][turn % 3])).flat();
  const pace = fitPace({ wanted: turns, telling: [], tickMs: 1_000 }, 30, 900);
  const standing = new Map<number, number>();
  let stretch = 0;
  pace.forEach(({ filmMs, speed }, tick) => {
    if (tick > 0 && speed !== pace[tick - 1].speed) stretch++;
    standing.set(stretch, (standing.get(stretch) ?? 0) + filmMs);
  });
  expect(standing.size).toBeGreaterThan(4);
  // Less a tick that fell out at the rounding of either end.
  for (const ms of standing.values()) expect(ms).toBeGreaterThanOrEqual(1_500 - 2 * 50);
});

/** The same run with a burst of failures in one quiet tick, and nothing in its log about it. */
const withBurst = (tick: number): Study => {
  const run = study.runs[variant];
  const [[name, columns]] = Object.entries(run.ticks.traffic);
  const column = (value: typeof columns.failed): number[] => Array.from({ length: run.ticks.count }, (_, t) => (typeof value === 'number' ? value : (value[t] ?? 0)));
  const failed = column(columns.failed);
  failed[tick] += 9_999;
  return { ...study, runs: { ...study.runs, [variant]: { ...run, ticks: { ...run.ticks, traffic: { ...run.ticks.traffic, [name]: { ...columns, failed } } } } } };
};

test('a burst of a single tick survives the strongest compression, with its own numbers', () => {
  const tick = 6;
  const burst = withBurst(tick);
  expect(tellingTicks(burst, variant)).toContain(tick);
  const reel = storyboard(burst, { ...look, durationMs: shortestFilmMs, fps: 10 });
  expect(planFilm(burst, variant, 10, shortestFilmMs).ticks.some(({ fromMs, toMs }) => fromMs === toMs)).toBe(true);
  const shown = reel.shots.filter((shot) => shot.svg().includes('9,999'));
  expect(shown.reduce((sum, { frames }) => sum + frames, 0)).toBeGreaterThanOrEqual(3);
});

test('kills and ejections are on screen in the shortest film', () => {
  const plan = planFilm(study, variant, 60, shortestFilmMs);
  for (const { kind, tMs } of study.runs[variant].eventLog) {
    if (kind !== 'oom' && kind !== 'ejected') continue;
    const { fromMs, toMs } = plan.ticks[Math.floor(tMs / study.scenario.tickMs)];
    expect(toMs - fromMs).toBeGreaterThanOrEqual(50 - 1e-6);
  }
});

test('questions that cannot be read in a short film are left out, the last first', () => {
  expect(fitCards([6_000, 6_000], undefined).stopMs).toEqual([6_000, 6_000]);
  expect(fitCards([6_000, 6_000], 60_000).stopMs).toEqual([6_000, 6_000]);
  expect(fitCards([6_000, 6_000, 6_000], 30_000).stopMs).toEqual([3_000, 3_000, 3_000]);
  expect(fitCards([6_000, 6_000], 10_000).stopMs).toEqual([3_000, 0]);
});

test('a film that is too short to tell anything is refused', () => {
  expect(() => planFilm(study, variant, 30, shortestFilmMs - 1)).toThrow('a film lasts at least 10000 ms');
});

test('with frames enough no tick is passed over', () => {
  expect(paceIn(study, variant, 30, 2_000).every(({ filmMs }) => filmMs > 0)).toBe(true);
});

test.each([10_000, 30_000, 60_000])('numbers of a film of %d ms never go back, and those of what is held stay for half a second', (durationMs) => {
  const plan = planFilm(study, variant, 30, durationMs);
  const windows = windowsOf(plan.ticks, [sceneOf(study, variant)]);
  windows.forEach(({ from, to }, tick) => {
    expect(to).toBeLessThanOrEqual(tick);
    expect(from).toBeLessThanOrEqual(to);
    const before = windows[tick - 1];
    if (before !== undefined && (before.from !== from || before.to !== to)) expect(from).toBeGreaterThan(before.to);
    if (plan.ticks[tick].isHeld) expect([from, to]).toEqual([tick, tick]);
  });
  expect(new Set(windows.map(({ to }) => to)).size).toBeLessThan(windows.length);
});

test('an answer stands for a second and a half in a short film that has the room, and where it has not, its part of it', () => {
  const shown = { wanted: Array.from({ length: 900 }, () => 125), telling: [], answers: [300, 500], tickMs: 1_000 };
  const frames = fitPace(shown, 30, 900).map(({ filmMs }) => Math.round((filmMs * 30) / 1000));
  expect([frames[300], frames[500]]).toEqual([45, 45]);
  expect(frames.reduce((sum, one) => sum + one, 0)).toBe(900);
  const short = fitPace(shown, 30, 120).map(({ filmMs }) => Math.round((filmMs * 30) / 1000));
  expect([short[300], short[500]]).toEqual([12, 12]);
});
