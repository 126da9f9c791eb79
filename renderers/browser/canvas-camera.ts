import { open, readdir, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { CameraUnfit, type Camera, type CameraOptions } from './camera-interface.js';
import type { FontFile } from './fonts.js';
import { i420Bytes, toI420 } from './i420.js';
import { Keeper, within } from './keeper.js';
import type { Browser } from './launch.js';
import { likenessOf } from './likeness.js';
import { openPage, PageProblem, type Page } from './page.js';
import { decodePng } from './png.js';
import { probePicture } from './probe-picture.js';

/**
 * Opens a browser that draws elements into a canvas, without ever showing them, and holds a picture of it against a screenshot.
 *
 * @throws FaultreelError with exit code 5 when it does not start; any other error says why this browser cannot be used so.
 */
export const openCanvasCamera = async (options: CameraOptions, fonts: readonly FontFile[]): Promise<CanvasCamera> => {
  const camera = new CanvasCamera(options, fonts);
  try {
    await camera.start();
  } catch (error) {
    await camera.close().catch(() => undefined);
    throw error;
  }
  return camera;
};

/** Experimental (https://github.com/WICG/html-in-canvas), so it has to be asked for; and a page of a file may only have files of its own when files count as one origin. */
const flags = ['--enable-blink-features=CanvasDrawElement', '--allow-file-access-from-files'];
/** Batches that are drawn, or wait to be taken: one in the page, one in its worker, one that is being taken. */
const batchesAhead = 3;
/** Below these a picture is not the one of the screenshot. The same ones differ by anti-aliasing: 56 dB and more as a whole, 26 dB and more in the worst block; one digit for another makes 23 dB and less in its block. */
const least = { wholeDb: 45, worstBlockDb: 24 };
/** Every so many pictures one is held against a screenshot. */
const checkEvery = 150;

/** A browser at work. */
interface Studio {
  readonly page: Page;
  /** The file that its page writes to. */
  readonly ring: FileHandle;
}

/** Pictures that are drawn at once, into places of the file that follow each other. */
interface Batch<Item> {
  readonly pictures: readonly { readonly item: Item; readonly svg: string }[];
  readonly firstSlot: number;
  /** By the browser that is at work. */
  drawn: Promise<void>;
}

export class CanvasCamera implements Camera {
  readonly name = 'canvas';
  readonly format = 'i420';
  readonly browsers = 1;
  readonly #keeper: Keeper<Studio>;
  /** Pictures drawn at once; four large ones would fill memory for nothing. */
  readonly #hosts: number;
  readonly #frame: Buffer;
  readonly #pictureMs: number;

  constructor(private readonly options: CameraOptions, private readonly fonts: readonly FontFile[]) {
    const { host, found, width, height, onNotice, signal, pictureMs = 30_000 } = options;
    this.#hosts = width * height > 1920 * 1080 ? 2 : 4;
    this.#frame = Buffer.alloc(i420Bytes(width, height));
    this.#pictureMs = pictureMs;
    this.#keeper = new Keeper({ host, found, flags, onNotice, signal }, (browser) => this.#prepare(browser), ({ ring }) => ring.close());
  }

  /** Process id of the browser at work, for tests. */
  get pid(): number | null {
    return this.#keeper.pid;
  }

  async start(): Promise<void> {
    const { width, height } = this.options;
    const studio = await this.#keeper.start();
    const svg = probePicture(width, height);
    await this.#draw(studio, [svg], 0);
    await this.#read(studio, 0);
    await this.#check(studio, svg, 'a picture for trial');
  }

  async *shoot<Item>(items: Iterable<Item>, svgOf: (item: Item) => string): AsyncGenerator<readonly [Item, Uint8Array]> {
    const source = items[Symbol.iterator]();
    const batches: Batch<Item>[] = [];
    let studio = await this.#keeper.use((current) => Promise.resolve(current));
    let filling: { readonly item: Item; readonly svg: string }[] = [];
    let sent = 0;
    const send = (batch: Batch<Item>): void => {
      batch.drawn = this.#draw(studio, batch.pictures.map(({ svg }) => svg), batch.firstSlot);
      batch.drawn.catch(() => undefined);
    };
    const prepareNext = (): void => {
      const next = source.next();
      if (!next.done) filling.push({ item: next.value, svg: svgOf(next.value) });
      if (filling.length < (next.done ? 1 : this.#hosts)) return;
      const batch = { pictures: filling, firstSlot: (sent++ % batchesAhead) * this.#hosts, drawn: Promise.resolve() };
      filling = [];
      batches.push(batch);
      send(batch);
    };
    try {
      let number = 0;
      for (let ahead = 0; ahead < batchesAhead * this.#hosts; ahead++) prepareNext();
      for (let batch = batches[0]; batch !== undefined; batch = batches[0]) {
        for (const [index, { item, svg }] of batch.pictures.entries()) {
          await this.#keeper.use(async (current) => {
            if (current !== studio) {
              studio = current;
              batches.forEach(send);
            }
            await batch.drawn;
            await this.#read(studio, batch.firstSlot + index);
            if (number % checkEvery === 0) await this.#check(studio, svg, `picture ${number + 1}`);
          });
          number++;
          if (index === batch.pictures.length - 1) batches.shift();
          yield [item, this.#frame];
          prepareNext();
        }
      }
    } finally {
      await Promise.allSettled(batches.map(({ drawn }) => drawn));
    }
  }

  still(svg: string): Promise<Uint8Array> {
    return this.#keeper.use((studio) => this.#screenshot(studio, svg));
  }

  close(): Promise<void> {
    return this.#keeper.close();
  }

  async #prepare(browser: Browser): Promise<Studio> {
    const { host, width, height } = this.options;
    const page = await openPage(browser, { host, fonts: this.fonts, width, height, hosts: this.#hosts });
    await within(this.#pictureMs, page.startDrawing('pictures', batchesAhead * this.#hosts), page.crashed);
    const ring = await open(await onlyFileOf(browser.profile));
    return { page, ring };
  }

  async #draw({ page }: Studio, svgs: readonly string[], firstSlot: number): Promise<void> {
    try {
      await within(this.#pictureMs, page.draw(svgs, firstSlot), page.crashed);
    } catch (error) {
      throw error instanceof PageProblem ? new CameraUnfit(error.message, { cause: error }) : error;
    }
  }

  /** Into the one frame that is given out. */
  async #read({ ring }: Studio, slot: number): Promise<void> {
    const frame = this.#frame;
    const { bytesRead } = await ring.read(frame, 0, frame.length, slot * frame.length);
    if (bytesRead !== frame.length) throw new CameraUnfit('its file of pictures is too short');
  }

  /** Holds the frame against a screenshot of the same picture. */
  async #check(studio: Studio, svg: string, name: string): Promise<void> {
    const { width, height } = this.options;
    const { rgbx, ...size } = decodePng(await this.#screenshot(studio, svg));
    const planes = new Uint8Array(this.#frame.length);
    if (size.width === width && size.height === height) toI420(rgbx, 'RGB', planes, width, height);
    const { wholeDb, worstBlockDb } = likenessOf(planes, this.#frame, width, height);
    if (wholeDb < least.wholeDb || worstBlockDb < least.worstBlockDb) {
      throw new CameraUnfit(`${name} differs from its screenshot (${wholeDb.toFixed(1)} dB, expected ${least.wholeDb}; in its worst place ${worstBlockDb.toFixed(1)} dB, expected ${least.worstBlockDb})`);
    }
  }

  #screenshot({ page }: Studio, svg: string): Promise<Buffer> {
    const taken = page.show(svg).then(() => page.screenshot());
    return within(this.#pictureMs, taken, page.crashed).finally(() => page.hide().catch(() => undefined));
  }
}

/** The file that the page writes to: the only one of the file system that its profile holds, whose name there is Chromium's own. */
const onlyFileOf = async (profile: string): Promise<string> => {
  const names = await readdir(profile, { recursive: true });
  const name = names.find((candidate) => /File System.*[\\/]\d{8}$/.test(candidate));
  if (name === undefined) throw new Error('its file of pictures is not in its profile');
  return path.join(profile, name);
};
