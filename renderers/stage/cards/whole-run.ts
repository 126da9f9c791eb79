import { cardWords } from '../../../src/text/cards.js';
import { drawBasis } from '../../look/basis-marks.js';
import type { Canvas } from '../../look/drawing.js';
import { count } from '../../look/numbers.js';
import { flowOf, type Moment } from '../scene.js';
import { drawStrip } from '../strip.js';

const right = 1808;
/** Of the strip's signs: where it has the least height, and the most. */
const top = { most: 796, least: 600 } as const;

/** The run's strip and how its requests ended, from below the last line of what stands above it to the foot of the card. */
export const drawWholeRun = (canvas: Canvas, above: number, moment: Moment): void => {
  const marks = Math.round(Math.min(top.most, Math.max(top.least, above + 50)));
  drawStrip(canvas, { left: 262, right: 1540, marks, marksBelow: marks + 23, top: marks + 42, bottom: 926, objective: 938, latencyTop: 960, latencyBottom: 1006, axis: 1040, size: 18 }, moment.tick, moment, false);
  drawTotals(canvas, marks, moment);
};

const drawTotals = (canvas: Canvas, y: number, { scene, palette, words, lang }: Moment): void => {
  const x = 1576;
  const flow = flowOf(scene.run, 0, scene.run.ticks.count - 1);
  drawBasis(canvas, 'counted', x + 8, y + 24, 16, palette.text2);
  canvas.text(x + 28, y + 30, cardWords[lang].requests, { size: 18, fill: palette.text3, room: right - x - 28 });
  const rows = [
    ['good', { fill: palette.goodArea }, palette.goodText],
    ...(flow.declined > 0 ? [['declined', { fill: palette.s2, stroke: palette.good, strokeWidth: 1.5 }, palette.text] as const] : []),
    ['refused', { fill: palette.refusedArea }, palette.refusedText],
    ['failed', { fill: palette.failed }, palette.failedText],
  ] as const;
  rows.forEach(([key, paint, ink], i) => {
    const base = y + 62 + i * 34;
    canvas.rect(x, base - 15, 16, 16, paint);
    canvas.text(x + 28, base, words.outcome[key], { size: 20 });
    canvas.text(right, base, count(flow[key]), { size: 22, weight: 700, fill: ink, anchor: 'end' });
  });
};
