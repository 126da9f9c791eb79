import { drawBasis } from '../../look/basis-marks.js';
import type { Canvas } from '../../look/drawing.js';
import { span } from '../../look/numbers.js';
import { textWidth } from '../../look/text-width.js';
import { wrapped } from '../fit.js';
import { windowS } from '../flows.js';
import { figuresOf, type FigureRow } from '../panel.js';
import { phaseAt, type Moment } from '../scene.js';

/** Figures that add up, side by side like the equation that they are; under them those of the phase. */
export const drawPanel = (canvas: Canvas, moment: Moment): void => {
  const { palette, words, scene, window, lang } = moment;
  const { frame } = scene;
  const { top, left, phase: right } = frame.panel;
  const figures = figuresOf(moment);
  const now = window.from === window.to ? words.thisTick(span(windowS(moment) * 1000, lang).replace('\u00A0', ' ')) : words.lastTicks(span(windowS(moment) * 1000, lang));
  const phase = phaseAt(scene, window.to) ? words.thisPhase : words.soFar;
  drawBasis(canvas, 'counted', left + 8, top - 6, 14, palette.text2);
  canvas.text(left + 22, top, words.counted, { size: 16, fill: palette.text3 });
  canvas.text(left, top + 26, now, { size: 16, fill: palette.text3 });
  canvas.text(left, top + 51, phase, { size: 16, fill: palette.text3 });
  // Each column as wide as its name needs, what is left shared equally.
  const needs = figures.map(({ label, sign }) => Math.max(textWidth(label, 16) + (sign ? signRoom : 0), textWidth('888,888', 19, 700)) + columnGap);
  const more = (right + columnGap - left - labelRoom - needs.reduce((a, b) => a + b, 0)) / figures.length;
  let x = left + labelRoom - columnGap;
  figures.forEach((figure, i) => {
    x += needs[i] + more;
    drawColumn(canvas, figure, x, top, needs[i] + more - columnGap, moment);
  });
  drawLegend(canvas, moment);
};
const labelRoom = 84;
const columnGap = 8;
const signRoom = 20;

const drawColumn = (canvas: Canvas, { label, sign, now, phase, ink }: FigureRow, right: number, top: number, room: number, { palette }: Moment): void => {
  const lines = wrapped(label, 16, 400, room - (sign ? signRoom : 0));
  // A label of two lines begins one line higher.
  lines.forEach((text, i) => canvas.text(right, top - (lines.length - 1 - i) * 17, text, { size: 16, fill: sign ? palette.text : palette.text3, anchor: 'end', room }));
  const x = right - Math.max(...lines.map((text) => textWidth(text, 16))) - 19;
  if (sign?.line) canvas.line(x, top - 5, x + 14, top - 5, { stroke: sign.line, strokeWidth: 3 });
  else if (sign) canvas.rect(x, top - 12, 14, 14, sign.paint);
  const size = (text: string, most: number): number => [most, 19, 17].find((px) => px <= most && textWidth(text, px, 700) <= room) ?? 16;
  canvas.text(right, top + 27, now, { size: size(now, 22), weight: 700, fill: ink, anchor: 'end', room });
  canvas.text(right, top + 51, phase, { size: size(phase, 19), weight: 500, fill: ink, anchor: 'end', room });
};

/** What the marks mean, in one line at the foot. */
const drawLegend = (canvas: Canvas, { scene: { frame }, palette, words }: Moment): void => {
  const { left, phase: right, legend: y } = frame.panel;
  canvas.line(left, y - 24, right, y - 24, { stroke: palette.line, strokeWidth: 1.5 });
  const marks = ['measured', 'counted', 'assumed', 'estimated'] as const;
  const widths = marks.map((mark) => 22 + textWidth(words.legend[mark], 16));
  const gap = (right - left - widths.reduce((a, b) => a + b, 0)) / (marks.length - 1);
  let x = left;
  marks.forEach((mark, i) => {
    drawBasis(canvas, mark, x + 8, y - 6, 16, palette.text2);
    canvas.text(x + 22, y, words.legend[mark], { size: 16, fill: palette.text2 });
    x += widths[i] + gap;
  });
};
