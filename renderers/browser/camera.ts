import type { Host } from '../../src/host.js';
import { captureCount, picturesInOrder, screenshotCapture, type Capture } from './capture.js';
import type { FoundBrowser } from './find.js';
import { loadFonts } from './fonts.js';

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

/** What a camera shows is not what a screenshot shows: the film has to be made by another one. */
export class CameraUnfit extends Error {}

export interface CameraOptions {
  readonly host: Host;
  readonly found: FoundBrowser;
  readonly width: number;
  readonly height: number;
  /** Most browsers; from memory and cores when absent. */
  readonly jobs?: number | undefined;
  /** Only this one; the fastest that shows the right picture when absent. */
  readonly camera?: Camera['name'] | undefined;
  readonly onNotice: (notice: string) => void;
  readonly signal?: AbortSignal | undefined;
  /** Time in ms for one picture before the browser counts as stuck. */
  readonly pictureMs?: number | undefined;
}

/** Opens the camera that serves this machine best. Throws FaultreelError with exit code 5 when no browser starts. */
export const openCamera = async ({ jobs, ...options }: CameraOptions): Promise<Camera> => {
  const fonts = await loadFonts(options.host);
  const count = Math.max(1, jobs ?? captureCount(options.host));
  const opened = await Promise.allSettled(Array.from({ length: count }, () => screenshotCapture({ ...options, pictureMs: options.pictureMs ?? 30_000, fonts })));
  const captures = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failed = opened.find((one) => one.status === 'rejected');
  if (failed) {
    await Promise.all(captures.map((capture) => capture.close()));
    throw failed.reason;
  }
  return new ScreenshotCamera(captures);
};

class ScreenshotCamera implements Camera {
  readonly name = 'screenshot';
  readonly format = 'png';

  constructor(private readonly captures: readonly Capture[]) {}

  get browsers(): number {
    return this.captures.length;
  }

  shoot<Item>(items: Iterable<Item>, svgOf: (item: Item) => string): AsyncGenerator<readonly [Item, Uint8Array]> {
    return picturesInOrder(items, svgOf, this.captures);
  }

  still(svg: string): Promise<Uint8Array> {
    return this.captures[0].picture(svg);
  }

  async close(): Promise<void> {
    await Promise.all(this.captures.map((capture) => capture.close()));
  }
}
