import type { PictureLink, PictureService, PictureTraffic } from '../../../src/study/types.js';
import { textWidth } from '../../look/text-width.js';
import type { Structure } from '../structure.js';

/** One line of a card: a level with its bar. */
export type Row =
  | { readonly kind: 'slots' | 'queue' | 'cpu' | 'memory' | 'sockets' }
  | { readonly kind: 'pool'; readonly link: PictureLink }
  /** `holder.lock`. */
  | { readonly kind: 'lock'; readonly name: string };

/** How the instances of a service are drawn: their levels together, a lane each, a cell each, or a cell for each state with a count. */
export type CardForm = 'rows' | 'lanes' | 'cells' | 'states';

/** What stands on a card. A card that finds no room is cut down step by step (`cutDown`), from the least telling to its name, state and rate. */
export interface Card {
  readonly name: string;
  readonly service: PictureService | null;
  readonly traffic: PictureTraffic | null;
  readonly form: CardForm;
  readonly rows: readonly Row[];
  /** The link whose beliefs it lists. */
  readonly rotation: PictureLink | null;
  readonly rotationRows: number;
  /** Where it runs and what bounds it, or what goes wrong at it, in a line of its own. */
  readonly hasNote: boolean;
  /** Cells side by side. */
  readonly across: number;
  /** A service has two: full, and one line with its name, state and rate. */
  readonly size: 'full' | 'middle' | 'small' | 'line' | 'mini';
  /** Everything on it is so many times larger: a small system fills its stage. */
  readonly scale: number;
  /** Rows stand further apart and are written larger. */
  readonly isRoomy: boolean;
  /** Bars stand under their labels, as wide as the card: a chain of few parts has the height for it. */
  readonly isTall: boolean;
  /** Its levels stand side by side, right of its head: many single instances in few columns. */
  readonly isWide: boolean;
  /** Cells are lower, so that more lines of them fit. */
  readonly hasLowCells: boolean;
  /** It stands in a pod with another one, which has an edge and a name above it. */
  readonly isInPod: boolean;
  /** How far it was narrowed: 2 leaves room for its most telling levels only. */
  readonly narrowness: 0 | 1 | 2;
}

/** px at scale 1. */
export const metrics = {
  head: { full: 98, bare: 68 },
  row: 28,
  roomyRow: 40,
  tallRow: 66,
  lane: 46,
  laneHead: 24,
  cell: { width: 54, wideWidth: 61, height: 56, lowHeight: 46, gap: 6, pad: 12 },
  /** A cell for a state: its sign and count over its word. */
  state: { width: 118, height: 60, gap: 6, line: 26 },
  wide: { height: 58, head: 248, level: 136, levelMost: 250, gap: 22 },
  line: 40,
  rotationHead: 34,
  rotationRow: 26,
  foot: 10,
  traffic: { full: 214, middle: 136, small: 88, line: 58, mini: 34 },
} as const;

/** Instances up to which each has a lane. */
const lanesMost = 6;
/** Instances of a whole system up to which each has a cell, if nothing else keeps it from it. */
const cellsMost = 120;
const rotationMost = 6;

export const cardsOf = (structure: Structure): readonly Card[] => {
  const grouped = groupedFrom(structure);
  return [...structure.traffic.map(trafficCard), ...structure.services.map((service) => serviceCard(service, structure, service.instancesMax >= grouped))];
};

/** Instances from which on a service is told by state: so many of the smaller ones have a cell each that the system has no more than can be seen. */
const groupedFrom = ({ services }: Structure): number => {
  const counts = services.map(({ instancesMax }) => instancesMax).toSorted((a, b) => a - b);
  let sum = 0;
  for (const [index, count] of counts.entries()) {
    sum += count;
    // Services of one size are drawn in one way.
    if (sum > cellsMost && counts.slice(index).some((later) => later > lanesMost)) return Math.max(lanesMost + 1, count);
  }
  return Infinity;
};

const plainCard = { rows: [], rotation: null, rotationRows: 0, hasNote: true, across: 0, size: 'full', scale: 1, isRoomy: false, isTall: false, isWide: false, hasLowCells: false, isInPod: false, narrowness: 0 } as const;

const trafficCard = (traffic: PictureTraffic): Card => ({ ...plainCard, name: traffic.name, service: null, traffic, form: 'rows' });

const serviceCard = (service: PictureService, structure: Structure, isGrouped: boolean): Card => {
  const count = service.instancesMax;
  const rotation = rotationOf(service, structure);
  const targets = structure.services.find(({ name }) => name === rotation?.callee)?.instancesMax ?? 0;
  const form = count === 1 ? 'rows' : isGrouped ? 'states' : count <= lanesMost ? 'lanes' : 'cells';
  return {
    ...plainCard,
    name: service.name,
    service,
    traffic: null,
    form,
    rows: form === 'rows' ? [...levelRows(service, structure), ...sharedRows(service, structure)] : sharedRows(service, structure),
    rotation: targets <= rotationMost ? rotation : null,
    rotationRows: targets,
    across: acrossOf(count),
    isInPod: service.beside !== null || structure.services.some(({ beside }) => beside === service.name),
  };
};

/** Cells side by side: a row up to six, then as square as can be read. */
export const acrossOf = (count: number): number => (count <= 6 ? count : count <= 8 ? 4 : count <= 10 ? 5 : count <= 18 ? 6 : count <= 60 ? 10 : 15);

/** What it believes of its targets is worth a list where it checks them, ejects them or chooses between several. */
const rotationOf = (service: PictureService, { links, services }: Structure): PictureLink | null =>
  links.find((link) => link.caller === service.name && (link.health !== null || link.outlier !== null || (service.kind === 'balancer' && (services.find(({ name }) => name === link.callee)?.instancesMax ?? 1) > 1))) ?? null;

const levelRows = (service: PictureService, structure: Structure): readonly Row[] => {
  const peak = structure.peaks.services.get(service.name);
  return [
    { kind: 'slots' },
    ...(service.slots !== null || (peak?.queue ?? 0) > 0 ? [{ kind: 'queue' } as const] : []),
    ...(service.cpus !== null || (peak?.cpuCores ?? 0) > 0 ? [{ kind: 'cpu' } as const] : []),
    ...((peak?.memoryBytes ?? 0) > 0 ? [{ kind: 'memory' } as const] : []),
  ];
};

/** What the instances of a service have together. */
const sharedRows = (service: PictureService, structure: Structure): readonly Row[] => [
  ...((structure.peaks.services.get(service.name)?.connections ?? 0) > 0 ? [{ kind: 'sockets' } as const] : []),
  ...structure.links.filter((link) => link.caller === service.name && link.pool !== null).map((link) => ({ kind: 'pool', link }) as const),
  ...(structure.locks.get(service.name) ?? []).map((lock) => ({ kind: 'lock', name: `${service.name}.${lock}` }) as const),
];

export const heightOf = (card: Card): number => Math.round(plainHeight(card) * card.scale);

const plainHeight = (card: Card): number => {
  if (card.traffic) return metrics.traffic[card.size];
  if (card.size === 'line') return metrics.line;
  if (card.isWide) return metrics.wide.height;
  const rotation = card.rotation ? metrics.rotationHead + card.rotationRows * metrics.rotationRow : 0;
  const body = instancesHeight(card) + card.rows.length * rowPitch(card) + rotation;
  return headOf(card) + body + (body > 0 ? metrics.foot : 0);
};

export const headOf = ({ hasNote }: Card): number => (hasNote ? metrics.head.full : metrics.head.bare);

export const rowPitch = ({ isRoomy, isTall }: Card): number => (isTall ? metrics.tallRow : isRoomy ? metrics.roomyRow : metrics.row);

/** Cells of a card and what is around them, at scale 1. */
export const cellOf = ({ hasLowCells, service }: Pick<Card, 'hasLowCells' | 'service'>): { readonly width: number; readonly height: number; readonly gap: number; readonly pad: number } => ({
  ...metrics.cell,
  // A number of three digits, beside a sign.
  width: service && service.instancesMax >= 100 ? metrics.cell.wideWidth : metrics.cell.width,
  height: hasLowCells ? metrics.cell.lowHeight : metrics.cell.height,
});

/** At scale 1. */
export const instancesHeight = (card: Card): number => {
  const { form, service, across } = card;
  const cell = cellOf(card);
  if (!service || form === 'rows') return 0;
  if (form === 'lanes') return metrics.laneHead + service.instancesMax * metrics.lane + 4;
  // How many there are, a line of states, and one of the cells that are not well.
  if (form === 'states') return metrics.state.line + metrics.state.height + metrics.state.gap + cell.height + cell.gap;
  return Math.ceil(service.instancesMax / across) * (cell.height + cell.gap);
};

/** What is left out first. */
const leastTelling: readonly Row['kind'][] = ['memory', 'sockets', 'queue', 'pool', 'lock', 'cpu', 'slots'];

/** The next smaller form of a card; null where there is none. */
export const cutDown = (card: Card): Card | null => {
  if (card.traffic) {
    const sizes = ['full', 'middle', 'small', 'line', 'mini'] as const;
    const next = sizes[sizes.indexOf(card.size) + 1];
    return next === undefined ? null : { ...card, size: next };
  }
  if (card.size === 'line') return null;
  if (card.isWide) return { ...card, isWide: false, size: 'line', rows: [] };
  if (card.form === 'lanes') return { ...card, form: 'cells' };
  if (card.rows.length > 2) return { ...card, rows: withoutOne(card.rows) };
  if (card.rotation) return { ...card, rotation: null };
  if (card.rows.length > 0) return { ...card, rows: withoutOne(card.rows) };
  const lines = card.form === 'cells' ? Math.ceil(card.service!.instancesMax / card.across) : 0;
  if (lines > 0 && card.hasNote) return { ...card, hasNote: false };
  if (lines > 0 && !card.hasLowCells) return { ...card, hasLowCells: true };
  if (lines > 2) return { ...card, form: 'states' };
  return card.hasNote ? { ...card, hasNote: false } : { ...card, size: 'line', form: 'rows' };
};

/** How much less a card tells after `cutDown`: what is lost least is left out first, whatever card it is on. */
export const lossOf = (card: Card): number => {
  if (card.traffic) return { full: 1, middle: 2, small: 5, line: 6, mini: Infinity }[card.size];
  const next = cutDown(card);
  if (next === null) return Infinity;
  if (next.size === 'line') return card.form === 'rows' ? 7 : 9;
  if (next.form === 'states') return 8;
  if (next.hasLowCells !== card.hasLowCells) return 4;
  if (next.hasNote !== card.hasNote) return 3;
  if (next.rotation !== card.rotation) return 3;
  return card.form === 'lanes' || card.rows.length > 2 ? 1 : 3;
};

const withoutOne = (rows: readonly Row[]): readonly Row[] => {
  const kind = leastTelling.find((candidate) => rows.some((row) => row.kind === candidate));
  const index = rows.findLastIndex((row) => row.kind === kind);
  return rows.filter((_, i) => i !== index);
};

/** Levels that a card in one line with its head shows at most, the most telling ones. */
const wideLevels = 5;

/** A card of one instance with its levels beside its head; null where it is another one. */
export const widened = (card: Card): Card | null => {
  if (card.traffic || card.form !== 'rows' || card.rotation !== null) return card.traffic ? card : null;
  let rows = card.rows;
  while (rows.length > wideLevels) rows = withoutOne(rows);
  return { ...card, rows, isWide: true };
};

/** Least and wished width of a card, and the most that it makes use of. */
export const widthsOf = (card: Card): { readonly least: number; readonly wish: number; readonly most: number } => {
  const needed = neededWidths(card);
  const least = Math.max(needed.least, card.rotation && card.size === 'full' ? rotationLeast : 0);
  const wish = Math.max(needed.wish, least);
  const most = card.isWide ? wide(card, metrics.wide.levelMost) : !card.isRoomy || card.form === 'cells' || card.form === 'states' ? wish : wish + (card.traffic ? 64 : 140);
  return { least: Math.ceil(least * card.scale), wish: Math.ceil(wish * card.scale), most: Math.ceil(Math.max(most, wish) * card.scale) };
};

const wide = ({ rows }: Card, level: number): number => metrics.wide.head + rows.length * (level + metrics.wide.gap);

const neededWidths = (card: Card): { readonly least: number; readonly wish: number } => {
  const cell = cellOf(card);
  if (card.traffic) return card.size === 'line' || card.size === 'mini' ? { least: titled(card, 150, 56), wish: titled(card, 206, 124) } : { least: titled(card, 150, 56), wish: 206 };
  if (card.size === 'line') return { least: titled(card, card.narrowness === 2 ? 150 : 164, 116), wish: titled(card, 220, 130) };
  if (card.isWide) return { least: wide(card, metrics.wide.level), wish: wide(card, 180) };
  if (card.form === 'cells') {
    const cells = 2 * cell.pad + card.across * (cell.width + cell.gap) - cell.gap;
    return { least: titled(card, Math.max(164, cells), 62), wish: Math.max(cells, 236) };
  }
  if (card.form === 'lanes') return { least: 440, wish: 480 };
  if (card.form === 'states') return { least: 2 * cell.pad + 3 * (metrics.state.width + metrics.state.gap), wish: 2 * cell.pad + 4 * (metrics.state.width + metrics.state.gap) };
  const isWide = card.rows.some((row) => row.kind === 'pool' || row.kind === 'lock');
  const tall = isWide ? 324 : card.rows.some(({ kind }) => kind === 'memory') ? 240 : 204;
  const least = card.rows.length === 0 ? 150 : card.isTall ? tall : leastByNarrowness[isWide ? 'wide' : 'plain'][card.narrowness];
  return { least: titled(card, least, 62), wish: (isWide ? 360 : 268) + (card.isRoomy ? 40 : 0) };
};
/** A row of beliefs in words. */
const rotationLeast = 220;
const leastByNarrowness = { wide: [300, 236, 150], plain: [236, 190, 150] } as const;

/** By `narrowness`; of a card of one line in the end less. */
const titleMost = [250, 250, 178] as const;
const lineMost = 150;

/** At least so wide, and wide enough for its name in both languages unless that is very long; `beside` is what stands beside it. */
const titled = ({ service, traffic, size, narrowness }: Card, least: number, beside: number): number => {
  const { en, ko } = (service ?? traffic!).title;
  const px = service ? (size === 'line' ? 17 : 22) : size === 'full' ? 22 : 18;
  return Math.max(least, Math.min(narrowness === 2 && size === 'line' ? lineMost : titleMost[narrowness], Math.ceil(Math.max(textWidth(en, px, 600), textWidth(ko, px, 600))) + beside));
};
