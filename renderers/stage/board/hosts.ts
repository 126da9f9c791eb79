import { numberAt } from '../../../src/study/columns.js';
import type { Canvas } from '../../look/drawing.js';
import { drawGlyph } from '../../look/glyphs.js';
import { bytes, cores, unlimited } from '../../look/numbers.js';
import { textWidth } from '../../look/text-width.js';
import { estimatedBar } from '../bars.js';
import { healthColors } from '../display-state.js';
import { fitted } from '../fit.js';
import type { Box, Frame } from '../frame.js';
import type { Moment } from '../scene.js';
import { instancesOf, meanOf, nowOf } from './levels.js';
import { roomEdge as around, type Board, type PlacedCard } from './place.js';
import { memoryText } from './rows.js';

/** A room around what shares a machine, and one around what shares a pod: drawn under ribbons and cards. */
export const drawRooms = (canvas: Canvas, board: Board, moment: Moment): void => {
  const { palette, scene } = moment;
  const services = scene.run.system.services;
  for (const { host, box } of board.hosts) {
    const inside = board.cards.filter((card) => services.some((service) => service.name === card.name && service.host === host.name));
    const room = roomOf(inside, board.cards, box, scene.frame);
    if (room) canvas.rect(room.x, room.y, room.width, room.height, { fill: palette.s2, stroke: palette.line2, strokeWidth: 2, radius: 14 });
  }
  for (const { name, beside } of services) {
    if (beside === null) continue;
    const inside = board.cards.filter((card) => card.name === name || card.name === beside);
    const room = inside.length === 2 ? roomOf(inside, board.cards, null, scene.frame) : null;
    if (!room) continue;
    canvas.rect(room.x, room.y - 18, room.width, room.height + 18, { fill: palette.s2, stroke: palette.line2, strokeWidth: 1.5, radius: 14 });
    canvas.text(room.x + around, room.y + 2, moment.board.pod, { size: 16, fill: palette.text3 });
  }
};

/** The box around some cards (and down to a strip), where no other card would stand in it. */
const roomOf = (inside: readonly PlacedCard[], all: readonly PlacedCard[], strip: Box | null, { calls }: Frame): Box | null => {
  if (inside.length === 0) return null;
  // Where calls run down, a strip is as wide as the stage, and the room above it too.
  const across = [...inside.map(({ box }) => box), ...(strip && calls === 'down' ? [{ x: strip.x + around, width: strip.width - 2 * around }] : [])];
  const [left, right] = [Math.min(...across.map(({ x }) => x)) - around, Math.max(...across.map(({ x, width }) => x + width)) + around];
  const [top, bottom] = [Math.min(...inside.map(({ box }) => box.y)) - (strip ? around + 10 : around), strip ? strip.y + strip.height : Math.max(...inside.map(({ box }) => box.y + box.height)) + around];
  const room = { x: left, y: top, width: right - left, height: bottom - top };
  const meets = ({ box }: PlacedCard): boolean => box.x < room.x + room.width && room.x < box.x + box.width && box.y < room.y + room.height && room.y < box.y + box.height;
  return all.some((card) => !inside.includes(card) && meets(card)) ? null : room;
};

/** The machine itself: CPU and memory of all that runs on it, estimated. */
export const drawHosts = (canvas: Canvas, board: Board, moment: Moment): void => {
  const { frame } = moment.scene;
  for (const { host, box } of board.hosts) {
    const inside = board.cards.filter((card) => moment.scene.run.system.services.some((service) => service.name === card.name && service.host === host.name));
    const room = roomOf(inside, board.cards, box, frame);
    drawHost(canvas, host, room ? { ...box, x: Math.max(frame.margin, room.x), width: Math.min(box.x + box.width, room.x + room.width) - Math.max(frame.margin, room.x) } : box, moment);
  }
};

const drawHost = (canvas: Canvas, host: Board['hosts'][number]['host'], box: Box, moment: Moment): void => {
  const { palette, scene, words, board, tick } = moment;
  const { x, y, width, height } = box;
  const columns = scene.run.ticks.hosts[host.name];
  const here = scene.run.system.hosts.find(({ name }) => name === host.name);
  canvas.rect(x, y, width, height, { fill: palette.s1, stroke: palette.line2, strokeWidth: 2, radius: 12 });
  drawGlyph(canvas, 'host', x + 30, y + height / 2, 24, { color: palette.text2, cut: palette.s1 });
  if (!columns || !here) {
    canvas.text(x + 54, y + 36, `${fitted(host.name, 20, 600, 200)} · ${board.absent}`, { size: 18, fill: palette.text3 });
    return;
  }
  const saturated = numberAt(columns.saturated, tick) === 1;
  canvas.text(x + 54, y + 25, fitted(host.name, 20, 700, 150), { size: 20, weight: 700, room: 150 });
  const used = nowOf([columns.memoryBytes.end], moment);
  const totals = scene.run.hosts[host.name];
  const hasMemory = totals.memoryBytes.max > 0;
  canvas.text(x + 54, y + 46, fitted(board.host(here.cpus === null ? unlimited[moment.lang] : cores(here.cpus), here.memoryBytes === null ? '' : bytes(here.memoryBytes)), 16, 400, 236), { size: 16, fill: palette.text3, room: 236 });
  if (saturated) {
    const nameEnd = x + 54 + textWidth(fitted(host.name, 20, 700, 150), 20, 700) + 22;
    const colors = healthColors(palette, 'saturated');
    drawGlyph(canvas, 'saturated', nameEnd, y + 18, 18, { color: colors.fill, cut: palette.s1 });
    canvas.text(nameEnd + 16, y + 24, board.hostState.saturated, { size: 17, weight: 600, fill: colors.text });
  }
  const parts = hasMemory ? 2 : 1;
  const first = x + 306;
  const each = (x + width - 16 - first) / parts;
  drawMeter(canvas, { x: first, y, width: each - 20, height }, `≈ ${words.cpu}`, `≈${meanOf([columns.cpuCores.mean], moment).toFixed(2)}${here.cpus === null ? '' : `/${cores(here.cpus)}`}`, nowOf([columns.cpuCores.mean], moment) / (here.cpus ?? Math.max(1, totals.cpuCores.max)), moment, sharesOf(host.name, moment));
  if (hasMemory) drawMeter(canvas, { x: first + each, y, width: each, height }, `≈ ${words.memory}`, `≈${memoryText(meanOf([columns.memoryBytes.end], moment), here.memoryBytes ?? totals.memoryBytes.max)}`, used / (here.memoryBytes ?? totals.memoryBytes.max), moment, []);
};

/** What each service on it takes, cores, in the order of the picture. */
const sharesOf = (host: string, moment: Moment): readonly (readonly [string, number])[] =>
  moment.scene.run.system.services.filter((service) => service.host === host).map(({ name }) => [name, meanOf(instancesOf(moment, name).map(({ cpuCores }) => cpuCores.mean), moment)] as const);

/** Label, bar and value in one line; under the bar whose part is whose, where there is room. */
const drawMeter = (canvas: Canvas, { x, y, width }: Box, label: string, value: string, share: number, moment: Moment, parts: readonly (readonly [string, number])[]): void => {
  const { palette } = moment;
  const labelEnd = canvas.text(x, y + 25, label, { size: 17, fill: palette.text2 }) + 10;
  canvas.text(x + width, y + 25, value, { size: 19, weight: 600, anchor: 'end' });
  const bar = { x: labelEnd, y: y + 10, width: x + width - labelEnd - Math.max(textWidth(value, 19, 600), 104) - 12, height: 18 };
  if (bar.width < 40) return;
  estimatedBar(canvas, bar, share, palette.hatch, palette);
  const text = parts.map(([name, value]) => `${name} ${value.toFixed(2)}`).join(' · ');
  if (parts.length > 1) canvas.text(labelEnd, y + 48, fitted(`≈ ${text}`, 16, 400, x + width - labelEnd), { size: 16, fill: palette.text3, room: x + width - labelEnd });
};
