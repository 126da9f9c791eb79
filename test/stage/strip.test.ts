import { beforeAll, expect, test } from 'vitest';
import type { Drawing, Shape } from '../../renderers/look/drawing.js';
import { landscape as frame } from '../../renderers/stage/frame.js';
import { followedObjectives, isTelling, trailingAt } from '../../renderers/stage/objectives.js';
import { sceneOf } from '../../renderers/stage/scene.js';
import { stageDrawing } from '../../renderers/stage/stage.js';
import { themes } from '../../renderers/look/palette.js';
import type { Study } from '../../src/study/types.js';
import { anyStudy } from '../support/any-study.js';
import { scriptedStudy } from '../support/scripted-study.js';
import { anyStories, shippedStory } from '../support/story-studies.js';

const palette = themes.dark;

const stories = ['order-api-spike', 'first-version/hot-row', 'first-version/journeys', 'order-api/fail-open'] as const;
let generated: ReturnType<typeof anyStories> = [];
// Runs take their time on a busy machine.
beforeAll(() => {
  stories.forEach(shippedStory);
  generated = anyStories(8);
}, 300_000);

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
  const edge = sceneOf(study, variant).layout.group!.box.x - 18;
  const heights = new Set<number>();
  for (let tick = 0; tick < study.runs[variant].ticks.count; tick += 3) for (const { text, x, y } of texts(tick)) if (Math.abs(x - edge) < 10 && /^\d+\/s$/.test(text)) heights.add(y);
  // One for each of the five lanes that ever get traffic.
  expect(heights.size).toBe(5);
});

test('where numbers are means, the lanes say of how long; between phases the last ten seconds are held against the goal, as in the strip', () => {
  const shown = texts(90, 8).map(({ text }) => text);
  expect(shown).toContain('mean of 4\u00A0s');
  expect(shown).toContain('good, last 10 s');
  expect(shown.filter((text) => text.startsWith('goal')).map((text) => text.replaceAll('\u00A0', ' '))).toEqual(['goal ≥ 99.9%', 'goal ≤ 800 ms']);
});

test('in the tick of a kill the link says what was sent after it', () => {
  const shown = texts(58).map(({ text }) => text);
  expect(shown).toContain('lost in the kill');
  expect(shown.filter((text) => / failed$/.test(text))).toEqual([]);
});

const coloursOfData = new Set([palette.goodArea, palette.refusedArea, palette.failed, palette.offered]);
/** Right ends of what the strip draws of the run, px. */
const reaches = (shapes: readonly Shape[]): number[] =>
  flat(shapes).flatMap((shape) => {
    if (shape.kind !== 'path' || Number(/^M[\d.]+ ([\d.]+)/.exec(shape.d)?.[1]) < frame.strip.top) return [];
    const isLatency = shape.stroke === palette.text && shape.round === true;
    if (!isLatency && !(typeof shape.fill === 'string' && coloursOfData.has(shape.fill)) && !coloursOfData.has(shape.stroke ?? '')) return [];
    return [...shape.d.matchAll(/[MLH]([\d.]+)/g)].map(([, x]) => Number(x)).filter((x) => x <= frame.strip.right);
  });

test('in every frame the strip ends at the playhead: nothing of what is to come is drawn', () => {
  for (const story of stories.map(shippedStory)) {
    const { count } = story.study.runs[story.variant].ticks;
    const pxPerTick = (frame.strip.right - frame.strip.left) / count;
    let widest = 0;
    for (let tick = 0; tick < count; tick += 13) {
      const reached = Math.max(...reaches(stageDrawing(story.study, story.variant, tick, { lang: 'en', theme: 'dark' }).shapes));
      const playhead = frame.strip.left + (tick + 1) * pxPerTick;
      expect(reached, `${story.name}, tick ${tick}`).toBeLessThanOrEqual(playhead + 1.01);
      widest = Math.max(widest, reached);
    }
    expect(widest).toBeGreaterThan(frame.strip.right - 14 * pxPerTick - 2);
  }
});

const long = (count: number, columns: Partial<Record<'offered' | 'good' | 'refused' | 'failed', (tick: number) => number>>): Study => {
  const base = anyStudy({ users: ['web'] }, [{ name: 'web' }], 5);
  const run = base.runs['base'];
  const column = (of?: (tick: number) => number): number[] => Array.from({ length: count }, (_, tick) => of?.(tick) ?? 0);
  const users = { ...run.ticks.traffic['users'], offered: column(columns.offered), good: column(columns.good), declined: 0, refused: column(columns.refused), failed: column(columns.failed) };
  return { ...base, runs: { base: { ...run, durationMs: count * base.scenario.tickMs, eventLog: [], phases: {}, ticks: { ...run.ticks, count, traffic: { users } } } } };
};
const pathsOf = (study: Study, tick: number, colour: string): string[] =>
  flat(stageDrawing(study, 'base', tick, { lang: 'en', theme: 'dark' }).shapes).flatMap((shape) => (shape.kind === 'path' && (shape.fill === colour || shape.stroke === colour) && shape.d.startsWith('M') && Number(/^M([\d.]+)/.exec(shape.d)?.[1]) <= frame.strip.right && Number(/^M[\d.]+ ([\d.]+)/.exec(shape.d)?.[1]) >= frame.strip.top ? [shape.d] : []));
const heights = (d: string): number[] => [...d.matchAll(/V([\d.]+)|M[\d.]+ ([\d.]+)/g)].map(([, v, m]) => Number(v ?? m));

test('of 3,600 ticks on 1,300 pixels a spike, a failure and a gap of one tick are drawn in full', () => {
  const spike = 1801;
  const study = long(3600, { offered: (tick) => (tick === spike ? 1000 : 100), good: (tick) => (tick === spike + 1 ? 0 : 100), failed: (tick) => (tick === spike + 2 ? 400 : 0) });
  const y = (value: number): number => frame.strip.bottom - ((frame.strip.bottom - frame.strip.top) * value) / 1100;
  const [offered, good, failed] = [palette.offered, palette.goodArea, palette.failed].map((colour) => pathsOf(study, 3599, colour));
  expect(Math.min(...offered.flatMap(heights))).toBeCloseTo(y(1000), 0);
  expect(heights(good[0]).slice(1, -1)).toContain(y(0));
  expect(failed.flatMap(heights).some((height) => Math.abs(height - y(500)) < 0.1)).toBe(true);
});

test('a strip of 3,600 ticks has at most three steps a pixel, and equal ones are one', () => {
  const noisy = long(3600, { offered: () => 100, good: (tick) => 50 + ((tick * 37) % 50) });
  const steps = (study: Study): number => pathsOf(study, 3599, palette.goodArea)[0].split('V').length;
  expect(steps(noisy)).toBeLessThan(3 * (frame.strip.right - frame.strip.left));
  expect(steps(noisy)).toBeGreaterThan(frame.strip.right - frame.strip.left);
  expect(steps(long(3600, { offered: () => 100, good: () => 90 }))).toBeLessThan(5);
});

test('what is past is the same text in the next frame', () => {
  const { study: run, variant: name } = shippedStory('order-api/fail-open');
  const stack = (tick: number): string => flat(stageDrawing(run, name, tick, { lang: 'en', theme: 'dark' }).shapes).flatMap((shape) => (shape.kind === 'path' && shape.fill === palette.goodArea && shape.d.startsWith(`M${frame.strip.left} `) ? [shape.d] : []))[0];
  for (let tick = 1; tick < 79; tick++) expect(stack(tick + 1).startsWith(stack(tick).replace(/H[\d.]+V[\d.]+H[\d.]+Z$/, '')), `tick ${tick}`).toBe(true);
});

/** The figures beside a label of the panel: now, and in the phase. */
const panelOf = (study: Study, variant: string, tick: number, speed: number) => {
  const shown = flat(stageDrawing(study, variant, tick, { lang: 'en', theme: 'dark', speed }).shapes).flatMap((shape) => (shape.kind === 'text' ? [{ text: shape.runs.map(({ text }) => text).join(''), x: shape.x, y: shape.y }] : []));
  const label = (word: string) => shown.find(({ text, x, y }) => text === word && x >= frame.panel.left && x < frame.panel.now && y > frame.panel.top);
  return (word: string, column: 'now' | 'phase'): number => {
    const at = label(word);
    return at ? Number(shown.find(({ x, y }) => x === frame.panel[column] && y === at.y)!.text.replaceAll(',', '').replace('\u2212', '-').replace('+', '')) : 0;
  };
};

test('what the panel prints adds up, for now and for the phase, at every pace', () => {
  for (const { name, study, variant } of [...stories.map(shippedStory), ...generated]) {
    const { count } = study.runs[variant].ticks;
    for (let tick = 0; tick < count; tick += Math.max(1, Math.floor(count / 20)))
      for (const speed of [1, 8]) {
        const figure = panelOf(study, variant, tick, speed);
        for (const column of ['now', 'phase'] as const) expect(figure('offered', column), `${name}, tick ${tick}, ${speed}×, ${column}`).toBe(['good', 'declined', 'refused', 'failed', 'in-flight change'].reduce((sum, word) => sum + figure(word, column), 0));
      }
  }
});

test('the name of the last phase is whole; where it needs the place, the end of the run is left to the header', () => {
  const { study: run, variant: name } = shippedStory('order-api/recovery');
  const labelled = (phases: Study['runs'][string]['phases'], wanted: string): readonly boolean[] => {
    const one = run.runs[name];
    const all = flat(stageDrawing({ ...run, runs: { [name]: { ...one, phases } } }, name, 20, { lang: 'en', theme: 'dark' }).shapes).flatMap((shape) => (shape.kind === 'text' && shape.y === frame.strip.axis ? [shape.runs.map(({ text }) => text).join('')] : []));
    return [all.includes(wanted), all.includes('06:00')];
  };
  const [phase] = Object.values(run.runs[name].phases);
  expect(labelled({ 'with-a-long-name-at-the-end': { ...phase, fromMs: 340_000, toMs: 360_000 } }, '05:40 with-a-long-name-at-the-end')).toEqual([true, false]);
  expect(labelled({ short: { ...phase, fromMs: 100_000, toMs: 200_000 } }, '01:40 short')).toEqual([true, true]);
});
