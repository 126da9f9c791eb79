import type { PictureService } from '../../../src/study/types.js';
import type { DisplayState } from '../../../src/text/stage.js';
import type { Canvas } from '../../look/drawing.js';
import { drawGlyph } from '../../look/glyphs.js';
import { count } from '../../look/numbers.js';
import { textWidth } from '../../look/text-width.js';
import { healthColors, healthGlyph, isDown } from '../display-state.js';
import { fitted } from '../fit.js';
import { severity, worstOf } from '../nodes.js';
import type { Moment } from '../scene.js';
import { wholePercent } from '../whole-percent.js';
import { statesOf } from './levels.js';
import { badShares, flowInto, placeNotes, throttledShare, widthOfRuns, worstShare } from './note.js';
import type { PlacedCard } from './place.js';
import { metrics } from './plan.js';
import { rateText, whatFits } from './words.js';

const pad = 14;
/** Below this width, at scale 1, the rate stands under the state, not beside it. */
const narrowCard = 236;

interface Sizes {
  readonly u: number;
  readonly px: (size: number) => number;
}
const sizesOf = ({ scale }: PlacedCard): Sizes => ({ u: scale, px: (size) => Math.round(size * scale) });

const rateOf = ({ name }: PlacedCard, moment: Moment): string => rateText((from, to) => flowInto(name, { scene: moment.scene, window: { from, to } }).sent, moment);
/** The widest that a rate can be, so that what stands beside it does not move. */
const rateRoom = (rate: string, size: number): number => Math.max(textWidth(rate, size, 600), textWidth('8.8k/s', size, 600));

/** Name; state on the left and rate on the right; in a third line what goes wrong, or where it runs. */
export const drawFullHead = (canvas: Canvas, card: PlacedCard, service: PictureService, moment: Moment): void => {
  const { u, px } = sizesOf(card);
  const { x, y, width } = card.box;
  const isNarrow = width < narrowCard * u;
  drawTitle(canvas, card, 0, moment);
  const rate = rateOf(card, moment);
  canvas.text(x + width - pad * u, y + (isNarrow ? 86 : 62) * u, rate, { size: px(isNarrow ? 18 : 20), weight: 600, anchor: 'end' });
  drawState(canvas, card, x + pad * u, y + 62 * u, width - 2 * pad * u - (isNarrow ? 0 : rateRoom(rate, px(20)) + 8 * u), moment);
  drawNote(canvas, card, service, width - 2 * pad * u - (isNarrow ? textWidth('8.8k/s', px(18), 600) + 8 * u : 0), moment);
};

/** Name on the left and state on the right; under them the rate and what goes wrong. */
export const drawBareHead = (canvas: Canvas, card: PlacedCard, moment: Moment): void => {
  const { u, px } = sizesOf(card);
  const { palette } = moment;
  const { x, y, width } = card.box;
  const side = drawStateAtRight(canvas, card, x + width - pad * u, y + 27 * u, Math.min(width * 0.5, width - 130 * u), moment);
  drawTitle(canvas, card, side + 8 * u, moment);
  const rate = rateOf(card, moment);
  const end = canvas.text(x + pad * u, y + 58 * u, rate, { size: px(18), weight: 600 });
  const room = x + width - pad * u - Math.max(end, x + pad * u + textWidth('8.8k/s', px(18), 600)) - 10 * u;
  const bad = badShares(card.name, moment, px(16), room);
  if (bad.length === 0) return;
  const left = x + width - pad * u - room;
  if (widthOfRuns(bad, px(16)) <= room) canvas.runs(left, y + 58 * u, bad, { size: px(16), weight: 600, room });
  else drawWorstShare(canvas, card.name, left, y + 58 * u, px(16), palette, moment);
};

const drawWorstShare = (canvas: Canvas, name: string, x: number, y: number, size: number, palette: Moment['palette'], moment: Moment): void => {
  const { text, isFailed } = worstShare(name, moment);
  drawGlyph(canvas, isFailed ? 'broken' : 'saturated', x + size * 0.5, y - size * 0.33, size * 0.9, { color: isFailed ? palette.failed : palette.refused, cut: palette.s1 });
  canvas.text(x + size * 1.35, y, text, { size, weight: 600, fill: isFailed ? palette.failedText : palette.refusedText });
};

/** Beside its levels: name, and under it its sign, its state or what goes wrong, and its rate. */
export const drawWideHead = (canvas: Canvas, card: PlacedCard, moment: Moment): void => {
  const { u, px } = sizesOf(card);
  const { x, y } = card.box;
  const width = metrics.wide.head * u;
  drawGlyph(canvas, card.service!.kind, x + 22 * u, y + 20 * u, 19 * u, { color: moment.palette.text2, cut: moment.palette.s1 });
  const rate = rateOf(card, moment);
  const rateWidth = rateRoom(rate, px(18)) + 10 * u;
  canvas.text(x + 40 * u, y + 27 * u, fitted(card.service!.title[moment.lang], px(19), 600, width - 56 * u), { size: px(19), weight: 600, room: width - 56 * u });
  canvas.text(x + width - 20 * u, y + 51 * u, rate, { size: px(18), weight: 600, anchor: 'end' });
  const room = width - 56 * u - rateWidth - 4 * u;
  const bad = badShares(card.name, moment, px(16), room);
  if (bad.length === 0 || widthOfRuns(bad, px(16)) > room) return drawState(canvas, card, x + pad * u - 3 * u, y + 51 * u, room + 28 * u, moment, 17);
  drawStateSign(canvas, card, x + 22 * u, y + 45 * u, 18 * u, moment);
  canvas.runs(x + 40 * u, y + 51 * u, bad, { size: px(16), weight: 600, room });
};

/** All in one line: sign, name, instances that are not well, rate. */
export const drawLineCard = (canvas: Canvas, card: PlacedCard, moment: Moment): void => {
  const { u, px } = sizesOf(card);
  const { palette, lang } = moment;
  const { x, y, width, height } = card.box;
  const base = y + height / 2 + 6 * u;
  const rate = rateOf(card, moment);
  canvas.text(x + width - pad * u, base, rate, { size: px(17), weight: 600, anchor: 'end' });
  let right = x + width - pad * u - rateRoom(rate, px(17)) - 8 * u;
  const states = statesOf(moment, card.name);
  const unwell = states.filter((state) => state !== 'healthy' && state !== 'off').length;
  if (!moment.veil.has(card.name) && states.length > 1 && unwell > 0) {
    const text = `${count(unwell)}/${count(states.filter((state) => state !== 'off').length)}`;
    if (right - textWidth(text, px(16), 600) - 110 * u > x) {
      canvas.text(right, base, text, { size: px(16), weight: 600, anchor: 'end', fill: healthColors(palette, worstOf(states)).text });
      right -= textWidth(text, px(16), 600) + 8 * u;
    }
  }
  drawStateSign(canvas, card, x + 20 * u, y + height / 2, 18 * u, moment);
  const room = right - x - 36 * u;
  canvas.text(x + 36 * u, base, fitted(card.service!.title[lang], px(17), 600, room), { size: px(17), weight: 600, room });
};

const drawTitle = (canvas: Canvas, card: PlacedCard, side: number, { palette, lang }: Moment): void => {
  const { u, px } = sizesOf(card);
  const { x, y, width } = card.box;
  drawGlyph(canvas, card.service!.kind, x + 25 * u, y + 27 * u, 22 * u, { color: palette.text2, cut: palette.s1 });
  const room = width - (46 + pad) * u - side;
  canvas.text(x + 46 * u, y + 34 * u, fitted(card.service!.title[lang], px(22), 600, room), { size: px(22), weight: 600, room });
};

const drawStateSign = (canvas: Canvas, { name }: PlacedCard, x: number, y: number, size: number, moment: Moment): void => {
  const { palette } = moment;
  if (moment.veil.has(name)) return void canvas.text(x, y + size * 0.36, '?', { size: Math.max(16, Math.round(size)), weight: 800, anchor: 'middle' });
  const state = worstOf(statesOf(moment, name));
  drawGlyph(canvas, healthGlyph(state), x, y, size, { color: healthColors(palette, state).fill, cut: state === 'killed' || isDown(state) ? palette.onFailed : palette.s1, progress: 0.5 });
};

/** How it is, in words where it is one thing, else counted. */
const drawState = (canvas: Canvas, card: PlacedCard, x: number, base: number, room: number, moment: Moment, size = 18): void => {
  const { u, px } = sizesOf(card);
  const { palette, words } = moment;
  if (moment.veil.has(card.name)) return void canvas.text(x + 4, base, '?', { size: px(22), weight: 800 });
  const states = statesOf(moment, card.name);
  if (states.length > 1) return void drawTally(canvas, states, x, base, room, px(size), u, moment);
  const worst = worstOf(states);
  drawStateSign(canvas, card, x + 11 * u, base - 6 * u, 19 * u, moment);
  canvas.text(x + 28 * u, base, fitted(words.state[worst], px(size), 600, room - 28 * u), { size: px(size), weight: 600, fill: healthColors(palette, worst).text, room: room - 28 * u });
};

const countsOf = (states: readonly DisplayState[]): readonly (readonly [DisplayState, number])[] =>
  severity.filter((state) => state !== 'off').flatMap((state) => {
    const number = states.filter((one) => one === state).length;
    return number > 0 ? [[state, number] as const] : [];
  });

/** Signs with counts, worst first; all of one kind have its word. */
const drawTally = (canvas: Canvas, states: readonly DisplayState[], x: number, base: number, room: number, size: number, u: number, { palette, words, board }: Moment): void => {
  const counts = countsOf(states);
  let left = x;
  for (const [state, number] of counts) {
    const colors = healthColors(palette, state);
    const text = counts.length === 1 ? fitted(board.of(count(number), words.state[state]), size, 600, room - 28 * u) : count(number);
    if (left + 24 * u + textWidth(text, size, 600) > x + room) return;
    drawGlyph(canvas, healthGlyph(state), left + 11 * u, base - 6 * u, 19 * u, { color: colors.fill, cut: palette.s1, progress: 0.5 });
    left = canvas.text(left + 27 * u, base, text, { size, weight: 600, fill: colors.text }) + 12 * u;
  }
};

/** Right-aligned: signs with counts of what is not well, worst first; all well is the sign alone. Returns the width that it took. */
const drawStateAtRight = (canvas: Canvas, card: PlacedCard, right: number, middle: number, room: number, moment: Moment): number => {
  const { u, px } = sizesOf(card);
  const { palette } = moment;
  if (moment.veil.has(card.name)) {
    canvas.text(right, middle + 7 * u, '?', { size: px(20), weight: 800, anchor: 'end' });
    return 20 * u;
  }
  const states = statesOf(moment, card.name);
  const unwell = countsOf(states).filter(([state]) => state !== 'healthy');
  if (states.length === 1 || unwell.length === 0) {
    drawStateSign(canvas, card, right - 10 * u, middle, 19 * u, moment);
    return 20 * u;
  }
  const size = px(17);
  const widthOf = ([, number]: readonly [DisplayState, number]): number => 23 * u + textWidth(count(number), size, 600) + 10 * u;
  let shown = unwell;
  while (shown.length > 1 && shown.reduce((sum, one) => sum + widthOf(one), 0) > room) shown = shown.slice(0, -1);
  let left = right - shown.reduce((sum, one) => sum + widthOf(one), 0) + 10 * u;
  for (const entry of shown) {
    const [state, number] = entry;
    const colors = healthColors(palette, state);
    drawGlyph(canvas, healthGlyph(state), left + 10 * u, middle, 19 * u, { color: colors.fill, cut: state === 'killed' || isDown(state) ? palette.onFailed : palette.s1, progress: 0.5 });
    canvas.text(left + 23 * u, middle + 6 * u, count(number), { size, weight: 600, fill: colors.text });
    left += widthOf(entry);
  }
  return right - (left - shown.reduce((sum, one) => sum + widthOf(one), 0));
};

/** What goes wrong at it; else a used-up quota; else where it runs and what bounds it. */
const drawNote = (canvas: Canvas, card: PlacedCard, service: PictureService, room: number, moment: Moment): void => {
  const { u, px } = sizesOf(card);
  const { palette, board } = moment;
  const [x, base, size] = [card.box.x + pad * u, card.box.y + 86 * u, px(16)];
  const bad = badShares(card.name, moment, size, room);
  if (bad.length > 0) {
    if (widthOfRuns(bad, size) <= room) canvas.runs(x, base, bad, { size, weight: 600, room });
    else drawWorstShare(canvas, card.name, x, base, size, palette, moment);
    return;
  }
  const throttled = throttledShare(card.name, moment);
  const isThrottled = throttled >= 0.005 && !moment.veil.has(card.name);
  const note = isThrottled ? board.quota(wholePercent(Math.min(1, throttled))) : whatFits(placeNotes(service, moment), room, size);
  canvas.text(x, base, fitted(note, size, 400, room), { size, fill: isThrottled ? palette.refusedText : palette.text3, room });
};
