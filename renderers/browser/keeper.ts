import { exitCodes, FaultreelError } from '../../src/errors.js';
import type { Host } from '../../src/host.js';
import { CameraUnfit } from './camera-interface.js';
import type { FoundBrowser } from './find.js';
import { launch, type Browser } from './launch.js';
import type { LongPromise } from './long-promise.js';

export interface KeeperOptions {
  readonly host: Host;
  readonly found: FoundBrowser;
  readonly flags?: readonly string[];
  readonly onNotice: (notice: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Keeps one browser at work: one that crashes or hangs is replaced, and what it was at is done again. */
export class Keeper<Tools> {
  #browser: Browser | null = null;
  #tools: Tools | null = null;
  #closed = false;
  #starting: Promise<Tools> | null = null;
  #closing: Promise<void> | null = null;

  /** `prepare` makes ready what `use` needs, in each new browser; `release` lets go what does not end with the browser. */
  constructor(private readonly options: KeeperOptions, private readonly prepare: (browser: Browser) => Promise<Tools>, private readonly release: (tools: Tools) => Promise<void> = () => Promise.resolve()) {}

  /** Process id of the browser at work. */
  get pid(): number | null {
    return this.#browser?.pid ?? null;
  }

  start(): Promise<Tools> {
    return (this.#starting = this.#start());
  }

  /**
   * Does work that can be done again. A FaultreelError or CameraUnfit of it is passed on at once.
   *
   * @throws FaultreelError with exit code 6 when it fails as often as it is tried.
   */
  async use<Result>(work: (tools: Tools) => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        if (this.#closed) throw new Error('The camera is closed.');
        return await work(this.#tools ?? (await this.start()));
      } catch (error) {
        if (error instanceof FaultreelError || error instanceof CameraUnfit || this.#closed || this.options.signal?.aborted) throw error;
        const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
        await this.#discard();
        if (attempt === attempts) throw new FaultreelError(exitCodes.rendering, { message: `The browser failed ${attempts} times at the same picture: ${reason}` }, { cause: error });
        this.options.onNotice(`The browser failed (${reason}); drawing the picture again in a new one.`);
      }
    }
  }

  /** Leaves nothing running. May be called twice. */
  close(): Promise<void> {
    this.#closed = true;
    return (this.#closing ??= this.#discard().then(() => this.#starting?.then(() => undefined, () => undefined)));
  }

  async #start(): Promise<Tools> {
    const { found, ...options } = this.options;
    const browser = await launch(found, options);
    this.#browser = browser;
    if (this.#closed) await this.#discard();
    return (this.#tools = await this.prepare(browser));
  }

  async #discard(): Promise<void> {
    const browser = this.#browser;
    const tools = this.#tools;
    this.#browser = null;
    this.#tools = null;
    if (tools) await this.release(tools);
    await browser?.close();
  }
}
const attempts = 3;

/** Rejects when work is not done in time, or what it depends on fails. */
export const within = async <Result>(ms: number, work: Promise<Result>, failing: LongPromise<never>): Promise<Result> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => (timer = setTimeout(() => reject(new Error(`no picture within ${ms / 1000} s`)), ms)));
  try {
    return await Promise.race([failing.race(work), late]);
  } finally {
    clearTimeout(timer);
  }
};
