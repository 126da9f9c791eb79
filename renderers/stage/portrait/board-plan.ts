import { acrossOf, cutDown, heightOf as heightOnBoard, metrics, widthsOf, type Card } from '../board/plan.js';

/** Cards by layer, from top to bottom. */
export type Layers = readonly (readonly Card[])[];

/** What lines of cards have to fit in. */
export interface Room {
  readonly height: number;
  /** Of a layer: less where links pass it. */
  readonly width: (layer: number) => number;
}

/** Between cards side by side, and from line to line: within a layer, and to the next one where ribbons have to bend. */
export const gaps = { beside: 20, line: 38, layer: 46 } as const;

/** A card with nothing below its head is closed by as much room as one with rows. */
export const heightOf = (card: Card): number => Math.max(heightOnBoard(card), card.traffic || card.size !== 'full' ? 0 : (card.hasNote ? metrics.head.full : metrics.head.bare) + metrics.foot);

/** Kept free beside the lines of a layer that has several. */
const wrapChannel = 48;

/** A layer in lines that fit in the width; as even as they can be. */
export const linesOf = (cards: readonly Card[], room: number): readonly (readonly Card[])[] => {
  const isOne = filled(cards, room).length === 1;
  // What the upper of several lines calls passes the lower ones.
  const width = isOne ? room : room - wrapChannel;
  const count = filled(cards, width).length;
  const all = cards.reduce((sum, card) => sum + widthsOf(card).least + gaps.beside, 0);
  for (let limit = all / count; limit < width; limit += 20) {
    const lines = filled(cards, limit);
    if (lines.length === count) return lines;
  }
  return filled(cards, width);
};

const filled = (cards: readonly Card[], width: number): Card[][] => {
  const lines: Card[][] = [];
  let free = 0;
  for (const card of cards) {
    const { least } = widthsOf(card);
    const last = lines.at(-1);
    if (last && least + gaps.beside <= free) {
      last.push(card);
      free -= least + gaps.beside;
    } else {
      lines.push([card]);
      free = width - least;
    }
  }
  return lines;
};

export const heightOfLine = (line: readonly Card[]): number => Math.max(...line.map(heightOf));

/** Of all lines with the least gaps between them. */
export const totalHeight = (layers: Layers, { width }: Room): number =>
  layers.reduce((sum, layer, index) => {
    const lines = linesOf(layer, width(index));
    return sum + lines.reduce((height, line) => height + heightOfLine(line), 0) + gaps.line * (lines.length - 1) + (index === 0 ? 0 : gaps.layer);
  }, 0);

/** With room around everything, where that fits as it is; else cut down card by card until it fits. What is left over then is hidden. */
export const fittedLayers = (layers: Layers, room: Room, hidden: string[]): Layers => {
  const isNarrowEnough = (all: Layers): boolean => all.every((layer, index) => layer.every((card) => widthsOf(card).least <= room.width(index)));
  for (const [isRoomy, isTall] of [[true, true], [true, false], [false, false]] as const) {
    const all = layers.map((layer) => layer.map((card) => ({ ...card, isRoomy, isTall })));
    if (isNarrowEnough(all) && totalHeight(all, room) <= room.height && (!isRoomy || all.every((layer, index) => linesOf(layer, room.width(index)).length === 1))) return all;
  }
  let now = layers;
  for (;;) {
    const tooWide = now.findIndex((layer, index) => layer.some((card) => widthsOf(card).least > room.width(index)));
    if (tooWide < 0 && totalHeight(now, room) <= room.height) return withNotes(now, room);
    const next = cheapest(now, room);
    if (next) now = next;
    else {
      const last = now.findLastIndex((layer) => layer.length > 0);
      hidden.push(now[last].at(-1)!.name);
      now = now.map((layer, index) => (index === last ? layer.slice(0, -1) : layer)).filter((layer) => layer.length > 0);
    }
  }
};

/** Beside a higher card there is room for the note that another one gave up. */
const withNotes = (layers: Layers, room: Room): Layers => {
  let now = layers;
  layers.forEach((layer, index) =>
    layer.forEach((card, at) => {
      if (card.hasNote || card.size !== 'full') return;
      const next = now.map((other, i) => (i === index ? other.map((one, k) => (k === at ? { ...one, hasNote: true } : one)) : other));
      if (totalHeight(next, room) <= room.height) now = next;
    }),
  );
  return now;
};

/** The one step that wins most height for what it leaves out; null where nothing is left to leave out. */
const cheapest = (layers: Layers, room: Room): Layers | null => {
  let best: Layers | null = null;
  let bestGain = 0;
  const before = weight(layers, room);
  layers.forEach((layer, index) =>
    layer.forEach((card, at) => {
      for (const { next, loss } of stepsOf(card, room.width(index) / layer.length)) {
        // Sources are of one size.
        const all = layers.map((other, i) => (i === index ? other.map((one, k) => (k === at ? next : one)) : other)).map((other) => (card.traffic && next.size !== card.size ? other.map((one) => (one.traffic ? { ...one, size: next.size } : one)) : other));
        const gain = (before - weight(all, room)) / loss;
        if (gain > bestGain) [best, bestGain] = [all, gain];
      }
    }),
  );
  return best;
};

/** Height first; of what does not change that, what makes cards lower or narrower is a step on the way. */
const weight = (layers: Layers, room: Room): number => totalHeight(layers, room) + layers.reduce((sum, layer, index) => sum + layer.reduce((part, card) => part + 0.02 * heightOf(card) + 2 * Math.max(0, widthsOf(card).least - room.width(index)), 0), 0);

interface Step {
  readonly next: Card;
  /** How much less is told. */
  readonly loss: number;
}

/** A service in a single line needs so much width for its name, how its instances are, and its rate. */
const lineLeast = 280;

/** Smaller forms of a card: cut down, narrower, cells in fewer or in more lines, and instances as signs with counts in its head. `share` is its part of the width. */
const stepsOf = (card: Card, share: number): readonly Step[] => {
  const steps: Step[] = [];
  const cut = cutDown(card);
  if (cut && (card.traffic || cut.size === 'full' || share >= lineLeast)) steps.push({ next: cut.form === 'cells' && card.form === 'lanes' ? { ...cut, across: acrossOf(card.service!.instancesMax) } : cut, loss: card.traffic ? 0.6 : cut.size !== 'full' ? 14 : cut.form === 'states' ? 6 : card.form === 'lanes' ? 2 : cut.rotation !== card.rotation ? 2 : cut.hasNote !== card.hasNote ? 4 : 1 });
  if (!card.traffic && card.narrowness === 0 && card.rows.length > 0) steps.push({ next: { ...card, narrowness: 1 }, loss: 1 });
  if (card.form === 'cells') {
    const count = card.service!.instancesMax;
    const rows = Math.ceil(count / card.across);
    if (rows > 1) steps.push({ next: { ...card, across: Math.min(widestAcross, Math.ceil(count / (rows - 1))) }, loss: 0.3 });
    if (card.across > 3) steps.push({ next: { ...card, across: Math.max(3, Math.ceil(count / (rows + 1))) }, loss: 0.3 });
  }
  if (card.form === 'cells' || card.form === 'states') steps.push({ next: { ...card, form: 'rows', rows: [] }, loss: 4 + card.service!.instancesMax / 2 });
  return steps.filter(({ next }) => next !== card);
};
/** Cells side by side in the whole width. */
const widestAcross = 11;
