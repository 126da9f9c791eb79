import type { PictureLink } from '../../src/study/types.js';
import type { Canvas } from '../look/drawing.js';
import { drawGlyph } from '../look/glyphs.js';
import { count, perSecond } from '../look/numbers.js';
import { coordinate } from '../look/drawing.js';
import { beliefAt, displayState, healthColors, isWronglyIn, killIn, stateAt } from './display-state.js';
import { flowInWindow, linkFlow, outcomeBands, ribbonWidth, windowS, type LinkFlow } from './flows.js';
import { wrapped } from './fit.js';
import { alongCalls, type Box, type Frame } from './frame.js';
import type { PlacedNode } from './layout.js';
import { besideHeight } from './portrait/lane-places.js';
import { wholePercent } from './whole-percent.js';
import { bendLength, drawRibbon, turned, type Band, type Point } from './ribbon.js';
import type { Moment, Scene } from './scene.js';

/** All links as ribbons, wide by rate, in bands by outcome; drawn before lanes and nodes. */
export const drawLinks = (canvas: Canvas, moment: Moment): void => {
  const strands = moment.scene.run.system.links.flatMap((link) => strandsOf(link, moment));
  const starts = stacked(strands, (strand) => strand.link.caller + (strand.fromLane ?? ''), (strand) => channel(strand, moment)[0]?.y ?? strand.end.y);
  const ends = stacked(strands, (strand) => strand.link.callee + (strand.toLane ?? ''), (strand) => strand.start.y);
  const drawn = strands.map((strand, i) => ({ strand, i, passes: channel(strand, moment).length > 0 }));
  // What only passes lies under what ends here.
  for (const { strand, i } of drawn.toSorted((a, b) => Number(b.passes) - Number(a.passes))) drawStrand(canvas, strand, starts.get(i)!, ends.get(i)!, moment);
  drawLaneLabels(canvas, strands, moment);
};

/** Labels stand before the group's edge, above and below what ends in a lane (beside it, where calls run down); where several links do, their sum. */
const drawLaneLabels = (canvas: Canvas, strands: readonly Strand[], moment: Moment): void => {
  const { layout: { group }, frame } = moment.scene;
  group?.lanes.forEach((lane, i) => {
    const here = strands.filter((strand) => strand.toLane === i);
    const width = widestAtLane(moment.scene);
    const labels = here.length === 1 ? here[0].labels : summedLabels(here, moment);
    if (frame.calls === 'down') return drawBeside(canvas, labels, lane.x + laneInset + Math.max(width, deadRadius.down + width / 2) + besideGap, group.box.y, lane.x + lane.width + 6, group.lanes.length);
    const middle = lane.y + lane.height / 2;
    for (const label of labels) {
      if (!label.above && lane.height < lowestWithTwoLabels) continue;
      const y = label.above ? middle - width / 2 - (label.strong ? 7 : 8) : middle + width / 2 + 19;
      canvas.text(group.box.x - labelInset, y, label.text, { size: label.strong ? 20 : 16, weight: label.strong ? 600 : 500, fill: label.fill, anchor: 'end' });
    }
  });
};
/** Words end before the mark of a link that ends in a process that is gone. */
const labelInset = 20;
const gapInStack = 2;

/** Where calls run down, a ribbon enters a lane so far from its left edge: the room right of it is for words. */
const laneInset = 3;
const besideGap = 4;

const drawBeside = (canvas: Canvas, labels: Strand['labels'], x: number, bottom: number, right: number, lanes: number): void => {
  const lines = labels.flatMap(({ text, strong, fill }) => {
    const style = { size: strong ? (lanes > 3 ? 18 : 20) : 16, weight: strong ? 600 : 500, fill } as const;
    return wrapped(text, style.size, style.weight, right - x).map((line) => ({ line, style }));
  });
  // Four lines stand closer than three.
  const [first, pitch] = lines.length > 3 ? [bottom - 50, 15.2] : [bottom - besideHeight + 15, 19];
  lines.forEach(({ line, style }, i) => canvas.text(x, first + i * pitch, line, { ...style, room: right - x }));
};

/** Width of the widest ribbon (or stack of them) that ends in a lane in the whole film: labels that keep clear of it never hop. */
const widestAtLane = (scene: Scene): number => {
  let widest = widestLanes.get(scene);
  if (widest === undefined) {
    const { group } = scene.layout;
    const links = scene.run.system.links.filter(({ callee, caller }) => callee === group?.service.name && scene.layout.nodes.some(({ name }) => name === caller));
    widest = 0;
    for (let tick = 0; tick < scene.run.ticks.count; tick++)
      group?.lanes.forEach((_, i) => {
        const widths = links.map((link) => linkFlow(scene, link, { target: i }, tick, tick).sent).filter((sent) => sent > 0).map((sent) => ribbonWidth(scene, (sent * 1000) / scene.tickMs));
        widest = Math.max(widest!, widths.reduce((sum, width) => sum + width, 0) + gapInStack * Math.max(0, widths.length - 1));
      });
    widestLanes.set(scene, widest);
  }
  return widest;
};
const widestLanes = new WeakMap<Scene, number>();
const lowestWithTwoLabels = 64;

const summedLabels = (strands: readonly Strand[], moment: Moment): Strand['labels'] => {
  const sent = strands.reduce((sum, strand) => sum + strand.sent, 0);
  return strands.length === 0 ? [] : [{ text: perSecond(sent / windowS(moment)), fill: moment.palette.text, above: true, strong: true }];
};

const deadRadius = { across: 18, down: 14 } as const;

/** Where a link ends in a dead process: the mark on the group's edge, above lanes and ribbons. */
export const drawDeadEnds = (canvas: Canvas, moment: Moment): void => {
  const { scene, tick, palette } = moment;
  const group = scene.layout.group;
  if (!group) return;
  for (const link of scene.run.system.links.filter(({ callee, caller }) => callee === group.service.name && !moment.veil.has(caller)))
    group.lanes.forEach((lane, i) => {
      const killed = killIn(scene, group.service.name, i, tick) !== undefined && linkFlow(scene, link, { target: i }, tick, tick).failed > 0;
      const wrongly = isWronglyIn(scene, link, i, tick) && linkFlow(scene, link, { target: i }, tick, tick).sent > 0;
      if (!killed && !wrongly) return;
      const { x, y } = seen({ x: alongCalls(scene.frame, group.box).x, y: laneEntry(lane, scene) }, scene.frame);
      const r = deadRadius[scene.frame.calls];
      canvas.circle(x, y, r, { fill: palette.bg });
      drawGlyph(canvas, killed ? 'killed' : 'restarting', x, y, r * 2 - (killed ? 4 : 8), { color: palette.failed, cut: palette.onFailed });
    });
};

/** One ribbon: a link, or its part to or from one lane. Its points are as calls see them: x along them, y across. */
interface Strand {
  readonly link: PictureLink;
  readonly toLane?: number;
  readonly fromLane?: number;
  readonly start: Point;
  readonly end: Point;
  readonly width: number;
  readonly bands: readonly Band[];
  /** Calls in the moment's window. */
  readonly sent: number;
  /** What is written where it ends; only at lanes. */
  readonly labels: readonly { readonly text: string; readonly fill: string; readonly above: boolean; readonly strong: boolean }[];
}

const strandsOf = (link: PictureLink, moment: Moment): readonly Strand[] => {
  const { layout } = moment.scene;
  const group = layout.group;
  const caller = layout.nodes.find(({ name }) => name === link.caller);
  const callee = layout.nodes.find(({ name }) => name === link.callee);
  if (group?.service.name === link.callee && caller) return group.lanes.flatMap((lane, i) => toLane(link, caller, lane, i, moment) ?? []);
  if (group?.service.name === link.caller && callee) return group.lanes.flatMap((lane, i) => fromLane(link, lane, i, callee, moment) ?? []);
  if (!caller || !callee || alongCalls(moment.scene.frame, callee.box).x <= alongCalls(moment.scene.frame, caller.box).x) return [];
  return [between(link, caller, callee, moment)];
};

const between = (link: PictureLink, caller: PlacedNode, callee: PlacedNode, moment: Moment): Strand => {
  const flow = flowInWindow(moment, link, 'all');
  const width = ribbonWidth(moment.scene, flow.sent / windowS(moment));
  // What goes to a balancer has no outcome yet.
  const bands = callee.rotation || moment.veil.has(link.caller) ? [{ width, fill: moment.palette.trunk }] : outcomeBands(flow, width, moment.palette);
  const { frame } = moment.scene;
  return { link, start: outOf(caller.box, frame), end: intoOf(callee.box, frame), width, bands, sent: flow.sent, labels: [] };
};

const fromLane = (link: PictureLink, lane: Box, i: number, callee: PlacedNode, moment: Moment): Strand | null => {
  const { scene, palette } = moment;
  const flow = flowInWindow(moment, link, { caller: i });
  if (flow.sent === 0) return null;
  const width = ribbonWidth(scene, flow.sent / windowS(moment));
  return { link, fromLane: i, start: outOf(lane, scene.frame), end: intoOf(callee.box, scene.frame), width, bands: outcomeBands(flow, width, palette), sent: flow.sent, labels: [] };
};

const probeWidth = 2.5;

const toLane = (link: PictureLink, caller: PlacedNode, lane: Box, i: number, moment: Moment): Strand | null => {
  const { scene, tick, palette, words } = moment;
  const service = link.callee;
  const state = stateAt(scene, service, i, tick);
  if (state === 'off' || state === 'booting') return null;
  const common = { link, toLane: i, start: outOf(caller.box, scene.frame), end: { x: alongCalls(scene.frame, lane).x, y: laneEntry(lane, scene) }, sent: 0 };
  if (moment.veil.has(link.caller)) return { ...common, width: probeWidth, bands: [{ width: probeWidth, fill: palette.trunk }], labels: [{ text: '?', fill: palette.text2, above: true, strong: true }] };
  const shown = displayState(scene, service, i, tick);
  if (beliefAt(scene, link, i, tick) !== 'in' && linkFlow(scene, link, { target: i }, tick, tick).sent === 0) {
    if (link.health === null) return null;
    const colors = healthColors(palette, shown);
    return { ...common, width: probeWidth, bands: [{ width: probeWidth, fill: colors.fill }], labels: [{ text: words.checksOnly, fill: colors.text, above: true, strong: false }] };
  }
  const flow = flowInWindow(moment, link, { target: i });
  const perS = flow.sent / windowS(moment);
  const width = ribbonWidth(scene, perS);
  return { ...common, width, sent: flow.sent, bands: outcomeBands(flow, width, palette), labels: [{ text: perSecond(perS), fill: palette.text, above: true, strong: true }, ...(killLabel(link, i, flow, moment) ?? badLabel(flow, moment))] };
};

/** In the tick of a kill the lane says what was lost in it; the link, what was sent after it. */
const killLabel = (link: PictureLink, i: number, { failed }: LinkFlow, { scene, tick, window, words, palette }: Moment): Strand['labels'] | null => {
  const kill = window.from === window.to ? killIn(scene, link.callee, i, tick) : undefined;
  const alone = scene.run.system.links.filter(({ callee }) => callee === link.callee).length === 1;
  const after = failed - Number(kill?.data['lost'] ?? 0);
  if (!kill || !alone || after < 0) return null;
  return after === 0 ? [] : [{ text: words.failedAfterKill(count(after)), fill: palette.failedText, above: false, strong: false }];
};

/** The worse half of a link's outcomes, in one short label. */
const badLabel = ({ good, declined, refused, failed }: LinkFlow, { words, palette }: Moment): Strand['labels'] => {
  const ended = good + declined + refused + failed;
  if (refused + failed === 0) return [];
  const label = (text: string, fill: string): Strand['labels'] => [{ text, fill, above: false, strong: false }];
  if (failed === ended) return label(words.allFailed, palette.failedText);
  if (refused === ended) return label(words.allRefused, palette.refusedText);
  if (failed > 0) return label(failed < 1000 ? words.failedCount(count(failed)) : words.failedShare(wholePercent(failed / ended)), palette.failedText);
  return label(words.refusedShare(wholePercent(refused / ended)), palette.refusedText);
};

/** Where calls leave a box, and where they enter it: the middle of its edge. */
const outOf = (box: Box, frame: Frame): Point => {
  const { x, y, width, height } = alongCalls(frame, box);
  return { x: x + width, y: y + height / 2 };
};
const intoOf = (box: Box, frame: Frame): Point => {
  const { x, y, height } = alongCalls(frame, box);
  return { x, y: y + height / 2 };
};
/** Across the calls: where they enter a lane. */
const laneEntry = (lane: Box, scene: Scene): number => (scene.frame.calls === 'down' ? lane.x + laneInset + widestAtLane(scene) / 2 : lane.y + lane.height / 2);

/** A point as it is drawn. */
const seen = (point: Point, { calls }: Frame): Point => (calls === 'across' ? point : turned(point));

/** Ribbons that share an edge lie side by side around its middle, in the order of where they go. Gives each one's shift. */
const stacked = (strands: readonly Strand[], key: (strand: Strand) => string, order: (strand: Strand) => number): Map<number, number> => {
  const shifts = new Map<number, number>();
  const byEdge = new Map<string, number[]>();
  strands.forEach((strand, i) => byEdge.set(key(strand), [...(byEdge.get(key(strand)) ?? []), i]));
  for (const indexes of byEdge.values()) {
    indexes.sort((a, b) => order(strands[a]) - order(strands[b]) || a - b);
    const total = indexes.reduce((sum, i) => sum + strands[i].width, 0) + gapInStack * (indexes.length - 1);
    let y = -total / 2;
    for (const i of indexes) {
      shifts.set(i, y + strands[i].width / 2);
      y += strands[i].width + gapInStack;
    }
  }
  return shifts;
};

const drawStrand = (canvas: Canvas, strand: Strand, startShift: number, endShift: number, moment: Moment): void => {
  const { scene, tick, palette } = moment;
  const { group, nodes } = scene.layout;
  const edge = group && alongCalls(scene.frame, group.box);
  const dead = strand.toLane !== undefined && group && !moment.veil.has(strand.link.caller) && (killIn(scene, strand.link.callee, strand.toLane, tick) || isWronglyIn(scene, strand.link, strand.toLane, tick));
  const end = { x: dead && edge ? edge.x : strand.end.x, y: strand.end.y + endShift };
  // A balancer that stands over the lanes sends straight down; under them the group's foot is not written over.
  const isOver = scene.frame.calls === 'down' && strand.toLane !== undefined && nodes.some((node) => node.name === strand.link.caller && node.rotation !== null);
  const isFromFoot = scene.frame.calls === 'down' && strand.fromLane !== undefined && edge !== null;
  const start = { x: isFromFoot ? edge.x + edge.width : strand.start.x, y: isOver ? end.y : strand.start.y + startShift };
  const entry = strand.fromLane !== undefined && edge && !isFromFoot ? [{ x: edge.x + edge.width, y: start.y }] : [];
  const points = [start, ...entry, ...channel({ ...strand, start, end }, moment), end].map((point) => seen(point, scene.frame));
  drawRibbon(canvas, points, strand.bands, Math.min(bendLength, bendRoom(strand, entry[0] ?? start, scene.frame)), scene.frame.calls);
  if (strand.toLane === undefined && strand.bands.length === 1 && strand.bands[0].fill === palette.trunk) drawArrows(canvas, start, strand, moment);
};

/** A bend into a lane leaves room for the labels before the group; another ends just before its node. */
const bendRoom = (strand: Strand, from: Point, { calls }: Frame): number => Math.max(calls === 'down' ? 24 : 40, strand.end.x - from.x - (strand.toLane === undefined ? 6 : calls === 'down' ? besideHeight : labelRoom));
const labelRoom = 140;

/** A link that passes a column goes through the free channel nearest to its straight way, never behind a node. */
const channel = ({ start, end, width }: Pick<Strand, 'start' | 'end' | 'width'>, { scene }: Moment): readonly Point[] => {
  const points: Point[] = [];
  let y = start.y;
  for (const column of scene.layout.columns) {
    if (column.left <= start.x + 1 || column.right >= end.x - 1) continue;
    const straight = start.y + ((end.y - start.y) * (column.left - start.x)) / Math.max(1, end.x - start.x);
    y = freeY(column.boxes, straight, width / 2 + 4, scene.frame);
    points.push({ x: column.left - 4, y }, { x: column.right + 4, y });
  }
  return points;
};

/** Nearest height at which a ribbon passes between boxes; where none is high enough, the middle of the highest gap. */
const freeY = (boxes: readonly Box[], wish: number, half: number, frame: Frame): number => {
  const sorted = boxes.toSorted((a, b) => a.y - b.y);
  const [first, last] = frame.calls === 'across' ? [frame.stage.top, frame.stage.bottom] : [frame.margin, frame.right];
  const edges = [first - 6, ...sorted.flatMap((box) => [box.y, box.y + box.height]), last + 6];
  const gaps = Array.from({ length: edges.length / 2 }, (_, i) => [edges[2 * i], edges[2 * i + 1]] as const);
  const highest = gaps.reduce((a, b) => (b[1] - b[0] > a[1] - a[0] ? b : a));
  let best = (highest[0] + highest[1]) / 2;
  let distance = Infinity;
  for (const [from, to] of gaps) {
    const [top, bottom] = [from + half, to - half];
    if (bottom < top) continue;
    const y = Math.min(bottom, Math.max(top, wish));
    if (Math.abs(y - wish) < distance) [best, distance] = [y, Math.abs(y - wish)];
  }
  return best;
};

const drawArrows = (canvas: Canvas, start: Point, { end, width }: Strand, { palette, scene: { frame } }: Moment): void => {
  const half = Math.min(7, width / 2 - 3);
  if (half < 2) return;
  const pitch = frame.calls === 'across' ? 14 : 9;
  const first = frame.calls === 'across' ? start.x + 24 : (start.x + end.x - 2 * pitch - half) / 2;
  for (let k = 0; k < 3; k++) {
    const x = first + k * pitch;
    const corners = [[x, start.y - half], [x + half, start.y], [x, start.y + half]].map(([along, across]) => seen({ x: along, y: across }, frame));
    canvas.path(`M${corners.map((corner) => `${coordinate(corner.x)} ${coordinate(corner.y)}`).join('L')}`, { stroke: palette.bg, strokeWidth: 3, round: true });
  }
};
