import { at, numberAt } from '../../src/study/columns.js';
import type { Column, LoggedEvent, PictureService } from '../../src/study/types.js';
import type { DisplayState } from '../../src/text/stage.js';
import { countdown } from '../look/clock.js';
import type { Canvas } from '../look/drawing.js';
import { drawGlyph } from '../look/glyphs.js';
import { bytes, count } from '../look/numbers.js';
import { textWidth } from '../look/text-width.js';
import { countedBar, estimatedBar } from './bars.js';
import { beliefAt, displayState, healthColors, healthGlyph, isDown, killIn } from './display-state.js';
import type { Box } from './layout.js';
import { wholePercent } from './whole-percent.js';
import type { Moment, Scene } from './scene.js';

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

/** What the system models of an instance: nothing is said of a level that is 0 in every variant. */
export interface ShownLevels {
  readonly cpu: boolean;
  readonly memory: boolean;
}
export const shownLevels = ({ structure }: Scene, service: string): ShownLevels => {
  const peak = structure.peaks.services.get(service);
  return { cpu: (peak?.cpuCores ?? 0) > 0, memory: (peak?.memoryBytes ?? 0) > 0 };
};

/** One instance: health, slots and queue counted, CPU and memory estimated. `index` is 0-based. */
export const drawLane = (canvas: Canvas, box: Box, index: number, service: PictureService, moment: Moment): void => {
  const { palette, scene, tick } = moment;
  const real = displayState(scene, service.name, index, tick);
  const veiled = isVeiled(service.name, index, real, moment);
  const lane: Lane = { canvas, box, index, service, moment, state: real, veiled, colors: veiled ? { fill: palette.text3, text: palette.text2 } : healthColors(palette, real), kill: killIn(scene, service.name, index, tick) };
  drawGround(lane);
  drawIdentity(lane);
  if (veiled) return;
  if (lane.kill) drawKill(lane, lane.kill);
  else if (real === 'booting') drawBoot(lane);
  else if (real !== 'off') drawLevels(lane);
};

interface Lane {
  readonly canvas: Canvas;
  readonly box: Box;
  readonly index: number;
  readonly service: PictureService;
  readonly moment: Moment;
  readonly state: DisplayState;
  readonly veiled: boolean;
  readonly colors: { readonly fill: string; readonly text: string };
  readonly kill: LoggedEvent | undefined;
}

/** The service or the instance is asked about; or who is in rotation is asked, and this state would tell. */
const isVeiled = (service: string, index: number, state: DisplayState, { veil, lit, scene }: Moment): boolean => {
  const name = `${service}.${index + 1}`;
  if (lit.has(name)) return false;
  if (veil.has(service) || veil.has(name)) return true;
  const tells = state === 'ejected' || state === 'joining';
  return tells && scene.run.system.links.some((link) => link.callee === service && link.health !== null && veil.has(link.caller));
};

const ringByAge = [0.45, 0.45, 0.25, 0.1];

const drawGround = ({ canvas, box, index, service, moment, state, veiled, colors, kill }: Lane): void => {
  const { palette, scene, tick } = moment;
  const { x, y, width, height } = box;
  const age = veiled ? -1 : ringByAge.findIndex((_, back) => tick - back >= 0 && killIn(scene, service.name, index, tick - back) !== undefined);
  if (age >= 0) canvas.rect(x - 6, y - 6, width + 12, height + 12, { stroke: palette.failed, strokeWidth: 3, radius: 13, opacity: ringByAge[age] });
  if (state === 'off') canvas.rect(x, y, width, height, { stroke: palette.line, strokeWidth: 1.5, radius: 8 });
  else if (kill && !veiled) canvas.rect(x, y, width, height, { fill: palette.failedBg, stroke: palette.failed, strokeWidth: 3.5, radius: 8 });
  else {
    canvas.rect(x, y, width, height, { fill: palette.s2, radius: 8 });
    canvas.rect(x, y, 6, height, { fill: colors.fill, radius: 3 });
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

const instanceOf = ({ moment, service, index }: Lane) => moment.scene.run.ticks.services[service.name].instances[index];

const progress = (lane: Lane): number => {
  const { state, moment, service } = lane;
  if (state === 'joining') return 0.9;
  const total = service.autoscale?.bootMs ?? service.recovery.afterMs;
  return total > 0 ? 1 - numberAt(instanceOf(lane).bootLeftMs, moment.tick) / total : 0;
};

const detailOf = (lane: Lane): string => {
  const { state, moment, service, index } = lane;
  const { words, lang, scene, tick } = moment;
  const { detail } = words;
  const instance = instanceOf(lane);
  const link = scene.run.system.links.find((candidate) => candidate.callee === service.name && candidate.health !== null);
  const warmUpLeft = numberAt(instance.warmUpLeftMs, tick);
  const passed = link ? numberAt(scene.run.ticks.links[`${link.caller}.${link.callee}`].targets[index].probesTowards, tick) : 0;
  switch (state) {
    case 'saturated':
      return numberAt(instance.throttled, tick) > 0 ? detail.quota(wholePercent(numberAt(instance.throttled, tick))) : warmUpLeft > 0 ? detail.warming(countdown(warmUpLeft, lang)) : detail.saturated;
    case 'warming':
      return detail.warming(countdown(warmUpLeft, lang));
    case 'killed':
      return detail.killed(bytes(Number(lane.kill?.data['limitBytes'] ?? service.memoryLimitBytes ?? 0)));
    case 'crashed':
      return detail.crashed;
    case 'restarting': {
      const left = numberAt(instance.downLeftMs, tick);
      return detail.restarting(countdown(left, lang));
    }
    case 'dead':
      return detail.gone;
    case 'ejected':
      return beliefsOf(lane).includes('ejected') ? detail.outlier : detail.checks(passed, link?.health?.healthyAfter ?? 1);
    case 'joining':
      return detail.checks(passed, 1);
    case 'booting':
      return detail.booting(link !== undefined);
    case 'draining':
      return detail.draining(count(numberAt(instance.slots.end, tick)));
    case 'off':
      return detail.off(index + 1);
    case 'frozen':
      return detail.frozen;
    case 'healthy':
      return link && beliefAt(scene, link, index, tick) === 'in' ? detail.healthy : '';
  }
};

const beliefsOf = ({ moment: { scene, tick }, service, index }: Lane): readonly string[] => scene.run.system.links.filter(({ callee }) => callee === service.name).map((link) => beliefAt(scene, link, index, tick));

/** Where the bars of a lane are. */
const barOf = ({ box }: Lane, column: { x: number; width: number }): Box => ({ x: box.x + column.x, y: box.y + box.height - 38, width: column.width, height: 22 });
const valueY = ({ box }: Lane): number => box.y + box.height - 50;

const drawBoot = (lane: Lane): void => {
  const { canvas, box, moment, service, colors } = lane;
  const columns = laneColumns(box.width);
  const total = service.autoscale?.bootMs ?? service.recovery.afterMs;
  const left = numberAt(instanceOf(lane).bootLeftMs, moment.tick);
  const bar = barOf(lane, { x: columns.slots.x, width: columns.memory.x + columns.memory.width - columns.slots.x });
  estimatedBar(canvas, bar, progress(lane), colors.fill, moment.palette);
  const guess = service.autoscale?.bootBasis === 'assumed' || service.autoscale?.bootBasis === 'default';
  canvas.text(bar.x, valueY(lane), moment.words.detail.bootLeft(countdown(left, moment.lang), countdown(total, moment.lang), guess), { size: 19, weight: 600, fill: colors.text, room: bar.width });
};

const drawKill = (lane: Lane, kill: LoggedEvent): void => {
  const { canvas, box, moment, service } = lane;
  const { palette, words } = moment;
  const columns = laneColumns(box.width);
  const [running, queued, lost] = ['running', 'queued', 'lost'].map((key) => Number(kill.data[key] ?? 0)) as [number, number, number];
  for (const [column, value, total] of [[columns.slots, running, service.slots], [columns.queue, queued, service.queueLimit]] as const) {
    const bar = barOf(lane, column);
    fraction(lane, column, value, total, palette.failedText);
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

const drawLevels = (lane: Lane): void => {
  const { canvas, moment, service, state, colors } = lane;
  const { palette } = moment;
  const shown = shownLevels(moment.scene, service.name);
  const columns = laneColumns(lane.box.width, shown);
  const instance = instanceOf(lane);
  if (isDown(state)) {
    for (const column of [columns.slots, columns.queue, ...(shown.cpu ? [columns.cpu] : []), ...(shown.memory ? [columns.memory] : [])]) {
      canvas.text(lane.box.x + column.x, valueY(lane), '–', { size: 20, weight: 600, fill: palette.text3 });
      const bar = barOf(lane, column);
      canvas.rect(bar.x, bar.y, bar.width, bar.height, { fill: palette.s3, radius: 2 });
    }
    return;
  }
  // One that is out and idle recedes; while its balancer fails open it works like any other.
  const idle = numberAt(instance.slots.end, moment.tick) + numberAt(instance.queue.end, moment.tick) === 0;
  const quiet = idle && (state === 'ejected' || state === 'joining');
  const ink = quiet ? palette.text3 : palette.text;
  const most = moment.scene.run.services[service.name]?.instances[lane.index];
  for (const [column, levels, total, peak] of [[columns.slots, instance.slots, service.slots, most?.slots.max], [columns.queue, instance.queue, service.queueLimit, most?.queue.max]] as const) {
    fraction(lane, column, averaged(levels.end, moment), total, ink);
    countedBar(canvas, barOf(lane, column), numberAt(levels.end, moment.tick), total ?? Math.max(1, peak ?? 1), colors.fill, palette);
  }
  if (shown.cpu) drawCpu(lane, ink, columns.cpu);
  if (shown.memory) drawMemory(lane, ink, columns.memory);
};

const drawCpu = (lane: Lane, ink: string, column: { x: number; width: number }): void => {
  const { canvas, moment, service, box } = lane;
  const instance = instanceOf(lane);
  const cap = service.cpus;
  const value = averaged(instance.cpuCores.mean, moment);
  const text = cap === null ? `≈${value.toFixed(2)}` : `≈${wholePercent(value / cap)}`;
  canvas.text(box.x + column.x + textWidth('≈100%', 20, 500), valueY(lane), text, { size: 20, weight: 500, fill: ink, anchor: 'end' });
  const peak = cap ?? Math.max(1, moment.scene.run.services[service.name]?.instances[lane.index]?.cpuCores.max ?? 1);
  estimatedBar(canvas, barOf(lane, column), numberAt(instance.cpuCores.mean, moment.tick) / peak, moment.palette.hatch, moment.palette);
};

const drawMemory = (lane: Lane, ink: string, column: { x: number; width: number }): void => {
  const { canvas, moment, service, box } = lane;
  const instance = instanceOf(lane);
  const limit = service.memoryLimitBytes;
  const scale = limit ?? Math.max(1, moment.scene.run.services[service.name]?.instances[lane.index]?.memoryBytes.max ?? 1);
  canvas.text(box.x + column.x, valueY(lane), `≈${memory(averaged(instance.memoryBytes.end, moment), scale)}`, { size: 20, weight: 500, fill: ink, room: column.width });
  estimatedBar(canvas, barOf(lane, column), numberAt(instance.memoryBytes.end, moment.tick) / scale, moment.palette.hatch, moment.palette, limit !== null);
};

/** One unit for all values of a column, decimals always written: values never move sideways. */
const memory = (value: number, scale: number): string => (scale >= 2 ** 30 ? `${(value / 2 ** 30).toFixed(2)} GiB` : `${(value / 2 ** 20).toFixed(0)} MiB`);

/** `9/40`, the digits of the level kept as wide as those of the limit, so that the slash stands still. */
const fraction = (lane: Lane, column: { x: number }, value: number, total: number | null, fill: string): void => {
  const { canvas, box } = lane;
  const shown = count(Math.round(value));
  if (total === null) {
    canvas.text(box.x + column.x, valueY(lane), shown, { size: 20, weight: 600, fill });
    return;
  }
  const slash = box.x + column.x + textWidth('8'.repeat(count(total).length), 20, 600);
  canvas.text(slash, valueY(lane), shown, { size: 20, weight: 600, fill, anchor: 'end' });
  canvas.text(slash, valueY(lane), `/${count(total)}`, { size: 20, weight: 600, fill });
};

/** Mean over the moment's window; where numbers change every tick, the tick's own value. */
const averaged = (column: Column, { window }: Moment): number => {
  let sum = 0;
  for (let tick = window.from; tick <= window.to; tick++) sum += at(column, tick) ?? 0;
  return sum / (window.to - window.from + 1);
};
