import { numberAt } from '../../../src/study/columns.js';
import type { PictureService } from '../../../src/study/types.js';
import type { DisplayState } from '../../../src/text/stage.js';
import { coordinate, type Canvas } from '../../look/drawing.js';
import { drawGlyph } from '../../look/glyphs.js';
import { countdown } from '../../look/clock.js';
import { count } from '../../look/numbers.js';
import { textWidth } from '../../look/text-width.js';
import { countedBar, estimatedBar } from '../bars.js';
import { healthColors, healthGlyph, isDown, isWronglyIn, killIn } from '../display-state.js';
import { fitted } from '../fit.js';
import type { Box } from '../frame.js';
import type { Moment } from '../scene.js';
import { wholePercent } from '../whole-percent.js';
import { instancesOf, meanOf, statesOf } from './levels.js';
import { cellOf, metrics, type Card } from './plan.js';
import { severity } from '../nodes.js';

/** The instances of a card, under its head. */
export const drawInstances = (canvas: Canvas, card: Card, service: PictureService, box: Box, moment: Moment): void => {
  if (card.form === 'lanes') drawLanes(canvas, service, box, card.scale, moment);
  if (card.form === 'cells') instancesOf(moment, service.name).forEach((_, i) => drawCell(canvas, cellAt(box, i, card.across, card), i, service, card.scale, moment));
  if (card.form === 'states') drawStates(canvas, card, service, box, moment);
};

/** Where the lane or cell of an instance is; null where it is told by state only. */
export const instancePlace = (card: Card, box: Box, index: number): Box | null => {
  const { scale: u } = card;
  if (card.form === 'lanes') return { x: box.x, y: box.y + (metrics.laneHead + index * metrics.lane) * u, width: box.width, height: (metrics.lane - 6) * u };
  return card.form === 'cells' ? cellAt(box, index, card.across, card) : null;
};

const cellAt = (box: Box, index: number, across: number, card: Card): Box => {
  const { width, height, gap } = cellOf(card);
  const { scale: u } = card;
  return { x: box.x + (index % across) * (width + gap) * u, y: box.y + Math.floor(index / across) * (height + gap) * u, width: width * u, height: height * u };
};

/** Whether an instance is a question mark: it is asked about, or its state would tell who is in rotation. */
const isVeiled = (service: string, index: number, state: DisplayState, { veil, lit, scene }: Moment): boolean => {
  const name = `${service}.${index + 1}`;
  if (lit.has(name) || state === 'off') return false;
  if (veil.has(service) || veil.has(name)) return true;
  return (state === 'ejected' || state === 'joining') && scene.run.system.links.some((link) => link.callee === service && (link.health !== null || link.outlier !== null) && veil.has(link.caller));
};

const drawLanes = (canvas: Canvas, service: PictureService, box: Box, u: number, moment: Moment): void => {
  const { palette, words, board } = moment;
  const columns = laneColumns(box.width, u);
  const size = Math.round(16 * u);
  const label = service.slots === null ? board.running : service.slotsHeld === 'cpu' ? board.turns : words.slots;
  const base = box.y + 15 * u;
  canvas.runs(box.x + columns.slots.x, base, [{ text: label, fill: palette.text2 }, { text: service.slots === null ? '' : ` ${words.of(count(service.slots))}`, fill: palette.text3 }], { size, room: columns.queue.x - columns.slots.x - 4 });
  canvas.text(box.x + columns.queue.x, base, words.queue, { size, fill: palette.text2, room: columns.cpu.x - columns.queue.x - 4 });
  canvas.text(box.x + columns.cpu.x, base, `≈ ${words.cpu}`, { size, fill: palette.text2, room: columns.cpu.width });
  instancesOf(moment, service.name).forEach((_, i) => drawLane(canvas, { x: box.x, y: box.y + (metrics.laneHead + i * metrics.lane) * u, width: box.width, height: (metrics.lane - 6) * u }, i, service, u, moment));
};

/** Places of a lane's columns: who it is, slots, queue, CPU. */
const laneColumns = (width: number, u: number) => {
  const cpu = { x: width - 76 * u, width: 66 * u };
  const queue = { x: cpu.x - 72 * u, width: 58 * u };
  const slots = { x: 176 * u, width: queue.x - 14 * u - 176 * u };
  return { slots, queue, cpu };
};

const drawLane = (canvas: Canvas, box: Box, index: number, service: PictureService, u: number, moment: Moment): void => {
  const { palette, words, scene, tick } = moment;
  const { x, y, width, height } = box;
  const px = (size: number): number => Math.round(size * u);
  const instance = instancesOf(moment, service.name)[index];
  const state = statesOf(moment, service.name)[index];
  const veiled = isVeiled(service.name, index, state, moment);
  const colors = veiled ? { fill: palette.text3, text: palette.text2 } : healthColors(palette, state);
  const kill = veiled ? undefined : killIn(scene, service.name, index, tick);
  if (state === 'off') canvas.rect(x, y, width, height, { stroke: palette.line, strokeWidth: 1.5, radius: 6 });
  else {
    canvas.rect(x, y, width, height, { fill: kill ? palette.failedBg : palette.s2, ...(kill ? { stroke: palette.failed, strokeWidth: 2.5 } : {}), radius: 6 });
    canvas.rect(x, y, 5, height, { fill: colors.fill, radius: 2 });
  }
  const base = y + 26 * u;
  const end = canvas.text(x + 12 * u, base, `#${index + 1}`, { size: px(17), weight: 700, fill: state === 'off' ? palette.text3 : palette.text });
  if (veiled) {
    canvas.text(end + 8 * u, base, '?', { size: px(20), weight: 800, fill: colors.text });
    return;
  }
  drawGlyph(canvas, healthGlyph(state), end + 16 * u, y + 20 * u, 17 * u, { color: colors.fill, cut: palette.s2, progress: bootProgress(service, numberAt(instance.bootLeftMs, tick)) });
  const columns = laneColumns(width, u);
  const left = state === 'booting' ? numberAt(instance.bootLeftMs, tick) : isDown(state) ? numberAt(instance.downLeftMs, tick) : 0;
  const rest = left > 0 ? `≈ ${countdown(left, moment.lang)}` : '';
  const idle = kill !== undefined || state === 'off' || state === 'booting' || isDown(state);
  const wordRoom = (idle ? width - 8 - (rest === '' ? 0 : textWidth(rest, px(16), 400) + 14 * u) : columns.slots.x - 6) - (end + 30 * u - x);
  const wrongly = isDown(state) || kill ? wronglyIn(service.name, index, moment) : false;
  const word = kill ? `${words.state[state]}, ${count(Number(kill.data['lost'] ?? 0))} ${words.lostWord}` : wrongly ? `${words.state[state]} · ${words.wrongly}` : words.state[state];
  canvas.text(end + 30 * u, base, fitted(word, px(16), 600, wordRoom), { size: px(16), weight: 600, fill: colors.text, room: wordRoom });
  if (wrongly) drawStillSent(canvas, x, y + height / 2, u, moment);
  if (rest !== '') canvas.text(x + width - 10, base, rest, { size: px(16), fill: palette.text2, anchor: 'end' });
  if (idle) return;
  const value = (column: { x: number }, text: string): number => canvas.text(x + column.x, y + 17 * u, text, { size: px(16), weight: 600 });
  const bar = (column: { x: number; width: number }): Box => ({ x: x + column.x, y: y + 23 * u, width: column.width, height: 11 * u });
  const peak = scene.run.services[service.name]?.instances[index];
  const slots = count(Math.round(meanOf([instance.slots.mean], moment)));
  value(columns.slots, service.slots === null ? slots : `${slots}/${count(service.slots)}`);
  countedBar(canvas, bar(columns.slots), Math.round(meanOf([instance.slots.mean], moment)), service.slots ?? Math.max(1, peak?.slots.max ?? 1), colors.fill, palette);
  value(columns.queue, count(Math.round(meanOf([instance.queue.mean], moment))));
  countedBar(canvas, bar(columns.queue), meanOf([instance.queue.mean], moment), service.queueLimit ?? Math.max(40, peak?.queue.max ?? 1), colors.fill, palette);
  const cores = meanOf([instance.cpuCores.mean], moment);
  const cap = service.host === null ? service.cpus : null;
  value(columns.cpu, cap === null ? `≈${cores.toFixed(2)}` : `≈${wholePercent(cores / cap)}`);
  const most = service.cpus ?? Math.max(1, peak?.cpuCores.max ?? 1);
  estimatedBar(canvas, bar(columns.cpu), cores / most, palette.hatch, palette);
};

/** Some caller still sends to it although its process is gone. */
const wronglyIn = (service: string, index: number, { scene, tick, veil }: Moment): boolean =>
  scene.run.system.links.some((link) => link.callee === service && (link.health !== null || link.outlier !== null) && !veil.has(link.caller) && isWronglyIn(scene, link, index, tick));

/** The mark of "in, wrongly", on the left edge of what is still sent to: what a balancer believes, drawn apart from what is true. */
export const drawStillSent = (canvas: Canvas, x: number, y: number, u: number, { palette }: Pick<Moment, 'palette'>): void => {
  const [wide, high] = [9 * u, 8 * u];
  canvas.path(`M${coordinate(x - 5 * u)} ${coordinate(y - high)}L${coordinate(x - 5 * u + wide)} ${coordinate(y)}L${coordinate(x - 5 * u)} ${coordinate(y + high)}Z`, { fill: palette.text, stroke: palette.bg, strokeWidth: 1.5 });
};

const bootProgress = (service: PictureService, leftMs: number): number => {
  const total = service.autoscale?.bootMs ?? service.recovery.afterMs;
  return total > 0 ? Math.max(0, Math.min(1, 1 - leftMs / total)) : 0;
};

/** A small cell: number, state, slots in use, estimated CPU. Healthy recedes, trouble has a border and its sign. */
const drawCell = (canvas: Canvas, { x, y, width, height }: Box, index: number, service: PictureService, u: number, moment: Moment): void => {
  const { palette, scene, tick } = moment;
  const px = (size: number): number => Math.round(size * u);
  const instance = instancesOf(moment, service.name)[index];
  const state = statesOf(moment, service.name)[index];
  const veiled = isVeiled(service.name, index, state, moment);
  const colors = healthColors(palette, state);
  if (state === 'off' && !veiled) {
    canvas.rect(x, y, width, height, { stroke: palette.line, strokeWidth: 1.5, radius: 5 });
    drawGlyph(canvas, 'off', x + width / 2, y + height / 2, 17 * u, { color: palette.off, cut: palette.bg });
    return;
  }
  const isLow = height < 50 * u;
  const kill = veiled ? undefined : killIn(scene, service.name, index, tick);
  if (kill) {
    canvas.rect(x, y, width, height, { fill: palette.failed, radius: 5 });
    drawGlyph(canvas, 'broken', x + width / 2, y + (isLow ? 14 : 18) * u, (isLow ? 16 : 20) * u, { color: palette.onFailed, cut: palette.failed });
    const lost = `−${count(Number(kill.data['lost'] ?? 0))}`;
    canvas.text(x + width / 2, y + height - 8 * u, lost, { size: textWidth(lost, px(17), 700) > width - 4 ? px(16) : px(17), weight: 700, fill: palette.onFailed, anchor: 'middle' });
    if (wronglyIn(service.name, index, moment)) drawStillSent(canvas, x, y + height / 2, u, moment);
    return;
  }
  const trouble = !veiled && state !== 'healthy';
  canvas.rect(x, y, width, height, { fill: palette.s2, radius: 5, ...(trouble ? { stroke: colors.fill, strokeWidth: 2 } : {}) });
  const base = y + (isLow ? 18 : 20) * u;
  canvas.text(x + 6 * u, base, String(index + 1), { size: px(16), weight: trouble ? 700 : 500, fill: trouble ? palette.text : palette.text2 });
  // A number of three digits leaves its sign less room.
  const sign = index >= 99 ? 15 * u : 18 * u;
  if (veiled) canvas.text(x + width - 16 * u, base, '?', { size: px(18), weight: 800 });
  else if (trouble) drawGlyph(canvas, healthGlyph(state), x + width - 4 * u - sign / 2, base - 5.5 * u, sign, { color: colors.fill, cut: isDown(state) ? palette.onFailed : palette.s2, progress: bootProgress(service, numberAt(instance.bootLeftMs, tick)) });
  else canvas.circle(x + width - 11 * u, base - 6 * u, 4.5 * u, { fill: colors.fill });
  if (isDown(state) && !veiled && wronglyIn(service.name, index, moment)) drawStillSent(canvas, x, y + height / 2, u, moment);
  if (veiled || state === 'booting' || isDown(state)) return;
  const peak = scene.run.services[service.name]?.instances[index];
  const slots = service.slots ?? Math.max(1, peak?.slots.max ?? 1);
  const share = (value: number, of: number): number => Math.min(1, value / of);
  const [first, second, thick] = isLow ? [24, 34, 7] : [27, 40, 9];
  const wide = width - 14 * u;
  canvas.rect(x + 7 * u, y + first * u, wide, thick * u, { fill: palette.s3, radius: 2 });
  const used = share(meanOf([instance.slots.mean], moment), slots);
  if (used > 0) canvas.rect(x + 7 * u, y + first * u, Math.max(2, wide * used), thick * u, { fill: colors.fill, radius: 2 });
  const cap = service.cpus ?? Math.max(1, peak?.cpuCores.max ?? 1);
  thinEstimate(canvas, { x: x + 7 * u, y: y + second * u, width: wide, height: thick * u }, share(meanOf([instance.cpuCores.mean], moment), cap), moment);
};

const thinEstimate = (canvas: Canvas, { x, y, width, height }: Box, share: number, { palette }: Moment): void => {
  canvas.rect(x, y, width, height, { fill: palette.s3, radius: 2 });
  if (share > 0) canvas.rect(x, y, Math.max(2, width * share), height, { fill: { color: palette.hatch, ground: palette.hatchBg, period: 5, stripe: 2.1 }, radius: 2 });
};

/** How many there are; a cell for each state with its count and word; under them those that are not well, by number, as many as there is room for. */
const drawStates = (canvas: Canvas, card: Card, service: PictureService, box: Box, moment: Moment): void => {
  const { palette, words, board } = moment;
  const { scale: u } = card;
  const px = (size: number): number => Math.round(size * u);
  const { state: tile } = metrics;
  const states = statesOf(moment, service.name);
  const alive = states.filter((state) => state !== 'off').length;
  canvas.text(box.x + 2, box.y + 16 * u, fitted(board.grouped(count(alive)), px(16), 400, box.width), { size: px(16), fill: palette.text3, room: box.width });
  if (moment.veil.has(service.name)) return void canvas.text(box.x + 2, box.y + 60 * u, '?', { size: px(24), weight: 800 });
  const top = box.y + tile.line * u;
  const across = Math.floor((box.width + tile.gap * u) / ((tile.width + tile.gap) * u));
  const present = severity.filter((state) => state !== 'off' && states.includes(state));
  // What there is no room for is said with the last one.
  const shown = present.length > across ? present.slice(0, across - 1) : present;
  const width = (box.width + tile.gap * u) / across - tile.gap * u;
  shown.forEach((state, i) => {
    const x = box.x + i * (width + tile.gap * u);
    const colors = healthColors(palette, state);
    const number = count(states.filter((one) => one === state).length);
    canvas.rect(x, top, width, tile.height * u, { fill: palette.s2, radius: 5, ...(state === 'healthy' ? {} : { stroke: colors.fill, strokeWidth: 2 }) });
    drawGlyph(canvas, healthGlyph(state), x + 19 * u, top + 19 * u, 20 * u, { color: colors.fill, cut: isDown(state) ? palette.onFailed : palette.s2, progress: 0.5 });
    canvas.text(x + 36 * u, top + 26 * u, number, { size: px(21), weight: 700, fill: state === 'healthy' ? palette.text : colors.text });
    canvas.text(x + 9 * u, top + 49 * u, fitted(words.state[state], px(16), 500, width - 14 * u), { size: px(16), weight: 500, fill: colors.text, room: width - 14 * u });
  });
  if (present.length > shown.length) {
    const rest = present.slice(shown.length).reduce((sum, state) => sum + states.filter((one) => one === state).length, 0);
    canvas.text(box.x + shown.length * (width + tile.gap * u) + 8 * u, top + 36 * u, `+ ${count(rest)}`, { size: px(18), weight: 600, fill: palette.text2 });
  }
  const below = { ...box, y: top + (tile.height + tile.gap) * u };
  const cell = cellOf(card);
  const fits = Math.floor((box.width + cell.gap * u) / ((cell.width + cell.gap) * u));
  const unwell = severity.filter((state) => state !== 'healthy' && state !== 'off').flatMap((state) => states.flatMap((one, i) => (one === state ? [i] : [])));
  const told = unwell.length > fits ? unwell.slice(0, fits - 1) : unwell;
  told.forEach((index, i) => drawCell(canvas, cellAt(below, i, fits, card), index, service, u, moment));
  if (unwell.length > told.length) {
    const last = cellAt(below, told.length, fits, card);
    const more = `+${count(unwell.length - told.length)}`;
    canvas.text(last.x + 4 * u, last.y + last.height / 2 + 6 * u, fitted(more, px(16), 600, last.width - 4), { size: px(16), weight: 600, fill: palette.text2, room: last.width });
  }
};
