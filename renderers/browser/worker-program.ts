import type { toI420 } from './i420.js';
import type { Converter, simdConverter } from './i420-simd.js';
import type { WorkerCanvas, WorkerGlobals, WorkerOrder } from './page-globals.js';

/** Two ways to the same samples, the fast one as the bytes of its module where it serves. */
export interface Conversion {
  readonly plain: typeof toI420;
  readonly simd: typeof simdConverter;
  readonly simdModule: readonly number[] | null;
}

/**
 * Runs in a worker of the page, and knows nothing around it: draws what the page captured, and writes it as 4:2:0 into a file of the browser's profile.
 *
 * Memory that is new to the process is what costs here: its first touch takes longer than drawing into it. So
 * - a picture is drawn in strips: Chromium draws each through a layer of the strip's size, and below 1 MB its allocator hands out the same memory again;
 * - pixels are read through a VideoFrame into memory of our own, where getImageData would allocate.
 */
export function workerProgram(worker: WorkerGlobals, { plain, simd, simdModule }: Conversion): void {
  type Draw = (order: Extract<WorkerOrder, { kind: 'picture' }>) => Promise<void>;
  const layerBytes = 480_000;

  const converterFor = (width: number, height: number): Converter => {
    try {
      if (simdModule) return simd(simdModule, worker.WebAssembly, width, height);
    } catch {
      // No SIMD here: the other way is slower, and as good.
    }
    const pixels = new Uint8Array(width * height * 4);
    const planes = new Uint8Array((width * height * 3) / 2);
    return { pixels, planes, convert: (order) => plain(pixels, order, planes, width, height) };
  };

  const start = async ({ canvas, width, height, file, slots }: Extract<WorkerOrder, { kind: 'start' }>): Promise<Draw> => {
    const context = (canvas as WorkerCanvas).getContext('2d', { willReadFrequently: true, alpha: false });
    if (!context.drawElementImage || !worker.VideoFrame) throw new Error('it does not draw elements into a canvas of a worker');
    const folder = await worker.navigator.storage.getDirectory();
    const handle = await (await folder.getFileHandle(file, { create: true })).createSyncAccessHandle();
    const stripHeight = Math.max(2, Math.floor(layerBytes / 4 / width / 2) * 2);
    const { pixels, planes, convert } = converterFor(width, height);
    handle.truncate(planes.length * slots);

    return async ({ image, slot }) => {
      for (let top = 0; top < height; top += stripHeight) {
        context.save();
        context.beginPath();
        context.rect(0, top, width, stripHeight);
        context.clip();
        context.clearRect(0, top, width, stripHeight);
        context.drawElementImage!(image, 0, 0, width, height);
        context.restore();
      }
      const frame = new worker.VideoFrame!(canvas, { timestamp: 0 });
      const format = frame.format ?? '';
      await frame.copyTo(pixels);
      frame.close();
      if (!/^(RGB|BGR)[AX]$/.test(format)) throw new Error(`its canvas has pixels of the kind ${format}`);
      convert(format.slice(0, 3) as 'RGB' | 'BGR');
      if (handle.write(planes, { at: slot * planes.length }) !== planes.length) throw new Error('its disk is full');
    };
  };

  let draw: Promise<Draw> | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const follow = async (order: WorkerOrder): Promise<void> => {
    try {
      if (order.kind === 'start') await (draw = start(order));
      else await (await draw!)(order);
      worker.postMessage({ problem: null });
    } catch (error) {
      worker.postMessage({ problem: error instanceof Error ? error.message : String(error) });
    }
  };
  worker.onmessage = ({ data }) => {
    last = last.then(() => follow(data));
  };
}
