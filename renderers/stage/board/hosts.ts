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
import { instancesOf, meanOf } from './levels.js';
import { roomEdge as around, type Board, type PlacedCard } from './place.js';
import { memoryText } from './rows.js';

/** A room around what shares a machine, and one around what shares a pod: drawn under ribbons and cards. */
export const drawRooms = (canvas: Canvas, board: Board, moment: Moment): void => {
  const { palette, scene } = moment;
  for (const room of hostRooms(board, moment)) if (room) canvas.rect(room.x, room.y, room.width, room.height, { fill: palette.s2, stroke: palette.line2, strokeWidth: 2, radius: 14 });
  for (const { name, beside: other } of scene.run.system.services) {
    if (other === null) continue;
    const room = podRoom(board, name, other, moment);
    if (!room) continue;
    canvas.rect(room.x, room.y - 18, room.width, room.height + 18, { fill: palette.s2, stroke: palette.line2, strokeWidth: 1.5, radius: 14 });
  }
};

/** What a room is called, on its own ground: links that pass it may run there. */
export const drawRoomNames = (canvas: Canvas, board: Board, moment: Moment): void => {
  const { palette, scene } = moment;
  for (const { name, beside: other } of scene.run.system.services) {
    const room = other === null ? null : podRoom(board, name, other, moment);
    if (!room) continue;
    canvas.rect(room.x + around - 4, room.y - 14, textWidth(moment.board.pod, 16, 400) + 8, 21, { fill: palette.s2 });
    canvas.text(room.x + around, room.y + 2, moment.board.pod, { size: 16, fill: palette.text3 });
  }
};

const podRoom = (board: Board, name: string, other: string, { scene }: Moment): Box | null => {
  const inside = board.cards.filter((card) => card.name === name || card.name === other);
  return inside.length === 2 ? roomOf(inside, board.cards, null, scene.frame) : null;
};

/** The room of each machine, down to its strip; all or none of them, so that none says less than another. */
const hostRooms = (board: Board, { scene: { run, frame } }: Moment): readonly (Box | null)[] => {
  const none = board.hosts.map(() => null);
  const rooms = board.hosts.map(({ host, box }) => {
    const inside = board.cards.filter((card) => run.system.services.some((service) => service.name === card.name && service.host === host.name));
    return roomOf(inside, board.cards, box, frame);
  });
  if (frame.calls === 'down') return rooms;
  if (rooms.some((room) => room === null)) return none;
  const sorted = rooms.map((room) => room!).toSorted((a, b) => a.x - b.x);
  return sorted.some((room, i) => i > 0 && room.x < sorted[i - 1].x + sorted[i - 1].width + 8) ? none : rooms;
};

/** No other card stands nearer to a room. */
const beside = 6;

/** The box around some cards (and down to a strip), where no other card would stand in it. */
const roomOf = (inside: readonly PlacedCard[], all: readonly PlacedCard[], strip: Box | null, { calls }: Frame): Box | null => {
  if (inside.length === 0) return null;
  // Where calls run down, a strip is as wide as the stage, and the room above it too.
  const across = [...inside.map(({ box }) => box), ...(strip && calls === 'down' ? [{ x: strip.x + around, width: strip.width - 2 * around }] : [])];
  const [left, right] = [Math.min(...across.map(({ x }) => x)) - around, Math.max(...across.map(({ x, width }) => x + width)) + around];
  const [top, bottom] = [Math.min(...inside.map(({ box }) => box.y)) - (strip ? around + 10 : around), strip ? strip.y + strip.height : Math.max(...inside.map(({ box }) => box.y + box.height)) + around];
  const room = { x: left, y: top, width: right - left, height: bottom - top };
  const meets = ({ box }: PlacedCard): boolean => box.x < room.x + room.width + beside && room.x < box.x + box.width + beside && box.y < room.y + room.height + beside && room.y < box.y + box.height + beside;
  return all.some((card) => !inside.includes(card) && meets(card)) ? null : room;
};

/** The machine itself: CPU and memory of all that runs on it, estimated. */
export const drawHosts = (canvas: Canvas, board: Board, moment: Moment): void => {
  const { frame } = moment.scene;
  const rooms = hostRooms(board, moment);
  board.hosts.forEach(({ host, box }, i) => {
    const room = rooms[i];
    const left = room ? Math.max(frame.margin, room.x) : box.x;
    const right = room ? (frame.calls === 'down' ? Math.min(box.x + box.width, room.x + room.width) : room.x + room.width) : box.x + box.width;
    drawHost(canvas, host, { ...box, x: left, width: right - left }, moment);
  });
};

const drawHost = (canvas: Canvas, host: Board['hosts'][number]['host'], box: Box, moment: Moment): void => {
  const { palette, scene, words, board, tick } = moment;
  const { x, y, width, height } = box;
  const columns = scene.run.ticks.hosts[host.name];
  const here = scene.run.system.hosts.find(({ name }) => name === host.name);
  canvas.rect(x, y, width, height, { fill: palette.s1, stroke: columns && numberAt(columns.saturated, tick) === 1 ? palette.refused : palette.line2, strokeWidth: 2, radius: 12 });
  drawGlyph(canvas, 'host', x + 30, y + height / 2, 24, { color: palette.text2, cut: palette.s1 });
  if (!columns || !here) {
    canvas.text(x + 54, y + 36, `${fitted(host.name, 20, 600, 200)} · ${board.absent}`, { size: 18, fill: palette.text3 });
    return;
  }
  const identity = Math.min(236, width * 0.52 - 62);
  const saturated = numberAt(columns.saturated, tick) === 1;
  canvas.text(x + 54, y + 25, fitted(host.name, 20, 700, Math.min(150, identity)), { size: 20, weight: 700, room: 150 });
  const used = meanOf([columns.memoryBytes.end], moment);
  const totals = scene.run.hosts[host.name];
  const hasMemory = totals.memoryBytes.max > 0;
  canvas.text(x + 54, y + 46, fitted(board.host(here.cpus === null ? unlimited[moment.lang] : cores(here.cpus), here.memoryBytes === null ? '' : bytes(here.memoryBytes)), 16, 400, identity), { size: 16, fill: palette.text3, room: identity });
  if (saturated) {
    const nameEnd = x + 54 + textWidth(fitted(host.name, 20, 700, Math.min(150, identity)), 20, 700) + 22;
    const colors = healthColors(palette, 'saturated');
    drawGlyph(canvas, 'saturated', nameEnd, y + 18, 18, { color: colors.fill, cut: palette.s1 });
    // In a narrow strip the sign has no word beside it; its edge has the colour too.
    if (nameEnd + 16 + textWidth(board.hostState.saturated, 17, 600) < x + Math.min(identityRoom, width * 0.52)) canvas.text(nameEnd + 16, y + 24, board.hostState.saturated, { size: 17, weight: 600, fill: colors.text });
  }
  const cpu: Meter = { label: `≈ ${words.cpu}`, value: `≈${meanOf([columns.cpuCores.mean], moment).toFixed(2)}${here.cpus === null ? '' : `/${cores(here.cpus)}`}`, share: meanOf([columns.cpuCores.mean], moment) / (here.cpus ?? Math.max(1, totals.cpuCores.max)) };
  const memory: Meter = { label: `≈ ${words.memory}`, value: `≈${memoryText(meanOf([columns.memoryBytes.end], moment), here.memoryBytes ?? totals.memoryBytes.max)}`, share: used / (here.memoryBytes ?? totals.memoryBytes.max) };
  const left = x + Math.min(identityRoom, width * 0.52);
  const room = x + width - 16 - left;
  if (room >= 2 * meterRoom || (!hasMemory && room >= meterRoom)) {
    const each = hasMemory ? room / 2 : room;
    drawMeter(canvas, { x: left, y: y + 25, width: each - 20, height: 18 }, cpu, moment, sharesOf(host.name, moment));
    if (hasMemory) drawMeter(canvas, { x: left + each, y: y + 25, width: each, height: 18 }, memory, moment, []);
    return;
  }
  // A narrow strip has one below the other; without room for bars they are figures.
  [cpu, ...(hasMemory ? [memory] : [])].forEach((meter, i) => drawMeter(canvas, { x: left, y: y + (hasMemory ? 24 : 36) + i * 24, width: room, height: 13 }, meter, moment, []));
};

/** Room for name and size, and for a meter with a bar that can be read. */
const identityRoom = 306;
const meterRoom = 290;

interface Meter {
  readonly label: string;
  readonly value: string;
  readonly share: number;
}

/** What each service on it takes, cores, in the order of the picture. */
const sharesOf = (host: string, moment: Moment): readonly (readonly [string, number])[] =>
  moment.scene.run.system.services.filter((service) => service.host === host).map(({ name }) => [name, meanOf(instancesOf(moment, name).map(({ cpuCores }) => cpuCores.mean), moment)] as const);

/** Label, bar and value in one line, `y` its base; under the bar whose part is whose, where there is room. */
const drawMeter = (canvas: Canvas, { x, y, width, height }: Box, { label, value, share }: Meter, moment: Moment, parts: readonly (readonly [string, number])[]): void => {
  const { palette } = moment;
  const size = height > 14 ? 19 : 17;
  const valueRoom = Math.max(textWidth(value, size, 600), height > 14 ? 104 : 0);
  if (valueRoom > width) return;
  canvas.text(x + width, y, value, { size, weight: 600, anchor: 'end' });
  if (textWidth(label, 16, 400) + valueRoom + 12 > width) return;
  const labelEnd = canvas.text(x, y, label, { size: height > 14 ? 17 : 16, fill: palette.text2 }) + 10;
  const bar = { x: labelEnd, y: y - height / 2 - 6, width: x + width - labelEnd - valueRoom - 12, height };
  if (bar.width < 40) return;
  estimatedBar(canvas, bar, share, palette.hatch, palette);
  const text = parts.map(([name, cores]) => `${name} ${cores.toFixed(2)}`).join(' · ');
  if (parts.length > 1) canvas.text(labelEnd, y + 23, fitted(`≈ ${text}`, 16, 400, x + width - labelEnd), { size: 16, fill: palette.text3, room: x + width - labelEnd });
};
