import type { ClaimResult, Verdict } from '../../../src/study/types.js';
import { cardWords } from '../../../src/text/cards.js';
import { surenessWords } from '../../../src/text/sureness.js';
import { drawBasis } from '../../look/basis-marks.js';
import type { Canvas } from '../../look/drawing.js';
import { drawGlyph } from '../../look/glyphs.js';
import { condition, count, resultValue } from '../../look/numbers.js';
import { textWidth } from '../../look/text-width.js';
import { drawSureness } from '../cards/sureness.js';
import { commonNote, guessLines, headlineOf, noteOf, objectiveText, ofWhom, otherVariants, verdictRows, whyOf, type GuessLines } from '../cards/verdict-text.js';
import { balanced, fitted, wrapped } from '../fit.js';
import { flowOf, type Moment } from '../scene.js';
import { drawStrip } from '../strip.js';

const left = 44;
const right = 739;
const room = right - left;
/** Of the strip of the whole run: where it begins at the latest, and at the earliest. */
const stripTop = { latest: 1010, earliest: 860 } as const;
const rowPitch = 88;

/** The verdict from top to bottom: the headline, why, an objective (or claim) in two lines each, and the whole run. */
export const drawVerdictDown = (canvas: Canvas, moment: Moment): void => {
  const { palette, lang, scene } = moment;
  const { study, run } = scene;
  const words = cardWords[lang];
  canvas.text(left, 76, words.verdict, { size: 26, weight: 700, fill: palette.text2 });
  canvas.text(left, 106, fitted(`${study.scenario.title[lang]} · ${run.variant}`, 20, 400, room), { size: 20, fill: palette.text3, room });
  const why = whyOf(moment).flatMap((line) => wrapped(line, 22, 400, room));
  let y = drawHeadline(canvas, headlineOf(moment), 180) + 44;
  why.forEach((line, i) => canvas.text(left, y + i * 30, line, { size: 22, fill: palette.text2, room }));
  y += why.length * 30 + 18;
  const verdicts = study.verdicts.filter(({ variant }) => variant === run.variant);
  y = verdicts.length > 0 ? drawObjectives(canvas, verdicts, y, moment) : drawClaims(canvas, study.claims.filter(({ variant }) => variant === run.variant), y, moment);
  const marks = Math.round(Math.min(stripTop.latest, Math.max(stripTop.earliest, y + 34)));
  drawStrip(canvas, { left: 156, right, marks, marksBelow: marks + 21, top: marks + 36, bottom: 1164, objective: 1174, latencyTop: 1198, latencyBottom: 1240, axis: 1266, size: 16 }, moment.tick, moment, false);
  drawTotals(canvas, 1304, moment);
};

/** Gives the base line of its last line. */
const drawHeadline = (canvas: Canvas, headline: string, y: number): number => {
  for (const [size, most] of [[60, 2], [50, 3], [42, 4]] as const) {
    const lines = balanced(headline, size, 800, room);
    if (lines.length > most && size > 42) continue;
    lines.slice(0, most).forEach((line, i) => canvas.text(left - 2, y + i * size * 1.14, line, { size, weight: 800, room: room + 2 }));
    return y + (Math.min(most, lines.length) - 1) * size * 1.14;
  }
  return y;
};

/** As many rows as fit above the strip; where not all do, what was not kept comes first. Gives the y below them. */
const drawObjectives = (canvas: Canvas, verdicts: readonly Verdict[], top: number, moment: Moment): number => {
  const { palette, lang } = moment;
  const words = cardWords[lang];
  const common = commonNote(verdicts, lang);
  const guesses = guessLines(moment);
  const below = [otherVariants(moment), guesses === null ? common : null].flatMap((line) => (line === null ? [] : wrapped(line, 20, 400, room)));
  const most = Math.max(1, Math.floor((stripTop.latest - 40 - top - below.length * 28 - (guesses === null ? 0 : guessesHeight)) / rowPitch));
  const shown = verdictRows(verdicts, moment.scene.run, verdicts.length > most).slice(0, most);
  shown.forEach((verdict, i) => drawObjective(canvas, verdict, top + i * rowPitch, common === null, moment));
  const lines = [...(shown.length < verdicts.length ? [words.moreRows(verdicts.length - shown.length)] : []), ...below];
  const y = top + shown.length * rowPitch;
  canvas.line(left, y, right, y, { stroke: palette.line, strokeWidth: 1.2 });
  lines.forEach((line, i) => canvas.text(left, y + 30 + i * 28, line, { size: 20, fill: palette.text2, room }));
  const end = y + lines.length * 28;
  if (guesses !== null) drawGuesses(canvas, guesses, end, moment);
  return guesses === null ? end : end + guessesHeight;
};

const guessesHeight = 46 + 3 * 52;

/** Each in two lines, under a heading. */
const drawGuesses = (canvas: Canvas, { title, doubt, guesses }: GuessLines, top: number, { palette }: Moment): void => {
  const titleEnd = canvas.text(left, top + 42, title, { size: 21, weight: 700, room });
  if (doubt !== null) canvas.text(titleEnd + 14, top + 42, doubt, { size: 18, fill: palette.text3, room: right - titleEnd - 14 });
  guesses.forEach(({ name, basis, value, about }, i) => {
    const y = top + 72 + i * 52;
    drawBasis(canvas, basis, left + 9, y - 7, 16, palette.text2);
    canvas.text(right, y, value, { size: 21, weight: 700, anchor: 'end' });
    canvas.text(left + 28, y, fitted(name, 21, 400, room - 28 - textWidth(value, 21, 700) - 16), { size: 21, fill: palette.text2 });
    canvas.text(left + 28, y + 24, fitted(about, 18, 400, room - 28), { size: 18, fill: palette.text3, room: room - 28 });
  });
};

const drawObjective = (canvas: Canvas, verdict: Verdict, y: number, withNote: boolean, moment: Moment): void => {
  const { palette, lang, words: stage } = moment;
  const words = cardWords[lang];
  const color = verdict.met === null ? palette.text2 : verdict.met ? palette.goodText : palette.failedText;
  canvas.line(left, y, right, y, { stroke: palette.line, strokeWidth: 1.2 });
  const actual = `${verdict.actual !== null && verdict.basis === 'estimated' ? '≈' : ''}${resultValue(verdict.actual, verdict.unit, lang)}`;
  canvas.text(right, y + 36, actual, { size: 28, weight: 700, fill: color, anchor: 'end' });
  const valueLeft = right - textWidth(actual, 28, 700) - 26;
  drawBasis(canvas, verdict.basis, valueLeft + 8, y + 27, 16, palette.text2);
  const phase = fitted(verdict.phase ?? words.wholeRun, 23, 600, 180);
  const asked = fitted(`${ofWhom(verdict.of, moment.scene.run.system.objectives)}${objectiveText(verdict.metric, stage)} ${condition(verdict.target)}`, 22, 400, valueLeft - left - textWidth(phase, 23, 600) - 26);
  const phaseEnd = canvas.text(left, y + 35, phase, { size: 23, weight: 600 });
  canvas.text(phaseEnd + 14, y + 35, asked, { size: 22, fill: palette.text2 });
  if (verdict.met !== null) drawGlyph(canvas, verdict.met ? 'kept' : 'broken', left + 10, y + 63, 22, { color, cut: palette.bg });
  const state = verdict.met === null ? words.unknown : verdict.met ? words.kept : words.broken;
  canvas.text(left + 30, y + 71, state, { size: 23, weight: 600, fill: color });
  const sureX = left + 30 + Math.max(...[words.unknown, words.kept, words.broken].map((text) => textWidth(text, 23, 600))) + 22;
  drawSureness(canvas, verdict.sure, sureX, y + 71, moment);
  const noteX = sureX + textWidth(surenessWords[lang].sure[verdict.sure], 26, 700) + 48;
  if (withNote) canvas.text(noteX, y + 70, fitted(noteOf(verdict, moment), 18, 400, right - noteX), { size: 18, fill: palette.text2, room: right - noteX });
};

const drawClaims = (canvas: Canvas, claims: readonly ClaimResult[], top: number, moment: Moment): number => {
  const { palette, lang } = moment;
  const words = cardWords[lang];
  const most = Math.max(1, Math.floor((stripTop.latest - 40 - top) / rowPitch));
  const shown = claims.length > most ? claims.toSorted((a, b) => Number(a.held) - Number(b.held)).slice(0, most) : claims;
  shown.forEach((claim, i) => {
    const y = top + i * rowPitch;
    const color = claim.held ? palette.goodText : palette.failedText;
    canvas.line(left, y, right, y, { stroke: palette.line, strokeWidth: 1.2 });
    canvas.text(left, y + 34, fitted(claim.says?.[lang] ?? claim.claim, 22, 400, room), { size: 22, room });
    drawGlyph(canvas, claim.held ? 'kept' : 'broken', left + 10, y + 62, 22, { color, cut: palette.bg });
    const end = canvas.text(left + 30, y + 70, claim.held ? words.holds : words.holdsNot, { size: 22, weight: 600, fill: color });
    const actual = claim.unit === null ? '' : resultValue(claim.actual, claim.unit, lang);
    if (actual) canvas.text(right, y + 70, actual, { size: 26, weight: 700, fill: color, anchor: 'end' });
    const about = [claim.phase ?? words.wholeRun, condition(claim.target)].join(' · ');
    const aboutRoom = right - textWidth(actual, 26, 700) - 20 - end - 20;
    canvas.text(end + 20, y + 70, fitted(about, 19, 400, aboutRoom), { size: 19, fill: palette.text2, room: aboutRoom });
  });
  const y = top + shown.length * rowPitch;
  if (shown.length < claims.length) canvas.text(left, y + 28, words.moreRows(claims.length - shown.length), { size: 20, fill: palette.text2 });
  return shown.length < claims.length ? y + 28 : y;
};

/** How all requests of the run ended, side by side. */
const drawTotals = (canvas: Canvas, y: number, { scene, palette, words, lang }: Moment): void => {
  const flow = flowOf(scene.run, 0, scene.run.ticks.count - 1);
  const rows = [
    ['good', { fill: palette.goodArea }, palette.goodText],
    ...(flow.declined > 0 ? [['declined', { fill: palette.s2, stroke: palette.good, strokeWidth: 1.5 }, palette.text] as const] : []),
    ['refused', { fill: palette.refusedArea }, palette.refusedText],
    ['failed', { fill: palette.failed }, palette.failedText],
  ] as const;
  drawBasis(canvas, 'counted', left + 8, y - 6, 16, palette.text2);
  canvas.text(left + 24, y, cardWords[lang].requests, { size: 18, fill: palette.text3, room: room - 24 });
  const pitch = room / rows.length;
  rows.forEach(([key, paint, ink], i) => {
    const x = left + i * pitch;
    canvas.rect(x, y + 17, 16, 16, paint);
    canvas.text(x + 24, y + 31, words.outcome[key], { size: 19, room: pitch - 30 });
    canvas.text(x + 24, y + 60, count(flow[key]), { size: 22, weight: 700, fill: ink, room: pitch - 28 });
  });
};
