import type { Camera, CameraOptions } from './camera-interface.js';
import { captureCount, picturesInOrder, screenshotCapture, type Capture } from './capture.js';
import type { FontFile } from './fonts.js';

/** Several browsers side by side, each a screenshot at a time. Throws FaultreelError with exit code 5 when one does not start. */
export const openScreenshotCamera = async ({ jobs, host, found, width, height, onNotice, signal, pictureMs = 30_000 }: CameraOptions, fonts: readonly FontFile[]): Promise<Camera> => {
  const count = Math.max(1, jobs ?? captureCount(host));
  const opened = await Promise.allSettled(Array.from({ length: count }, () => screenshotCapture({ host, found, width, height, onNotice, signal, pictureMs, fonts })));
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
