import type { Item } from './columns.js';
import type { LinkWords } from './link-words.js';
import type { Strand } from './order.js';
import { heightOf, type Card } from './plan.js';

/** Where a strand meets what stands at one of its ends, px below its middle. */
export interface Port {
  readonly shift: number;
  /** There is room above and below it for what may be written there. */
  readonly hasLabels: boolean;
}

export interface PortsNeed {
  readonly columns: readonly (readonly Item[])[];
  readonly cards: ReadonlyMap<string, Card>;
  readonly strands: readonly Strand[];
  /** Widest that a link ever is, px, by name. */
  readonly widthOf: (link: string) => number;
  readonly wordsOf: (link: string) => LinkWords;
  /** The link arrives at the left end of its strands: it calls back. */
  readonly isBack: (link: string) => boolean;
}

const portGap = 6;
const edge = 12;
const beyond = 8;
export const labelLine = { rate: 23, note: 20 } as const;

/** Ports of every strand, in the order of `strands`; at a card in the order of where they come from, each with room for its own width and words. */
export const portsOf = (need: PortsNeed): readonly { readonly left: Port; readonly right: Port }[] => {
  const [left, right] = (['left', 'right'] as const).map((side) => portsAt(side, need));
  return need.strands.map((_, i) => ({ left: left.get(i)!, right: right.get(i)! }));
};

const portsAt = (side: 'left' | 'right', { columns, cards, strands, widthOf, wordsOf, isBack }: PortsNeed): ReadonlyMap<number, Port> => {
  const ports = new Map<number, Port>();
  const index = columns.map((column) => new Map(column.map(({ key }, i) => [key, i])));
  const byEnd = new Map<string, number[]>();
  strands.forEach((strand, i) => byEnd.set(strand[side], [...(byEnd.get(strand[side]) ?? []), i]));
  for (const [key, list] of byEnd) {
    const card = cards.get(key);
    if (!card) {
      for (const i of list) ports.set(i, { shift: 0, hasLabels: false });
      continue;
    }
    const far = (i: number): number => (side === 'left' ? index[strands[i].column + 1].get(strands[i].right) : index[strands[i].column].get(strands[i].left))!;
    const ordered = list.toSorted((a, b) => far(a) - far(b) || (strands[a].link < strands[b].link ? -1 : 1));
    const needs = (isLabelled: boolean) =>
      ordered.map((i) => {
        const { link } = strands[i];
        const words = isLabelled && isBack(link) === (side === 'left') ? wordsOf(link) : null;
        return { up: widthOf(link) / 2 + (words?.hasRate ? labelLine.rate : 0), down: widthOf(link) / 2 + (words?.notes ?? 0) * labelLine.note };
      });
    const total = (all: readonly { up: number; down: number }[]): number => all.reduce((sum, { up, down }) => sum + up + down, 0) + portGap * (all.length - 1);
    const room = heightOf(card) - 2 * edge;
    // A single link may write a little beyond its card: nothing else ends there.
    const hasLabels = list.length === 1 ? 2 * Math.max(needs(true)[0].up, needs(true)[0].down) <= heightOf(card) + 2 * beyond : total(needs(true)) <= room;
    const all = needs(hasLabels);
    const squeeze = list.length === 1 ? 1 : Math.min(1, room / total(all));
    let y = (-total(all) * squeeze) / 2;
    ordered.forEach((i, k) => {
      ports.set(i, { shift: list.length === 1 ? 0 : y + all[k].up * squeeze, hasLabels });
      y += (all[k].up + all[k].down + portGap) * squeeze;
    });
  }
  return ports;
};
