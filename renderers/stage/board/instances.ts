import { numberAt } from '../../../src/study/columns.js';
import type { PictureService } from '../../../src/study/types.js';
import type { DisplayState } from '../../../src/text/stage.js';
import type { Canvas } from '../../look/drawing.js';
import { drawGlyph } from '../../look/glyphs.js';
import { countdown } from '../../look/clock.js';
import { count } from '../../look/numbers.js';
import { textWidth } from '../../look/text-width.js';
import { countedBar, estimatedBar } from '../bars.js';
import { displayState, healthColors, healthGlyph, isDown, killIn } from '../display-state.js';
import { fitted } from '../fit.js';
import type { Box } from '../frame.js';
import type { Moment } from '../scene.js';
import { wholePercent } from '../whole-percent.js';
import { instancesOf, meanOf } from './levels.js';
import { metrics, type Card } from './plan.js';
import { severity } from '../nodes.js';

/** The instances of a card, under its head. */
export const drawInstances = (canvas: Canvas, card: Card, service: PictureService, box: Box, moment: Moment): void => {
  if (card.form === 'lanes') drawLanes(canvas, service, box, moment);
  if (card.form === 'cells') instancesOf(moment, service.name).forEach((_, i) => drawCell(canvas, cellAt(box, i, card.across), i, service, moment));
  if (card.form === 'states') drawStates(canvas, service, box, moment);
};

/** Where the lane or cell of an instance is; null where it is told by state only. */
export const instancePlace = (card: Card, box: Box, index: number): Box | null => {
  if (card.form === 'lanes') return { x: box.x, y: box.y + metrics.laneHead + index * metrics.lane, width: box.width, height: metrics.lane - 6 };
  return card.form === 'cells' ? cellAt(box, index, card.across) : null;
};

const { cell } = metrics;
const cellAt = (box: Box, index: number, across: number): Box => ({ x: box.x + (index % across) * (cell.width + cell.gap), y: box.y + Math.floor(index / across) * (cell.height + cell.gap), width: cell.width, height: cell.height });

/** Whether an instance is a question mark: it is asked about, or its state would tell who is in rotation. */
const isVeiled = (service: string, index: number, state: DisplayState, { veil, lit, scene }: Moment): boolean => {
  const name = `${service}.${index + 1}`;
  if (lit.has(name)) return false;
  if (veil.has(service) || veil.has(name)) return true;
  return (state === 'ejected' || state === 'joining') && scene.run.system.links.some((link) => link.callee === service && (link.health !== null || link.outlier !== null) && veil.has(link.caller));
};

const drawLanes = (canvas: Canvas, service: PictureService, box: Box, moment: Moment): void => {
  const { palette, words, board } = moment;
  const columns = laneColumns(box.width);
  const label = service.slots === null ? board.running : service.slotsHeld === 'cpu' ? board.turns : words.slots;
  canvas.runs(box.x + columns.slots.x, box.y + 15, [{ text: label, fill: palette.text2 }, { text: service.slots === null ? '' : ` ${words.of(count(service.slots))}`, fill: palette.text3 }], { size: 16, room: columns.queue.x - columns.slots.x - 4 });
  canvas.text(box.x + columns.queue.x, box.y + 15, words.queue, { size: 16, fill: palette.text2, room: columns.cpu.x - columns.queue.x - 4 });
  canvas.text(box.x + columns.cpu.x, box.y + 15, `≈ ${words.cpu}`, { size: 16, fill: palette.text2, room: columns.cpu.width });
  instancesOf(moment, service.name).forEach((_, i) => drawLane(canvas, { x: box.x, y: box.y + metrics.laneHead + i * metrics.lane, width: box.width, height: metrics.lane - 6 }, i, service, moment));
};

/** Places of a lane's columns: who it is, slots, queue, CPU. */
const laneColumns = (width: number) => {
  const cpu = { x: width - 76, width: 66 };
  const queue = { x: cpu.x - 72, width: 58 };
  const slots = { x: 176, width: queue.x - 14 - 176 };
  return { slots, queue, cpu };
};

const drawLane = (canvas: Canvas, box: Box, index: number, service: PictureService, moment: Moment): void => {
  const { palette, words, scene, tick } = moment;
  const { x, y, width, height } = box;
  const instance = instancesOf(moment, service.name)[index];
  const state = displayState(scene, service.name, index, tick);
  const veiled = isVeiled(service.name, index, state, moment);
  const colors = veiled ? { fill: palette.text3, text: palette.text2 } : healthColors(palette, state);
  const kill = veiled ? undefined : killIn(scene, service.name, index, tick);
  if (state === 'off') canvas.rect(x, y, width, height, { stroke: palette.line, strokeWidth: 1.5, radius: 6 });
  else {
    canvas.rect(x, y, width, height, { fill: kill ? palette.failedBg : palette.s2, ...(kill ? { stroke: palette.failed, strokeWidth: 2.5 } : {}), radius: 6 });
    canvas.rect(x, y, 5, height, { fill: colors.fill, radius: 2 });
  }
  const end = canvas.text(x + 12, y + 26, `#${index + 1}`, { size: 17, weight: 700, fill: state === 'off' ? palette.text3 : palette.text });
  if (veiled) {
    canvas.text(end + 8, y + 26, '?', { size: 20, weight: 800, fill: colors.text });
    return;
  }
  drawGlyph(canvas, healthGlyph(state), end + 16, y + 20, 17, { color: colors.fill, cut: palette.s2, progress: bootProgress(service, numberAt(instance.bootLeftMs, tick)) });
  const columns = laneColumns(width);
  const idle = kill !== undefined || state === 'off' || state === 'booting' || isDown(state);
  const wordRoom = (kill || state === 'off' ? width - 8 : columns.slots.x - 6) - (end + 30 - x);
  const word = kill ? `${words.state[state]}, ${count(Number(kill.data['lost'] ?? 0))} ${words.lostWord}` : words.state[state];
  canvas.text(end + 30, y + 26, fitted(word, 16, 600, wordRoom), { size: 16, weight: 600, fill: colors.text, room: wordRoom });
  if (state === 'booting' || isDown(state)) {
    const left = numberAt(state === 'booting' ? instance.bootLeftMs : instance.downLeftMs, tick);
    if (left > 0) canvas.text(x + width - 10, y + 26, `≈ ${countdown(left, moment.lang)}`, { size: 16, fill: palette.text2, anchor: 'end' });
  }
  if (idle) return;
  const value = (column: { x: number }, text: string): number => canvas.text(x + column.x, y + 17, text, { size: 16, weight: 600 });
  const bar = (column: { x: number; width: number }): Box => ({ x: x + column.x, y: y + 23, width: column.width, height: 11 });
  const peak = scene.run.services[service.name]?.instances[index];
  value(columns.slots, service.slots === null ? count(Math.round(meanOf([instance.slots.end], moment))) : `${count(Math.round(meanOf([instance.slots.end], moment)))}/${count(service.slots)}`);
  countedBar(canvas, bar(columns.slots), Math.round(numberAt(instance.slots.end, tick)), service.slots ?? Math.max(1, peak?.slots.max ?? 1), colors.fill, palette);
  value(columns.queue, count(Math.round(meanOf([instance.queue.end], moment))));
  countedBar(canvas, bar(columns.queue), numberAt(instance.queue.end, tick), service.queueLimit ?? Math.max(40, peak?.queue.max ?? 1), colors.fill, palette);
  const cores = meanOf([instance.cpuCores.mean], moment);
  const cap = service.host === null ? service.cpus : null;
  value(columns.cpu, cap === null ? `≈${cores.toFixed(2)}` : `≈${wholePercent(cores / cap)}`);
  const most = service.cpus ?? Math.max(1, peak?.cpuCores.max ?? 1);
  estimatedBar(canvas, bar(columns.cpu), numberAt(instance.cpuCores.mean, tick) / most, palette.hatch, palette);
};

const bootProgress = (service: PictureService, leftMs: number): number => {
  const total = service.autoscale?.bootMs ?? service.recovery.afterMs;
  return total > 0 ? Math.max(0, Math.min(1, 1 - leftMs / total)) : 0;
};

/** A small cell: number, state, slots in use, estimated CPU. Healthy recedes, trouble has a border and its sign. */
const drawCell = (canvas: Canvas, { x, y, width, height }: Box, index: number, service: PictureService, moment: Moment): void => {
  const { palette, scene, tick } = moment;
  const instance = instancesOf(moment, service.name)[index];
  const state = displayState(scene, service.name, index, tick);
  const veiled = isVeiled(service.name, index, state, moment);
  const colors = healthColors(palette, state);
  const number = String(index + 1);
  if (state === 'off' && !veiled) {
    canvas.rect(x, y, width, height, { stroke: palette.line, strokeWidth: 1.5, radius: 5 });
    canvas.circle(x + width / 2, y + height / 2, 4, { stroke: palette.off, strokeWidth: 1.5 });
    return;
  }
  const kill = veiled ? undefined : killIn(scene, service.name, index, tick);
  if (kill) {
    canvas.rect(x, y, width, height, { fill: palette.failed, radius: 5 });
    drawGlyph(canvas, 'broken', x + width / 2, y + 20, 20, { color: palette.onFailed, cut: palette.failed });
    canvas.text(x + width / 2, y + 48, `−${count(Number(kill.data['lost'] ?? 0))}`, { size: 17, weight: 700, fill: palette.onFailed, anchor: 'middle' });
    return;
  }
  const trouble = !veiled && state !== 'healthy';
  canvas.rect(x, y, width, height, { fill: palette.s2, radius: 5, ...(trouble ? { stroke: colors.fill, strokeWidth: 2 } : {}) });
  canvas.text(x + 7, y + 20, number, { size: 16, weight: trouble ? 700 : 500, fill: trouble ? palette.text : palette.text2 });
  if (veiled) canvas.text(x + width - 18, y + 20, '?', { size: 18, weight: 800 });
  else if (trouble) drawGlyph(canvas, healthGlyph(state), x + width - 14, y + 15, 18, { color: colors.fill, cut: palette.s2, progress: bootProgress(service, numberAt(instance.bootLeftMs, tick)) });
  else canvas.circle(x + width - 12, y + 14, 4.5, { fill: colors.fill });
  if (veiled || state === 'booting' || isDown(state)) return;
  const peak = scene.run.services[service.name]?.instances[index];
  const slots = service.slots ?? Math.max(1, peak?.slots.max ?? 1);
  const share = (value: number, of: number): number => Math.min(1, value / of);
  canvas.rect(x + 7, y + 27, width - 14, 9, { fill: palette.s3, radius: 2 });
  const used = share(numberAt(instance.slots.end, tick), slots);
  if (used > 0) canvas.rect(x + 7, y + 27, Math.max(2, (width - 14) * used), 9, { fill: colors.fill, radius: 2 });
  const cap = service.cpus ?? Math.max(1, peak?.cpuCores.max ?? 1);
  thinEstimate(canvas, { x: x + 7, y: y + 40, width: width - 14, height: 9 }, share(numberAt(instance.cpuCores.mean, tick), cap), moment);
};

const thinEstimate = (canvas: Canvas, { x, y, width, height }: Box, share: number, { palette }: Moment): void => {
  canvas.rect(x, y, width, height, { fill: palette.s3, radius: 2 });
  if (share > 0) canvas.rect(x, y, Math.max(2, width * share), height, { fill: { color: palette.hatch, ground: palette.hatchBg, period: 5, stripe: 2.1 }, radius: 2 });
};

/** One cell a state with its count; under them the cells of those that are not well, as many as there is room for. */
const drawStates = (canvas: Canvas, service: PictureService, box: Box, moment: Moment): void => {
  const { palette, scene, tick } = moment;
  const across = Math.floor((box.width + cell.gap) / (cell.width + cell.gap));
  const states = instancesOf(moment, service.name).map((_, i) => displayState(scene, service.name, i, tick));
  const present = severity.filter((state) => state !== 'off' && states.includes(state));
  const veiled = moment.veil.has(service.name);
  present.slice(0, across).forEach((state, i) => {
    const { x, y, width, height } = cellAt(box, i, across);
    const colors = healthColors(palette, state);
    canvas.rect(x, y, width, height, { fill: palette.s2, radius: 5, ...(state === 'healthy' || veiled ? {} : { stroke: colors.fill, strokeWidth: 2 }) });
    if (veiled) return void canvas.text(x + width / 2, y + 36, '?', { size: 20, weight: 800, anchor: 'middle' });
    drawGlyph(canvas, healthGlyph(state), x + width / 2, y + 18, 18, { color: colors.fill, cut: palette.s2, progress: 0.5 });
    const number = count(states.filter((one) => one === state).length);
    canvas.text(x + width / 2, y + 47, number, { size: textWidth(number, 18, 700) > width - 4 ? 16 : 18, weight: 700, fill: colors.text, anchor: 'middle' });
  });
  const unwell = severity.filter((state) => state !== 'healthy' && state !== 'off').flatMap((state) => states.flatMap((one, i) => (one === state ? [i] : [])));
  unwell.slice(0, across).forEach((index, i) => drawCell(canvas, cellAt(box, across + i, across), index, service, moment));
};
