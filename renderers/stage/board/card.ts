import { numberAt } from '../../../src/study/columns.js';
import type { LoggedEvent } from '../../../src/study/types.js';
import type { Canvas } from '../../look/drawing.js';
import { count } from '../../look/numbers.js';
import { textWidth } from '../../look/text-width.js';
import { healthColors, isDown, killIn } from '../display-state.js';
import { fitted } from '../fit.js';
import type { Box } from '../frame.js';
import { drawRotationRow, nextCheck, worstOf } from '../nodes.js';
import type { Moment } from '../scene.js';
import { drawBareHead, drawFullHead, drawLineCard, drawWideHead } from './head.js';
import { drawInstances, instancePlace } from './instances.js';
import { serviceOf, statesOf } from './levels.js';
import type { PlacedCard } from './place.js';
import { cellOf, headOf, instancesHeight, metrics, rowPitch } from './plan.js';
import { drawRows, drawRowsBeside } from './rows.js';
import { drawSource } from './source.js';

const pad = 14;

/** A part of the system: its name, how it is, what it gets, and its levels or its instances. */
export const drawCard = (canvas: Canvas, card: PlacedCard, moment: Moment): void => {
  const { palette } = moment;
  const { x, y, width, height } = card.box;
  const present = card.traffic ? moment.scene.run.system.traffic.some(({ name }) => name === card.name) : serviceOf(moment, card.name) !== undefined;
  if (!present) return drawAbsent(canvas, card, moment);
  if (card.traffic) return drawSource(canvas, card, moment);
  const service = serviceOf(moment, card.name)!;
  const kill = card.form === 'rows' && !moment.veil.has(card.name) ? killIn(moment.scene, card.name, 0, moment.tick) : undefined;
  canvas.rect(x, y, width, height, { fill: kill ? palette.failedBg : palette.s1, ...edgeOf(card, kill !== undefined, moment), radius: 10 });
  if (card.size === 'line') return drawLineCard(canvas, card, moment);
  const color = healthColors(palette, worstOf(statesOf(moment, card.name))).fill;
  const isVeiled = moment.veil.has(card.name);
  if (card.isWide) {
    drawWideHead(canvas, card, moment);
    const inner = { x: x + metrics.wide.head * card.scale, y, width: width - (metrics.wide.head + pad) * card.scale, height };
    if (kill && !drawLostInHead(canvas, card, kill, moment)) drawLost(canvas, card, inner, kill, moment);
    else if (!isVeiled) drawRowsBeside(canvas, card, service, inner, color, moment);
    return;
  }
  if (card.hasNote) drawFullHead(canvas, card, service, moment);
  else drawBareHead(canvas, card, moment);
  const u = card.scale;
  const top = y + headOf(card) * u;
  const inner = { x: x + pad * u, y: top, width: width - 2 * pad * u };
  if (kill && !drawLostInHead(canvas, card, kill, moment)) return drawLost(canvas, card, { ...inner, height: height - (top - y) }, kill, moment);
  if (card.form !== 'rows') drawInstances(canvas, card, service, { ...insideOf(card), height: instancesHeight(card) * u }, moment);
  const rowsTop = top + instancesHeight(card) * u;
  if (card.rows.length > 0 && !isVeiled) drawRows(canvas, card, service, { ...inner, y: rowsTop }, color, moment);
  if (card.rotation) drawRotation(canvas, card, { ...inner, y: rowsTop + card.rows.length * rowPitch(card) * u, height: 0 }, moment);
};

/** Where an instance is drawn: its lane or cell, else the whole card. `index` is 0-based. */
export const placeOfInstance = (card: PlacedCard, index: number): Box => (card.traffic ? card.box : (instancePlace(card, { ...insideOf(card), height: 0 }, index) ?? card.box));

/** Where the instances of a card stand, under its head. */
const insideOf = (card: PlacedCard): { readonly x: number; readonly y: number; readonly width: number } => {
  const { x, y, width } = card.box;
  const side = cellOf(card).pad * card.scale;
  return { x: x + side, y: y + headOf(card) * card.scale, width: width - 2 * side };
};

/** Trouble that all its instances share has an edge; one in many has its own cell. */
const edgeOf = (card: PlacedCard, killed: boolean, moment: Moment): { stroke: string; strokeWidth: number } => {
  const { palette } = moment;
  if (killed) return { stroke: palette.failed, strokeWidth: 3.5 };
  if (moment.veil.has(card.name)) return { stroke: palette.line, strokeWidth: 1.5 };
  const states = statesOf(moment, card.name);
  const worst = worstOf(states);
  const alive = states.filter((state) => state !== 'off' && state !== 'booting');
  const loud = worst === 'killed' || worst === 'crashed' || ((worst === 'saturated' || worst === 'frozen' || isDown(worst) || worst === 'ejected') && alive.every((state) => state === worst));
  return loud ? { stroke: healthColors(palette, worst).fill, strokeWidth: 2 } : { stroke: palette.line, strokeWidth: 1.5 };
};

const drawAbsent = (canvas: Canvas, { box, service, traffic }: PlacedCard, { palette, board, lang }: Moment): void => {
  const { x, y, width, height } = box;
  canvas.rect(x, y, width, height, { stroke: palette.line, strokeWidth: 1.5, radius: 10 });
  const room = width - 2 * pad;
  const title = (traffic ?? service)!.title[lang];
  // Low cards say both in one line.
  if (height < 62) {
    canvas.text(x + pad, y + height / 2 + 6, fitted(`${title} · ${board.absent}`, 16, 400, room), { size: 16, fill: palette.text3, room });
    return;
  }
  canvas.text(x + pad, y + 30, fitted(title, 20, 600, room), { size: 20, weight: 600, fill: palette.text3, room });
  canvas.text(x + pad, y + 52, fitted(board.absent, 16, 400, room), { size: 16, fill: palette.text3, room });
};

/** In the tick of a kill, what was lost stands large beside the name, so that the levels stay where they are. False where there is no room for it. */
const drawLostInHead = (canvas: Canvas, card: PlacedCard, kill: LoggedEvent, { palette, words, lang }: Moment): boolean => {
  const { box: { x, y, width }, scale: u } = card;
  const { name, nameSize, end, base, sizes } = card.isWide ? lostPlaces.wide : card.hasNote ? lostPlaces.full : lostPlaces.bare;
  const right = x + (card.isWide ? metrics.wide.head * u : width) - end * u;
  const room = right - (x + name * u + textWidth(card.service!.title[lang], Math.round(nameSize * u), 600)) - 14 * u;
  const number = words.lost(count(Number(kill.data['lost'] ?? 0)));
  const side = Math.round(18 * u);
  const wordWidth = textWidth(words.lostWord, side, 700) + 8 * u;
  const ways = [wordWidth, 0].flatMap((beside) => sizes.map((size) => ({ beside, size: Math.round(size * u) })));
  const way = ways.find(({ beside, size }) => textWidth(number, size, 800) + beside <= room);
  if (!way) return false;
  canvas.text(right - way.beside, y + base * u, number, { size: way.size, weight: 800, anchor: 'end' });
  if (way.beside > 0) canvas.text(right, y + base * u, words.lostWord, { size: side, weight: 700, fill: palette.failedText, anchor: 'end' });
  return true;
};
/** Of each head: where the name begins and how large it is, how far from the right edge the number ends, its base line and sizes, under a fault's tag and over the rate. */
const lostPlaces = {
  full: { name: 46, nameSize: 22, end: pad, base: 38, sizes: [40, 36, 30] },
  bare: { name: 46, nameSize: 22, end: pad + 28, base: 36, sizes: [36, 30, 24] },
  wide: { name: 40, nameSize: 19, end: 20, base: 29, sizes: [26, 22] },
} as const;

/** The same in the place of the levels. */
const drawLost = (canvas: Canvas, { scale, isWide }: PlacedCard, { x, y, width, height }: Box, kill: LoggedEvent, { palette, words }: Moment): void => {
  if (height < 40) return;
  const [size, side] = [Math.round(36 * scale), Math.round(18 * scale)];
  const base = y + (isWide ? height / 2 + 13 : 34 * scale);
  const number = words.lost(count(Number(kill.data['lost'] ?? 0)));
  if (textWidth(number, size, 800) > width) return;
  const end = canvas.text(x, base, number, { size, weight: 800 }) + 8;
  if (x + width - end > 30) canvas.text(end, base, fitted(words.lostWord, side, 700, x + width - end), { size: side, weight: 700, fill: palette.failedText, room: x + width - end });
};

const drawRotation = (canvas: Canvas, card: PlacedCard, { x, y, width }: Box, moment: Moment): void => {
  const { scene, tick, palette, words } = moment;
  const { scale: u } = card;
  const link = scene.run.system.links.find(({ caller, callee }) => caller === card.rotation!.caller && callee === card.rotation!.callee);
  if (!link) return;
  canvas.line(x, y + 8 * u, x + width, y + 8 * u, { stroke: palette.line, strokeWidth: 1.5 });
  const columns = scene.run.ticks.links[`${link.caller}.${link.callee}`];
  const open = columns !== undefined && numberAt(columns.failingOpen, tick) === 1 && !moment.veil.has(card.name);
  const size = Math.round(16 * u);
  const end = canvas.text(x, y + 28 * u, fitted(words.rotation, size, 400, width), { size, fill: palette.text2, room: width });
  const side = open ? words.failingOpen : (nextCheck(moment, link) ?? words.policy[link.policy]);
  if (textWidth(side, size, open ? 600 : 400) <= x + width - end - 10) canvas.text(x + width, y + 28 * u, side, { size, weight: open ? 600 : 400, fill: open ? palette.failedText : palette.text3, anchor: 'end' });
  for (let i = 0; i < card.rotationRows; i++) drawRotationRow(canvas, x - 16, y + (metrics.rotationHead + 19 + i * metrics.rotationRow) * u, width + 26, i, link, moment);
};

