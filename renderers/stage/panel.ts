import { numberAt } from '../../src/study/columns.js';
import type { Canvas, Paint } from '../look/drawing.js';
import { fitted } from './fit.js';
import { drawBasis } from '../look/basis-marks.js';
import type { Mark } from '../look/figure.js';
import { count, signedCount, span } from '../look/numbers.js';
import { flowOf, phaseAt, phaseStart, type Flow, type Moment } from './scene.js';
import { windowS } from './flows.js';

/** One figure of the equation: its colour, its name, how many now and in the phase. */
export interface FigureRow {
  readonly label: string;
  /** How the strip shows it: as a line, or an area of that paint. */
  readonly sign: { readonly line?: string; readonly paint: Paint } | null;
  readonly now: string;
  readonly phase: string;
  readonly ink: string;
  /** It is no outcome of a request: written smaller. */
  readonly isMinor: boolean;
}

/** Figures that add up: offered = good + declined + refused + failed + change in flight; and what was never sent. */
export const figuresOf = ({ palette, words, board, scene, window }: Moment): readonly FigureRow[] => {
  const from = Math.min(window.to, phaseStart(scene, window.to));
  const [now, phase] = [flowOf(scene.run, window.from, window.to), flowOf(scene.run, from, window.to)];
  const declines = Object.values(scene.run.traffic).some(({ declined }) => Object.keys(declined).length > 0);
  const dropped = Object.values(scene.run.traffic).some((totals) => totals.dropped > 0);
  const row = (key: keyof Flow, paint: Paint, ink: string, line?: string): FigureRow => ({ label: words.outcome[key], sign: line === undefined ? { paint } : { paint, line }, now: count(now[key]), phase: count(phase[key]), ink, isMinor: false });
  return [
    row('offered', {}, palette.text, palette.offered),
    row('good', { fill: palette.goodArea }, palette.goodText),
    ...(declines ? [row('declined', { stroke: palette.goodArea, strokeWidth: 2 }, palette.text2)] : []),
    row('refused', { fill: palette.refusedArea }, palette.refusedText),
    row('failed', { fill: palette.failed }, palette.failedText),
    { label: words.inFlightChange, sign: null, now: signedCount(inFlightChange(now)), phase: signedCount(inFlightChange(phase)), ink: palette.text2, isMinor: true },
    ...(dropped ? [{ label: board.droppedRow, sign: { paint: { stroke: palette.text2, strokeWidth: 1.5 } }, now: count(droppedIn(scene, window.from, window.to)), phase: count(droppedIn(scene, from, window.to)), ink: palette.text2, isMinor: true }] : []),
  ];
};

/** The figures under each other, now and in the phase. */
export const drawPanel = (canvas: Canvas, moment: Moment): void => {
  const { palette, words, scene, window, lang } = moment;
  const { top, left, now: nowX, phase: phaseX } = scene.frame.panel;
  drawBasis(canvas, 'counted', left + 8, top - 6, 14, palette.text2);
  canvas.text(left + 28, top, words.counted, { size: 16, fill: palette.text3 });
  const length = span(windowS(moment) * 1000, lang);
  canvas.text(nowX, top, window.from === window.to ? words.thisTick(length.replace('\u00A0', ' ')) : words.lastTicks(length), { size: 16, fill: palette.text3, anchor: 'end' });
  canvas.text(phaseX, top, phaseAt(scene, window.to) ? words.thisPhase : words.soFar, { size: 16, fill: palette.text3, anchor: 'end' });
  const figures = figuresOf(moment);
  const pitch = [26, 23, 20][figures.length - fewestFigures];
  figures.forEach(({ label, sign, now, phase, ink, isMinor }, i) => {
    const y = top + 27 + i * pitch;
    if (sign?.line) canvas.line(left, y - 6, left + 16, y - 6, { stroke: sign.line, strokeWidth: 3 });
    else if (isMinor && sign) canvas.rect(left + 0.75, y - 13.25, 14.5, 14.5, sign.paint);
    else if (sign) canvas.rect(left, y - 14, 16, 16, sign.paint);
    if (!isMinor) canvas.text(left + 28, y, label, { size: 19 });
    else if (sign) canvas.text(left + 28, y, fitted(label, 16, 400, 110), { size: 16, fill: palette.text3, room: 110 });
    else canvas.text(left, y, label, { size: 16, fill: palette.text3, room: 124 });
    canvas.text(nowX, y, now, { size: isMinor ? 19 : 21, weight: isMinor ? 500 : 700, fill: ink, anchor: 'end' });
    canvas.text(phaseX, y, phase, { size: 19, weight: 500, fill: ink, anchor: 'end' });
  });
};
const fewestFigures = 5;

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
