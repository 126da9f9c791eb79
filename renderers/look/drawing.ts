import { textWidth, type Weight } from './text-width.js';

/**
 * A drawing is a list of shapes, made once and shown twice: as SVG text (frames, golden files) and as vectors of a PDF page.
 * Pure data; y grows downwards; numbers are px in a film and points on a page.
 */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly Shape[];
}

/**
 * 45° stripes: the sign of a guess, and of nothing else. Anchored to the drawing, not to the shape, so that they never crawl when a bar grows.
 */
export interface Hatch {
  readonly color: string;
  /** Colour between the stripes; null = see through. */
  readonly ground: string | null;
  readonly period: number;
  readonly stripe: number;
}

export interface Paint {
  readonly fill?: string | Hatch;
  readonly stroke?: string;
  readonly strokeWidth?: number;
  readonly dash?: readonly number[];
  /** Round caps and joins. */
  readonly round?: boolean;
  readonly opacity?: number;
}

export interface TextRun {
  readonly text: string;
  readonly weight?: Weight;
  readonly fill?: string;
  readonly size?: number;
}

export type Shape =
  | ({ readonly kind: 'rect'; readonly x: number; readonly y: number; readonly width: number; readonly height: number; readonly radius?: number } & Paint)
  | ({ readonly kind: 'circle'; readonly x: number; readonly y: number; readonly r: number } & Paint)
  /** Absolute SVG path commands. */
  | ({ readonly kind: 'path'; readonly d: string; readonly evenOdd?: boolean } & Paint)
  | { readonly kind: 'text'; readonly x: number; readonly y: number; readonly runs: readonly Required<TextRun>[]; readonly anchor: Anchor; readonly width: number; /** Degrees around (x, y). */ readonly rotate?: number; /** Width of the box that was kept for it. */ readonly room?: number; readonly layer: number }
  | { readonly kind: 'group'; readonly clip: { readonly x: number; readonly y: number; readonly width: number; readonly height: number; readonly radius?: number }; readonly shapes: readonly Shape[] };
export type Anchor = 'start' | 'middle' | 'end';

export interface TextOptions {
  readonly size?: number;
  readonly weight?: Weight;
  readonly fill?: string;
  readonly anchor?: Anchor;
  readonly rotate?: number;
  readonly room?: number;
}

/** Builds a drawing. Every text registers its box, so that a test can find what overlaps, clips or is too small. */
export class Canvas {
  readonly #shapes: Shape[] = [];
  /** Texts of different layers may cover each other (a card over the stage). */
  layer = 0;

  constructor(readonly width: number, readonly height: number, readonly defaults: { readonly fill: string; readonly size: number }) {}

  rect(x: number, y: number, width: number, height: number, paint: Paint & { readonly radius?: number } = {}): void {
    if (width > 0 && height > 0) this.#shapes.push({ kind: 'rect', x, y, width, height, ...paint });
  }

  circle(x: number, y: number, r: number, paint: Paint): void {
    this.#shapes.push({ kind: 'circle', x, y, r, ...paint });
  }

  line(x1: number, y1: number, x2: number, y2: number, paint: Paint): void {
    this.path(`M${coordinate(x1)} ${coordinate(y1)}L${coordinate(x2)} ${coordinate(y2)}`, paint);
  }

  path(d: string, paint: Paint & { readonly evenOdd?: boolean }): void {
    if (d) this.#shapes.push({ kind: 'path', d, ...paint });
  }

  /** One line of text, one style. Returns where it ends. */
  text(x: number, y: number, text: string, options: TextOptions = {}): number {
    return this.runs(x, y, [{ text }], options);
  }

  /** One line of several styles, set as one text so that its parts never part. Returns where it ends. */
  runs(x: number, y: number, runs: readonly TextRun[], { size, weight = 400, fill, anchor = 'start', rotate, room }: TextOptions = {}): number {
    const full = runs
      .filter((run) => run.text !== '')
      .map((run) => ({ text: run.text, weight: run.weight ?? weight, fill: run.fill ?? fill ?? this.defaults.fill, size: run.size ?? size ?? this.defaults.size }));
    if (full.length === 0) return x;
    const width = widthOfRuns(full);
    this.#shapes.push({ kind: 'text', x, y, runs: full, anchor, width, layer: this.layer, ...(rotate === undefined ? {} : { rotate }), ...(room === undefined ? {} : { room }) });
    return anchor === 'start' ? x + width : anchor === 'end' ? x : x + width / 2;
  }

  /** What `draw` draws is cut at the box. */
  clipped(clip: { readonly x: number; readonly y: number; readonly width: number; readonly height: number; readonly radius?: number }, draw: (inner: Canvas) => void): void {
    const inner = new Canvas(this.width, this.height, this.defaults);
    inner.layer = this.layer;
    draw(inner);
    this.#shapes.push({ kind: 'group', clip, shapes: inner.#shapes });
  }

  /** Copies another drawing's shapes on top. */
  add(shapes: readonly Shape[]): void {
    this.#shapes.push(...shapes);
  }

  drawing(): Drawing {
    return { width: this.width, height: this.height, shapes: this.#shapes };
  }
}

export const widthOfRuns = (runs: readonly Required<TextRun>[]): number => runs.reduce((sum, run) => sum + textWidth(run.text, run.size, run.weight), 0);

/** A coordinate as it is written: two decimals, no negative zero. Put together from whole numbers: a frame has thousands, and a fraction takes ten times as long to write. */
export const coordinate = (value: number): string => {
  const hundredths = Math.round(value * 100);
  if (!Number.isSafeInteger(hundredths)) return String(value);
  const size = Math.abs(hundredths);
  const part = size % 100;
  const whole = (size - part) / 100;
  return `${hundredths < 0 ? '-' : ''}${whole}${part === 0 ? '' : part % 10 === 0 ? `.${part / 10}` : part < 10 ? `.0${part}` : `.${part}`}`;
};
