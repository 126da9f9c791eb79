import type { Frame } from '../frame.js';

/** Where things stand on the title card. */
export interface TitlePlace {
  readonly left: number;
  readonly right: number;
  readonly tool: number;
  /** Variant and seed: at the right of the tool's line, or below it on the left. */
  readonly variant: { readonly y: number; readonly anchor: 'start' | 'end' };
  readonly title: { readonly sizes: readonly number[]; readonly lines: number; /** Base line of the first of one line, and of several. */ readonly one: number; readonly first: number };
  readonly about: { readonly y: number; readonly one: number; readonly size: number; readonly lines: number };
  readonly inputs: { readonly y: number; /** Side by side; null = one after the other in a line. */ readonly columns: number | null };
  readonly load: { readonly top: number; readonly bottom: number; readonly axis: number; readonly others: number };
}

export const titlePlaces: Readonly<Record<Frame['name'], TitlePlace>> = {
  landscape: {
    left: 112,
    right: 1808,
    tool: 152,
    variant: { y: 152, anchor: 'end' },
    title: { sizes: [108, 84, 60], lines: 2, one: 356, first: 300 },
    about: { y: 490, one: 32, size: 28, lines: 3 },
    inputs: { y: 584, columns: null },
    load: { top: 770, bottom: 960, axis: 994, others: 1034 },
  },
  portrait: {
    left: 44,
    right: 739,
    tool: 128,
    variant: { y: 162, anchor: 'start' },
    title: { sizes: [84, 72, 60, 50], lines: 4, one: 320, first: 300 },
    about: { y: 590, one: 26, size: 24, lines: 6 },
    inputs: { y: 830, columns: 2 },
    load: { top: 1080, bottom: 1250, axis: 1282, others: 1320 },
  },
};
