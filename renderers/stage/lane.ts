import { numberAt } from '../../src/study/columns.js';
import type { LoggedEvent, PictureService } from '../../src/study/types.js';
import { countdown } from '../look/clock.js';
import type { Canvas } from '../look/drawing.js';
import { drawGlyph } from '../look/glyphs.js';
import { count } from '../look/numbers.js';
import { countedBar, estimatedBar } from './bars.js';
import { healthGlyph, isDown, killIn } from './display-state.js';
import type { Box } from './frame.js';
import { drawFraction, drawLevels, shownLevels, type LevelPlace, type LevelPlaces, type ShownLevels } from './lane-levels.js';
import { detailOf, instanceOf, laneAt, progress, type Lane } from './lane-state.js';
import type { Moment } from './scene.js';

/** Places of a lane's columns, from its left edge. */
export const laneColumns = (width: number, shown: ShownLevels = { cpu: true, memory: true }): Readonly<Record<'slots' | 'queue' | 'cpu' | 'memory', { readonly x: number; readonly width: number }>> => {
  const short = Math.max(0, 914 - width);
  const slots = { x: 262, width: 192 - Math.round(short * 0.5) };
  const queue = { x: slots.x + slots.width + 28, width: 128 - Math.round(short * 0.12) };
  const cpu = { x: queue.x + queue.width + 28, width: 98 - Math.round(short * 0.16) };
  const right = width - 16;
  // Without memory, CPU has the room of both.
  if (!shown.memory) return { slots, queue, cpu: { ...cpu, width: right - cpu.x }, memory: { x: right, width: 0 } };
  return { slots, queue, cpu, memory: { x: cpu.x + cpu.width + 28, width: right - (cpu.x + cpu.width + 28) } };
};

/** One instance: health, slots and queue counted, CPU and memory estimated. `index` is 0-based. */
export const drawLane = (canvas: Canvas, box: Box, index: number, service: PictureService, moment: Moment): void => {
  const lane = laneAt(canvas, box, index, service, moment);
  drawGround(lane);
  drawIdentity(lane);
  if (lane.veiled) return;
  if (lane.kill) drawKill(lane, lane.kill);
  else if (lane.state === 'booting') drawBoot(lane);
  else if (lane.state !== 'off') drawLevels(lane, placesOf(box, laneColumns(box.width, shownLevels(moment.scene, service.name))));
};

const ringByAge = [0.45, 0.45, 0.25, 0.1];

/** The ground of a lane; in the tick of a kill its own, with a ring that decays over the next ticks. */
export const drawGround = ({ canvas, box, index, service, moment, state, veiled, colors, kill }: Lane): void => {
  const { palette, scene, tick } = moment;
  const { x, y, width, height } = box;
  const age = veiled ? -1 : ringByAge.findIndex((_, back) => tick - back >= 0 && killIn(scene, service.name, index, tick - back) !== undefined);
  if (age >= 0) canvas.rect(x - 6, y - 6, width + 12, height + 12, { stroke: palette.failed, strokeWidth: 3, radius: 13, opacity: ringByAge[age] });
  if (state === 'off') canvas.rect(x, y, width, height, { stroke: palette.line, strokeWidth: 1.5, radius: 8 });
  else if (kill && !veiled) canvas.rect(x, y, width, height, { fill: palette.failedBg, stroke: palette.failed, strokeWidth: 3.5, radius: 8 });
  else {
    canvas.rect(x, y, width, height, { fill: palette.s2, radius: 8 });
    // The edge that calls come to.
    if (scene.frame.calls === 'down') canvas.rect(x, y, width, 6, { fill: colors.fill, radius: 3 });
    else canvas.rect(x, y, 6, height, { fill: colors.fill, radius: 3 });
  }
};

const drawIdentity = (lane: Lane): void => {
  const { canvas, box, index, moment, state, veiled, colors, kill } = lane;
  const { palette, words } = moment;
  const { x, y } = box;
  const columns = laneColumns(box.width);
  if (!veiled) drawGlyph(canvas, healthGlyph(state), x + 34, y + 27, state === 'off' ? 22 : 27, { color: colors.fill, cut: kill || isDown(state) ? palette.onFailed : palette.s2, progress: progress(lane) });
  const end = canvas.text(x + 60, y + 35, `#${index + 1}`, { size: 24, weight: 700, fill: state === 'off' ? palette.text3 : palette.text });
  canvas.text(end + 12, y + 35, veiled ? '?' : words.state[state], { size: veiled ? 24 : 21, weight: veiled ? 800 : 600, fill: colors.text, room: x + columns.slots.x - 8 - end - 12 });
  const detail = veiled ? '' : detailOf(lane);
  if (box.height >= 70) canvas.text(x + 22, y + box.height - 16, detail, { size: 17, fill: kill ? palette.failedText : state === 'off' ? palette.text3 : palette.text2, room: columns.slots.x - 30 });
};

/** Where a level of a column is: its value above its bar. */
const placeIn = (box: Box, column: { x: number; width: number }): LevelPlace => ({ value: box.y + box.height - 50, size: 20, bar: { x: box.x + column.x, y: box.y + box.height - 38, width: column.width, height: 22 } });
const placesOf = (box: Box, { slots, queue, cpu, memory }: ReturnType<typeof laneColumns>): LevelPlaces => ({ slots: placeIn(box, slots), queue: placeIn(box, queue), cpu: placeIn(box, cpu), memory: placeIn(box, memory) });

const drawBoot = (lane: Lane): void => {
  const { canvas, box, moment, service, colors } = lane;
  const columns = laneColumns(box.width);
  const total = service.autoscale?.bootMs ?? service.recovery.afterMs;
  const left = numberAt(instanceOf(lane).bootLeftMs, moment.tick);
  const { bar, value } = placeIn(box, { x: columns.slots.x, width: columns.memory.x + columns.memory.width - columns.slots.x });
  estimatedBar(canvas, bar, progress(lane), colors.fill, moment.palette);
  const guess = service.autoscale?.bootBasis === 'assumed' || service.autoscale?.bootBasis === 'default';
  canvas.text(bar.x, value, moment.words.detail.bootLeft(countdown(left, moment.lang), countdown(total, moment.lang), guess), { size: 19, weight: 600, fill: colors.text, room: bar.width });
};

const drawKill = (lane: Lane, kill: LoggedEvent): void => {
  const { canvas, box, moment, service } = lane;
  const { palette, words } = moment;
  const columns = laneColumns(box.width);
  const [running, queued, lost] = ['running', 'queued', 'lost'].map((key) => Number(kill.data[key] ?? 0)) as [number, number, number];
  for (const [column, value, total] of [[columns.slots, running, service.slots], [columns.queue, queued, service.queueLimit]] as const) {
    const place = placeIn(box, column);
    const { bar } = place;
    drawFraction(canvas, place, value, total, palette.failedText);
    countedBar(canvas, bar, value, total ?? Math.max(1, value), palette.failed, palette);
    const end = bar.x + bar.width * (total === null ? 1 : Math.min(1, value / Math.max(1, total)));
    if (value > 0) canvas.line(bar.x - 5, bar.y + 11, end + 3, bar.y + 11, { stroke: palette.text, strokeWidth: 3 });
  }
  const x = box.x + columns.cpu.x - 4;
  const middle = box.y + box.height / 2 + 4;
  const end = canvas.text(x, middle, words.lost(count(lost)), { size: 42, weight: 800 });
  canvas.text(end + 10, middle, words.lostWord, { size: 24, weight: 700, fill: palette.failedText, room: box.x + box.width - 14 - end - 10 });
  canvas.text(x + 2, middle + 25, words.lostParts(count(running), count(queued)), { size: 18, fill: palette.text2, room: box.x + box.width - 14 - x });
};
