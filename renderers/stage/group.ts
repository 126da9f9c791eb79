import { numberAt } from '../../src/study/columns.js';
import type { InstanceState, PictureService } from '../../src/study/types.js';
import type { Mark } from '../look/figure.js';
import { drawBasis } from '../look/basis-marks.js';
import type { Canvas } from '../look/drawing.js';
import { drawGlyph } from '../look/glyphs.js';
import { clock, cores, count, span } from '../look/numbers.js';
import { textWidth } from '../look/text-width.js';
import { stateAt } from './display-state.js';
import { fitted } from './fit.js';
import { windowS } from './flows.js';
import { drawLane, laneColumns } from './lane.js';
import { shownLevels } from './lane-levels.js';
import type { PlacedGroup } from './layout.js';
import { wholePercent } from './whole-percent.js';
import type { Moment } from './scene.js';

/** The service whose instances are lanes, with its head and its autoscaler. */
export const drawGroup = (canvas: Canvas, group: PlacedGroup, moment: Moment): void => {
  const { palette, words, scene, lang } = moment;
  const { x, y, width, height } = group.box;
  canvas.rect(x, y, width, height, { fill: palette.s1, stroke: palette.line, radius: 12 });
  drawGlyph(canvas, group.service.kind, x + 33, y + 30, 26, { color: palette.text2, cut: palette.s1 });
  const service = inThisRun(group, moment);
  const titleRoom = service.autoscale ? 236 : width - 80;
  canvas.text(x + 56, y + 38, fitted(service.title[lang], 24, 700, titleRoom), { size: 24, weight: 700, room: titleRoom });
  canvas.text(x + 20, y + 64, machineText(service, moment), { size: 17, fill: palette.text3, room: 320 });
  if (service.autoscale) drawAutoscaler(canvas, group, moment);
  drawHeads(canvas, group, moment);
  // Another variant may have more instances: their lanes stay empty here.
  group.lanes.slice(0, scene.run.ticks.services[service.name].instances.length).forEach((lane, index) => drawLane(canvas, lane, index, service, moment));
  if (group.more > 0) canvas.text(x + 38, y + height - 12, words.moreInstances(group.more), { size: 17, fill: palette.text2, room: width - 60 });
};

/** The service as the moment's variant has it. */
export const inThisRun = ({ service }: PlacedGroup, { scene }: Moment): PictureService => scene.run.system.services.find(({ name }) => name === service.name) ?? service;

/** What an instance runs on, and how many of them there are. */
export const machineText = (service: PictureService, { words, board }: Moment): string =>
  [...(service.machine ? [board.machine(service.machine.name, cores(service.cpus ?? service.machine.cpus))] : []), service.autoscale ? words.most(service.instancesMax) : words.instances(service.instancesMax)].join(' · ');

const drawAutoscaler = (canvas: Canvas, { box, service }: PlacedGroup, moment: Moment): void => {
  const { palette, words } = moment;
  const right = box.x + box.width - 16;
  const { line, room, states } = fleetOf(service, moment);
  canvas.text(right, box.y + 36, line, { size: 20, weight: 600, anchor: 'end', room });
  const squares = Math.min(12, service.instancesMax);
  const x = right - room - 24 - squares * 20;
  const label = `≈ ${words.autoscaler}`;
  canvas.text(x - 14, box.y + 36, label, { size: 17, fill: palette.text2, anchor: 'end' });
  drawBasis(canvas, 'estimated', x - 14 - textWidth(label, 17) - 14, box.y + 30, 14, palette.text2);
  drawSquares(canvas, states.slice(0, squares), x, box.y + 20, moment);
  canvas.text(right, box.y + 64, decision(service.name, moment), { size: 17, fill: palette.text2, anchor: 'end', room: box.width - 360 });
};

/** How many instances are wanted, run and boot, in words; the place of the widest such line is kept. */
export const fleetOf = (service: PictureService, { scene, words, tick }: Moment): { readonly line: string; readonly room: number; readonly states: readonly InstanceState[] } => {
  const states = Array.from({ length: service.instancesMax }, (_, i) => stateAt(scene, service.name, i, tick));
  const booting = states.filter((state) => state === 'booting').length;
  const running = states.filter((state) => state === 'up' || state === 'draining').length;
  const desired = numberAt(scene.run.ticks.services[service.name].desired, tick);
  const room = textWidth(words.fleet(88, 88, 88).replace(/88/g, service.instancesMax > 9 ? '88' : '8'), 20, 600);
  return { line: words.fleet(desired, running, booting), room, states };
};

/** A square for each instance: hatched, since scaling is estimated. */
export const drawSquares = (canvas: Canvas, states: readonly InstanceState[], left: number, y: number, { palette }: Moment): void => {
  states.forEach((state, i) => {
    const paint =
      state === 'off' ? { stroke: palette.line2 }
      : state === 'down' ? { stroke: palette.failed }
      : state === 'booting' ? { stroke: palette.boot, fill: { color: palette.boot, ground: palette.hatchBg, period: 6, stripe: 2.6 } }
      : { stroke: palette.text2, fill: { color: palette.text2, ground: palette.s2, period: 4.6, stripe: 2.4 } };
    canvas.rect(left + i * 20, y, 15, 18, { ...paint, strokeWidth: 1.5, radius: 2 });
  });
};

/** The autoscaler's last decision and what it rested on; once that is past, where its metric stands against the target. */
export const decision = (name: string, moment: Moment): string => {
  const { scene, tick, words } = moment;
  const { autoscale } = scene.run.system.services.find((service) => service.name === name)!;
  if (!autoscale) return '';
  const level = (value: number): string => (autoscale.metric === 'queue' ? count(value) : wholePercent(value));
  const metric = { cpu: words.cpu, slots: words.slots, queue: words.queue }[autoscale.metric];
  const last = scene.run.eventLog.filter((event) => (event.kind === 'scale-out' || event.kind === 'scale-in') && event.subject === name && Math.floor(event.tMs / scene.tickMs) <= tick).at(-1);
  if (!last) return words.noDecision(metric, level(autoscale.target));
  const now = tick * scene.tickMs - last.tMs > autoscale.everyMs ? levelNow(name, moment) : null;
  if (now !== null) {
    const desired = numberAt(scene.run.ticks.services[name].desired, tick);
    const limit = now > autoscale.target && desired >= autoscale.max ? 'most' : now < autoscale.target && desired <= autoscale.min ? 'least' : null;
    return words.holds(metric, level(now), level(autoscale.target), limit, words.lastDecision(clock(last.tMs), Number(last.data['from']), Number(last.data['to'])));
  }
  const [from, to, value, target] = ['from', 'to', 'metric', 'target'].map((key) => Number(last.data[key])) as [number, number, number, number];
  return words.decision(clock(last.tMs), metric, level(value), level(target), last.kind === 'scale-out', from, to);
};

/**
 * Share of the CPU or the slots of what is up that was used, over the last interval of the autoscaler; null where the ticks do not tell. As a horizontal pod autoscaler sees it:
 * where that is above the target, one that is down counts as idle (Kubernetes, Horizontal Pod Autoscaling, "Algorithm details").
 */
const levelNow = (name: string, { scene, window }: Moment): number | null => {
  const service = scene.run.system.services.find((candidate) => candidate.name === name)!;
  const most = service.autoscale?.metric === 'cpu' ? service.cpus : service.autoscale?.metric === 'slots' ? service.slots : null;
  if (most === null || !service.autoscale) return null;
  let [used, available, down] = [0, 0, 0];
  for (let at = Math.max(0, window.to + 1 - Math.round(service.autoscale.everyMs / scene.tickMs)); at <= window.to; at++)
    scene.run.ticks.services[name].instances.forEach((instance, i) => {
      if (stateAt(scene, name, i, at) === 'down') down += most;
      if (stateAt(scene, name, i, at) !== 'up') return;
      used += numberAt((service.autoscale!.metric === 'cpu' ? instance.cpuCores : instance.slots).mean, at);
      available += most;
    });
  if (available === 0) return null;
  return used / available > service.autoscale.target ? used / (available + down) : used / available;
};

/** Labels of the columns, once for all lanes, with the mark of how their figures are known. */
const drawHeads = (canvas: Canvas, { box, lanes, service }: PlacedGroup, moment: Moment): void => {
  const { palette, words, window, lang } = moment;
  const shown = shownLevels(moment.scene, service.name);
  const columns = laneColumns(lanes[0].width, shown);
  const y = lanes[0].y - 12;
  const head = (column: { x: number; width: number }, mark: Mark, label: string, total: string, room: number): void => {
    drawBasis(canvas, mark, lanes[0].x + column.x + 7, y - 6, 14, palette.text2);
    canvas.runs(lanes[0].x + column.x + 20, y, [{ text: mark === 'estimated' ? `≈ ${label}` : label, weight: 500, fill: palette.text2 }, { text: total && ` ${total}`, fill: palette.text3 }], { size: 16, room });
  };
  if (window.to > window.from) canvas.text(lanes[0].x + 22, y, words.meanOf(span(windowS(moment) * 1000, lang)), { size: 16, fill: palette.text3, room: columns.slots.x - 40 });
  const of = (value: number | null): string => (value === null ? '' : words.of(count(value)));
  head(columns.slots, 'counted', words.slots, of(service.slots), columns.queue.x - columns.slots.x - 28);
  head(columns.queue, 'counted', words.queue, of(service.queueLimit), columns.cpu.x - columns.queue.x - 24);
  if (shown.cpu) head(columns.cpu, 'estimated', words.cpu, '', columns.memory.x - columns.cpu.x - 24);
  if (shown.memory) head(columns.memory, 'estimated', words.memory, service.memoryLimitBytes === null ? '' : words.of(shortGibibytes(service.memoryLimitBytes)), box.width - 32 - columns.memory.x);
};

export const shortGibibytes = (bytes: number): string => String(Number((bytes / 2 ** 30).toFixed(2)));
