import { numberAt } from '../../../src/study/columns.js';
import type { LoggedEvent, PictureLink, PictureService } from '../../../src/study/types.js';
import { drawBasis } from '../../look/basis-marks.js';
import { countdown } from '../../look/clock.js';
import type { Canvas } from '../../look/drawing.js';
import type { Mark } from '../../look/figure.js';
import { drawGlyph } from '../../look/glyphs.js';
import { count, perSecond } from '../../look/numbers.js';
import { countedBar, estimatedBar } from '../bars.js';
import { meanOf } from '../board/levels.js';
import { beliefAt, healthGlyph, isDown, isWronglyIn } from '../display-state.js';
import { fitted } from '../fit.js';
import { flowInWindow, linkFlow, outcomeBands, windowS, type LinkFlow } from '../flows.js';
import type { Box } from '../frame.js';
import { drawFraction } from '../lane-levels.js';
import { instanceOf, laneAt, progress, type Lane } from '../lane-state.js';
import { drawGround } from '../lane.js';
import { drawRibbon, type Band } from '../ribbon.js';
import type { Moment, Scene } from '../scene.js';
import { wholePercent } from '../whole-percent.js';
import { changesAt, type CompareMoment, type SideMoment } from './compare-scene.js';
import { drawBeside } from './beside.js';
import { drawChangedChip } from './panel-head.js';

/** Half the density of a lane stage: status, slots, queue, CPU, what comes in. From a lane's left edge. */
const column = { slots: { x: 200, width: 144 }, queue: { x: 362, width: 96 }, cpu: { x: 478, width: 60 } } as const;
const besideWidth = 132;
const ribbonRoom = 92;
const head = 34;
const lane = { height: 49, gap: 6 } as const;
const widest = 30;

export const drawHalfLanes = (canvas: Canvas, side: SideMoment, compare: CompareMoment): void => {
  const { moment } = side;
  const { system } = compare.scene.places.sides[side.index];
  const group = moment.scene.layout.group!;
  const service = moment.scene.run.system.services.find(({ name }) => name === group.service.name) ?? group.service;
  const x = system.x + besideWidth + ribbonRoom;
  const boxes = group.lanes.map((_, i): Box => ({ x, y: system.y + head + i * (lane.height + lane.gap), width: system.width - besideWidth - ribbonRoom, height: lane.height }));
  const callers = moment.scene.run.system.links.filter(({ callee }) => callee === service.name);
  const sources = drawBeside(canvas, { x: system.x, y: system.y + head, width: besideWidth, height: system.height - head }, service.name, side, compare);
  drawMarks(canvas, system, service.name, callers, side, compare);
  drawHeads(canvas, boxes[0], service, moment);
  drawRibbons(canvas, sources, boxes, callers, side, compare);
  // Another side may have more instances: their lanes stay empty here.
  boxes.slice(0, moment.scene.run.ticks.services[service.name].instances.length).forEach((box, i) => drawLane(laneAt(canvas, box, i, service, moment), callers));
  drawDeadEnds(canvas, boxes, callers, moment);
};

/** What is set otherwise here, on what it belongs to; left of the heads of the columns. */
const drawMarks = (canvas: Canvas, { x, y }: Box, group: string, callers: readonly PictureLink[], side: SideMoment, compare: CompareMoment): void => {
  const here = [
    ...callers.flatMap((link) => changesAt(compare, side.index, ({ kind, name }) => kind === 'link' && name === `${link.caller}.${link.callee}`).map((text) => `${link.caller} → ${link.callee}  ${text}`)),
    ...changesAt(compare, side.index, ({ kind, name }) => kind === 'service' && name === group).map((text) => `${group}  ${text}`),
    ...changesAt(compare, side.index, ({ kind, name }) => kind === 'link' && name.startsWith(`${group}.`)).map((text) => `${group}  ${text}`),
  ];
  if (here.length === 0) return;
  const more = here.length > 1 ? `  ${compare.words.moreChanges(here.length - 1)}` : '';
  drawChangedChip(canvas, x, y + 2, `${here[0]}${more}`, besideWidth + ribbonRoom + column.slots.x - 16, compare.palette);
};

const drawHeads = (canvas: Canvas, box: Box, service: PictureService, { palette, words }: Moment): void => {
  const label = ({ x, width }: { x: number; width: number }, mark: Mark, text: string, total: string): void => {
    drawBasis(canvas, mark, box.x + x + 7, box.y - 17, 13, palette.text2);
    canvas.runs(box.x + x + 20, box.y - 11, [{ text: mark === 'estimated' ? `≈ ${text}` : text, fill: palette.text2 }, { text: total && ` ${total}`, fill: palette.text3 }], { size: 16, room: width + 4 });
  };
  const of = (value: number | null): string => (value === null ? '' : words.of(count(value)));
  label(column.slots, 'counted', words.slots, of(service.slots));
  label({ ...column.queue, width: 90 }, 'counted', words.queue, service.queueLimit === null ? '' : count(service.queueLimit));
  if (service.cpus !== null) label(column.cpu, 'estimated', words.cpu, '');
};

const drawLane = (own: Lane, callers: readonly PictureLink[]): void => {
  const { canvas, box, index, state, moment, colors, kill } = own;
  const { palette, words } = moment;
  const { x, y } = box;
  drawGround(own);
  drawGlyph(canvas, healthGlyph(state), x + 27, y + 24, 21, { color: colors.fill, cut: kill || isDown(state) ? palette.onFailed : palette.s2, progress: progress(own) });
  const end = canvas.text(x + 48, y + 31, `#${index + 1}`, { size: 19, weight: 700, fill: state === 'off' ? palette.text3 : palette.text });
  const room = x + column.slots.x - 6 - end - 9;
  canvas.text(end + 9, y + 31, fitted(words.state[state], 18, 600, room), { size: 18, weight: 600, fill: colors.text, room: room + 1 });
  if (kill) drawKill(own, kill);
  else if (state === 'booting') drawBoot(own);
  else if (isDown(state)) drawDown(own);
  else if (state !== 'off') drawLevels(own);
  if (!kill && state !== 'off' && state !== 'booting') drawIncoming(own, callers);
};

const place = ({ box }: Lane, { x, width }: { readonly x: number; readonly width: number }) => ({ value: box.y + 20, size: 17, bar: { x: box.x + x, y: box.y + 26, width, height: 15 } });

const drawLevels = (own: Lane): void => {
  const { canvas, service, moment, state, colors } = own;
  const { palette, tick } = moment;
  const instance = instanceOf(own);
  const idle = numberAt(instance.slots.end, tick) + numberAt(instance.queue.end, tick) === 0;
  const ink = idle && (state === 'ejected' || state === 'joining') ? palette.text3 : palette.text;
  for (const [where, levels, total] of [[column.slots, instance.slots, service.slots], [column.queue, instance.queue, service.queueLimit]] as const) {
    drawFraction(canvas, place(own, where), meanOf([levels.mean], moment), total, ink);
    // Without a limit a bar would have no end that is the same on all sides.
    if (total !== null) countedBar(canvas, place(own, where).bar, Math.round(meanOf([levels.mean], moment)), total, colors.fill, palette);
  }
  if (service.cpus === null) return;
  const { bar, value, size } = place(own, column.cpu);
  canvas.text(bar.x, value, `≈${wholePercent(meanOf([instance.cpuCores.mean], moment) / service.cpus)}`, { size, weight: 500, fill: ink, room: bar.width });
  estimatedBar(canvas, bar, meanOf([instance.cpuCores.mean], moment) / service.cpus, palette.hatch, palette);
};

/** From the slots to beyond CPU, up to what comes in. */
const wide = { x: column.slots.x, width: 362 } as const;

const drawBoot = (own: Lane): void => {
  const { canvas, service, moment, colors } = own;
  const total = service.autoscale?.bootMs ?? service.recovery.afterMs;
  const { bar, value } = place(own, wide);
  const guess = service.autoscale?.bootBasis === 'assumed' || service.autoscale?.bootBasis === 'default';
  canvas.text(bar.x, value, moment.words.detail.bootLeft(countdown(numberAt(instanceOf(own).bootLeftMs, moment.tick), moment.lang), countdown(total, moment.lang), guess), { size: 17, weight: 600, fill: colors.text, room: bar.width });
  estimatedBar(canvas, bar, progress(own), colors.fill, moment.palette);
};

const drawDown = (own: Lane): void => {
  const { canvas, moment, state, colors, box } = own;
  const left = numberAt(instanceOf(own).downLeftMs, moment.tick);
  const { detail } = moment.words;
  canvas.text(box.x + wide.x, box.y + 31, state === 'dead' ? detail.gone : detail.restarting(countdown(left, moment.lang)), { size: 18, weight: 600, fill: colors.text, room: wide.width });
};

/** What was lost: the requests that it ran and kept waiting. */
const drawKill = ({ canvas, box, moment, service }: Lane, kill: LoggedEvent): void => {
  const { palette, words } = moment;
  const number = (key: string): number => Number(kill.data[key] ?? 0);
  const x = box.x + column.slots.x;
  const bar = { x, y: box.y + 17, width: 88, height: 15 };
  countedBar(canvas, bar, Math.min(16, number('running')), Math.min(16, Math.max(1, service.slots ?? number('running'))), palette.failed, palette);
  canvas.line(bar.x - 4, bar.y + 7.5, bar.x + bar.width + 2, bar.y + 7.5, { stroke: palette.text, strokeWidth: 3 });
  const end = canvas.text(x + 104, box.y + 34, words.lost(count(number('lost'))), { size: 28, weight: 800 });
  const room = box.x + box.width - 14 - end - 8;
  canvas.text(end + 8, box.y + 33, fitted(`${words.lostWord}: ${words.lostParts(count(number('running')), count(number('queued')))}`, 17, 600, room), { size: 17, weight: 600, fill: palette.failedText, room: room + 1 });
};

/** What comes to an instance and how it ends, at the lane's end. */
const drawIncoming = ({ canvas, box, index, moment, colors }: Lane, callers: readonly PictureLink[]): void => {
  const { palette, scene, window, words, tick } = moment;
  const flows = callers.map((link) => linkFlow(scene, link, { target: index }, window.from, window.to));
  const flow = flows.reduce((a, b) => ({ sent: a.sent + b.sent, good: a.good + b.good, declined: a.declined + b.declined, refused: a.refused + b.refused, failed: a.failed + b.failed }), none);
  const right = box.x + box.width - 12;
  const checked = callers.find((link) => link.health !== null);
  if (flow.sent === 0 && checked && beliefAt(scene, checked, index, tick) !== 'in') return void canvas.text(right, box.y + 30, words.checksOnly, { size: 16, fill: colors.text, anchor: 'end', room: 92 });
  const bad = badText(flow, moment);
  canvas.text(right, box.y + (bad ? 21 : 31), perSecond(flow.sent / windowS(moment)), { size: 19, weight: 600, fill: flow.sent === 0 ? palette.text3 : palette.text, anchor: 'end', room: 88 });
  if (bad) canvas.text(right, box.y + 41, bad.text, { size: 16, weight: 500, fill: bad.fill, anchor: 'end', room: 96 });
};
const none: LinkFlow = { sent: 0, good: 0, declined: 0, refused: 0, failed: 0 };

/** The worse half of how calls ended, in one short label. */
export const badText = ({ good, declined, refused, failed }: LinkFlow, { words, palette }: Pick<Moment, 'words' | 'palette'>): { readonly text: string; readonly fill: string } | null => {
  const ended = good + declined + refused + failed;
  if (refused + failed === 0) return null;
  if (failed === ended) return { text: words.allFailed, fill: palette.failedText };
  if (refused === ended) return { text: words.allRefused, fill: palette.refusedText };
  if (failed > 0) return { text: words.failedShare(wholePercent(failed / ended)), fill: palette.failedText };
  return { text: words.refusedShare(wholePercent(refused / ended)), fill: palette.refusedText };
};

/** One scale for all sides: the link that carries most anywhere is as wide as a lane leaves room for. */
const pxPerS = (scenes: readonly Scene[]): number => Math.min(...scenes.map((scene) => (scene.pxPerS * widest) / scene.frame.widestRibbon));

interface Strand {
  readonly box: Box;
  readonly i: number;
  readonly width: number;
  readonly bands: readonly Band[];
}
const probeWidth = 2.5;

const drawRibbons = (canvas: Canvas, sources: ReadonlyMap<string, Box>, boxes: readonly Box[], callers: readonly PictureLink[], { moment }: SideMoment, compare: CompareMoment): void => {
  const { scene, palette } = moment;
  const scale = pxPerS(compare.scene.scenes);
  const taken = boxes.map(() => 0);
  for (const link of callers) {
    const from = sources.get(link.caller);
    if (!from) continue;
    const strands = boxes.flatMap((box, i): readonly Strand[] => {
      const flow = flowInWindow(moment, link, { target: i });
      if (flow.sent > 0) {
        const width = Math.max(3, (flow.sent / windowS(moment)) * scale);
        return [{ box, i, width, bands: outcomeBands(flow, width, palette) }];
      }
      const { state, colors } = laneAt(canvas, box, i, scene.layout.group!.service, moment);
      return link.health !== null && state !== 'off' && state !== 'booting' ? [{ box, i, width: probeWidth, bands: [{ width: probeWidth, fill: colors.fill }] }] : [];
    });
    let y = from.y + from.height / 2 - (strands.reduce((sum, { width }) => sum + width, 0) + 2 * (strands.length - 1)) / 2;
    for (const { box, i, width, bands } of strands) {
      const start = { x: from.x + from.width, y: y + width / 2 };
      y += width + 2;
      const end = { x: box.x, y: box.y + box.height / 2 + taken[i] };
      if (callers.length > 1) taken[i] += width + 2;
      drawRibbon(canvas, [start, end], bands, ribbonRoom - 6);
    }
  }
};

/** Where calls end in a process that is not there. */
const drawDeadEnds = (canvas: Canvas, boxes: readonly Box[], callers: readonly PictureLink[], { scene, tick, palette }: Moment): void => {
  boxes.forEach((box, i) => {
    if (!callers.some((link) => isWronglyIn(scene, link, i, tick) && linkFlow(scene, link, { target: i }, tick, tick).sent > 0)) return;
    canvas.circle(box.x, box.y + box.height / 2, 14, { fill: palette.s1 });
    drawGlyph(canvas, 'restarting', box.x, box.y + box.height / 2, 22, { color: palette.failed, cut: palette.onFailed });
  });
};
