import { numberAt } from '../../src/study/columns.js';
import type { Canvas } from '../look/drawing.js';
import { fitted } from './fit.js';
import { drawBasis } from '../look/basis-marks.js';
import type { Mark } from '../look/figure.js';
import { count, signedCount, span } from '../look/numbers.js';
import { flowOf, phaseAt, phaseStart, type Flow, type Moment } from './scene.js';
import { windowS } from './flows.js';

/** Figures that add up: offered = good + declined + refused + failed + change in flight, for now and for the phase. */
export const drawPanel = (canvas: Canvas, moment: Moment): void => {
  const { palette, words, scene, window, lang } = moment;
  const { top, left, now: nowX, phase: phaseX } = scene.frame.panel;
  const now = flowOf(scene.run, window.from, window.to);
  const phase = flowOf(scene.run, Math.min(window.to, phaseStart(scene, window.to)), window.to);
  drawBasis(canvas, 'counted', left + 8, top - 6, 14, palette.text2);
  canvas.text(left + 28, top, words.counted, { size: 16, fill: palette.text3 });
  const length = span(windowS(moment) * 1000, lang);
  canvas.text(nowX, top, window.from === window.to ? words.thisTick(length.replace('\u00A0', ' ')) : words.lastTicks(length), { size: 16, fill: palette.text3, anchor: 'end' });
  canvas.text(phaseX, top, phaseAt(scene, window.to) ? words.thisPhase : words.soFar, { size: 16, fill: palette.text3, anchor: 'end' });
  const declines = Object.values(scene.run.traffic).some(({ declined }) => Object.keys(declined).length > 0);
  const dropped = Object.values(scene.run.traffic).some((totals) => totals.dropped > 0);
  const pitch = [26, 23, 20][Number(declines) + Number(dropped)];
  let y = top + 27;
  for (const [key, fill, ink] of [
    ['offered', palette.offered, palette.text],
    ['good', palette.goodArea, palette.goodText],
    ...(declines ? [['declined', palette.goodArea, palette.text2] as const] : []),
    ['refused', palette.refusedArea, palette.refusedText],
    ['failed', palette.failed, palette.failedText],
  ] as const) {
    if (key === 'offered') canvas.line(left, y - 6, left + 16, y - 6, { stroke: fill, strokeWidth: 3 });
    else canvas.rect(left, y - 14, 16, 16, key === 'declined' ? { stroke: fill, strokeWidth: 2 } : { fill });
    canvas.text(left + 28, y, words.outcome[key], { size: 19 });
    canvas.text(nowX, y, count(now[key]), { size: 21, weight: 700, fill: ink, anchor: 'end' });
    canvas.text(phaseX, y, count(phase[key]), { size: 19, weight: 500, fill: ink, anchor: 'end' });
    y += pitch;
  }
  canvas.text(left, y, words.inFlightChange, { size: 16, fill: palette.text3, room: 124 });
  canvas.text(nowX, y, signedCount(inFlightChange(now)), { size: 19, weight: 500, fill: palette.text2, anchor: 'end' });
  canvas.text(phaseX, y, signedCount(inFlightChange(phase)), { size: 19, weight: 500, fill: palette.text2, anchor: 'end' });
  if (!dropped) return;
  y += pitch;
  canvas.rect(left + 0.75, y - 13.25, 14.5, 14.5, { stroke: palette.text2, strokeWidth: 1.5 });
  canvas.text(left + 28, y, fitted(moment.board.droppedRow, 16, 400, 110), { size: 16, fill: palette.text3, room: 110 });
  canvas.text(nowX, y, count(droppedIn(scene, window.from, window.to)), { size: 19, weight: 500, fill: palette.text2, anchor: 'end' });
  canvas.text(phaseX, y, count(droppedIn(scene, Math.min(window.to, phaseStart(scene, window.to)), window.to)), { size: 19, weight: 500, fill: palette.text2, anchor: 'end' });
};

const droppedIn = ({ run }: Moment['scene'], from: number, to: number): number => {
  let sum = 0;
  for (const { dropped } of Object.values(run.ticks.traffic)) for (let tick = from; tick <= to; tick++) sum += numberAt(dropped, tick);
  return sum;
};

const inFlightChange = ({ offered, good, declined, refused, failed }: Flow): number => offered - good - declined - refused - failed;

/** What the marks mean. */
export const drawLegend = (canvas: Canvas, { scene, palette, words }: Moment): void => {
  const { left, phase: right, legend: first } = scene.frame.panel;
  canvas.line(left, first - 30, right, first - 30, { stroke: palette.line, strokeWidth: 1.5 });
  const item = (x: number, y: number, mark: Mark & keyof typeof words.legend): void => {
    drawBasis(canvas, mark, x + 8, y - 6, 16, palette.text2);
    canvas.text(x + 24, y, words.legend[mark], { size: 16, fill: palette.text2 });
  };
  item(left, first, 'measured');
  item(left + 150, first, 'counted');
  item(left, first + 28, 'assumed');
  item(left + 150, first + 28, 'estimated');
};
