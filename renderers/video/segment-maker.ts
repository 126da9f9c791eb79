import path from 'node:path';
import { CameraUnfit, openExactly, type Camera } from '../browser/camera.js';
import { FaultreelError } from '../../src/errors.js';
import type { Host } from '../../src/host.js';
import { startEncoder, type Encoder } from './encoder.js';
import type { Reel } from './reel.js';
import { scenesOf } from './scenes.js';
import type { Segment, SegmentTask } from './segment.js';

/** What a segment tells while it is made. */
export interface SegmentEars {
  readonly signal: AbortSignal;
  /** Share of its frames that were handed to the encoder, 0 to 1; begins with 0 when the camera is open. */
  readonly onProgress: (share: number) => void;
  readonly onNotice: (text: string) => void;
}

/** An encoder that dies is replaced once. */
const mostEncoders = 2;

/** Films segments, one at a time, with one camera, which stays open between them. */
export class SegmentMaker {
  #camera: { readonly key: string; readonly opened: Promise<Camera> } | null = null;
  #closing: Promise<void> = Promise.resolve();

  constructor(private readonly host: Host) {}

  /**
   * Films one segment into its file.
   * @throws FaultreelError with exit code 5 (machine), 6 (rendering), 7 (stuck); CameraUnfit when the camera does not serve
   */
  async make(reel: Reel, task: SegmentTask, ears: SegmentEars): Promise<Segment> {
    for (let encoders = 1; ; encoders++) {
      const died = { reason: null as string | null };
      try {
        return await this.#once(reel, task, ears, died);
      } catch (error) {
        if (error instanceof CameraUnfit) await this.close();
        if (died.reason === null || encoders === mostEncoders || ears.signal.aborted) throw error;
        // Another one would have nowhere to write either.
        if (!(await this.host.isFolder(path.dirname(task.output)))) throw error;
        ears.onNotice(`${died.reason}; ${task.name} is filmed again from its beginning.`);
      }
    }
  }

  /** Leaves nothing running; the next segment opens a camera again. Who comes second waits for the first. */
  close(): Promise<void> {
    const camera = this.#camera;
    this.#camera = null;
    if (camera) this.#closing = Promise.all([this.#closing, camera.opened.then((opened) => opened.close(), () => undefined)]).then(() => undefined);
    return this.#closing;
  }

  async #once(reel: Reel, task: SegmentTask, ears: SegmentEars, died: { reason: string | null }): Promise<Segment> {
    const { signal } = ears;
    let encoder: Encoder | null = null;
    const stop = (): void => {
      void this.close();
      void encoder?.abort();
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      signal.throwIfAborted();
      const camera = await this.#open(reel, task, ears);
      signal.throwIfAborted();
      encoder = startEncoder(encoderOptions(this.host, reel, task, camera));
      ears.onProgress(0);
      const pictures = await shoot(reel, task, camera, encoder, ears);
      await encoder.finish();
      if (task.poster !== undefined) await this.host.write(task.poster, await camera.still(reel.shots[reel.poster].svg()));
      return { pictures };
    } catch (error) {
      if (encoder?.hasDied && error instanceof FaultreelError) died.reason = error.problems[0].message;
      await encoder?.abort();
      throw error;
    } finally {
      signal.removeEventListener('abort', stop);
      // Nobody hears of this one's end any more.
      if (signal.aborted) await this.close();
    }
  }

  async #open({ width, height }: Reel, { machine, camera: name, browsers, pictureMs }: SegmentTask, { onNotice, signal }: SegmentEars): Promise<Camera> {
    const key = JSON.stringify([name, width, height, browsers, machine.browser.path]);
    if (this.#camera?.key !== key) {
      await this.close();
      const opened = openExactly(name, { host: this.host, found: machine.browser, width, height, jobs: browsers, pictureMs, onNotice, signal });
      this.#camera = { key, opened };
    }
    return this.#camera.opened.catch((error: unknown) => {
      this.#camera = null;
      throw error;
    });
  }
}

const encoderOptions = (host: Host, { width, height, fps, lang }: Reel, { machine, frames, metadata, captions, output }: SegmentTask, { format }: Camera) => ({
  ...{ host, program: machine.tools.ffmpeg, width, height, fps, frames, format, subtitles: captions === undefined ? null : lang, output },
  ...(metadata !== undefined && { metadata }),
  ...(captions !== undefined && { captions }),
});

/** Draws each picture once and hands it over with the number of its frames. Returns how many were drawn. */
const shoot = async ({ shots }: Reel, { from, to, frames }: SegmentTask, camera: Camera, encoder: Encoder, { onProgress }: SegmentEars): Promise<number> => {
  let done = 0;
  let pictures = 0;
  for await (const [scene, bytes] of camera.shoot(scenesOf({ shots: shots.slice(from, to) }), ({ svg }) => svg)) {
    await encoder.picture(bytes, scene.frames);
    done += scene.frames;
    pictures++;
    onProgress(done / frames);
  }
  return pictures;
};
