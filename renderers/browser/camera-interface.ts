import type { Host } from '../../src/host.js';
import type { FoundBrowser } from './find.js';

/** Pixels as an encoder takes them: a PNG file, or the planes of 8-bit 4:2:0 in BT.709 of television range, Y then U then V. */
export type PixelFormat = 'png' | 'i420';

/** A way from SVG text to pixels. Two of them, with the same picture. */
export interface Camera {
  /** As the log and the film itself name it. */
  readonly name: 'canvas' | 'screenshot';
  readonly format: PixelFormat;
  /** Browsers at work side by side. */
  readonly browsers: number;
  /**
   * Pictures in the order of their items, drawn a few ahead of what was taken and never more, each item with its bytes; these are good until the next one is asked for.
   * Throws FaultreelError with exit code 6 when a picture cannot be drawn, `CameraUnfit` when this camera turns out not to show what it should.
   */
  shoot<Item>(items: Iterable<Item>, svgOf: (item: Item) => string): AsyncGenerator<readonly [Item, Uint8Array]>;
  /** One picture as PNG; not while pictures are being shot. */
  still(svg: string): Promise<Uint8Array>;
  /** Leaves nothing running. May be called twice. */
  close(): Promise<void>;
}

/** What a camera shows is not what a screenshot shows, or it fails at drawing: the film has to be made by another one. The message says why. */
export class CameraUnfit extends Error {
  override readonly name = 'CameraUnfit';
}

/** Also of one that came from another thread, which keeps an error's name and not its class. */
export const isUnfit = (error: unknown): error is Error => error instanceof Error && error.name === 'CameraUnfit';

export interface CameraOptions {
  readonly host: Host;
  readonly found: FoundBrowser;
  readonly width: number;
  readonly height: number;
  /** Most browsers for screenshots; from memory and cores when absent. */
  readonly jobs?: number | undefined;
  /** Only this one; the fastest that shows the right picture when absent. */
  readonly camera?: Camera['name'] | undefined;
  readonly onNotice: (notice: string) => void;
  readonly signal?: AbortSignal | undefined;
  /** Time in ms for one picture before the browser counts as stuck. */
  readonly pictureMs?: number | undefined;
}
