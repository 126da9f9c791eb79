import type { Column, PictureService } from '../../../src/study/types.js';
import type { Canvas } from '../../look/drawing.js';
import { drawGlyph } from '../../look/glyphs.js';
import { count } from '../../look/numbers.js';
import { textWidth } from '../../look/text-width.js';
import { countedBar, estimatedBar } from '../bars.js';
import { stateAt } from '../display-state.js';
import { fitted } from '../fit.js';
import type { Box } from '../frame.js';
import type { Moment } from '../scene.js';
import { nameOf } from '../structure.js';
import { wholePercent } from '../whole-percent.js';
import { instancesOf, meanOf, mostOf, poolText, poolUse, upCount } from './levels.js';
import { metrics, rowPitch, type Card, type Row } from './plan.js';

/** What a row says and shows. */
interface Level {
  readonly label: string;
  readonly value: string;
  /** The widest that the value can be in this film. */
  readonly widest: string;
  /** Filled part and whole of the bar. */
  readonly used: number;
  readonly total: number;
  /** The most in the window, where it was more than the value. */
  readonly most?: number;
  readonly isEstimated: boolean;
  /** Somebody waits for it. */
  readonly isShort: boolean;
  readonly isLimit?: boolean;
  /** It has the colour of its instance's health. */
  readonly isOfState?: boolean;
  readonly isLock?: boolean;
}

type Place = { readonly x: number; readonly y: number; readonly width: number };

/** The levels of a card: label, bar, value. Bars of counted levels are solid, of estimated ones hatched. */
export const drawRows = (canvas: Canvas, card: Card, service: PictureService, at: Place, color: string, moment: Moment): void => {
  const levels = card.rows.map((row) => levelOf(row, service, moment));
  if (card.isTall) drawTall(canvas, levels, card, at, color, moment);
  else drawInLines(canvas, levels, card, at, color, moment);
};

/** The same side by side, each with its bar under its label and value. */
export const drawRowsBeside = (canvas: Canvas, card: Card, service: PictureService, at: Place, color: string, moment: Moment): void => {
  const { scale: u } = card;
  const gap = metrics.wide.gap * u;
  const width = (at.width + gap) / Math.max(1, card.rows.length) - gap;
  card.rows.forEach((row, i) => drawOver(canvas, levelOf(row, service, moment), { x: at.x + i * (width + gap), y: at.y, width }, { label: Math.round(16 * u), value: Math.round(17 * u), base: 27 * u, bar: 36 * u, height: 14 * u, sign: 17 * u }, color, moment));
};

/** The bar under label and value, as wide as the card. */
const drawTall = (canvas: Canvas, levels: readonly Level[], card: Card, at: Place, color: string, moment: Moment): void => {
  const { scale: u } = card;
  levels.forEach((level, i) => drawOver(canvas, level, { ...at, y: at.y + i * rowPitch(card) * u }, { label: Math.round(20 * u), value: Math.round(22 * u), base: 26 * u, bar: 35 * u, height: 20 * u, sign: 18 * u }, color, moment));
};

interface OverSizes {
  readonly label: number;
  readonly value: number;
  readonly base: number;
  readonly bar: number;
  readonly height: number;
  readonly sign: number;
}

const drawOver = (canvas: Canvas, level: Level, at: Place, { label, value, base, bar, height, sign }: OverSizes, color: string, moment: Moment): void => {
  const { palette } = moment;
  const left = level.isLock ? sign * 1.35 : 0;
  if (level.isLock) drawGlyph(canvas, 'lock', at.x + sign * 0.45, at.y + base - label * 0.36, sign, { color: level.isShort ? palette.refused : palette.text3, cut: palette.s1 });
  const room = at.width - left - textWidth(level.value, value, 600) - 10;
  if (room > label) canvas.text(at.x + left, at.y + base, fitted(level.label, label, 400, room), { size: label, fill: palette.text2, room });
  canvas.text(at.x + at.width, at.y + base, level.value, { size: value, weight: 600, fill: level.isShort ? palette.refusedText : palette.text, anchor: 'end' });
  drawLevelBar(canvas, level, { x: at.x, y: at.y + bar, width: at.width, height }, color, moment);
};

/** One a line. */
const drawInLines = (canvas: Canvas, levels: readonly Level[], card: Card, at: Place, color: string, moment: Moment): void => {
  const { palette } = moment;
  const { scale: u } = card;
  const pitch = rowPitch(card) * u;
  const [labelSize, valueSize] = (card.isRoomy ? [18, 20] : [16, 17]).map((size) => Math.round(size * u));
  const barHeight = (card.isRoomy ? 18 : 12) * u;
  const lock = lockRoom * u;
  const labelWidth = ({ label, isLock }: Level): number => textWidth(label, labelSize, 400) + (isLock ? lock : 0);
  const valueRoom = Math.max(...levels.map(({ widest, value }) => Math.max(textWidth(widest, valueSize, 600), textWidth(value, valueSize, 600))));
  const labelRoom = Math.min(Math.max(...levels.map(labelWidth)), at.width - valueRoom - 12 * u);
  const bar = { x: at.x + labelRoom + 12 * u, width: at.width - labelRoom - valueRoom - 24 * u };
  levels.forEach((level, i) => {
    const y = at.y + i * pitch;
    const base = y + pitch / 2 + 5 * u;
    const ink = level.isShort ? palette.refusedText : palette.text;
    const left = level.isLock ? lock : 0;
    if (level.isLock) drawGlyph(canvas, 'lock', at.x + 7 * u, y + pitch / 2 - u, 16 * u, { color: level.isShort ? palette.refused : palette.text3, cut: palette.s1 });
    if (labelRoom - left > 40) canvas.text(at.x + left, base, fitted(level.label, labelSize, 400, labelRoom - left), { size: labelSize, fill: palette.text2, room: labelRoom - left });
    canvas.text(at.x + at.width, base, level.value, { size: valueSize, weight: 600, fill: ink, anchor: 'end' });
    if (bar.width < narrowestBar) return;
    drawLevelBar(canvas, level, { ...bar, y: y + pitch / 2 - barHeight / 2 - u, height: barHeight }, color, moment);
  });
};

const drawLevelBar = (canvas: Canvas, level: Level, box: Box, color: string, { palette }: Moment): void => {
  // A peak that is a mean over a tick need not be whole; cells are.
  const total = Math.max(1, Math.ceil(level.total));
  if (level.isEstimated) estimatedBar(canvas, box, level.total > 0 ? level.used / level.total : 0, palette.hatch, palette, level.isLimit ?? false);
  else countedBar(canvas, box, Math.round(level.used), total, level.isShort ? palette.refused : level.isOfState ? color : palette.good, palette);
  if (level.most !== undefined && level.most > level.used) {
    const x = box.x + box.width * Math.min(1, level.most / total);
    canvas.line(x - 1, box.y - 2, x - 1, box.y + box.height + 2, { stroke: palette.text2, strokeWidth: 2 });
  }
};

const lockRoom = 22;
const narrowestBar = 26;

/** A service whose processes are all gone holds nothing that could be told. */
const levelOf = (row: Row, service: PictureService, moment: Moment): Level => {
  const { most, ...level } = liveLevel(row, service, moment);
  if (!hasProcess(moment, service.name)) return { ...level, value: '–', used: 0, isShort: false };
  return most === undefined ? level : { ...level, most };
};

const hasProcess = (moment: Moment, name: string): boolean => instancesOf(moment, name).some((_, i) => ['up', 'draining'].includes(stateAt(moment.scene, name, i, moment.tick)));

const liveLevel = (row: Row, service: PictureService, moment: Moment): Level => {
  switch (row.kind) {
    case 'slots':
    case 'queue':
      return fractionLevel(row.kind, service, moment);
    case 'cpu':
      return cpuLevel(service, moment);
    case 'memory':
      return memoryLevel(service, moment);
    case 'sockets':
      return socketLevel(service, moment);
    case 'pool':
      return poolLevel(row.link, moment);
    case 'lock':
      return lockLevel(row.name, moment);
  }
};

const counted = { isEstimated: false } as const;
const whole = (value: number): string => count(Math.round(value));

const fractionLevel = (kind: 'slots' | 'queue', service: PictureService, moment: Moment): Level => {
  const { words, board, scene } = moment;
  const columns = instancesOf(moment, service.name).map((instance) => instance[kind].mean);
  const each = kind === 'slots' ? service.slots : service.queueLimit;
  const total = each === null ? null : each * upCount(moment, service.name);
  const peak = scene.structure.peaks.services.get(service.name)?.[kind] ?? 0;
  const label = kind === 'queue' ? words.queue : service.slots === null ? board.running : service.slotsHeld === 'cpu' ? board.turns : words.slots;
  const value = meanOf(columns, moment);
  const full = total !== null && Math.round(value) >= total && (kind === 'queue' || meanOf(instancesOf(moment, service.name).map(({ queue }) => queue.mean), moment) >= 0.5);
  return { ...counted, label, value: total === null ? whole(value) : `${whole(value)}/${count(total)}`, widest: total === null ? count(Math.max(peak, 10)) : `${count(total)}/${count(total)}`, used: value, most: mostOf(instancesOf(moment, service.name).map((instance) => instance[kind].max), moment), total: total ?? Math.max(1, peak), isShort: full, isOfState: true };
};

const cpuLevel = (service: PictureService, moment: Moment): Level => {
  const { words, scene } = moment;
  const columns = instancesOf(moment, service.name).map(({ cpuCores }) => cpuCores.mean);
  const cap = service.host !== null || service.cpus === null ? null : service.cpus * upCount(moment, service.name);
  const host = scene.structure.hosts.find(({ name }) => name === service.host);
  const most = cap ?? service.cpus ?? host?.cpus ?? Math.max(1, scene.structure.peaks.services.get(service.name)?.cpuCores ?? 1);
  const value = meanOf(columns, moment);
  return { label: `≈ ${words.cpu}`, value: cap === null ? `≈${value.toFixed(2)}` : `≈${wholePercent(value / cap)}`, widest: cap === null ? '≈88.88' : '≈100%', used: value, total: most, isEstimated: true, isShort: false };
};

const memoryLevel = (service: PictureService, moment: Moment): Level => {
  const { words, scene } = moment;
  const columns = instancesOf(moment, service.name).map(({ memoryBytes }) => memoryBytes.end);
  const limit = service.memoryLimitBytes === null ? null : service.memoryLimitBytes * upCount(moment, service.name);
  const scale = limit ?? Math.max(1, scene.structure.peaks.services.get(service.name)?.memoryBytes ?? 1);
  return { label: `≈ ${words.memory}`, value: `≈${memoryText(meanOf(columns, moment), scale)}`, widest: `≈${memoryText(scale, scale)}`, used: meanOf(columns, moment), total: scale, isEstimated: true, isShort: false, isLimit: limit !== null };
};

/** One unit for all values of a bar. */
export const memoryText = (value: number, scale: number): string => (scale >= 2 ** 30 ? `${(value / 2 ** 30).toFixed(2)} GiB` : `${(value / 2 ** 20).toFixed(0)} MiB`);

const socketLevel = (service: PictureService, moment: Moment): Level => {
  const columns = instancesOf(moment, service.name).map(({ connections }) => connections);
  const peak = Math.max(1, moment.scene.structure.peaks.services.get(service.name)?.connections ?? 1);
  return { ...counted, label: moment.board.sockets, value: whole(meanOf(columns, moment)), widest: count(peak), used: meanOf(columns, moment), total: peak, isShort: false };
};

const poolLevel = (link: Extract<Row, { kind: 'pool' }>['link'], moment: Moment): Level => {
  const { scene, board } = moment;
  const use = poolUse(link, moment);
  const peak = scene.run.links[nameOf(link)]?.pool;
  const total = use.max ?? Math.max(1, peak?.inUse.max ?? 1);
  const most = (scene.run.ticks.links[nameOf(link)]?.callers ?? []).flatMap(({ poolInUse }) => (poolInUse ? [poolInUse.max] : []));
  return { ...counted, label: board.pool(link.callee), value: poolText(use, use.waiting, moment), widest: poolText({ ...use, used: total }, peak?.waiting.max ?? 0, moment), used: use.used, most: mostOf(most, moment), total, isShort: use.waiting > 0 };
};

const lockLevel = (name: string, moment: Moment): Level => {
  const { scene, board } = moment;
  const columns = scene.run.ticks.locks[name];
  const peak = scene.structure.peaks.locks.get(name) ?? 1;
  const one = (column: Column | undefined): readonly Column[] => (column === undefined ? [] : [column]);
  const [held, waiting] = [meanOf(one(columns?.held.mean), moment), meanOf(one(columns?.waiting.mean), moment)];
  const most = mostOf(one(columns?.waiting.max), moment);
  const text = (holds: number, waits: number): string => `${board.held(whole(holds))}${waits >= 0.5 ? ` ${board.waiting(whole(waits))}` : most >= 0.5 ? ` · ${board.waited(whole(most))}` : ''}`;
  return { ...counted, label: name.slice(name.indexOf('.') + 1), value: text(held, waiting), widest: `${board.held('1')} · ${board.waited(count(peak))}`, used: waiting, most, total: Math.max(peak, 1), isShort: waiting >= 0.5, isLock: true };
};
