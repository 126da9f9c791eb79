import { describe, expect, it } from 'vitest';
import { latencyDistribution } from '../../renderers/charts/latency-distribution.js';
import { goalsLeftOut, hasLatencies, latencyOverTime } from '../../renderers/charts/latency-over-time.js';
import { stateRows, tells } from '../../renderers/charts/state-rows.js';
import { stateTimeline, timelineRows } from '../../renderers/charts/state-timeline.js';
import { tellingPools } from '../../renderers/charts/pools.js';
import type { PictureObjective } from '../../src/study/types.js';
import { lintDrawing } from '../support/drawing-lint.js';
import { scriptedStudy } from '../support/scripted-study.js';
import { textsOf } from '../support/shapes.js';

const { runs: { 'as-it-is': run }, scenario: { durationMs, tickMs } } = scriptedStudy();
const common = { run, durationMs, tickMs, width: 501, lang: 'en' as const, events: [{ letter: 'A', tMs: 22_000 }] };

describe('latency over time', () => {
  const drawing = latencyOverTime({ ...common, traffic: 'orders' });

  it('names its three lines, its unit, its phases and its events', () => {
    for (const text of ['p50', 'p95', 'p99', 'A']) expect(textsOf(drawing)).toContain(text);
    expect(textsOf(drawing).some((text) => /\d\u00A0m?s$/.test(text))).toBe(true);
  });

  it('is not there for a traffic without a sample', () => {
    const none = Array.from({ length: run.ticks.count }, () => null);
    const silent = { ...run, ticks: { ...run.ticks, traffic: { orders: { ...run.ticks.traffic['orders'], trailing: { p50: none, p95: none, p99: none } } } } };
    expect([hasLatencies(run, 'orders'), hasLatencies(silent, 'orders')]).toEqual([true, false]);
  });
});

describe('goals', () => {
  const percentiles = ['p50', 'p95', 'p99'] as const;
  const goal = (ms: number, k: number): PictureObjective => ({ ...run.system.objectives[0], of: 'orders', metric: percentiles[k % 3], condition: `<= ${ms}ms`, low: null, high: ms, unit: 'ms', vs: null, in: 'run' });
  const sets: Readonly<Record<string, { readonly levels: readonly number[]; readonly leftOut: number }>> = {
    'none': { levels: [], leftOut: 0 },
    'one': { levels: [200], leftOut: 0 },
    'eight close to each other': { levels: Array.from({ length: 8 }, (_, k) => 200 + 3 * k), leftOut: 0 },
    'nine at the top': { levels: Array.from({ length: 9 }, (_, k) => 90_000 + k), leftOut: 0 },
    'forty, far apart': { levels: Array.from({ length: 40 }, (_, k) => 20 + k * k * 7), leftOut: 31 },
    'forty at one place': { levels: Array.from({ length: 40 }, () => 300), leftOut: 0 },
    'some with many digits': { levels: Array.from({ length: 12 }, (_, k) => 1_234_567 + k), leftOut: 3 },
  };

  it.each(Object.entries(sets))('are named without covering anything: %s', (_, { levels, leftOut }) => {
    const goals = levels.map(goal);
    const asked = { ...run, system: { ...run.system, objectives: goals } };
    for (const events of [[], common.events]) {
      const drawing = latencyOverTime({ ...common, run: asked, traffic: 'orders', events });
      expect(lintDrawing(drawing, 6)).toEqual([]);
      expect(textsOf(drawing).filter((text) => text.includes('≤')).length).toBe(new Set(goals.map(({ metric, condition }) => `${metric} ${condition}`)).size - leftOut);
    }
    expect(goalsLeftOut(asked, 'orders')).toBe(leftOut);
    for (const panels of [1, 3]) {
      const drawing = latencyDistribution({ panels: Array.from({ length: panels }, () => ({ name: 'event', totals: run.traffic['orders'], goals })), width: 501, lang: 'en' });
      expect(lintDrawing(drawing, 6)).toEqual([]);
      expect(textsOf(drawing).filter((text) => text === `${leftOut} more not shown`).length).toBe(leftOut > 0 ? panels : 0);
    }
  });
});

describe('a distribution', () => {
  const buckets = (scale: number) => ({ fromMs: [64, 72], toMs: [72, 80], counts: [scale, 3 * scale] });
  const totals = { ...run.traffic['orders'], good: 40, latencyBuckets: { good: buckets(10), bad: { fromMs: [0, 8], toMs: [1e-6, 9], counts: [5, 2] } } };

  it('says how many were good, how many not, and how many of these took no time', () => {
    const texts = textsOf(latencyDistribution({ panels: [{ name: 'event', totals, goals: [] }], width: 501, lang: 'en' }));
    expect(texts).toEqual(expect.arrayContaining(['good 40', 'refused, failed 7, 5 at once']));
  });

  it('has the same shape for ten times as many', () => {
    const paths = (scale: number): string[] => latencyDistribution({ panels: [{ name: 'event', totals: { ...totals, latencyBuckets: { ...totals.latencyBuckets, good: buckets(scale) } }, goals: [] }], width: 501, lang: 'en' }).shapes.flatMap((shape) => (shape.kind === 'path' && shape.fill ? [shape.d] : []));
    expect(paths(1)).toEqual(paths(10));
  });
});

describe('states of instances', () => {
  it('share a row when they did the same, and never lose a state of one tick', () => {
    const [instance] = run.ticks.services['order-api'].instances;
    const calm = { ...instance, state: 2, saturated: 0, frozen: 0, warmUpLeftMs: 0 };
    const blinks = { ...calm, state: Array.from({ length: run.ticks.count }, (_, tick) => (tick === 57 ? 3 : 2)) };
    const other = { ...run, system: { ...run.system, links: [] }, ticks: { ...run.ticks, services: { 'order-api': { desired: 3, instances: [calm, blinks, calm] } } } };
    const rows = stateRows(other, 'order-api', tickMs, 20);
    expect(rows.map(({ numbers }) => numbers)).toEqual([[1, 3], [2]]);
    expect(rows[1].states.map(({ what }) => what)).toContain('down');
    expect(rows.map(tells)).toEqual([false, true]);
  });

  it('are named in words and glyphs, with what the balancer believes', () => {
    const { rows, leftOut } = timelineRows(run, tickMs, 501);
    expect(rows.filter(({ isLast }) => isLast).map(({ service }) => service)).toEqual([...new Set(rows.map(({ service }) => service))]);
    const texts = textsOf(stateTimeline({ ...common, rows, leftOut }));
    for (const text of ['order-api', '#1', 'in', 'A']) expect(texts).toContain(text);
    expect(texts.some((text) => ['healthy', 'saturated', 'booting'].includes(text))).toBe(true);
  });
});

describe('a picture of states that is cut inside of a service', () => {
  const [row] = stateRows(run, 'order-api', tickMs, 100);
  const rows = Array.from({ length: 12 }, (_, index) => ({ ...row, isLast: index === 11 }));
  const [whole, ...parts] = [rows, rows.slice(0, 7), rows.slice(7)].map((of) => stateTimeline({ ...common, rows: of, leftOut: { 'order-api': 5 } }));

  it('says once how many instances are left out', () => expect([whole, ...parts].map((drawing) => textsOf(drawing).filter((text) => text === '5 more not shown').length)).toEqual([1, 0, 1]));

  it('keeps no room for what it does not say', () => expect(parts[0].height).toBeLessThan(parts[1].height + 2 * 15 - 5));
});

describe('pools', () => {
  it('are shown where somebody waited or most of one was in use, and nowhere else', () => {
    const link = run.system.links[1];
    const level = (value: number) => ({ mean: value, max: value, end: value });
    const withPool = (inUse: number, waiting: number) => ({
      ...run,
      system: { ...run.system, links: [{ ...link, pool: { max: 10, pending: null, waitMs: null, reuse: null, handshakeMs: 0 } }] },
      ticks: { ...run.ticks, links: { [`${link.caller}.${link.callee}`]: { ...run.ticks.links[`${link.caller}.${link.callee}`], callers: [{ sent: 0, good: 0, declined: 0, refused: 0, failed: 0, poolInUse: level(inUse), poolWaiting: level(waiting) }] } } },
    });
    expect([[1, 0], [6, 0], [1, 2]].map(([inUse, waiting]) => tellingPools(withPool(inUse, waiting)).length)).toEqual([0, 1, 1]);
  });
});
