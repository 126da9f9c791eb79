import { alongCalls, type Box, type Frame } from '../frame.js';
import { lanedLayers, passes, type LanedLayer, type Layout, type PlacedGroup, type PlacedNode } from '../layout.js';
import { shownOf } from '../lane-levels.js';
import type { Structure } from '../structure.js';
import { besideHeight, labelColumn, lanePad, laneTop, sectionPitch } from './lane-places.js';

/** Nodes side by side in a row, each with room for a title and a figure. */
const acrossMost = 3;
const heights = { traffic: 62, rotation: 76, part: 74 } as const;
/** Widest that a node without lanes under it is drawn. */
const partWidth = 480;
const between = 14;
/** Beside a row that links pass. */
const channelWidth = 44;
const gaps = { plain: 28, overLanes: besideHeight + 6, fan: besideHeight + 46, afterLanes: 40 } as const;
/** Most that a gap grows by where there is room. */
const gapMore = 46;
/** The group says its name below its lanes: calls come to them from above. */
const group = { foot: { plain: 46, autoscaled: 88 }, pad: 12, top: 10 } as const;
const laneGap = 6;

interface Row {
  readonly layer: LanedLayer;
  readonly width: number;
  readonly height: number;
  readonly gap: number;
}

/** Layers from top to bottom by call direction: short wide nodes, and the group's lanes standing side by side under their balancer. */
export const laneRows = (structure: Structure, frame: Frame): Layout => {
  const layers = lanedLayers(structure);
  const room = frame.stage.bottom - frame.stage.top;
  const rowsWith = (pitch: number): Row[] => layers.map((layer, index) => rowOf(layer, layers[index - 1], passes(structure, layers, index), pitch, structure, frame));
  const total = (rows: readonly Row[]): number => rows.reduce((sum, { height, gap }) => sum + height + gap, 0);
  // The levels of the lanes take room first, then the gaps.
  const [lowest, oneMore] = [total(rowsWith(sectionPitch.least)), total(rowsWith(sectionPitch.least + 1))];
  const rows = rowsWith(Math.min(sectionPitch.wish, sectionPitch.least + Math.max(0, Math.floor((room - lowest) / Math.max(1, oneMore - lowest)))));
  const isTooMuch = total(rows) > room || layers.some(({ nodes }) => nodes.length > acrossMost);
  const free = room - total(rows);
  const more = Math.max(0, Math.min(gapMore, free / Math.max(1, rows.length - 1)));
  let y = frame.stage.top + Math.max(0, free - more * (rows.length - 1)) / 2;
  const nodes: PlacedNode[] = [];
  let placedGroup: PlacedGroup | null = null;
  const columns: { left: number; right: number; boxes: Box[] }[] = [];
  rows.forEach((row, index) => {
    y += row.gap + (index === 0 ? 0 : more);
    const boxes = boxesOf(row, y, frame);
    if (row.layer.group) placedGroup = { service: row.layer.group, box: boxes[0], lanes: lanesIn(boxes[0], row.layer.group.instancesMax, row.layer.group.autoscale !== null), more: 0 };
    nodes.push(...row.layer.nodes.map((node, i) => ({ ...node, box: boxes[i], compact: false })));
    columns.push({ left: y, right: y + row.height, boxes: boxes.map((box) => alongCalls(frame, box)) });
    y += row.height;
  });
  return { board: null, nodes, group: placedGroup, hidden: isTooMuch ? structure.services.map(({ name }) => name) : [], columns };
};

const rowOf = (layer: LanedLayer, above: LanedLayer | undefined, isPassed: boolean, pitch: number, structure: Structure, frame: Frame): Row => {
  const width = frame.right - frame.margin - (isPassed ? channelWidth : 0);
  if (layer.group) {
    const shown = shownOf(structure, layer.group.name);
    const [one] = lanesIn({ x: 0, y: 0, width, height: 0 }, layer.group.instancesMax, false);
    const sections = 2 + Number(shown.cpu) + Number(shown.memory);
    const height = group.top + laneTop(one.width) + sections * pitch + lanePad + group.foot[layer.group.autoscale ? 'autoscaled' : 'plain'];
    return { layer, width, height, gap: above === undefined ? 0 : above.nodes.some(({ rotation }) => rotation !== null) ? gaps.overLanes : gaps.fan };
  }
  const height = Math.max(...layer.nodes.map((node) => (node.traffic ? heights.traffic : node.rotation ? heights.rotation : heights.part)));
  return { layer, width, height, gap: above === undefined ? 0 : above.group ? gaps.afterLanes : gaps.plain };
};

const boxesOf = ({ layer, width, height }: Row, y: number, frame: Frame): Box[] => {
  if (layer.group) return [{ x: frame.margin, y, width, height }];
  const count = layer.nodes.length;
  const share = (width - between * (count - 1)) / count;
  const each = layer.nodes.some(({ traffic, rotation }) => traffic || rotation) ? share : Math.min(partWidth, share);
  const left = frame.margin + (width - each * count - between * (count - 1)) / 2;
  return layer.nodes.map((_, i) => ({ x: left + i * (each + between), y, width: each, height }));
};

/** Right of the names of the levels, side by side. */
const lanesIn = (box: Box, count: number, isAutoscaled: boolean): Box[] => {
  const left = box.x + group.pad + labelColumn;
  const width = (box.x + box.width - group.pad - left - laneGap * (count - 1)) / count;
  const height = box.height - group.top - group.foot[isAutoscaled ? 'autoscaled' : 'plain'];
  return Array.from({ length: count }, (_, i) => ({ x: left + i * (width + laneGap), y: box.y + group.top, width, height }));
};
