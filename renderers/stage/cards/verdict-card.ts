import type { ClaimResult, Study, Verdict } from '../../../src/study/types.js';
import { cardWords } from '../../../src/text/cards.js';
import { drawBasis } from '../../look/basis-marks.js';
import type { Canvas, Drawing } from '../../look/drawing.js';
import { drawGlyph } from '../../look/glyphs.js';
import { condition, resultValue } from '../../look/numbers.js';
import { textWidth } from '../../look/text-width.js';
import { fitted } from '../fit.js';
import { momentOf, type Moment, type StageOptions } from '../scene.js';
import { newCanvas } from '../stage.js';
import { drawVerdictDown } from '../portrait/verdict-card.js';
import { drawSureness } from './sureness.js';
import { commonNote, guessLines, headlineOf, noteOf, objectiveText, ofWhom, otherVariants, verdictRows, whyOf, whySize, type GuessLines } from './verdict-text.js';
import { drawWholeRun } from './whole-run.js';

export { headlineOf } from './verdict-text.js';

const left = 112;
const right = 1808;

/** What breaks first and why, every objective with how sure that is, the guesses that matter most, and the whole run for the first time. */
export const verdictCard = (study: Study, variant: string, options: Pick<StageOptions, 'lang' | 'theme' | 'frame'>): Drawing => {
  const last = study.runs[variant].ticks.count - 1;
  const moment = momentOf(study, variant, last, options);
  const { palette, lang } = moment;
  const words = cardWords[lang];
  const canvas = newCanvas(moment);
  if (moment.scene.frame.name === 'portrait') {
    drawVerdictDown(canvas, moment);
    return canvas.drawing();
  }
  const headEnd = canvas.text(left, 116, words.verdict, { size: 26, weight: 700, fill: palette.text2 });
  canvas.text(headEnd + 18, 116, fitted(`${study.scenario.title[lang]} · ${variant}`, 26, 400, right - headEnd - 18), { size: 26, fill: palette.text3 });
  const headline = headlineOf(moment);
  const size = [84, 68, 54].find((px) => textWidth(headline, px, 800) <= right - left) ?? 44;
  canvas.text(left - 4, 218, fitted(headline, size, 800, right - left), { size, weight: 800, room: right - left });
  whyOf(moment).forEach((line, i) => canvas.text(left, 280 + i * 42, fitted(line, whySize, 400, right - left), { size: whySize, fill: palette.text2, room: right - left }));
  const verdicts = study.verdicts.filter((verdict) => verdict.variant === variant);
  const end = verdicts.length > 0 ? drawTable(canvas, verdicts, moment) : drawClaims(canvas, study.claims.filter((claim) => claim.variant === variant), moment);
  drawWholeRun(canvas, end, moment);
  return canvas.drawing();
};

const columns = { phase: left, objective: 330, result: 690, met: 880, sure: 1050, note: 1240 } as const;
const table = { top: 392, pitch: 48, most: 6 } as const;
/** Rows and lines of the table where guesses stand below it. */
const mostAboveGuesses = 5;

/** Gives the y of the last line of table and guesses. */
const drawTable = (canvas: Canvas, verdicts: readonly Verdict[], moment: Moment): number => {
  const { palette, lang } = moment;
  const words = cardWords[lang];
  for (const [key, label] of [['phase', words.phase], ['objective', words.objective], ['result', words.result(moment.scene.study.spread?.seeds.length ?? 1)], ['sure', words.howSure]] as const) canvas.text(columns[key], table.top, label, { size: 20, fill: palette.text3 });
  const common = commonNote(verdicts, lang);
  const guesses = guessLines(moment);
  const below = [otherVariants(moment), guesses === null ? common : null].filter((line) => line !== null);
  const most = (guesses === null ? table.most : mostAboveGuesses) - below.length;
  const isCut = verdicts.length > most;
  const shown = verdictRows(verdicts, moment.scene.run, isCut).slice(0, isCut ? most - 1 : most);
  const y = (row: number): number => table.top + 48 + row * table.pitch;
  shown.forEach((verdict, row) => drawRow(canvas, verdict, y(row), common === null, moment));
  const lines = [...(shown.length < verdicts.length ? [words.moreRows(verdicts.length - shown.length)] : []), ...below];
  lines.forEach((line, i) => canvas.text(left, y(shown.length) + 2 + i * 40, fitted(line, 24, 400, right - left), { size: 24, fill: palette.text2, room: right - left }));
  const end = y(shown.length - 1) + lines.length * 42;
  return guesses === null ? end + lines.length * 4 : drawGuesses(canvas, guesses, end + 62, moment);
};

const guessGap = 36;

/** Side by side under a heading whose base line is `y`. Gives the y of the last line. */
const drawGuesses = (canvas: Canvas, { title, doubt, order, guesses }: GuessLines, y: number, { palette }: Moment): number => {
  const titleEnd = canvas.text(left, y, title, { size: 24, weight: 700 });
  canvas.text(titleEnd + 18, y, fitted(doubt === null ? order : `${doubt}: ${order}`, 20, 400, right - titleEnd - 18), { size: 20, fill: palette.text3 });
  const room = (right - left - (guessPlaces - 1) * guessGap) / guessPlaces;
  guesses.forEach(({ name, basis, value, about }, i) => {
    const x = left + i * (room + guessGap);
    canvas.line(x, y + 14, x + room, y + 14, { stroke: palette.line, strokeWidth: 1.2 });
    drawBasis(canvas, basis, x + 9, y + 38, 18, palette.text2);
    const valueWidth = textWidth(value, 24, 700);
    const nameEnd = canvas.text(x + 30, y + 46, fitted(name, 24, 400, room - 30 - valueWidth - 14), { size: 24, fill: palette.text2 });
    canvas.text(nameEnd + 14, y + 46, value, { size: 24, weight: 700 });
    canvas.text(x + 30, y + 76, fitted(about, 20, 400, room - 30), { size: 20, fill: palette.text2, room: room - 30 });
  });
  return y + 76;
};
const guessPlaces = 3;

/** What the file promises of its own run, where it sets no objective. */
const drawClaims = (canvas: Canvas, claims: readonly ClaimResult[], { palette, lang }: Moment): number => {
  const words = cardWords[lang];
  if (claims.length === 0) return table.top;
  const place = { phase: left, claim: 330, target: 1120, result: 1400, held: 1600 } as const;
  for (const [key, label] of [['phase', words.phase], ['claim', words.claim], ['target', words.promised], ['result', words.result(1)]] as const) canvas.text(place[key], table.top, label, { size: 20, fill: palette.text3 });
  const shown = claims.length > table.most ? claims.toSorted((a, b) => Number(a.held) - Number(b.held)).slice(0, table.most - 1) : claims;
  shown.forEach((claim, row) => {
    const y = table.top + 48 + row * table.pitch;
    const color = claim.held ? palette.goodText : palette.failedText;
    canvas.line(left, y - 34, right, y - 34, { stroke: palette.line, strokeWidth: 1.2 });
    canvas.text(place.phase, y, fitted(claim.phase ?? words.wholeRun, 26, 600, 205), { size: 26, weight: 600, room: 210 });
    canvas.text(place.claim, y, fitted(claim.says?.[lang] ?? claim.claim, 24, 400, 766), { size: 24, fill: palette.text2, room: 770 });
    // An order of events has no figure: its text takes that place too.
    const room = (claim.unit === null ? place.held : place.result) - place.target - 16;
    const target = condition(claim.target);
    const size = [26, 22].find((px) => textWidth(target, px, 400) <= room) ?? 20;
    canvas.text(place.target, y, fitted(target, size, 400, room), { size, fill: palette.text2, room });
    if (claim.unit !== null) canvas.text(place.result, y, fitted(resultValue(claim.actual, claim.unit, lang), 28, 700, 184), { size: 28, weight: 700, fill: color, room: 188 });
    drawGlyph(canvas, claim.held ? 'kept' : 'broken', place.held + 10, y - 9, 22, { color, cut: palette.bg });
    canvas.text(place.held + 32, y, claim.held ? words.holds : words.holdsNot, { size: 26, weight: 600, fill: color, room: 176 });
  });
  if (shown.length < claims.length) canvas.text(left, table.top + 54 + shown.length * table.pitch, words.moreRows(claims.length - shown.length), { size: 24, fill: palette.text2 });
  return table.top + (shown.length + 1) * table.pitch;
};

const drawRow = (canvas: Canvas, verdict: Verdict, y: number, withNote: boolean, moment: Moment): void => {
  const { palette, lang, words: stage } = moment;
  const words = cardWords[lang];
  canvas.line(left, y - 34, right, y - 34, { stroke: palette.line, strokeWidth: 1.2 });
  canvas.text(columns.phase, y, fitted(verdict.phase ?? words.wholeRun, 26, 600, 205), { size: 26, weight: 600, room: 210 });
  canvas.text(columns.objective, y, fitted(`${ofWhom(verdict.of, moment.scene.run.system.objectives)}${objectiveText(verdict.metric, stage)} ${condition(verdict.target)}`, 26, 400, 340), { size: 26, fill: palette.text2, room: 345 });
  const color = verdict.met === null ? palette.text2 : verdict.met ? palette.goodText : palette.failedText;
  drawBasis(canvas, verdict.basis, columns.result + 8, y - 9, 16, palette.text2);
  const guess = verdict.basis === 'estimated' ? '≈' : '';
  const actual = `${verdict.actual === null ? '' : guess}${resultValue(verdict.actual, verdict.unit, lang)}`;
  const room = columns.met - columns.result - 28 - 8;
  const size = [28, 25, 22].find((px) => textWidth(actual, px, 700) <= room) ?? 19;
  canvas.text(columns.result + 28, y, fitted(actual, size, 700, room), { size, weight: 700, fill: color, room });
  if (verdict.met !== null) drawGlyph(canvas, verdict.met ? 'kept' : 'broken', columns.met + 10, y - 9, 22, { color, cut: palette.bg });
  canvas.text(columns.met + 32, y, verdict.met === null ? words.unknown : verdict.met ? words.kept : words.broken, { size: 26, weight: 600, fill: color, room: 140 });
  drawSureness(canvas, verdict.sure, columns.sure, y, moment);
  if (withNote) canvas.text(columns.note, y, fitted(noteOf(verdict, moment), 22, 400, right - columns.note), { size: 22, fill: palette.text2, room: right - columns.note });
};
