import { numberAt } from '../../../src/study/columns.js';
import type { Column } from '../../../src/study/types.js';
import type { Canvas, TextRun } from '../../look/drawing.js';
import { drawGlyph } from '../../look/glyphs.js';
import { count, perSecond } from '../../look/numbers.js';
import { textWidth } from '../../look/text-width.js';
import { fitted } from '../fit.js';
import { endedOf } from '../flows.js';
import { offeredText } from '../offered-text.js';
import { flowOf, type Moment } from '../scene.js';
import { wholePercent } from '../whole-percent.js';
import { meanOf } from './levels.js';
import { rateText, whatFits } from './words.js';
import type { PlacedCard } from './place.js';

/** Who asks: how much is offered and how it ends; who is there; and what the generator could not even send. */
export const drawSource = (canvas: Canvas, card: PlacedCard, moment: Moment): void => {
  const { palette, lang } = moment;
  const { x, y, width, height } = card.box;
  const { u, px, pad } = sizesOf(card);
  canvas.rect(x, y, width, height, { fill: palette.s1, stroke: palette.line, radius: 10 });
  const rate = rateOf(card, moment);
  const title = card.traffic!.title[lang];
  if (card.size === 'mini') {
    const room = width - 2 * pad - 8 * u - textWidth(rate, px(17), 700);
    canvas.text(x + pad, y + 23 * u, fitted(title, px(16), 600, room), { size: px(16), weight: 600, room });
    canvas.text(x + width - pad, y + 23 * u, rate, { size: px(17), weight: 700, anchor: 'end' });
    return;
  }
  drawGlyph(canvas, 'traffic', x + 24 * u, y + 24 * u, 20 * u, { color: palette.text2, cut: palette.s1 });
  const size = px(card.size === 'full' ? 22 : 18);
  // On the smallest card the rate stands beside the name.
  const side = card.size === 'line' ? textWidth(rate, px(18), 700) + 8 * u : 0;
  const room = width - 42 * u - pad - side;
  canvas.text(x + 42 * u, y + 31 * u, fitted(title, size, 600, room), { size, weight: 600, room });
  if (card.size === 'full') return drawFull(canvas, card, rate, moment);
  if (card.size === 'middle') return drawMiddle(canvas, card, rate, moment);
  drawSmall(canvas, card, rate, moment);
};

const sizesOf = ({ scale }: PlacedCard): { readonly u: number; readonly px: (size: number) => number; readonly pad: number } => ({ u: scale, px: (size) => Math.round(size * scale), pad: 14 * scale });

const rateOf = ({ name }: PlacedCard, moment: Moment): string => rateText((from, to) => flowOf(moment.scene.run, from, to, name).offered, moment);

const drawFull = (canvas: Canvas, card: PlacedCard, rate: string, moment: Moment): void => {
  const { palette } = moment;
  const { u, px, pad } = sizesOf(card);
  const { x, y, width } = card.box;
  const room = width - 2 * pad;
  canvas.text(x + pad, y + 58 * u, fitted(kindOf(card, moment), px(16), 400, room), { size: px(16), fill: palette.text3, room });
  canvas.text(x + pad, y + 108 * u, rate, { size: textWidth(rate, px(40), 700) > room ? px(32) : px(40), weight: 700, room });
  canvas.text(x + pad, y + 132 * u, offeredText(moment, px(16), room), { size: px(16), fill: palette.text2, room });
  drawOutcomes(canvas, card, { x: x + pad, y: y + 144 * u, width: room, height: 12 * u }, moment);
  drawShares(canvas, card, x + pad, y + 180 * u, room, px(18), moment);
  drawLine(canvas, restOf(card, moment), x + pad, y + 202 * u, room, px(16), moment);
};

const drawMiddle = (canvas: Canvas, card: PlacedCard, rate: string, moment: Moment): void => {
  const { palette, words } = moment;
  const { u, px, pad } = sizesOf(card);
  const { x, y, width } = card.box;
  const room = width - 2 * pad;
  const end = canvas.text(x + pad, y + 64 * u, rate, { size: px(26), weight: 700, room });
  // Room for any rate, or the word would come and go with it.
  if (textWidth(words.offered, px(16), 400) <= x + width - pad - Math.max(end, x + pad + textWidth('8.8k/s', px(26), 700)) - 8 * u) canvas.text(x + width - pad, y + 63 * u, words.offered, { size: px(16), fill: palette.text2, anchor: 'end' });
  drawOutcomes(canvas, card, { x: x + pad, y: y + 74 * u, width: room, height: 10 * u }, moment);
  drawShares(canvas, card, x + pad, y + 103 * u, room, px(16), moment);
  drawLine(canvas, restOf(card, moment) || kindOf(card, moment), x + pad, y + 124 * u, room, px(16), moment);
};

const drawSmall = (canvas: Canvas, card: PlacedCard, rate: string, moment: Moment): void => {
  const { u, px, pad } = sizesOf(card);
  const { x, y, width } = card.box;
  const inLine = card.size === 'line';
  canvas.text(inLine ? x + width - pad : x + pad, y + (inLine ? 31 : 57) * u, rate, { size: px(inLine ? 18 : 20), weight: 700, anchor: inLine ? 'end' : 'start' });
  const barX = inLine ? x + pad : x + pad + Math.max(textWidth('8.8k/s', px(20), 700), textWidth(rate, px(20), 700)) + 10 * u;
  drawOutcomes(canvas, card, { x: barX, y: y + (inLine ? 40 : 45) * u, width: x + width - pad - barX, height: (inLine ? 8 : 11) * u }, moment);
  if (inLine) return;
  const rest = restOf(card, moment);
  if (rest) return drawLine(canvas, rest, x + pad, y + 78 * u, width - 2 * pad, px(16), moment);
  drawShares(canvas, card, x + pad, y + 78 * u, width - 2 * pad, px(16), moment);
};

const latelyMs = 10_000;
const droppedLately = (dropped: Column, { scene, window }: Moment): boolean => {
  for (let tick = Math.max(0, window.to - Math.ceil(latelyMs / scene.tickMs)); tick <= window.to; tick++) if (numberAt(dropped, tick) > 0) return true;
  return false;
};

/** What it is and who is there; what was never sent stands first. */
const restOf = (card: PlacedCard, moment: Moment): string => {
  const { scene, board } = moment;
  const columns = scene.run.ticks.traffic[card.name];
  const kind = card.traffic!.kind;
  const seconds = scene.tickMs / 1000;
  const dropped = meanOf([columns.dropped], moment) / seconds;
  // It stays for a while, so that it does not come and go with every tick.
  if (dropped > 0 || droppedLately(columns.dropped, moment)) return board.dropped(perSecond(dropped));
  const present = columns.present === null ? null : Math.round(meanOf([columns.present], moment));
  const made = columns.deliveries ? meanOf([columns.deliveries.made], moment) / seconds : 0;
  const missed = columns.deliveries ? meanOf([columns.deliveries.missed], moment) / seconds : 0;
  const parts = [
    ...(present === null ? [] : [kind === 'closed' ? board.users(count(present)) : board.open(count(present))]),
    ...(missed > 0 ? [board.missed(perSecond(missed))] : made > 0 ? [board.delivered(perSecond(made))] : []),
  ];
  const { px, pad } = sizesOf(card);
  return whatFits(parts, card.box.width - 2 * pad, px(16));
};

const kindOf = ({ traffic }: PlacedCard, { words, board }: Moment): string => [...(traffic!.isJourney ? [board.journey] : []), traffic!.kind === 'bursts' ? board.burst : words.trafficKind[traffic!.kind], ...(traffic!.from === null ? [] : [board.fromEach(traffic!.from)])].join(' · ');

const drawLine = (canvas: Canvas, text: string, x: number, y: number, room: number, size: number, { palette }: Moment): void => {
  canvas.text(x, y, fitted(text, size, 400, room), { size, fill: palette.text2, room });
};

/** How what ended ended; what was never sent is an empty frame beyond it. */
const drawOutcomes = (canvas: Canvas, { name }: PlacedCard, { x, y, width, height }: { x: number; y: number; width: number; height: number }, moment: Moment): void => {
  const { scene, window, palette } = moment;
  const { good, declined, refused, failed } = endedOf(moment, name);
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
const drawShares = (canvas: Canvas, { name }: PlacedCard, x: number, y: number, room: number, size: number, moment: Moment): void => {
  const { words, palette } = moment;
  const flow = endedOf(moment, name);
  const ended = flow.good + flow.declined + flow.refused + flow.failed;
  // Of all that ended, as the bar above it, so that both shares and the rest are the whole.
  const share = ended === 0 ? null : flow.good / ended;
  const runs: TextRun[] = [
    ...(share === null ? [] : [{ text: words.goodShare(wholePercent(share)), fill: share === 1 ? palette.goodText : share === 0 && flow.refused + flow.failed > 0 ? palette.failedText : palette.text }]),
    ...(flow.declined > 0 ? [{ text: `${share === null ? '' : '  '}${wholePercent(flow.declined / ended)} ${words.outcome.declined}`, fill: palette.text2 }] : []),
  ];
  const fits = runs.reduce((sum, { text }) => sum + textWidth(text, size, 600), 0) <= room;
  canvas.runs(x, y, fits ? runs : runs.slice(-1).map((run) => ({ ...run, text: run.text.trim() })), { size, weight: 600, room });
};
