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
  /** Where it runs and what bounds it, or what goes wrong at it. */
  readonly hasNote: boolean;
  /** Cells side by side. */
  readonly across: number;
  readonly size: 'full' | 'middle' | 'small' | 'line' | 'mini';
  /** Rows stand further apart and are written larger: a small system fills its stage. */
  readonly isRoomy: boolean;
  /** Bars stand under their labels, as wide as the card: a chain of few parts has the height for it. */
  readonly isTall: boolean;
  /** How far it was narrowed: 2 leaves room for its most telling levels only. */
  readonly narrowness: 0 | 1 | 2;
}

export const metrics = {
  head: { full: 98, bare: 68 },
  row: 28,
  roomyRow: 40,
  tallRow: 66,
  lane: 46,
  laneHead: 24,
  cell: { width: 54, height: 56, gap: 6, pad: 12 },
  rotationHead: 34,
  rotationRow: 26,
  foot: 10,
  traffic: { full: 214, middle: 136, small: 88, line: 58, mini: 34 },
} as const;

/** Instances up to which each has a lane, and beyond which they are told by state. */
const lanesMost = 6;
const cellsMost = 60;
const rotationMost = 6;

export const cardsOf = (structure: Structure): readonly Card[] => [...structure.traffic.map(trafficCard), ...structure.services.map((service) => serviceCard(service, structure))];

const trafficCard = (traffic: PictureTraffic): Card => ({ name: traffic.name, service: null, traffic, form: 'rows', rows: [], rotation: null, rotationRows: 0, hasNote: true, across: 0, size: 'full', isRoomy: false, isTall: false, narrowness: 0 });

const serviceCard = (service: PictureService, structure: Structure): Card => {
  const count = service.instancesMax;
  const rotation = rotationOf(service, structure);
  const targets = structure.services.find(({ name }) => name === rotation?.callee)?.instancesMax ?? 0;
  const form = count === 1 ? 'rows' : count <= lanesMost ? 'lanes' : count <= cellsMost ? 'cells' : 'states';
  return {
    name: service.name,
    service,
    traffic: null,
    form,
    rows: form === 'rows' ? [...levelRows(service, structure), ...sharedRows(service, structure)] : sharedRows(service, structure),
    rotation: targets <= rotationMost ? rotation : null,
    rotationRows: targets,
    hasNote: true,
    across: acrossOf(count),
    size: 'full',
    isRoomy: false,
    isTall: false,
    narrowness: 0,
  };
};

/** Cells side by side: a row up to six, then as square as can be read. */
export const acrossOf = (count: number): number => (count <= 6 ? count : count <= 8 ? 4 : count <= 10 ? 5 : count <= 18 ? 6 : 10);

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

export const heightOf = (card: Card): number => {
  if (card.traffic) return metrics.traffic[card.size];
  const head = card.hasNote ? metrics.head.full : metrics.head.bare;
  const rotation = card.rotation ? metrics.rotationHead + card.rotationRows * metrics.rotationRow : 0;
  const body = instancesHeight(card) + card.rows.length * rowPitch(card) + rotation;
  return head + body + (body > 0 ? metrics.foot : 0);
};

export const rowPitch = ({ isRoomy, isTall }: Card): number => (isTall ? metrics.tallRow : isRoomy ? metrics.roomyRow : metrics.row);

export const instancesHeight = ({ form, service, across }: Card): number => {
  const { cell } = metrics;
  if (!service || form === 'rows') return 0;
  if (form === 'lanes') return metrics.laneHead + service.instancesMax * metrics.lane + 4;
  if (form === 'states') return 2 * (cell.height + cell.gap);
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
  if (card.form === 'lanes') return { ...card, form: 'cells' };
  if (card.rows.length > 2) return { ...card, rows: withoutOne(card.rows) };
  if (card.rotation) return { ...card, rotation: null };
  if (card.rows.length > 0) return { ...card, rows: withoutOne(card.rows) };
  if (card.form === 'cells' && Math.ceil(card.service!.instancesMax / card.across) > 2) return { ...card, form: 'states' };
  return card.hasNote ? { ...card, hasNote: false } : null;
};

const withoutOne = (rows: readonly Row[]): readonly Row[] => {
  const kind = leastTelling.find((candidate) => rows.some((row) => row.kind === candidate));
  const index = rows.findLastIndex((row) => row.kind === kind);
  return rows.filter((_, i) => i !== index);
};

/** Least and wished width of a card, and the most that it makes use of. */
export const widthsOf = (card: Card): { readonly least: number; readonly wish: number; readonly most: number } => {
  const { least, wish } = neededWidths(card);
  return { least, wish, most: !card.isRoomy || card.form === 'cells' || card.form === 'states' ? wish : wish + (card.traffic ? 64 : 140) };
};

const neededWidths = (card: Card): { readonly least: number; readonly wish: number } => {
  const { cell } = metrics;
  if (card.traffic) return { least: titled(card, 150, 56), wish: 206 };
  if (card.form === 'cells') {
    const cells = 2 * cell.pad + card.across * (cell.width + cell.gap) - cell.gap;
    return { least: titled(card, Math.max(164, cells), 62), wish: Math.max(cells, 236) };
  }
  if (card.form === 'lanes') return { least: 440, wish: 480 };
  if (card.form === 'states') return { least: 252, wish: 312 };
  const isWide = card.rows.some((row) => row.kind === 'pool' || row.kind === 'lock');
  const least = card.rows.length === 0 ? 150 : leastByNarrowness[isWide ? 'wide' : 'plain'][card.narrowness];
  return { least: card.narrowness < 2 ? titled(card, least, 62) : least, wish: (isWide ? 360 : 268) + (card.isRoomy ? 40 : 0) };
};
const leastByNarrowness = { wide: [300, 236, 150], plain: [236, 190, 150] } as const;

const titleMost = 236;

/** At least so wide, and wide enough for its name in both languages unless that is very long; `beside` is what stands beside it. */
const titled = ({ service, traffic, size }: Card, least: number, beside: number): number => {
  const { en, ko } = (service ?? traffic!).title;
  const px = service || size === 'full' ? 22 : 18;
  return Math.max(least, Math.min(titleMost, Math.ceil(Math.max(textWidth(en, px, 600), textWidth(ko, px, 600))) + beside));
};
