import { numberAt } from '../../src/study/columns.js';
import type { Canvas } from '../look/drawing.js';
import { count } from '../look/numbers.js';
import { textWidth } from '../look/text-width.js';
import { countedBar, estimatedBar } from './bars.js';
import { meanOf } from './board/levels.js';
import { isDown } from './display-state.js';
import type { Box } from './frame.js';
import { instanceOf, type Lane } from './lane-state.js';
import type { Scene } from './scene.js';
import type { Structure } from './structure.js';
import { wholePercent } from './whole-percent.js';

/** Where a level stands: the base line of its value, the size of its type, its bar. */
export interface LevelPlace {
  readonly value: number;
  readonly size: number;
  readonly bar: Box;
}
export type LevelPlaces = Readonly<Record<'slots' | 'queue' | 'cpu' | 'memory', LevelPlace>>;

/** What the system models of an instance: nothing is said of a level that is 0 in every variant. */
export interface ShownLevels {
  readonly cpu: boolean;
  readonly memory: boolean;
}
export const shownLevels = ({ structure }: Scene, service: string): ShownLevels => shownOf(structure, service);
export const shownOf = ({ peaks }: Structure, service: string): ShownLevels => {
  const peak = peaks.services.get(service);
  return { cpu: (peak?.cpuCores ?? 0) > 0, memory: (peak?.memoryBytes ?? 0) > 0 };
};

/** Slots and queue counted, CPU and memory estimated: each a value over its bar, at its place. */
export const drawLevels = (lane: Lane, places: LevelPlaces): void => {
  const { canvas, moment, service, state, colors } = lane;
  const { palette } = moment;
  const shown = shownLevels(moment.scene, service.name);
  const instance = instanceOf(lane);
  if (isDown(state)) {
    for (const place of [places.slots, places.queue, ...(shown.cpu ? [places.cpu] : []), ...(shown.memory ? [places.memory] : [])]) {
      canvas.text(place.bar.x, place.value, '–', { size: place.size, weight: 600, fill: palette.text3 });
      canvas.rect(place.bar.x, place.bar.y, place.bar.width, place.bar.height, { fill: palette.s3, radius: 2 });
    }
    return;
  }
  // One that is out and idle recedes; while its balancer fails open it works like any other.
  const idle = numberAt(instance.slots.end, moment.tick) + numberAt(instance.queue.end, moment.tick) === 0;
  const quiet = idle && (state === 'ejected' || state === 'joining');
  const ink = quiet ? palette.text3 : palette.text;
  const most = moment.scene.run.services[service.name]?.instances[lane.index];
  for (const [place, levels, total, peak] of [[places.slots, instance.slots, service.slots, most?.slots.max], [places.queue, instance.queue, service.queueLimit, most?.queue.max]] as const) {
    const level = meanOf([levels.mean], moment);
    drawFraction(canvas, place, level, total, ink);
    countedBar(canvas, place.bar, Math.round(level), total ?? Math.max(1, peak ?? 1), colors.fill, palette);
  }
  if (shown.cpu) drawCpu(lane, ink, places.cpu);
  if (shown.memory) drawMemory(lane, ink, places.memory);
};

const drawCpu = (lane: Lane, ink: string, place: LevelPlace): void => {
  const { canvas, moment, service } = lane;
  const instance = instanceOf(lane);
  const cap = service.cpus;
  const value = meanOf([instance.cpuCores.mean], moment);
  const text = cap === null ? `≈${value.toFixed(2)}` : `≈${wholePercent(value / cap)}`;
  canvas.text(place.bar.x + textWidth('≈100%', place.size, 500), place.value, text, { size: place.size, weight: 500, fill: ink, anchor: 'end' });
  const peak = cap ?? Math.max(1, moment.scene.run.services[service.name]?.instances[lane.index]?.cpuCores.max ?? 1);
  estimatedBar(canvas, place.bar, value / peak, moment.palette.hatch, moment.palette);
};

const drawMemory = (lane: Lane, ink: string, place: LevelPlace): void => {
  const { canvas, moment, service } = lane;
  const instance = instanceOf(lane);
  const limit = service.memoryLimitBytes;
  const scale = limit ?? Math.max(1, moment.scene.run.services[service.name]?.instances[lane.index]?.memoryBytes.max ?? 1);
  const value = meanOf([instance.memoryBytes.end], moment);
  canvas.text(place.bar.x, place.value, `≈${memory(value, scale)}`, { size: place.size, weight: 500, fill: ink, room: place.bar.width });
  estimatedBar(canvas, place.bar, value / scale, moment.palette.hatch, moment.palette, limit !== null);
};

/** One unit for all values of a column, decimals always written: values never move sideways. */
const memory = (value: number, scale: number): string => (scale >= 2 ** 30 ? `${(value / 2 ** 30).toFixed(2)} GiB` : `${(value / 2 ** 20).toFixed(0)} MiB`);

/** `9/40`, the digits of the level kept as wide as those of the limit, so that the slash stands still. */
export const drawFraction = (canvas: Canvas, { bar: { x }, value: y, size }: LevelPlace, value: number, total: number | null, fill: string): void => {
  const shown = count(Math.round(value));
  if (total === null) {
    canvas.text(x, y, shown, { size, weight: 600, fill });
    return;
  }
  const slash = x + textWidth('8'.repeat(count(total).length), size, 600);
  canvas.text(slash, y, shown, { size, weight: 600, fill, anchor: 'end' });
  canvas.text(slash, y, `/${count(total)}`, { size, weight: 600, fill });
};
