import type { Camera } from '../browser/camera.js';
import type { Encoder } from './encoder.js';

/** What must not outlive the film. What is added after `stop` is stopped at once. */
export class Running {
  readonly #stops: (() => Promise<void>)[] = [];
  #stopped = false;

  camera(camera: Camera): Camera {
    this.#add(() => camera.close());
    return camera;
  }

  encoder(encoder: Encoder): Encoder {
    this.#add(() => encoder.abort());
    return encoder;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#stops.map((stop) => stop()));
  }

  #add(stop: () => Promise<void>): void {
    this.#stops.push(stop);
    if (this.#stopped) void stop();
  }
}
