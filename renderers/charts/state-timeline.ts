import { Canvas, type Drawing } from '../look/drawing.js';
import { drawGlyph, type Glyph } from '../look/glyphs.js';
import { count } from '../look/numbers.js';
import { print } from '../look/palette.js';
import { shorten } from '../look/shorten.js';
import { textWidth } from '../look/text-width.js';
import { splitSubject } from '../../src/study/events.js';
import type { Belief, Lang, Run } from '../../src/study/types.js';
import { chartWords } from '../../src/text/report-charts.js';
import { stageWords } from '../../src/text/stage.js';
import { drawEventDiscs, type EventMark } from './event-marks.js';
import { tells, troubleMs, stateRows, type ShownState, type StateRow, type StateSpan } from './state-rows.js';
import { drawPhaseLabels, drawPhases, mainPhases, xOf, type TimeAxis } from './time-plot.js';

export interface StateTimeline {
  readonly run: Run;
  readonly rows: readonly StateRow[];
  /** Rows of each service that are not here. */
  readonly leftOut: Readonly<Record<string, number>>;
  readonly durationMs: number;
  readonly tickMs: number;
  readonly width: number;
  readonly lang: Lang;
  readonly events: readonly EventMark[];
}

const gutter = 92;
const rowHeight = 15;
const serviceHeight = 13;
/** Rows of one service beyond which those with least trouble are left out. */
const mostRows = 12;

/** The rows worth showing, service by service, and how many instances are left out of each. */
export const timelineRows = (run: Run, tickMs: number, width: number): { rows: StateRow[]; leftOut: Record<string, number> } => {
  const rows: StateRow[] = [];
  const leftOut: Record<string, number> = {};
  for (const { name } of run.system.services) {
    const own = run.ticks.services[name] ? stateRows(run, name, tickMs, Math.floor((width - gutter) * 2)) : [];
    if (!own.some(tells)) continue;
    const worst = new Set([...own].sort((a, b) => troubleMs(b) - troubleMs(a)).slice(0, mostRows));
    rows.push(...own.filter((row) => worst.has(row)).map((row, index) => ({ ...row, isLast: index === worst.size - 1 })));
    const missing = own.filter((row) => !worst.has(row)).reduce((sum, { numbers }) => sum + numbers.length, 0);
    if (missing > 0) leftOut[name] = missing;
  }
  return { rows, leftOut };
};

/** Height of a timeline of these rows. */
export const timelineHeight = (rows: readonly StateRow[], leftOut: StateTimeline['leftOut'], hasEvents: boolean): number => {
  const services = new Set(rows.map(({ service }) => service));
  return (hasEvents ? 22 : 6) + services.size * serviceHeight + rows.length * rowHeight + rows.filter((row) => leftOutBelow(row, leftOut) > 0).length * 10 + 14;
};

/** What each instance was, in bars told apart by height, outline and glyph; under it as a thin line what the link that checks it believed. */
export const stateTimeline = ({ run, rows, leftOut, durationMs, tickMs, width, lang, events }: StateTimeline): Drawing => {
  const height = timelineHeight(rows, leftOut, events.length > 0);
  const canvas = new Canvas(width, height, { fill: print.text, size: 7 });
  const axis: TimeAxis = { left: gutter, width: width - gutter, durationMs, tickMs, count: run.ticks.count };
  const bottom = height - 13;
  const phases = mainPhases(Object.entries(run.phases).map(([name, phase]) => ({ name, ...phase })));
  drawPhases(canvas, axis, phases, events.length > 0 ? 8 : 2, bottom);
  drawEventDiscs(canvas, axis, events, bottom);
  const said = new Set<string>();
  let y = events.length > 0 ? 22 : 6;
  rows.forEach((row, index) => {
    if (row.service !== rows[index - 1]?.service) {
      canvas.text(0, y + 8.5, shorten(row.service, row.belief ? gutter - 46 : gutter - 6, 8, 700), { size: 8, weight: 700 });
      if (row.belief) canvas.text(gutter - 6, y + 8.5, shorten(row.belief.caller, 40, 6.5), { size: 6.5, fill: print.text3, anchor: 'end' });
      y += serviceHeight;
    }
    drawRow(canvas, axis, run, row, y, lang, said);
    y += rowHeight;
    const missing = leftOutBelow(row, leftOut);
    if (missing === 0) return;
    canvas.text(0, y + 7, chartWords[lang].rest(count(missing)), { size: 6.5, fill: print.text3 });
    y += 10;
  });
  canvas.line(axis.left, bottom, axis.left + axis.width, bottom, { stroke: print.line2, strokeWidth: 0.6 });
  drawPhaseLabels(canvas, axis, phases, bottom + 10);
  return canvas.drawing();
};

/** How many instances are told to be left out below this row: where its service ends, which a picture of some of the rows need not reach. */
const leftOutBelow = ({ isLast, service }: StateRow, leftOut: StateTimeline['leftOut']): number => (isLast ? (leftOut[service] ?? 0) : 0);

const drawRow = (canvas: Canvas, axis: TimeAxis, run: Run, row: StateRow, top: number, lang: Lang, said: Set<string>): void => {
  canvas.text(8, top + 7.5, nameOf(row.numbers), { size: 7.5, weight: 600 });
  for (const span of row.states) drawState(canvas, axis, span, top);
  for (const span of row.states) labelState(canvas, axis, span, top, lang, said);
  drawKills(canvas, axis, run, row, top);
  if (row.belief) for (const span of row.belief.spans) drawBelief(canvas, axis, span, top + 12, lang, said);
};

/** `#1`, `#3–#8 (6)`, `#1, #4, #6 (3)`. */
const nameOf = (numbers: readonly number[]): string => {
  if (numbers.length === 1) return `#${numbers[0]}`;
  const isRange = numbers.at(-1)! - numbers[0] === numbers.length - 1;
  const names = isRange ? `#${numbers[0]}–#${numbers.at(-1)}` : numbers.length <= 3 ? numbers.map((number) => `#${number}`).join(', ') : `#${numbers[0]} … #${numbers.at(-1)}`;
  return `${names} (${numbers.length})`;
};

interface Look {
  /** Of the bar, centred in a row of 8. */
  readonly height: number;
  readonly fill: string;
  readonly stroke: string | null;
  readonly glyph: Glyph;
  readonly color: string;
}
/** Healthy recedes; trouble is tall, and what is on its way is an outline. */
const looks: Readonly<Record<Exclude<ShownState, 'off'>, Look>> = {
  healthy: { height: 2, fill: print.goodArea, stroke: null, glyph: 'healthy', color: print.goodText },
  warming: { height: 4.4, fill: print.bg, stroke: print.goodArea, glyph: 'warming', color: print.bootText },
  booting: { height: 7.4, fill: print.bg, stroke: print.line2, glyph: 'booting', color: print.bootText },
  draining: { height: 4.4, fill: print.s3, stroke: print.text2, glyph: 'draining', color: print.bootText },
  saturated: { height: 7.4, fill: print.refusedArea, stroke: null, glyph: 'saturated', color: print.refusedText },
  frozen: { height: 7.4, fill: print.failedBg, stroke: print.failed, glyph: 'frozen', color: print.failedText },
  down: { height: 7.4, fill: print.failed, stroke: null, glyph: 'restarting', color: print.failed },
};

const middle = 4.6;

const drawState = (canvas: Canvas, axis: TimeAxis, { what, fromMs, toMs }: StateSpan<ShownState>, top: number): void => {
  if (what === 'off') return;
  const { height, fill, stroke } = looks[what];
  const [from, to] = [xOf(axis, fromMs), xOf(axis, toMs)];
  const inset = stroke ? 0.3 : 0;
  // Nothing that happened is thinner than a hairline.
  canvas.rect(from + inset, top + middle - height / 2, Math.max(0.6, to - from - 2 * inset), height, { fill, ...(stroke ? { stroke, strokeWidth: 0.6 } : {}) });
};

/** A glyph where there is room, and the word of each state once, where there is room for it. */
const labelState = (canvas: Canvas, axis: TimeAxis, { what, fromMs, toMs }: StateSpan<ShownState>, top: number, lang: Lang, said: Set<string>): void => {
  if (what === 'off') return;
  const [from, to] = [xOf(axis, fromMs), xOf(axis, toMs)];
  const { glyph, color } = looks[what];
  const word = stageWords[lang].state[what === 'down' ? 'restarting' : what];
  const width = textWidth(word, 6.5, 700);
  const isNew = !said.has(what) && to - from >= width + 18;
  if (to - from < 11 || (what === 'healthy' && !isNew)) return;
  const ground = what === 'saturated' || what === 'down' || what === 'draining' ? null : print.bg;
  if (ground) canvas.rect(from + 1.6, top + 0.6, isNew ? width + 12.5 : 8.4, 7.9, { fill: ground });
  drawGlyph(canvas, glyph, from + 5.8, top + middle, 6.6, { color: what === 'saturated' ? print.text : what === 'down' ? print.bg : color, cut: what === 'saturated' ? print.refusedArea : what === 'down' ? print.failed : print.bg });
  if (!isNew) return;
  said.add(what);
  canvas.text(from + 11, top + middle + 2.4, word, { size: 6.5, weight: 700, fill: what === 'down' ? print.bg : what === 'saturated' ? print.text : color });
};

const drawKills = (canvas: Canvas, axis: TimeAxis, run: Run, { service, numbers }: StateRow, top: number): void => {
  for (const { kind, subject, tMs } of run.eventLog) {
    if (kind !== 'oom' && kind !== 'crashed') continue;
    const at = splitSubject(subject);
    if (at.service === service && at.instance !== null && numbers.includes(at.instance)) drawGlyph(canvas, 'killed', xOf(axis, tMs), top + middle, 8.4, { color: print.failed, cut: print.bg });
  }
};

/** In: a line. Out: none, its ends closed. Joining: a row of posts. */
const drawBelief = (canvas: Canvas, axis: TimeAxis, { what, fromMs, toMs }: StateSpan<Belief>, y: number, lang: Lang, said: Set<string>): void => {
  if (what === 'absent') return;
  const [from, to] = [xOf(axis, fromMs), xOf(axis, toMs)];
  const word = chartWords[lang].believes[what];
  if (what === 'in') canvas.line(from, y, to, y, { stroke: print.text, strokeWidth: 0.9 });
  else if (what === 'joining') for (let x = from; x <= to; x += 3) canvas.line(x, y - 1.2, x, y + 1.2, { stroke: print.text2, strokeWidth: 0.6 });
  else {
    canvas.line(from, y - 1.8, from, y + 1.8, { stroke: print.ejectedText, strokeWidth: 0.8 });
    if (to - from >= 8) drawGlyph(canvas, 'ejected', from + 4.2, y, 4.6, { color: print.ejectedText, cut: print.bg });
  }
  const start = from + (what === 'in' ? 3 : 8);
  if (said.has(`believes ${what}`) || to - start < textWidth(word, 6, 600) + 5) return;
  said.add(`believes ${what}`);
  canvas.rect(start - 1, y - 2.6, textWidth(word, 6, 600) + 3, 5.2, { fill: print.bg });
  canvas.text(start + 0.5, y + 2.1, word, { size: 6, weight: 600, fill: what === 'in' || what === 'joining' ? print.text2 : print.ejectedText });
};
