import type PDFDocument from 'pdfkit';
import type { Anchor, Hatch, Paint, Shape } from '../look/drawing.js';
import type { Weight } from '../look/text-width.js';
import { markName } from '../look/figure.js';
import type { Lang } from '../../src/study/types.js';
import type { InkShape } from './book.js';

export type Pdf = InstanceType<typeof PDFDocument>;

/** Name under which a weight of the bundled font is registered. */
export const fontName = (weight: Weight): string => `pretendard-${weight}`;

/** Draws shapes as vectors on the current page of a PDF. Marks are spoken as the words of their basis. */
export const paintAll = (pdf: Pdf, shapes: readonly InkShape[], lang: Lang): void => {
  for (const shape of shapes) {
    if (shape.kind === 'mark') {
      pdf.markContent('Span', { alt: markName(shape.mark, lang) });
      for (const inner of shape.shapes) paint(pdf, inner);
      pdf.endMarkedContent();
    } else if (shape.kind === 'link') paintAll(pdf, shape.shapes, lang);
    else paint(pdf, shape);
  }
};

const paint = (pdf: Pdf, shape: Shape): void => {
  switch (shape.kind) {
    case 'rect':
      return paintOutline(pdf, shape, () => shape, () => void (shape.radius ? pdf.roundedRect(shape.x, shape.y, shape.width, shape.height, shape.radius) : pdf.rect(shape.x, shape.y, shape.width, shape.height)));
    case 'circle':
      return paintOutline(pdf, shape, () => ({ x: shape.x - shape.r, y: shape.y - shape.r, width: 2 * shape.r, height: 2 * shape.r }), () => void pdf.circle(shape.x, shape.y, shape.r));
    case 'path':
      return paintOutline(pdf, shape, () => boxOfPath(shape.d), () => void pdf.path(shape.d), shape.evenOdd);
    case 'text':
      return paintText(pdf, shape);
    case 'group': {
      const { x, y, width, height, radius } = shape.clip;
      pdf.save();
      if (radius) pdf.roundedRect(x, y, width, height, radius);
      else pdf.rect(x, y, width, height);
      pdf.clip();
      for (const inner of shape.shapes) paint(pdf, inner);
      pdf.restore();
    }
  }
};

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const paintOutline = (pdf: Pdf, { fill, stroke, strokeWidth = 1.5, dash, round, opacity }: Paint, box: () => Box, outline: () => void, evenOdd = false): void => {
  const rule = evenOdd ? 'even-odd' : 'nonzero';
  pdf.save();
  if (opacity !== undefined) pdf.opacity(opacity);
  if (fill !== undefined && typeof fill !== 'string') paintHatch(pdf, fill, box(), outline, rule);
  if (stroke) {
    pdf.lineWidth(strokeWidth).strokeColor(stroke);
    if (round) pdf.lineCap('round').lineJoin('round');
    if (dash) pdf.dash(dash[0], { space: dash[1] ?? dash[0] });
  }
  if (typeof fill === 'string') {
    outline();
    if (stroke) pdf.fillAndStroke(fill, stroke, rule);
    else pdf.fill(fill, rule);
  } else if (stroke) {
    outline();
    pdf.stroke();
  }
  pdf.restore();
};

/** Stripes as one clipped path of parallel lines: anchored to the page, so neighbours meet, and sharp at any size. */
const paintHatch = (pdf: Pdf, { color, ground, period, stripe }: Hatch, box: Box, outline: () => void, rule: 'nonzero' | 'even-odd'): void => {
  pdf.save();
  outline();
  pdf.clip(rule);
  if (ground) pdf.rect(box.x, box.y, box.width, box.height).fill(ground);
  // A stripe lies where (x + y)/√2 is between k × period and k × period + stripe, as in the SVG pattern.
  const distance = (k: number): number => (k * period + stripe / 2) * Math.SQRT2;
  const [first, last] = [Math.floor((box.x + box.y) / Math.SQRT2 / period) - 1, Math.ceil((box.x + box.y + box.width + box.height) / Math.SQRT2 / period)];
  for (let k = first; k <= last; k++) {
    const sum = distance(k);
    const fromX = Math.max(box.x - stripe, sum - box.y - box.height - stripe);
    const toX = Math.min(box.x + box.width + stripe, sum - box.y + stripe);
    if (fromX < toX) pdf.moveTo(fromX, sum - fromX).lineTo(toX, sum - toX);
  }
  pdf.lineWidth(stripe).strokeColor(color).stroke();
  pdf.restore();
};

/** Box around all points that a path names. Wide enough for what the drawings use: lines, curves inside their handles, arcs up to their radius. */
const boxOfPath = (d: string): Box => {
  const xs: number[] = [];
  const ys: number[] = [];
  for (const [, command, rest] of d.matchAll(/([A-Za-z])([^A-Za-z]*)/g)) {
    const numbers = (rest.match(/-?\d*\.?\d+(?:e-?\d+)?/g) ?? []).map(Number);
    if (command === 'H') xs.push(...numbers);
    else if (command === 'V') ys.push(...numbers);
    else if (command === 'A') {
      for (let i = 0; i + 6 < numbers.length; i += 7) {
        const [rx, ry, x, y] = [numbers[i], numbers[i + 1], numbers[i + 5], numbers[i + 6]];
        xs.push(x - 2 * rx, x + 2 * rx);
        ys.push(y - 2 * ry, y + 2 * ry);
      }
    } else numbers.forEach((value, i) => (i % 2 === 0 ? xs : ys).push(value));
  }
  if (xs.length === 0 || ys.length === 0) return { x: 0, y: 0, width: 0, height: 0 };
  const low = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b));
  const high = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b));
  return { x: low(xs), y: low(ys), width: high(xs) - low(xs), height: high(ys) - low(ys) };
};

/**
 * Tabular figures and kerning, and nothing else: fontkit's contextual alternates cost ten times the rest of the page and change no letter of ours.
 * fontkit takes this object where pdfkit's types know a list only.
 */
const features = { tnum: true, kern: true, ...Object.fromEntries(['calt', 'ccmp', 'clig', 'curs', 'liga', 'locl', 'mark', 'mkmk', 'rclt', 'rlig'].map((tag) => [tag, false])) } as unknown as PDFKit.Mixins.OpenTypeFeatures[];
const textOptions = { lineBreak: false, features, baseline: 'alphabetic' } as const;

/** Shapes every text once: pdfkit asks the font three times for each line and keeps nothing when features are given. */
export const rememberShapes = (pdf: Pdf, weight: Weight): void => {
  const { _font: font } = pdf.font(fontName(weight)) as unknown as { _font: { layoutRun: (text: string, features: unknown) => unknown } };
  const shape = font.layoutRun.bind(font);
  const known = new Map<string, unknown>();
  font.layoutRun = (text, wanted) => {
    if (!known.has(text)) known.set(text, shape(text, wanted));
    return known.get(text);
  };
};

const paintText = (pdf: Pdf, { x, y, runs, anchor, rotate }: Extract<Shape, { kind: 'text' }>): void => {
  const printed = runs.map((run) => ({ ...run, text: run.text.replaceAll('\u00A0', ' ') }));
  // A width is asked for only where something stands after it.
  const widths = anchor === 'start' && printed.length === 1 ? [0] : printed.map((run) => pdf.font(fontName(run.weight)).fontSize(run.size).widthOfString(run.text, { features }));
  let at = x - shareBefore[anchor] * widths.reduce((sum, width) => sum + width, 0);
  pdf.save();
  if (rotate) pdf.rotate(rotate, { origin: [x, y] });
  printed.forEach((run, index) => {
    pdf.font(fontName(run.weight)).fontSize(run.size).fillColor(run.fill).text(run.text, at, y, textOptions);
    at += widths[index];
  });
  pdf.restore();
};
const shareBefore: Readonly<Record<Anchor, number>> = { start: 0, middle: 0.5, end: 1 };
