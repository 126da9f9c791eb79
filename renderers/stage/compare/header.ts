import type { Canvas } from '../../look/drawing.js';
import { rateDifference } from '../../look/difference.js';
import { drawGlyph } from '../../look/glyphs.js';
import { clock, count, latency, speedSpan, speedText } from '../../look/numbers.js';
import { textWidth } from '../../look/text-width.js';
import { fitted } from '../fit.js';
import { trailingAt } from '../objectives.js';
import { flowOf, phaseAt } from '../scene.js';
import { windowS } from '../flows.js';
import { termsLine } from './change-text.js';
import { followedBy, type CompareMoment, type SideMoment } from './compare-scene.js';

const x = { phase: 852, difference: 1016, speed: 1388 } as const;
const titleRoom = 790;
const differenceRoom = 350;

/** What is compared, the phase, how far the sides are apart now, speed of time, one clock. */
export const drawCompareHeader = (canvas: Canvas, moment: CompareMoment): void => {
  const { scene, tick, lang, palette } = moment;
  const { places, comparison } = scene;
  const title = titleOf(moment);
  const size = [34, 29, 25].find((px) => textWidth(title, px, 700) <= titleRoom) ?? 25;
  canvas.text(places.margin, 62, fitted(title, size, 700, titleRoom), { size, weight: 700, room: titleRoom + 2 });
  canvas.text(places.margin, 92, fitted(termsLine(comparison, lang), 18, 400, titleRoom), { size: 18, fill: palette.text3, room: titleRoom + 2 });
  drawPhase(canvas, moment);
  drawDifference(canvas, moment);
  const [{ moment: first }] = moment.sides;
  canvas.text(x.speed, 50, first.words.speedNote(speedSpan(first.speed, lang)), { size: 17, fill: palette.text3, room: 174 });
  drawGlyph(canvas, 'play', x.speed + 9, 75, 20, { color: palette.text2, cut: palette.bg });
  canvas.text(x.speed + 28, 86, speedText(first.speed), { size: 28, weight: 600 });
  canvas.runs(places.right, 86, [{ text: clock(tick * comparison.tickMs), size: 62, weight: 700 }, { text: ` / ${clock(comparison.durationMs)}`, size: 22, fill: palette.text3 }], { anchor: 'end', room: 312 });
  canvas.line(places.margin, 110, places.right, 110, { stroke: palette.line, strokeWidth: 1.5 });
};

/** The scenario's title; of several scenarios the names of all. */
export const titleOf = ({ scene: { comparison }, lang, words }: Pick<CompareMoment, 'scene' | 'lang' | 'words'>): string => {
  const titles = new Set(comparison.sides.map(({ title }) => title[lang]));
  return titles.size === 1 ? [...titles][0] : words.against(comparison.sides.map(({ name }) => name));
};

const drawPhase = (canvas: Canvas, { scene, tick, palette, sides }: CompareMoment): void => {
  // The side that still runs says which phase it is.
  const running = sides.find(({ ended }) => !ended) ?? sides[0];
  const own = scene.scenes[running.index];
  const phase = phaseAt(own, tick);
  const { words } = running.moment;
  canvas.text(x.phase, 50, words.phase, { size: 17, fill: palette.text3 });
  const size = phase ? ([28, 22, 18].find((px) => textWidth(phase.name, px, 600) <= 126) ?? 18) : 28;
  canvas.text(x.phase, 86, phase ? fitted(phase.name, size, 600, 132) : words.noPhase, { size, weight: 600, fill: phase ? palette.text : palette.text3, room: 134 });
  if (!phase) return;
  const done = ((tick + 1) * own.tickMs - phase.fromMs) / (phase.toMs - phase.fromMs);
  canvas.rect(x.phase, 98, 120, 4, { fill: palette.s3, radius: 2 });
  canvas.rect(x.phase, 98, 120 * Math.min(1, done), 4, { fill: palette.text2, radius: 2 });
};

/** How far the sides are apart in what they are judged by: good requests a second, or where only latency is judged, that. */
const drawDifference = (canvas: Canvas, moment: CompareMoment): void => {
  const { words, palette, sides } = moment;
  const ended = sides.filter((side) => side.ended).map(({ side }) => side.letter);
  const isLatency = followedBy(moment, 'share').every((followed) => followed === null) && followedBy(moment, 'latency').some((followed) => followed !== null);
  const values = sides.map((side) => (isLatency ? latencyNow(moment, side) : goodPerS(side)));
  const metric = followedBy(moment, 'latency').find((followed) => followed !== null)?.objective.metric ?? 'p95';
  const label = (what: string): string => (isLatency ? words.latencyNow(metric, what) : words.goodNow(what));
  const what = sides.length === 2 ? words.minus(sides[1].side.letter, sides[0].side.letter) : words.bestWorst;
  canvas.text(x.difference, 50, label(what), { size: 17, fill: palette.text3, room: differenceRoom });
  if (ended.length > 0 && sides.length === 2) return void canvas.text(x.difference, 86, words.sideEnded(ended.join(', ')), { size: 24, weight: 600, fill: palette.text2, room: differenceRoom });
  const known = values.flatMap((value, i) => (value === null || sides[i].ended ? [] : [{ value, letter: sides[i].side.letter }]));
  if (sides.length === 2) return drawSigned(canvas, known.length === 2 ? known[1].value - known[0].value : null, isLatency, moment);
  if (known.length === 0) return void canvas.text(x.difference, 86, '–', { size: 28, fill: palette.text3 });
  const sorted = known.toSorted((a, b) => (isLatency ? a.value - b.value : b.value - a.value));
  const text = (value: number): string => (isLatency ? latency(value) : `${value >= 10 ? count(value) : value}/s`);
  const [best, worst] = [sorted[0], sorted.at(-1)!];
  canvas.runs(x.difference, 86, [{ text: `${best.letter} `, weight: 600, size: 22 }, { text: text(best.value), weight: 700, size: 28, fill: palette.goodText }, { text: `   ${worst.letter} `, weight: 600, size: 22 }, { text: text(worst.value), weight: 700, size: 28, fill: best.value === worst.value ? palette.goodText : palette.text }], { room: differenceRoom });
};

const drawSigned = (canvas: Canvas, value: number | null, isLatency: boolean, { palette }: CompareMoment): void => {
  if (value === null) return void canvas.text(x.difference, 86, '–', { size: 28, fill: palette.text3 });
  const better = isLatency ? value < 0 : value > 0;
  const text = isLatency ? `${value === 0 ? '' : value < 0 ? '\u2212' : '+'}${latency(Math.abs(value))}` : rateDifference(value);
  const isNone = !/[1-9]/.test(text);
  canvas.text(x.difference, 86, text, { size: 28, weight: 700, fill: isNone ? palette.text2 : better ? palette.goodText : palette.failedText, room: differenceRoom });
};

/** Good requests a second over the moment's window, as it is printed in the panel: whole where the panel prints whole ones. */
export const goodPerS = ({ moment }: SideMoment): number => {
  const { scene, window } = moment;
  const perS = flowOf(scene.run, window.from, window.to).good / windowS(moment);
  return perS >= 9.95 ? Math.round(perS) : Math.round(perS * 10) / 10;
};

const latencyNow = (moment: CompareMoment, { index, moment: own }: SideMoment): number | null => {
  const followed = followedBy(moment, 'latency')[index];
  if (!followed) return null;
  return trailingAt(moment.scene.scenes[index], followed.objective, own.window.to);
};
