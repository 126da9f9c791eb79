import path from 'node:path';
import { describe, expect, it, test } from 'vitest';
import type { Drawing, Shape } from '../../renderers/look/drawing.js';
import { toSvg } from '../../renderers/look/svg.js';
import { themes } from '../../renderers/look/palette.js';
import { compareClosingCard } from '../../renderers/stage/compare/closing-card.js';
import { compareDrawing, compareSvg } from '../../renderers/stage/compare/compare-frame.js';
import { compareMomentOf, compareSceneOf, type Compared } from '../../renderers/stage/compare/compare-scene.js';
import { soFar } from '../../renderers/stage/compare/figures.js';
import { compareTitleCard } from '../../renderers/stage/compare/title-card.js';
import { isBetweenPhases, objectivesAt, valueAt } from '../../renderers/stage/objectives.js';
import { flowOf, momentOf, phaseStart } from '../../renderers/stage/scene.js';
import type { Run, Study } from '../../src/study/types.js';
import { lintDrawing } from '../support/drawing-lint.js';
import { churn, hotRow, oddParts, oneBox, sixty, slowPods, troubledLanes } from '../support/example-systems.js';
import { expectGolden } from '../support/golden.js';
import { anyStudy } from '../support/any-study.js';
import { scriptedStudy } from '../support/scripted-study.js';
import { allOf, comparedOf, withCopies } from './compared.js';

const study = scriptedStudy();
const pair = allOf(study);
const three = allOf(withCopies(study, ['a third variant with quite a long name']));
const four = allOf(withCopies(study, ['a third variant with quite a long name', 'a-fourth']));
const langs = ['en', 'ko'] as const;
const golden = (name: string): string => path.resolve(import.meta.dirname, `golden/${name}.svg`);

/** A system of so many services in a row, each called by the one before. */
const chain = (count: number): Study =>
  anyStudy({ web: ['service-number-1'] }, Array.from({ length: count }, (_, i) => ({ name: `service-number-${i + 1}`, kind: 'service' as const, instances: 1 + (i % 3), calls: i + 1 < count ? [`service-number-${i + 2}`] : [] })));

const textsOf = (shapes: readonly Shape[]): readonly string[] => shapes.flatMap((shape) => (shape.kind === 'group' ? textsOf(shape.shapes) : shape.kind === 'text' ? [shape.runs.map(({ text }) => text).join('')] : []));
const flawsOf = (compared: Compared, ticks: readonly number[], lang: 'en' | 'ko'): readonly string[] => ticks.flatMap((tick) => lintDrawing(compareDrawing(compared, tick, { lang, theme: 'dark', speed: tick % 2 ? 8 : 2 })).map((flaw) => `${flaw} (tick ${tick})`));

describe('labels', () => {
  const ticks = Array.from({ length: 120 }, (_, tick) => tick);

  test.each(langs)('of every tick of two, three and four sides neither overlap nor leave their places (%s)', (lang) => {
    expect(flawsOf(pair, ticks, lang)).toEqual([]);
    expect(flawsOf(three, ticks.filter((tick) => tick % 4 === 0), lang)).toEqual([]);
    expect(flawsOf(four, ticks.filter((tick) => tick % 4 === 1), lang)).toEqual([]);
  });

  test.each(langs)('of other systems neither overlap nor leave their places, two to four sides (%s)', (lang) => {
    for (const make of [hotRow, churn, slowPods, oneBox, oddParts, sixty, troubledLanes, () => chain(2), () => chain(12), () => chain(30)]) {
      const system = make();
      const count = Object.values(system.runs)[0].ticks.count;
      const some = [0, Math.floor(count / 3), Math.floor(count / 2), count - 1];
      for (const copies of [['other'], ['other', 'one more'], ['other', 'one more', 'the last']]) expect(flawsOf(comparedOf(...[Object.keys(system.runs)[0], ...copies].map((variant) => [withCopiesOf(system, copies), variant] as const)), some, lang)).toEqual([]);
    }
  });

  test.each(langs)('of the cards neither overlap nor leave their places (%s)', (lang) => {
    for (const compared of [pair, three, four, comparedOf([study], [hotRow()]), comparedOf([oneBox()], [chain(30)], [slowPods()])]) {
      expect(lintDrawing(compareTitleCard(compared, { lang, theme: 'light' }))).toEqual([]);
      expect(lintDrawing(compareClosingCard(compared, { lang, theme: 'light' }))).toEqual([]);
    }
  });

  test.each(langs)('of systems that have little in common neither overlap nor leave their places (%s)', (lang) => {
    expect(flawsOf(comparedOf([study], [hotRow()]), [0, 30, 60, 119], lang)).toEqual([]);
    expect(flawsOf(comparedOf([oneBox()], [chain(30)], [slowPods()], [churn(3)]), [0, 4, 30], lang)).toEqual([]);
  });
});

const copies = new WeakMap<Study, Map<string, Study>>();
const withCopiesOf = (system: Study, names: readonly string[]): Study => {
  const known = copies.get(system) ?? new Map<string, Study>();
  copies.set(system, known);
  const key = names.join();
  const made = known.get(key) ?? withCopies(system, names);
  known.set(key, made);
  return made;
};

describe('figures', () => {
  it('add up, and are those of each side’s own film at that tick', () => {
    for (const compared of [pair, three])
      for (let tick = 0; tick < 120; tick += 7)
        for (const speed of [1, 8]) {
          const compare = compareMomentOf(compared, tick, { lang: 'en', theme: 'dark', speed });
          for (const side of compare.sides) {
            const { flow, share } = soFar(side, compare);
            const own = momentOf(side.side.study, side.side.variant, tick, { lang: 'en', theme: 'dark', speed });
            expect(flow).toEqual(flowOf(own.scene.run, Math.min(own.window.to, phaseStart(own.scene, own.window.to)), own.window.to));
            const followed = objectivesAt(own.scene, tick).find((one) => one?.kind === 'share');
            // Between phases a film tells the last ten seconds, beside another label.
            if (!isBetweenPhases(own.scene, own.window.to)) expect(share).toBe(valueAt(followed!, own));
            const texts = textsOf(compareDrawing(compared, tick, { lang: 'en', theme: 'dark', speed }).shapes);
            const inFlight = flow.offered - flow.good - flow.declined - flow.refused - flow.failed;
            if (compared === pair) for (const value of [flow.offered, flow.good, flow.refused, flow.failed, Math.abs(inFlight)]) expect(texts.some((text) => text.replace(/[,+\u2212]/g, '') === String(value))).toBe(true);
          }
        }
  });

  it('of the difference are those of the two columns', () => {
    const compare = compareMomentOf(pair, 60, { lang: 'en', theme: 'dark' });
    const [a, b] = compare.sides.map((side) => soFar(side, compare).flow);
    const texts = textsOf(compareDrawing(pair, 60, { lang: 'en', theme: 'dark' }).shapes);
    const refused = b.refused - a.refused;
    expect(texts).toContain(`${Math.abs(refused).toLocaleString('en')} ${refused < 0 ? 'fewer' : 'more'} refused`);
  });
});

/** Heights of the lines of what was offered, by side. */
const heightsOf = ({ shapes }: Drawing): readonly (readonly number[])[] => shapes.flatMap((shape) => (shape.kind === 'path' && shape.stroke === themes.dark.offered ? [[...shape.d.matchAll(/V([\d.]+)/g)].map(([, y]) => Number(y))] : []));

describe('axes', () => {
  const doubled = (run: Run): Run => ({ ...run, ticks: { ...run.ticks, traffic: Object.fromEntries(Object.entries(run.ticks.traffic).map(([name, columns]) => [name, { ...columns, offered: (columns.offered as number[]).map((value) => value * 2) }])) } });

  it('hold the most of all sides, and are the same on each', () => {
    const louder: Study = { ...study, runs: { ...study.runs, 'dedicated-health-path': doubled(study.runs['dedicated-health-path']) } };
    const [plain, loud] = [compareSceneOf(pair).axes, compareSceneOf(allOf(louder)).axes];
    const most = Math.max(...(study.runs['dedicated-health-path'].ticks.traffic['orders'].offered as number[]));
    expect(loud.mostPerS).toBeGreaterThan(plain.mostPerS);
    expect(loud.mostPerS).toBeCloseTo(most * 2 * 1.1, 6);
    // The same was offered on both sides, so the lines rise to the same heights; twice as much rises higher.
    const [a, b] = heightsOf(compareDrawing(pair, 60, { lang: 'en', theme: 'dark' }));
    expect(a.length).toBeGreaterThan(10);
    expect(a).toEqual(b);
    const [quiet, loudly] = heightsOf(compareDrawing(allOf(louder), 60, { lang: 'en', theme: 'dark' }));
    expect(quiet).not.toEqual(a);
    expect(Math.min(...loudly)).toBeLessThan(Math.min(...quiet) - 20);
  });

  it('are as long as the longest side; one that has ended says so and stands', () => {
    const short: Study = cutAt(scriptedStudy(), 60);
    const compared = comparedOf([study, 'as-it-is'], [short, 'as-it-is']);
    const scene = compareSceneOf(compared);
    expect([scene.count, scene.axes.durationMs]).toEqual([120, 120_000]);
    const texts = textsOf(compareDrawing(compared, 100, { lang: 'en', theme: 'dark' }).shapes);
    expect(texts).toContain('ended at 01:00, stands still');
    expect(texts).toContain('B ended');
    expect(lintDrawing(compareDrawing(compared, 100, { lang: 'ko', theme: 'dark' }))).toEqual([]);
    const after = compareMomentOf(compared, 100, { lang: 'en', theme: 'dark' }).sides[1];
    expect([after.ended, after.moment.tick]).toEqual([true, 59]);
  });
});

/** The same study, ended early. */
const cutAt = (whole: Study, ticks: number): Study => ({
  ...whole,
  runs: Object.fromEntries(Object.entries(whole.runs).map(([name, run]) => [name, { ...run, durationMs: ticks * 1000, eventLog: run.eventLog.filter(({ tMs }) => tMs < ticks * 1000), phases: Object.fromEntries(Object.entries(run.phases).filter(([, { toMs }]) => toMs <= ticks * 1000)), ticks: { ...run.ticks, count: ticks } }])),
});

describe('pictures', () => {
  it('draw nothing that is still to come', () => {
    const later: Study = { ...study, runs: Object.fromEntries(Object.entries(study.runs).map(([name, run]) => [name, { ...run, ticks: { ...run.ticks, traffic: { orders: { ...run.ticks.traffic['orders'], failed: (run.ticks.traffic['orders'].failed as number[]).map((value, tick) => (tick > 60 ? 9 : value)) } } } }])) };
    const at = (compared: Compared, tick: number): string => compareSvg(compared, tick, { lang: 'en', theme: 'dark' });
    expect(at(allOf(later), 40)).toBe(at(pair, 40));
    expect(at(allOf(later), 70)).not.toBe(at(pair, 70));
  });

  it('mark what is set otherwise on the side where it is, with its new value', () => {
    const texts = textsOf(compareDrawing(pair, 60, { lang: 'en', theme: 'dark' }).shapes);
    expect(texts.filter((text) => text.includes('alb → order-api  health.path: dedicated'))).toHaveLength(1);
    const grid = textsOf(compareDrawing(four, 60, { lang: 'en', theme: 'dark' }).shapes);
    expect(grid.filter((text) => text === 'health.path: dedicated')).toHaveLength(2);
  });

  it('say once what is the same on both sides', () => {
    const same = comparedOf([withCopies(study, ['as-before']), 'as-it-is'], [withCopies(study, ['as-before']), 'as-it-is']);
    expect(textsOf(compareDrawing(same, 60, { lang: 'en', theme: 'dark' }).shapes).filter((text) => text.startsWith('In both:'))).toHaveLength(1);
  });

  it.each([['compare-dark-en', pair, 30, 'en', 'dark'], ['compare-grid-light-ko', three, 45, 'ko', 'light']] as const)('are as before: %s', (name, compared, tick, lang, theme) => {
    expectGolden(compareSvg(compared, tick, { lang, theme, speed: 2 }), golden(name));
  });

  it('of the closing card are as before', () => {
    expectGolden(toSvg(compareClosingCard(pair, { lang: 'en', theme: 'dark' })), golden('compare-closing-dark-en'));
  });
});
