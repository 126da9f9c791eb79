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
  canvas.text(left, top + 27, now, { size: 16, fill: palette.text3 });
  canvas.text(left, top + 53, phase, { size: 16, fill: palette.text3 });
  const first = left + labelRoom;
  const pitch = (right - first) / figures.length;
  figures.forEach((figure, i) => drawColumn(canvas, figure, first + (i + 1) * pitch, top, pitch - 8, moment));
  drawLegend(canvas, moment);
};
const labelRoom = 92;

const drawColumn = (canvas: Canvas, { label, sign, now, phase, ink }: FigureRow, right: number, top: number, room: number, { palette }: Moment): void => {
  const signRoom = sign ? 20 : 0;
  const lines = wrapped(label, 16, 400, room - signRoom);
  // A label of two lines begins one line higher.
  lines.forEach((text, i) => canvas.text(right, top - (lines.length - 1 - i) * 17, text, { size: 16, fill: sign ? palette.text : palette.text3, anchor: 'end', room: room - signRoom }));
  const x = right - Math.max(...lines.map((text) => textWidth(text, 16))) - 19;
  if (sign?.line) canvas.line(x, top - 5, x + 14, top - 5, { stroke: sign.line, strokeWidth: 3 });
  else if (sign) canvas.rect(x, top - 12, 14, 14, sign.paint);
  const size = (text: string, most: number): number => [most, 19, 17].find((px) => px <= most && textWidth(text, px, 700) <= room) ?? 16;
  canvas.text(right, top + 28, now, { size: size(now, 22), weight: 700, fill: ink, anchor: 'end', room });
  canvas.text(right, top + 53, phase, { size: size(phase, 19), weight: 500, fill: ink, anchor: 'end', room });
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
