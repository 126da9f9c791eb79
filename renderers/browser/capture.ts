import { exitCodes, FaultreelError } from '../../src/errors.js';
import type { Host } from '../../src/host.js';
import type { FoundBrowser } from './find.js';
import { loadFonts, type FontFile } from './fonts.js';
import { launch, type Browser } from './launch.js';
import { openPage, type Page } from './page.js';

/** A way from SVG text to pixels. One picture at a time; several captures work side by side. */
export interface Capture {
  /** As it is named in the log and in the result. */
  readonly name: string;
  /** The picture as PNG; the same text gives the same pixels. */
  picture(svg: string): Promise<Buffer>;
  /** Leaves nothing running. May be called twice. */
  close(): Promise<void>;
}

export interface CaptureOptions {
  readonly host: Host;
  readonly found: FoundBrowser;
  readonly width: number;
  readonly height: number;
  readonly onNotice: (notice: string) => void;
  readonly signal?: AbortSignal | undefined;
  /** Fonts that were loaded before, for a second capture. */
  readonly fonts?: readonly FontFile[];
  /** Time in ms for one picture before the browser counts as stuck. */
  readonly pictureMs?: number;
}

/** Captures by a screenshot of the page: slow, and right with every Chromium. A browser that crashes or hangs is replaced and the picture drawn again. */
export const screenshotCapture = async (options: CaptureOptions): Promise<ScreenshotCapture> => {
  const capture = new ScreenshotCapture({ ...options, fonts: options.fonts ?? (await loadFonts(options.host)) });
  try {
    await capture.start();
  } catch (error) {
    await capture.close();
    throw error;
  }
  return capture;
};

export class ScreenshotCapture implements Capture {
  readonly name = 'screenshot';
  #browser: Browser | null = null;
  #page: Page | null = null;
  #closed = false;
  #starting: Promise<void> | null = null;
  #closing: Promise<void> | null = null;

  constructor(private readonly options: CaptureOptions & { readonly fonts: readonly FontFile[] }) {}

  /** Process id of the browser at work, for tests and doctor. */
  get pid(): number | null {
    return this.#browser?.pid ?? null;
  }

  start(): Promise<void> {
    return (this.#starting = this.#start());
  }

  async picture(svg: string): Promise<Buffer> {
    for (let attempt = 1; ; attempt++) {
      try {
        if (this.#closed) throw new Error('The capture is closed.');
        if (!this.#page) await this.start();
        return await this.#draw(this.#page!, svg);
      } catch (error) {
        if (error instanceof FaultreelError || this.#closed || this.options.signal?.aborted) throw error;
        const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
        await this.#discard();
        if (attempt === attempts) throw new FaultreelError(exitCodes.rendering, { message: `The browser failed ${attempts} times at the same picture: ${reason}` }, { cause: error });
        this.options.onNotice(`The browser failed (${reason}); drawing the picture again in a new one.`);
      }
    }
  }

  close(): Promise<void> {
    this.#closed = true;
    return (this.#closing ??= this.#discard().then(() => this.#starting?.catch(() => undefined)));
  }

  async #start(): Promise<void> {
    const { host, found, fonts, width, height, onNotice, signal } = this.options;
    const browser = await launch(found, { host, onNotice, signal });
    this.#browser = browser;
    if (this.#closed) await this.#discard();
    const page = await openPage(browser, { host, fonts, width, height });
    // The first capture of a page may miss what is not painted yet.
    await page.screenshot();
    this.#page = page;
  }

  async #draw(page: Page, svg: string): Promise<Buffer> {
    const { pictureMs = 30_000 } = this.options;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => (timer = setTimeout(() => reject(new Error(`no picture within ${pictureMs / 1000} s`)), pictureMs)));
    try {
      return await Promise.race([page.show(svg).then(() => page.screenshot()), page.crashed, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #discard(): Promise<void> {
    const browser = this.#browser;
    this.#browser = null;
    this.#page = null;
    await browser?.close();
  }
}
const attempts = 3;

/** Browsers that this machine carries: one a core, 1 GB each after the first 1 GB, at most four. */
export const captureCount = ({ cores, memoryBytes }: Pick<Host, 'cores' | 'memoryBytes'>): number =>
  Math.max(1, Math.min(cores, Math.floor(memoryBytes / 2 ** 30) - 1, 4));

/**
 * Pictures in their order, drawn by several captures side by side, never more than `ahead` of what was taken.
 */
export async function* picturesInOrder<Item>(items: AsyncIterable<Item> | Iterable<Item>, svgOf: (item: Item) => string, captures: readonly Capture[], ahead = captures.length + 2): AsyncGenerator<readonly [Item, Buffer]> {
  const free = [...captures];
  const waiting: ((capture: Capture) => void)[] = [];
  const draw = async (item: Item): Promise<readonly [Item, Buffer]> => {
    const capture = free.pop() ?? (await new Promise<Capture>((resolve) => waiting.push(resolve)));
    try {
      return [item, await capture.picture(svgOf(item))];
    } finally {
      const next = waiting.shift();
      if (next) next(capture);
      else free.push(capture);
    }
  };
  const started: Promise<readonly [Item, Buffer]>[] = [];
  for await (const item of items) {
    const drawn = draw(item);
    drawn.catch(() => undefined);
    started.push(drawn);
    if (started.length >= ahead) yield await started.shift()!;
  }
  for (const drawn of started) yield await drawn;
}
