import { describe, expect, it } from 'vitest';
import { outcomeBar, rangeBar, rangeBarHeight, valueBars } from '../../renderers/charts/bars.js';
import { cpuChart, fleetChart, memoryChart } from '../../renderers/charts/fleet.js';
import { countedInstances, estimatedInstances, launchedNumbers, seenByCallers } from '../../renderers/charts/instances.js';
import { outcomesChart } from '../../renderers/charts/outcomes.js';
import { keptTicks, meansOf, sumOf } from '../../renderers/charts/sampling.js';
import { mainPhases, stepArea, stepLine, type TimeAxis } from '../../renderers/charts/time-plot.js';
import { Canvas, type Drawing, type Shape } from '../../renderers/look/drawing.js';
import { print } from '../../renderers/look/palette.js';
import { scriptedStudy } from '../support/scripted-study.js';

const study = scriptedStudy();
const run = study.runs['as-it-is'];
const { durationMs, tickMs } = study.scenario;
const common = { run, service: 'order-api', durationMs, tickMs, width: 501, lang: 'en' as const, shaded: null };
const isGuess = (shape: Shape): boolean => shape.kind !== 'text' && shape.kind !== 'group' && (typeof shape.fill === 'object' || shape.dash !== undefined);
const textsOf = ({ shapes }: Drawing): string[] => shapes.flatMap((shape) => (shape.kind === 'text' ? shape.runs.map(({ text }) => text.trim()) : []));

describe('sampling', () => {
  const long = Array.from({ length: 3600 }, (_, tick) => (tick === 1234 ? 99 : tick === 2345 ? -7 : Math.sin(tick)));

  it('never loses a spike or a dip of one tick', () => {
    const kept = keptTicks([long], long.length, 100);
    expect(kept).toContain(1234);
    expect(kept).toContain(2345);
    expect(kept.length).toBeLessThan(500);
    expect(kept).toEqual([...kept].sort((a, b) => a - b));
  });

  it('keeps the extremes of every series, the first and the last tick, and gaps', () => {
    const other = long.map((_, tick) => (tick === 777 ? 5 : tick === 888 ? null : 0));
    const kept = keptTicks([long, other], long.length, 60);
    for (const tick of [0, 777, 888, 1234, 3599]) expect(kept).toContain(tick);
  });

  it('keeps everything that there is room for', () => {
    expect(keptTicks([long.slice(0, 90)], 90, 50)).toHaveLength(90);
  });

  it('takes means over groups of ticks for curves whose swings say nothing', () => {
    expect(meansOf([1, 3, null, 5, 7], 5, 2)).toEqual([2, 2, 5, 5, 7]);
    expect(meansOf([null, null, 4], 3, 2)).toEqual([null, null, 4]);
    expect(meansOf(3, 5, 2)).toBe(3);
  });

  it('adds columns, constants included', () => {
    expect(sumOf([1, [1, 2, null]], 3, 2)).toEqual([4, 6, 2]);
    expect(sumOf([1, 2], 3, 2)).toBe(6);
  });
});

describe('steps', () => {
  const axis: TimeAxis = { left: 0, width: 40, durationMs: 4000, tickMs: 1000, count: 4 };
  const y = (value: number): number => 10 - value;

  it('hold their value for the whole tick, and leave a gap where there is no sample', () => {
    expect(stepLine(axis, [0, 1, 2, 3], [1, 5, null, 2], y)).toBe('M0 9L10 9L10 5L20 5M30 8L40 8');
  });

  it('enclose areas, and none where there is nothing', () => {
    expect(stepArea(axis, [0, 1, 2, 3], 0, [0, 4, 0, 0], y)).toBe('M10 6L20 6L20 10L10 10Z');
  });

  it('choose the longer one of phases that overlap', () => {
    const names = mainPhases([{ name: 'surge', fromMs: 22, toMs: 40 }, { name: 'event', fromMs: 22, toMs: 80 }, { name: 'before', fromMs: 5, toMs: 20 }]).map(({ name }) => name);
    expect(names).toEqual(['before', 'event']);
  });
});

describe('charts', () => {
  const outcomes = outcomesChart({ run, traffic: 'orders', durationMs, tickMs, width: 501, lang: 'en', events: [{ letter: 'A', tMs: 22_000 }, { letter: 'B', tMs: 22_500 }] });

  it('of what was counted have nothing hatched or dashed', () => {
    for (const drawing of [outcomes, countedInstances({ ...common, numbers: [1, 2], times: true }), outcomeBar({ good: 10, declined: 1, refused: 4, failed: 1 }, 501, 'en'), valueBars([{ label: 'a', value: 0.5, text: '50.0%' }], { most: 1, tick: String, goal: 0.999, goalText: 'goal', width: 501 })]) {
      expect(drawing.shapes.filter(isGuess)).toEqual([]);
      expect(drawing.shapes.length).toBeGreaterThan(5);
    }
  });

  it('of what was estimated have no solid area and no solid curve', () => {
    for (const drawing of [cpuChart(common), memoryChart(common), fleetChart(common), estimatedInstances({ ...common, numbers: [1, 2, 3], times: false })]) {
      const curves = drawing.shapes.filter((shape) => shape.kind === 'path' && shape.d.split('L').length > 40);
      expect(curves.length).toBeGreaterThan(0);
      expect(curves.filter((shape) => !isGuess(shape))).toEqual([]);
    }
  });

  it('name their areas and letter their events, without covering each other', () => {
    for (const text of ['good', 'refused', 'failed', 'A', 'B', 'broken', 'event', '02:00']) expect(textsOf(outcomes)).toContain(text);
    const discs = outcomes.shapes.filter((shape) => shape.kind === 'circle');
    expect(Math.abs(discs[0].x - discs[1].x)).toBeGreaterThan(11);
  });

  it('keep every text inside of their box', () => {
    for (const drawing of [outcomes, countedInstances({ ...common, numbers: [1, 2, 3, 4], times: true }), cpuChart(common), fleetChart(common)]) {
      for (const shape of drawing.shapes) {
        if (shape.kind !== 'text' || shape.rotate) continue;
        const left = shape.x - { start: 0, middle: 0.5, end: 1 }[shape.anchor] * shape.width;
        expect(left).toBeGreaterThan(-1);
        expect(left + shape.width).toBeLessThan(drawing.width + 1);
        expect(shape.y).toBeLessThanOrEqual(drawing.height + 1);
      }
    }
  });

  it('say so when there is no sample', () => {
    const silent = { ...run, ticks: { ...run.ticks, traffic: { orders: { ...run.ticks.traffic['orders'], p95: Array.from({ length: 120 }, () => null) } } } };
    expect(textsOf(outcomesChart({ run: silent, traffic: 'orders', durationMs, tickMs, width: 501, lang: 'ko', events: [] }))).toContain('표본 없음');
  });

  it('show of an instance what its callers saw, dead processes included, over all links that call it', () => {
    const target = run.ticks.links['alb.order-api'].targets[0];
    const links = { ...run.ticks.links, 'alb.order-api': { ...run.ticks.links['alb.order-api'], targets: [{ ...target, failed: 3 }, target] }, 'probe.order-api': { ...run.ticks.links['alb.order-api'], targets: [{ ...target, failed: 1 }] } };
    const pairs = { ...run, system: { ...run.system, links: [...run.system.links, { ...run.system.links[1], caller: 'probe', callee: 'order-api' }] }, ticks: { ...run.ticks, links } };
    expect(seenByCallers(pairs, 'order-api')[0].failed).toBe(4);
    const total = run.ticks.count * 4;
    expect(textsOf(countedInstances({ ...common, run: pairs, numbers: [1], times: false }))).toContain(String(total));
  });

  it('leave out columns in which nothing happened, and stay small', () => {
    const database = countedInstances({ ...common, service: 'orders-db', numbers: [1], times: true });
    expect(textsOf(database)).not.toContain('refused');
    expect(textsOf(database)).not.toContain('failed');
    expect(textsOf(database)).toContain('slots in use');
  });

  it('mark a kill where it empties the panel: on slots and memory, not on CPU', () => {
    const killed = { ...run, eventLog: [{ tMs: 48_000, kind: 'oom' as const, subject: 'order-api.1', cause: 'memory limit', basis: 'estimated' as const, data: {} }] };
    const octagons = (drawing: Drawing): number => drawing.shapes.filter((shape) => shape.kind !== 'text' && shape.kind !== 'group' && shape.fill === print.failed).length;
    for (const draw of [countedInstances, estimatedInstances]) {
      const [with_, without] = [killed, { ...run, eventLog: [] }].map((of) => octagons(draw({ ...common, run: of, numbers: [1], times: false })));
      expect(with_ - without).toBe(1);
    }
  });

  it('leave out instances that were never launched', () => {
    expect(launchedNumbers(run, 'order-api')).toEqual([1, 2, 3, 4, 5]);
    expect(launchedNumbers(run, 'orders-db')).toEqual([1]);
  });
});

describe('a range bar', () => {
  const draw = (value: number, range: readonly [number, number]): { drawing: Drawing; height: number } => {
    const canvas = new Canvas(120, 40, { fill: '#000000', size: 8 });
    const texts = { low: '0 KiB', value: '≈12 KiB', high: '40 KiB' };
    rangeBar(canvas, 0, 0, 110, value, range, texts);
    return { drawing: canvas.drawing(), height: rangeBarHeight(110, value, range, texts) };
  };

  it('shows both ends and the value, on a second line where they would touch', () => {
    const [middle, edge] = [draw(20, [0, 40]), draw(1, [0, 40])];
    for (const { drawing } of [middle, edge]) expect(textsOf(drawing)).toEqual(['≈12 KiB', '0 KiB', '40 KiB']);
    expect(edge.height).toBeGreaterThan(middle.height);
  });
});
