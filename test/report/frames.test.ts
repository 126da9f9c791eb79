import { describe, expect, it, test } from 'vitest';
import { stageDrawing } from '../../renderers/stage/stage.js';
import { pageFrames } from '../../renderers/stage/page-frame.js';
import { portrait } from '../../renderers/stage/frame.js';
import { stillSvg } from '../../renderers/video/still.js';
import { heightOf, scaled } from '../../renderers/look/scaled.js';
import { Canvas, type Shape } from '../../renderers/look/drawing.js';
import { escapeXml } from '../../renderers/look/svg.js';
import { leastPt } from '../../renderers/pdf/pages/frames.js';
import { mostTurns, turningPoints } from '../../renderers/pdf/turning-points.js';
import { tellingRows, timelineRows, type TimelineRow } from '../../renderers/pdf/timeline-rows.js';
import type { LoggedEvent, Run, Study } from '../../src/study/types.js';
import { churn, hotRow, oddParts, oneBox, sixty, slowPods, troubledLanes } from '../support/example-systems.js';
import { scriptedStudy } from '../support/scripted-study.js';
import { eventAt } from '../support/scripted-systems.js';
import { flat } from '../support/shapes.js';

const texts = (shapes: readonly Shape[]): Extract<Shape, { kind: 'text' }>[] => flat(shapes).flatMap((shape) => (shape.kind === 'text' ? [shape] : []));
const said = ({ runs }: Extract<Shape, { kind: 'text' }>): string => runs.map(({ text }) => text).join('');
const runOf = (study: Study): Run => Object.values(study.runs)[0];

const studies: Readonly<Record<string, () => Study>> = { scripted: scriptedStudy, 'hot row': hotRow, sidecars: () => churn(3), 'slow pods': slowPods, 'one box': oneBox, 'odd parts': oddParts, sixty, 'troubled lanes': troubledLanes };

describe.each(Object.entries(studies))('a page frame of %s', (_, make) => {
  const study = make();
  const run = runOf(study);
  const ticks = [0, Math.floor(run.ticks.count / 2), run.ticks.count - 1];

  it.each(['en', 'ko'] as const)('says what the still of the film says at that tick, in type that is not too small, within its box (%s)', (lang) => {
    const { drawings, width, height } = pageFrames(study, run.variant, ticks, { lang, leastPt });
    expect(width).toBeLessThan(300);
    drawings.forEach((drawing, i) => {
      const still = stillSvg(study, { variant: run.variant, lang, theme: 'light', width: 1080, height: 1920 }, { tick: ticks[i] });
      const found = texts(drawing.shapes);
      expect(found.length).toBeGreaterThan(3);
      for (const text of found) for (const part of text.runs) expect(still).toContain(escapeXml(part.text));
      for (const text of found) {
        for (const part of text.runs) expect(part.size).toBeGreaterThanOrEqual(leastPt - 1e-9);
        const left = text.anchor === 'end' ? text.x - text.width : text.anchor === 'middle' ? text.x - text.width / 2 : text.x;
        expect([left >= -0.5, left + text.width <= width + 0.5, text.y <= height + 0.5, text.y > 0], said(text)).toEqual([true, true, true, true]);
      }
    });
  });

  it('is cut at its box and loses nothing of the system', () => {
    const { drawings, height } = pageFrames(study, run.variant, ticks, { lang: 'en', leastPt });
    for (const { shapes } of drawings) {
      expect(shapes.map(({ kind }) => kind)).toEqual(['group']);
      const { top, bottom } = heightOf((shapes[0] as Extract<Shape, { kind: 'group' }>).shapes);
      expect(top).toBeGreaterThanOrEqual(-1);
      expect(bottom).toBeLessThanOrEqual(height + 1);
    }
    const whole = new Set(texts(stageDrawing(study, run.variant, ticks[1], { lang: 'en', theme: 'light', frame: portrait }).shapes).filter(({ y }) => y > portrait.stage.top && y < portrait.stage.bottom).map(said));
    expect(new Set(texts(drawings[1].shapes).map(said))).toEqual(whole);
  });
});

test('shapes are made smaller with their stripes, dashes and arcs', () => {
  const canvas = new Canvas(100, 100, { fill: '#000', size: 10 });
  canvas.path('M10 20H30V40A4 4 0 0 1 26 44Z', { fill: { color: '#000', ground: null, period: 8, stripe: 3 }, stroke: '#000', strokeWidth: 2, dash: [4, 2] });
  canvas.circle(10, 10, 4, {});
  const [path, circle] = scaled(canvas.drawing().shapes, 0.5, 1, 2);
  expect(path).toMatchObject({ d: 'M6 12H16V22A2 2 0 0 1 14 24Z', fill: { period: 4, stripe: 1.5 }, strokeWidth: 1, dash: [2, 1] });
  expect(circle).toMatchObject({ x: 6, y: 7, r: 2 });
});

describe('turning points', () => {
  const base = runOf(sixty());
  const columns = Object.fromEntries(Object.entries(base.ticks.traffic).map(([name, own]) => [name, { ...own, refused: 0, failed: 0 }]));
  const quiet: Run = { ...base, eventLog: [], firstToBreak: null, ticks: { ...base.ticks, traffic: columns } };
  const last = quiet.ticks.count - 1;
  const kinds = (run: Run): [string, number][] => turningPoints(run, null, 1000).map(({ kind, tick }) => [kind, tick]);
  const withLog = (...eventLog: LoggedEvent[]): Run => ({ ...quiet, eventLog });

  it('of a run in which nothing happens are its busiest tick alone', () => expect(kinds(quiet)).toEqual([['busiest', expect.any(Number)]]));

  it('of a single event are the tick before it, it, and the end', () => expect(kinds(withLog(eventAt(5, 'fault', 'f', 'crash', { target: 'a.1' })))).toEqual([['before', 4], ['fault', 5], ['end', last]]));

  it('are the first of each kind, in order of time, and one a tick', () => {
    const found = kinds(withLog(eventAt(3, 'saturated', 'a.1', 'cpu', { sinceMs: 1000 }), eventAt(4, 'scale-out', 'a', 'cpu', {}), eventAt(6, 'ejected', 'a.1', 'timeout', {}), eventAt(6, 'oom', 'a.1', 'memory limit', {}), eventAt(7, 'ejected', 'a.2', 'timeout', {}), eventAt(8, 'ready', 'a.3', 'first probe', {})));
    expect(found).toEqual([['full', 3], ['more', 4], ['kill', 6], ['help', 8]]);
  });

  it('are at most six, whatever happens', () => {
    const all = (['fault', 'saturated', 'oom', 'ejected', 'booted', 'scale-out', 'deployed', 'lock-timeout'] as const).map((kind, i) => eventAt(i + 1, kind, 'a', 'cpu', {}));
    expect(kinds(withLog(...all))).toHaveLength(mostTurns);
    expect(turningPoints(runOf(sixty()), null, 1000).length).toBeLessThanOrEqual(mostTurns);
  });

  it('of a run without ticks are none', () => expect(turningPoints({ ...quiet, ticks: { ...quiet.ticks, count: 0 } }, null, 1000)).toEqual([]));
});

describe('rows of a long timeline', () => {
  const row = (event: LoggedEvent): TimelineRow => ({ time: '', basis: 'counted', what: '', why: '', events: [event] });
  const many = Array.from({ length: 200 }, (_, i) => row(eventAt(i, 'lock-timeout', 'db.row', 'wait', {})));

  it('keep the first of each kind and every rare one, in order, and say what is left out', () => {
    const kill = row(eventAt(150, 'oom', 'a.1', 'memory limit', {}));
    const all = [...many.slice(0, 150), kill, ...many.slice(150)];
    const { rows, leftOut } = tellingRows(all);
    expect(rows.length).toBeLessThanOrEqual(40);
    expect([rows[0], rows.includes(kill), rows.length + leftOut.length]).toEqual([many[0], true, 201]);
    expect(rows.map((one) => all.indexOf(one))).toEqual(rows.map((one) => all.indexOf(one)).toSorted((a, b) => a - b));
  });

  it('are all there where they are few', () => expect(tellingRows(many.slice(0, 20))).toEqual({ rows: many.slice(0, 20), leftOut: [] }));

  it('count every event of the log once', () => {
    const log = runOf(scriptedStudy()).eventLog;
    expect(timelineRows(log, 1000, 'en').flatMap(({ events }) => events)).toHaveLength(log.length);
  });
});
