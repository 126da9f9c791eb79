import type { PictureLink, PictureService, PictureTraffic, ServiceKind } from '../../src/study/types.js';
import { boardOf, type Board } from './board/place.js';
import { boardRows } from './portrait/board-rows.js';
import { laneRows } from './portrait/lane-rows.js';
import { landscape, type Box, type Frame } from './frame.js';
import type { Structure } from './structure.js';

export type { Box } from './frame.js';

export interface PlacedNode {
  readonly name: string;
  readonly kind: ServiceKind | 'traffic';
  readonly service: PictureService | null;
  readonly traffic: PictureTraffic | null;
  /** The link whose rotation the node shows. */
  readonly rotation: PictureLink | null;
  readonly box: Box;
  /** Less is written on it, so that more of them fit above each other. */
  readonly compact: boolean;
}

export interface PlacedGroup {
  readonly service: PictureService;
  readonly box: Box;
  readonly lanes: readonly Box[];
  /** Instances that have no lane. */
  readonly more: number;
}

export interface Layout {
  /** Instead of all below, where the system has more than a few lanes can tell. */
  readonly board: Board | null;
  readonly nodes: readonly PlacedNode[];
  readonly group: PlacedGroup | null;
  /** Names of what found no place. */
  readonly hidden: readonly string[];
  /** Layers as calls see them: x along the calls, y across. Links that pass a layer go between its boxes. */
  readonly columns: readonly { readonly left: number; readonly right: number; readonly boxes: readonly Box[] }[];
}

const lanesMost = 6;
const rotationRowsMost = 6;
const groupHead = 104;
const lane = { height: 80, gap: 6, pad: 16, bottom: 8 } as const;
const groupWidth = { wish: 946, least: 816 } as const;
const gapBeforeGroup = { wish: 176, least: 132 } as const;
const gapLeast = 60;
const nodeWidth = { plain: 176, rotation: 204 } as const;
/** Above a node that is called: the rate of the calls. */
const rateRoom = 34;
const stackGap = { most: 70, least: 20 } as const;

/** Layers from left to right by call direction, nodes stacked around the middle; a pure function of the structure, so the same in every variant and tick. */
export const layoutOf = (structure: Structure, frame: Frame = landscape): Layout => {
  const isDown = frame.calls === 'down';
  const lanes = isForLanes(structure) ? (isDown ? laneRows : laneLayout)(structure, frame) : null;
  if (lanes?.hidden.length === 0) return lanes;
  const board = (isDown ? boardRows : boardOf)(structure, frame);
  return { board, nodes: [], group: null, hidden: board.hidden, columns: [] };
};

const nodesMost = 5;

/** One service with a few instances and little around it: each instance has a wide lane. What lanes cannot show (shared machines, pods, locks, queues, sockets) needs cards. */
const isForLanes = ({ services, traffic, group, hosts, locks }: Structure): boolean =>
  services.length + traffic.length <= nodesMost &&
  group !== null && group.instancesMax > 1 && group.instancesMax <= lanesMost &&
  services.every((service) => (service === group || service.instancesMax === 1) && service.beside === null && service.consumes === null) &&
  traffic.every(({ kind }) => kind !== 'sockets') &&
  hosts.length === 0 && locks.size === 0;

const laneLayout = (structure: Structure, frame: Frame): Layout => {
  const hidden: string[] = [];
  const drafts = draftColumns(structure, frame, hidden);
  const { widths, groupWide } = dropWhatIsTooWide(drafts, frame, hidden);
  const gaps = gapsOf(drafts, widths, frame);
  const nodes: PlacedNode[] = [];
  let group: PlacedGroup | null = null;
  const columns: { left: number; right: number; boxes: Box[] }[] = [];
  let x: number = frame.margin;
  drafts.forEach((draft, index) => {
    const boxes: Box[] = [];
    if (draft.group) {
      group = placeGroup(draft.group, x, groupWide, passes(structure, drafts, index), frame);
      boxes.push(group.box);
    } else {
      const placed = placeStack(draft.nodes, x, widths[index], frame);
      nodes.push(...placed);
      boxes.push(...placed.map((node) => node.box));
    }
    columns.push({ left: x, right: x + widths[index], boxes });
    x += widths[index] + (gaps[index] ?? 0);
  });
  return { board: null, nodes, group, hidden, columns };
};

type DraftNode = Omit<PlacedNode, 'box'> & { readonly height: number };
interface DraftColumn {
  group: PictureService | null;
  nodes: DraftNode[];
}

const draftColumns = (structure: Structure, frame: Frame, hidden: string[]): DraftColumn[] => {
  return lanedLayers(structure).map(({ nodes, group }) => ({ group, nodes: stackThatFits(nodes, structure, frame, hidden) }));
};

export interface LanedLayer {
  readonly group: PictureService | null;
  readonly nodes: readonly Omit<PlacedNode, 'box' | 'compact'>[];
}

/** Nodes by layer; the group has a layer of its own. */
export const lanedLayers = (structure: Structure): readonly LanedLayer[] => {
  const last = Math.max(0, ...structure.layers.values());
  const layers: LanedLayer[] = [];
  for (let layer = 0; layer <= last; layer++) {
    const here = (name: string): boolean => structure.layers.get(name) === layer;
    const nodes: LanedLayer['nodes'] = [
      ...structure.traffic.filter(({ name }) => here(name)).map((traffic) => ({ name: traffic.name, kind: 'traffic' as const, service: null, traffic, rotation: null })),
      ...structure.services
        .filter((service) => here(service.name) && service !== structure.group)
        .map((service) => ({ name: service.name, kind: service.kind, service, traffic: null, rotation: rotationOf(service, structure) })),
    ];
    if (nodes.length > 0) layers.push({ group: null, nodes });
    if (structure.group && here(structure.group.name)) layers.push({ group: structure.group, nodes: [] });
  }
  return layers;
};

/** What it believes of its targets is worth a list where it checks them or chooses between several. */
const rotationOf = (service: PictureService, { links, services }: Structure): PictureLink | null =>
  links.find((link) => link.caller === service.name && (link.health !== null || (service.kind === 'balancer' && (services.find(({ name }) => name === link.callee)?.instancesMax ?? 1) > 1))) ?? null;

const heightOf = (node: Omit<DraftNode, 'height' | 'compact'>, compact: boolean, structure: Structure): number => {
  if (compact) return 124;
  if (node.traffic) return 214;
  if (!node.rotation) return 190;
  const targets = structure.services.find(({ name }) => name === node.rotation!.callee)?.instancesMax ?? 1;
  return 166 + 29 * Math.min(rotationRowsMost, targets) + (targets > rotationRowsMost ? 24 : 0);
};

const stackThatFits = (nodes: readonly Omit<DraftNode, 'height' | 'compact'>[], structure: Structure, frame: Frame, hidden: string[]): DraftNode[] => {
  const room = frame.stage.bottom - frame.stage.top;
  for (let keep = nodes.length; keep > 0; keep--) {
    for (const compact of [false, true]) {
      const stack = nodes.slice(0, keep).map((node) => ({ ...node, compact, height: heightOf(node, compact, structure) }));
      if (stackHeight(stack) <= room) {
        hidden.push(...nodes.slice(keep).map(({ name }) => name));
        return stack;
      }
    }
  }
  return [];
};
const stackHeight = (stack: readonly DraftNode[]): number => stack.reduce((sum, node) => sum + node.height + (node.traffic ? 0 : rateRoom), 0) + stackGap.least * (stack.length - 1);

const widthOf = (column: DraftColumn, groupWide: number): number => (column.group ? groupWide : column.nodes.some((node) => node.rotation && !node.compact) ? nodeWidth.rotation : nodeWidth.plain);

/** Narrows the group, then leaves out the last columns, until the width is enough. */
const dropWhatIsTooWide = (columns: DraftColumn[], frame: Frame, hidden: string[]): { widths: number[]; groupWide: number } => {
  for (;;) {
    const others = columns.filter((column) => !column.group).reduce((sum, column) => sum + widthOf(column, 0), 0);
    const leastGaps = columns.reduce((sum, column, index) => sum + (index === 0 ? 0 : column.group ? gapBeforeGroup.least : gapLeast), 0);
    const room = frame.right - frame.margin - others - leastGaps;
    const groupWide = Math.min(groupWidth.wish, room);
    const dropped = columns.findLastIndex((column) => !column.group);
    if (groupWide >= groupWidth.least || !columns.some((column) => column.group) ? room >= 0 : false) return { widths: columns.map((column) => widthOf(column, groupWide)), groupWide };
    if (dropped <= 0) return { widths: columns.map((column) => widthOf(column, groupWidth.least)), groupWide: groupWidth.least };
    hidden.push(...columns[dropped].nodes.map(({ name }) => name));
    columns.splice(dropped, 1);
  }
};

/** The gap before the group is wider, for the labels of its links; the rest is shared equally. */
const gapsOf = (columns: readonly DraftColumn[], widths: readonly number[], frame: Frame): number[] => {
  const free = frame.right - frame.margin - widths.reduce((a, b) => a + b, 0);
  const count = columns.length - 1;
  const beforeGroup = columns.findIndex((column) => column.group) - 1;
  if (beforeGroup < 0) return Array.from({ length: count }, () => free / Math.max(1, count));
  const special = count === 1 ? free : Math.max(gapBeforeGroup.least, Math.min(gapBeforeGroup.wish, free - gapLeast * (count - 1)));
  return Array.from({ length: count }, (_, index) => (index === beforeGroup ? special : (free - special) / (count - 1)));
};

/** Whether a link passes a layer. */
export const passes = (structure: Structure, columns: readonly LanedLayer[], index: number): boolean => {
  const columnOf = (name: string): number => columns.findIndex((column) => column.group?.name === name || column.nodes.some((node) => node.name === name));
  return structure.links.some((link) => columnOf(link.caller) >= 0 && columnOf(link.caller) < index && columnOf(link.callee) > index);
};

const placeGroup = (service: PictureService, x: number, width: number, channel: boolean, frame: Frame): PlacedGroup => {
  const shown = Math.min(lanesMost, service.instancesMax);
  const more = service.instancesMax - shown;
  const room = frame.stage.bottom - frame.stage.top - (channel ? 44 : 0) - groupHead - lane.bottom - (more > 0 ? 26 : 0);
  const laneHeight = Math.min(lane.height, Math.floor(room / shown) - lane.gap);
  const height = groupHead + shown * (laneHeight + lane.gap) + lane.bottom + (more > 0 ? 26 : 0);
  const y = channel ? frame.stage.top : Math.max(frame.stage.top, frame.stage.middle - height / 2);
  const lanes = Array.from({ length: shown }, (_, i) => ({ x: x + lane.pad, y: y + groupHead + i * (laneHeight + lane.gap), width: width - 2 * lane.pad, height: laneHeight }));
  return { service, box: { x, y, width, height }, lanes, more };
};

const placeStack = (stack: readonly DraftNode[], x: number, width: number, frame: Frame): PlacedNode[] => {
  const room = frame.stage.bottom - frame.stage.top;
  const heights = stack.reduce((sum, node) => sum + node.height + (node.traffic || stack.length === 1 ? 0 : rateRoom), 0);
  const gap = stack.length < 2 ? 0 : Math.min(stackGap.most, (room - heights) / (stack.length - 1));
  let y = frame.stage.middle - (heights + gap * (stack.length - 1)) / 2;
  return stack.map(({ height, ...node }) => {
    if (!node.traffic && stack.length > 1) y += rateRoom;
    const box = { x, y, width, height };
    y += height + gap;
    return { ...node, box };
  });
};
