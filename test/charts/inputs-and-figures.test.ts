import { describe, expect, it } from 'vitest';
import { costBars } from '../../renderers/charts/cost-bars.js';
import { flipCurve, sweepCurve, type FlipCurve, type SweepPanel } from '../../renderers/charts/curves.js';
import { tornado, type TornadoAxis, type TornadoRow } from '../../renderers/charts/tornado.js';
import { coordinate, type Drawing, type Shape } from '../../renderers/look/drawing.js';
import { print } from '../../renderers/look/palette.js';
import { lintDrawing } from '../support/drawing-lint.js';
import { textsOf } from '../support/shapes.js';

const percent = (value: number): string => `${Math.round(value * 100)}%`;
/** Bars, those too that are of a guess that moves nothing, with the height of their middle. */
const barsOf = ({ shapes }: Drawing): { from: number; to: number; y: number }[] => shapes.flatMap((shape) =>
  shape.kind === 'rect' && shape.fill !== print.bg ? [{ from: shape.x, to: shape.x + shape.width, y: shape.y + shape.height / 2 }] : []);
/** Vertical lines of a colour. */
const uprights = ({ shapes }: Drawing, stroke: string): number[] => shapes.flatMap((shape) => {
  const parts = shape.kind === 'path' && shape.stroke === stroke ? /^M([\d.-]+) [\d.-]+L([\d.-]+) [\d.-]+$/.exec(shape.d) : null;
  return parts && parts[1] === parts[2] ? [Number(parts[1])] : [];
});
const boxesOf = ({ shapes }: Drawing): { text: string; from: number; to: number; y: number }[] => shapes.flatMap((shape: Shape) => {
  if (shape.kind !== 'text') return [];
  const from = shape.x - { start: 0, middle: 0.5, end: 1 }[shape.anchor] * shape.width;
  return [{ text: shape.runs.map(({ text }) => text).join(''), from, to: from + shape.width, y: shape.y }];
});

describe('a tornado', () => {
  const row = (label: string, low: number | null, high: number | null): TornadoRow => ({
    label, mark: 'assumed', low: { value: low, text: low === null ? 'at 0.3: unknown' : `≈${percent(low)} at 0.3` }, high: { value: high, text: high === null ? 'at 0.7: unknown' : `≈${percent(high)} at 0.7` },
  });
  const axis: TornadoAxis = { width: 501, written: { value: 0.58, text: '58.2% as written' }, goal: { value: 0.999, text: 'goal ≥ 99.9%' }, tick: percent, bounds: [0, 1] };

  it('lets no label cover another, its own bar, the goal line or the edge, wherever the ends lie', () => {
    const ends = [0, 0.01, 0.3, 0.55, 0.58, 0.6, 0.9, 0.97, 0.99, 1];
    for (const goal of [0.999, 0.62, 0.5, 0.05]) {
      for (const low of ends) {
        for (const high of ends) {
          const drawing = tornado([row('order-api CPU share', low, high), row('boot time', high, null)], { ...axis, goal: { value: goal, text: `goal ≥ ${percent(goal)}` } });
          expect(lintDrawing(drawing, 6)).toEqual([]);
          const [line] = uprights(drawing, print.failed);
          for (const { text, from, to, y } of boxesOf(drawing).filter(({ text }) => text.includes('at 0.'))) {
            expect(from >= line || to <= line, `${text} at ${from}–${to} on the goal at ${line}`).toBe(true);
            for (const bar of barsOf(drawing)) if (Math.abs(bar.y - y) < 8) expect(from - 2 >= bar.to || to + 2 <= bar.from, `${text} at ${from}–${to} on its bar at ${bar.from}–${bar.to}`).toBe(true);
          }
        }
      }
    }
  });

  it('leads from a bar to its label where a line stands between them', () => {
    const drawing = tornado([row('a', 0.05, 0.9)], axis);
    const [goal] = uprights(drawing, print.failed);
    const label = boxesOf(drawing).find(({ text }) => text === '≈90% at 0.7')!;
    expect(label.from).toBeGreaterThan(goal);
    const leads = drawing.shapes.flatMap((shape) => (shape.kind === 'path' && shape.stroke === print.line2 ? [shape.d] : []));
    expect(leads).toHaveLength(1);
    expect(leads[0]).toContain(`L${coordinate(label.from)} `);
  });

  it('says of an unknown end that it is unknown, and draws the other one', () => {
    const drawing = tornado([row('leak', null, 0.7)], axis);
    expect(textsOf(drawing)).toContain('at 0.3: unknown');
    expect(drawing.shapes.filter((shape) => shape.kind === 'rect' && typeof shape.fill === 'object')).toHaveLength(1);
  });

  it('spans from end to end where both lie on one side of what is written, and a line leads there', () => {
    const drawing = tornado([row('a', 0.7, 0.8), row('b', 0.4, 0.7)], axis);
    const [written] = uprights(drawing, print.text);
    const bars = drawing.shapes.flatMap((shape) => (shape.kind === 'rect' && typeof shape.fill === 'object' ? [shape] : []));
    expect(bars.map(({ x }) => x > written)).toEqual([true, false]);
    const leads = drawing.shapes.filter((shape) => shape.kind === 'path' && shape.stroke === print.text3);
    expect(leads).toHaveLength(1);
    expect(leads[0]).toMatchObject({ d: expect.stringContaining(`M${Number(written.toFixed(3))}`) as string });
  });

  it('never begins below the least that the figure can be', () => {
    const ms = (value: number): string => `${Math.round(value)} ms`;
    const texts = textsOf(tornado([{ label: 'a', mark: 'assumed', low: { value: 40, text: '≈40 ms at 0.3' }, high: { value: 3000, text: '≈3000 ms at 0.7' } }], { width: 501, written: { value: 50, text: '50 ms' }, goal: null, tick: ms, bounds: [0, Infinity] }));
    expect(texts.some((text) => /[-−]\d/.test(text))).toBe(false);
    expect(texts).toContain('0 ms');
  });

  it('marks the value as written and the goal at their places', () => {
    const drawing = tornado([row('a', 0.4, 0.7)], axis);
    const [written] = uprights(drawing, print.text);
    const [goal] = uprights(drawing, print.failed);
    expect(goal).toBeGreaterThan(written);
    expect(textsOf(drawing)).toEqual(expect.arrayContaining(['58.2% as written', 'goal ≥ 99.9%']));
  });
});

describe('a flip curve', () => {
  const curve = (over: Partial<FlipCurve> = {}): FlipCurve => ({
    width: 501, points: [0.3, 0.4, 0.5, 0.6, 0.7].map((input) => ({ input, value: 1000 * input - 150 })), input: { label: 'CPU share', tick: String }, figure: { label: 'p95', tick: (value) => `${value} ms` },
    goal: { value: 200, text: 'goal 200 ms', keptBelow: true }, written: { input: 0.5, value: 350, text: '350 ms as written' }, flip: { input: 0.35, text: 'flips at ≈0.35' }, words: { kept: 'kept', broken: 'broken' }, ...over,
  });

  it('is dashed, with every point, an open circle at the flip and the words of both sides', () => {
    const drawing = flipCurve(curve());
    expect(drawing.shapes.filter((shape) => shape.kind === 'path' && shape.dash)).toHaveLength(1);
    expect(drawing.shapes.filter((shape) => shape.kind === 'circle' && shape.r === 1.6)).toHaveLength(5);
    expect(drawing.shapes.filter((shape) => shape.kind === 'circle' && shape.fill === print.bg)).toHaveLength(1);
    for (const text of ['kept', 'broken', 'flips at ≈0.35', '350 ms as written', 'goal 200 ms']) expect(textsOf(drawing)).toContain(text);
  });

  it('shades the side that keeps the objective', () => {
    const band = (drawing: Drawing): number => drawing.shapes.flatMap((shape) => (shape.kind === 'rect' && shape.fill === print.s3 ? [shape.x] : []))[0];
    expect(band(flipCurve(curve()))).toBeLessThan(band(flipCurve(curve({ goal: { value: 200, text: 'goal', keptBelow: false } }))));
  });

  it('covers no label with another, wherever the flip lies', () => {
    for (const at of [0.3, 0.32, 0.5, 0.52, 0.68, 0.7]) {
      expect(lintDrawing(flipCurve(curve({ flip: { input: at, text: `flips at ≈${at}` }, goal: { value: 1000 * at - 150, text: 'goal', keptBelow: true } })), 6)).toEqual([]);
    }
  });

  it('leaves a gap where a point is unknown', () => {
    const points = curve().points.map((point, i) => (i === 2 ? { ...point, value: null } : point));
    const [line] = flipCurve(curve({ points, written: { input: 0.5, value: null, text: 'unknown' } })).shapes.flatMap((shape) => (shape.kind === 'path' && shape.dash ? [shape.d] : []));
    expect(line.match(/M/g)).toHaveLength(2);
  });
});

describe('sweep curves', () => {
  const panel = (title: string, over: Partial<SweepPanel> = {}): SweepPanel => ({
    title, tick: (value) => `${value} ms`, points: [10, 20, 30, 40].map((input, i) => ({ input, value: [50, 60, 300, 900][i] })), goal: { value: 200, text: 'goal ≤ 200 ms' }, knee: { input: 20, text: 'knee at 20' }, isEstimated: false, ...over,
  });

  it('show all points of every figure over one axis, the knee, the goal and the value as written', () => {
    const drawing = sweepCurve({ width: 501, panels: [panel('p95'), panel('good'), panel('≈ CPU', { isEstimated: true, goal: null, knee: null })], input: { label: 'users', tick: String }, written: { input: 30, text: 'as written 30' } });
    expect(drawing.shapes.filter((shape) => shape.kind === 'circle')).toHaveLength(12);
    expect(drawing.shapes.filter((shape) => shape.kind === 'path' && shape.dash)).toHaveLength(1);
    expect(textsOf(drawing).filter((text) => text === 'knee at 20')).toHaveLength(2);
    expect(lintDrawing(drawing, 6)).toEqual([]);
  });

  it('leave out a value as written that the sweep does not reach', () => {
    expect(textsOf(sweepCurve({ width: 501, panels: [panel('p95')], input: { label: 'users', tick: String }, written: { input: 90, text: 'as written 90' } }))).not.toContain('as written 90');
  });
});

describe('cost bars', () => {
  it('hatch all parts, neighbours differently, and say what is unknown', () => {
    const drawing = costBars({
      width: 501, tick: (amount) => `${amount} USD`, unknown: (names) => `unknown: ${names.join(', ')}`,
      rows: [{ label: 'before', text: '≈0.04 USD', parts: [{ name: 'api', amount: 0.03 }, { name: 'db', amount: 0.01 }, { name: 'cache', amount: null }] }, { label: 'event', text: '≈0.09 USD', parts: [{ name: 'api', amount: 0.08 }, { name: 'db', amount: 0.01 }] }],
    });
    const fills = drawing.shapes.flatMap((shape) => (shape.kind === 'rect' ? [shape.fill] : []));
    expect(fills.every((fill) => typeof fill === 'object')).toBe(true);
    expect(fills[0]).not.toEqual(fills[1]);
    expect(textsOf(drawing)).toContain('unknown: cache');
    expect(lintDrawing(drawing, 6)).toEqual([]);
  });

  const spread = (count: number, last: number | null = 1) => costBars({
    width: 501, tick: (amount) => `${amount} USD`, unknown: (names) => `unknown: ${names.join(', ')}`,
    rows: [{ label: 'event', text: '≈100 USD', parts: [{ name: 'api', amount: 100 }, ...Array.from({ length: count }, (_, i) => ({ name: `part ${i + 1}`, amount: i === count - 1 ? last : 0.2 }))] }],
  });

  it('name every part, those too narrow for a name below their bar, in its order and with its stripes', () => {
    const drawing = spread(6);
    const texts = textsOf(drawing);
    const [above, below] = [texts.slice(texts.indexOf('event'), texts.indexOf('≈100 USD')), texts.slice(texts.indexOf('≈100 USD') + 1)];
    expect(below.length).toBeGreaterThan(3);
    expect([...above.slice(1), ...below].toSorted()).toEqual(['api', 'part 1', 'part 2', 'part 3', 'part 4', 'part 5', 'part 6']);
    expect(below).toEqual(below.toSorted());
    const rects = drawing.shapes.flatMap((shape) => (shape.kind === 'rect' ? [shape] : []));
    const parts = rects.filter(({ height }) => height === 12);
    expect(rects.filter(({ height }) => height !== 12).map(({ fill }) => fill)).toEqual(below.map((name) => parts[Number(name.slice(5))].fill));
    expect(lintDrawing(drawing, 6)).toEqual([]);
  });

  it('leave room for what is unknown beside the narrow parts, and say with an ellipsis that there are more than fit', () => {
    for (const count of [3, 9, 60]) {
      for (const last of [1, null]) {
        const drawing = spread(count, last);
        expect(lintDrawing(drawing, 6)).toEqual([]);
        expect(textsOf(drawing).includes(`unknown: part ${count}`)).toBe(last === null);
        expect(textsOf(drawing).includes('…')).toBe(count === 60 || (count === 9 && last === null));
      }
    }
  });
});
