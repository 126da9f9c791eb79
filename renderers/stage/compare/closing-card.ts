import type { ObjectiveDifference } from '../../../src/study/comparison.js';
import { stageWords } from '../../../src/text/stage.js';
import { drawBasis } from '../../look/basis-marks.js';
import type { Canvas, Drawing } from '../../look/drawing.js';
import { drawGlyph } from '../../look/glyphs.js';
import { clock, condition, count, resultValue, share } from '../../look/numbers.js';
import { textWidth } from '../../look/text-width.js';
import { balanced, fitted } from '../fit.js';
import { areasOf } from '../strip-areas.js';
import { closingSentence, differenceFromFirst } from './closing.js';
import { compareCanvas } from './compare-frame.js';
import { compareMomentOf, type Compared, type CompareMoment, type CompareOptions } from './compare-scene.js';
import { titleOf } from './header.js';
import { drawBadge } from './panel-head.js';

const left = 112;
const right = 1808;
const firstColumn = 560;
const pitch = 46;
/** Where the runs begin at the latest, and at the earliest. */
const stripTop = { latest: 826, earliest: 640 } as const;
const stripBottom = 980;
const rowsMost = 6;

/** The sentence that it comes to, every objective by side, and the whole of all runs for the first time. */
export const compareClosingCard = (compared: Compared, options: Pick<CompareOptions, 'lang' | 'theme'>): Drawing => {
  const last = Math.max(...compared.sides.map(({ study, variant }) => study.runs[variant].ticks.count)) - 1;
  const compare = compareMomentOf(compared, last, options);
  const { palette, words, lang } = compare;
  const canvas = compareCanvas(compare);
  const headEnd = canvas.text(left, 100, words.result, { size: 26, weight: 700, fill: palette.text2 });
  canvas.text(headEnd + 18, 100, fitted(titleOf(compare), 26, 400, right - headEnd - 18), { size: 26, fill: palette.text3, room: right - headEnd - 16 });
  const sentence = closingSentence(compared.comparison, lang);
  const size = [46, 40, 34, 30].find((px) => balanced(sentence, px, 700, right - left).length <= 3) ?? 28;
  const lines = balanced(sentence, size, 700, right - left).slice(0, 4);
  lines.forEach((line, i) => canvas.text(left - 2, 168 + i * size * 1.25, fitted(line, size, 700, right - left), { size, weight: 700, room: right - left + 4 }));
  const end = drawTable(canvas, 168 + (lines.length - 1) * size * 1.25 + 76, compare);
  drawWholeRuns(canvas, Math.min(stripTop.latest, Math.max(stripTop.earliest, end + 90)), compare);
  return canvas.drawing();
};

/** Gives the y of its last line. */
const drawTable = (canvas: Canvas, top: number, compare: CompareMoment): number => {
  const { palette, words, scene: { comparison } } = compare;
  const columns = comparison.sides.length;
  const hasDifference = columns === 2;
  const width = (right - left - firstColumn) / (columns + (hasDifference ? 1 : 0));
  const x = (column: number): number => left + firstColumn + column * width;
  comparison.sides.forEach(({ letter, name }, side) => {
    drawBadge(canvas, letter, x(side), top - 24, 30, palette);
    canvas.text(x(side) + 42, top, fitted(name, 22, 700, width - 60), { size: 22, weight: 700, room: width - 59 });
  });
  canvas.text(left, top, `${words.phase} · ${words.objective}`, { size: 20, fill: palette.text3 });
  if (hasDifference) canvas.text(right, top, `${words.difference}, ${words.minus('B', 'A')}`, { size: 20, fill: palette.text3, anchor: 'end', room: width - 20 });
  const room = Math.floor((stripTop.latest - 130 - top) / pitch) - 1;
  const { objectives } = comparison;
  if (objectives.length === 0) {
    canvas.text(left, top + 56, words.noObjective, { size: 24, fill: palette.text2 });
    drawEnds(canvas, top + 56 + pitch, x, width, compare);
    return top + 56 + pitch;
  }
  const most = Math.max(1, Math.min(rowsMost, room - 1));
  // Where not all fit, what differs comes first, then what is broken.
  const weight = ({ met }: ObjectiveDifference): number => (new Set(met).size > 1 ? 2 : 0) + (met.includes(false) ? 1 : 0);
  const shown = objectives.length > most ? objectives.toSorted((a, b) => weight(b) - weight(a)).slice(0, most) : objectives;
  shown.forEach((row, i) => drawRow(canvas, row, top + 50 + i * pitch, x, width, compare));
  let y = top + 50 + shown.length * pitch;
  if (shown.length < objectives.length) {
    canvas.text(left, y, words.moreRows(objectives.length - shown.length), { size: 20, fill: palette.text2 });
    y += 44;
  }
  drawEnds(canvas, y, x, width, compare);
  return y;
};

const drawRow = (canvas: Canvas, row: ObjectiveDifference, y: number, x: (column: number) => number, width: number, compare: CompareMoment): void => {
  const { palette, words, lang, scene: { comparison } } = compare;
  const stage = stageWords[lang];
  canvas.line(left, y - 33, right, y - 33, { stroke: palette.line, strokeWidth: 1.2 });
  const metric = row.metric in stage.outcome ? stage.outcome[row.metric as keyof typeof stage.outcome] : row.metric;
  const targets = new Set(row.targets);
  const phaseEnd = canvas.text(left, y, fitted(row.phase ?? words.wholeRun, 23, 600, 170), { size: 23, weight: 600, room: 172 });
  const whose = comparison.traffic.some(({ traffic }) => traffic !== null) ? `${row.of} ` : '';
  const objective = `${whose}${metric}${targets.size === 1 ? ` ${condition(row.targets[0])}` : ''}`;
  canvas.text(phaseEnd + 14, y, fitted(objective, 23, 400, left + firstColumn - phaseEnd - 30), { size: 23, fill: palette.text2, room: left + firstColumn - phaseEnd - 29 });
  row.values.forEach((value, side) => {
    const met = row.met[side];
    const color = met === null ? palette.text2 : met ? palette.goodText : palette.failedText;
    const text = value === null ? words.unknown : `${row.basis === 'estimated' ? '≈' : ''}${resultValue(value, row.unit, lang)}`;
    if (met !== null) drawGlyph(canvas, met ? 'kept' : 'broken', x(side) + 10, y - 8, 19, { color, cut: palette.bg });
    const end = canvas.text(x(side) + 32, y, fitted(text, 25, 700, width - 40), { size: 25, weight: 700, fill: color });
    const word = met === null ? '' : met ? words.kept : words.broken;
    if (end + 12 + textWidth(word, 20) < x(side) + width - 10) canvas.text(end + 12, y, word, { size: 20, fill: color });
  });
  const difference = row.values.length === 2 ? differenceFromFirst(row, 1, lang) : null;
  if (difference === null) return;
  const sign = difference.startsWith('+') ? 1 : /[1-9]/.test(difference) ? -1 : 0;
  const isBetter = row.better === 'neither' || sign === 0 ? null : (sign > 0) === (row.better === 'more');
  canvas.text(right, y, difference, { size: 25, weight: 700, fill: isBetter === null ? palette.text2 : isBetter ? palette.goodText : palette.failedText, anchor: 'end', room: width - 10 });
};

/** How the requests of the whole run ended, below the objectives. */
const drawEnds = (canvas: Canvas, y: number, x: (column: number) => number, width: number, compare: CompareMoment): void => {
  const { palette, words, lang, scene: { comparison } } = compare;
  const ends = comparison.traffic.find(({ phase, traffic }) => phase === null && traffic === null);
  if (!ends) return;
  const stage = stageWords[lang];
  canvas.line(left, y - 33, right, y - 33, { stroke: palette.line2, strokeWidth: 1.5 });
  drawBasis(canvas, 'counted', left + 8, y - 7, 15, palette.text2);
  canvas.text(left + 26, y, fitted(`${words.wholeRun}: ${stage.outcome.good} · ${stage.outcome.refused} · ${stage.outcome.failed}`, 22, 400, firstColumn - 40), { size: 22, fill: palette.text2, room: firstColumn - 39 });
  ends.sides.forEach((side, i) => {
    if (!side) return;
    const parts = [{ text: side.goodShare === null ? '–' : share(side.goodShare), fill: palette.goodText }, { text: count(side.refused), fill: palette.refusedText }, { text: count(side.failed), fill: palette.failedText }];
    const size = [22, 19, 17].find((px) => textWidth(parts.map(({ text }) => text).join(' · '), px, 600) <= width - 12) ?? 16;
    canvas.runs(x(i), y, parts.flatMap((part, k) => (k === 0 ? [part] : [{ text: ' · ', fill: palette.text3 }, part])), { size, weight: 600, room: width - 8 });
  });
};

const drawWholeRuns = (canvas: Canvas, top: number, { scene, palette }: CompareMoment): void => {
  const gap = 40;
  const width = (right - left - gap * (scene.sides.length - 1)) / scene.sides.length;
  const place = { top, bottom: stripBottom };
  scene.scenes.forEach((own, i) => {
    const from = left + i * (width + gap);
    const perMs = width / scene.axes.durationMs;
    const { run, tickMs, phases } = own;
    drawBadge(canvas, scene.sides[i].letter, from, place.top - 42, 26, palette);
    for (const { fromMs, toMs } of phases) canvas.rect(from + fromMs * perMs, place.top, (toMs - fromMs) * perMs, place.bottom - place.top, { fill: palette.s1 });
    areasOf(own, { left: from, right: from + run.durationMs * perMs, pxPerTick: tickMs * perMs, count: run.ticks.count }, { ...place, mostInTick: (scene.axes.mostPerS * tickMs) / 1000 }).draw(canvas, run.ticks.count - 1, palette);
    canvas.line(from, place.bottom, from + width, place.bottom, { stroke: palette.line2, strokeWidth: 1.5 });
    canvas.text(from, place.bottom + 24, clock(0), { size: 17, fill: palette.text3 });
    canvas.text(from + width, place.bottom + 24, clock(scene.axes.durationMs), { size: 17, fill: palette.text3, anchor: 'end' });
    canvas.text(from + width, place.top - 20, `${count(scene.axes.mostPerS / 1.1)}/s`, { size: 17, fill: palette.text3, anchor: 'end' });
    canvas.line(from, place.bottom - (place.bottom - place.top) / 1.1, from + width, place.bottom - (place.bottom - place.top) / 1.1, { stroke: palette.line, strokeWidth: 1.2 });
  });
};
