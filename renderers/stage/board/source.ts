import { numberAt } from '../../../src/study/columns.js';
import type { Canvas, TextRun } from '../../look/drawing.js';
import { drawGlyph } from '../../look/glyphs.js';
import { count, perSecond } from '../../look/numbers.js';
import { textWidth } from '../../look/text-width.js';
import { fitted } from '../fit.js';
import { flowOf, goodShare, type Moment } from '../scene.js';
import { wholePercent } from '../whole-percent.js';
import { meanOf } from './levels.js';
import { rateText, whatFits } from './words.js';
import type { PlacedCard } from './place.js';

const pad = 14;

/** Who asks: how much is offered and how it ends; who is there; and what the generator could not even send. */
export const drawSource = (canvas: Canvas, card: PlacedCard, moment: Moment): void => {
  const { palette, lang } = moment;
  const { x, y, width, height } = card.box;
  canvas.rect(x, y, width, height, { fill: palette.s1, stroke: palette.line, radius: 10 });
  const rate = rateOf(card, moment);
  if (card.size === 'mini') {
    canvas.text(x + pad, y + 23, fitted(card.traffic!.title[lang], 16, 600, width - 2 * pad - 8 - textWidth(rate, 17, 700)), { size: 16, weight: 600, room: width - 2 * pad - 8 - textWidth(rate, 17, 700) });
    canvas.text(x + width - pad, y + 23, rate, { size: 17, weight: 700, anchor: 'end' });
    return;
  }
  drawGlyph(canvas, 'traffic', x + 24, y + 24, 20, { color: palette.text2, cut: palette.s1 });
  const size = card.size === 'full' ? 22 : 18;
  // On the smallest card the rate stands beside the name.
  const side = card.size === 'line' ? textWidth(rate, 18, 700) + 8 : 0;
  const room = width - 42 - pad - side;
  canvas.text(x + 42, y + 31, fitted(card.traffic!.title[lang], size, 600, room), { size, weight: 600, room });
  if (card.size === 'full') return drawFull(canvas, card, rate, moment);
  if (card.size === 'middle') return drawMiddle(canvas, card, rate, moment);
  drawSmall(canvas, card, rate, moment);
};

const rateOf = ({ name }: PlacedCard, moment: Moment): string => rateText((from, to) => flowOf(moment.scene.run, from, to, name).offered, moment);

const drawFull = (canvas: Canvas, card: PlacedCard, rate: string, moment: Moment): void => {
  const { palette, words } = moment;
  const { x, y, width } = card.box;
  canvas.text(x + pad, y + 58, fitted(kindOf(card, moment), 16, 400, width - 2 * pad), { size: 16, fill: palette.text3, room: width - 2 * pad });
  canvas.text(x + pad, y + 108, rate, { size: textWidth(rate, 40, 700) > width - 2 * pad ? 32 : 40, weight: 700, room: width - 2 * pad });
  canvas.text(x + pad, y + 132, words.offered, { size: 16, fill: palette.text2 });
  drawOutcomes(canvas, card, { x: x + pad, y: y + 144, width: width - 2 * pad, height: 12 }, moment);
  drawShares(canvas, card, x + pad, y + 180, width - 2 * pad, 18, moment);
  drawLine(canvas, restOf(card, moment), x + pad, y + 202, width - 2 * pad, moment);
};

const drawMiddle = (canvas: Canvas, card: PlacedCard, rate: string, moment: Moment): void => {
  const { palette } = moment;
  const { x, y, width } = card.box;
  const end = canvas.text(x + pad, y + 64, rate, { size: 26, weight: 700, room: width - 2 * pad });
  const room = x + width - pad - end - 8;
  if (textWidth(moment.words.offered, 16, 400) <= room) canvas.text(x + width - pad, y + 63, moment.words.offered, { size: 16, fill: palette.text2, anchor: 'end' });
  drawOutcomes(canvas, card, { x: x + pad, y: y + 74, width: width - 2 * pad, height: 10 }, moment);
  drawShares(canvas, card, x + pad, y + 103, width - 2 * pad, 16, moment);
  drawLine(canvas, restOf(card, moment) || kindOf(card, moment), x + pad, y + 124, width - 2 * pad, moment);
};

const drawSmall = (canvas: Canvas, card: PlacedCard, rate: string, moment: Moment): void => {
  const { x, y, width } = card.box;
  const inLine = card.size === 'line';
  canvas.text(inLine ? x + width - pad : x + pad, inLine ? y + 31 : y + 57, rate, { size: inLine ? 18 : 20, weight: 700, anchor: inLine ? 'end' : 'start' });
  const barX = inLine ? x + pad : x + pad + Math.max(textWidth('8.8k/s', 20, 700), textWidth(rate, 20, 700)) + 10;
  drawOutcomes(canvas, card, { x: barX, y: inLine ? y + 40 : y + 45, width: x + width - pad - barX, height: inLine ? 8 : 11 }, moment);
  if (inLine) return;
  const rest = restOf(card, moment);
  if (rest) return drawLine(canvas, rest, x + pad, y + 78, width - 2 * pad, moment);
  drawShares(canvas, card, x + pad, y + 78, width - 2 * pad, 16, moment);
};

/** What it is and who is there; what was never sent stands first. */
const restOf = (card: PlacedCard, moment: Moment): string => {
  const { scene, board } = moment;
  const columns = scene.run.ticks.traffic[card.name];
  const kind = card.traffic!.kind;
  const seconds = scene.tickMs / 1000;
  const dropped = meanOf([columns.dropped], moment) / seconds;
  if (dropped > 0) return board.dropped(perSecond(dropped));
  const present = columns.present === null ? null : Math.round(meanOf([columns.present], moment));
  const made = columns.deliveries ? meanOf([columns.deliveries.made], moment) / seconds : 0;
  const missed = columns.deliveries ? meanOf([columns.deliveries.missed], moment) / seconds : 0;
  const parts = [
    ...(present === null ? [] : [kind === 'closed' ? board.users(count(present)) : board.open(count(present))]),
    ...(missed > 0 ? [board.missed(perSecond(missed))] : made > 0 ? [board.delivered(perSecond(made))] : []),
  ];
  return whatFits(parts, card.box.width - 2 * pad);
};

const kindOf = ({ traffic }: PlacedCard, { words, board }: Moment): string => [...(traffic!.isJourney ? [board.journey] : []), traffic!.kind === 'bursts' ? board.burst : words.trafficKind[traffic!.kind], ...(traffic!.from === null ? [] : [board.fromEach(traffic!.from)])].join(' · ');

const drawLine = (canvas: Canvas, text: string, x: number, y: number, room: number, { palette }: Moment): void => {
  canvas.text(x, y, fitted(text, 16, 400, room), { size: 16, fill: palette.text2, room });
};

/** How what ended in the tick ended; what was never sent is an empty frame beyond it. */
const drawOutcomes = (canvas: Canvas, { name }: PlacedCard, { x, y, width, height }: { x: number; y: number; width: number; height: number }, { scene, window, palette }: Moment): void => {
  const { good, declined, refused, failed } = flowOf(scene.run, window.from, window.to, name);
  let dropped = 0;
  for (let tick = window.from; tick <= window.to; tick++) dropped += numberAt(scene.run.ticks.traffic[name].dropped, tick);
  const all = good + declined + refused + failed + dropped;
  canvas.rect(x, y, width, height, { fill: palette.s3 });
  let left = x;
  for (const [value, paint] of [[good, { fill: palette.goodArea }], [declined, { fill: palette.s2, stroke: palette.good, strokeWidth: 1.5 }], [refused, { fill: palette.refusedArea }], [failed, { fill: palette.failed }], [dropped, { fill: palette.bg, stroke: palette.text2, strokeWidth: 1.5 }]] as const) {
    const part = all === 0 ? 0 : (width * value) / all;
    const outlined = 'stroke' in paint ? 0.75 : 0;
    if (part > 0) canvas.rect(left + outlined, y + outlined, Math.max(2, part - (part < width ? 2 : 0) - 2 * outlined), height - 2 * outlined, paint);
    left += part;
  }
};

/** `98% good`, and what was declined where that says more. */
const drawShares = (canvas: Canvas, { name }: PlacedCard, x: number, y: number, room: number, size: number, { scene, window, words, palette }: Moment): void => {
  const flow = flowOf(scene.run, window.from, window.to, name);
  const share = goodShare(flow);
  const ended = flow.good + flow.declined + flow.refused + flow.failed;
  const runs: TextRun[] = [
    ...(share === null ? [] : [{ text: words.goodShare(wholePercent(share)), fill: share > 0 ? (share < 1 ? palette.text : palette.goodText) : palette.failedText }]),
    ...(flow.declined > 0 ? [{ text: `${share === null ? '' : '  '}${wholePercent(flow.declined / ended)} ${words.outcome.declined}`, fill: palette.text2 }] : []),
  ];
  const fits = runs.reduce((sum, { text }) => sum + textWidth(text, size, 600), 0) <= room;
  canvas.runs(x, y, fits ? runs : runs.slice(-1).map((run) => ({ ...run, text: run.text.trim() })), { size, weight: 600, room });
};
