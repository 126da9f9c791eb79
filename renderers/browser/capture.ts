import type { Host } from '../../src/host.js';
import type { FoundBrowser } from './find.js';
import { loadFonts, type FontFile } from './fonts.js';
import { Keeper, within } from './keeper.js';
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

/** Captures by a screenshot of the page: slow, and right with every Chromium. */
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
  readonly #keeper: Keeper<Page>;
  readonly #pictureMs: number;

  constructor({ host, found, width, height, fonts, onNotice, signal, pictureMs = 30_000 }: CaptureOptions & { readonly fonts: readonly FontFile[] }) {
    this.#pictureMs = pictureMs;
    this.#keeper = new Keeper({ host, found, onNotice, signal }, (browser) => openPage(browser, { host, fonts, width, height }));
  }

  /** Process id of the browser at work, for tests and doctor. */
  get pid(): number | null {
    return this.#keeper.pid;
  }

  async start(): Promise<void> {
    await this.#keeper.start();
  }

  picture(svg: string): Promise<Buffer> {
    return this.#keeper.use((page) => within(this.#pictureMs, page.show(svg).then(() => page.screenshot()), page.crashed));
  }

  close(): Promise<void> {
    return this.#keeper.close();
  }
}

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
